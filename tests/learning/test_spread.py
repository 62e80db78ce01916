"""Cheapest ways across the board: the kernel against stepping square by square, and Dijkstra."""

import heapq

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchpoint.learning.spread import Spread, Ways, most_by_any_way, most_by_rounds


def some(seed: int, height: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(seed)
    shape = (2, 3, height, width)
    cost = F.softplus(2 * torch.randn(shape)) + 0.01
    return torch.randn(shape, requires_grad=True), cost.requires_grad_()


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**31), height=st.integers(1, 9), width=st.integers(1, 9))
def test_the_kernel_does_what_single_steps_do(seed: int, height: int, width: int) -> None:
    value, cost = some(seed, height, width)
    pull = torch.randn(value.shape)
    found = []
    for spread in (Ways.apply, most_by_rounds):
        value.grad = cost.grad = None
        best = spread(value, cost)  # type: ignore[operator]
        (best * pull).sum().backward()
        assert value.grad is not None
        assert cost.grad is not None
        found.append((best.detach(), value.grad.clone(), cost.grad.clone()))
    for ours, truth in zip(*found, strict=True):
        torch.testing.assert_close(ours, truth, rtol=1e-4, atol=1e-4)


def test_distances_are_those_of_dijkstra() -> None:
    """From the left side, closed squares for nothing and open ones for a move each."""
    rng = np.random.default_rng(4)
    opened = rng.random((12, 12)) < 0.7
    cost = torch.from_numpy(opened.astype(np.float32))[None, None]
    value = torch.full((1, 1, 12, 12), -1e3)
    value[:, :, :, 0] = -cost[:, :, :, 0]
    best = most_by_any_way(value, cost)
    assert np.array_equal(-best[0, 0].numpy(), dijkstra(opened))


def dijkstra(opened: np.ndarray) -> np.ndarray:
    height, width = opened.shape
    distance = np.full(opened.shape, np.inf)
    heap = [(float(opened[y, 0]), y, 0) for y in range(height)]
    while heap:
        far, y, x = heapq.heappop(heap)
        if far >= distance[y, x]:
            continue
        distance[y, x] = far
        for b in range(max(0, y - 1), min(height, y + 2)):
            for a in range(max(0, x - 1), min(width, x + 2)):
                heapq.heappush(heap, (far + float(opened[b, a]), b, a))
    return distance


def test_a_way_is_as_long_as_the_board_is_winding() -> None:
    """A corridor winds through the whole board: one layer reaches its end, and learns of it."""
    open_way = torch.zeros(15, 15, dtype=torch.bool)
    open_way[::2] = True
    open_way[1::4, -1] = True
    open_way[3::4, 0] = True
    cost = torch.where(open_way, 0.01, 100.0)[None, None].requires_grad_()
    value = torch.full((1, 1, 15, 15), -50.0)
    value[0, 0, 0, 0] = 10.0
    best = most_by_any_way(value.requires_grad_(), cost)
    assert best[0, 0, -1, -1] > 8.5
    best[0, 0, -1, -1].backward()
    assert value.grad is not None
    assert value.grad.nonzero().tolist() == [[0, 0, 0, 0]]


@pytest.mark.parametrize("training", [True, False])
def test_the_layer_needs_no_gradient(training: bool) -> None:
    layer, x = Spread(6, 3), torch.randn(2, 6, 5, 4)
    with torch.set_grad_enabled(training):
        assert layer(x).shape == x.shape
