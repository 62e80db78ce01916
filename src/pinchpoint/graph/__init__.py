"""The graphs under the boards: who touches whom, and what else is known about the nodes.

A `Topology` is a lattice or any undirected graph. The room also holds the algorithms on graphs that
several rooms share, and the shortcut that only a planar square grid may take. Nothing here knows
the rules of a game.
"""

from pinchpoint.graph.algorithms import (
    BELOW,
    DFS_EDGE,
    DFS_ORDER,
    DFS_ROWS,
    DFS_SEEN,
    FIRST,
    SECOND,
    Subgraph,
    articulation_search,
    components,
    core_numbers,
    fill_subgraph,
    find_root,
    flood,
    influence,
    pieces_without,
    strip_after,
    strip_leaves,
    subgraph,
)
from pinchpoint.graph.annealing import annealed
from pinchpoint.graph.betweenness import (
    FAR,
    Search,
    add_far_sources,
    add_source,
    betweenness_order,
    new_search,
    sampled_betweenness,
)
from pinchpoint.graph.box import BoxedNetwork, load_network, networks
from pinchpoint.graph.curves import Curves, find_curves
from pinchpoint.graph.heaps import change_key, heapify, take_top
from pinchpoint.graph.lattices import LATTICES, PERIODIC, check_lattice, lattice
from pinchpoint.graph.orders import (
    Curve,
    check_order,
    curve_of,
    degree_order,
)
from pinchpoint.graph.planar import find_parts, lay_holes, ring_table, side_table
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph
from pinchpoint.graph.readers import READERS, from_networkx, is_graph_file, read_graph
from pinchpoint.graph.reinsertion import reinserted
from pinchpoint.graph.topology import (
    MAX_NODES,
    SQUARE,
    LatticeKey,
    Topology,
    common_unit,
    compressed_rows,
    from_edges,
    moved_squares,
    transform,
)

__all__ = [
    "BELOW",
    "DFS_EDGE",
    "DFS_ORDER",
    "DFS_ROWS",
    "DFS_SEEN",
    "FAR",
    "FIRST",
    "LATTICES",
    "MAX_NODES",
    "PERIODIC",
    "RANDOM_GRAPHS",
    "READERS",
    "SECOND",
    "SQUARE",
    "BoxedNetwork",
    "Curve",
    "Curves",
    "LatticeKey",
    "Search",
    "Subgraph",
    "Topology",
    "add_far_sources",
    "add_source",
    "annealed",
    "articulation_search",
    "betweenness_order",
    "change_key",
    "check_lattice",
    "check_order",
    "common_unit",
    "components",
    "compressed_rows",
    "core_numbers",
    "curve_of",
    "degree_order",
    "fill_subgraph",
    "find_curves",
    "find_parts",
    "find_root",
    "flood",
    "from_edges",
    "from_networkx",
    "heapify",
    "influence",
    "is_graph_file",
    "lattice",
    "lay_holes",
    "load_network",
    "moved_squares",
    "networks",
    "new_search",
    "pieces_without",
    "random_graph",
    "read_graph",
    "reinserted",
    "ring_table",
    "sampled_betweenness",
    "side_table",
    "strip_after",
    "strip_leaves",
    "subgraph",
    "take_top",
    "transform",
]
