"""Orders of nodes: what is left of a graph as they go, and the order by degree.

An order is a sequence of distinct nodes. Its curve says, after each of them is gone, how large the
largest and the second largest piece are and how many pairs of nodes are still joined. It is found
by adding the nodes back in reverse, with a union-find (Newman & Ziff, Phys. Rev. E 64, 2001), in
nearly linear time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import find_root
from pinchpoint.order.heaps import change_key, heapify, take_top
from pinchpoint.types import Array, Bools, Floats, Ints, Longs


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
