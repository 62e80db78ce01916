"""Spectral bisection: halve the largest active piece by its Fiedler vector, again and again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import eigsh

from pinchpoint.agents.planned import PlannedAgent
from pinchpoint.game.engine import Games
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.types import Floats, Ints

DENSE = 600  # up to so many squares a dense eigensolver is the faster one


def spectral_agent() -> PlannedAgent:
    """Attacks a separator of the largest active piece, square by square, then takes the next piece.

    The halves are those of the Fiedler vector (Fiedler, Czech. Math. J. 25, 1975), split at its
    median; the separator is the smallest set of squares that meets every edge between them (Pothen,
    Simon & Liou, SIAM J. Matrix Anal. Appl. 11, 1990).
    """
    return PlannedAgent("spectral", lambda games: [separator(games, b) for b in range(len(games))])


def separator(games: Games, row: int) -> list[int]:
    """The squares that part the halves of the largest active component, ascending."""
    labels = np.where(games.legal[row], games.labels[row], -1)
    ids, first, sizes = np.unique(labels[labels >= 0], return_index=True, return_counts=True)
    largest = min(zip(-sizes, first, ids, strict=True))[2]  # the first among equals
    squares = np.flatnonzero(labels == largest)
    edges = subgraph(games.topology.indptr, games.topology.indices, squares).edges
    if not len(edges):
        return [int(squares[0])]
    vector = fiedler_vector(len(squares), edges)
    # Rounded, so that squares that only floating point tells apart keep the order of the board.
    order = np.argsort(np.round(vector, 9), kind="stable")
    upper = np.zeros(len(squares), dtype=np.bool_)
    upper[order[len(squares) // 2 :]] = True
    return [int(s) for s in squares[smallest_cover(upper, edges)]]


def fiedler_vector(n: int, edges: Ints) -> Floats:  # [n]
    """The eigenvector of the second smallest eigenvalue of a connected graph's Laplacian.

    Edge weights differ from 1 by up to 1/1000: on a symmetric board the eigenvalue would be
    multiple, and which vector comes out would be up to the machine.
    """
    weights = 1 + 1e-3 * np.modf(np.arange(1, len(edges) + 1) * 0.618033988749895)[0]
    ends = edges[:, 0], edges[:, 1]
    half = scipy.sparse.coo_array((weights, ends), shape=(n, n)).tocsr()
    laplacian = csgraph.laplacian(half + half.T)
    if n <= DENSE:
        vector: Floats = scipy.linalg.eigh(laplacian.toarray(), subset_by_index=[1, 1])[1][:, 0]
    else:
        start = np.cos(np.arange(n))  # any fixed vector that is not constant
        found = eigsh(laplacian.tocsc(), k=2, sigma=-1e-4, v0=start)
        vector = found[1][:, np.argsort(found[0])[1]]
    return vector if vector[np.argmax(np.abs(vector) > 1e-9)] > 0 else -vector


def smallest_cover(upper: npt.NDArray[np.bool_], edges: Ints) -> npt.NDArray[np.intp]:
    """The fewest nodes that meet every edge between the two sides, ascending (König's theorem)."""
    across = edges[upper[edges[:, 0]] != upper[edges[:, 1]]]
    across = np.where(upper[across[:, :1]], across[:, ::-1], across)  # from lower to upper
    n = len(upper)
    ones = np.ones(len(across), dtype=np.int8)
    graph = scipy.sparse.csr_array((ones, (across[:, 0], across[:, 1])), shape=(n, n))
    partner = csgraph.maximum_bipartite_matching(graph, perm_type="row")  # of an upper node
    taken = np.zeros(n, dtype=np.bool_)
    taken[partner[partner >= 0]] = True
    touched = np.zeros(n, dtype=np.bool_)  # lower nodes reached by alternating paths
    reached = np.zeros(n, dtype=np.bool_)  # upper ones
    stack = [int(v) for v in np.unique(across[:, 0]) if not taken[v]]
    touched[stack] = True
    while stack:
        v = stack.pop()
        for u in graph.indices[graph.indptr[v] : graph.indptr[v + 1]]:
            if not reached[u]:
                reached[u] = True
                if not touched[partner[u]]:  # matched, or the matching could grow
                    touched[partner[u]] = True
                    stack.append(int(partner[u]))
    cover = reached.copy()
    cover[across[:, 0]] |= ~touched[across[:, 0]]
    return np.flatnonzero(cover)


def make(argument: str, seed: int) -> PlannedAgent:
    return spectral_agent()
