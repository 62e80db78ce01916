"""The agents: one protocol, a table of names, and ways to add your own.

An agent is named by "name" or "name:argument" ("search:32", "prune:corehd"), a user's own by
"package.module:Name".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from chokepoint.errors import InputError
from chokepoint.game import Games
from chokepoint.plugins import load_object
from chokepoint.types import Squares

__all__ = ["AGENTS", "Agent", "Entry", "get_agent", "play_out"]


@runtime_checkable
class Agent(Protocol):
    """Whoever chooses squares. Randomness comes from a seed given when the agent is made."""

    name: str

    def act(self, games: Games) -> Squares:  # [B]
        """A legal square for each game that goes on, -1 for each that is over."""
        ...


@dataclass(frozen=True)
class Entry:
    """Where an agent is made: a factory `(argument, seed) -> Agent`, imported when needed."""

    factory: str  # package.module:function
    about: str
    argument: str | None = None  # what may stand after the colon; None if nothing may


AGENTS: dict[str, Entry] = {
    "random": Entry("chokepoint.agents.random:make", "uniformly random legal squares"),
    "human": Entry(
        "chokepoint.agents.human:make", "moves read from a file of game records", "FILE.jsonl"
    ),
    "network": Entry("chokepoint.agents.learned:make_network", "learned by self-play of network"),
    "flow": Entry("chokepoint.agents.learned:make_flow", "learned by self-play of flow"),
    "noodle": Entry("chokepoint.agents.learned:make_noodle", "learned by self-play of noodle"),
    "weights": Entry("chokepoint.agents.learned:make_from_file", "your own trained agent", "FILE"),
    "degree": Entry("chokepoint.agents.heuristic:make_degree", "most active neighbours"),
    "betweenness": Entry(
        "chokepoint.agents.heuristic:make_betweenness", "most shortest paths, after every move anew"
    ),
    "ci": Entry("chokepoint.agents.heuristic:make_ci", "collective influence", "RADIUS"),
    "corehd": Entry("chokepoint.agents.heuristic:make_corehd", "highest degree in the 2-core"),
    "articulation": Entry(
        "chokepoint.agents.heuristic:make_articulation", "articulation points first"
    ),
    "greedy": Entry(
        "chokepoint.agents.heuristic:make_greedy", "largest drop of the active part in one move"
    ),
    "spectral": Entry("chokepoint.agents.spectral:make", "bisection by the Fiedler vector"),
    "straight": Entry("chokepoint.agents.straight:make", "the cheapest straight cut"),
    "optimal": Entry("chokepoint.agents.planned:make_optimal", "the exact solver", "SECONDS"),
    "prune": Entry(
        "chokepoint.agents.planned:make_pruning",
        "another agent without its unneeded moves",
        "AGENT",
    ),
    "search": Entry(
        "chokepoint.agents.search:make",
        "beam search with a network, by width or thinking time",
        "WIDTH[:AGENT] or SECONDSs[:AGENT]",
    ),
}


def get_agent(spec: str | Agent, seed: int = 0) -> Agent:
    """The agent of that name; `seed` matters only to those that make random choices."""
    if not isinstance(spec, str):
        return spec
    name, _, argument = spec.partition(":")
    entry = AGENTS.get(name)
    if entry is None:
        return _plugin(spec)
    if argument and entry.argument is None:
        raise InputError(f"agent {name!r} takes nothing after a colon; got {spec!r}")
    return cast(Agent, load_object(entry.factory)(argument, seed))


def play_out(agent: Agent, games: Games) -> None:
    """Let the agent play all games to their end."""
    while not games.done.all():
        games.play(agent.act(games))


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
