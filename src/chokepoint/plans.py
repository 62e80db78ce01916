"""Plans: whole games thought through in advance, and what can be dropped from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chokepoint.engine import Games, Squares
from chokepoint.topology import Bools

Plans = npt.NDArray[np.int64]  # [B, K]  squares in order, -1 for no move


def follow(games: Games, plans: Plans) -> Bools:  # [B, K]
    """Play the plans (changes `games`), skipping squares that are no longer active.

    Returns which moves were made.
    """
    made = np.zeros(plans.shape, dtype=np.bool_)
    rows = np.arange(len(games))
    for k in range(plans.shape[1]):
        squares = plans[:, k]
        made[:, k] = (squares >= 0) & (games.status[rows, squares] == 1)
        games.play(np.where(made[:, k], squares, -1))
    return made


def prune(games: Games, plans: Plans, rng: np.random.Generator | None = None) -> Plans:
    """Drop moves that are not needed from plans that finish their games; the order is kept.

    What is left is minimal: without any one of its moves it would not finish. Moves are tried in
    order, or in random order with a generator, as different minimal plans may be hidden in one.
    """
    rows, length = plans.shape
    kept = np.where(follow(games.copy(), plans), plans, -1)
    order = np.arange(length) if rng is None else rng.permutation(length)
    for k in order:
        tried = np.flatnonzero(kept[:, k] >= 0)
        if not len(tried):
            continue
        trial = kept[tried]
        trial[:, k] = -1
        copies = games.take(tried)
        made = follow(copies, trial)
        ends = copies.done
        kept[tried[ends]] = np.where(made, trial, -1)[ends]
    return kept


def plan_lengths(plans: Plans) -> Squares:  # [B]
    return (plans >= 0).sum(axis=1)
