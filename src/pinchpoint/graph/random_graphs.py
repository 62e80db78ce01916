"""Random graphs of many kinds: with hubs, with groups, flat ones and trees.

A kind is a function that draws the edges of a graph of n nodes with parameters of its own;
`RANDOM_GRAPHS` is the table of them. What is returned is the largest piece, so every random graph
is connected. The same numbers of a generator give the same graph on any machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import components, subgraph
from pinchpoint.graph.lattices import LATTICES, lattice
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.types import Longs

Rng = np.random.Generator
SMALLEST = 4  # nodes
ENOUGH = 0.5  # of the nodes that were wanted, in the largest piece
TRIES = 100


def random_graph(rng: Rng, least: int = 30, most: int = 300, kind: str | None = None) -> Topology:
    """Draw a connected graph of at most `most` nodes, of a random kind unless one is named.

    The number of nodes is drawn from `least` to `most`, small ones as often as large ones on a
    logarithmic scale; the largest piece may have as few as half of it.
    """
    if kind is not None and kind not in RANDOM_GRAPHS:
        raise InputError(f"there are no {kind!r} graphs; choose from {', '.join(RANDOM_GRAPHS)}")
    if not SMALLEST <= least <= most:
        raise InputError(f"a random graph has {least} to {most} nodes; {SMALLEST} are the fewest")
    name = kind or list(RANDOM_GRAPHS)[rng.integers(len(RANDOM_GRAPHS))]
    for _ in range(TRIES):
        n = min(most, int(np.exp(rng.uniform(np.log(least), np.log(most + 1)))))
        graph = _largest_piece(from_edges(RANDOM_GRAPHS[name](n, rng), n=n))
        if graph.n >= max(SMALLEST, ENOUGH * n):
            return graph
    raise InputError(f"{TRIES} random graphs of kind {name} fell into small pieces")


def _largest_piece(graph: Topology) -> Topology:
    pieces = components(graph.indptr, graph.indices, np.ones(graph.n, dtype=np.bool_))
    nodes = max(pieces, key=len)
    part = subgraph(graph.indptr, graph.indices, nodes)
    return from_edges(part.edges, n=len(nodes))


# -- the kinds: (n, rng) -> edges [E, 2], some perhaps twice -------------------------------------


def uniform(n: int, rng: Rng) -> Longs:
    """Erdős and Rényi's: any two nodes alike, 2 to 6 neighbours on average."""
    return _pairs(n, int(n * rng.uniform(2, 6) / 2), rng)


def preferential(n: int, rng: Rng) -> Longs:
    """Barabási and Albert's: each new node joins 1 to 3 others, drawn by their degree."""
    links = int(rng.integers(1, 4))
    ends = list(range(links + 1))  # the first nodes once each, then both ends of every edge
    edges = []
    for v in range(links + 1, n):
        for _ in range(links):
            u = ends[rng.integers(len(ends))]
            if u != v:
                edges.append((v, u))
                ends += [v, u]
    edges += [(v, v - 1) for v in range(1, links + 1)]
    return np.array(edges)


def small_world(n: int, rng: Rng) -> Longs:
    """Watts and Strogatz's: a ring with 2 or 3 neighbours on each side, some edges led astray."""
    ring = np.arange(n)
    steps = range(1, int(rng.integers(2, 4)) + 1)
    edges = np.concatenate([np.stack([ring, (ring + k) % n], axis=1) for k in steps])
    astray = rng.random(len(edges)) < np.exp(rng.uniform(np.log(0.01), np.log(0.5)))
    edges[astray, 1] = rng.integers(n, size=int(astray.sum()))
    return _without_loops(edges)


def blocks(n: int, rng: Rng) -> Longs:
    """A block model: 2 to 6 groups, dense inside (3 to 8 neighbours) and thin between them."""
    group = rng.integers(int(rng.integers(2, 7)), size=n)
    inside = _pairs(n, int(n * rng.uniform(3, 8) * (group.max() + 1) / 2), rng)
    inside = inside[group[inside[:, 0]] == group[inside[:, 1]]]
    between = _pairs(n, int(n * rng.uniform(0.1, 1.0) / 2), rng)
    return np.concatenate([inside, between])


def geometric(n: int, rng: Rng) -> Longs:
    """Points in a square, joined where they are near: 5 to 9 neighbours on average."""
    from scipy.spatial import KDTree

    radius = np.sqrt(rng.uniform(5, 9) / (np.pi * n))
    return np.asarray(KDTree(rng.random((n, 2))).query_pairs(radius, output_type="ndarray"))


def delaunay(n: int, rng: Rng) -> Longs:
    """The Delaunay triangulation of random points, up to two fifths of its edges left out."""
    from scipy.spatial import Delaunay

    corners = Delaunay(rng.random((n, 2))).simplices.astype(np.int64)
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    return edges[rng.random(len(edges)) >= rng.uniform(0, 0.4)]


def holed_lattice(n: int, rng: Rng) -> Longs:
    """A lattice of any kind, up to three tenths of its nodes left out."""
    kind = list(LATTICES)[rng.integers(len(LATTICES))]
    height = max(2, round(np.sqrt(n * rng.uniform(0.4, 1))))
    edges = lattice(height, max(2, n // height), kind).edges().astype(np.int64)
    there = rng.random(n) >= rng.uniform(0, 0.3)
    return edges[there[edges].all(axis=1)]


def tree(n: int, rng: Rng) -> Longs:
    """A random tree, compact or long, with up to three tenths as many shortcuts as nodes."""
    # Each node joins one of the `reach` nodes before it.
    reach = n if rng.random() < 0.5 else int(rng.integers(2, 12))
    nodes = np.arange(1, n)
    before = nodes - 1 - (rng.random(n - 1) * np.minimum(nodes, reach)).astype(np.int64)
    shortcuts = _pairs(n, int(n * rng.uniform(0, 0.3)), rng)
    return np.concatenate([np.stack([nodes, before], axis=1), shortcuts])


def _pairs(n: int, count: int, rng: Rng) -> Longs:
    return _without_loops(rng.integers(n, size=(count, 2)))


def _without_loops(edges: Longs) -> Longs:
    kept: Longs = edges[edges[:, 0] != edges[:, 1]]
    return kept


RANDOM_GRAPHS: dict[str, Callable[[int, Rng], Longs]] = {
    "uniform": uniform,
    "preferential": preferential,
    "small-world": small_world,
    "blocks": blocks,
    "geometric": geometric,
    "delaunay": delaunay,
    "lattice": holed_lattice,
    "tree": tree,
}
