"""Solve shatter: the cheapest set of nodes without which no piece has more than W nodes.

Each active piece is solved by itself. A tree is solved from its leaves (`trees`). With W = 1
the set is a vertex cover, which flow finds on bipartite graphs such as square lattices (`cover`).
Elsewhere an integer program is solved where it is small enough (`program`), and search finds a plan
for any size (`plan`). The bound is a packing (`set_packing`): connected sets of W + 1 nodes, each
of which must lose a node.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.graph.algorithms import Subgraph, components, subgraph
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.shatter.cover import bipartite_sides, cheapest_cover
from pinchpoint.solvers.shatter.plan import best_plan, minimal
from pinchpoint.solvers.shatter.program import solve_program
from pinchpoint.solvers.shatter.set_packing import SetPacking, pack
from pinchpoint.solvers.shatter.trees import cheapest_cuts, cut_tree, is_tree
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Rows

LARGEST_CERTIFICATE = 200_000  # nodes in the sets of a packing; a larger one is left out
SMALL_PROGRAM = 60  # nodes
LARGEST_PROGRAM = 400  # nodes; larger programs take too long to solve


@dataclass(frozen=True)
class SolvedPiece:
    """The answer for one piece, in the numbers of the whole graph."""

    removed: Rows
    bound: int
    packing: SetPacking


def solve_shatter(games: Games, time_limit: float, work: float = math.inf) -> list[Solution]:
    """Return the optimum of every position, or the best found within the limits with a bound."""
    return [_solve_position(games, row, Budget(time_limit, work)) for row in range(len(games))]


def _solve_position(games: Games, row: int, budget: Budget) -> Solution:
    """Solve every active piece by itself, small ones first; each gets its share of the budget."""
    start = time.perf_counter()
    topology, limit = games.topology, int(games.memory[row])
    number = np.full(topology.n, -1, dtype=np.int32)
    found = []
    pieces = components(topology.indptr, topology.indices, games.active[row])
    left = sum(map(len, pieces))
    for nodes in sorted(pieces, key=len):
        share = budget.part(len(nodes) / left)
        part = subgraph(topology.indptr, topology.indices, nodes, number)
        removed, least, packing = _solve_piece(part, topology.whole_costs.take(nodes), limit, share)
        found.append(SolvedPiece(nodes[removed], least, packing.renamed(nodes)))
        left -= len(nodes)
    # A set without a node to spare can be played in any order: without the others, each is needed.
    moves = sorted(int(node) for piece in found for node in piece.removed)
    bound = sum(piece.bound for piece in found)
    proof = _certificate(found, limit, topology)
    return Solution.of(moves, bound, proof, time.perf_counter() - start, topology.whole_costs)


def _solve_piece(
    part: Subgraph, costs: WholeCosts, limit: int, budget: Budget
) -> tuple[Rows, int, SetPacking]:
    """Solve one piece of more than `limit` nodes: return what goes, the bound and the packing."""
    n = len(part.nodes)
    if is_tree(part):
        if np.all(costs.amounts == costs.amounts[0]):
            removed, packing = cut_tree(part, costs, limit)
            return removed, packing.value, packing
        cuts = cheapest_cuts(part, costs, limit, budget)
        if cuts is not None:
            cuts = minimal(part, cuts, limit)
            return cuts, costs.of(cuts), pack(part, costs, limit)
    sides = bipartite_sides(part) if limit == 1 else None
    if sides is not None:
        removed, packing = cheapest_cover(part, sides, costs, budget)
        if packing.value < costs.of(removed):
            removed = minimal(part, removed, limit)
        return removed, packing.value, packing
    packing = pack(part, costs, limit)
    bound = packing.value
    # A small program is solved sooner than a search would end.
    share = 0.0 if n <= SMALL_PROGRAM else 0.4
    removed = best_plan(part, costs, limit, bound, budget.part(share))
    if bound < costs.of(removed) and n <= LARGEST_PROGRAM:
        bound, removed = solve_program(part, costs, limit, packing, removed, budget.part(0.8))
    if bound < costs.of(removed):
        removed = best_plan(part, costs, limit, bound, budget, removed)
    return removed, bound, packing


def _certificate(pieces: list[SolvedPiece], limit: int, topology: Topology) -> dict[str, Any]:
    """Return the packings as JSON can hold them: sets of nodes with their weights."""
    certificate: dict[str, Any] = {"kind": "shatter", "limit": limit}
    if sum(piece.packing.nodes for piece in pieces) > LARGEST_CERTIFICATE:
        return certificate
    costs, unit_costs = topology.whole_costs, topology.unit_costs
    sets = [
        [nodes.tolist(), 1.0 if unit_costs else costs.written(int(weight))]
        for piece in pieces
        for nodes, weight in zip(piece.packing.sets, piece.packing.weights, strict=True)
    ]
    return certificate | {"sets": sets}
