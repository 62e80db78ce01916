"""Small random graphs of networkx, and what is left of them as nodes go, counted anew."""

from __future__ import annotations

import networkx as nx
import numpy as np


def random_graph(seed: int, n: int = 40) -> nx.Graph:
    rng = np.random.default_rng(seed)
    makers = [
        lambda: nx.gnm_random_graph(n, int(rng.integers(n // 2, 3 * n)), seed=seed),
        lambda: nx.barabasi_albert_graph(n, 2, seed=seed),
        lambda: nx.random_labeled_tree(n, seed=seed),
        lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, n // 5)),
    ]
    return makers[seed % 4]()


def counted_anew(graph: nx.Graph, order: list[int]) -> list[tuple[int, int, int]]:
    left, found = graph.copy(), []
    for v in order:
        left.remove_node(v)
        sizes = sorted(map(len, nx.connected_components(left)), reverse=True)
        pairs = sum(s * (s - 1) // 2 for s in sizes)
        found.append(([*sizes, 0][0], [*sizes, 0, 0][1], pairs))
    return found
