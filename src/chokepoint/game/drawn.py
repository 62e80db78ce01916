"""Games drawn by chance near an evaluator's preference, polished, and the shortest of them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from chokepoint.game.engine import Games, Squares
from chokepoint.game.plans import Plans, plan_lengths, play_all, prune
from chokepoint.game.polish import polish

NOISE = 0.125  # moves: how much less good a square may look and still be drawn now and then


class Evaluator(Protocol):
    """Whoever knows what a move is worth."""

    def q_values(self, games: Games) -> npt.NDArray[Any]:  # [B, N]
        """Minus the moves to the end of the game if this one is made first; -inf if illegal."""
        ...


def draw(
    games: Games,
    evaluator: Evaluator,
    rng: np.random.Generator,
    noise: float | npt.NDArray[np.float64] = NOISE,  # one number, or one a game [B, 1]
) -> Squares:
    """A square for each game, by chance among those that look about equally good."""
    q = np.where(games.legal, evaluator.q_values(games), -np.inf)
    # The largest of values with Gumbel noise is a draw from their softmax.
    return np.asarray((q + noise * rng.gumbel(size=q.shape)).argmax(axis=1), dtype=np.int64)


def best_of(
    games: Games, evaluator: Evaluator, tries: int, swaps: int, rng: np.random.Generator
) -> Plans:
    """The shortest of so many games on each board: the greedy one, and others drawn by chance.

    Games that begin differently end in different cuts, and polish makes each as short as it can
    be. In network mode that finds better games than a beam search of the same cost, which keeps
    near its best line.
    """
    copies = games.take(np.repeat(np.arange(len(games)), tries))
    greedy = np.arange(len(copies)) % tries == 0

    def choose(running: Games, rows: npt.NDArray[np.intp]) -> Squares:
        return draw(running, evaluator, rng, np.where(greedy[rows], 0.0, NOISE)[:, None])

    plans = polish(copies, prune(copies, play_all(copies, choose), rng), swaps, rng)
    lengths = plan_lengths(plans).reshape(len(games), tries)
    shortest: Plans = plans[np.arange(len(games)) * tries + lengths.argmin(axis=1)]
    return shortest
