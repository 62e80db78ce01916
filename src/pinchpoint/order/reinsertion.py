"""Reinsertion: the nodes of an order come back greedily, from its end.

The node that comes back next is the one whose piece is then smallest for its cost. Nodes that join
only small pieces return first and come last in the new order (the greedy reinsertion of Braunstein,
Dall'Asta, Semerjian & Zdeborová, PNAS 113, 2016, carried on to the first node).

A waiting node would be in a piece of the size of its *home*, the largest piece that it touches, and
of what else it would join. Nodes wait in a heap for each home and cost, by what else they would
join: when a piece grows, one number changes in place of a key for every node beside it. When pieces
merge, the nodes beside the smaller one are looked at. A key may be too low but never too high. When
its node comes to the top, it is found anew, and the node comes back only if it was right. New
pieces never get smaller, so a key that was found has to be passed by them before it is looked at
again: in practice the time is nearly linear.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.graph.algorithms import find_root
from pinchpoint.order.heaps import change_key, sift_up, take_top
from pinchpoint.order.orders import check_order
from pinchpoint.order.pairing_heaps import (
    NONE,
    Forest,
    lowered,
    new_forest,
    with_node,
    without_top,
)
from pinchpoint.types import Array, Bools, Bytes, Floats, Ints, Longs

# Different costs; where there are more, similar ones count as equal. Large graphs have fewer, so
# that there are about HEAPS heaps at most.
FEWEST_COSTS, MOST_COSTS, HEAPS = 8, 64, 2**24


class Reinsertion(NamedTuple):
    """What is there, and what waits: n nodes, C different costs, heaps numbered home · C + cost.

    Nodes that touch no piece have the home n, of size 0.
    """

    indptr: Ints  # [n + 1]
    indices: Ints
    costs: Floats  # [C]
    cost: Bytes  # [n]  which of the costs a node has
    present: Bools  # [n]
    parent: Ints  # [n]  union-find of the nodes that are there
    size: Ints  # [n + 1]
    follow: Ints  # [n]  the next node of the same piece, in a circle
    home: Ints  # [n]  a piece, by its root
    stamp: Longs  # [n]
    clock: Longs  # [1]  for `stamp`
    forest: Forest  # of the waiting nodes; a key is what a node would join beside its home, and 1
    top: Ints  # [heaps]  the node on top, or `NONE`
    key: Floats  # [heaps]  minus the size of that node's piece, for its cost
    queue: Ints  # [heaps]  a heap of those heaps that have nodes, by `key`
    place: Ints  # [heaps]  in `queue`
    waiting: Ints  # [1]  heaps in `queue`


def reinserted(
    indptr: Ints, indices: Ints, order: Array, costs: Floats, inside: Bools | None = None
) -> Ints:
    """Return the nodes of an order in a better order, of the nodes `inside` if not of all."""
    n = len(indptr) - 1
    nodes = check_order(order, n)
    present = np.ones(n, dtype=np.bool_) if inside is None else inside.copy()
    present[nodes] = False
    some_costs, cost = few_costs(costs, max(FEWEST_COSTS, min(MOST_COSTS, HEAPS // max(n, 1))))
    heaps = (n + 1) * len(some_costs)
    size = np.ones(n + 1, dtype=np.int32)
    size[n] = 0
    r = Reinsertion(
        *(indptr, indices, some_costs, cost, present),
        *(np.arange(n, dtype=np.int32), size, np.arange(n, dtype=np.int32)),
        *(np.full(n, n, dtype=np.int32), np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)),
        *(new_forest(n), np.full(heaps, NONE, dtype=np.int32), np.zeros(heaps)),
        *(np.zeros(heaps, dtype=np.int32), np.full(heaps, -1, dtype=np.int32)),
        np.zeros(1, dtype=np.int32),
    )
    out = np.empty_like(nodes)
    put_back(r, nodes, out)
    return out


def few_costs(costs: Floats, most: int) -> tuple[Floats, Bytes]:
    """Return at most so many different costs, and which of them each node has about."""
    different, cost = np.unique(costs, return_inverse=True)
    if len(different) > most:
        low, high = math.log(different[0]), math.log(different[-1])
        cost = np.rint((np.log(costs) - low) / (high - low) * (most - 1))
        different = np.exp(np.linspace(low, high, most))
    return different, cost.astype(np.uint8)


@kernel
def put_back(r: Reinsertion, nodes: Ints, out: Ints) -> None:
    """Put all nodes back one by one, and write them to `out` from its end."""
    for v in range(len(r.parent)):
        if not r.present[v]:
            continue
        for e in range(r.indptr[v], r.indptr[v + 1]):
            if r.present[r.indices[e]]:
                a, b = find_root(r.parent, v), find_root(r.parent, r.indices[e])
                if r.size[a] < r.size[b]:
                    a, b = b, a
                if a != b:
                    join(r, a, b)
    for v in nodes:
        wait(r, v)
    for left in range(len(out) - 1, -1, -1):
        v = next_node(r)
        out[left] = v
        r.present[v] = True
        come_back(r, v)


@kernel
def next_node(r: Reinsertion) -> int:
    """Take the node whose piece would be smallest for its cost."""
    while True:
        heap = r.queue[0]
        v = r.top[heap]
        stored = r.size[heap // len(r.costs)] + r.forest.key[v]
        r.top[heap] = without_top(r.forest, v)
        update(r, heap)
        if around(r, v)[0] == stored:
            return int(v)
        wait(r, v)


@kernel
def around(r: Reinsertion, v: int) -> tuple[int, int]:
    """Return the size of the piece that node v would be in, and the largest piece it touches."""
    total, home = 1, len(r.parent)
    r.clock[0] += 1
    for e in range(r.indptr[v], r.indptr[v + 1]):
        u = r.indices[e]
        if r.present[u]:
            root = find_root(r.parent, u)
            if r.stamp[root] != r.clock[0]:
                r.stamp[root] = r.clock[0]
                total += r.size[root]
                if r.size[root] > r.size[home]:
                    home = root
    return total, home


@kernel
def wait(r: Reinsertion, v: int) -> None:
    """Let a node wait in the heap that it belongs to now."""
    total, home = around(r, v)
    r.home[v] = home
    heap = home * len(r.costs) + r.cost[v]
    r.top[heap] = with_node(r.forest, r.top[heap], v, total - r.size[home])
    update(r, heap)


@kernel
def update(r: Reinsertion, heap: int) -> None:
    """Put a heap to where it belongs among the others."""
    v = r.top[heap]
    if v == NONE:
        if r.place[heap] >= 0:
            change_key(r.key, r.queue, r.place, r.waiting[0], heap, np.inf)
            take_top(r.key, r.queue, r.place, r.waiting[0])
            r.waiting[0] -= 1
        return
    size = r.size[heap // len(r.costs)] + r.forest.key[v]
    new = -size / r.costs[heap % len(r.costs)]
    if r.place[heap] >= 0:
        change_key(r.key, r.queue, r.place, r.waiting[0], heap, new)
    else:
        r.key[heap] = new
        r.queue[r.waiting[0]] = heap
        sift_up(r.key, r.queue, r.place, r.waiting[0])
        r.waiting[0] += 1


@kernel
def come_back(r: Reinsertion, v: int) -> None:
    """Join a node with the largest piece that it touches, and the others with that one."""
    _, home = around(r, v)
    if home == len(r.parent):
        return
    join(r, home, v)
    for e in range(r.indptr[v], r.indptr[v + 1]):
        if r.present[r.indices[e]]:
            root = find_root(r.parent, r.indices[e])
            if root != home:
                merge(r, home, root)
    for heap in range(home * len(r.costs), (home + 1) * len(r.costs)):
        update(r, heap)


@kernel
def join(r: Reinsertion, home: int, root: int) -> None:
    """Make one piece of two."""
    r.parent[root] = home
    r.size[home] += r.size[root]
    r.follow[home], r.follow[root] = r.follow[root], r.follow[home]


@kernel
def merge(r: Reinsertion, home: int, root: int) -> None:
    """Join a piece to one that is not smaller, and let the nodes beside it know."""
    for heap in range(root * len(r.costs), (root + 1) * len(r.costs)):
        r.top[heap] = NONE  # its nodes are beside the piece, and go elsewhere below
        update(r, heap)
    last, joined = r.follow[home], r.size[root]
    join(r, home, root)
    r.clock[0] += 1
    now = r.clock[0]
    v = home
    while r.follow[v] != last:  # the nodes that have come in between
        v = r.follow[v]
        for e in range(r.indptr[v], r.indptr[v + 1]):
            u = r.indices[e]
            if r.present[u] or r.stamp[u] == now:
                continue
            r.stamp[u] = now
            if r.home[u] == root:
                wait(r, u)
            elif r.home[u] == home:  # it would have joined the piece beside its home
                heap, key = home * len(r.costs) + r.cost[u], max(1, r.forest.key[u] - joined)
                r.top[heap] = lowered(r.forest, r.top[heap], u, key)
