"""What the reproduction plays and what it looks into, on a quick and on a full scale.

`TEAMS` lists the agents: the paper's kind, and the stronger ones. `Experiments` lists the games and
the studies. A study looks inside games: what each move cost (`regret_study`), what an agent thinks
of every square (`q_study`), and whether another agent would choose alike (`choice_study`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from pinchpoint.agents.registry import get_agent
from pinchpoint.errors import InputError
from pinchpoint.game.boards import sample_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.solvers.dispatch import optimal_squares, solve, solved_at_once
from pinchpoint.study.evaluate import (
    AGENT_SEED,
    Match,
    Point,
    play_boards,
    sampled_points,
)
from pinchpoint.study.parallel import run_all
from pinchpoint.types import Bools, Bytes

PAPER_MODES = ("network", "flow", "noodle")
# Who plays each mode at all densities, by the mode that an agent was trained for: the lines of the
# paper's figures. Random moves come on top.
LINES = {
    "network": ("flow", "network", "noodle"),
    "flow": ("flow", "network"),
    "noodle": ("noodle", "network"),
}
NEAR = 0.5  # moves: Q-values that differ by less count as equal
CHOKE = 0.1  # the smallest share of the active squares that a choke point cuts off


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
        "Q-learned from raw boards, as in the paper",
        {mode: f"{mode}-q" for mode in PAPER_MODES},
        q_learned=True,
    ),
    Team(
        "strong",
        "stronger",
        "trained on polished self-play, told what moves cut off (network, flow: and curves)",
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
class Study:
    """Games of one agent that are looked into; small enough to be solved after every move."""

    agent: str
    mode: str
    size: int
    p: float
    games: int
    seed: int
    work: float  # limit of the solver for one position
    positions: int = 0  # how many positions are solved for all their optimal moves
    others: tuple[str, ...] = ()  # agents that are asked for their choice in the same positions

    def boards(self) -> Bytes:
        return sample_boards(self.mode, self.size, self.p, self.games, self.seed)

    def about(self) -> dict[str, Any]:
        """Return the columns that begin every row of this study."""
        size = f"{self.size}x{self.size}"
        return {"agent": self.agent, "mode": self.mode, "p": self.p, "size": size}


@dataclass(frozen=True)
class Experiments:
    """The games and studies of one reproduction."""

    name: str
    games: int  # boards for each mode and density
    ps: tuple[float, ...]
    par_work: float  # limit of the solver for one board
    search: str  # the agent that searches
    search_games: int
    search_modes: tuple[str, ...]
    scaling: Mapping[str, Mapping[int, int]]  # mode -> side of the board -> games
    study_games: int  # games in each study
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
            told = ", ".join(f"{p:g}" for p in self.ps)
            raise InputError(f"p = {self.middle:g} must be among the densities; got {told}")

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
            rule = get_mode(mode)
            for point in sampled_points([rule], [self.size], self.ps, self.games, seed):
                modes = PAPER_MODES if point.p == self.middle else LINES[mode]
                agents = [agent for team in teams for agent in team.of(modes)]
                matches.append(("random", point))
                matches += [(agent, different(point)) for agent in agents]
                if mode in self.search_modes and self.search_games:
                    matches.append((self.search, different(point).part(0, self.search_games)))
        return matches

    def scaling_matches(self, seed: int, teams: Sequence[Team]) -> list[Match]:
        """Return each mode's own agents, random moves and the solver on boards of several sizes."""
        matches: list[Match] = []
        for mode, sizes in self.scaling.items():
            for size, games in sizes.items():
                [point] = sampled_points([get_mode(mode)], [size], [self.middle], games, seed)
                own = [agent for team in teams for agent in team.of([mode])]
                matches += [(agent, point) for agent in ("random", *own, "optimal")]
        return matches

    def par_matches(self, seed: int) -> list[Match]:
        """Return the solver in all modes on the same boards: those that flow can be played on.

        Flow asks the most of a board. The few boards that are over when laid in another mode are
        left out.
        """
        matches: list[Match] = []
        for p in self.ps:
            [point] = sampled_points([get_mode("flow")], [self.size], [p], self.games, seed)
            point = different(point)
            rules = [get_mode(mode) for mode in PAPER_MODES]
            runs = np.all([~Games(point.boards, rule).done for rule in rules], axis=0)
            if runs.any():
                boards, numbers = point.boards[runs], point.numbers[runs]
                matches += [("optimal", Point(rule, boards, numbers, p)) for rule in rules]
        return matches

    def regret_studies(self, seed: int, teams: Sequence[Team]) -> list[Study]:
        """Return the studies of regret.

        Flow is solved at once on any board; the other two modes need smaller boards.
        """
        where = {"network": (8, 0.7), "flow": (self.size, 0.8), "noodle": (10, 0.6)}
        return [
            Study(agent, mode, min(size, self.size), p, self.study_games, seed, 0.1)
            for mode, (size, p) in where.items()
            for agent in ("random", *(a for team in teams for a in team.of([mode])))
        ]

    def q_studies(self, seed: int, team: Team) -> list[Study]:
        """Return the studies of Q: each agent in its own mode, where optimal moves can be known."""
        where = {"network": (7, 0.7), "flow": (self.size, 0.8), "noodle": (10, 0.6)}
        known = {"network": 40, "flow": 10_000, "noodle": 40}
        games = self.study_games
        studies = [
            Study(agent, mode, min(size, self.size), p, games, seed, 0.25, known[mode])
            for mode, (size, p) in where.items()
            for agent in team.of([mode])
        ]
        larger = [
            Study(agent, "network", self.size, 0.7, games, seed, 0.0)
            for agent in team.of(["network"])
        ]
        return [*studies, *larger]

    def choice_studies(self, seed: int, team: Team) -> list[Study]:
        """Return the studies of choices: the network agent beside the other two, both ways."""
        pairs = {"network": ("flow", "noodle"), "flow": ("network",), "noodle": ("network",)}
        return [
            Study(agent, mode, self.size, 0.7, self.study_games, seed, 0.0, others=others)
            for mode, modes in pairs.items()
            for agent in team.of([mode])
            if (others := tuple(team.of(modes)))
        ]


