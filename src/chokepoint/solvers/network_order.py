"""In which order to sweep a component: the core that matters, and a short frontier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.solvers.network_frontier import MAX_WIDTH, REGIONS, Sweep
from chokepoint.solvers.network_kernels import Piece, Scratch, flood
from chokepoint.topology import Bools, Ints

GROWTH = 1.8  # of the states with the frontier, to choose between sweep orders


@kernel
def hang(p: Piece, room: int, core: Bools, weight: Ints, hung: Ints, s: Scratch) -> bool:
    """Find the squares that hang on a single other one in pieces of at most `room`.

    Removing the square they hang on is always at least as good as removing any of them. True if
    some square has nothing but such pieces: then one removal is enough.
    """
    n = p.indptr.shape[0] - 1
    core[:] = True
    for square in range(n):
        weight[square] = 1
        hung[square] = 0
        s.piece[:] = 1
        s.piece[square] = 0
        colour, large = 1, 0
        for i in range(p.indptr[square], p.indptr[square + 1]):
            other = p.indices[i]
            if s.piece[other] != 1:
                continue
            colour += 1
            s.sizes[colour - 2] = flood(p, other, 1, colour, s.piece, s.stack)
            if s.sizes[colour - 2] > room:
                large += 1
            else:
                weight[square] += s.sizes[colour - 2]
                hung[square] += 1
        if large == 0:
            return True
        if hung[square] > 0:
            for other in range(n):
                if s.piece[other] > 1 and s.sizes[s.piece[other] - 2] <= room:
                    core[other] = False
    return False


@dataclass
class Core:
    """What is left without the hanging parts, renumbered."""

    neighbours: list[list[int]]
    weight: list[int]
    hung: list[int]


def core_of(p: Piece, room: int, s: Scratch) -> Core | None:
    """The core for pieces of at most `room`, or None if one removal is enough."""
    n = len(p.indptr) - 1
    core = np.ones(n, dtype=np.bool_)
    weight, hung = np.ones(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    if hang(p, room, core, weight, hung, s):
        return None
    nodes = np.flatnonzero(core)
    number = {int(node): i for i, node in enumerate(nodes)}
    rows = [p.indices[p.indptr[v] : p.indptr[v + 1]].tolist() for v in nodes]
    neighbours = [[number[u] for u in row if u in number] for row in rows]
    return Core(neighbours, weight[nodes].tolist(), hung[nodes].tolist())


def whole_of(p: Piece) -> Core:
    """The whole component, nothing left out."""
    n = len(p.indptr) - 1
    neighbours = [p.indices[p.indptr[v] : p.indptr[v + 1]].tolist() for v in range(n)]
    return Core(neighbours, [1] * n, [0] * n)


def greedy_order(core: Core, start: int) -> list[int]:
    """Sweep from `start`, always taking the square that keeps the frontier shortest."""
    left = [len(row) for row in core.neighbours]  # unswept neighbours
    swept = [False] * len(left)
    reached: dict[int, None] = {start: None}  # in order of arrival: ties go to the oldest
    order: list[int] = []
    while reached:
        square = min(
            reached,
            key=lambda v: (
                (left[v] > 0) - sum(swept[u] and left[u] == 1 for u in core.neighbours[v])
            ),
        )
        del reached[square]
        swept[square] = True
        order.append(square)
        for other in core.neighbours[square]:
            left[other] -= 1
            if not swept[other]:
                reached[other] = None
    return order


def frontier_sizes(core: Core, order: list[int]) -> list[int]:
    """How long the frontier is while each square is being swept."""
    left = [len(row) for row in core.neighbours]
    swept = [False] * len(left)
    sizes, size = [], 0
    for square in order:
        swept[square] = True
        size += 1
        sizes.append(size)
        for other in core.neighbours[square]:
            left[other] -= 1
            size -= swept[other] and left[other] == 0
        size -= left[square] == 0
    return sizes


def sweep_order(core: Core) -> list[int]:
    """The best of a few sweep orders."""
    m = len(core.weight)
    starts = sorted({i * (m - 1) // 7 for i in range(8)})
    orders = [list(range(m)), *(greedy_order(core, start) for start in starts)]
    return min(orders, key=lambda order: sum(GROWTH**size for size in frontier_sizes(core, order)))


def regions_after(core: Core, order: list[int]) -> list[list[int]]:
    """For each step, the region number of every unswept square (−1 if swept)."""
    position = {square: i for i, square in enumerate(order)}
    result = []
    for step in range(len(order)):
        region = [-1] * len(order)
        count = 0
        for square in order[step + 1 :]:
            if region[square] >= 0:
                continue
            stack = [square]
            region[square] = count
            while stack:
                for other in core.neighbours[stack.pop()]:
                    if position[other] > step and region[other] < 0:
                        region[other] = count
                        stack.append(other)
            count += 1
        result.append(region)
    return result


def build_sweep(core: Core, order: list[int]) -> Sweep | None:
    """The sweep as arrays, or None if the frontier is too long."""
    m, width = len(order), max(frontier_sizes(core, order))
    if width > MAX_WIDTH:
        return None
    degree = max(len(row) for row in core.neighbours)
    near = np.full((m, degree), -1, dtype=np.int32)
    leave = np.full((m, degree + 1), -1, dtype=np.int32)
    room = np.zeros((m, width), dtype=np.int64)
    region = np.zeros((m, REGIONS), dtype=np.int32)
    slots = np.zeros(m, dtype=np.int32)
    left = [len(row) for row in core.neighbours]
    slot: dict[int, int] = {}
    free = list(range(width))[::-1]
    regions = regions_after(core, order)
    for step, square in enumerate(order):
        slots[step] = free.pop()
        swept = [u for u in core.neighbours[square] if u in slot]
        near[step, : len(swept)] = [slot[u] for u in swept]
        slot[square] = int(slots[step])
        for other in core.neighbours[square]:
            left[other] -= 1
        gone = [u for u in [*swept, square] if left[u] == 0]
        leave[step, : len(gone)] = [slot[u] for u in gone]
        for other in gone:
            free.append(slot.pop(other))
        for other in order[step + 1 :]:
            if regions[step][other] < REGIONS:
                region[step, regions[step][other]] += core.weight[other]
        for node, place in slot.items():
            for other in core.neighbours[node]:
                if 0 <= regions[step][other] < REGIONS:
                    room[step, place] |= 1 << regions[step][other]
    weight = np.array([core.weight[v] for v in order], dtype=np.int32)
    hung = np.array([core.hung[v] for v in order], dtype=np.int32)
    return Sweep(slots, weight, hung, near, leave, room, region)
