"""The bound of shatter: connected sets of W + 1 nodes with weights, of which each must lose a node.

No node collects more weight than it costs. So the nodes that go cost at least the weight of all
sets together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pinchpoint.compiled import kernel
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
    n = len(part.nodes)
    size = limit + 1
    ints = np.zeros((4, n), dtype=np.int32)
    ints[0] = np.argsort(np.diff(part.indptr), kind="stable")
    room = max(n, ROOM)
    out, weights = np.empty(room, dtype=np.int32), np.empty(room // size + 1, dtype=np.int64)
    count = fill_packing(part.indptr, part.indices, left, size, CHOOSY, ints, out, weights)
    sets = out[: count * size].reshape(count, size).astype(np.intp)
    return SetPacking(list(sets), weights[:count].astype(costs.amounts.dtype) << shift)


@kernel
def fill_packing(
    indptr: Ints,
    indices: Ints,
    left: Longs,
    size: int,
    choosy: int,
    ints: Ints,
    out: Ints,
    weights: Longs,
) -> int:
    """Write sets of `size` nodes one after the other, and their weights; return how many.

    `left` is what each node can still collect, at first its cost; it is used up.
    """
    seeds, degree, seen, rim = ints[0], ints[1], ints[2], ints[3]
    for v in range(len(left)):
        degree[v] = indptr[v + 1] - indptr[v]
    count, mark = 0, 0
    for i in range(len(seeds)):
        seed = seeds[i]
        while left[seed] > 0 and (count + 1) * size <= len(out):
            mark += 1
            grown = out[count * size : (count + 1) * size]
            found = grow(indptr, indices, left, degree, choosy, seed, mark, seen, rim, grown)
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
    return count


@kernel
def grow(
    indptr: Ints,
    indices: Ints,
    left: Longs,
    degree: Ints,
    choosy: int,
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
        if len(out) <= choosy:
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
