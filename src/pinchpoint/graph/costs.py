"""Costs of nodes as whole numbers, for algorithms that need them."""

from __future__ import annotations

import math

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.types import Floats, Longs

MOST_COST = 2**30 - 1  # of all nodes together: twice this must fit in scipy's 32 bits


def common_unit(costs: Floats) -> float | None:
    """Return the largest number of which every cost is a multiple.

    Costs are whole numbers, or decimal numbers in which the cheapest has up to seven digits;
    otherwise there is no unit, and the answer is None.
    """
    if not len(costs):
        return 1.0
    first = math.floor(math.log10(costs.min()))  # the place of the first digit
    for place in (0, *range(first, first - 7, -1)):
        scaled = costs / 10.0**place
        whole = np.rint(scaled)
        if whole.max() <= 2**53 and np.all(np.abs(scaled - whole) <= 1e-12 * whole):
            return float(np.gcd.reduce(whole.astype(np.int64)) * 10.0**place)
    return None


def tidy(cost: float) -> float:
    """Return a cost as a whole number if it is one."""
    return int(cost) if float(cost).is_integer() else float(cost)


def whole_prices(costs: Floats, keep_whole: bool = False) -> tuple[Longs, float]:
    """Return costs as whole numbers of a unit, and the unit.

    Where no unit is common to all costs, or the numbers are too large, costs are rounded down: what
    the prices say is a lower bound then. With `keep_whole`, whole costs are never rounded, and
    those that are too large raise InputError.
    """
    total, unit = float(costs.sum()), common_unit(costs)
    if unit is not None and total / unit <= MOST_COST:
        return np.rint(costs / unit).astype(np.int64), unit
    if keep_whole and np.all(costs == np.floor(costs)):
        most = MOST_COST * (unit or 1.0)
        raise InputError(f"the nodes cost {total:.0f} together; at most {most:.0f} is possible")
    unit = total / (MOST_COST // 2)
    return np.floor(costs / unit).astype(np.int64), unit
