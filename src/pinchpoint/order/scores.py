"""Orders by a score that changes as nodes go: degree, degree in the 2-core, influence, PageRank."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pinchpoint.compiled import outer_kernel
from pinchpoint.graph.algorithms import influence, strip_leaves
from pinchpoint.order.heaps import change_key, heapify, take_top
from pinchpoint.types import Array, Floats, Ints


@outer_kernel
def degree_order(indptr: Ints, indices: Ints, keys: Floats, costs: Floats) -> Ints:  # [N]
    """Return all nodes, always the one with the most neighbours left for its cost next.

    `keys` [N] are added to the degrees: 0, or a little noise that decides between equals.
    """
    n = len(indptr) - 1
    key = (np.diff(indptr) + keys) / costs
    heap, place = np.arange(n).astype(np.int32), np.empty(n, dtype=np.int32)
    out = np.empty(n, dtype=np.int32)
    heapify(key, heap, place, n)
    for count in range(n):
        left = n - count - 1
        v = take_top(key, heap, place, left + 1)
        out[count] = v
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if place[u] >= 0:
                change_key(key, heap, place, left, u, key[u] - 1 / costs[u])
    return out


@outer_kernel
def core_degree_order(indptr: Ints, indices: Ints, costs: Floats) -> Ints:
    """Return the nodes that break the 2-core, always the one of the highest degree inside it."""
    n = len(indptr) - 1
    alive, degree = np.ones(n, dtype=np.bool_), np.empty(n, dtype=np.int32)
    stack, out = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    strip_leaves(indptr, indices, alive, degree, stack)
    heap, place = np.flatnonzero(alive).astype(np.int32), np.full(n, -1).astype(np.int32)
    key = degree / costs
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
        while top > 0:  # strip the leaves that it leaves behind
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
    return out[:count].copy()


@outer_kernel
def influence_order(indptr: Ints, indices: Ints, costs: Floats, radius: int) -> Ints:
    """Return nodes by collective influence, as long as any has some.

    Values are brought up to date when a node comes to the top of the heap: removals hardly ever
    raise one. The degree of a node that is gone is 0, and so it is no neighbour any more.
    """
    n = len(indptr) - 1
    degree = np.diff(indptr).astype(np.int32)
    scratch = np.full((3, n), -1).astype(np.int32)
    key, heap = np.empty(n), np.arange(n).astype(np.int32)
    place, out = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    left, count, mark = n, 0, n
    for v in range(n):
        key[v] = influence(indptr, indices, radius, degree, scratch, v, v) / costs[v]
    heapify(key, heap, place, left)
    while left > 0 and key[heap[0]] > 0:
        v = heap[0]
        now = influence(indptr, indices, radius, degree, scratch, v, mark) / costs[v]
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
    return out[:count].copy()


def pagerank(indptr: Ints, indices: Ints, damping: float = 0.85) -> Array:  # [N]
    """Return the PageRank of every node, by 50 steps of the power method."""
    n = len(indptr) - 1
    degree = np.maximum(np.diff(indptr), 1)
    ones = np.ones(len(indices))
    matrix = sparse.csr_array((ones, indices, indptr), shape=(n, n))
    rank = np.full(n, 1 / n)
    alone = np.diff(indptr) == 0
    for _ in range(50):
        rank = damping * (matrix @ (rank / degree) + rank[alone].sum() / n) + (1 - damping) / n
    return rank
