"""Annealing of orders: trials make the area of an order small.

The area is what the order costs until no piece has more than a given number of nodes: each node its
cost times the largest piece that it meets.

A trial changes the part of the order that is *used*, which is enough for small pieces. The other
nodes stay, and are laid in a union-find. The used nodes are added to it from the last to the first,
which gives the piece that each of them meets.

A trial costs what it touches, however large the graph. Only nodes between the first and the last
that change their places meet other pieces than before. The last unions can be taken back, so that
the next trial goes on from where this one ends. Where a used node and one that stays change places,
the pieces around them are laid anew. What would be accepted is settled before, and a trial is given
up as soon as the area is larger than that.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import PAUSE, inlined, kernel, next_chunk
from pinchpoint.order.orders import check_order, curve_of
from pinchpoint.rng import GAMMA, below, mix, stream
from pinchpoint.types import Array, Floats, Ints, Longs

HOT, COLD = 0.3, 0.01  # temperatures, in whole graphs
ADDED, CLOCK = range(2)  # of `counts`: where the used nodes begin that are there, and for `stamp`


class Annealing(NamedTuple):
    """An order while it is annealed."""

    indptr: Ints  # [n + 1]
    indices: Ints
    costs: Floats  # [n]
    small: int
    used: int
    least_cost: float
    now: Ints  # [n]  the order: the used nodes, and those that stay
    best: Ints  # [n]
    place: Ints  # [n]  of each node in `now`
    meets: Ints  # [used]  the largest piece when the node at this place goes
    area: Floats  # [used + 1]  of the nodes before this place
    least: Floats  # [1]  the area of `best`
    parent: Ints  # [n]  a union-find; -1 for nodes that are not there
    size: Ints  # [n]  of the piece, for a root
    largest: Ints  # [used + 1]  the largest piece with all used nodes from this place on
    unions: Ints  # [used + 1]  how many unions were made by then
    joined: Ints  # [n]  the roots that got a parent by these unions
    counts: Longs  # see ADDED
    stamp: Longs  # [n]  the last search that came to a node
    room: Ints  # [n]


def annealed(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    order: Array,
    small: int,
    trials: int,
    seed: int,
    deadline: float | None = None,
) -> Ints:
    """Return all nodes in an order whose area is not larger than that of the order given.

    The area counts until no piece has more than `small` nodes. Nodes change places, go earlier or
    later, or are replaced by a neighbour. With a deadline, by time.perf_counter(), this goes on
    until then, whatever the number of trials.
    """
    n = len(indptr) - 1
    given = check_order(order, n)
    left = np.ones(n, dtype=np.bool_)
    left[given] = False
    now = np.concatenate([given, np.flatnonzero(left).astype(np.int32)])
    if len(given) < 2:
        return now
    reached = int(curve_of(indptr, indices, given).largest[-1]) <= small
    used = len(given) if reached else n  # of an order that ends too early, any node may go
    a = start(indptr, indices, costs, now, used, small)
    if deadline is None:
        anneal(a, seed, 0, trials, 0.0, 1.0)
        return a.best
    begun, done, count = time.perf_counter(), 0, 16
    span = max(deadline - begun, 1e-9)
    while (spent := (time.perf_counter() - begun) / span) < 1:
        anneal(a, seed, done, done + count, spent, min(1.0, spent + PAUSE / span))
        done += count
        count = next_chunk(count, time.perf_counter() - begun - spent * span)
    return a.best


def start(
    indptr: Ints, indices: Ints, costs: Floats, order: Ints, used: int, small: int
) -> Annealing:
    """Lay an order, and find its area."""
    n = len(order)
    place, parent = np.empty(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    place[order] = np.arange(n)
    largest, unions = np.zeros((2, used + 1), dtype=np.int32)
    a = Annealing(
        *(indptr, indices, costs, small, used, float(costs.min())),
        *(order, order.copy(), place, np.empty(used, dtype=np.int32)),
        *(np.zeros(used + 1), np.zeros(1), parent, np.empty(n, dtype=np.int32)),
        *(largest, unions, np.empty(n, dtype=np.int32)),
        *(np.array([used, 0]), np.zeros(n, dtype=np.int64), np.empty(n, dtype=np.int32)),
    )
    lay_all(a)
    a.least[0] = a.area[used]
    return a


@kernel
def anneal(
    a: Annealing, seed: int, first: int, last: int, spent_from: float, spent_to: float
) -> None:
    """Try changes of the order, with numbers from `first` to `last`; keep the best order."""
    n, used = len(a.now), a.used
    one_in = 3 + n // (4 * used)  # a node of many is less likely to be the right one
    for trial in range(first, last):
        x = stream(seed, trial, 0)
        i, outside = below(x, used), below(mix(x + GAMMA), one_in) == 0
        x = mix(x + GAMMA + GAMMA)
        shift = not outside and below(mix(x + GAMMA), 2) == 1
        j = below(x, used)
        if outside:  # a neighbour goes in its place
            v = a.now[i]
            degree = a.indptr[v + 1] - a.indptr[v]
            j = a.place[a.indices[a.indptr[v] + below(x, degree)]] if degree > 0 else i
        if i == j:
            continue
        spent = spent_from + (spent_to - spent_from) * (trial - first) / (last - first)
        heat = n * HOT * (COLD / HOT) ** spent
        chance = (mix(x + GAMMA + GAMMA) >> np.uint64(11)) * 2.0**-53
        most = a.area[used] - heat * math.log(max(chance, 1e-300))
        if j < used:
            try_places(a, i, j, shift, most)
        else:
            try_node(a, i, j, most)


@inlined
def try_places(a: Annealing, i: int, j: int, shift: bool, most: float) -> None:
    """Change the places of used nodes, and keep that if the area is not more than `most`."""
    low, high = min(i, j), max(i, j)
    go_to(a, high + 1)
    change(a.now, a.place, i, j, shift)
    if area_within(a, low, high, most):
        keep(a, low, high)
    else:
        go_to(a, high + 1)
        change(a.now, a.place, j, i, shift)


@kernel
def try_node(a: Annealing, i: int, j: int, most: float) -> None:
    """Let the used node at place i and the one at place j, which stays, change places."""
    stays, goes = a.now[i], a.now[j]
    go_to(a, a.used)
    leave(a, goes)
    if lay(a, stays) <= a.small:
        change(a.now, a.place, i, j, False)
        if area_within(a, i, a.used - 1, most):
            keep(a, i, a.used - 1)
            return
        go_to(a, a.used)
        change(a.now, a.place, i, j, False)
    leave(a, stays)
    lay(a, goes)


@kernel
def change(order: Ints, place: Ints, i: int, j: int, shift: bool) -> None:
    """Let the nodes at places i and j change places, or `shift` the one at i to place j."""
    v = order[i]
    if not shift:
        order[i] = order[j]
    else:
        step = 1 if j > i else -1
        k = i
        while k != j:
            order[k] = order[k + step]
            place[order[k]] = k
            k += step
    order[j] = v
    place[order[i]] = i
    place[v] = j


@inlined
def area_within(a: Annealing, low: int, high: int, most: float) -> bool:
    """Tell whether the area is at most `most` now that nodes from `low` to `high` have changed.

    The nodes after them are there, and these are added up to the one after `low`, which meets what
    the node at its place has met before. If the area is more, that ends sooner.
    """
    total = a.area[low] + price(a, low, a.meets[low]) + a.area[a.used] - a.area[high + 1]
    for k in range(high, low, -1):
        go_to(a, k)
        total += price(a, k, a.largest[k])
        rest = (k - low - 1) * a.least_cost * a.largest[k] if a.largest[k] > a.small else 0.0
        if total + rest > most:  # the others meet no smaller pieces
            return False
    return bool(total <= most)


@inlined
def price(a: Annealing, k: int, met: int) -> float:
    return a.costs[a.now[k]] * met if met > a.small else 0.0


@kernel
def keep(a: Annealing, low: int, high: int) -> None:
    """Take over an order that has changed from `low` to `high`."""
    for k in range(low + 1, high + 1):
        a.meets[k] = a.largest[k]
    for k in range(low, a.used):
        a.area[k + 1] = a.area[k] + price(a, k, a.meets[k])
    if a.area[a.used] < a.least[0]:
        a.least[0] = a.area[a.used]
        for k in range(len(a.now)):
            a.best[k] = a.now[k]


# -- the pieces ----------------------------------------------------------------------------------


@kernel
def lay_all(a: Annealing) -> None:
    """Lay the nodes that stay, add the others, and take the order over."""
    a.counts[CLOCK] += 1
    for k in range(a.used, len(a.now)):
        a.parent[a.now[k]] = a.now[k]
    for k in range(a.used, len(a.now)):
        if a.stamp[a.now[k]] != a.counts[CLOCK]:
            lay_piece(a, a.now[k])
    go_to(a, 0)
    a.meets[0] = a.largest[0]
    keep(a, 0, a.used - 1)


@inlined
def go_to(a: Annealing, wanted: int) -> None:
    """Add used nodes, or take them out again, until those from this place on are there."""
    parent, size = a.parent, a.size
    k = a.counts[ADDED]
    unions = a.unions[k]
    while k < wanted:
        while unions > a.unions[k + 1]:
            unions -= 1
            other = a.joined[unions]
            size[parent[other]] -= size[other]
            parent[other] = other
        parent[a.now[k]] = -1
        k += 1
    while k > wanted:
        k -= 1
        root = v = a.now[k]
        parent[v] = v
        size[v] = 1
        for e in range(a.indptr[v], a.indptr[v + 1]):
            other = a.indices[e]
            if parent[other] < 0:
                continue
            while parent[other] != other:  # ways must stay as they are, to be taken back
                other = parent[other]
            if other != root:
                if size[other] > size[root]:
                    other, root = root, other
                parent[other] = root
                size[root] += size[other]
                a.joined[unions] = other
                unions += 1
        a.unions[k] = unions
        a.largest[k] = max(a.largest[k + 1], size[root])
    a.counts[ADDED] = k


@kernel
def lay(a: Annealing, v: int) -> int:
    """Let one more node stay, and return the size of its piece."""
    a.parent[v] = v
    a.counts[CLOCK] += 1
    return lay_piece(a, v)


@kernel
def leave(a: Annealing, v: int) -> None:
    """Take out a node that stays: its piece may fall apart."""
    a.parent[v] = -1
    a.counts[CLOCK] += 1
    for e in range(a.indptr[v], a.indptr[v + 1]):
        u = a.indices[e]
        if a.parent[u] >= 0 and a.stamp[u] != a.counts[CLOCK]:
            lay_piece(a, u)


@kernel
def lay_piece(a: Annealing, root: int) -> int:
    """Give all nodes that are there around this one a root, and return how many they are."""
    now = a.counts[CLOCK]
    a.room[0], a.stamp[root] = root, now
    head, tail = 0, 1
    while head < tail:
        v = a.room[head]
        head += 1
        a.parent[v] = root
        for e in range(a.indptr[v], a.indptr[v + 1]):
            u = a.indices[e]
            if a.parent[u] >= 0 and a.stamp[u] != now:
                a.stamp[u] = now
                a.room[tail] = u
                tail += 1
    a.size[root] = tail
    return tail
