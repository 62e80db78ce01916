"""The error of Q at a position, split into that of the board's value and that of the choice."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.learning.nets import BOUND


def q_losses(
    q: Tensor,  # [B, N]
    squares: Tensor,  # [B, K]  those that have a target
    targets: Tensor,  # [B, K]
    known: Tensor,  # [B, N]  squares known to lead to the end in `moves`
    moves: Tensor,  # [B]
    huber: bool,
) -> dict[str, Tensor]:  # [B] each
    """Return the losses of the board's value, of the differences between squares, and of `known`.

    What the errors of a position's squares have in common is the error of the board's value. It is
    larger than the differences between squares, which decide the move, and would drown them.
    """

    def distance(error: Tensor) -> Tensor:
        measure: Callable[..., Tensor] = F.smooth_l1_loss if huber else F.mse_loss
        return measure(error, torch.zeros_like(error), reduction="none")

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
