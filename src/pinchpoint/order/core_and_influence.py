"""The compiled loops of two methods: CoreHD and collective influence."""

from __future__ import annotations

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.graph.algorithms import influence, strip_leaves
from pinchpoint.order.heaps import change_key, heapify, take_top
from pinchpoint.types import Bools, Floats, Ints


def core_degree_order(indptr: Ints, indices: Ints, costs: Floats) -> Ints:
    """Return the nodes that break the 2-core, always the one of the highest degree inside it."""
    n = len(indptr) - 1
    alive, degree = np.ones(n, dtype=np.bool_), np.empty(n, dtype=np.int32)
    stack, out = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    strip_leaves(indptr, indices, alive, degree, stack)
    heap, place = np.flatnonzero(alive).astype(np.int32), np.full(n, -1, dtype=np.int32)
    key = degree / costs
    count = break_core(indptr, indices, costs, alive, degree, key, heap, place, stack, out)
    return out[:count].copy()


@kernel
def break_core(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    alive: Bools,
    degree: Ints,
    key: Floats,
    heap: Ints,
    place: Ints,
    stack: Ints,
    out: Ints,
) -> int:
    """Take core nodes by degree and strip the leaves that each leaves behind; return how many."""
    left, count = len(heap), 0
    heapify(key, heap, place, left)
    while left > 0:
        v = take_top(key, heap, place, left)
        left -= 1
        if not alive[v]:
            continue
        out[count] = v
        count += 1
        alive[v] = False
        stack[0] = v
        top = 1
        while top > 0:
            top -= 1
            w = stack[top]
            for e in range(indptr[w], indptr[w + 1]):
                u = indices[e]
                if alive[u]:
                    degree[u] -= 1
                    if degree[u] < 2:
                        alive[u] = False
                        stack[top] = u
                        top += 1
                    else:
                        change_key(key, heap, place, left, u, degree[u] / costs[u])
    return count


def influence_order(indptr: Ints, indices: Ints, costs: Floats, radius: int) -> Ints:
    """Return nodes by collective influence, as long as any has some.

    Values are brought up to date when a node comes to the top of the heap: removals hardly ever
    raise one.
    """
    n = len(indptr) - 1
    degree = np.diff(indptr).astype(np.int32)
    ints = np.zeros((3, n), dtype=np.int32)
    ints[0] = -1
    key, heap, place = np.zeros(n), np.arange(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    out = np.empty(n, dtype=np.int32)
    count = take_by_influence(indptr, indices, costs, radius, degree, ints, key, heap, place, out)
    return out[:count].copy()


@kernel
def take_by_influence(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    radius: int,
    degree: Ints,
    ints: Ints,
    key: Floats,
    heap: Ints,
    place: Ints,
    out: Ints,
) -> int:
    """Take the node of the highest influence again and again; return how many had any.

    The degree of a node that is gone is set to 0, and so it is no neighbour any more.
    """
    left, count, mark = len(heap), 0, 0
    for v in range(left):
        key[v] = influence(indptr, indices, radius, degree, ints, v, mark) / costs[v]
        mark += 1
    heapify(key, heap, place, left)
    while left > 0 and key[heap[0]] > 0:
        v = heap[0]
        now = influence(indptr, indices, radius, degree, ints, v, mark) / costs[v]
        mark += 1
        if now < key[v]:
            change_key(key, heap, place, left, v, now)
            continue
        take_top(key, heap, place, left)
        left -= 1
        out[count] = v
        count += 1
        degree[v] = 0
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if degree[u] > 0:
                degree[u] -= 1
    return count
