"""Refinement of a whole order by annealing, so that the largest piece falls sooner."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from pinchpoint.graph.topology import Topology
from pinchpoint.order.annealing import annealed
from pinchpoint.order.orders import Order, pieces_up_to
from pinchpoint.processes import worker_pool
from pinchpoint.types import Ints

SMALL = 0.1  # share of the nodes: the area counts until the largest piece is below
SPARE = 1.1  # annealing reorders this multiple of the nodes needed at first
TRIALS = 20_000  # without a limit of time
STARTING = 5.0  # seconds; with less time than this, processes are not worth their start


def refined(graph: Topology, order: Ints, seed: int, deadline: float, trials: int = TRIALS) -> Ints:
    """Return the beginning of an order whose area is not larger than that of the order given.

    It ends where the area ends.
    """
    small = largest_small(graph.n)
    needed = max(1, len(Order.of(graph, order).until(pieces_up_to(small))))
    until = None if math.isinf(deadline) else deadline
    rows, given = (graph.indptr, graph.indices, graph.costs), order[: math.ceil(SPARE * needed)]
    better = annealed(*rows, given, small, trials, seed % 2**32, until)
    return Order(graph, better).until(pieces_up_to(small))


def largest_small(n: int) -> int:
    """Return the largest size of the largest piece at which the area does not count any more."""
    return math.ceil(SMALL * n) - 1


def area(order: Order) -> float:
    """Return what `refined` makes small: each node's cost times the largest piece that it meets.

    It counts until the largest piece is small. Where every node costs 1, that is AUC but for what
    Simpson's rule does at both ends.
    """
    met = order.states.largest[:-1]
    counts = met >= SMALL * order.graph.n
    return float((order.graph.costs[order.nodes] * met)[counts].sum() / order.graph.n)


def refined_together(
    graph: Topology, orders: Sequence[Ints], seed: int, deadline: float
) -> list[Ints]:
    """Refine each of the orders in a process of its own; the first one alone if time is short."""
    left = deadline - time.perf_counter()
    if len(orders) == 1 or not STARTING < left < math.inf:
        return [refined(graph, orders[0], seed, deadline)]
    ends = time.time() + left  # a clock that all processes share
    with worker_pool(len(orders)) as pool:
        tasks = [
            pool.submit(_refined_until, graph, order, seed + number, ends)
            for number, order in enumerate(orders)
        ]
        return [task.result() for task in tasks]


def _refined_until(graph: Topology, order: Ints, seed: int, ends: float) -> Ints:
    return refined(graph, order, seed, time.perf_counter() + ends - time.time())
