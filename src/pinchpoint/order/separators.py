"""Cheap separators of a piece: halves by the Fiedler vector, and a cheapest cover between them."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import eigsh

from pinchpoint.graph.algorithms import Subgraph, subgraph
from pinchpoint.graph.costs import whole_costs
from pinchpoint.graph.node_cuts import NodeCut
from pinchpoint.graph.topology import Topology, compressed_rows
from pinchpoint.types import Bools, Floats, Ints, Rows

DENSE, SPARSE = 300, 20_000  # nodes; a dense, a sparse, and beyond an approximate eigenvector
STEPS = 200  # of the power method


def separator(t: Topology, nodes: Rows) -> Rows:
    """Return the cheapest nodes that part the two halves of a connected piece."""
    part = subgraph(t.indptr, t.indices, nodes)
    if len(nodes) < 3:
        return nodes[:1]
    vector = slow_vector(part, t.costs[nodes])
    upper = np.zeros(len(nodes), dtype=np.bool_)
    upper[np.argsort(np.round(vector, 9), kind="stable")[len(nodes) // 2 :]] = True
    return nodes[cheapest_cover(part.edges, upper, t.costs[nodes])]


def cheapest_cover(edges: Ints, upper: Bools, costs: Floats) -> Rows:
    """Return the cheapest nodes that meet every edge between the two sides, ascending.

    These are the cheapest cut between the ends of such edges on either side (Kőnig, Mat. Fiz. Lapok
    38, 1931).
    """
    across = edges[upper[edges[:, 0]] != upper[edges[:, 1]]]
    ends = np.unique(across)
    side = upper[ends]
    indptr, indices = compressed_rows(len(ends), np.searchsorted(ends, across))
    everything = np.ones(len(ends), dtype=np.bool_)
    amounts = whole_costs(costs[ends]).amounts
    cut = NodeCut(indptr, indices, everything, ~side, side, amounts, lambda: False).nodes()
    chosen = np.zeros(len(ends), dtype=np.bool_)
    chosen[cut] = True
    # Costs that are rounded to 0 bring nodes into the cut that no edge needs.
    owner = np.repeat(np.arange(len(ends)), np.diff(indptr))
    needed = np.bincount(owner[~chosen[indices]], minlength=len(ends)) > 0
    cover: Rows = ends[chosen & (side | needed)]
    return cover


def slow_vector(part: Subgraph, costs: Floats) -> Floats:
    """Return the eigenvector of the second smallest eigenvalue of the Laplacian, roughly.

    An edge weighs as much as its ends cost on average. Weights are perturbed slightly: on a
    symmetric graph the eigenvalue is multiple, and the vector would depend on the machine.
    """
    n, edges = len(part.nodes), part.edges
    costs = costs / np.median(costs)  # the shift below suits weights of about 1
    noise = 1 + 1e-3 * np.modf(np.arange(1, len(edges) + 1) * 0.618033988749895)[0]
    weights = noise * (costs[edges[:, 0]] + costs[edges[:, 1]]) / 2
    half = sparse.coo_array((weights, (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
    laplacian = csgraph.laplacian(half + half.T)
    if n <= DENSE:
        vector: Floats = scipy.linalg.eigh(laplacian.toarray(), subset_by_index=[1, 1])[1][:, 0]
        return vector
    start = np.cos(np.arange(n))
    if n <= SPARSE:
        found = eigsh(laplacian.tocsc(), k=2, sigma=-1e-4, v0=start)
        return np.asarray(found[1][:, np.argsort(found[0])[1]])
    top = 2 * float(laplacian.diagonal().max())
    vector = start - start.mean()
    for _ in range(STEPS):
        vector = top * vector - laplacian @ vector
        vector -= vector.mean()
        vector /= np.linalg.norm(vector)
    return vector
