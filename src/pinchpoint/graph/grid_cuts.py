"""Cuts across a planar square grid: what the cheapest curves through squares cost and cut off.

Squares hold together by their sides, so what cuts a board in two is a curve of squares that touch
by a side or a corner, from border to border. Closed squares on it cost nothing, active ones a move
each. The border is divided into gates. From each gate a search finds the cheapest ways to every
square, and two ways make a curve through it. How many active squares lie on one side of a curve is
a sum over its steps, as in Green's theorem. Of all cheapest ways from a gate the least and the
greatest sum are kept, so the sums of two ways tell what they cut off together.

With a fixed number of gates this takes time about linear in the squares. It does not find rings
that stay away from the border. A closed ring around a piece could be followed round and round for
nothing, and each time add what is inside, so pieces that do not reach the border count nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import inlined, kernel, outer_kernel
from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import flood
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Floats, Ints

SIDES = 4  # top, left, bottom, right
GATES = 4  # of each side
FAR = 1 << 20  # the cost of a way that there is not
# Where no piece reaches the border, the largest counts all the same. A closed ring around it could
# be followed for ever; sums end at so many times its squares.
FARTHEST = 6

SEEN, COUNTS = 2, 3  # marks of squares whose pieces are known

# Rows of scratch, each with a number for every square:
ABOVE, QUEUE, LATER, QUEUED = range(4)
ALL_GATES = SIDES * GATES
COST = 4  # of the cheapest ways from each gate
LEAST = COST + ALL_GATES  # the least sum of the steps of such a way, …
MOST = LEAST + ALL_GATES  # … and the greatest
ROWS = MOST + ALL_GATES


class GridCuts(NamedTuple):
    """What is known of the curves through each square; 0 where a square is not active."""

    costs: Array  # float32 [B, prices, N]  of the cheapest curve, with what it leaves to do
    ways: Array  # float32 [B, SIDES, N]  of the cheapest way from each side, this square included


def find_grid_cuts(
    active: Bools, allowed: Ints, prices: tuple[float, ...], topology: Topology
) -> GridCuts:  # active [B, N], allowed [B]
    """Return the cheapest curves through each active square of each board.

    A curve that leaves the larger part L squares ahead of the smaller one, and of what is `allowed`
    to stay, leaves work to do: about the moves that it takes to cut off L squares, a price times
    the root of L. The right price depends on how open the board is, so there may be several.
    """
    if topology.grid is None:
        raise InputError("curves across a board are found on the planar square grid only (grid)")
    width = topology.grid[1]
    priced = np.outer(prices, np.sqrt(np.arange(topology.n + 1)))
    links = topology.indptr, topology.indices
    return GridCuts(*_find_all(np.ascontiguousarray(active), allowed, priced, *links, width))


@outer_kernel
def _find_all(
    active: Bools, allowed: Ints, priced: Floats, indptr: Ints, indices: Ints, width: int
) -> tuple[Array, Array]:
    boards, n = active.shape
    costs = np.zeros((boards, len(priced), n), dtype=np.float32)
    ways = np.zeros((boards, SIDES, n), dtype=np.float32)
    scratch = np.empty((ROWS, n), dtype=np.int32)
    for b in range(len(active)):
        count = weigh(active[b], indptr, indices, width, scratch)
        for side in range(SIDES):
            for part in range(GATES):
                find_ways(active[b], width, side, part, count, scratch)
        for v in range(active.shape[1]):
            if active[b, v]:
                cheapest_through(v, count, allowed[b], priced, scratch, costs[b])
                for side in range(SIDES):
                    nearest = FAR
                    for gate in range(side * GATES, (side + 1) * GATES):
                        nearest = min(nearest, scratch[COST + gate, v])
                    ways[b, side, v] = nearest
    return costs, ways


@kernel
def weigh(active: Bools, indptr: Ints, indices: Ints, width: int, scratch: Ints) -> int:
    """Set `above` to twice what counts above each square, itself as a half; return what counts."""
    above, counts = scratch[ABOVE], scratch[QUEUED]
    total = mark_what_counts(active, indptr, indices, width, counts, scratch[QUEUE])
    for x in range(width):
        column = 0
        for v in range(x, len(active), width):
            here = int(counts[v] == COUNTS)
            above[v] = column + here
            column += 2 * here
    return total


@inlined
def mark_what_counts(
    active: Bools, indptr: Ints, indices: Ints, width: int, mark: Ints, stack: Ints
) -> int:
    """Mark the squares of the pieces that reach the border, or of the largest; return how many."""
    n = len(active)
    for v in range(n):
        mark[v] = active[v]
    total = 0
    for v in range(n):
        on_border = v < width or v >= n - width or v % width == 0 or (v + 1) % width == 0
        if on_border and mark[v] == 1:
            total += flood(indptr, indices, v, 1, COUNTS, mark, stack)
    if total == 0:
        root = 0
        for v in range(n):
            if mark[v] == 1:
                size = flood(indptr, indices, v, 1, SEEN, mark, stack)
                if size > total:
                    total, root = size, v
        if total > 0:
            flood(indptr, indices, root, SEEN, COUNTS, mark, stack)
    return total


@kernel
def find_ways(active: Bools, width: int, side: int, part: int, count: int, scratch: Ints) -> None:
    """Find the cheapest ways from a gate to every square, and the extreme sums of their steps.

    A step to the right adds the active squares above it, a step to the left takes them off. Sums
    are in quarters: a step runs from the middle of a column to the middle of the next, and squares
    on the way count as a half.
    """
    height = len(active) // width
    above, queue, later, queued = scratch[ABOVE], scratch[QUEUE], scratch[LATER], scratch[QUEUED]
    gate = side * GATES + part
    cost, least, most = scratch[COST + gate], scratch[LEAST + gate], scratch[MOST + gate]
    cost[:] = FAR
    queued[:] = 0
    length = width if side % 2 == 0 else height
    now = soon = 0
    below = 0  # the sum of steps under the board, from the left
    for i in range((part + 1) * length // GATES):
        if side == 0:
            v, begin = i, 0
        elif side == 1:
            v = i * width
            begin = above[v]
        elif side == 2:
            v = (height - 1) * width + i
            column = above[v] + active[v]
            begin = below + column
            below += 2 * column
        else:
            v = (i + 1) * width - 1
            begin = -above[v]
        if i < part * length // GATES:
            continue
        cost[v], least[v], most[v] = active[v], begin, begin
        now, soon = put(v, active[v], queue, now, later, soon, queued)
    level = 0
    while now + soon > 0:
        if now == 0:
            queue, later = later, queue
            now, soon = soon, 0
            level += 1
        now -= 1
        v = queue[now]
        queued[v] = 0
        y, x = v // width, v % width
        for to_y in range(max(y - 1, 0), min(y + 2, height)):
            for to_x in range(max(x - 1, 0), min(x + 2, width)):
                u = to_y * width + to_x
                there = level + active[u]
                if cost[u] < there:
                    continue
                step = (to_x - x) * (above[v] + above[u])
                low, high = least[v] + step, most[v] + step
                if cost[u] == there:
                    lower = -FARTHEST * count < low < least[u]
                    higher = most[u] < high < FARTHEST * count
                    if not (lower or higher):
                        continue
                    low, high = min(low, least[u]), max(high, most[u])
                cost[u], least[u], most[u] = there, low, high
                if queued[u] == 0:
                    now, soon = put(u, active[u], queue, now, later, soon, queued)


@inlined
def put(
    v: int, active: bool, queue: Ints, now: int, later: Ints, soon: int, queued: Ints
) -> tuple[int, int]:
    """Put a square into the queue of its cost; return how many are in each."""
    queued[v] = 1
    if active:
        later[soon] = v
        return now, soon + 1
    queue[now] = v
    return now + 1, soon


@inlined
def cheapest_through(
    v: int, count: int, allowed: int, priced: Floats, scratch: Ints, costs: Array
) -> None:
    """Set costs[:, v] to what the cheapest curve through square v costs, at each price."""
    worst = np.float32(FAR)  # of the prices so far: a curve of as many moves is no better at any
    for k in range(len(priced)):
        costs[k, v] = worst
    for first in range(COST, LEAST):
        for second in range(COST, first):
            moves = scratch[first, v] + scratch[second, v] - 1  # the square itself counts once
            if moves < worst:
                # Half of each active square on the curve was counted, on either side.
                off = max(most_even(v, first, second, count, scratch) - 2 * moves, 0) // 4
                rest = count - moves - off
                lead = max(max(off, rest) - max(min(off, rest), allowed), 0)
                worst = np.float32(0)
                for k in range(len(priced)):
                    costs[k, v] = min(costs[k, v], moves + priced[k, lead])
                    worst = max(worst, costs[k, v])


@inlined
def most_even(v: int, first: int, second: int, count: int, scratch: Ints) -> int:
    """Return the smaller side, in quarters, of the most even curve by extreme ways of two gates."""
    smaller = 0
    for one in (first + ALL_GATES, first + 2 * ALL_GATES):
        for two in (second + ALL_GATES, second + 2 * ALL_GATES):
            side = abs(scratch[one, v] - scratch[two, v])
            while side >= 4 * count:  # a few times at most, which is quicker than a division
                side -= 4 * count
            smaller = max(smaller, min(side, 4 * count - side))
    return smaller
