"""Random cases for the tests: a topology, boards, a mode, and the slow rule it must obey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import reference

from chokepoint.game import Games, Mode, get_mode
from chokepoint.graph import Topology, from_edges, from_networkx, lattice

Rng = np.random.Generator


@dataclass
class Case:
    topology: Topology
    neighbours: reference.Neighbours
    node_faces: list[int]
    mode: Mode
    judge: reference.Judge
    opened: npt.NDArray[np.uint8]  # [B, N]

    def fast(self) -> Games:
        return Games(self.opened, self.mode, self.topology)

    def slow(self) -> list[reference.SlowGame]:
        return [
            reference.SlowGame(self.neighbours, np.flatnonzero(row).tolist(), self.judge)
            for row in self.opened
        ]


def lattice_case(rng: Rng, height: int, width: int, games: int = 4) -> Case:
    neighbours = reference.lattice_neighbours(height, width)
    n = height * width
    mode, judge = random_rule(rng, n, [4] * n, (height, width))
    return Case(lattice(height, width), neighbours, [4] * n, mode, judge, boards(rng, games, n))


def graph_case(rng: Rng, games: int = 4) -> Case:
    graph, extra = random_graph(rng), int(rng.integers(3))
    n, edges = graph.number_of_nodes(), list(graph.edges())
    if rng.random() < 0.5:
        topology = from_networkx(graph, extra_faces=extra)
    else:
        topology = from_edges(edges, n=n, extra_faces=extra)
    neighbours = reference.edge_neighbours(n, edges)
    faces = [len(nodes) + extra for nodes in neighbours]
    mode, judge = random_rule(rng, n, faces, None)
    return Case(topology, neighbours, faces, mode, judge, boards(rng, games, n))


def random_graph(rng: Rng) -> nx.Graph:
    """A graph whose nodes are 0 to n − 1, sparse or dense, with hubs or without."""
    n, seed = int(rng.integers(1, 60)), int(rng.integers(2**31))
    makers: list[Callable[[], nx.Graph]] = [
        lambda: nx.gnp_random_graph(n, min(1.0, rng.uniform(0.5, 4) / n), seed=seed),
        lambda: nx.barabasi_albert_graph(n + 2, 2, seed=seed),
        lambda: nx.random_labeled_tree(n, seed=seed),
        lambda: nx.star_graph(n),
        lambda: nx.complete_graph(min(n, 12)),
        lambda: nx.cycle_graph(n + 2),
        lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 7, periodic=True)),
        lambda: nx.watts_strogatz_graph(n + 4, 4, 0.1, seed=seed),
    ]
    return makers[rng.integers(len(makers))]()


def boards(rng: Rng, games: int, n: int) -> npt.NDArray[np.uint8]:
    density = rng.choice([0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0], size=(games, 1))
    return (rng.random((games, n)) < density).astype(np.uint8)


def random_rule(
    rng: Rng, n: int, faces: list[int], shape: tuple[int, int] | None
) -> tuple[Mode, reference.Judge]:
    kind = rng.integers(3)
    if kind == 0:
        return get_mode("network"), reference.network
    if kind == 1:
        if shape and rng.random() < 0.7:
            axis = str(rng.choice(["vertical", "horizontal", "both"]))
            return get_mode("flow", axis=axis), reference.flow(reference.sides(*shape, axis))
        first, last = (rng.choice(n, rng.integers(1, n // 3 + 2), replace=False) for _ in range(2))
        mode = get_mode("flow", terminals=(first.tolist(), last.tolist()))
        return mode, reference.flow([(first.tolist(), last.tolist())])
    options: dict[str, Any] = {
        "K": float(rng.choice([0.5, 1.0, 1.5, 2.0, 2.0, 2.0, 2.2, 2.5, 3.0])),
        "inclusive": bool(rng.integers(2)),
    }
    return get_mode("noodle", **options), reference.noodle(faces, **options)
