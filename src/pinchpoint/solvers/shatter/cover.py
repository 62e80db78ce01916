"""Shatter with W = 1 on bipartite graphs: the cheapest vertex cover, by maximum flow.

The network leads from a source to the nodes of one side, along the edges to the other side, and on
to a sink. Each node's capacity is its cost. The flow is a packing of edges that costs as much as
the cheapest cover (Kőnig, Mat. Fiz. Lapok 38, 1931; with unit costs it is a maximum matching).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from pinchpoint.graph.algorithms import Subgraph
from pinchpoint.graph.costs import whole_prices
from pinchpoint.solvers.shatter.set_packing import SetPacking
from pinchpoint.types import Bools, Floats, Rows


def bipartite_sides(part: Subgraph) -> Bools | None:  # [n]
    """Return which nodes of a connected piece are on the second side; None if two sides fail."""
    n = len(part.nodes)
    graph = csr_array(
        (np.ones(len(part.indices), dtype=np.int8), part.indices, part.indptr), (n, n)
    )
    order, before = breadth_first_order(graph, 0, directed=True)
    side = np.zeros(n, dtype=np.bool_)
    for v in order[1:]:
        side[v] = not side[before[v]]
    edges = part.edges
    return side if bool(np.all(side[edges[:, 0]] != side[edges[:, 1]])) else None


def cheapest_cover(part: Subgraph, side: Bools, costs: Floats) -> tuple[Rows, SetPacking, float]:
    """Return the cheapest nodes that meet every edge, a packing of edges, and its value.

    The value is the cost of the cover, unless the costs had to be rounded.
    """
    n = len(part.nodes)
    price, unit = whole_prices(costs)
    edges = part.edges.astype(np.int64)
    edges = np.where(side[edges[:, :1]], edges[:, ::-1], edges)  # from the first side to the second
    source, sink = n, n + 1
    first, last = np.flatnonzero(~side), np.flatnonzero(side)
    tail = np.concatenate([edges[:, 0], np.full(len(first), source), last])
    head = np.concatenate([edges[:, 1], first, np.full(len(last), sink)])
    wide = np.minimum(price[edges[:, 0]], price[edges[:, 1]])  # more cannot come or go
    room = np.concatenate([wide + 1, price[first], price[last]]).astype(np.int32)
    capacity = csr_array((room, (tail, head)), shape=(n + 2, n + 2))
    answer = maximum_flow(capacity, source, sink)
    spare = capacity - answer.flow
    spare.eliminate_zeros()
    reached = np.zeros(n + 2, dtype=np.bool_)
    reached[breadth_first_order(spare, source, return_predecessors=False)] = True
    # An edge that is not reached needs its first end. To take all first ends that are not reached
    # would also take nodes whose costs are rounded to 0 and that no edge needs.
    cover = np.unique(np.where(reached[edges[:, 1]], edges[:, 1], edges[:, 0]))
    flow = np.asarray(answer.flow[edges[:, 0], edges[:, 1]]).ravel()
    used = flow > 0
    packing = SetPacking(list(edges[used].astype(np.intp)), flow[used] * unit)
    return cover, packing, answer.flow_value * unit
