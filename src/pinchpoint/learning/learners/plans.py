"""Imitation of the best of several games that the network itself plays, pruned and polished.

Q is fitted to what such games achieve: after other squares, too, the rest of the game is polished,
and its length is the target. Where a square upsets the game, the network plays on. Nothing is
learned from an estimate of the network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.game.plans import best_of, draw
from pinchpoint.learning.config import number
from pinchpoint.learning.learners.base import AveragedConfig, AveragedLearner
from pinchpoint.learning.positions import (
    columns_of_positions,
    experiences_of,
    q_losses,
    show_batch,
)
from pinchpoint.learning.replay import Columns, Experiences
from pinchpoint.learning.self_play import (
    good_squares,
    greedy,
    lay_boards,
    q_targets,
    some_positions,
    squares_to_learn,
    start_midgame,
)

POLISHED = 4  # a rest of a game that was polished before needs so many times fewer swaps
SHARPNESS = 4.0  # a regret of a move, or two units of preference, is hardly ever chosen
TO_THE_END = np.iinfo(np.int32).max  # moves


@dataclass(frozen=True)
class PlansConfig(AveragedConfig):
    """The preset `fast` has settings that learn well."""

    learner: str = "plans"
    huber: bool = False
    """Huber loss in place of the squared error."""
    tries: int = number(8, 1)
    """Games on each board, of which the shortest is learned from."""
    swaps: int = number(1000, 0)
    """Trials to shorten each game by swapping a move for a square nearby."""
    wander: float = number(0.5, 0, 1)
    """Share of boards learned from the middle of a game of the network."""
    positions: int = number(0, 0)
    """Positions of each game that are learned, drawn by chance; 0 for all."""
    tried: int = number(4, 1)
    """Squares that look best at a position and are learned, beside others."""
    value_weight: float = number(0.25, 0)
    """Weight of the board's value in the loss."""
    choice_weight: float = number(4.0, 0)
    """Weight of the differences between squares in the loss."""


class PlansLearner(AveragedLearner):
    """Imitation of polished games."""

    Config = PlansConfig
    config: PlansConfig

    def columns(self, size: int) -> Columns:
        return columns_of_positions(size, self.config.tried + 2)

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        laid = lay_boards(c, self.mode, size, start, c.boards, self.highest_p(rng))
        mean = self.mean
        games = start_midgame(laid, mean, lambda on, rows: draw(on, mean, rng), c.wander, rng)
        plans = best_of(games, mean, c.tries, c.swaps, rng)
        here, to_come = some_positions(games, plans, c.positions, rng)
        known, q = good_squares(here, to_come), mean.q_values(here)
        squares = squares_to_learn(here, known, q, c.tried, c.epsilon(step), rng)
        targets = q_targets(
            here, to_come, squares, np.full(squares.shape, TO_THE_END), c.swaps // POLISHED,
            lambda ended: np.zeros(len(ended)), rng, greedy(mean),
        )  # fmt: skip
        return experiences_of(here, to_come, known, squares, targets)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        c = self.config
        shown = show_batch(batch, self.net, size, symmetry)
        output = self.forward(shown.boards)
        parts = q_losses(output.q, shown, c.huber)
        parts["policy"] = imitation(SHARPNESS * output.logits, shown.known.to(torch.float32))
        fit = c.value_weight * parts["value"] + c.choice_weight * (parts["choice"] + parts["known"])
        loss = (parts["policy"] + fit).mean()
        return loss, {name: float(part.detach().mean()) for name, part in parts.items()}


def imitation(logits: Tensor, good: Tensor) -> Tensor:  # [B, N], [B, N] -> [B]
    """Return the cross-entropy of a choice among squares towards the good ones, all alike."""
    choice = F.log_softmax(logits, 1).masked_fill(logits.isneginf(), 0.0)
    return -(choice * good).sum(1) / good.sum(1)
