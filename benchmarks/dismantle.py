"""Measure the speed of dismantling: large graphs, sampled betweenness, and networkx beside it.

python benchmarks/dismantle.py                  # a million nodes, five million edges
python benchmarks/dismantle.py --nodes 100000
"""

import argparse
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # seconds are those of one core
    os.environ.setdefault(variable, "1")

# ruff: noqa: E402
import networkx as nx
import numpy as np

from pinchpoint import from_networkx
from pinchpoint.dismantling.methods import make_order
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.methods import Task
from pinchpoint.order.refine import area


def timed(name: str, graph: Topology, stop: int) -> None:
    began = time.perf_counter(), time.process_time()
    task = Task(graph, stop)
    order = make_order(task, name)
    wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    size = (
        f"{graph.n:9,} nodes  {len(order.until(task.goal)):8,} removed  area {area(order):10,.1f}"
    )
    print(f"{name:18} {size}  {wall:7.2f} s ({cpu:.2f} s CPU)", flush=True)


def by_networkx(graph: nx.Graph, stop: int, name: str) -> int:
    """Remove the node of the highest score in the largest piece, found anew each time."""
    left, count = graph.copy(), 0
    while True:
        piece = left.subgraph(max(nx.connected_components(left), key=len))
        if len(piece) <= stop:
            return count
        if name == "degree":
            score = dict(piece.degree)
        else:
            score = nx.betweenness_centrality(piece, k=min(64, len(piece)), seed=count)
        left.remove_node(max(score, key=lambda node: score[node]))
        count += 1


SIDE = 126  # of the grid for betweenness
PEER_SIDE = 20  # of the grid that networkx takes apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    nodes = parser.parse_args().nodes
    small = from_networkx(nx.barabasi_albert_graph(100, 2, seed=1))
    for name in ("degree", "corehd", "ci:2+reinsert", "betweenness:64", "graph"):  # compiles
        make_order(Task(small, 2), name)
    rng = np.random.default_rng(1)
    edges = rng.integers(0, nodes, (5 * nodes, 2))
    graph = from_edges(edges[edges[:, 0] != edges[:, 1]], n=nodes)
    for name in ("degree", "corehd", "ci:2+reinsert", "graph"):
        timed(name, graph, nodes // 100)
    side = SIDE
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    grid.remove_nodes_from(rng.permutation(side * side)[: side * side // 20].tolist())
    timed("betweenness:64", from_networkx(grid), grid.number_of_nodes() // 10)
    timed("betweenness:64:4", from_networkx(grid), grid.number_of_nodes() // 10)
    plain = nx.convert_node_labels_to_integers(nx.grid_2d_graph(PEER_SIDE, PEER_SIDE))
    other = from_networkx(plain)
    for name in ("degree", "betweenness"):
        began = time.perf_counter()
        by_networkx(plain, 40, name)
        slow = time.perf_counter() - began
        began = time.perf_counter()
        if name == "degree":
            make_order(Task(other, 40), name)
        else:
            betweenness_order(other.indptr, other.indices, other.costs, 40, 64, 1, 0)
        fast = time.perf_counter() - began
        print(
            f"{name:18} {plain.number_of_nodes()} nodes: networkx {slow:.2f} s, "
            f"ours {fast:.4f} s, × {slow / fast:.0f}"
        )


if __name__ == "__main__":
    main()
