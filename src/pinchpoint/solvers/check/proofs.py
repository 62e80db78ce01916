"""What is to be checked: a claim about a position, and what can become of it."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np

from pinchpoint.game.modes.base import Mode
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Bools


class FalseClaim(Exception):
    """A certificate that does not hold; the message says what is wrong with it."""


@dataclass(frozen=True)
class BoundClaim:
    """A solution and the position it belongs to."""

    topology: Topology
    mode: Mode
    active: Bools  # [N]
    memory: int
    solution: Solution

    @property
    def graph(self) -> nx.Graph:
        """The graph of the active squares."""
        graph = nx.Graph()
        graph.add_nodes_from(np.flatnonzero(self.active).tolist())
        edges = self.topology.edges()
        graph.add_edges_from(edges[self.active[edges].all(axis=1)].tolist())
        return graph


@dataclass(frozen=True)
class Proof:
    """What an independent solver found in its time."""

    bound: float
    optimum: float | None
