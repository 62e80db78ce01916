"""The protocol of agents, the table of their names, and ways to add your own.

An agent is named by "name" or "name:argument" ("search:32", "prune:corehd"), a user's own by
"package.module:Name".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from pinchpoint.checks import instance
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.topology import Topology
from pinchpoint.plugins import load_object
from pinchpoint.rng import check_seed
from pinchpoint.types import Squares


@runtime_checkable
class Agent(Protocol):
    """A player that chooses squares. Its randomness comes from a seed given when it is made."""

    @property
    def name(self) -> str: ...

    def act(self, games: Games) -> Squares:  # [B]
        """Return a legal square for each game that goes on, -1 for each that is over."""
        ...


@dataclass(frozen=True)
class Entry:
    """Where an agent is made: a factory `(argument, seed) -> Agent`, imported when needed."""

    factory: str  # module of this room:function
    about: str
    argument: str | None = None  # what may stand after the colon; None if nothing may
    given: str = ""  # what the table gives the factory, before a colon and that argument


def _order(name: str, about: str, argument: str | None = None) -> Entry:
    return Entry("by_order:make", about, argument, given=name)


def _shipped(name: str, about: str) -> Entry:
    return Entry("learned:load_agent", about, given=name)


AGENTS: dict[str, Entry] = {
    "random": Entry("random:make", "uniformly random legal squares"),
    "human": Entry("human:make", "moves read from a file of game records", "FILE.jsonl"),
    "network": _shipped(
        "network", "learned network from polished self-play, told what moves and curves cut off"
    ),
    "flow": _shipped(
        "flow", "learned flow from polished self-play, told what moves and curves cut off"
    ),
    "noodle": _shipped("noodle", "learned noodle from polished self-play, told what moves cut off"),
    "network-q": _shipped("network-q", "learned network by Q-learning from raw boards"),
    "flow-q": _shipped("flow-q", "learned flow by Q-learning from raw boards"),
    "noodle-q": _shipped("noodle-q", "learned noodle by Q-learning from raw boards"),
    "graph": _shipped("graph", "learned on random graphs by looking ahead; plays any graph"),
    "weights": Entry("learned:make_from_file", "your own trained agent", "FILE[:NETWORK]"),
    "degree": _order("degree", "most active neighbours"),
    "kcore": _order("kcore", "highest core number, of equals most active neighbours"),
    "pagerank": _order("pagerank", "highest PageRank"),
    "ci": _order("ci", "collective influence", "RADIUS"),
    "corehd": _order("corehd", "highest degree in the 2-core"),
    "articulation": _order("articulation", "articulation points first"),
    "betweenness": _order(
        "betweenness", "most shortest paths, after every move anew", "SOURCES[:BATCH]"
    ),
    "pivots": _order("pivots", "the same, from a few nodes far apart", "SOURCES[:BATCH]"),
    "spectral": _order("spectral", "bisection by the Fiedler vector"),
    "greedy": Entry("greedy:make", "largest drop of the active part in one move"),
    "straight": Entry("straight:make", "the cheapest straight cut"),
    "curves": Entry("cheapest_curve:make", "the cheapest curve across a square lattice"),
    "optimal": Entry(
        "planned:make_optimal", "the exact solver, by work or time", "WORK or SECONDSs"
    ),
    "prune": Entry("planned:make_pruning", "another agent without its unneeded moves", "AGENT"),
    "search": Entry(
        "search:make",
        "beam search with a network, by width or thinking time",
        "WIDTH[:AGENT] or SECONDSs[:AGENT]",
    ),
}


def get_agent(spec: str | Agent, seed: int = 0) -> Agent:
    """Return the agent of that name; `seed` matters only to those that make random choices."""
    check_seed(seed)
    if not isinstance(spec, str):
        if not isinstance(spec, Agent):
            raise InputError(f"an agent has a `name` and a method `act`, which {spec!r} has not")
        return spec
    name, _, argument = spec.partition(":")
    entry = AGENTS.get(name)
    if entry is None:
        return _plugin(spec)
    if argument and entry.argument is None:
        raise InputError(f"agent {name!r} takes nothing after a colon; got {spec!r}")
    factory = load_object(f"pinchpoint.agents.{entry.factory}")
    return cast(Agent, factory(":".join(filter(None, (entry.given, argument))), seed))


def play_out(agent: Agent, games: Games) -> None:
    """Let the agent play all games to their end."""
    agent = get_agent(agent)
    instance(games, Games, "the games")
    while not games.done.all():
        games.play(agent.act(games))


def check_plays(agent: Agent, topology: Topology) -> None:
    """Raise InputError if the agent says that it cannot play there, by `check_topology`.

    An agent without such a method plays everywhere, or finds out when it is asked for a move.
    """
    check = getattr(agent, "check_topology", None)
    if check is not None:
        check(topology)


def _plugin(spec: str) -> Agent:
    if ":" not in spec:
        raise InputError(
            f"there is no agent {spec!r}; choose from {', '.join(AGENTS)}, "
            "or name your own as package.module:Name"
        )
    found: Any = load_object(spec)
    agent = found() if isinstance(found, type) else found
    if not isinstance(agent, Agent):
        raise InputError(f"{spec} is no agent: it needs a `name` and a method `act(games)`")
    return agent
