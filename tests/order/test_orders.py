"""Orders and their curves, against components counted anew and slow searches."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import counted_anew, random_graph

from pinchpoint import InputError
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS
from pinchpoint.graph.random_graphs import random_graph as random_graph_of
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology
from pinchpoint.order.orders import Order, curve_of, nodes_until, pieces_up_to
from pinchpoint.order.reinsertion import MOST_COSTS, reinserted
from pinchpoint.order.scores import core_degree_order, degree_order, influence_order


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0, 1))
def test_a_curve_is_what_counting_anew_gives(seed: int, share: float) -> None:
    graph = random_graph(seed, 20)
    order = np.random.default_rng(seed).permutation(20)[: int(share * 20)]
    t = from_networkx(graph)
    curve = curve_of(t.indptr, t.indices, order)
    found = zip(curve.largest.tolist(), curve.second.tolist(), curve.pairs.tolist(), strict=True)
    assert list(found) == counted_anew(graph, order.tolist())


def test_wrong_orders_are_refused() -> None:
    t = from_networkx(nx.path_graph(4))
    for order in ([0, 0], [4], [-1], [0.5], [[0], [1, 2]]):
        with pytest.raises(InputError):
            curve_of(t.indptr, t.indices, order)


@pytest.mark.parametrize("seed", range(4))
def test_adaptive_degree_takes_the_node_with_most_neighbours_left(seed: int) -> None:
    graph = random_graph(seed)
    t = from_networkx(graph)
    left = graph.copy()
    for v in degree_order(t.indptr, t.indices, np.zeros(40), t.costs).tolist():
        assert left.degree(v) == max(d for _, d in left.degree)
        left.remove_node(v)


@pytest.mark.parametrize("seed", range(4))
def test_core_degrees_take_the_node_of_the_highest_degree_in_the_core(seed: int) -> None:
    graph = random_graph(seed)
    t = from_networkx(graph)
    left = graph.copy()
    for v in core_degree_order(t.indptr, t.indices, t.costs).tolist():
        core = nx.k_core(left, 2)
        assert core.degree(v) == max(d for _, d in core.degree)
        left.remove_node(v)
    assert nx.is_forest(left)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_the_first_by_influence_has_the_highest(radius: int) -> None:
    graph = random_graph(1, 80)
    t = from_networkx(graph)

    def influence(v: int) -> int:
        near = nx.single_source_shortest_path_length(graph, v, cutoff=radius)
        rim = sum(graph.degree(u) - 1 for u, d in near.items() if d == radius)
        return (graph.degree(v) - 1) * rim

    first = int(influence_order(t.indptr, t.indices, t.costs, radius)[0])
    assert influence(first) == max(influence(v) for v in graph)


@pytest.mark.parametrize("seed", range(4))
def test_an_order_ends_where_its_goal_is_first_reached(seed: int) -> None:
    graph = random_graph(seed)
    t, chosen = from_networkx(graph), np.random.default_rng(seed).permutation(40)[:25]
    whole = Order.of(t, chosen)
    left_out = sorted(set(range(40)) - set(chosen.tolist()))
    assert whole.nodes.tolist() == [*chosen.tolist(), *left_out]
    sizes = [max(map(len, nx.connected_components(graph)))]
    sizes += [row[0] for row in counted_anew(graph, whole.nodes.tolist())]
    assert whole.states.largest.tolist() == sizes
    for size in (0, 1, 5, sizes[0] - 1, sizes[0]):
        count = next(k for k, largest in enumerate(sizes) if largest <= size)
        assert whole.until(pieces_up_to(size)).tolist() == whole.nodes[:count].tolist()
    short = nodes_until(t.indptr, t.indices, whole.nodes[:3], pieces_up_to(0))
    assert short.tolist() == whole.nodes[:3].tolist()  # it never gets there


def merged_sizes(t: Topology, present: set[int], waiting: set[int]) -> dict[int, int]:
    """Return how large the piece of each waiting node would be if it came back."""
    piece: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for v in present:
        if v not in piece:
            stack, piece[v], sizes[v] = [v], v, 0
            while stack:
                u = stack.pop()
                sizes[v] += 1
                for w in t.neighbours(u).tolist():
                    if w in present and w not in piece:
                        piece[w] = v
                        stack.append(w)
    return {
        v: 1 + sum(sizes[p] for p in {piece[u] for u in t.neighbours(v).tolist() if u in present})
        for v in waiting
    }


@pytest.mark.parametrize("costs", ["one", "few", "many"])
@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_reinsertion_puts_back_the_smallest_piece_first(kind: str, costs: str) -> None:
    rng = np.random.default_rng(len(kind))
    t = random_graph_of(rng, 150, 150, kind)
    drawn = {"one": np.ones(t.n), "few": rng.integers(1, 4, t.n), "many": rng.uniform(1, 9, t.n)}
    cost = drawn[costs].astype(np.float64)
    slack = 1.0 if costs != "many" else 9 ** (1 / (MOST_COSTS - 1))  # similar costs count as equal
    for waits, stays in ((t.n, t.n), (100, t.n), (60, 130)):  # the rest is never there
        order, inside = rng.permutation(t.n)[:waits], np.zeros(t.n, dtype=np.bool_)
        inside[np.concatenate([order, np.setdiff1d(rng.permutation(t.n), order)])[:stays]] = True
        new = reinserted(t.indptr, t.indices, order, cost, inside).tolist()
        assert sorted(new) == sorted(order.tolist())
        waiting, present = set(new), set(np.flatnonzero(inside).tolist()) - set(new)
        for v in reversed(new):
            sizes = merged_sizes(t, present, waiting)
            least = min(size / cost[u] for u, size in sizes.items())
            assert sizes[v] / cost[v] <= least * slack * (1 + 1e-9)
            waiting.remove(v)
            present.add(v)
