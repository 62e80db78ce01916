"""The cheapest set of nodes that parts two sets of nodes of any graph, by maximum flow.

Every node v is an arc from its entry, state 2 v, to its exit, state 2 v + 1, with the node's cost
as capacity; an edge is an arc from exit to entry in both directions that nothing limits. `scipy`
finds the flow (Dinic's algorithm) for capacities of 30 bits. It cannot be stopped half-way: 40,000
nodes take about 0.3 seconds.

Costs of more bits are cut off for a first flow. What it leaves of the network can carry little
more, so that a second flow there has 30 bits again that begin further down, and so on until no bit
is left (scaling: Gabow, J. Comput. Syst. Sci. 31, 1985).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

from pinchpoint.types import Array, Bools, Ints

BITS = 30  # of all capacities together: twice as much must fit in scipy's 32 bits


class NodeCut:
    """A largest flow of paths through active nodes, and a cheapest cut, between two sets.

    At most as much leads through a node as it costs, a whole number (1 each by default). Where one
    flow after the other has to be found, `goes_on` is asked before each but the first. After a
    false answer the amount is less than a cut costs, and there may be nodes to spare in the cut.
    """

    def __init__(
        self,
        indptr: Ints,
        indices: Ints,
        active: Bools,
        first: Bools,
        last: Bools,
        costs: Array | None = None,  # [N]  whole numbers
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        n = len(active)
        self.active = active
        self.source, self.sink = 2 * n, 2 * n + 1
        nodes = np.flatnonzero(active)
        price = np.ones(len(nodes), dtype=np.int64) if costs is None else costs[nodes]
        owner = np.repeat(np.arange(n), np.diff(indptr))
        # No shortest path leads on from the last set, or back to the first.
        joined = (active & ~last)[owner] & (active & ~first)[indices]
        starts, ends = np.flatnonzero(first & active), np.flatnonzero(last & active)
        arcs = [
            (2 * nodes, 2 * nodes + 1),
            (2 * owner[joined] + 1, 2 * indices[joined].astype(np.int64)),
            (np.full(len(starts), self.source), 2 * starts),
            (2 * ends + 1, np.full(len(ends), self.sink)),
        ]
        self._tail, self._head = (np.concatenate(column) for column in zip(*arcs, strict=True))
        self._price = price
        total = int(price.sum())
        shift = max(total.bit_length() - BITS, 0)
        self._find_flow(price >> shift, total >> shift)
        self.amount = int(self._answer.flow_value) << shift
        self._carried: Array | None = None  # by each arc; None: what the only flow says
        if not shift:
            return
        self._carried = self._of_arcs() << shift
        while (lacks := self._lacks()) and goes_on():
            shift = max(lacks.bit_length() - BITS, 0)
            ahead = np.minimum(price - self._carried[: len(price)], lacks) >> shift
            self._find_flow(ahead, lacks >> shift, np.minimum(self._carried, lacks) >> shift)
            self.amount += int(self._answer.flow_value) << shift
            self._carried = self._carried + (self._of_arcs() << shift)

    def _find_flow(self, ahead: Array, most: int, back: Array | None = None) -> None:
        """Find a largest flow, of so much at most.

        `ahead` is what more can lead through each node, `back` how much less through each arc.
        """
        tail, head = self._tail, self._head
        room = np.full(len(tail), most + 1, dtype=np.int32)  # nothing limits an edge
        room[: len(ahead)] = ahead
        if back is not None:
            tail, head = np.concatenate([tail, head]), np.concatenate([head, tail])
            room = np.concatenate([room, back.astype(np.int32)])
        shape = (self.sink + 1, self.sink + 1)
        capacity = csr_array((room, (tail, head)), shape=shape)
        self._answer = maximum_flow(capacity, self.source, self.sink)
        self._left = capacity - self._answer.flow  # what each arc, or its reverse, could carry
        self._left.eliminate_zeros()

    def _of_arcs(self) -> Array:
        """Return the last flow through each arc."""
        flow = np.asarray(self._answer.flow[self._tail, self._head]).ravel()
        return flow.astype(self._price.dtype)

    def _lacks(self) -> int:
        """Return what the flow lacks at most: what the arcs across the cut can still carry."""
        assert self._carried is not None
        tail, head = self._reached[self._tail], self._reached[self._head]
        full = (tail & ~head)[: len(self._price)]
        left = self._price - self._carried[: len(full)]
        return int(left[full].sum() + self._carried[head & ~tail].sum())

    @property
    def _reached(self) -> Bools:  # [states]
        """Where more flow could come to."""
        reached = np.zeros(self.sink + 1, dtype=np.bool_)
        reached[breadth_first_order(self._left, self.source, return_predecessors=False)] = True
        return reached

    def nodes(self) -> npt.NDArray[np.intp]:
        """Return the cheapest cut nearest to the first set.

        These are the nodes that more flow could enter but not leave.
        """
        reached = self._reached
        return np.flatnonzero(reached[0:-2:2] & ~reached[1:-2:2])

    def paths(self) -> tuple[list[list[int]], list[int]]:
        """Return the paths of the flow, from the first set to the last, and what each carries."""
        if self._carried is None:
            flow = self._answer.flow.tocsr()
            flow.sum_duplicates()
            place, heads, left = flow.indptr[:-1].copy(), flow.indices, np.maximum(flow.data, 0)
        else:
            order = np.lexsort((self._head, self._tail))
            place = np.searchsorted(self._tail[order], np.arange(self.sink + 1))
            heads, left = self._head[order], self._carried[order]

        def arc(state: int) -> int:  # those before it are used up
            while left[place[state]] == 0:
                place[state] += 1
            return int(place[state])

        found, amounts, carried = [], [], 0
        while carried < self.amount:
            arcs = [arc(self.source)]
            seen = {self.source: 0}
            while (state := int(heads[arcs[-1]])) != self.sink:
                if state in seen:  # flow that runs in a circle carries nothing
                    circle = arcs[seen[state] :]
                    left[circle] -= left[circle].min()
                    del arcs[seen[state] :]
                    seen = {s: i for s, i in seen.items() if i < seen[state]}
                seen[state] = len(arcs)
                arcs.append(arc(state))
            amount = int(left[arcs].min())
            left[arcs] -= amount
            carried += amount
            states = [int(heads[a]) for a in arcs[:-1]]
            found.append([state // 2 for state in states if state % 2 == 0])
            amounts.append(amount)
        return found, amounts

    def links(self) -> tuple[npt.NDArray[np.intp], Array]:  # [L, 2], [L]
        """Return the edges that carry some of the flow, in its direction, and how much."""
        carried = self._of_arcs() if self._carried is None else self._carried
        used = (self._tail % 2 == 1) & (self._head < self.source) & (carried > 0)
        ends = np.stack([self._tail[used] // 2, self._head[used] // 2], axis=1)
        return ends.astype(np.intp), carried[used]

    def on_some_cut(self) -> Bools:  # [N]
        """Return the nodes that lie on some cheapest cut.

        They are full, and what the flow has left of the network does not lead round them: entry
        and exit are not strongly connected.
        """
        left = self._left
        if self._carried is not None:  # the last flow was not found for all bits of what is left
            ahead, back = np.ones(len(self._tail), dtype=np.bool_), self._carried > 0
            ahead[: len(self._price)] = self._carried[: len(self._price)] < self._price
            tail = np.concatenate([self._tail[ahead], self._head[back]])
            head = np.concatenate([self._head[ahead], self._tail[back]])
            left = csr_array((np.ones(len(tail), dtype=np.int8), (tail, head)), shape=left.shape)
        _, piece = connected_components(left, connection="strong")
        entry, leave = 2 * np.arange(len(self.active)), 2 * np.arange(len(self.active)) + 1
        full = self.active & (np.asarray(left[entry, leave]).ravel() == 0)
        on_cut: Bools = full & (piece[entry] != piece[leave])
        return on_cut
