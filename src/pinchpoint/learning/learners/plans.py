"""Imitation of the best of several games that the network itself plays, pruned and polished.

Q is fitted to what such games achieve: after other squares, too, the rest of the game is polished,
and its length is the target. Where a square upsets the game, the network plays on. Nothing is
learned from an estimate of the network.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import best_of, draw, plan_costs
from pinchpoint.learning.config import TrainConfig, number
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.losses import q_losses
from pinchpoint.learning.nets import NetEvaluator, QNet
from pinchpoint.learning.replay import Columns, Experiences, Replay, pack, pack_bits
from pinchpoint.learning.self_play import (
    draw_highest_p,
    follow_mean,
    good_squares,
    greedy,
    lay_boards,
    mask_under,
    needs_games,
    observe_packed,
    q_targets,
    some_positions,
    squares_to_learn,
    squares_under,
    start_midgame,
)

POLISHED = 4  # a rest of a game that was polished before needs so many times fewer swaps
SHARPNESS = 4.0  # a regret of a move, or two units of preference, is hardly ever chosen
TO_THE_END = np.iinfo(np.int32).max  # moves


@dataclass(frozen=True)
class PlansConfig(TrainConfig):
    """The preset `fast` has settings that learn well."""

    learner: str = "plans"
    huber: bool = False
    """Huber loss in place of the squared error."""
    boards: int = number(32, 1)
    """Boards played at a time."""
    sparse: float = number(0.7, 0, 1)
    """Share of rounds with p in the lower half of its range: short games."""
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
    replay_ratio: float = 8.0
    """How often each experience is used."""
    averaging: float = 0.998
    """Decay of the running mean of the weights; the mean is what plays."""
    value_weight: float = number(0.25, 0)
    """Weight of the board's value in the loss."""
    choice_weight: float = number(4.0, 0)
    """Weight of the differences between squares in the loss."""


class PlansLearner(Learner):
    """Imitation of polished games."""

    Config = PlansConfig
    config: PlansConfig

    def __init__(
        self, config: PlansConfig, mode: Mode, net: QNet, forward: torch.nn.Module
    ) -> None:
        super().__init__(config, mode, net, forward)
        self.round_boards = config.boards
        self.player = self.mean = copy.deepcopy(net).requires_grad_(False)
        self.extra = {"mean": self.mean}

    def columns(self, size: int) -> Columns:
        squares, tried = size * size, (self.config.tried + 2,)
        return {
            "board": (((squares + 3) // 4,), np.uint8),
            "squares": (tried, np.int32),
            "goals": (tried, np.float32),
            "known": (((squares + 7) // 8,), np.uint8),
            "moves": ((), np.float32),
        }

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        return needs_games(replay, used, self.config.replay_ratio)

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        high = draw_highest_p(c.p_low, c.p_high, c.sparse, rng)
        laid = lay_boards(c, self.mode, size, start, c.boards, high)
        mean = NetEvaluator(self.mean, self.device)
        games = start_midgame(laid, mean, lambda on, rows: draw(on, mean, rng), c.wander, rng)
        plans = best_of(games, mean, c.tries, c.swaps, rng)
        here, to_come = some_positions(games, plans, c.positions, rng)
        known, q = good_squares(here, to_come), mean.q_values(here)
        squares = squares_to_learn(here, known, q, c.tried, c.epsilon(step), rng)
        targets = q_targets(
            here, to_come, squares, np.full(squares.shape, TO_THE_END), c.swaps // POLISHED,
            lambda ended: np.zeros(len(ended)), rng, greedy(mean),
        )  # fmt: skip
        return {
            "board": pack(here.status),
            "squares": squares.astype(np.int32),
            "goals": targets,
            "known": pack_bits(known),
            "moves": plan_costs(to_come, here.topology).astype(np.float32),
        }

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        c = self.config
        known = mask_under(symmetry, batch["known"], size).to(self.device)
        output = self.forward(
            observe_packed(self.net.sees, batch["board"], size, symmetry).to(self.device)
        )
        parts = q_losses(
            output.q,
            squares_under(symmetry, batch["squares"], size).to(self.device),
            self.numbers(batch["goals"]),
            known,
            self.numbers(batch["moves"]),
            c.huber,
        )
        parts["policy"] = imitation(SHARPNESS * output.logits, known.to(torch.float32))
        fit = c.value_weight * parts["value"] + c.choice_weight * (parts["choice"] + parts["known"])
        loss = (parts["policy"] + fit).mean()
        return loss, {name: float(part.detach().mean()) for name, part in parts.items()}

    def updated(self, step: int) -> None:
        follow_mean(self.mean, self.net, self.config.averaging, step)


def imitation(logits: Tensor, good: Tensor) -> Tensor:  # [B, N], [B, N] -> [B]
    """Return the cross-entropy of a choice among squares towards the good ones, all alike."""
    choice = F.log_softmax(logits, 1).masked_fill(logits.isneginf(), 0.0)
    return -(choice * good).sum(1) / good.sum(1)
