"""Shatter as an integer program: of every connected set of W + 1 nodes at least one goes.

There are too many such sets to write down. The program starts with some, and gets those that its
solution misses until it misses none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from pinchpoint.graph.algorithms import Subgraph, components
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.shatter.set_packing import SetPacking
from pinchpoint.types import Bools, Floats, Rows

# Prices of an entry of the program: at the root of its tree, where presolving and cuts take long,
# and in each node that follows. Roots differ up to five times.
ROOT, BRANCH = 300.0, 40.0
TOLERANCE = 1e-6  # of HiGHS: solutions that differ by less are equal to it
SETS_A_PIECE = 40  # added at a time for a piece that is too large


@dataclass(frozen=True)
class ProgramResult:
    """A lower bound, and the optimum if it was found within the budget."""

    bound: float
    removed: Rows | None


def solve_program(
    part: Subgraph,
    costs: Floats,
    limit: int,
    packing: SetPacking,
    known: Rows,
    budget: Budget,
) -> ProgramResult:
    """Solve the program, or as much of it as the budget allows; `known` is a plan to be beaten."""
    n = len(part.nodes)
    prices, unit = _prices(costs, known)
    everything = np.ones(n, dtype=np.bool_)
    lines = {frozenset(nodes.tolist()) for nodes in packing.sets}
    lines |= _connected_sets(part, everything, np.arange(n), limit + 1)
    bound = packing.value
    while not budget.is_over:
        rows = _rows(lines, n)
        root, branch = ROOT * rows.nnz, BRANCH * rows.nnz
        if budget.steps_left < root:
            break
        answer = milp(
            prices,
            constraints=LinearConstraint(rows, 1, np.inf),
            integrality=np.ones(n),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0.0, **_limits(budget, root, branch)},
        )
        budget.spend(root + branch * (answer.mip_node_count or 0))
        dual = answer.mip_dual_bound
        if dual is not None and math.isfinite(dual):
            bound = max(bound, (dual - TOLERANCE) * unit)
        if answer.status != 0:
            return ProgramResult(bound, None)
        kept = answer.x < 0.5
        missed: set[frozenset[int]] = set()
        for piece in components(part.indptr, part.indices, kept):
            if len(piece) > limit:
                seeds = piece[:: max(len(piece) // SETS_A_PIECE, 1)]
                missed |= _connected_sets(part, kept, seeds, limit + 1)
        if not missed:
            removed = np.flatnonzero(~kept)
            return ProgramResult(float(costs[removed].sum()), removed)
        lines |= missed
    return ProgramResult(bound, None)


def _prices(costs: Floats, known: Rows) -> tuple[Floats, float]:
    """Return costs in a unit that suits the tolerance of the program, and the unit.

    A node of the known plan costs about 1. No node has to cost more than the whole plan, as it is
    in no better one. The unit is a power of two, so that no cost is rounded.
    """
    value = float(costs[known].sum())
    unit = 2.0 ** round(math.log2(value / len(known)))
    return np.minimum(costs, value) / unit, unit


def _limits(budget: Budget, root: float, branch: float) -> dict[str, float]:
    """Return the options that stop the program when the budget is spent."""
    limits: dict[str, float] = {}
    if math.isfinite(budget.seconds_left):
        limits["time_limit"] = max(budget.seconds_left, 1e-3)
    if math.isfinite(budget.steps_left):
        limits["node_limit"] = int((budget.steps_left - root) / branch) + 1
    return limits


def _connected_sets(part: Subgraph, inside: Bools, seeds: Rows, size: int) -> set[frozenset[int]]:
    """Return the sets of `size` nodes that are nearest to each of the seeds."""
    found = set()
    for seed in seeds:
        queue, seen = [int(seed)], {int(seed)}
        for v in queue:
            if len(seen) >= size:
                break
            for u in part.indices[part.indptr[v] : part.indptr[v + 1]]:
                if inside[u] and int(u) not in seen and len(seen) < size:
                    seen.add(int(u))
                    queue.append(int(u))
        if len(seen) == size:
            found.add(frozenset(seen))
    return found


def _rows(lines: set[frozenset[int]], columns: int) -> csr_array:
    """Return a matrix with a row for each set; sorted, so that the program is always the same."""
    ordered = sorted(sorted(line) for line in lines)
    row = np.repeat(np.arange(len(ordered)), [len(line) for line in ordered])
    return csr_array((np.ones(len(row)), (row, np.concatenate(ordered))), (len(ordered), columns))
