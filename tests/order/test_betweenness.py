"""Betweenness against networkx, from all nodes and from sources far apart; and too many paths."""

import time
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest
from small_graphs import random_graph

from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.order import betweenness
from pinchpoint.order.betweenness import (
    FAR,
    add_far_sources,
    add_source,
    betweenness_order,
    new_search,
)
from pinchpoint.rng import stream
from pinchpoint.types import Floats

KINDS = {
    "random": lambda seed: nx.gnm_random_graph(60, 100, seed=seed),
    "preferential": lambda seed: nx.barabasi_albert_graph(60, 2, seed=seed),
    "tree": lambda seed: nx.random_labeled_tree(60, seed=seed),
    "grid": lambda seed: nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 12)),
}


def largest_piece(graph: nx.Graph) -> nx.Graph:
    piece = max(nx.connected_components(graph), key=len)
    return nx.convert_node_labels_to_integers(graph.subgraph(piece).copy(), ordering="sorted")


def far_apart(graph: nx.Graph, count: int, rank: dict[int, int]) -> list[int]:
    """The node of the lowest rank, then always the one farthest from those before it."""
    sources = [min(graph, key=rank.__getitem__)]
    while len(sources) < count:
        nearest = nx.multi_source_dijkstra_path_length(graph, set(sources), weight=None)
        sources.append(max(graph, key=lambda v: (nearest[v], -rank[v])))
    return sources


def paths_by_distance(graph: nx.Graph, sources: list[int]) -> dict[int, float]:
    """Walk all shortest paths from the sources: each counts at a node by how far along that is."""
    found = dict.fromkeys(graph, 0.0)
    for source in sources:
        for target in set(graph) - {source}:
            paths = list(nx.all_shortest_paths(graph, source, target))
            for path in paths:
                for steps, v in enumerate(path[1:-1], 1):
                    found[v] += 2 * steps / (len(path) - 1) / len(paths)
    return found


def sampled_betweenness(t: Topology, sources: Sequence[int]) -> Floats:
    """Return shortest paths through each node, over unordered pairs, estimated from sources."""
    search, total = new_search(t.n, len(t.indices) // 2), np.zeros(t.n)
    for source in sources:
        add_source(t.indptr, t.indices, source, search, total)
    return total * (t.n / (2 * len(sources)))


@pytest.mark.parametrize("seed", range(4))
def test_betweenness_of_all_sources_is_that_of_networkx(seed: int) -> None:
    graph = random_graph(seed, 60)
    t = from_networkx(graph)
    wanted = nx.betweenness_centrality(graph, normalized=False)
    found = sampled_betweenness(t, range(60))
    assert found == pytest.approx([wanted[v] for v in range(60)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 7, 0])
def test_far_sources_are_those_of_a_slow_search(kind: str, count: int) -> None:
    graph = largest_piece(KINDS[kind](3))
    t, n = from_networkx(graph), len(graph)
    count = count or n  # all of them
    rank = np.random.default_rng(1).permutation(n).astype(np.uint64)
    total, search = np.zeros(n), new_search(n, len(t.indices) // 2)
    first = int(rank.argmin())
    add_far_sources(t.indptr, t.indices, first, count, rank, search, total)
    sources = far_apart(graph, count, dict(enumerate(rank.tolist())))
    assert len(set(sources)) == count
    wanted = paths_by_distance(graph, sources)
    assert total == pytest.approx([wanted[v] for v in range(n)])
    assert (search.depth == FAR).all()
    if count == n:  # there and back, every path counts once
        exact = nx.betweenness_centrality(graph, normalized=False)
        assert total == pytest.approx([2 * exact[v] for v in range(n)])


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_from_afar_takes_the_node_with_the_most_paths(kind: str) -> None:
    whole, seed, stop = KINDS[kind](5), 11, 20
    t = from_networkx(whole)
    order = betweenness_order(t.indptr, t.indices, t.costs, stop, 6, 1, seed, far=True).tolist()
    left = whole.copy()
    for v in order:
        piece = left.subgraph(nx.node_connected_component(left, v))
        assert len(piece) == max(map(len, nx.connected_components(left)))
        assert len(piece) > stop
        sources = far_apart(piece, 6, {u: int(stream(seed, u, 0)) for u in piece})
        through = paths_by_distance(piece, sources)
        assert through[v] == pytest.approx(max(through.values()))
        left.remove_node(v)
    assert max(map(len, nx.connected_components(left))) <= stop


def test_a_graph_without_nodes_has_an_empty_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop in plain Python refuses to read what is not there; compiled, it would."""
    for name in ("new_attack", "attack", "take_largest"):
        monkeypatch.setattr(betweenness, name, getattr(betweenness, name).py_func)
    rows, none = np.zeros(1, dtype=np.int32), np.zeros(0, dtype=np.int32)
    assert len(betweenness_order(rows, none, np.ones(0), 1, 0, 1, 0)) == 0
    t = from_networkx(nx.complete_graph(6))
    until = time.perf_counter() + 1000
    all_at_once = betweenness_order(t.indptr, t.indices, t.costs, 1, 0, 9, 0, deadline=until)
    assert sorted(all_at_once.tolist()) == list(range(6))


def test_more_shortest_paths_than_a_float_can_count():
    count = 1100  # four-cycles in a chain: 2 ** 1100 shortest paths from end to end
    edges = []
    for first in range(0, 3 * count, 3):
        edges += [(first, first + 1), (first, first + 2)]
        edges += [(first + 1, first + 3), (first + 2, first + 3)]
    chain = from_edges(edges)
    node = np.arange(chain.n)
    beyond = chain.n - 1 - node  # all paths from node 0 to these lead through a node of the chain …
    beyond[1::3] -= 1
    wanted = np.where(node % 3 == 0, beyond, beyond / 2)  # … half of them through one of a pair
    wanted[0] = 0
    found = sampled_betweenness(chain, [0])
    assert np.allclose(found, wanted * chain.n / 2, rtol=1e-12)


def test_a_large_lattice_from_its_corner():
    side = 600
    grid = lattice(side, side)
    found = sampled_betweenness(grid, [0])
    assert np.all(np.isfinite(found))
    # Of the paths to all nodes, one in each layer: the layers add up to the sum of all distances.
    distances = np.add.outer(np.arange(side), np.arange(side)).sum() - (grid.n - 1)
    assert np.isclose(found.sum(), distances * grid.n / 2)
