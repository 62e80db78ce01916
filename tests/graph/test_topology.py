"""Lattices and graphs: who touches whom, and what is refused."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import reference

from pinchpoint.errors import InputError
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.planar import ring_table, side_table
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import MAX_NODES, Topology, from_edges


def neighbour_lists(topology: Topology) -> list[list[int]]:
    return [topology.neighbours(node).tolist() for node in range(topology.n)]


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2), (3, 4), (4, 3), (7, 9)])
def test_lattice_joins_squares_by_their_sides(shape: tuple[int, int]) -> None:
    board = lattice(*shape)
    assert neighbour_lists(board) == reference.lattice_neighbours(*shape)
    assert board.image_shape == board.grid == shape
    assert board.n == shape[0] * shape[1]
    assert board.faces.tolist() == [4] * board.n
    assert lattice(*shape) is board


def test_squares_of_a_lattice() -> None:
    board = lattice(3, 4)
    assert board.square(2, 1) == 9
    for row, col in ((3, 0), (0, 4), (-1, 0), (0, -1)):
        with pytest.raises(InputError):
            board.square(row, col)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (-1, 5), (1001, 1), (1, 10**9)])
def test_absurd_lattices_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError):
        lattice(*shape)


def test_the_largest_lattice() -> None:
    board = lattice(1000, 1000)
    assert board.n == MAX_NODES
    assert board.degree.sum() == 2 * 2 * 1000 * 999


graphs = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1]),
            max_size=30,
        )
        if n > 1
        else st.just([]),
        st.integers(0, 3),
    )
)


@settings(max_examples=100, deadline=None)
@given(graphs)
def test_graph_from_edges(graph: tuple[int, list[tuple[int, int]], int]) -> None:
    n, edges, extra = graph
    topology = from_edges(edges, n=n, extra_faces=extra)
    neighbours = reference.edge_neighbours(n, edges)
    assert neighbour_lists(topology) == neighbours
    assert topology.degree.tolist() == [len(nodes) for nodes in neighbours]
    assert topology.faces.tolist() == [len(nodes) + extra for nodes in neighbours]
    assert topology.image_shape is None
    once = {(min(edge), max(edge)) for edge in edges}
    assert sorted(map(tuple, topology.edges().tolist())) == sorted(once)
    assert (
        topology.fingerprint
        == from_edges(np.array(edges, dtype=int).reshape(-1, 2), n, extra).fingerprint
    )


def test_graph_from_networkx_keeps_its_order_and_names() -> None:
    graph = nx.Graph([("c", "a"), ("a", "b"), ("b", "b")])
    topology = from_networkx(graph, extra_faces=1)
    assert topology.names == ("c", "a", "b")
    assert neighbour_lists(topology) == [[1], [0, 2], [1]]
    assert topology.faces.tolist() == [2, 3, 2]


def test_fingerprints_tell_edges_and_faces() -> None:
    square = from_edges([(0, 1), (0, 2), (1, 3), (2, 3)])
    different = lattice(2, 3), lattice(3, 2), lattice(2, 2), square
    different += from_edges([(0, 1)]), from_edges([(0, 1)], extra_faces=1)
    assert len({topology.fingerprint for topology in different}) == len(different)


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ([(0, 0)], {}, "joins a node to itself"),
        ([(0, 1, 2)], {}, "pairs of node numbers"),
        ([(0.5, 1.0)], {}, "pairs of node numbers"),
        ([], {}, "the graph has 0 nodes"),
        ([(0, 5)], {"n": 3}, "names node 5; nodes are numbered 0 to 2"),
        ([(-1, 1)], {}, "names node -1; nodes are numbered 0 to 1"),
        ([(0, 1)], {"n": 0}, "the graph has 0 nodes"),
        ([(0, 10**9)], {}, "1 to 10000000 are allowed"),
        ([(0, 1)], {"extra_faces": -1}, "0 to 1000000"),
    ],
)
def test_bad_graphs_are_refused(edges: Any, options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_edges(edges, **options)


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(InputError):
        from_networkx(nx.DiGraph([(0, 1)]))


def test_a_graph_has_no_rows_and_columns() -> None:
    with pytest.raises(InputError):
        from_edges([(0, 1)]).square(0, 0)


# -- rings -----------------------------------------------------------------------------------

AROUND = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 3), (4, 6)])
def test_rings_go_clockwise_and_stay_on_the_board(shape: tuple[int, int]) -> None:
    height, width = shape
    for node, ring in enumerate(ring_table(height, width)):
        row, col = divmod(node, width)
        for (down, right), other in zip(AROUND, ring.tolist(), strict=True):
            r, c = row + down, col + right
            on_board = 0 <= r < height and 0 <= c < width
            assert other == (r * width + c if on_board else node)


def test_sides_are_the_runs_of_a_ring() -> None:
    """Against the components of the 8 squares around the middle of a 3 × 3 board."""
    neighbours = reference.lattice_neighbours(3, 3)
    places = [(1 + down) * 3 + 1 + right for down, right in AROUND]
    for pattern, row in enumerate(side_table().tolist()):
        active = {places[k] for k in range(8) if pattern >> k & 1}
        pieces = reference.SlowGame(neighbours, active, reference.network).pieces
        touching = [set(piece) for piece in pieces if set(piece) & {1, 3, 5, 7}]
        assert row[0] == len(touching)
        assert row[9] == len(active & {1, 3, 5, 7})
        starts, gaps = row[1 : 1 + row[0]], row[5 : 5 + row[0]]
        assert all(sum(places[k] in piece for k in starts) == 1 for piece in touching)
        if pattern == 255:
            continue
        for start, gap in zip(starts, gaps, strict=True):
            steps = (gap - start) % 8
            assert all(pattern >> ((start + step) % 8) & 1 for step in range(steps))
            assert not pattern >> gap & 1
