"""What is to be checked: a claim about a position, and what can become of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from pinchpoint.game.modes.base import Mode
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Array, Bools

ROUNDING = 1 + Fraction(1, 10**9)  # times its cost: what a node may carry in a certificate


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
    def costs(self) -> Array:  # [N]
        """What nodes cost, in whole numbers of a unit; bounds are such numbers too."""
        return self.topology.whole_costs.amounts

    @property
    def paid(self) -> int:
        """What the moves cost."""
        return self.topology.whole_costs.of(self.solution.moves)

    @property
    def bound(self) -> int:
        """The bound that the solution claims."""
        costs, solution = self.topology.whole_costs, self.solution
        if solution.proven:
            return self.paid
        nearest = math.ceil(Fraction(solution.bound) / costs.unit)
        return nearest - (costs.number(nearest - 1) >= solution.bound)  # it is a rounded number

    def counts(self, mode: type[Mode]) -> bool:
        """Whether the game is of this mode and counts moves."""
        return type(self.mode) is mode and self.topology.unit_costs

    def units(self, weight: float | str) -> Fraction:
        """Return a number of a certificate in units of the costs."""
        try:
            return Fraction(weight) / self.topology.whole_costs.unit
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            raise FalseClaim(f"{weight!r} in the certificate is no number") from None

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

    bound: int  # in units of the costs
    optimum: int | None


def overload(claim: BoundClaim, used: dict[int, Fraction]) -> Fraction:
    """Return how many times its cost the most loaded node carries, at least 1.

    A certificate may have rounded numbers: divided by so much, they are within the costs.
    """
    most = Fraction(1)
    for v, weight in used.items():
        if weight > int(claim.costs[v]):
            most = max(most, weight / int(claim.costs[v]))
        if most > ROUNDING:
            raise FalseClaim(f"node {v} of the certificate carries more than it costs")
    return most


def check_enough(claim: BoundClaim, bound: int) -> None:
    """Raise FalseClaim if the moves cost less than is needed."""
    if bound > claim.paid:
        needed = claim.topology.whole_costs.number(bound)
        raise FalseClaim(f"a cost of {needed} is needed, the solution has less")
