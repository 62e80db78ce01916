"""Separators: the Fiedler vector against numpy, and covers against matchings and brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology
from pinchpoint.order.methods import ORDERS, Task, completed
from pinchpoint.order.separators import cheapest_cover, separator, slow_vector


def vector_of(t: Topology) -> np.ndarray:
    return slow_vector(subgraph(t.indptr, t.indices, np.arange(t.n)), t.costs)


def test_the_slow_vector_is_the_fiedler_vector_of_numpy() -> None:
    graph = nx.karate_club_graph()
    _, vectors = np.linalg.eigh(nx.laplacian_matrix(graph, weight=None).toarray().astype(float))
    assert abs(vector_of(from_networkx(graph)) @ vectors[:, 1]) > 0.9999
    path = lattice(30, 25)  # large enough for the sparse solver
    rows = np.arange(path.n) // 25
    along = np.cos(np.pi * (rows + 0.5) / 30)
    assert abs(np.corrcoef(vector_of(path), along)[0, 1]) > 0.99


def test_a_cover_is_as_large_as_the_matching() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        graph = nx.gnp_random_graph(16, 0.25, seed=int(rng.integers(10**6)))
        upper = rng.random(16) < 0.5
        edges = np.array(graph.edges).reshape(-1, 2)
        cover = set(cheapest_cover(edges, upper, np.ones(16)).tolist())
        across = [(a, b) for a, b in graph.edges if upper[a] != upper[b]]
        assert all(a in cover or b in cover for a, b in across)
        matching = nx.max_weight_matching(nx.Graph(across), maxcardinality=True)
        assert len(cover) == len(matching)


@pytest.mark.parametrize("scale", [1.0, 1e12])
def test_a_cover_is_the_cheapest_and_has_no_node_to_spare(scale: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        graph = nx.gnp_random_graph(9, 0.35, seed=int(rng.integers(10**6)))
        upper, costs = (
            rng.random(9) < 0.5,
            rng.integers(1, 6, 9) * np.where(rng.random(9) < 0.3, scale, 1),
        )
        edges = np.array(graph.edges).reshape(-1, 2)
        across = [(a, b) for a, b in graph.edges if upper[a] != upper[b]]

        def covers(nodes: set[int], across: list[tuple[int, int]] = across) -> bool:
            return all(a in nodes or b in nodes for a, b in across)

        cover = set(cheapest_cover(edges, upper, costs).tolist())
        assert covers(cover)
        assert not any(covers(cover - {v}) for v in cover)
        best = min(
            sum(costs[list(nodes)])
            for size in range(10)
            for nodes in combinations(range(9), size)
            if covers(set(nodes))
        )
        # Costs that differ by more than 32 bits are rounded.
        assert sum(costs[list(cover)]) == pytest.approx(best, abs=0 if scale == 1 else scale * 1e-6)


@pytest.mark.parametrize("cost", [1e-9, 1_000_000, 12_345_678])
def test_spectral_takes_any_costs(cost: float) -> None:
    """What all nodes cost alike changes nothing, even if it is more than 32 bits can hold."""
    t = from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(10, 40)))

    def nodes(graph: Topology) -> list[int]:
        task, order = Task(graph, 20), ORDERS["spectral"].order
        assert callable(order)
        return completed(graph, order(task), 20).until(task.goal).tolist()

    wanted = nodes(t)
    assert nodes(replace(t, costs=np.full(t.n, float(cost)))) == wanted
    odd = replace(t, costs=1e9 + np.arange(t.n) % 7)  # whole, with no common factor: rounded
    assert len(nodes(odd)) < 1.2 * len(wanted)


def test_separators_are_small_whatever_nodes_cost() -> None:
    path = from_networkx(nx.path_graph(500))
    for cost in (1e-300, 1e-8, 1.0, 1e9, 1e290):
        costs = np.full(path.n, cost)
        costs[3] *= 1e9  # one node that must stay does not set the scale
        assert len(separator(replace(path, costs=costs), np.arange(path.n))) == 1
