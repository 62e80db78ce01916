"""Orders in which a sweep decides the nodes of a graph, and the fronts that they have.

A sweep decides the nodes one by one. All that matters of the decided part is its *front*, the
decided nodes that have an undecided neighbour. The number of states grows with the length of the
front, so a sweep begins with a search for an order whose fronts are short. Any order is right; the
checker of proofs may share them.
"""

from __future__ import annotations

import numpy as np

from pinchpoint.compiled import outer_kernel
from pinchpoint.types import Ints, Longs


@outer_kernel
def grow_order(indptr: Ints, indices: Ints, start: int, by_age: bool) -> Ints:
    """Grow an order from `start`: next comes the node that makes the front shortest.

    Among equals it is the one that was reached first; with `by_age`, the one that frees the oldest
    node of the front.
    """
    n = len(indptr) - 1
    order, waiting = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    undecided = np.diff(indptr)  # neighbours that are not decided
    # The step at which a node is decided; -2: waiting, reached but not decided; -1: not reached.
    when = np.full(n, np.int32(-1))
    waiting[0] = start
    when[start] = -2
    count = 1
    for step in range(n):
        best, best_growth, best_age = -1, 0, 0
        for i in range(count):
            v = waiting[i]
            growth = 1 if undecided[v] > 0 else 0
            age = n
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                if when[u] >= 0:
                    if by_age:
                        age = min(age, when[u])
                    if undecided[u] == 1:
                        growth -= 1
            if best < 0 or growth < best_growth or (growth == best_growth and age < best_age):
                best, best_growth, best_age = i, growth, age
        v = waiting[best]
        count -= 1
        if by_age:
            waiting[best] = waiting[count]
        else:  # they stay in the order in which they were reached
            for i in range(best, count):
                waiting[i] = waiting[i + 1]
        order[step] = v
        when[v] = step
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            undecided[u] -= 1
            if when[u] == -1:
                when[u] = -2
                waiting[count] = u
                count += 1
    return order


def front_lengths(indptr: Ints, indices: Ints, order: Ints) -> Longs:  # [n]
    """Return the length of the front after each step."""
    n = len(order)
    when = np.empty(n, dtype=np.int64)
    when[order] = np.arange(n)
    last = when.copy()  # the step after which a node leaves the front
    np.maximum.at(last, np.repeat(np.arange(n), np.diff(indptr)), when[indices])
    change = np.zeros(n + 1, dtype=np.int64)
    waits = last > when
    np.add.at(change, when[waits], 1)
    np.add.at(change, last[waits], -1)
    return np.cumsum(change)[:-1]
