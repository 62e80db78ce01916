"""The cores of a graph, what is left of it without leaves, and an order to go through one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from chokepoint.compiled import kernel
from chokepoint.types import Bools, Ints


@dataclass(frozen=True)
class Core:
    """A connected graph in which every node has two neighbours or more."""

    nodes: npt.NDArray[np.intp]  # [n]  what the graph it was taken from calls them
    indptr: Ints  # [n + 1]
    indices: Ints  # [2 E]

    @property
    def edges(self) -> Ints:  # [E, 2]
        source = np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.indptr))
        once = source < self.indices
        return np.stack([source[once], self.indices[once]], axis=1)


def find_cores(indptr: Ints, indices: Ints, active: Bools, inclusive: bool) -> list[Core]:
    """The connected pieces of what is left without leaves, those that still need a move."""
    alive = active.copy()
    degree = np.zeros(len(alive), dtype=np.int32)
    strip_leaves(indptr, indices, alive, degree, np.empty(len(alive), dtype=np.int32))
    nodes = np.flatnonzero(alive)
    whole = csr_matrix((np.ones(len(indices), np.int8), indices, indptr), shape=(len(alive),) * 2)
    graph = whole[nodes][:, nodes].tocsr()
    graph.sort_indices()
    count, piece = connected_components(graph, directed=False)
    order = np.argsort(piece, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(piece, minlength=count))[:-1])
    cores = []
    for inside in members if count else []:
        part = graph[inside][:, inside].tocsr()
        part.sort_indices()
        if not inclusive or part.nnz > 2 * len(inside):
            cores.append(Core(nodes[inside], part.indptr, part.indices))
    return cores


def narrow_order(core: Core) -> Ints:
    """An order of the nodes in which few have decided and undecided neighbours at once."""
    n = len(core.nodes)
    orders = [np.arange(n, dtype=np.int32)]
    start = 0
    for _ in range(4):  # each from the far end of the one before
        order = np.empty(n, dtype=np.int32)
        room = (np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32))
        grow_order(core.indptr, core.indices, start, order, *room)
        orders.append(order)
        start = int(order[-1])
    return min(orders, key=lambda order: _front_cost(core, order))


def _front_cost(core: Core, order: Ints) -> float:
    """About how many states a sweep in this order has, on a logarithmic scale."""
    n = len(order)
    when = np.empty(n, dtype=np.int64)
    when[order] = np.arange(n)
    last = np.maximum.reduceat(when[core.indices], core.indptr[:-1])
    change = np.zeros(n + 1)
    waits = last > when
    np.add.at(change, when[waits], 1)
    np.add.at(change, last[waits], -1)
    return float(np.logaddexp.reduce(0.5 * np.cumsum(change)))


@kernel
def strip_leaves(indptr: Ints, indices: Ints, alive: Bools, degree: Ints, stack: Ints) -> None:
    """Count degrees among the living, and remove whatever has fewer than two, over and over."""
    count = 0
    for v in range(len(alive)):
        degree[v] = 0
        if alive[v]:
            for k in range(indptr[v], indptr[v + 1]):
                degree[v] += alive[indices[k]]
            if degree[v] < 2:
                stack[count] = v
                count += 1
    for i in range(count):
        alive[stack[i]] = False
    drop_neighbours(indptr, indices, alive, degree, stack, count)


@kernel
def drop_neighbours(
    indptr: Ints, indices: Ints, alive: Bools, degree: Ints, stack: Ints, count: int
) -> None:
    """Take the dead nodes on the stack from their neighbours' degrees; leaves follow them."""
    while count > 0:
        count -= 1
        v = stack[count]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if alive[u]:
                degree[u] -= 1
                if degree[u] < 2:
                    alive[u] = False
                    stack[count] = u
                    count += 1


@kernel
def grow_order(
    indptr: Ints,
    indices: Ints,
    start: int,
    order: Ints,
    undecided: Ints,
    when: Ints,
    waiting: Ints,
) -> None:
    """Decide next what makes the front smallest, and of those what frees its oldest node."""
    n = len(order)
    for v in range(n):
        undecided[v] = indptr[v + 1] - indptr[v]
        when[v] = -1  # -2: waiting, -1: not seen yet, else the step at which it is decided
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
                    age = min(age, when[u])
                    if undecided[u] == 1:
                        growth -= 1
            if best < 0 or growth < best_growth or (growth == best_growth and age < best_age):
                best, best_growth, best_age = i, growth, age
        v = waiting[best]
        count -= 1
        waiting[best] = waiting[count]
        order[step] = v
        when[v] = step
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            undecided[u] -= 1
            if when[u] == -1:
                when[u] = -2
                waiting[count] = u
                count += 1
