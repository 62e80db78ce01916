"""In which order to sweep a component: the core that matters, and a short frontier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.solvers.network.frontier import MAX_WIDTH, REGIONS, Sweep
from chokepoint.solvers.network.kernels import Piece, Scratch, flood
from chokepoint.types import Bools, Ints, Longs

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
    count = 8 if m <= 500 else 2  # a long search for a good order pays on small boards only
    starts = sorted({i * (m - 1) // (count - 1) for i in range(count)})
    orders = [list(range(m)), *(greedy_order(core, start) for start in starts)]
    return min(orders, key=lambda order: sum(GROWTH**size for size in frontier_sizes(core, order)))


@kernel
def fill_regions(
    indptr: Ints,  # neighbours by their place in the sweep order
    indices: Ints,
    weight: Ints,  # [m]
    slot: Ints,  # [m]
    last: Ints,  # [m]  the step after which a square leaves the frontier
    sweep_room: Longs,  # [m, width]  filled here
    sweep_region: Ints,  # [m, REGIONS]  filled here
    mark: Ints,  # [m]  scratch
    stack: Ints,  # [m]  scratch
) -> None:
    """After each step: the weights of the unswept regions, and which of them each slot touches."""
    m = weight.shape[0]
    for step in range(m):
        for i in range(m):
            mark[i] = -1
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
                sweep_region[step, count] = total
            count += 1
        for swept in range(step + 1):
            if last[swept] <= step:
                continue
            for i in range(indptr[swept], indptr[swept + 1]):
                region = mark[indices[i]]
                if 0 <= region < REGIONS:
                    sweep_room[step, slot[swept]] |= 1 << region


def build_sweep(core: Core, order: list[int]) -> Sweep | None:
    """The sweep as arrays, or None if the frontier is too long."""
    m, width = len(order), max(frontier_sizes(core, order))
    if width > MAX_WIDTH:
        return None
    degree = max(len(row) for row in core.neighbours)
    near = np.full((m, degree), -1, dtype=np.int32)
    leave = np.full((m, degree + 1), -1, dtype=np.int32)
    slots, last = np.zeros((2, m), dtype=np.int32)
    place = {square: step for step, square in enumerate(order)}
    rows = [sorted(place[u] for u in core.neighbours[square]) for square in order]
    free = list(range(width))[::-1]
    for step, row in enumerate(rows):
        slots[step] = free.pop()
        last[step] = max([step, *row])
        swept = [u for u in row if u < step]
        near[step, : len(swept)] = slots[swept]
        gone = [u for u in [*swept, step] if last[u] == step]
        leave[step, : len(gone)] = slots[gone]
        free += slots[gone].tolist()
    weight = np.array([core.weight[v] for v in order], dtype=np.int32)
    hung = np.array([core.hung[v] for v in order], dtype=np.int32)
    room = np.zeros((m, width), dtype=np.int64)
    region = np.zeros((m, REGIONS), dtype=np.int32)
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    indices = np.array([u for row in rows for u in row], dtype=np.int32)
    mark, stack = np.zeros((2, m), dtype=np.int32)
    fill_regions(indptr, indices, weight, slots, last, room, region, mark, stack)
    return Sweep(slots, weight, hung, near, leave, room, region)
