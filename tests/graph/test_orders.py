"""Orders and their curves, against components counted anew and slow searches."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import counted_anew, random_graph

from chokepoint import InputError
from chokepoint.graph import curve_of, degree_order, from_networkx, reinserted


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
        with pytest.raises(InputError, match="an order"):
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
def test_reinsertion_puts_back_the_smallest_piece_first(seed: int) -> None:
    graph = random_graph(seed)
    t = from_networkx(graph)
    order = np.random.default_rng(seed).permutation(40)[:25]
    new = reinserted(t.indptr, t.indices, order, t.costs).tolist()
    assert sorted(new) == sorted(order.tolist())
    gone = set(new)
    for v in reversed(new):
        sizes = {
            u: len(nx.node_connected_component(graph.subgraph(set(graph) - gone | {u}), u))
            for u in gone
        }
        assert sizes[v] == min(sizes.values())
        gone.remove(v)
