"""Annealed orders: their area against the curve, never worse, and optimal on tiny graphs."""

import time
from itertools import permutations

import numpy as np
import pytest

from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph
from pinchpoint.graph.topology import Topology
from pinchpoint.order.annealing import anneal, annealed, start
from pinchpoint.order.orders import curve_of


def area(graph: Topology, costs: np.ndarray, order: np.ndarray, small: int) -> float:
    """The area from the curve: every node meets the largest piece that the one before it left."""
    whole = graph.n  # random graphs are connected
    meets = [whole, *curve_of(graph.indptr, graph.indices, order).largest.tolist()]
    total = 0.0
    for k, v in enumerate(order.tolist()):
        if meets[k] <= small:
            break
        total += costs[v] * meets[k]
    return total


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_after_many_trials_all_is_as_if_begun_with_that_order(kind: str) -> None:
    rng = np.random.default_rng(7)
    graph = random_graph(rng, 60, 60, kind)
    costs, small, rows = rng.uniform(0.5, 2, graph.n), 12, (graph.indptr, graph.indices)
    order = rng.permutation(graph.n).astype(np.int32)
    used = int((curve_of(*rows, order).largest <= small).argmax()) + 1
    a = start(*rows, costs, order, used, small)
    for trial in range(0, 600, 20):
        anneal(a, 1, trial, trial + 20, 0.0, 0.1)
        anew = start(*rows, costs, a.now.copy(), used, small)
        assert np.array_equal(a.meets, anew.meets)
        assert a.area == pytest.approx(anew.area)
        assert area(graph, costs, a.best, small) == pytest.approx(a.least[0])
        assert a.least[0] <= a.area[-1]


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_the_area_is_that_of_the_curve_and_annealing_makes_it_smaller(kind: str) -> None:
    rng = np.random.default_rng(1)
    graph = random_graph(rng, 30, 60, kind)
    costs, small = rng.uniform(0.5, 2, graph.n), graph.n // 10
    order = rng.permutation(graph.n).astype(np.int32)
    before = area(graph, costs, order, small)
    for used in (graph.n, graph.n - small):  # all nodes go, or some stay
        laid = start(graph.indptr, graph.indices, costs, order, used, small)
        assert laid.area[-1] == pytest.approx(before)
    better = annealed(graph.indptr, graph.indices, costs, order, small, 2000, 3)
    assert sorted(better.tolist()) == list(range(graph.n))
    assert area(graph, costs, better, small) < 0.8 * before


def test_it_finds_the_best_order_of_tiny_graphs() -> None:
    rng = np.random.default_rng(2)
    for _ in range(4):
        graph = random_graph(rng, 6, 6)
        costs = rng.uniform(0.5, 2, graph.n)
        least = min(
            area(graph, costs, np.array(order), 2) for order in permutations(range(graph.n))
        )
        first = np.arange(graph.n)
        found = annealed(graph.indptr, graph.indices, costs, first, 2, 5000, 1)
        assert area(graph, costs, found, 2) == pytest.approx(least)


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_an_order_that_suffices_still_does_and_nodes_that_stayed_come_into_it(kind: str) -> None:
    rng = np.random.default_rng(4)
    graph = random_graph(rng, 50, 80, kind)
    small, rows = graph.n // 5, (graph.indptr, graph.indices)
    order = rng.permutation(graph.n)
    enough = int((curve_of(*rows, order).largest <= small).argmax()) + 1
    before = area(graph, graph.costs, order, small)
    found = annealed(*rows, graph.costs, order[:enough], small, 3000, 1)
    assert sorted(found.tolist()) == list(range(graph.n))
    assert curve_of(*rows, found[:enough]).largest[-1] <= small
    assert area(graph, graph.costs, found, small) < before
    assert set(found[:enough]) != set(order[:enough])


def test_with_a_deadline_it_goes_on_until_then() -> None:
    graph = random_graph(np.random.default_rng(5), 60, 60)
    rows, order = (graph.indptr, graph.indices, graph.costs), np.arange(graph.n)
    until = time.perf_counter() + 0.3
    found = annealed(*rows, order, 6, 0, 1, until)
    assert time.perf_counter() >= until
    assert area(graph, graph.costs, found, 6) < area(graph, graph.costs, order, 6)


def test_the_same_seed_gives_the_same_order_and_short_ones_stay() -> None:
    graph = random_graph(np.random.default_rng(3), 40, 40)
    rows = graph.indptr, graph.indices, graph.costs
    first, second = (annealed(*rows, np.arange(20), 4, 300, 5) for _ in range(2))
    assert np.array_equal(first, second)
    assert annealed(*rows, [7], 4, 300, 5)[0] == 7
