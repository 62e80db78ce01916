"""Looks inside games: what each move cost, and what an agent thinks of every square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from chokepoint.agents import get_agent
from chokepoint.game import Games, get_mode, sample_boards
from chokepoint.paper.claims import NEAR
from chokepoint.solvers import optimal_squares, solve
from chokepoint.study import AGENT_SEED, play_boards, run_all
from chokepoint.types import Bools, Bytes

CHOKE = 0.1  # of the active part: the least that a choke point cuts off


@dataclass(frozen=True)
class Study:
    """An agent in a mode on some boards, small enough to be solved again after every move."""

    agent: str
    mode: str
    size: int
    p: float
    games: int
    seed: int
    seconds: float  # limit of the solver for one position
    positions: int = 0  # in which to find every optimal move by solving; 0 for none

    def boards(self) -> Bytes:
        return sample_boards(self.mode, self.size, self.p, self.games, self.seed)

    def about(self) -> dict[str, Any]:
        fields = asdict(self)
        return {name: fields[name] for name in ("agent", "mode", "p")} | {
            "size": f"{self.size}x{self.size}"
        }


def run_studies(
    regrets: Sequence[Study], looks: Sequence[Study], jobs: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Regrets of the first and Q-values of the second, in the order given."""
    tasks = [*((regret_study, study) for study in regrets), *((q_study, study) for study in looks)]
    found: dict[Study, list[dict[str, Any]]] = {}
    other: dict[Study, list[dict[str, Any]]] = {}
    for kind, study, lines in run_all(_run, tasks, jobs):
        (found if kind == "regret_study" else other)[study] = lines
    frames = (
        pd.DataFrame([line for study in studies for line in lines_of[study]])
        for studies, lines_of in ((regrets, found), (looks, other))
    )
    first, second = frames
    return first, second


def _run(task: tuple[Any, Study]) -> tuple[str, Study, list[dict[str, Any]]]:
    function, study = task
    return function.__name__, study, function(study)


def regret_study(study: Study) -> list[dict[str, Any]]:
    """What every move of some games cost: best after it + 1 − best before it.

    Where a position is not proven, the best known stands in for the best, and the regret of a move
    can come out as negative when more is known after it than before.
    """
    boards, mode = study.boards(), get_mode(study.mode)
    agent = get_agent(study.agent, study.seed + AGENT_SEED)
    histories = play_boards(agent, Games(boards, mode)).histories()
    games = Games(boards, mode)
    values, proven = _values(games, list(range(len(games))), study.seconds)
    lines = []
    for number in range(max(map(len, histories))):
        squares = [moves[number] if number < len(moves) else -1 for moves in histories]
        games.play(squares)
        playing = [row for row, square in enumerate(squares) if square >= 0]
        after, after_proven = _values(games, playing, study.seconds)
        for row in playing:
            line = {"board": row, "move": number + 1, "regret": after[row] + 1 - values[row]}
            lines.append(study.about() | line | {"proven": proven[row] and after_proven[row]})
        values, proven = values | after, proven | after_proven
    return lines


def _values(
    games: Games, rows: list[int], seconds: float
) -> tuple[dict[int, int], dict[int, bool]]:
    """The best known number of moves to go in these games, and whether it is proven."""
    solutions = solve(games.take(rows), time_limit=seconds)
    pairs = list(zip(rows, solutions, strict=True))
    return {row: s.value for row, s in pairs}, {row: s.proven for row, s in pairs}


# -- Q-values --------------------------------------------------------------------------------


def q_study(study: Study) -> list[dict[str, Any]]:
    """Every position of an agent's games: how many squares it takes for equally good, how many
    are optimal, and how it rates choke points."""
    boards, mode = study.boards(), get_mode(study.mode)
    agent: Any = get_agent(study.agent, study.seed + AGENT_SEED)
    games = Games(boards, mode)
    left = study.positions
    lines = []
    while not games.done.all():
        q = np.where(games.legal, agent.q_values(games), -np.inf)
        for row in np.flatnonzero(~games.done):
            position = games.take([row])
            optimal = optimal_moves(position, study.seconds) if left > 0 else None
            left -= optimal is not None
            move = {"board": int(row), "move": int(games.move_counts[row]) + 1}
            lines.append(study.about() | move | look_at(position, q[row], optimal))
        games.play(np.where(games.done, -1, q.argmax(axis=1)))
    return lines


def look_at(position: Games, q: Any, optimal: Bools | None) -> dict[str, Any]:
    """One position in numbers."""
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
    """The share of the values below this one; equal ones count half."""
    return float((values < value).mean() + (values == value).mean() / 2)


def successors(position: Games) -> tuple[Games, Any]:
    """The position after each of its legal moves, and the moves."""
    squares = np.flatnonzero(position.legal[0])
    after = position.take(np.zeros(len(squares), dtype=np.intp))
    after.play(squares)
    return after, squares


def choke_points(position: Games) -> Bools:  # [N]
    """Active squares whose loss parts a tenth or more of the active squares from the rest."""
    active = position.legal[0]
    after, squares = successors(position)
    chokes = np.zeros(len(active), dtype=np.bool_)
    for row, square in enumerate(squares):
        labels = after.labels[row][active]
        sizes = np.sort(np.bincount(labels[labels >= 0]))
        chokes[square] = len(sizes) > 1 and sizes[-2] >= CHOKE * active.sum()
    return chokes


def optimal_moves(position: Games, seconds: float) -> Bools | None:  # [N]
    """The squares that begin an optimal game; None if that cannot be proven in time."""
    if position.mode.name == "flow":
        return np.asarray(optimal_squares(position)[0])
    value = solve(position, time_limit=seconds)[0]
    after, squares = successors(position)
    solutions = solve(after, time_limit=seconds)
    best = np.zeros(position.topology.n, dtype=np.bool_)
    for square, solution in zip(squares, solutions, strict=True):
        # A bound is enough to rule a move out; only a good one must be known exactly.
        if solution.value < value.value:
            best[square] = True
        elif solution.bound < value.value:
            return None
    return best if value.proven else None
