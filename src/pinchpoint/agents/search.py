"""Search: many lines of play at once on the exact engine, with a Q-network's opinion of each move.

First a beam search in the spirit of Q* (Agostinelli et al., arXiv 2102.04518): one evaluation of a
position prices all of its moves. All candidates have made the same number of moves, so where every
node costs 1 the price of a child is Q(s, a) alone, and the first to finish is the best that the
beam can find; with other costs, what was paid so far is added, and lines that are cheaper go on.
Then twice as many games drawn by chance, polished: the beam keeps near one cut, these try others.
"""

from __future__ import annotations

import math
import time
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.agents.planned import PlannedAgent, seconds_of
from pinchpoint.agents.registry import get_agent
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import Evaluator, best_of
from pinchpoint.game.state import ATTACKED, BLOCKED
from pinchpoint.types import Bools, Floats, Rows, Squares, Words

TOGETHER = 2048  # candidates of all games in one evaluation
WIDEST = 65_536
DRAWN = 2  # games drawn for each line of the beam
SWAPS = 1000  # trials to shorten each of them

# The shipped agent that is asked on graphs. On lattices it is the mode's own, of the same name,
# unless there is none.
ON_GRAPHS = "graph"
INSTEAD = {"shatter": "graph"}


class SearchAgent(PlannedAgent):
    """Searches once a game and follows its plan; again if the position is not the one expected.

    With a width, that many lines are kept, and twice as many games drawn; with seconds, the width
    is doubled until the time is up. Without an evaluator, a shipped agent is asked.
    """

    def __init__(
        self,
        evaluator: Evaluator | None = None,
        width: int = 32,
        seconds: float | None = None,
        name: str | None = None,
    ) -> None:
        check_width(width)
        self._evaluator = evaluator
        self._shipped: dict[str, Evaluator] = {}
        self.width, self.seconds = width, seconds
        own_name = f"search:{width}" if seconds is None else f"search:{seconds:g}s"
        super().__init__(name or own_name, self._plan, evaluator)

    def _plan(self, games: Games) -> list[list[int]]:
        evaluator = self._evaluator or self._shipped_for(games)
        if self.seconds is None:
            return search(games, evaluator, self.width)
        return think(games, evaluator, self.seconds)

    def _shipped_for(self, games: Games) -> Evaluator:
        on_lattice = games.topology.image_shape is not None
        name = INSTEAD.get(games.mode.name, games.mode.name) if on_lattice else ON_GRAPHS
        if name not in self._shipped:
            from pinchpoint.agents.learned import load_agent

            self._shipped[name] = load_agent(name)
        return self._shipped[name]


def search(games: Games, evaluator: Evaluator, width: int) -> list[list[int]]:
    """The cheaper of a beam's plan and the best game drawn by chance; a width of 1 is greedy."""
    plans = beam(games, evaluator, width)
    if width == 1 or not games.compiled:  # a rule in Python is too slow for that many trials
        return plans
    for row in np.flatnonzero(~games.done):
        drawn = _drawn(games.take([row]), evaluator, width)
        plans[row] = _cheaper(plans[row], drawn, games.topology.costs)
    return plans


def beam(games: Games, evaluator: Evaluator, width: int) -> list[list[int]]:
    """The moves that finish each game, by beam search; none for a game that is over.

    The line of the greedy agent always keeps a place, so no game costs more than greedy play, and a
    width of 1 is greedy play. The games themselves do not change.
    """
    plans = _beams(games, evaluator, width, deadline=math.inf)
    return [plan or [] for plan in plans]


def think(games: Games, evaluator: Evaluator, seconds: float) -> list[list[int]]:
    """The best plans found in so many seconds for each game, by wider and wider search."""
    deadline = time.perf_counter() + seconds * len(games)
    plans, costs = beam(games, evaluator, 1), games.topology.costs
    width = 2
    while time.perf_counter() < deadline and width <= WIDEST:
        found = _beams(games, evaluator, width, deadline)
        for row, plan in enumerate(found):
            plans[row] = _cheaper(plans[row], plan, costs)
            if plan is not None and games.compiled and time.perf_counter() < deadline:
                drawn = _drawn(games.take([row]), evaluator, width)
                plans[row] = _cheaper(plans[row], drawn, costs)
        width *= 2
    return plans


