"""The numbers of an order, by the conventions of docs/metrics.md.

L(k) is the size of the largest piece after the first k nodes of an order are gone, N the number of
nodes of the whole graph. Nodes that an order leaves out follow in the order of reading.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.integrate import simpson

from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.order.orders import Order
from pinchpoint.types import Longs

STOPS = ("below", "ceiling")  # L(k) / N < t, or L(k) ≤ ⌈t N⌉


@dataclass(frozen=True)
class Metrics:
    """The numbers of one order."""

    auc: float  # at 10 %
    r: float
    nodes_to_10: int
    cost_to_10: float
    nodes_to_1: int
    cost_to_1: float


def nodes_to(largest: Longs, n: int, t: float, stop: str = "below") -> int:
    """Return K, the first k ≥ 1 at which the largest piece of a full order is small."""
    if not 0 < t <= 1:
        raise InputError(f"the threshold is {t}; it must be above 0 and up to 1")
    one_of(stop, STOPS, "convention")
    # The number as it was written: ⌈0.07 · 100⌉ is 7, whatever floating point says.
    ceiling = math.ceil(Fraction(str(t)) * n)
    small = largest < ceiling if stop == "below" else largest <= ceiling
    if not small.any():
        raise InputError(
            "the curve ends before the largest piece is small; give that of a full order"
        )
    return int(small.argmax()) + 1


def auc(largest: Longs, n: int, t: float = 0.1, stop: str = "below") -> float:
    """Return the area under L(k) / N for k = 1 … K by Simpson's rule, not divided by N."""
    count = nodes_to(largest, n, t, stop)
    return float(simpson(largest[:count] / n, dx=1))


def robustness(largest: Longs, n: int) -> float:
    """Return R, the mean of L(k) / N over a full order."""
    return float(largest.sum() / n / n)


def metrics_of(order: Order) -> Metrics:
    """Return the numbers of an order."""
    largest, n = order.curve.largest, order.graph.n
    spent = np.cumsum(order.graph.costs[order.nodes])
    ten, one = (nodes_to(largest, n, t) for t in (0.1, 0.01))
    return Metrics(
        auc=auc(largest, n),
        r=robustness(largest, n),
        nodes_to_10=ten,
        cost_to_10=float(spent[ten - 1]),
        nodes_to_1=one,
        cost_to_1=float(spent[one - 1]),
    )
