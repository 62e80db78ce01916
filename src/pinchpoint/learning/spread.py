"""Cheapest ways across the board, as a layer: what is known at a square spreads at a cost.

Every square has a value to begin with and a cost of entering it. What comes out is the most that
any way brings to a square: the value where the way begins, less the cost of every square entered.
A way goes by sides and corners. A cut is such a way: from side to side or around a piece, through
squares that are closed anyhow and as few open ones as possible. Costs and first values are learned,
as in value iteration networks (Tamar et al., arXiv 1602.02867).

Convolutions pass such a thing on by one square a layer; here the compiled kernel follows ways of
any length, and sends gradients back along the best of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pinchpoint.compiled import kernel
from pinchpoint.types import Array

SMALLEST = 0.01  # cost of any step


class Spread(nn.Module):
    """Spread `width` kinds of values, each with its own costs, and add them to the channels.

    A way is worth following while it costs less than it brings; those of a fresh layer end after
    two or three squares.
    """

    def __init__(self, channels: int, width: int, leak: float = 0.0) -> None:
        super().__init__()
        self.leak = leak
        self.enter = nn.Conv2d(channels, 2 * width, 1)
        self.leave = nn.Conv2d(width, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        value, cost = self.enter(F.leaky_relu(x, self.leak)).chunk(2, 1)
        best = most_by_any_way(value, F.softplus(cost) + SMALLEST)
        added: Tensor = self.leave(best)
        return x + added


def most_by_any_way(value: Tensor, cost: Tensor) -> Tensor:  # [B, C, h, w]
    """Return for each square the most that a way brings there."""
    if value.device.type == "cpu":
        spread: Tensor = Ways.apply(value, cost)  # type: ignore[no-untyped-call]
        return spread
    return most_by_rounds(value, cost)


def most_by_rounds(value: Tensor, cost: Tensor) -> Tensor:
    """Do the same step by step: where there is no kernel, and to test it."""
    while True:
        stepped = torch.maximum(value, F.max_pool2d(value, 3, 1, 1) - cost)
        if torch.equal(stepped, value):
            return stepped
        value = stepped


class Ways(torch.autograd.Function):
    """The kernels, as a function that torch can differentiate."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, cost: Tensor) -> Tensor:  # [B, C, h, w]
        best = by_squares(value).clone()
        came = torch.full(best.shape, -1, dtype=torch.int32)
        width = value.shape[3]
        follow_ways(flat(best), flat(by_squares(cost)), flat(came), width)
        ctx.save_for_backward(came)
        return best.permute(0, 3, 1, 2)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        (came,) = ctx.saved_tensors
        of_value = by_squares(gradient).clone()
        of_cost = torch.zeros_like(of_value)
        scratch = np.empty((2, came[0, :, :, 0].numel()), dtype=np.int32)
        send_back(flat(of_value), flat(of_cost), flat(came), scratch)
        return of_value.permute(0, 3, 1, 2), of_cost.permute(0, 3, 1, 2)


def by_squares(x: Tensor) -> Tensor:  # [B, C, h, w] -> [B, h, w, C]
    return x.detach().permute(0, 2, 3, 1).contiguous()


def flat(x: Tensor) -> Array:  # [B, h, w, C] -> [B, h·w, C], the same memory
    return x.numpy().reshape(x.shape[0], -1, x.shape[3])


@kernel
def follow_ways(best: Array, cost: Array, came: Array, width: int) -> None:
    """Raise `best` [B, N, C] to what ways bring; `came` is the square before, -1 where one begins.

    The board is swept from each of its corners in turn, so that a sweep follows every way that
    never turns against it, until nothing changes.
    """
    height = best.shape[1] // width
    for b in range(best.shape[0]):
        changed = True
        while changed:
            changed = False
            for corner in range(4):
                up = -1 if corner < 2 else 1
                back = -1 if corner % 2 == 0 else 1
                for i in range(height):
                    y = i if up < 0 else height - 1 - i
                    above = 0 <= y + up < height
                    for j in range(width):
                        x = j if back < 0 else width - 1 - j
                        v = y * width + x
                        # A square that is missing is replaced by v itself, which brings nothing.
                        beside = v + back if 0 <= x + back < width else v
                        straight = v + up * width if above else v
                        left = straight - 1 if above and x > 0 else v
                        right = straight + 1 if above and x < width - 1 else v
                        if enter(best[b], cost[b], came[b], v, beside, straight, left, right):
                            changed = True


@kernel
def enter(
    best: Array, cost: Array, came: Array, v: int, beside: int, straight: int, left: int, right: int
) -> bool:
    """Enter square v from the best of four neighbors, in every channel where that is better."""
    improved = np.int32(0)
    for c in range(best.shape[1]):
        value, origin = best[beside, c], np.int32(beside)
        if best[straight, c] > value:
            value, origin = best[straight, c], np.int32(straight)
        if best[left, c] > value:
            value, origin = best[left, c], np.int32(left)
        if best[right, c] > value:
            value, origin = best[right, c], np.int32(right)
        value -= cost[v, c]
        better = value > best[v, c]
        # Written in any case: the compiler then treats several channels at a time.
        best[v, c] = value if better else best[v, c]
        came[v, c] = origin if better else came[v, c]
        improved |= np.int32(better)
    return bool(improved != 0)


@kernel
def send_back(of_value: Array, of_cost: Array, came: Array, scratch: Array) -> None:
    """Send gradients [B, N, C] back along the ways, to where they begin and to every cost paid."""
    waiting, ready = scratch[0], scratch[1]
    for b in range(of_value.shape[0]):
        for c in range(of_value.shape[2]):
            waiting[:] = 0  # for how many ways that go on from a square
            for v in range(of_value.shape[1]):
                if came[b, v, c] >= 0:
                    waiting[came[b, v, c]] += 1
            count = 0
            for v in range(of_value.shape[1]):
                if waiting[v] == 0:
                    ready[count] = v
                    count += 1
            while count > 0:
                count -= 1
                v = ready[count]
                origin = came[b, v, c]
                if origin < 0:
                    continue
                gradient = of_value[b, v, c]
                of_value[b, v, c] = 0.0
                of_value[b, origin, c] += gradient
                of_cost[b, v, c] = -gradient
                waiting[origin] -= 1
                if waiting[origin] == 0:
                    ready[count] = origin
                    count += 1
