"""Algorithms on graphs that several rooms share: articulation points, cores, floods and others.

A graph is given by compressed rows: the neighbours of node v are indices[indptr[v]:indptr[v + 1]].
The kernels allocate nothing and can be called from other kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.compiled import inlined, kernel, outer_kernel
from pinchpoint.graph.topology import edge_list
from pinchpoint.types import Bools, Ints, Rows

# -- articulation points -------------------------------------------------------------------------
#
# One depth-first search finds for every node the pieces that hang on it alone (Hopcroft & Tarjan,
# 1973).

# Rows of the notes [DFS_ROWS, N] of a depth-first search: the nodes in the order in which they were
# seen, and of each the sizes of the two largest pieces into which its piece falls without it.
DFS_ORDER, LARGEST, SECOND = range(3)
# For the search itself; BELOW is the size of all pieces that hang on a node.
DFS_SEEN, LOW, PARENT, DFS_EDGE, SIZE, BELOW = range(3, 9)
DFS_ROWS = 9


@kernel
def articulation_search(
    indptr: Ints, indices: Ints, colour: npt.NDArray[Any], active: int, root: int, notes: Ints
) -> int:
    """Search the piece of this colour around `root` and return how many nodes it has.

    Row DFS_SEEN must be 0 on the piece. Afterwards, rows LARGEST and SECOND are right there.
    """
    notes[PARENT, root] = -1
    v = _enter(indptr, notes, root, 0)
    count = 1
    while v >= 0:
        if notes[DFS_EDGE, v] < indptr[v + 1]:
            u = indices[notes[DFS_EDGE, v]]
            notes[DFS_EDGE, v] += 1
            if colour[u] != active:
                continue
            if notes[DFS_SEEN, u] == 0:
                notes[PARENT, u] = v
                v = _enter(indptr, notes, u, count)
                count += 1
            elif u != notes[PARENT, v]:
                notes[LOW, v] = min(notes[LOW, v], notes[DFS_SEEN, u])
        else:
            parent = notes[PARENT, v]
            if parent >= 0:
                _leave(notes, v, parent)
            v = parent
    for v in notes[DFS_ORDER, :count]:
        rest = count - 1 - notes[BELOW, v]
        first, second = notes[LARGEST, v], notes[SECOND, v]
        notes[LARGEST, v], notes[SECOND, v] = max(rest, first), max(min(rest, first), second)
    return count


@kernel
def _enter(indptr: Ints, notes: Ints, v: int, count: int) -> int:
    """Note the first visit of a node, the search's number `count`."""
    notes[DFS_ORDER, count] = v
    notes[DFS_SEEN, v] = notes[LOW, v] = count + 1
    notes[DFS_EDGE, v] = indptr[v]
    notes[SIZE, v] = 1
    notes[BELOW, v] = notes[LARGEST, v] = notes[SECOND, v] = 0
    return v


@kernel
def _leave(notes: Ints, v: int, parent: int) -> None:
    """Note the last visit of a node: tell its parent what hangs on it."""
    size = notes[SIZE, v]
    notes[SIZE, parent] += size
    notes[LOW, parent] = min(notes[LOW, parent], notes[LOW, v])
    if notes[LOW, v] >= notes[DFS_SEEN, parent]:  # nothing below leads past the parent
        notes[BELOW, parent] += size
        if size > notes[LARGEST, parent]:
            notes[SECOND, parent] = notes[LARGEST, parent]
            notes[LARGEST, parent] = size
        else:
            notes[SECOND, parent] = max(notes[SECOND, parent], size)


@outer_kernel
def parts_without(indptr: Ints, indices: Ints) -> tuple[Ints, Ints, Ints]:  # [N] each
    """Return the size of each node's piece, and of the two largest pieces of that without the node.

    The last one is more than 0 at articulation points only.
    """
    n = len(indptr) - 1
    notes, piece = np.zeros((DFS_ROWS, n), dtype=np.int32), np.zeros(n, dtype=np.int32)
    size = np.zeros(n, dtype=np.int32)
    for root in range(n):
        if notes[DFS_SEEN, root] == 0:
            count = articulation_search(indptr, indices, piece, 0, root, notes)
            for i in range(count):
                size[notes[DFS_ORDER, i]] = count
    return size, notes[LARGEST], notes[SECOND]


# -- subgraphs -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subgraph:
    """Some nodes of a graph, renumbered in the order given, and the edges between them."""

    nodes: Rows  # [n]  what the whole graph calls them
    indptr: Ints  # [n + 1]
    indices: Ints  # [2 E]

    @property
    def edges(self) -> Ints:  # [E, 2]  each edge once, smaller node first
        return edge_list(self.indptr, self.indices)


def subgraph(indptr: Ints, indices: Ints, nodes: Rows, number: Ints | None = None) -> Subgraph:
    """Return the subgraph of these nodes.

    `number` is room for the new numbers, -1 everywhere before and after: with it, taking many small
    parts of a large graph costs no more than the parts are large.
    """
    if number is None:
        number = np.full(len(indptr) - 1, -1, dtype=np.int32)
    first = np.empty(len(nodes) + 1, dtype=np.int32)
    inside = np.empty(int((indptr[nodes + 1] - indptr[nodes]).sum()), dtype=np.int32)
    fill_subgraph(indptr, indices, nodes, number, first, inside)
    return Subgraph(nodes, first, inside[: first[-1]].copy())


