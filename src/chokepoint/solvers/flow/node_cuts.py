"""Disjoint paths and the smallest cut between two sets of nodes of any graph.

Augmenting paths with one unit of flow through each node. The flow is kept as paths: `after[v]` and
`before[v]` are v's neighbours on its path. A search runs over two states for each node, entering it
(2 v) and leaving it (2 v + 1). Only nodes limit the flow: an edge that is in use may be offered
again, which leads nowhere new but keeps edges out of the cut.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from chokepoint.compiled import kernel
from chokepoint.types import Bools, Ints

NONE, END = -2, -1  # not on a path; where a path starts or ends


@kernel
def search(
    indptr: Ints,
    indices: Ints,
    active: Bools,
    first: Bools,
    last: Bools,
    before: Ints,
    came: Ints,
    queue: Ints,
) -> int:
    """The node at which one more path could end, or -1; `came` tells how each state was reached."""
    came[:] = NONE
    tail = 0
    for v in range(len(active)):
        if first[v]:
            came[2 * v] = END
            queue[tail] = 2 * v
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        v = state // 2
        if state % 2 == 0:
            # An unused node can be passed; on a used one the path before it can be turned back.
            back = before[v]
            step = state + 1 if back == NONE else 2 * back + 1
            if back != END and came[step] == NONE:
                came[step] = state
                queue[tail] = step
                tail += 1
            continue
        if last[v]:
            return int(v)
        if before[v] != NONE and came[2 * v] == NONE:  # the path no longer needs this node
            came[2 * v] = state
            queue[tail] = 2 * v
            tail += 1
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if active[u] and came[2 * u] == NONE:
                came[2 * u] = state
                queue[tail] = 2 * u
                tail += 1
    return -1


@kernel
def augment(before: Ints, after: Ints, came: Ints, queue: Ints, end: int) -> None:
    """Add the path that `search` found to the flow."""
    length = 0
    state = 2 * end + 1
    while state != END:
        queue[length] = state
        length += 1
        state = came[state]
    before[queue[length - 1] // 2] = END
    for i in range(length - 1, 0, -1):
        state, step = queue[i], queue[i - 1]
        v, u = state // 2, step // 2
        if state % 2 == 1 and u == v:
            before[v] = after[v] = NONE
        elif state % 2 == 1:
            after[v] = u
            before[u] = v
    after[end] = END


class Cut:
    """A largest set of disjoint paths of active nodes, and a smallest cut, between two sets."""

    def __init__(
        self,
        indptr: Ints,
        indices: Ints,
        active: Bools,
        first: Bools,
        last: Bools,
        out_of_time: Callable[[], bool] = lambda: False,
    ) -> None:
        n = len(active)
        self.indptr, self.indices, self.active = indptr, indices, active
        self.first, self.last = first & active, last & active
        self.before = np.full(n, NONE, dtype=np.int32)
        self.after = np.full(n, NONE, dtype=np.int32)
        self._came = np.empty(2 * n, dtype=np.int32)
        self._queue = np.empty(2 * n, dtype=np.int32)
        self.complete = False
        while not self.complete and not out_of_time():
            end = search(
                indptr,
                indices,
                active,
                self.first,
                self.last,
                self.before,
                self._came,
                self._queue,
            )
            self.complete = end < 0
            if end >= 0:
                augment(self.before, self.after, self._came, self._queue, end)

    def paths(self) -> list[list[int]]:
        """The disjoint paths, each from the first set to the last."""
        found = []
        for start in np.flatnonzero(self.before == END):
            path = [int(start)]
            while self.after[path[-1]] != END:
                path.append(int(self.after[path[-1]]))
            found.append(path)
        return found

    def nodes(self) -> npt.NDArray[np.intp]:
        """A smallest cut: nodes that the last search could enter but not leave."""
        if not self.complete:  # out of time: one whole side is always a cut
            sides = (np.flatnonzero(self.first), np.flatnonzero(self.last))
            return min(sides, key=len)
        reached = self._came != NONE
        return np.flatnonzero(reached[0::2] & ~reached[1::2])

    def on_some_cut(self) -> Bools:  # [N]
        """The nodes that lie on some smallest cut.

        They are the used nodes that what is left of the network cannot go round: entering and
        leaving them are not strongly connected. Source and sink are states 2 N and 2 N + 1.
        """
        n = len(self.active)
        nodes = np.flatnonzero(self.active)
        source, sink = np.full(n, 2 * n), np.full(n, 2 * n + 1)
        used = self.before != NONE
        owner = np.repeat(np.arange(n), np.diff(self.indptr))
        joined = self.active[owner] & self.active[self.indices]
        a, b = owner[joined], self.indices[joined].astype(np.int64)
        flowing = self.after[a] == b
        starts, ends = np.flatnonzero(self.first), np.flatnonzero(self.last)
        arcs = [
            (2 * nodes[~used[nodes]], 2 * nodes[~used[nodes]] + 1),
            (2 * np.flatnonzero(used) + 1, 2 * np.flatnonzero(used)),
            (2 * a + 1, 2 * b),
            (2 * b[flowing], 2 * a[flowing] + 1),
            (source[starts], 2 * starts),
            (2 * ends + 1, sink[ends]),
        ]
        sources = np.flatnonzero(self.before == END)
        sinks = np.flatnonzero(self.after == END)
        arcs += [(2 * sources, source[sources]), (sink[sinks], 2 * sinks + 1)]
        tail, head = (np.concatenate(side) for side in zip(*arcs, strict=True))
        graph = coo_matrix((np.ones(len(tail)), (tail, head)), shape=(2 * n + 2, 2 * n + 2))
        _, piece = connected_components(graph, connection="strong")
        on_cut: Bools = used & (piece[0 : 2 * n : 2] != piece[1 : 2 * n : 2])
        return on_cut
