"""Cuts on a planar square grid: cheapest 8-connected sets of squares.

A curve of squares from left to right, each touching the next by a side or a corner, parts top from
bottom; a square that is not active costs nothing. To part both pairs of sides takes such a curve
each way. Two of them must touch where they cross, so together they are one 8-connected set that
reaches all four sides: a cheapest tree. The same tables find both: `cost[s, v]` is the cost of the
cheapest 8-connected set that holds square v and reaches every side in the set s (a Steiner tree of
few ends: Dreyfus & Wagner, Networks 1, 1971).
"""

import numpy as np

from pinchpoint.compiled import kernel, outer_kernel
from pinchpoint.types import Bools, Bytes, Ints

FAR = 1 << 29  # more than any cost, and twice this still fits
START = -1  # `via` of a square that a table starts from; below it, -2 - s: parts meet, one for s


@kernel
def spread(price: Bytes, cost: Ints, via: Ints, shape: tuple[int, int], queue: Ints) -> None:
    """Find the cheapest way to every square over its neighbours, by a search in rising cost.

    A square costs `price` to enter, so the first neighbour that is settled offers the least. It is
    queued at most twice then: with the cost it starts from, and with a lower one offered to it.
    """
    height, width = shape
    n = height * width
    levels = 4 * (height + width)  # a straight line leads to each side, so no cost is as high
    head = queue[:levels]  # first entry in the queue of each cost
    square = queue[levels : levels + 2 * n]
    link = queue[levels + 2 * n : levels + 4 * n]
    head[:] = -1
    used = 0
    for v in range(n):
        if cost[v] < FAR:
            square[used], link[used] = v, head[cost[v]]
            head[cost[v]] = used
            used += 1
    for level in range(levels):
        while head[level] >= 0:
            v = square[head[level]]
            head[level] = link[head[level]]
            if cost[v] != level:
                continue  # settled before, at less
            row, col = v // width, v % width
            for r in range(max(row - 1, 0), min(row + 2, height)):
                for c in range(max(col - 1, 0), min(col + 2, width)):
                    u = r * width + c
                    offer = level + price[u]
                    if offer < cost[u]:
                        cost[u] = offer
                        via[u] = v
                        square[used], link[used] = u, head[offer]
                        head[offer] = used
                        used += 1


@kernel
def fill_tables(
    price: Bytes,
    ends: Bytes,
    cost: Ints,  # [2^sides, N]
    via: Ints,  # [2^sides, N]
    shape: tuple[int, int],
    queue: Ints,
) -> None:
    """Fill `cost` and `via` for all sets of sides, the small ones first."""
    everything = len(cost) - 1
    for subset in range(1, everything + 1):
        for v in range(len(price)):
            cost[subset, v] = FAR
            via[subset, v] = START
            if subset & (subset - 1) == 0:
                if ends[v] & subset:
                    cost[subset, v] = price[v]
                continue
            part = (subset - 1) & subset
            while part > subset - part:  # each way to part subset in two, once
                together = cost[part, v] + cost[subset - part, v] - price[v]
                if together < cost[subset, v]:
                    cost[subset, v] = together
                    via[subset, v] = -2 - part
                part = (part - 1) & subset
        if subset < everything:  # the last one is asked for where parts meet, and there alone
            spread(price, cost[subset], via[subset], shape, queue)


@kernel
def collect(price: Bytes, cost: Ints, via: Ints, todo: Ints, moves: Ints) -> int:
    """Write the priced squares of a cheapest set that reaches all sides; return how many."""
    everything = len(cost) - 1
    best = 0
    for v in range(cost.shape[1]):
        if cost[everything, v] < cost[everything, best]:
            best = v
    count = 0
    if price[best]:
        moves[0] = best
        count = 1
    todo[0], todo[1] = everything, best
    open_ends = 1
    while open_ends > 0:
        open_ends -= 1
        subset, v = todo[2 * open_ends], todo[2 * open_ends + 1]
        step = via[subset, v]
        if step >= 0:
            if price[step]:
                moves[count] = step
                count += 1
            todo[2 * open_ends], todo[2 * open_ends + 1] = subset, step
            open_ends += 1
        elif step < START:
            for part in (-2 - step, subset - (-2 - step)):
                todo[2 * open_ends], todo[2 * open_ends + 1] = part, v
                open_ends += 1
    return count


@outer_kernel
def cut_boards(
    status: Bytes,  # [B, N]
    ends: Bytes,  # [N]
    sides: int,
    shape: tuple[int, int],
) -> tuple[Ints, Ints, Bools]:
    """Return for each board the size of a cheapest cut, its squares (then -1), all optimal ones."""
    boards, n = status.shape
    price = np.empty(n, np.uint8)
    cost, via = np.empty((1 << sides, n), np.int32), np.empty((1 << sides, n), np.int32)
    queue = np.empty(4 * (shape[0] + shape[1] + n), np.int32)
    values, moves = np.zeros(boards, np.int32), np.full((boards, n), np.int32(-1))
    optimal = np.zeros((boards, n), np.bool_)
    for b in range(boards):
        for v in range(n):
            price[v] = status[b, v] == 1
        fill_tables(price, ends, cost, via, shape, queue)
        values[b] = collect(price, cost, via, queue, moves[b])
        for v in range(n):
            optimal[b, v] = price[v] == 1 and cost[-1, v] == values[b]
    return values, moves, optimal


@outer_kernel
def walk_down(active: Bools, width: int) -> tuple[Ints, Ints]:
    """Return the squares of the paths of `downward_paths`, and where each begins among them.

    Each path keeps as far to the left as the paths before it allow, by always turning right first
    (as seen when walking down). A square that was left behind leads to no later path either, so
    every square is entered once. `trail` holds 1 + 4 × heading + ways tried (right, ahead, left).
    """
    n = len(active)
    trail, before = np.zeros(n, np.uint8), np.empty(n, np.int32)
    squares, starts = np.empty(n, np.int32), np.zeros(width + 1, np.int32)
    paths = used = 0
    for top in range(width):
        if not active[top] or trail[top]:
            continue
        trail[top], before[top] = 1 + 4 * 2, -1  # headings clockwise from up: 2 is down
        v = top
        while v >= 0 and v < n - width:
            tried = (trail[v] - 1) % 4
            if tried == 3:
                v = before[v]
                continue
            way = ((trail[v] - 1) // 4 + 1 - tried) % 4
            trail[v] += 1
            col = v % width
            if (
                (way == 0 and v < width)
                or (way == 1 and col == width - 1)
                or (way == 3 and col == 0)
            ):
                continue
            u = v + (way == 1) - (way == 3) + width * ((way == 2) - (way == 0))
            if active[u] and not trail[u]:
                trail[u], before[u] = 1 + 4 * way, v
                v = u
        if v < 0:
            continue
        while v >= 0:
            squares[used] = v
            used += 1
            v = before[v]
        paths += 1
        starts[paths] = used
    return squares[:used], starts[:paths]


def downward_paths(active: Bools) -> list[Ints]:
    """Return as many disjoint paths of active squares, last row to first, as a grid [h, w] has."""
    squares, starts = walk_down(active.ravel(), active.shape[1])
    return np.split(squares, starts[1:]) if len(starts) else []
