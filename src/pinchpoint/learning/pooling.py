"""Minimum, maximum and sum of each channel over the board, with a quick way back.

PyTorch sends gradients of a minimum or maximum back by half a dozen passes over memory, which took
three hundredths of an update of the preset `paper`. The compiled kernel takes two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from pinchpoint.compiled import kernel
from pinchpoint.types import Array


def pool_board(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # [B, C, h, w] -> [B, C] each
    """Return the minimum, the maximum and the sum of each channel."""
    if x.requires_grad and x.device.type == "cpu":
        pools: tuple[Tensor, Tensor, Tensor] = Pools.apply(x)  # type: ignore[no-untyped-call]
        return pools
    return plain_pools(x)


def plain_pools(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Do the same in PyTorch alone: without gradients, on other devices, and to test it."""
    flat = x.flatten(2)
    return flat.amin(2), flat.amax(2), flat.sum(2)


class Pools(torch.autograd.Function):
    """The pools, as a function that torch can differentiate."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        low, high, total = plain_pools(x)
        ctx.save_for_backward(x, low, high)
        return low, high, total

    @staticmethod
    def backward(ctx: Any, of_low: Tensor, of_high: Tensor, of_total: Tensor) -> Tensor:
        x, low, high = ctx.saved_tensors
        x = x.permute(0, 2, 3, 1).contiguous()  # [B, h, w, C]: as it lies in memory
        of_x = torch.empty_like(x)
        shares = np.empty((2, x.shape[3]), dtype=np.float32)
        pools_backward(
            x.flatten(1, 2).numpy(),
            low.numpy(),
            high.numpy(),
            of_low.contiguous().numpy(),
            of_high.contiguous().numpy(),
            of_total.contiguous().numpy(),
            shares,
            of_x.flatten(1, 2).numpy(),
        )
        return of_x.permute(0, 3, 1, 2)


@kernel
def pools_backward(
    x: Array,  # [B, N, C]
    low: Array,  # [B, C], as those that follow
    high: Array,
    of_low: Array,
    of_high: Array,
    of_total: Array,
    shares: Array,  # [2, C]  scratch
    of_x: Array,
) -> None:
    """Send the gradients of the pools back; squares that share an extreme share its gradient."""
    for b in range(x.shape[0]):
        shares[:] = 0
        for v in range(x.shape[1]):
            for c in range(x.shape[2]):
                shares[0, c] += x[b, v, c] == low[b, c]
                shares[1, c] += x[b, v, c] == high[b, c]
        for c in range(x.shape[2]):
            shares[0, c] = of_low[b, c] / shares[0, c]
            shares[1, c] = of_high[b, c] / shares[1, c]
        for v in range(x.shape[1]):
            for c in range(x.shape[2]):
                to_high = shares[1, c] if x[b, v, c] == high[b, c] else np.float32(0)
                to_low = shares[0, c] if x[b, v, c] == low[b, c] else np.float32(0)
                of_x[b, v, c] = to_high + to_low + of_total[b, c]