def _drawn(game: Games, evaluator: Evaluator, width: int) -> list[int]:
    """The best of the drawn games on one board: the same whichever others are searched."""
    rng = np.random.default_rng(zlib.crc32(game.status.tobytes()))
    plan = best_of(game, evaluator, DRAWN * width, SWAPS, rng)[0]
    moves: list[int] = plan[plan >= 0].tolist()
    return moves


def _cheaper(plan: list[int], other: list[int] | None, costs: Floats) -> list[int]:
    return plan if other is None or costs[plan].sum() <= costs[other].sum() else other


def check_width(width: int) -> None:
    if not 1 <= width <= WIDEST:
        raise InputError(f"the width is {width}; a search keeps 1 to {WIDEST} lines")


def _beams(
    games: Games, evaluator: Evaluator, width: int, deadline: float
) -> list[list[int] | None]:
    """A plan for each game; None if it is over, or if there was no time left for it."""
    check_width(width)
    plans: list[list[int] | None] = [None] * len(games)
    running = np.flatnonzero(~games.done)
    chunk = max(1, TOGETHER // width)
    for start in range(0, len(running), chunk):
        rows = running[start : start + chunk]
        front = _Front(games.take(rows))
        while len(front.root) and time.perf_counter() < deadline:
            front.advance(evaluator, width)
        for row, plan in zip(rows, front.plans, strict=True):
            plans[row] = plan
    return plans


class _Front:
    """The candidates of several games after the same number of moves, best first in each game."""

    def __init__(self, roots: Games) -> None:
        self.games = roots.copy()
        self.root = np.arange(len(roots))  # [R]  the game each candidate belongs to, ascending
        self.plans: list[list[int] | None] = [None] * len(roots)
        self._cost = np.full(len(roots), np.inf)  # of these plans
        self._least = roots.topology.costs.min(initial=np.inf)
        self._before = roots.move_counts.copy()
        self._remembers = roots.mode.remembers
        self._tables, self._kept = symmetric_tables(roots)
        self._keys = np.zeros((len(roots), len(self._tables)), dtype=np.uint64)  # [R, S]

    def advance(self, evaluator: Evaluator, width: int) -> None:
        """Make the best `width` moves of each game's candidates; note the games that end."""
        parent, square = self._ranked_children(evaluator, width)
        keys = self._keys[parent] ^ self._tables[:, square].T
        root = self.root[parent]
        # Whatever the order of moves, the same squares are gone: one position, once.
        name = np.where(self._kept[root], keys, np.uint64(2**64 - 1)).min(axis=1)
        first, group = first_of_each(name, root)
        chosen = first[rank_in_game(root[first]) < width]
        if self._remembers:  # the order can decide what is in memory, and whether the game is over
            chosen = np.flatnonzero(np.isin(group, group[chosen]))
        self._move_to(parent[chosen], square[chosen], keys[chosen])
        goes_on = self._finish()
        if self._remembers:
            name = name[chosen][goes_on]
            different, _ = first_of_each(name, self.root, self.games.memory)
            self._keep(different[rank_in_game(self.root[different]) < width])

    def _ranked_children(self, evaluator: Evaluator, width: int) -> tuple[Rows, Squares]:
        """Moves that can be among the best `width` of their game, by game and then best first."""
        q = np.where(self.games.legal, evaluator.q_values(self.games), -np.inf)
        # Moves of one candidate lead to different positions, up to symmetry.
        square = top_columns(q, min(q.shape[1], width * len(self._tables)))
        parent = np.repeat(np.arange(len(q)), square.shape[1])
        square = square.ravel()
        price = -q[parent, square]
        if not self.games.topology.unit_costs:
            price = price + self.games.scores[parent]
        # A game's first candidate is the greedy agent's: its best move goes on being the first.
        leads = np.zeros((len(q), len(square) // len(q)), dtype=np.bool_)
        leads[np.flatnonzero(np.diff(self.root, prepend=-1)), 0] = True
        order = np.lexsort((price, ~leads.ravel(), self.root[parent]))
        order = order[price[order] < np.inf]
        if len(np.unique(self.root[parent[order]])) < len(np.unique(self.root)):
            raise InputError("the evaluator gives no value for any legal move of a position")
        return parent[order], square[order]

    def _move_to(self, parent: Rows, square: Squares, keys: Words) -> None:
        self.root, self._keys = self.root[parent], keys
        self.games = self.games.take(parent)
        self.games.play(square)

    def _keep(self, rows: Rows) -> None:
        self.root, self._keys = self.root[rows], self._keys[rows]
        self.games = self.games.take(rows)

    def _finish(self) -> Rows:
        """Write down the plans of games that end; keep and return candidates that may be cheaper.

        Where every node costs 1, no other candidate of a game that has ended can be.
        """
        ended, scores = np.flatnonzero(self.games.done), self.games.scores
        for row in ended[::-1]:  # the best one last, to stay
            root = self.root[row]
            if scores[row] <= self._cost[root]:
                self._cost[root] = scores[row]
                self.plans[root] = self.games.history(int(row))[self._before[root] :]
        cheaper = scores + self._least < self._cost[self.root]
        goes_on = np.flatnonzero(cheaper & ~self.games.done)
        if len(goes_on) < len(self.root):
            self._keep(goes_on)
        return goes_on


def symmetric_tables(games: Games) -> tuple[Words, Bools]:  # [S, N], [B, S]
    """A random number for each square, under each symmetry, and which symmetries a board has.

    A set of squares is known by the exclusive or of their numbers (Zobrist, 1970).
    """
    numbers = np.random.default_rng(20).integers(2**64, size=games.topology.n, dtype=np.uint64)
    status = np.where(games.status == ATTACKED, BLOCKED, games.status)
    tables, kept = [], []
    for k, moved in games.topology.symmetries.items():
        if k not in games.mode.symmetries:
            continue
        same = (status[:, moved] == status).all(axis=1)
        if k == 0 or same.any():
            tables.append(numbers[moved])
            kept.append(same)
    return np.stack(tables), np.stack(kept, axis=1)


def top_columns(values: npt.NDArray[Any], count: int) -> Squares:  # [R, count]
    """The columns of the highest values in each row, falling; ties to the lowest index."""
    if count == 1:  # the same, faster
        order: Squares = values.argmax(axis=1)[:, None]
    else:
        order = np.argsort(-values, axis=1, kind="stable")[:, :count]
    return order


def first_of_each(name: Words, *numbers: npt.NDArray[Any]) -> tuple[Rows, Rows]:
    """The first place of each different entry, ascending; and a number of each entry's kind.

    The small numbers that belong to an entry are mixed into its random name.
    """
    for number in numbers:
        name = (name ^ number.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    _, first, group = np.unique(name, return_index=True, return_inverse=True)
    return np.sort(first), group


def rank_in_game(root: Rows) -> Rows:
    """Each candidate's place among those of its game; `root` ascends."""
    return np.arange(len(root)) - np.searchsorted(root, root)


def make(argument: str, seed: int) -> SearchAgent:
    """Make search:32 or search:2s; search:32:flow asks that agent, which must have a network."""
    amount, _, spec = (argument or "32").partition(":")
    evaluator: Any = get_agent(spec, seed) if spec else None
    if spec and not hasattr(evaluator, "q_values"):
        raise InputError(f"search needs an agent that prices moves; {spec!r} does not")
    name = f"search:{argument or '32'}"
    if amount.endswith("s"):
        return SearchAgent(evaluator, seconds=seconds_of(amount), name=name)
    if not amount.isdecimal():
        raise InputError(
            f"search takes a width or a time, for example search:32 or search:2s; got {amount!r}"
        )
    return SearchAgent(evaluator, width=int(amount), name=name)
