"""Orders of nodes, and what is left of a graph as they go.

The curve of an order is found by adding the nodes back in reverse, with a union-find (Newman &
Ziff, Phys. Rev. E 64, 2001), in nearly linear time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pinchpoint.compiled import kernel, outer_kernel
from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import find_root
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Ints, Longs


@dataclass(frozen=True)
class Curve:
    """States of a graph, one after each node of an order."""

    largest: Longs  # [K]  nodes of the largest piece
    second: Longs  # [K]  of the second largest; 0 if there is none
    pairs: Longs  # [K]  pairs of nodes that are still joined

    def part(self, begin: int, end: int | None = None) -> Curve:
        """Return some of the states."""
        return Curve(self.largest[begin:end], self.second[begin:end], self.pairs[begin:end])


Goal = Callable[[Curve], Bools]  # which of the states are good enough


def pieces_up_to(size: int) -> Goal:
    """Return the goal that no piece has more than so many nodes."""
    return lambda curve: curve.largest <= size


@dataclass(frozen=True)
class Order:
    """All nodes of a graph, one after the other.

    Nodes that a method leaves out follow in the order of reading.
    """

    graph: Topology
    nodes: Ints  # [N]

    @classmethod
    def of(cls, graph: Topology, chosen: Array) -> Order:
        """Return the order that begins with these nodes; raise InputError if they are none."""
        n = len(graph.indptr) - 1
        given = check_order(chosen, n)
        left = np.ones(n, dtype=np.bool_)
        left[given] = False
        return cls(graph, np.concatenate([given, np.flatnonzero(left).astype(np.int32)]))

    @cached_property
    def states(self) -> Curve:  # [N + 1]
        """The whole graph, and what is left after each node."""
        return Curve(*trace(self.graph.indptr, self.graph.indices, self.nodes))

    @cached_property
    def curve(self) -> Curve:  # [N]
        """What is left after each node."""
        return self.states.part(1)

    def until(self, goal: Goal) -> Ints:
        """Return the nodes that go until the goal is reached, or all nodes."""
        return _until(self.nodes, self.states, goal)


def check_order(order: Array, n: int) -> Ints:
    """Return an order as the kernels take it; raise InputError if it is none."""
    try:
        given = np.asarray(order)
    except ValueError:  # lists of different lengths
        given = np.zeros(())
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError("an order is a list of node numbers")
    if given.size and not 0 <= given.min() <= given.max() < n:
        bad = given.min() if given.min() < 0 else given.max()
        raise InputError(f"an order names node {bad}; nodes are 0 to {n - 1}")
    if len(np.unique(given)) != len(given):
        raise InputError("an order names a node twice")
    return np.ascontiguousarray(given, dtype=np.int32)


def curve_of(indptr: Ints, indices: Ints, order: Array) -> Curve:
    """Return the curve of an order that may leave nodes out."""
    return Curve(*trace(indptr, indices, check_order(order, len(indptr) - 1))[:, 1:])


def nodes_until(indptr: Ints, indices: Ints, order: Ints, goal: Goal) -> Ints:
    """Return the nodes of an order that go until the goal is reached, or all of them."""
    return _until(order, Curve(*trace(indptr, indices, order)), goal)


def _until(nodes: Ints, states: Curve, goal: Goal) -> Ints:
    reached = goal(states)
    return nodes[: int(reached.argmax())] if reached.any() else nodes


@outer_kernel
def trace(indptr: Ints, indices: Ints, order: Ints) -> Longs:  # [3, K + 1]
    """Return the states of a graph before and after each of K nodes."""
    n = len(indptr) - 1
    present = np.ones(n, dtype=np.bool_)
    for v in order:
        present[v] = False
    parent, size = np.arange(n).astype(np.int32), np.ones(n, dtype=np.int32)
    counts = np.zeros(n + 1, dtype=np.int32)  # a Fenwick tree of the sizes of the pieces
    out = np.zeros((3, len(order) + 1), dtype=np.int64)
    largest, pieces, pairs = 0, 0, 0
    k = len(order)
    for step in range(n + k):  # first all that is never removed, then the order backwards
        if step < n:
            v = step
            if not present[v]:
                continue
        else:
            k = len(order) - 1 - (step - n)
            out[0, k + 1] = largest
            out[1, k + 1] = second_largest(counts, largest, pieces)
            out[2, k + 1] = pairs
            v = order[k]
            present[v] = True
        merged = 1
        root = v
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if not present[u] or (step < n and u > v):
                continue
            other = find_root(parent, u)
            if other != root:
                pairs += merged * size[other]
                count_size(counts, size[other], -1)
                pieces -= 1
                merged += size[other]
                if size[other] > size[root]:
                    parent[root] = other
                    root = other
                else:
                    parent[other] = root
                size[root] = merged
        count_size(counts, merged, 1)
        pieces += 1
        largest = max(largest, merged)
    out[0, 0] = largest
    out[1, 0] = second_largest(counts, largest, pieces)
    out[2, 0] = pairs
    return out


@kernel
def count_size(counts: Ints, size: int, change: int) -> None:
    """Count a piece of this size in, or out."""
    while size < len(counts):
        counts[size] += change
        size += size & -size


@kernel
def second_largest(counts: Ints, largest: int, pieces: int) -> int:
    """Return the size of the second largest piece, 0 if there is none."""
    if pieces < 2:
        return 0
    wanted = pieces - 1  # of the pieces by ascending size
    at, step = 0, 1
    while 2 * step < len(counts):
        step *= 2
    while step > 0:
        if at + step < len(counts) and counts[at + step] < wanted:
            at += step
            wanted -= counts[at]
        step //= 2
    return at + 1