def different(point: Point) -> Point:
    """Return the point with every board once: at p = 1 all are the same one.

    That is enough for agents whose play does not depend on chance.
    """
    return point.part(0, 1) if point.p == 1 else point


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
    study_games=20,
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
    study_games=100,
)
PLANS = {plan.name: plan for plan in (QUICK, FULL)}
CHANGEABLE = ("games", "ps", "par_work", "search_games")  # by the options of the command
OPTIONS = {"ps": "p"}  # options that have another name than their setting


# -- studies ---------------------------------------------------------------------------------


Looking = Callable[[Study], list[dict[str, Any]]]  # a study -> its rows


def run_studies(
    studies: Mapping[Looking, Sequence[Study]], jobs: int = 0
) -> dict[Looking, pd.DataFrame]:
    """Return the rows of each kind of study, in the order of the studies."""
    tasks = [(looking, study) for looking, some in studies.items() for study in some]
    found = dict(run_all(_run, list(enumerate(tasks)), jobs))
    return {
        looking: pd.DataFrame(
            [
                line
                for number, task in enumerate(tasks)
                if task[0] is looking
                for line in found[number]
            ]
        )
        for looking in studies
    }


def _run(task: tuple[int, tuple[Looking, Study]]) -> tuple[int, list[dict[str, Any]]]:
    number, (looking, study) = task
    return number, looking(study)


def regret_study(study: Study) -> list[dict[str, Any]]:
    """Return what every move of some games cost: best after it + 1 − best before it.

    Where a position is not proven, the best known stands in for the best. The regret of a move can
    then be negative, if more is known after it than before.
    """
    boards, mode = study.boards(), get_mode(study.mode)
    agent = get_agent(study.agent, study.seed + AGENT_SEED)
    histories = play_boards(agent, Games(boards, mode)).histories()
    games = Games(boards, mode)
    values, proven = _values(games, list(range(len(games))), study.work)
    lines = []
    for number in range(max(map(len, histories))):
        squares = [moves[number] if number < len(moves) else -1 for moves in histories]
        games.play(squares)
        playing = [row for row, square in enumerate(squares) if square >= 0]
        after, after_proven = _values(games, playing, study.work)
        for row in playing:
            line = {"board": row, "move": number + 1, "regret": after[row] + 1 - values[row]}
            lines.append(study.about() | line | {"proven": proven[row] and after_proven[row]})
        values, proven = values | after, proven | after_proven
    return lines


def _values(games: Games, rows: list[int], work: float) -> tuple[dict[int, int], dict[int, bool]]:
    """Return the best known number of moves to go in these games, and whether it is proven."""
    solutions = solve(games.take(rows), work=work)
    pairs = list(zip(rows, solutions, strict=True))
    return {row: int(s.value) for row, s in pairs}, {row: s.proven for row, s in pairs}


