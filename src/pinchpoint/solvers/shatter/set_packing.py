"""The bound of shatter: connected sets of W + 1 nodes with weights, of which each must lose a node.

No node collects more weight than it costs. So the nodes that go cost at least the weight of all
sets together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pinchpoint.compiled import kernel, outer_kernel
from pinchpoint.graph.algorithms import Subgraph
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.types import Array, Ints, Longs, Rows

BITS = 62  # of the weights of all sets together
ROOM = 2_000_000  # nodes in all sets of a packing, at least
CHOOSY = 64  # sets of up to so many nodes grow by their best node, larger ones breadth first


@dataclass(frozen=True)
class SetPacking:
    """Connected sets of nodes, and their weights."""

    sets: Sequence[Array]
    weights: Array  # whole numbers of the unit of costs

    @property
    def value(self) -> int:
        """The weight of all sets together."""
        return int(self.weights.sum())

    @property
    def nodes(self) -> int:
        """How many nodes the sets have together."""
        return sum(map(len, self.sets))

    def renamed(self, names: Rows) -> SetPacking:
        """Return the packing with other numbers for its nodes."""
        return SetPacking([names[nodes] for nodes in self.sets], self.weights)


def pack(part: Subgraph, costs: WholeCosts, limit: int) -> SetPacking:
    """Return a greedy packing: sets grow from the rim of what is left inwards."""
    left, shift = costs.rounded(BITS)
    seeds = np.argsort(np.diff(part.indptr), kind="stable")
    nodes, weights = packed_sets(part.indptr, part.indices, left, seeds, limit + 1)
    sets = nodes.reshape(len(weights), limit + 1).astype(np.intp)
    return SetPacking(list(sets), weights.astype(costs.amounts.dtype) << shift)


@outer_kernel
def packed_sets(
    indptr: Ints, indices: Ints, left: Longs, seeds: Longs, size: int
) -> tuple[Ints, Longs]:
    """Return sets of `size` nodes one after the other, and their weights.

    `left` is what each node can still collect, at first its cost; it is used up.
    """
    n = len(left)
    degree, seen, rim = np.diff(indptr), np.zeros(n, np.int32), np.empty(n, np.int32)
    room = max(n, ROOM)
    out, weights = np.empty(room, np.int32), np.empty(room // size + 1, np.int64)
    count, mark = 0, 0
    for i in range(len(seeds)):
        seed = seeds[i]
        while left[seed] > 0 and (count + 1) * size <= len(out):
            mark += 1
            grown = out[count * size : (count + 1) * size]
            found = grow(indptr, indices, left, degree, seed, mark, seen, rim, grown)
            if found < size:  # too few hang together here: no set can ever hold any of them
                for v in grown[:found]:
                    left[v] = 0
                break
            weight = left[seed]
            for k in range(size):
                weight = min(weight, left[grown[k]])
            weights[count] = weight
            count += 1
            for k in range(size):
                v = grown[k]
                left[v] -= weight
                if left[v] == 0:
                    for e in range(indptr[v], indptr[v + 1]):
                        degree[indices[e]] -= 1
    return out[: count * size], weights[:count]


@kernel
def grow(
    indptr: Ints,
    indices: Ints,
    left: Longs,
    degree: Ints,
    seed: int,
    mark: int,
    seen: Ints,
    rim: Ints,
    out: Ints,
) -> int:
    """Grow a connected set from a seed over nodes that can still collect; return its size."""
    rim[0] = seed
    seen[seed] = mark
    head, tail, size = 0, 1, 0
    while size < len(out) and head < tail:
        best = head
        if len(out) <= CHOOSY:
            for i in range(head + 1, tail):
                if degree[rim[i]] < degree[rim[best]]:
                    best = i
        v = rim[best]
        rim[best] = rim[head]
        head += 1
        out[size] = v
        size += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if seen[u] != mark and left[u] > 0:
                seen[u] = mark
                rim[tail] = u
                tail += 1
    return size