@kernel
def fill_subgraph(
    indptr: Ints, indices: Ints, nodes: npt.NDArray[Any], number: Ints, first: Ints, inside: Ints
) -> None:
    """Write the rows of a subgraph: neighbours of node i are inside[first[i]:first[i + 1]]."""
    for i in range(len(nodes)):
        number[nodes[i]] = i
    used = 0
    for i in range(len(nodes)):
        first[i] = used
        for k in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            if number[indices[k]] >= 0:
                inside[used] = number[indices[k]]
                used += 1
    first[len(nodes)] = used
    for i in range(len(nodes)):
        number[nodes[i]] = -1


# -- floods and components -----------------------------------------------------------------------


@kernel
def flood(
    indptr: Ints, indices: Ints, start: int, old: int, new: int, colour: Ints, stack: Ints
) -> int:
    """Give the nodes of colour `old` joined to `start` the colour `new`; return how many."""
    colour[start] = new
    stack[0] = start
    top = 1
    count = 0
    while top > 0:
        top -= 1
        count += 1
        v = stack[top]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if colour[u] == old:
                colour[u] = new
                stack[top] = u
                top += 1
    return count


@kernel
def colour_components(indptr: Ints, indices: Ints, colour: Ints, stack: Ints) -> int:
    """Give the components of the nodes of colour 1 the colours 2, 3, …; return how many."""
    count = 0
    for v in range(len(colour)):
        if colour[v] == 1:
            flood(indptr, indices, v, 1, count + 2, colour, stack)
            count += 1
    return count


def components(indptr: Ints, indices: Ints, inside: Bools) -> list[Rows]:
    """Return the connected components of some nodes, by their first node; nodes ascend."""
    colour = inside.astype(np.int32)
    count = colour_components(indptr, indices, colour, np.empty(len(colour), dtype=np.int32))
    nodes = np.flatnonzero(inside)
    sizes = np.bincount(colour[nodes] - 2, minlength=count)
    by_component = nodes[np.argsort(colour[nodes], kind="stable")]
    return np.split(by_component, np.cumsum(sizes)[:-1]) if count else []


@inlined
def find_root(parent: Ints, v: int) -> int:
    """Return the node that stands for the set of v in a union-find; shorten the way there."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


# -- cores ---------------------------------------------------------------------------------------


@kernel
def strip_leaves(
    indptr: Ints, indices: Ints, alive: npt.NDArray[Any], degree: Ints, stack: Ints
) -> None:
    """Reduce the nodes that are alive to the 2-core, and count degrees inside it.

    What is left without nodes that have fewer than two neighbours, taken away over and over. The
    degrees of dead nodes mean nothing.
    """
    count = 0
    for v in range(len(alive)):
        degree[v] = 0
        if alive[v]:
            for k in range(indptr[v], indptr[v + 1]):
                if alive[indices[k]]:
                    degree[v] += 1
            if degree[v] < 2:
                stack[count] = v
                count += 1
    for i in range(count):
        alive[stack[i]] = False
    strip_after(indptr, indices, alive, degree, stack, count)


@kernel
def strip_after(
    indptr: Ints,
    indices: Ints,
    alive: npt.NDArray[Any],
    degree: Ints,
    stack: Ints,
    count: int,
) -> None:
    """Restore the 2-core after the first `count` nodes on the stack have died."""
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


@outer_kernel
def core_numbers(indptr: Ints, indices: Ints) -> Ints:  # [N]
    """Return the largest k such that a node is in the k-core (Batagelj & Zaveršnik, 2003).

    The node with the fewest neighbours left is taken, in turn. Nodes stand in `order` by the
    neighbours that are left; those with d of them from `begins[d]`.
    """
    core = np.diff(indptr).astype(np.int32)
    n, most = len(core), 0
    for degree in core:
        most = max(most, degree)
    begins = np.zeros(most + 2, dtype=np.int32)
    order, place = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    for degree in core:
        begins[degree + 1] += 1
    for d in range(1, len(begins)):
        begins[d] += begins[d - 1]
    for v in range(n):
        place[v] = begins[core[v]]
        order[place[v]] = v
        begins[core[v]] += 1
    for d in range(len(begins) - 1, 0, -1):  # each has moved to where the next one began
        begins[d] = begins[d - 1]
    begins[0] = 0
    for i in range(n):
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if core[u] > core[v]:  # to the front of those with as many, and then one fewer
                first = begins[core[u]]
                other = order[first]
                order[place[u]], order[first] = other, u
                place[other], place[u] = place[u], first
                begins[core[u]] += 1
                core[u] -= 1
    return core


# -- collective influence ------------------------------------------------------------------------


@kernel
def influence(
    indptr: Ints, indices: Ints, radius: int, degree: Ints, ints: Ints, source: int, mark: int
) -> int:
    """Return (k − 1) Σ (k' − 1), k' the degrees of the nodes exactly `radius` steps away.

    Nodes of degree 0 count as gone. `ints` has three rows: the first holds the mark of the search
    that saw a node last, and `mark` must be a new one.
    """
    seen, queue, depth = ints[0], ints[1], ints[2]
    if degree[source] < 2:
        return 0
    seen[source] = mark
    queue[0] = source
    depth[0] = 0
    head, tail, rim = 0, 1, 0
    while head < tail:
        v, d = queue[head], depth[head]
        head += 1
        if d == radius:
            rim += degree[v] - 1
            continue
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if degree[u] > 0 and seen[u] != mark:
                seen[u] = mark
                queue[tail] = u
                depth[tail] = d + 1
                tail += 1
    return int((degree[source] - 1) * rim)
