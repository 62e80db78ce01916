"""Orders by a score that changes as nodes go: degree, degree in the 2-core, influence, PageRank."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np
from scipy import sparse

from pinchpoint.compiled import kernel, next_chunk, outer_kernel
from pinchpoint.graph.algorithms import influence, strip_leaves
from pinchpoint.order.heaps import change_key, heapify, take_top
from pinchpoint.types import Array, Floats, Ints, Longs

CHUNK = 64  # influences that are found before the first look at the clock


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


class InfluenceAttack(NamedTuple):
    """A graph while its nodes go by collective influence."""

    indptr: Ints  # [N + 1]
    indices: Ints
    costs: Floats  # [N]
    degree: Ints  # [N]  0 for nodes that are gone, which are no neighbours any more
    scratch: Ints  # [3, N]
    key: Floats  # [N]  the influence of a node for its cost, when it was last found
    heap: Ints  # [N]
    place: Ints  # [N]
    out: Ints  # [N]  the nodes that are gone, in order
    counts: Longs  # [2]  how many of them, and how often an influence was found


GONE, FOUND = range(2)


def influence_order(
    indptr: Ints, indices: Ints, costs: Floats, radius: int, deadline: float = math.inf
) -> Ints:
    """Return nodes by collective influence, as long as any has some and time is not up."""
    a = new_influence_attack(indptr, indices, costs)
    chunk, goes_on = CHUNK, True
    while goes_on and (begun := time.perf_counter()) < deadline:
        goes_on = take_by_influence(a, radius, chunk)
        chunk = next_chunk(chunk, time.perf_counter() - begun)
    return a.out[: a.counts[GONE]].copy()


@outer_kernel
def new_influence_attack(indptr: Ints, indices: Ints, costs: Floats) -> InfluenceAttack:
    """Make room for an attack on a whole graph."""
    n = len(indptr) - 1
    degree, scratch = np.diff(indptr).astype(np.int32), np.full((3, n), -1).astype(np.int32)
    heap, place = np.arange(n).astype(np.int32), np.empty(n, dtype=np.int32)
    out, counts = np.empty(n, dtype=np.int32), np.zeros(2, dtype=np.int64)
    heaped = degree, scratch, np.empty(n), heap, place
    return InfluenceAttack(indptr, indices, costs, *heaped, out, counts)


@kernel
def take_by_influence(a: InfluenceAttack, radius: int, steps: int) -> bool:
    """Find so many influences, and take nodes as they come; return whether there is more to do.

    First all are found. Then they are found anew when a node comes to the top of the heap: removals
    hardly ever raise one.
    """
    indptr, indices, costs, degree = a.indptr, a.indices, a.costs, a.degree
    key, heap, place = a.key, a.heap, a.place
    n, gone, found = len(heap), a.counts[GONE], a.counts[FOUND]
    goes_on = True
    for _ in range(steps):
        if found >= n and (gone == n or key[heap[0]] <= 0):
            goes_on = False
            break
        v = found if found < n else heap[0]
        value = influence(indptr, indices, radius, degree, a.scratch, v, found) / costs[v]
        found += 1
        if found <= n:
            key[v] = value
            if found == n:
                heapify(key, heap, place, n)
        elif value < key[v]:
            change_key(key, heap, place, n - gone, v, value)
        else:
            take_top(key, heap, place, n - gone)
            a.out[gone] = v
            gone += 1
            degree[v] = 0
            for e in range(indptr[v], indptr[v + 1]):
                if degree[indices[e]] > 0:
                    degree[indices[e]] -= 1
    a.counts[GONE], a.counts[FOUND] = gone, found
    return goes_on


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
