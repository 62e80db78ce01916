"""Refinement of a whole order by annealing: nodes change places, are replaced, or are put off.

After each trial the area under the curve is found anew by adding all nodes back in reverse, which
takes O(m α) (`kernels.largest_area`).
"""

from __future__ import annotations

import time

import numpy as np

from chokepoint.dismantling.kernels import largest_area
from chokepoint.graph import Topology
from chokepoint.types import Array, Ints

SMALL = 0.1  # share of the nodes: the area counts until the largest piece is below
TRIALS = 20_000  # without a limit of time
HOT, COLD = 0.3, 0.01  # temperatures, in whole graphs: a loss of so much is taken now and then


def refined(
    graph: Topology, order: Array, seed: int, deadline: float, trials: int = TRIALS
) -> Ints:
    """Return a full order whose area is not larger than that of the order given."""
    n, used = graph.n, len(order)
    left = np.ones(n, dtype=np.bool_)
    left[order] = False
    now = np.concatenate([order, np.flatnonzero(left)]).astype(np.int32)
    if used < 2:
        return now
    rng = np.random.default_rng(seed)
    room = np.empty((2, n), dtype=np.int32), np.empty(n, np.int64)

    def area(tried: Ints) -> float:
        return largest_area(graph.indptr, graph.indices, tried, SMALL * n, *room) / n

    value = area(now)
    best, least = now, value
    begun, span = time.perf_counter(), deadline - time.perf_counter()
    for trial in range(trials if np.isinf(deadline) else 10**9):
        spent = (
            trial / trials if np.isinf(span) else (time.perf_counter() - begun) / max(span, 1e-9)
        )
        if spent >= 1:
            break
        tried = changed(graph, now, used, rng)
        cost = area(tried)
        heat = HOT * (COLD / HOT) ** spent
        if cost <= value or rng.random() < np.exp((value - cost) / heat):
            now, value = tried, cost
            if value < least:
                best, least = now, value
    return best


def changed(graph: Topology, order: Ints, used: int, rng: np.random.Generator) -> Ints:
    """Return the order with one change among its first `used` nodes."""
    tried = order.copy()
    i, kind = int(rng.integers(used)), int(rng.integers(3))
    if kind == 0:  # two nodes change places
        j = int(rng.integers(used))
        tried[i], tried[j] = order[j], order[i]
        return tried
    if kind == 1:  # a neighbour goes in its place
        near = graph.neighbours(int(order[i]))
        if not len(near):
            return tried
        j = int(np.flatnonzero(order == rng.choice(near))[0])
        tried[i], tried[j] = order[j], order[i]
        return tried
    j = int(rng.integers(used))  # it goes earlier or later
    moved = np.delete(order, i)
    return np.insert(moved, j, order[i])
