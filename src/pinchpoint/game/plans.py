"""Plans: whole games thought through in advance.

`play_all` plays copies of games to the end. `prune` drops moves that are not needed and `polish`
swaps moves for others nearby; both keep a finished plan finished. `draw` chooses moves by chance
near an evaluator's preference, and `best_of` keeps the shortest of several games drawn so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pinchpoint.game.engine import Games
from pinchpoint.game.growth import Growth
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Floats, Rows, Squares

Plans = npt.NDArray[np.int64]  # [B, K]  squares in order, -1 for no move
Choose = Callable[[Games, Rows], Squares]  # (running games, their rows) -> squares

STEPS = 3  # polish: a new square is at most so many steps from the one that was dropped
PAIRS = 0.25  # polish: share of the trials that drop two moves
ROUNDING = 1e-9  # polish: costs that differ by a smaller share are equal
NOISE = 0.125  # draw: how many moves worse a square may look and still be drawn now and then


def play_all(games: Games, choose: Choose) -> Plans:
    """Play copies of the games to the end; finished ones leave the batch. Return the moves."""
    rows = np.flatnonzero(~games.done)
    running = games.take(rows)
    columns = []
    while len(rows):
        squares = choose(running, rows)
        running.play(squares)
        column = np.full(len(games), -1, dtype=np.int64)
        column[rows] = squares
        columns.append(column)
        goes_on = ~running.done
        if not goes_on.all():
            rows, running = rows[goes_on], running.take(goes_on)
    return np.stack(columns, axis=1) if columns else np.zeros((len(games), 0), dtype=np.int64)


def after_each_move(games: Games) -> tuple[Games, Rows, Squares]:
    """Return copies of the games, one after each legal move, with the row and square of each."""
    rows, squares = np.nonzero(games.legal)
    after = games.take(rows)
    after.play(squares)
    return after, rows, squares


def prune(games: Games, plans: Plans, rng: np.random.Generator | None = None) -> Plans:
    """Drop moves that are not needed from plans that finish their games; the order is kept.

    What is left is minimal: without any one of its moves it would not finish. Moves are tried in
    order, or in random order with a generator, as different minimal plans may be hidden in one.
    """
    played = games.copy()
    kept = np.where(played.follow(plans), plans, -1)
    if games.monotone and not games.mode.remembers:
        return _prune_at_once(played, kept, rng)
    before = -1
    while before != (kept >= 0).sum():
        before = (kept >= 0).sum()
        for k in _order(plans, rng):
            _drop(games, kept, int(k))
    return kept


def _order(plans: Plans, rng: np.random.Generator | None) -> Rows:
    """Return the order in which moves are tried."""
    return np.arange(plans.shape[1]) if rng is None else rng.permutation(plans.shape[1])


def _prune_at_once(played: Games, kept: Plans, rng: np.random.Generator | None) -> Plans:
    """Prune in a monotone mode: what was needed once stays needed, and no move needs another.

    So the squares of a finished game open again, one after another, where that leaves no piece
    active.
    """
    opened = played.labels >= 0
    growth = Growth(played.judge, opened, played.memory)
    order = _order(kept, rng)
    tried = np.where(played.active_counts[:, None] == 0, kept, -1)[:, order]
    kept[:, order] = np.where(growth.add_unless_active(tried), -1, kept[:, order])
    return kept


def _drop(games: Games, kept: Plans, k: int) -> None:
    """Take out move k of the plans that finish without it."""
    tried = np.flatnonzero(kept[:, k] >= 0)
    if len(tried):
        trial = kept[tried]
        trial[:, k] = -1
        copies = games.take(tried)
        made = copies.follow(trial)
        ends = copies.done
        kept[tried[ends]] = np.where(made, trial, -1)[ends]


def plan_lengths(plans: Plans) -> Squares:  # [B]
    return np.asarray(np.count_nonzero(plans >= 0, axis=1), dtype=np.int64)


def plan_costs(plans: Plans, topology: Topology) -> Floats:  # [B]
    """Return what the moves of each plan cost; without node costs, their number."""
    costs: Floats = np.where(plans >= 0, topology.costs[plans], 0.0).sum(axis=1)
    return costs


def without_gaps(plans: Plans) -> Plans:
    """Return the same moves, moved to the left."""
    order = np.argsort(plans < 0, axis=1, kind="stable")
    longest = int(plan_lengths(plans).max(initial=0))
    return np.take_along_axis(plans, order, axis=1)[:, :longest]


def plans_from_lists(moves: Sequence[Sequence[int] | Array]) -> Plans:
    """Return rows of one length from lists of moves."""
    plans = np.full((len(moves), max(map(len, moves), default=0)), -1, dtype=np.int64)
    for row, squares in enumerate(moves):
        plans[row, : len(squares)] = squares
    return plans


# -- polish ---------------------------------------------------------------------------------


def polish(games: Games, plans: Plans, trials: int, rng: np.random.Generator) -> Plans:
    """Return the plans after so many trials each: they finish their games at no higher cost."""
    plans = without_gaps(plans)
    if not plans.shape[1]:
        return plans
    active = games.active
    lengths, costs = plan_lengths(plans), plan_costs(plans, games.topology)
    for _ in range(trials):
        trial, worth = _swapped(plans, lengths, active, games.topology, rng)
        rows = np.flatnonzero(worth)
        played = games.take(rows)
        made = played.follow(trial[rows])
        moves = np.where(made, trial[rows], -1)
        tried = plan_costs(moves, games.topology)
        better = played.done & (tried <= costs[rows] * (1 + ROUNDING))
        if better.any():
            rows, moves = rows[better], moves[better]
            order = np.argsort(moves < 0, axis=1, kind="stable")
            plans[rows] = np.take_along_axis(moves, order, axis=1)[:, : plans.shape[1]]
            lengths[rows], costs[rows] = plan_lengths(moves), tried[better]
    return without_gaps(plans)


def _swapped(
    plans: Plans, lengths: Squares, active: Bools, topology: Topology, rng: np.random.Generator
) -> tuple[Plans, Bools]:
    """Drop one or two moves of each plan and add one; return also whether that is worth a try."""
    rows = np.arange(len(plans))
    place = (rng.random(len(plans)) * lengths).astype(np.intp)
    dropped = plans[rows, place]
    added = _near(dropped, topology, rng)
    worth = (lengths > 0) & (added != dropped) & active[rows, added]
    trial = np.concatenate([plans, np.full((len(plans), 1), -1)], axis=1)
    trial[rows, place] = -1
    pairs = np.flatnonzero((rng.random(len(plans)) < PAIRS) & (lengths > 2))
    trial[pairs, _nearest_other(plans[pairs], place[pairs], topology, rng)] = -1
    # The new move comes in the place of the old one or last: in network mode it can matter.
    last = rng.random(len(plans)) < 0.5
    trial[rows, np.where(last, plans.shape[1], place)] = added
    return trial, worth


def _near(squares: Squares, topology: Topology, rng: np.random.Generator) -> Squares:
    """Walk up to `STEPS` random steps from each square, over blocked squares too."""
    steps = rng.integers(1, STEPS + 1, size=len(squares))
    near = np.maximum(squares, 0)
    for k in range(STEPS):
        degree = topology.degree[near]
        turn = (rng.random(len(near)) * degree).astype(np.intp)
        goes = (steps > k) & (degree > 0)
        here = topology.indptr[near[goes]] + turn[goes]
        near[goes] = topology.indices[here]
    return near


def _nearest_other(plans: Plans, place: Rows, topology: Topology, rng: np.random.Generator) -> Rows:
    """Return a move of each plan that lies near the one at `place`; on a graph, any other."""
    distance = rng.random(plans.shape)
    if topology.image_shape is not None:
        row, column = np.divmod(plans, topology.image_shape[1])
        here = np.arange(len(plans)), place
        distance += np.maximum(
            np.abs(row - row[here][:, None]), np.abs(column - column[here][:, None])
        )
    distance[plans < 0] = np.inf
    distance[np.arange(len(plans)), place] = np.inf
    nearest: Rows = distance.argmin(axis=1)
    return nearest


# -- draw and best_of ------------------------------------------------------------------------


class Evaluator(Protocol):
    """An agent or network that knows what a move is worth."""

    def q_values(self, games: Games) -> Array:  # [B, N]
        """Return minus the moves to the end of the game after each move; -inf if illegal."""
        ...


def draw(
    games: Games,
    evaluator: Evaluator,
    rng: np.random.Generator,
    noise: float | Floats = NOISE,  # one number, or one a game [B, 1]
) -> Squares:
    """Draw a square for each game among those that look about equally good."""
    q = np.where(games.legal, evaluator.q_values(games), -np.inf)
    # The largest of values with Gumbel noise is a draw from their softmax.
    return np.asarray((q + noise * rng.gumbel(size=q.shape)).argmax(axis=1), dtype=np.int64)


def best_of(
    games: Games, evaluator: Evaluator, tries: int, swaps: int, rng: np.random.Generator
) -> Plans:
    """Return the cheapest of several games on each board: the greedy one and others.

    The others are drawn by chance. Games that begin differently end in different cuts, and polish
    makes each as short as it can be. In network mode that finds better games than a beam search of
    the same cost, which keeps near its best line.
    """

    def choose(running: Games, rows: Rows) -> Squares:
        greedy = rows % tries == 0
        return draw(running, evaluator, rng, np.where(greedy, 0.0, NOISE)[:, None])

    return cheapest_of(games, choose, tries, swaps, rng)


def cheapest_of(
    games: Games, choose: Choose, tries: int, swaps: int, rng: np.random.Generator
) -> Plans:
    """Play each board several times, prune and polish the games, and keep the cheapest.

    The rows that `choose` is told of are those of the copies: `tries` of the first board, then as
    many of the next.
    """
    copies = games.take(np.repeat(np.arange(len(games)), tries))
    plans = polish(copies, prune(copies, play_all(copies, choose), rng), swaps, rng)
    costs = plan_costs(plans, games.topology).reshape(len(games), tries)
    cheapest: Plans = plans[np.arange(len(games)) * tries + costs.argmin(axis=1)]
    return cheapest
