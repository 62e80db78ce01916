"""Shatter as an integer program: of every connected set of W + 1 nodes at least one goes.

There are too many such sets to write down. The program starts with some, and gets those that its
solution misses until it misses none. Of m > W nodes that all touch each other, m − W go.

HiGHS computes with rounded numbers, so that what it says is true of costs of a few digits only. The
program has the first bits of the costs. A plan that is better than the best has a cost there that
is not higher. All plans for which that is so are looked at: each that is found is excluded, with
the plans that contain it, until the bound of what is left exceeds the first bits of the best.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint
from scipy.sparse import csr_array

from pinchpoint.graph.algorithms import Subgraph, components
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.highs import solve_milp
from pinchpoint.solvers.shatter.plan import minimal
from pinchpoint.solvers.shatter.set_packing import SetPacking
from pinchpoint.types import Bools, Floats, Rows

# Prices of an entry of the program: at the root of its tree, where presolving and cuts take long,
# and in each node that follows. Roots differ up to five times.
ROOT, BRANCH = 300.0, 40.0
BITS = 17  # of a plan's cost in the program
# By how much the bound of HiGHS may be wrong: by its tolerance for whole numbers, in every node.
ERROR, TOLERANCE = 0.01, 3e-6
INFEASIBLE = 2  # status of a program
SETS_A_PIECE = 40  # added at a time for a piece that is too large


class Line(NamedTuple):
    """Nodes of which so many go at least."""

    nodes: frozenset[int]
    least: int


def solve_program(
    part: Subgraph,
    costs: WholeCosts,
    limit: int,
    packing: SetPacking,
    known: Rows,
    budget: Budget,
) -> tuple[int, Rows]:
    """Solve the program, or as much of it as the budget allows; `known` is a plan to be beaten.

    Return a lower bound, and the best plan that is known: the optimum if it costs as much.
    """
    n, value = len(part.nodes), costs.of(known)
    shift = max(value.bit_length() - BITS, 0)
    # No node has to cost more than the whole plan, as it is in no better one.
    prices = (np.minimum(costs.amounts, value) >> shift).astype(np.float64)
    # A node of the known plan costs about 1, which suits HiGHS. A power of two rounds nothing.
    scale = 2.0 ** round(math.log2(max(value >> shift, 1) / len(known)))
    error = ERROR + TOLERANCE * (value >> shift)
    lines = {Line(frozenset(nodes.tolist()), 1) for nodes in packing.sets} | _cliques(part, limit)
    lines |= _connected_sets(part, np.ones(n, dtype=np.bool_), np.arange(n), limit + 1)
    found: list[Rows] = []
    bound = packing.value
    while bound < value and not budget.is_over:
        rows, least = _rows(lines, found, n)
        root, branch = ROOT * rows.nnz, BRANCH * rows.nnz
        if budget.steps_left < root:
            break
        answer = solve_milp(
            prices / scale,
            constraints=LinearConstraint(rows, least, np.inf),
            integrality=np.ones(n),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0.0, **_limits(budget, root, branch)},
        )
        budget.spend(root + branch * (answer.mip_node_count or 0))
        if answer.status == INFEASIBLE:  # the plans found, and what contains them, are all
            return value, known
        dual = answer.mip_dual_bound
        if dual is not None and math.isfinite(dual):
            bound = max(bound, min(value, math.ceil(dual * scale - error) << shift))
        if answer.status != 0:
            break
        kept = answer.x < 0.5
        missed: set[Line] = set()
        for piece in components(part.indptr, part.indices, kept):
            if len(piece) > limit:
                seeds = piece[:: max(len(piece) // SETS_A_PIECE, 1)]
                missed |= _connected_sets(part, kept, seeds, limit + 1)
        lines |= missed
        if not missed:
            dear_first = np.argsort(-costs.amounts, kind="stable")
            plan = minimal(part, dear_first[~kept[dear_first]], limit)
            found.append(plan)
            if costs.of(plan) <= value:
                known, value = np.sort(plan), costs.of(plan)
    return bound, known


def _limits(budget: Budget, root: float, branch: float) -> dict[str, float]:
    """Return the options that stop the program when the budget is spent."""
    limits: dict[str, float] = {}
    if math.isfinite(budget.seconds_left):
        limits["time_limit"] = max(budget.seconds_left, 1e-3)
    if math.isfinite(budget.steps_left):
        limits["node_limit"] = int((budget.steps_left - root) / branch) + 1
    return limits


def _connected_sets(part: Subgraph, inside: Bools, seeds: Rows, size: int) -> set[Line]:
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
            found.add(Line(frozenset(seen), 1))
    return found


def _cliques(part: Subgraph, limit: int) -> set[Line]:
    """Return sets of more than W + 1 nodes that all touch each other, grown from each node."""
    near = [set(row.tolist()) for row in np.split(part.indices, part.indptr[1:-1])]
    found = set()
    for v, around in enumerate(near):
        clique, common = {v}, set(around)
        while common:
            u = max(common, key=lambda u: (len(near[u] & common), -u))
            clique.add(u)
            common &= near[u]
        if len(clique) > max(limit + 1, 3):
            found.add(Line(frozenset(clique), len(clique) - limit))
    return found


def _rows(lines: set[Line], found: list[Rows], columns: int) -> tuple[csr_array, Floats]:
    """Return a matrix with a row for each set, sorted, and for each plan to exclude.

    Also return the least that a row has to come to.
    """
    ordered = sorted((sorted(line.nodes), line.least) for line in lines)
    sets = [nodes for nodes, _ in ordered] + [plan.tolist() for plan in found]
    lengths = [len(nodes) for nodes in sets]
    sign = np.where(np.arange(len(sets)) < len(ordered), 1.0, -1.0)  # of a plan, a node must stay
    place = (np.repeat(np.arange(len(sets)), lengths), np.concatenate(sets))
    rows = csr_array((np.repeat(sign, lengths), place), (len(sets), columns))
    least = [least for _, least in ordered] + [1 - len(plan) for plan in found]
    return rows, np.array(least, dtype=np.float64)
