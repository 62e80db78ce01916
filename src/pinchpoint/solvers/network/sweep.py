"""The order in which a sweep decides the nodes of a component.

A sweep decides the nodes one by one. All that matters of the swept part is the *frontier*, the
swept nodes that still have unswept neighbours: which of them are joined, how large their pieces
are, and at what cost. Every other detail is forgotten, so that many sets of removals share one
state. A short frontier keeps the number of states small, so the order of the nodes matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import outer_kernel
from pinchpoint.graph.algorithms import Subgraph, flood, subgraph
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.fronts import front_lengths, grow_order
from pinchpoint.solvers.network.anneal import ActivePiece
from pinchpoint.types import Bools, Ints, Longs

MAX_WIDTH = 30  # nodes of the frontier
REGIONS = 32  # unswept regions that are told apart
ORDER_NODE = 8.0  # price of a node of an order
BUILD_NODE, PAIR = 2.0, 0.02  # prices of a sweep: a node, a pair of nodes
GROWTH = 1.8  # of the states with the frontier, to choose between orders

Orders = dict[bytes, Ints]  # those found so far, by the key of their core


class Sweep(NamedTuple):
    """A sweep order of a component with weights, node by node."""

    slot: Ints  # [m]  frontier slot of each node, in sweep order
    weight: Ints  # [m]  the node itself and what hangs on it alone
    hung: Ints  # [m]  how many pieces hang on it
    near: Ints  # [m, D]  slots of its swept neighbours, −1 beyond
    leave: Ints  # [m, D + 1]  slots that leave the frontier after it, −1 beyond
    room: Longs  # [m, width]  bit set: unswept regions that a slot's node touches afterwards
    region: Ints  # [m, 32]  weights of those regions


# -- the order ---------------------------------------------------------------------------------


@outer_kernel
def hang(p: ActivePiece, most: int) -> tuple[bool, Bools, Ints, Ints]:  # [n] each
    """Find the nodes that hang on a single other one in pieces of at most `most`.

    Removing the node they hang on is always at least as good as removing any of them. Return
    whether some node has nothing but such pieces (then one removal is enough), and if not, which
    nodes hang on none, their weights with all that hangs on them, and how many pieces that is.
    """
    n = p.indptr.shape[0] - 1
    core, weight, hung = np.ones(n, np.bool_), np.ones(n, np.int32), np.zeros(n, np.int32)
    piece, sizes, stack = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    for node in range(n):
        piece[:] = 1
        piece[node] = 0
        colour, large = 1, 0
        for i in range(p.indptr[node], p.indptr[node + 1]):
            other = p.indices[i]
            if piece[other] != 1:
                continue
            colour += 1
            sizes[colour - 2] = flood(p.indptr, p.indices, other, 1, colour, piece, stack)
            if sizes[colour - 2] > most:
                large += 1
            else:
                weight[node] += sizes[colour - 2]
                hung[node] += 1
        if large == 0:
            return True, core, weight, hung
        if hung[node] > 0:
            for other in range(n):
                if piece[other] > 1 and sizes[piece[other] - 2] <= most:
                    core[other] = False
    return False, core, weight, hung


@dataclass
class Core:
    """What is left without the hanging parts, renumbered."""

    graph: Subgraph
    weight: Ints
    hung: Ints
    key: bytes  # which nodes of the component it has


def core_of(p: ActivePiece, most: int) -> Core | None:
    """Return the core for pieces of at most `most`, or None if one removal is enough."""
    one_is_enough, core, weight, hung = hang(p, most)
    if one_is_enough:
        return None
    part = subgraph(p.indptr, p.indices, np.flatnonzero(core))
    return Core(part, weight[part.nodes], hung[part.nodes], core.tobytes())


def frontier_sizes(core: Core, order: Ints) -> Longs:
    """Return how long the frontier is while each node is being swept."""
    after = front_lengths(core.graph.indptr, core.graph.indices, order)
    return 1 + np.concatenate([[0], after[:-1]])


@outer_kernel
def regions_ahead(
    indptr: Ints,  # neighbours by their place in the sweep order
    indices: Ints,
    weight: Ints,  # [m]
    slot: Ints,  # [m]
    last: Ints,  # [m]  the step after which a node leaves the frontier
    width: int,
) -> tuple[Longs, Ints]:
    """Return `room` and `region` of a sweep: what its slots touch ahead of each step."""
    m = weight.shape[0]
    room, region = np.zeros((m, width), np.int64), np.zeros((m, REGIONS), np.int32)
    mark, stack = np.empty(m, np.int32), np.empty(m, np.int32)
    for step in range(m):
        mark[:] = -1
        count = 0
        for start in range(step + 1, m):
            if mark[start] >= 0:
                continue
            mark[start] = count
            stack[0] = start
            top, total = 1, 0
            while top > 0:
                top -= 1
                total += weight[stack[top]]
                now = stack[top]
                for i in range(indptr[now], indptr[now + 1]):
                    if indices[i] > step and mark[indices[i]] < 0:
                        mark[indices[i]] = count
                        stack[top] = indices[i]
                        top += 1
            if count < REGIONS:
                region[step, count] = total
            count += 1
        for swept in range(step + 1):
            if last[swept] <= step:
                continue
            for i in range(indptr[swept], indptr[swept + 1]):
                touched = mark[indices[i]]
                if 0 <= touched < REGIONS:
                    room[step, slot[swept]] |= 1 << touched
    return room, region


def plan_order(core: Core, orders: Orders, budget: Budget) -> Ints:
    """Return the best of a few orders; what it takes to find them is paid once for a core."""
    m = len(core.weight)
    if core.key not in orders:
        count = 8 if m <= 500 else 2  # a long search pays on small boards only
        budget.spend((count + 1) * ORDER_NODE * m)
        starts = sorted({i * (m - 1) // (count - 1) for i in range(count)})
        graph = core.graph.indptr, core.graph.indices
        grown = [np.arange(m, dtype=np.int32), *(grow_order(*graph, v, False) for v in starts)]
        orders[core.key] = min(
            grown, key=lambda order: float(np.sum(GROWTH ** frontier_sizes(core, order)))
        )
    budget.spend(2 * (BUILD_NODE * m + PAIR * m**2))  # for the sweeps that are built with it
    return orders[core.key]


def build_sweep(core: Core, order: Ints) -> Sweep | None:
    """Return the sweep as arrays, or None if the frontier is too long."""
    m, width = len(order), int(frontier_sizes(core, order).max())
    if width > MAX_WIDTH:
        return None
    degree = int(np.diff(core.graph.indptr).max())
    near = np.full((m, degree), -1, dtype=np.int32)
    leave = np.full((m, degree + 1), -1, dtype=np.int32)
    slots, last = np.zeros((2, m), dtype=np.int32)
    place = np.empty(m, dtype=np.int32)
    place[order] = np.arange(m)
    around = np.split(place[core.graph.indices], core.graph.indptr[1:-1])
    rows = [sorted(around[node].tolist()) for node in order]
    free = list(range(width))[::-1]
    for step, row in enumerate(rows):
        slots[step] = free.pop()
        last[step] = max([step, *row])
        swept = [u for u in row if u < step]
        near[step, : len(swept)] = slots[swept]
        gone = [u for u in [*swept, step] if last[u] == step]
        leave[step, : len(gone)] = slots[gone]
        free += slots[gone].tolist()
    weight, hung = core.weight[order], core.hung[order]
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    indices = np.array([u for row in rows for u in row], dtype=np.int32)
    ahead = regions_ahead(indptr, indices, weight, slots, last, width)
    return Sweep(slots, weight, hung, near, leave, *ahead)
