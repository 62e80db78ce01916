"""The graph algorithms against networkx on random graphs."""

from collections.abc import Iterator

import networkx as nx
import numpy as np

from pinchpoint.graph.algorithms import (
    DFS_ORDER,
    DFS_ROWS,
    LARGEST,
    SECOND,
    articulation_search,
    components,
    core_numbers,
    flood,
    parts_without,
    strip_after,
    strip_leaves,
    subgraph,
)
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology


def random_parts(count: int) -> Iterator[tuple[nx.Graph, Topology, np.ndarray]]:
    """Random graphs, sparse and dense, each with a random part of its nodes."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 40))
        graph = nx.gnm_random_graph(n, int(rng.integers(0, 3 * n)), seed=seed)
        yield graph, from_networkx(graph), rng.random(n) < rng.uniform(0.3, 1.0)


def test_subgraphs() -> None:
    for graph, topology, mask in random_parts(100):
        nodes = np.flatnonzero(mask)
        number = np.full(topology.n, -1, dtype=np.int32)
        for part in (
            subgraph(topology.indptr, topology.indices, nodes),
            subgraph(topology.indptr, topology.indices, nodes, number),
        ):
            edges = {frozenset(nodes[pair].tolist()) for pair in part.edges}
            assert edges == {frozenset(edge) for edge in graph.subgraph(nodes.tolist()).edges}
            assert len(part.indices) == 2 * len(part.edges)
            assert (number == -1).all()


def test_components() -> None:
    for graph, topology, mask in random_parts(100):
        found = components(topology.indptr, topology.indices, mask)
        inside = graph.subgraph(np.flatnonzero(mask).tolist())
        expected = sorted(sorted(piece) for piece in nx.connected_components(inside))
        assert [piece.tolist() for piece in found] == expected


def test_floods() -> None:
    for graph, topology, mask in random_parts(50):
        stack = np.empty(topology.n, dtype=np.int32)
        inside = graph.subgraph(np.flatnonzero(mask).tolist())
        for start in inside:
            colour = mask.astype(np.int32)
            piece = nx.node_connected_component(inside, start)
            count = flood(topology.indptr, topology.indices, start, 1, 7, colour, stack)
            assert count == len(piece)
            assert set(np.flatnonzero(colour == 7)) == piece
            assert (colour == 1).sum() == mask.sum() - count


def test_the_two_core() -> None:
    lost = 0
    for graph, topology, mask in random_parts(100):
        alive = mask.copy()
        degree, stack = np.empty((2, topology.n), dtype=np.int32)
        rows = topology.indptr, topology.indices
        strip_leaves(*rows, alive, degree, stack)
        core = nx.k_core(graph.subgraph(np.flatnonzero(mask).tolist()), 2)
        assert set(np.flatnonzero(alive)) == set(core)
        assert all(degree[v] == core.degree[v] for v in core)
        for v in list(core)[:1]:  # and after one node of it has died
            alive[v] = False
            stack[0] = v
            strip_after(*rows, alive, degree, stack, 1)
            smaller = nx.k_core(core.subgraph(set(core) - {v}), 2)
            assert set(np.flatnonzero(alive)) == set(smaller)
            assert all(degree[u] == smaller.degree[u] for u in smaller)
            lost += len(core) - 1 - len(smaller)
    assert lost > 10


def test_articulation_points() -> None:
    cuts = 0
    for graph, topology, mask in random_parts(60):
        inside = graph.subgraph(np.flatnonzero(mask).tolist())
        for piece in nx.connected_components(inside):
            notes = np.zeros((DFS_ROWS, topology.n), dtype=np.int32)
            root = min(piece)
            size = articulation_search(
                topology.indptr, topology.indices, mask.astype(np.uint8), 1, root, notes
            )
            assert set(notes[DFS_ORDER, :size]) == piece
            for v in piece:
                rest = nx.connected_components(inside.subgraph(piece - {v}))
                largest, second = sorted([0, 0, *map(len, rest)])[:-3:-1]
                assert [notes[LARGEST, v], notes[SECOND, v]] == [largest, second]
                cuts += second > 0
    assert cuts > 20


def test_core_numbers() -> None:
    for graph, topology, _ in random_parts(100):
        found = core_numbers(topology.indptr, topology.indices).tolist()
        assert found == list(nx.core_number(graph).values())


def test_parts_without_each_node() -> None:
    for graph, topology, _ in random_parts(40):
        size, largest, second = parts_without(topology.indptr, topology.indices)
        for v in graph:
            piece = nx.node_connected_component(graph, v)
            rest = nx.connected_components(graph.subgraph(piece - {v}))
            expected = sorted([0, 0, *map(len, rest)])[:-3:-1]
            assert [size[v], largest[v], second[v]] == [len(piece), *expected]
