"""Shatter with W = 1 on bipartite graphs: the cheapest vertex cover.

It is a cheapest cut between the two sides. The flow is a packing of edges that costs as much as the
cover (Kőnig, Mat. Fiz. Lapok 38, 1931; with unit costs it is a maximum matching).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from pinchpoint.graph.algorithms import Subgraph
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.graph.node_cuts import NodeCut
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.shatter.set_packing import SetPacking
from pinchpoint.types import Bools, Rows


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


def cheapest_cover(
    part: Subgraph, side: Bools, costs: WholeCosts, budget: Budget
) -> tuple[Rows, SetPacking]:
    """Return the cheapest nodes that meet every edge, and a packing of edges.

    Both cost the same, unless the budget ends before all bits of the costs are counted.
    """
    everything = np.ones(len(side), dtype=np.bool_)
    cut = NodeCut(
        part.indptr,
        part.indices,
        everything,
        ~side,
        side,
        costs.amounts,
        lambda: not budget.is_over,
    )
    sets, weights = cut.links()
    return cut.nodes(), SetPacking(list(sets), weights)
