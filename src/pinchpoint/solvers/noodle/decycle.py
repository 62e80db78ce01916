"""Minimum decycling of a graph: remove the fewest nodes so that no cycle is left.

With `inclusive`, every piece may keep one cycle. Leaves lie on no cycle and are stripped first.
Each connected piece of the core that is left is solved by itself: a greedy solution, weights for a
lower bound (`packing`), then sweeps that improve both until they meet (`sweep`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pinchpoint.compiled import outer_kernel
from pinchpoint.game.growth import without_spare
from pinchpoint.game.judge import Judge
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.graph.algorithms import (
    Subgraph,
    components,
    strip_after,
    strip_leaves,
    subgraph,
)
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.noodle.cycle_packing import CyclePacking, best_packing, even_packing, fewest
from pinchpoint.solvers.noodle.cycle_sweep import PLAN_NODE, CycleSweep, narrow_order
from pinchpoint.solvers.solution import round_up
from pinchpoint.types import Bools, Ints

LARGEST_SWEPT = 20_000  # nodes; beyond, planning a sweep alone takes longer than anyone waits
FIRST_WIDTH, GROWTH, LAST_WIDTH = 64, 4, 1 << 18  # of sweeps; the last bounds the memory
WEIGHING_SHARE = 0.4  # of the budget goes to the linear programs at most


@dataclass(frozen=True)
class Decycling:
    """Nodes of one core to remove, a lower bound, and the weights behind (part of) that bound."""

    removed: list[int]  # as the whole graph calls them
    bound: int
    core: Subgraph
    packing: CyclePacking


def find_cores(indptr: Ints, indices: Ints, active: Bools, inclusive: bool) -> list[Subgraph]:
    """Return the connected pieces of the 2-core of the active nodes that need a removal."""
    alive = active.copy()
    degree, stack = np.empty((2, len(alive)), dtype=np.int32)
    strip_leaves(indptr, indices, alive, degree, stack)
    number = np.full(len(alive), -1, dtype=np.int32)
    pieces = components(indptr, indices, alive)
    cores = [subgraph(indptr, indices, nodes, number) for nodes in pieces]
    # A piece that has as many edges as nodes is a ring: inclusive, it may stay.
    return [c for c in cores if not inclusive or len(c.indices) > 2 * len(c.nodes)]


def decycle(core: Subgraph, inclusive: bool, budget: Budget) -> Decycling:
    """Find the fewest nodes to remove from a core, as far as the budget allows."""
    n, edges = len(core.nodes), core.edges
    best = greedy(core, inclusive)
    packing = even_packing(n, edges)
    # A node takes one less from E − A than its degree; E − A must come down to −1, inclusive: 0.
    excess = len(edges) - n + (0 if inclusive else 1)
    bound = max(1, fewest(np.diff(core.indptr) - 1, excess))
    if n <= LARGEST_SWEPT and bound < len(best) and not budget.is_over:
        # A narrow front is best where the graph is sparse, the order of the nodes where it is
        # dense; each can be followed from either end.
        narrow, given = narrow_order(core), np.arange(n, dtype=np.int32)
        orders = [narrow, given, narrow[::-1].copy(), given[::-1].copy()]
        share = budget.part(WEIGHING_SHARE)
        packing = best_packing(n, edges, orders[0], not inclusive, share)
        bound = max(bound, round_up(packing.bound))
        best, bound = improve(core, inclusive, orders, packing, best, bound, budget)
    return Decycling([int(core.nodes[v]) for v in best], bound, core, packing)


def improve(
    core: Subgraph,
    inclusive: bool,
    orders: list[Ints],
    packing: CyclePacking,
    best: list[int],
    bound: int,
    budget: Budget,
) -> tuple[list[int], int]:
    """Sweep ever wider, in ever fewer orders, until solution and bound meet or all is spent."""
    width, sweeps = FIRST_WIDTH, []
    if bound < len(best):
        budget.spend(PLAN_NODE * len(core.nodes) * len(orders))
        sweeps = [CycleSweep(core.indptr, core.indices, o, packing, inclusive) for o in orders]
    while bound < len(best) and width <= LAST_WIDTH and not budget.is_over:
        losses = []
        for sweep in sweeps:
            found, lost = sweep.run(width, len(best), budget)
            best = found if found is not None else best
            bound = max(bound, round_up(min(len(best), lost)))
            losses.append(lost)
            if bound >= len(best):
                return best, bound
        ranking = sorted(range(len(sweeps)), key=lambda k: -losses[k])
        sweeps = [sweeps[k] for k in ranking[: (len(sweeps) + 1) // 2]]
        width *= GROWTH
    return best, bound


def greedy(core: Subgraph, inclusive: bool) -> list[int]:
    """Find a fair solution at once: remove high degrees, then put back what is not needed."""
    removed = remove_high_degrees(core.indptr, core.indices, inclusive)
    faces = np.full(len(core.nodes), 4, dtype=np.int32)  # with K = 2, an inactive piece is a tree
    graph = Topology(core.indptr, core.indices, faces)
    judge = Judge(Noodle(K=2.0, inclusive=inclusive), graph)
    return sorted(without_spare(judge, removed[::-1]).tolist())


@outer_kernel
def remove_high_degrees(indptr: Ints, indices: Ints, inclusive: bool) -> Ints:
    """Return nodes of the highest degree, leaves stripped, until only allowed cycles are left."""
    n = len(indptr) - 1
    alive, degree = np.ones(n, np.bool_), np.diff(indptr)
    removed, stack = np.empty(n, np.int32), np.empty(n, np.int32)
    count = 0
    high = degree.max()
    least = 3 if inclusive else 2  # inclusive, a ring may stay
    while high >= least:
        below = 0
        for v in range(len(alive)):  # degrees only fall, so one pass meets all that are this high
            if alive[v] and degree[v] >= high:
                alive[v] = False
                removed[count] = v
                count += 1
                stack[0] = v
                strip_after(indptr, indices, alive, degree, stack, 1)
        for v in range(len(alive)):
            if alive[v]:
                below = max(below, degree[v])
        high = below
    return removed[:count]