def q_study(study: Study) -> list[dict[str, Any]]:
    """Return a row for every position of an agent's games.

    It says how many squares the agent takes for equally good, how many are optimal, and how the
    agent rates choke points.
    """
    boards, mode = study.boards(), get_mode(study.mode)
    agent: Any = get_agent(study.agent, study.seed + AGENT_SEED)
    games = Games(boards, mode)
    left = study.positions
    lines = []
    while not games.done.all():
        q = np.where(games.legal, agent.q_values(games), -np.inf)
        for row in np.flatnonzero(~games.done):
            position = games.take([row])
            optimal = optimal_moves(position, study.work) if left > 0 else None
            left -= optimal is not None
            move = {"board": int(row), "move": int(games.move_counts[row]) + 1}
            lines.append(study.about() | move | look_at(position, q[row], optimal))
        games.play(np.where(games.done, -1, q.argmax(axis=1)))
    return lines


def choice_study(study: Study) -> list[dict[str, Any]]:
    """Return a row for every position of an agent's games and every other agent.

    It says whether the other's choice is among the squares that the agent takes for equally good,
    and what the chance of that is for a random square.
    """
    agent: Any = get_agent(study.agent, study.seed + AGENT_SEED)
    others = {name: get_agent(name, study.seed + AGENT_SEED) for name in study.others}
    games = Games(study.boards(), get_mode(study.mode))
    lines = []
    while not games.done.all():
        q = np.where(games.legal, agent.q_values(games), -np.inf)
        near = games.legal & (q >= q.max(axis=1, keepdims=True) - NEAR)
        for name, other in others.items():
            choices = other.act(games)
            for row in np.flatnonzero(~games.done):
                lines.append(
                    study.about()
                    | {
                        "other": name,
                        "board": int(row),
                        "move": int(games.move_counts[row]) + 1,
                        "agrees": bool(near[row, choices[row]]),
                        "chance": float(near[row].sum() / games.legal[row].sum()),
                    }
                )
        games.play(np.where(games.done, -1, q.argmax(axis=1)))
    return lines


def look_at(position: Games, q: Any, optimal: Bools | None) -> dict[str, Any]:
    """Return the numbers of one position."""
    legal = position.legal[0]
    near = legal & (q >= q[legal].max() - NEAR)
    chokes = choke_points(position)
    rank = np.nan
    if chokes.any() and not chokes[legal].all():
        others = q[legal]
        rank = float(np.mean([share_below(others, value) for value in q[chokes]]))
    return {
        "legal": int(legal.sum()),
        "near": int(near.sum()),
        "optimal": np.nan if optimal is None else int(optimal.sum()),
        "hits": np.nan if optimal is None else int((near & optimal).sum()),
        "chokes": int(chokes.sum()),
        "choke_rank": rank,
    }


def share_below(values: Any, value: float) -> float:
    """Return the share of the values below this one; equal ones count half."""
    return float((values < value).mean() + (values == value).mean() / 2)


def successors(position: Games) -> tuple[Games, Any]:
    """Return the position after each of its legal moves, and the moves."""
    squares = np.flatnonzero(position.legal[0])
    after = position.take(np.zeros(len(squares), dtype=np.intp))
    after.play(squares)
    return after, squares


def choke_points(position: Games) -> Bools:  # [N]
    """Return the active squares whose loss cuts off a tenth or more of the active squares."""
    active = position.active[0]
    after, squares = successors(position)
    chokes = np.zeros(len(active), dtype=np.bool_)
    for row, square in enumerate(squares):
        labels = after.labels[row][active]
        sizes = np.sort(np.bincount(labels[labels >= 0]))
        chokes[square] = len(sizes) > 1 and sizes[-2] >= CHOKE * active.sum()
    return chokes


def optimal_moves(position: Games, work: float) -> Bools | None:  # [N]
    """Return the squares that begin an optimal game; None if that cannot be proven."""
    if solved_at_once(position.mode):
        return np.asarray(optimal_squares(position)[0])
    value = solve(position, work=work)[0]
    after, squares = successors(position)
    solutions = solve(after, work=work)
    best = np.zeros(position.topology.n, dtype=np.bool_)
    for square, solution in zip(squares, solutions, strict=True):
        # A bound is enough to rule a move out; only a good one must be known exactly.
        if solution.value < value.value:
            best[square] = True
        elif solution.bound < value.value:
            return None
    return best if value.proven else None
