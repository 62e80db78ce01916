"""Positions with what several of their squares are worth: what is kept of them, and their loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.game.engine import Games
from pinchpoint.game.plans import Plans, plan_costs
from pinchpoint.learning.nets import BOUND, QNet
from pinchpoint.learning.replay import Columns, Experiences, pack, pack_bits
from pinchpoint.learning.self_play import mask_under, observe_packed, squares_under
from pinchpoint.types import Array, Bools, Rows


def columns_of_positions(size: int, count: int) -> Columns:
    """Return what an experience holds: a position, and `count` of its squares."""
    squares = size * size
    return {
        "board": (((squares + 3) // 4,), np.uint8),
        "squares": ((count,), np.int32),
        "goals": ((count,), np.float32),
        "known": (((squares + 7) // 8,), np.uint8),
        "moves": ((), np.float32),
    }


def experiences_of(
    here: Games, to_come: Plans, known: Bools, squares: Rows, targets: Array
) -> Experiences:
    """Return positions as experiences, with the targets of some squares and a plan for the rest."""
    return {
        "board": pack(here.status),
        "squares": squares.astype(np.int32),
        "goals": targets,
        "known": pack_bits(known),
        "moves": plan_costs(to_come, here.topology).astype(np.float32),
    }


class Shown(NamedTuple):
    """A batch of such experiences where the network is, as it sees them."""

    boards: Tensor  # [B, C, h, w]
    squares: Tensor  # [B, K]  those that have a target
    targets: Tensor  # [B, K]
    known: Tensor  # [B, N]  squares known to lead to the end in `moves`
    moves: Tensor  # [B]


def show_batch(batch: Experiences, net: QNet, size: int, symmetry: int) -> Shown:
    """Show a batch to the network under a symmetry."""
    shown = Shown(
        observe_packed(net.sees, batch["board"], size, symmetry),
        squares_under(symmetry, batch["squares"], size),
        torch.from_numpy(batch["goals"]),
        mask_under(symmetry, batch["known"], size),
        torch.from_numpy(batch["moves"]),
    )
    return Shown(*(each.to(net.device) for each in shown))


def q_losses(q: Tensor, shown: Shown, huber: bool) -> dict[str, Tensor]:  # [B, N]; [B] each
    """Return the losses of the board's value, of the differences between squares, and of `known`.

    What the errors of a position's squares have in common is the error of the board's value. It is
    larger than the differences between squares, which decide the move, and would drown them.
    """

    def distance(error: Tensor) -> Tensor:
        measure: Callable[..., Tensor] = F.smooth_l1_loss if huber else F.mse_loss
        return measure(error, torch.zeros_like(error), reduction="none")

    _, squares, targets, known, moves = shown
    # No move is worse than the best by more than the network can say.
    best = targets.amax(1, keepdim=True)
    error = torch.maximum(targets, best - BOUND) - q.gather(1, squares)
    common = error.mean(1)
    value = distance(common) / (1 + 0.1 * moves)  # long games would drown the rest
    choice = distance(error - common[:, None]).mean(1)
    # Squares of a finished game lead to its end: but for the common error, Q >= -moves.
    short = F.relu(-moves[:, None] - q - common[:, None]).masked_fill(~known, 0.0)
    return {"value": value, "choice": choice, "known": mean_where(known, distance(short))}


def mean_where(mask: Tensor, values: Tensor) -> Tensor:  # [B, K], [B, K] -> [B]
    """Return the mean of the values of each row that are marked, 0 if none is."""
    return values.masked_fill(~mask, 0.0).sum(1) / mask.sum(1).clamp(min=1)
