"""The numbers of an order against their definitions, and components counted anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import simpson
from small_graphs import counted_anew, random_graph

from pinchpoint import InputError, from_networkx
from pinchpoint.order.metrics import auc, metrics_of, nodes_to
from pinchpoint.order.orders import Order


@pytest.mark.parametrize("seed", range(8))
def test_the_numbers_follow_their_definitions(seed: int) -> None:
    graph = random_graph(seed)
    costs = np.random.default_rng(seed).integers(1, 9, 40).astype(float)
    t = replace(from_networkx(graph), costs=costs)
    order = np.random.default_rng(seed).permutation(40)[:30]
    numbers = metrics_of(Order.of(t, order))
    whole = [*order.tolist(), *sorted(set(range(40)) - set(order.tolist()))]
    largest = np.array([row[0] for row in counted_anew(graph, whole)])
    count = next(k for k in range(1, 41) if largest[k - 1] / 40 < 0.1)
    assert numbers.auc == pytest.approx(simpson(largest[:count] / 40, dx=1))
    assert numbers.r == pytest.approx(largest.sum() / 40 / 40)
    assert (numbers.nodes_to_10, numbers.cost_to_10) == (count, costs[whole[:count]].sum())
    other = next(k for k in range(1, 41) if largest[k - 1] <= 4)
    assert nodes_to(largest, 40, 0.1, "ceiling") == other
    assert auc(largest, 40, 0.1, "ceiling") == pytest.approx(simpson(largest[:other] / 40, dx=1))


@pytest.mark.parametrize(("t", "stop"), [(0.07, "ceiling"), (0.29, "below")])
def test_thresholds_are_the_numbers_as_written(t: float, stop: str) -> None:
    """0.07 · 100 is more than 7 in floating point, and 0.29 · 100 is less than 29."""
    n = 100
    largest = np.arange(n - 1, -1, -1)
    exact = round(t * n)
    expected = n - exact if stop == "ceiling" else n - exact + 1
    assert nodes_to(largest, n, t, stop) == expected


@pytest.mark.parametrize("stop", ["below", "ceiling"])
@pytest.mark.parametrize("largest", [[9, 8, 7], []])
def test_numbers_need_a_curve_that_gets_small(largest: list[int], stop: str) -> None:
    for number in (nodes_to, auc):
        with pytest.raises(InputError):
            number(np.array(largest, dtype=np.int64), 10, 0.1, stop)
