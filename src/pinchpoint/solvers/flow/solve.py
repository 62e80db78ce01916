"""Solve flow exactly: the fewest moves are a smallest cut between the terminals.

On a planar square grid a cut between two opposite sides is a cheapest curve of squares between the
other two (`curves`); for axis both it is a cheapest tree that reaches all four sides. On any other
graph, and between terminals of the user's own, maximum flow finds the cut (`node_cuts`). Two pairs
of sides at once, axis both without a grid, are left to search: there the largest of the two cuts is
a bound, and both cuts together are a plan.
"""

from __future__ import annotations

import math
import time
from typing import Any, cast

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.node_cuts import NodeCut
from pinchpoint.solvers.any_mode import PlanSearch, without_spare
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.flow.grid_cuts import cut_boards, downward_paths
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Bools, Bytes, Ints, Rows

CHUNK = 1 << 22  # squares in a batch of boards: bounds the memory of the answer


def solve_flow(games: Games, time_limit: float, work: float = math.inf) -> list[Solution]:
    """Return the optimum of every position; only search comes to its limits."""
    if not on_grid(games):
        return [_solve_graph(games, row, Budget(time_limit, work)) for row in range(len(games))]
    solutions = []
    for rows in _chunks(games):
        start = time.perf_counter()
        values, moves, _ = cut_grid(games, rows)
        plans = [moves[i, : values[i]].tolist() for i in range(len(values))]
        proofs = [_grid_certificate(games, row, p) for row, p in zip(rows, plans, strict=True)]
        seconds = (time.perf_counter() - start) / len(rows)
        solutions += [
            Solution.of(plan, len(plan), proof, seconds)
            for plan, proof in zip(plans, proofs, strict=True)
        ]
    return solutions


def optimal_flow_squares(games: Games) -> Bools:  # [B, N]
    """Return all optimal moves of each position: the nodes that lie on some smallest cut."""
    if on_grid(games):
        parts = [cut_grid(games, rows)[2] for rows in _chunks(games)]
        return np.concatenate([np.zeros((0, games.topology.n), dtype=np.bool_), *parts])
    if len(games.mode.terminal_sets(games.topology)) > 1:
        raise InputError("all optimal moves for axis both are known on a planar square grid only")
    cuts = [_cuts(games, row, Budget())[0].on_some_cut() for row in range(len(games))]
    return np.array(cuts, dtype=np.bool_).reshape(len(games), games.topology.n)


def on_grid(games: Games) -> bool:
    """Whether the terminals are sides of a planar square grid whose squares cost 1 each."""
    ours = games.topology.grid is not None and cast(Flow, games.mode).terminals is None
    return ours and games.topology.unit_costs


# -- planar square grids ---------------------------------------------------------------------------


def cut_grid(games: Games, rows: Rows) -> tuple[Ints, Ints, Bools]:
    """Return for each row the size of a smallest cut, its squares (then -1), all optimal moves."""
    height, width = games.topology.lattice_shape()
    ends, sides = curve_ends(cast(Flow, games.mode).axis, height, width)
    return cut_boards(games.status[rows], ends, sides, (height, width))


def curve_ends(axis: str, height: int, width: int) -> tuple[Bytes, int]:
    """Mark the sides that a curve has to reach: bit k of a square is set if it lies on side k."""
    ends = np.zeros((height, width), dtype=np.uint8)
    sides = 0
    if axis in ("vertical", "both"):  # a curve from left to right
        ends[:, 0] |= 1
        ends[:, -1] |= 2
        sides = 2
    if axis in ("horizontal", "both"):
        ends[0] |= np.uint8(1 << sides)
        ends[-1] |= np.uint8(2 << sides)
        sides += 2
    return ends.ravel(), sides


def grid_paths(active: Bools, axis: str) -> list[list[int]]:
    """Return as many disjoint paths from side to side (one axis) as a grid [h, w] has."""
    square = np.arange(active.size, dtype=np.int32).reshape(active.shape)
    if axis == "horizontal":
        active, square = active.T, square.T
    names = square.ravel()
    return [names[path].tolist() for path in downward_paths(active)]


def _grid_certificate(games: Games, row: int, plan: list[int]) -> dict[str, Any]:
    """Return the cut and the disjoint paths; for axis both these may be fewer than the moves."""
    active = games.status[row].reshape(games.topology.lattice_shape()) == ACTIVE
    names = _pair_names(games)
    paths = {name: grid_paths(active, name) for name in names}
    if len(names) == 1 and len(paths[names[0]]) != len(plan):
        raise AssertionError(f"a cut of {len(plan)} squares faces {len(paths[names[0]])} paths")
    return {"kind": "flow", "cut": plan, "paths": paths}


# -- any other graph -------------------------------------------------------------------------


def _solve_graph(games: Games, row: int, budget: Budget) -> Solution:
    start = time.perf_counter()
    costs = games.topology.whole_costs
    cuts = _cuts(games, row, budget)
    certificate: dict[str, Any] = {"kind": "flow", "paths": {}, "amounts": {}}
    for name, cut in zip(_pair_names(games), cuts, strict=True):
        certificate["paths"][name], amounts = cut.paths()
        certificate["amounts"][name] = [costs.written(amount) for amount in amounts]
    if games.topology.unit_costs:
        del certificate["amounts"]
    bound = max(cut.amount for cut in cuts)
    moves = sorted({node for cut in cuts for node in cut.nodes().tolist()})
    if len(cuts) > 1:
        search = PlanSearch(games.take([row]), bound, budget)
        search.run(moves)
        moves, bound = search.plan, search.bound
    elif bound < costs.of(moves):  # the budget ended before all bits of the costs were counted
        moves = without_spare(games.take([row]), moves)
    certificate["cut"] = moves
    seconds = time.perf_counter() - start
    return Solution.of(moves, bound, certificate, seconds, costs)


def _cuts(games: Games, row: int, budget: Budget) -> list[NodeCut]:
    """Return a cheapest cut for each pair of terminals."""
    topology, active = games.topology, games.active[row]
    cuts = []
    for first, last in games.mode.terminal_sets(topology):
        ends = np.zeros((2, topology.n), dtype=np.bool_)
        ends[0, first] = ends[1, last] = True
        graph = topology.indptr, topology.indices
        costs = topology.whole_costs.amounts
        cuts.append(NodeCut(*graph, active, ends[0], ends[1], costs, lambda: not budget.is_over))
    return cuts


def _pair_names(games: Games) -> tuple[str, ...]:
    """Return what a certificate calls the pairs of terminals."""
    mode = cast(Flow, games.mode)
    if mode.terminals is not None:
        return ("terminals",)
    return tuple(games.topology.sides) if mode.axis == "both" else (mode.axis,)


def _chunks(games: Games) -> list[Rows]:
    size = max(CHUNK // games.topology.n, 1)
    return [np.arange(k, min(k + size, len(games))) for k in range(0, len(games), size)]
