"""Positions for networks that have none of their own, to draw them by."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Floats

MAX_LAID_OUT = 3000  # nodes; the time grows with their square


@lru_cache(maxsize=16)
def layout(topology: Topology) -> Floats:  # [N, 2]
    """Return x and y of each node: the topology's own positions, or else where springs put them."""
    if topology.positions is not None:
        return topology.positions
    if topology.n > MAX_LAID_OUT:
        raise InputError(
            f"the network has {topology.n:,} nodes without positions; up to {MAX_LAID_OUT:,} can "
            "be laid out, larger ones need x and y of each node"
        )
    import networkx as nx  # here: only networks without positions need it

    graph = nx.empty_graph(topology.n)
    graph.add_edges_from(topology.edges().tolist())
    places = nx.spring_layout(graph, seed=1)
    return np.array([places[node] for node in range(topology.n)])
