"""Plans: whole games thought through in advance, and what can be dropped from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from chokepoint.game.engine import Games, Squares
from chokepoint.graph.topology import Bools

Plans = npt.NDArray[np.int64]  # [B, K]  squares in order, -1 for no move
Choose = Callable[[Games, npt.NDArray[np.intp]], Squares]  # (running games, their rows) -> squares


def play_all(games: Games, choose: Choose) -> Plans:
    """Play copies of the games to the end; finished ones leave the batch. Returns the moves."""
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


def follow(games: Games, plans: Plans) -> Bools:  # [B, K]
    """Play the plans (changes `games`), skipping squares that are no longer active.

    Returns which moves were made.
    """
    return games.follow(plans)


def prune(games: Games, plans: Plans, rng: np.random.Generator | None = None) -> Plans:
    """Drop moves that are not needed from plans that finish their games; the order is kept.

    What is left is minimal: without any one of its moves it would not finish. Moves are tried in
    order, or in random order with a generator, as different minimal plans may be hidden in one.
    """
    kept = np.where(follow(games.copy(), plans), plans, -1)
    before = -1
    while before != (kept >= 0).sum():
        before = (kept >= 0).sum()
        order = np.arange(plans.shape[1]) if rng is None else rng.permutation(plans.shape[1])
        for k in order:
            _drop(games, kept, int(k))
        if games.mode.monotone:
            break  # what was needed once stays needed
    return kept


def _drop(games: Games, kept: Plans, k: int) -> None:
    """Take out move k of the plans that finish without it."""
    tried = np.flatnonzero(kept[:, k] >= 0)
    if len(tried):
        trial = kept[tried]
        trial[:, k] = -1
        copies = games.take(tried)
        made = follow(copies, trial)
        ends = copies.done
        kept[tried[ends]] = np.where(made, trial, -1)[ends]


def plan_lengths(plans: Plans) -> Squares:  # [B]
    return np.asarray(np.count_nonzero(plans >= 0, axis=1), dtype=np.int64)


def without_gaps(plans: Plans) -> Plans:
    """The same moves, moved to the left."""
    order = np.argsort(plans < 0, axis=1, kind="stable")
    longest = int(plan_lengths(plans).max(initial=0))
    return np.take_along_axis(plans, order, axis=1)[:, :longest]


def plans_from_lists(moves: Sequence[Sequence[int]]) -> Plans:
    """Rows of one length from lists of moves."""
    plans = np.full((len(moves), max(map(len, moves), default=0)), -1, dtype=np.int64)
    for row, squares in enumerate(moves):
        plans[row, : len(squares)] = squares
    return plans
