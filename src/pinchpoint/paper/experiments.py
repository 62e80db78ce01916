"""What the reproduction plays, on a quick and on a full scale.

`TEAMS` lists the agents: the Q-learned ones, and the stronger ones. `Experiments` lists the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pinchpoint.agents.registry import get_agent
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.study.evaluate import Match

PAPER_MODES = ("network", "flow", "noodle")
# Who plays each mode at all densities, by the mode that an agent was trained for: the lines of the
# paper's figures. Random moves come on top.
LINES = {
    "network": ("flow", "network", "noodle"),
    "flow": ("flow", "network"),
    "noodle": ("noodle", "network"),
}


# -- agents ----------------------------------------------------------------------------------


class NotShipped(InputError):
    """An agent that a team should have is not there (yet)."""


@dataclass(frozen=True)
class Team:
    """Agents of one kind, one for each mode."""

    key: str  # in the names of figures
    name: str
    about: str
    agents: Mapping[str, str]  # mode that it was trained for -> agent
    q_learned: bool  # by Bellman's equation, from the four states of the squares and nothing else

    def __getitem__(self, mode: str) -> str:
        if mode not in self.agents:
            raise NotShipped(f"the {self.name} agent of mode {mode} is not available yet")
        return self.agents[mode]

    def of(self, modes: Iterable[str]) -> list[str]:
        """Return the agents of these modes that are there."""
        return [self.agents[mode] for mode in modes if mode in self.agents]


# The reproduction is what the first team does; the second shows what more can be done.
TEAMS = (
    Team(
        "q",
        "Q-learned",
        "Q-learned from raw boards, as the paper's agents, but not by its Algorithm 1",
        {mode: f"{mode}-q" for mode in PAPER_MODES},
        q_learned=True,
    ),
    Team(
        "strong",
        "stronger",
        "trained on polished self-play; shown what moves cut off (network, flow: and curves)",
        {mode: mode for mode in PAPER_MODES},
        q_learned=False,
    ),
)


def shipped_teams(teams: Sequence[Team] = TEAMS) -> list[Team]:
    """Return the teams with those of their agents that are there; a team may be left empty."""
    found = [
        replace(team, agents={m: a for m, a in team.agents.items() if is_shipped(a)})
        for team in teams
    ]
    if not any(team.agents for team in found):
        names = ", ".join(agent for team in teams for agent in team.agents.values())
        raise InputError(f"there is nothing to reproduce the paper with: none of {names} is there")
    return found


def is_shipped(agent: str) -> bool:
    try:
        get_agent(agent)
    except InputError:
        return False
    return True


def own_mode(agent: str) -> str | None:
    """Return the mode that an agent of a team was trained for; None for other agents."""
    modes = (mode for team in TEAMS for mode, name in team.agents.items() if name == agent)
    return next(modes, None)


# -- experiments -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Experiments:
    """The games of one reproduction.

    No other number of games is larger than `games`: few games a point are few everywhere.
    """

    name: str
    games: int  # boards for each mode and density
    ps: tuple[float, ...]
    par_work: float  # limit of the solver for one board
    search: str  # the agent that searches
    search_games: int
    search_modes: tuple[str, ...]
    scaling: Mapping[str, Mapping[int, int]]  # mode -> side of the board -> games
    probe_games: int  # games of an agent that are looked into move by move
    size: int = 20
    middle: float = 0.8  # the density of the distributions and of the matrix
    examples: int = 5  # games of each mode in the supplement
    supplement: Mapping[str, float] = field(
        default_factory=lambda: {"network": 0.7, "flow": 0.8, "noodle": 0.6}
    )
    supplement_size: int = 10

    def __post_init__(self) -> None:
        if self.games < 1 or self.search_games < 0:
            raise InputError("a reproduction plays 1 game a point or more, with search 0 or more")
        if self.middle not in self.ps:
            given = ", ".join(f"{p:g}" for p in self.ps)
            raise InputError(f"p = {self.middle:g} must be among the densities; got {given}")

    @property
    def probed_games(self) -> int:
        """The games of each probe."""
        return min(self.probe_games, self.games)

    def command(self, seed: int) -> str:
        """Return the command that plays this."""
        words = ["pinchpoint reproduce", f"--{self.name}"]
        usual = PLANS.get(self.name, self)
        for setting in CHANGEABLE:
            value = getattr(self, setting)
            if value != getattr(usual, setting):
                several = value if isinstance(value, tuple) else (value,)
                words += [f"--{OPTIONS.get(setting, setting.replace('_', '-'))}"]
                words += [f"{each:g}" for each in several]
        return " ".join([*words, f"--seed {seed}"])

    def curve_matches(self, seed: int, teams: Sequence[Team]) -> list[Match]:
        """Return the paper's lines over p, all agents in all modes at the middle p, and search."""
        matches: list[Match] = []
        for mode in PAPER_MODES:
            for p in self.ps:
                boards = sample_boards(mode, self.size, p, self.games, seed)
                modes = PAPER_MODES if p == self.middle else LINES[mode]
                agents = [agent for team in teams for agent in team.of(modes)]
                matches.append(("random", boards))
                matches += [(agent, different(boards)) for agent in agents]
                if mode in self.search_modes and self.search_games:
                    matches.append((self.search, different(boards)[: self.search_games]))
        return matches

    def scaling_matches(self, seed: int, teams: Sequence[Team]) -> list[Match]:
        """Return each mode's own agents, random moves and the solver on boards of several sizes."""
        matches: list[Match] = []
        for mode, sizes in self.scaling.items():
            for size, most in sizes.items():
                games = min(most, self.games)
                boards = sample_boards(mode, size, self.middle, games, seed)
                own = [agent for team in teams for agent in team.of([mode])]
                matches += [(agent, boards) for agent in ("random", *own, "optimal")]
        return matches

    def par_matches(self, seed: int) -> list[Match]:
        """Return the solver in all modes on the same boards: those that flow can be played on.

        Flow asks the most of a board. The few boards that are over when laid in another mode are
        left out.
        """
        matches: list[Match] = []
        for p in self.ps:
            boards = different(sample_boards("flow", self.size, p, self.games, seed))
            runs = np.all([~Games(boards, mode).done for mode in PAPER_MODES], axis=0)
            if runs.any():
                boards = boards[runs]
                matches += [("optimal", boards.in_mode(mode)) for mode in PAPER_MODES]
        return matches


