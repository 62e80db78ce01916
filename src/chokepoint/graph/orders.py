"""Orders of nodes, and what is left of a graph as they go: curves, orders by degree, annealing.

An order is a sequence of distinct nodes. Its curve says, after each of them is gone, how large the
largest and the second largest piece are and how many pairs of nodes are still joined. It is found
by adding the nodes back in reverse, with a union-find (Newman & Ziff, Phys. Rev. E 64, 2001), in
nearly linear time.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.errors import InputError
from chokepoint.graph.algorithms import find_root
from chokepoint.graph.heaps import change_key, heapify, take_top
from chokepoint.rng import GAMMA, below, mix, stream
from chokepoint.types import Array, Bools, Floats, Ints, Longs

HOT, COLD = 0.3, 0.01  # temperatures of `annealed`, in whole graphs


@dataclass(frozen=True)
class Curve:
    """What is left after the first 1, 2, … nodes of an order are gone."""

    largest: Longs  # [K]  nodes of the largest piece
    second: Longs  # [K]  of the second largest; 0 if there is none
    pairs: Longs  # [K]  pairs of nodes that are still joined


def check_order(order: Array, n: int) -> Ints:
    """Return an order as the kernels take it; raise InputError if it is none."""
    try:
        given = np.asarray(order)
    except ValueError:  # lists of different lengths
        given = np.zeros(())
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError("an order is a list of node numbers")
    if given.size and not 0 <= given.min() <= given.max() < n:
        bad = given.min() if given.min() < 0 else given.max()
        raise InputError(f"an order names node {bad}; nodes are 0 to {n - 1}")
    if len(np.unique(given)) != len(given):
        raise InputError("an order names a node twice")
    return np.ascontiguousarray(given, dtype=np.int32)


def curve_of(indptr: Ints, indices: Ints, order: Array) -> Curve:
    """Return the curve of an order."""
    n = len(indptr) - 1
    nodes = check_order(order, n)
    present = np.ones(n, dtype=np.bool_)
    present[nodes] = False
    parent, size = np.arange(n, dtype=np.int32), np.ones(n, dtype=np.int32)
    counts = np.zeros(n + 1, dtype=np.int32)
    out = np.zeros((3, len(nodes)), dtype=np.int64)
    trace_curve(indptr, indices, nodes, present, parent, size, counts, out)
    return Curve(out[0], out[1], out[2])


@kernel
def trace_curve(
    indptr: Ints,
    indices: Ints,
    order: Ints,
    present: Bools,
    parent: Ints,
    size: Ints,
    counts: Ints,
    out: Longs,
) -> None:
    """Fill the rows of `out` [3, K], the largest and second largest piece and the joined pairs.

    `counts` is a Fenwick tree of the sizes of the pieces.
    """
    n = len(parent)
    largest, pieces, pairs = 0, 0, 0
    k = len(order)
    for step in range(n + k):  # first all that is never removed, then the order backwards
        if step < n:
            v = step
            if not present[v]:
                continue
        else:
            k = len(order) - 1 - (step - n)
            out[0, k] = largest
            out[1, k] = second_largest(counts, largest, pieces)
            out[2, k] = pairs
            v = order[k]
            present[v] = True
        merged = 1
        root = v
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if not present[u] or (step < n and u > v):
                continue
            other = find_root(parent, u)
            if other != root:
                pairs += merged * size[other]
                count_size(counts, size[other], -1)
                pieces -= 1
                merged += size[other]
                if size[other] > size[root]:
                    parent[root] = other
                    root = other
                else:
                    parent[other] = root
                size[root] = merged
        count_size(counts, merged, 1)
        pieces += 1
        largest = max(largest, merged)


@kernel
def count_size(counts: Ints, size: int, change: int) -> None:
    """Count a piece of this size in, or out."""
    while size < len(counts):
        counts[size] += change
        size += size & -size


@kernel
def second_largest(counts: Ints, largest: int, pieces: int) -> int:
    """Return the size of the second largest piece, 0 if there is none."""
    if pieces < 2:
        return 0
    wanted = pieces - 1  # of the pieces by ascending size
    at, step = 0, 1
    while 2 * step < len(counts):
        step *= 2
    while step > 0:
        if at + step < len(counts) and counts[at + step] < wanted:
            at += step
            wanted -= counts[at]
        step //= 2
    return at + 1


@kernel
def add_node(indptr: Ints, indices: Ints, parent: Ints, size: Ints, v: int) -> int:
    """Add a node to those that are there, and return the size of its piece.

    The parent of a node that is not there is -1.
    """
    parent[v] = v
    size[v] = 1
    root = v
    for e in range(indptr[v], indptr[v + 1]):
        if parent[indices[e]] >= 0:
            other = find_root(parent, indices[e])
            if other != root:
                if size[other] > size[root]:
                    other, root = root, other
                parent[other] = root
                size[root] += size[other]
    return int(size[root])


def degree_order(indptr: Ints, indices: Ints, keys: Floats, costs: Floats) -> Ints:
    """Return all nodes, always the one with the most neighbours left for its cost next.

    `keys` [N] are added to the degrees: 0, or a little noise that decides between equals.
    """
    n = len(indptr) - 1
    key = (np.diff(indptr) + keys) / costs
    heap, out = np.arange(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    take_by_degree(indptr, indices, costs, key, heap, np.empty(n, dtype=np.int32), out)
    return out


@kernel
def take_by_degree(
    indptr: Ints, indices: Ints, costs: Floats, key: Floats, heap: Ints, place: Ints, out: Ints
) -> None:
    """Take the node with the highest key again and again; its neighbours lose one degree."""
    left = len(heap)
    heapify(key, heap, place, left)
    while left > 0:
        v = take_top(key, heap, place, left)
        out[len(heap) - left] = v
        left -= 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if place[u] >= 0:
                change_key(key, heap, place, left, u, key[u] - 1 / costs[u])


# -- annealing -----------------------------------------------------------------------------------

# Rows of scratch: a union-find of the nodes that stay (its parents and sizes), the same for a
# change that is tried, room to add nodes to either, the piece that each node meets, its place.
STAYING, TRIED, ROOM, MEETS, PLACE = 0, 2, 4, 6, 7
ANNEAL_ROWS = 8
VALUE, LEAST, STAYING_LARGEST = range(3)  # of the numbers that are kept from round to round
PAUSE = 0.05  # seconds between looks at the clock


def annealed(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    order: Array,
    small: int,
    trials: int,
    seed: int,
    deadline: float | None = None,
) -> Ints:
    """Return all nodes in an order whose area is not larger than that of the order given.

    The area is what the order costs until no piece has more than `small` nodes: each node its cost
    times the largest piece that it meets. Nodes change places, go earlier or later, or are replaced
    by a neighbour. With a deadline, by time.perf_counter(), this goes on until then, whatever the
    number of trials.
    """
    n = len(indptr) - 1
    given = check_order(order, n)
    left = np.ones(n, dtype=np.bool_)
    left[given] = False
    now = np.concatenate([given, np.flatnonzero(left).astype(np.int32)])
    if len(given) < 2:
        return now
    best, ints = now.copy(), np.empty((ANNEAL_ROWS, n), dtype=np.int32)
    ints[PLACE, now] = np.arange(n)
    largest = lay_staying(indptr, indices, now, len(given), ints[STAYING : STAYING + 2])
    used = len(given)
    if largest > small:  # an order that ends too early: any node may come into it
        used = n
        largest = lay_staying(indptr, indices, now, used, ints[STAYING : STAYING + 2])
    value = area_of(indptr, indices, costs, now, used, small, largest, ints, STAYING)
    numbers = np.array([value, value, largest])
    rest = indptr, indices, costs, small, seed, used, now, best, ints, numbers
    if deadline is None:
        anneal(0, trials, 0.0, 1.0, *rest)
        return best
    begun, done, count = time.perf_counter(), 0, 16
    span = max(deadline - begun, 1e-9)
    while (spent := (time.perf_counter() - begun) / span) < 1:
        heat_to = min(1.0, spent + PAUSE / span)
        anneal(done, done + count, spent, heat_to, *rest)
        done += count
        took = max(time.perf_counter() - begun - spent * span, 1e-6)
        count = int(min(max(1, count * PAUSE / took), 8 * count))
    return best


@kernel
def anneal(
    first: int,
    last: int,
    spent_from: float,
    spent_to: float,
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    small: int,
    seed: int,
    used: int,
    now: Ints,
    best: Ints,
    ints: Ints,
    numbers: Floats,
) -> None:
    """Try changes of the order `now` among its first `used` nodes; write the best to `best`.

    Most changes leave those nodes that stay as they are: only the `used` nodes are added to their
    union-find anew. Where a node that stays takes the place of a neighbour, all of it is made anew,
    so on a graph that is much larger than the order this is tried less often.
    """
    place, n = ints[PLACE], len(now)
    one_in = 3 + n // (4 * used)
    for trial in range(first, last):
        x = stream(seed, trial, 0)
        i, outside = below(x, used), below(mix(x + GAMMA), one_in) == 0
        x = mix(x + GAMMA + GAMMA)
        shift = not outside and below(mix(x + GAMMA), 2) == 1
        j = below(x, used)
        if outside:  # a neighbour goes in its place
            v = now[i]
            degree = indptr[v + 1] - indptr[v]
            j = place[indices[indptr[v] + below(x, degree)]] if degree > 0 else i
        if i == j:
            continue
        change(now, place, i, j, shift)
        largest, rows = int(numbers[STAYING_LARGEST]), STAYING
        if j >= used:
            rows = TRIED
            largest = lay_staying(indptr, indices, now, used, ints[TRIED : TRIED + 2])
        cost = area_of(indptr, indices, costs, now, used, small, largest, ints, rows)
        spent = spent_from + (spent_to - spent_from) * (trial - first) / (last - first)
        heat = n * HOT * (COLD / HOT) ** spent
        chance = (mix(x + GAMMA + GAMMA) >> np.uint64(11)) * 2.0**-53
        if cost <= numbers[VALUE] or chance < math.exp((numbers[VALUE] - cost) / heat):
            numbers[VALUE] = cost
            if rows == TRIED:
                numbers[STAYING_LARGEST] = largest
                copy_rows(ints, TRIED, STAYING)
            if cost < numbers[LEAST]:
                numbers[LEAST] = cost
                for k in range(n):
                    best[k] = now[k]
        else:
            change(now, place, j, i, shift)


@kernel
def change(order: Ints, place: Ints, i: int, j: int, shift: bool) -> None:
    """Let the nodes at places i and j change places, or `shift` the one at i to place j."""
    v = order[i]
    if not shift:
        order[i] = order[j]
    else:
        step = 1 if j > i else -1
        k = i
        while k != j:
            order[k] = order[k + step]
            place[order[k]] = k
            k += step
    order[j] = v
    place[order[i]] = i
    place[v] = j


@kernel
def lay_staying(indptr: Ints, indices: Ints, order: Ints, used: int, rows: Ints) -> int:
    """Make the union-find of the nodes after the first `used`; return the largest piece."""
    parent, size = rows[0], rows[1]
    parent[:] = -1
    largest = 0
    for k in range(len(order) - 1, used - 1, -1):
        largest = max(largest, add_node(indptr, indices, parent, size, order[k]))
    return largest


@kernel
def copy_rows(ints: Ints, source: int, target: int) -> None:
    for row in range(2):
        for v in range(ints.shape[1]):
            ints[target + row, v] = ints[source + row, v]


@kernel
def area_of(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    order: Ints,
    used: int,
    small: int,
    largest: int,
    ints: Ints,
    rows: int,
) -> float:
    """Return the area of an order; see `annealed`. It is infinite if the order does not suffice.

    The union-find of the nodes after the first `used` stands in `rows`; `largest` is their largest
    piece.
    """
    if largest > small:
        return math.inf
    copy_rows(ints, rows, ROOM)
    parent, size, meets = ints[ROOM], ints[ROOM + 1], ints[MEETS]
    for k in range(used - 1, -1, -1):
        largest = max(largest, add_node(indptr, indices, parent, size, order[k]))
        meets[k] = largest
    total = 0.0
    for k in range(used):
        if meets[k] <= small:
            break
        total += costs[order[k]] * meets[k]
    return total
