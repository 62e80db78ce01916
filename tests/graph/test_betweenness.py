"""Betweenness where shortest paths are too many to be counted."""

import numpy as np

from chokepoint.graph import from_edges, lattice, sampled_betweenness


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
    found = sampled_betweenness(chain.indptr, chain.indices, np.array([0]))
    assert np.allclose(found, wanted * chain.n / 2, rtol=1e-12)


def test_a_large_lattice_from_its_corner():
    side = 600
    grid = lattice(side, side)
    found = sampled_betweenness(grid.indptr, grid.indices, np.array([0]))
    assert np.all(np.isfinite(found))
    # Of the paths to all nodes, one in each layer: the layers add up to the sum of all distances.
    distances = np.add.outer(np.arange(side), np.arange(side)).sum() - (grid.n - 1)
    assert np.isclose(found.sum(), distances * grid.n / 2)