def different(boards: Boards) -> Boards:
    """Return every board once: at p = 1 all are the same one.

    That is enough for agents whose play does not depend on chance.
    """
    return boards[:1] if (boards.p == 1).all() else boards


def steps(low: int, high: int, by: int) -> tuple[float, ...]:
    """Return probabilities from low to high per cent."""
    return tuple(percent / 100 for percent in range(low, high + 1, by))


QUICK = Experiments(
    name="quick",
    games=50,
    ps=steps(60, 100, 10),
    par_work=0.12,
    search="search:8",
    search_games=25,
    search_modes=("network",),
    scaling={
        "network": {10: 20, 20: 20, 40: 6, 80: 2},
        "flow": {10: 20, 20: 20, 40: 6, 80: 2},
        "noodle": {10: 20, 20: 10, 40: 2},
    },
    probe_games=20,
)
FULL = Experiments(
    name="full",
    games=1000,
    ps=steps(60, 100, 5),
    par_work=10.0,
    search="search:32",
    search_games=200,
    search_modes=PAPER_MODES,
    scaling={
        "network": {10: 200, 20: 200, 40: 50, 80: 10},
        "flow": {10: 200, 20: 200, 40: 50, 80: 10},
        "noodle": {10: 200, 20: 200, 40: 20},  # a game on 80 × 80 has a thousand moves
    },
    probe_games=100,
)
PLANS = {plan.name: plan for plan in (QUICK, FULL)}
CHANGEABLE = ("games", "ps", "par_work", "search_games")  # by the options of the command
OPTIONS = {"ps": "p"}  # options that have another name than their setting
