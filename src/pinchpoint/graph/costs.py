"""Costs of nodes as whole numbers of a unit: sums and comparisons of them are exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pinchpoint.types import Array, Floats

DIGITS = 14  # a cost that is written with so many digits is that decimal number
SMALL = 2**61  # up to here, numbers and sums of two of them fit in 64 bits


@dataclass(frozen=True)
class WholeCosts:
    """What nodes cost, in whole numbers of a unit."""

    amounts: Array  # [N]  int64, or Python's numbers (dtype object) where 64 bits are too few
    unit: Fraction

    def of(self, nodes: Array | Sequence[int]) -> int:
        """Return what nodes cost together, as a number of units."""
        return int(self.amounts[np.asarray(nodes, dtype=np.intp)].sum())

    @property
    def floats(self) -> Floats:  # [N]
        """The costs as floating-point numbers."""
        return self.amounts.astype(np.float64) * float(self.unit)

    def take(self, nodes: Array) -> WholeCosts:
        """Return the costs of some nodes."""
        return WholeCosts(self.amounts[nodes], self.unit)

    def number(self, amount: int) -> float:
        """Return a number of units as a cost: a whole number if it is one, else the nearest."""
        cost = amount * self.unit
        return cost.numerator if cost.denominator == 1 else float(cost)

    def written(self, amount: int) -> float | str:
        """Return a number of units as a certificate holds it: "1/10" where a float is not exact."""
        cost = amount * self.unit
        return str(cost) if Fraction(float(cost)) != cost else self.number(amount)

    def rounded(self, bits: int) -> tuple[Array, int]:
        """Return the amounts, rounded down so that all together have so many bits, and the shift.

        An amount is at least what is returned for it, times two to the power of the shift.
        """
        shift = max(int(self.amounts.sum()).bit_length() - bits, 0)
        return (self.amounts >> shift).astype(np.int64), shift


def whole_costs(costs: Floats) -> WholeCosts:
    """Return costs as whole numbers of the largest unit that they have in common.

    Costs are the decimal numbers that they are written as, if these have few digits: 0.1 is a
    tenth, and 3 * 0.1 are three of them. Otherwise they are what their bits say, to the last one.
    """
    different, places = np.unique(costs, return_inverse=True)
    ratios = _as_written(different) or [cost.as_integer_ratio() for cost in different.tolist()]
    parts = math.lcm(*{below for _, below in ratios})
    amounts = [above * (parts // below) for above, below in ratios]
    common = math.gcd(*amounts) or 1
    small = sum(amounts) // common * len(costs) <= SMALL
    whole = np.array(
        [amount // common for amount in amounts], dtype=np.int64 if small else np.object_
    )
    return WholeCosts(whole[places.reshape(-1)], Fraction(common, parts))


def _as_written(costs: Floats) -> list[tuple[int, int]] | None:
    """Return costs as ratios of decimal numbers; None if some are not near one of few digits."""
    if np.all(costs == np.floor(costs)):
        return None  # the bits say it
    ratios = []
    for cost in costs.tolist():
        text = f"{cost:.{DIGITS}g}"
        if abs(float(text) - cost) > 2 * math.ulp(cost):
            return None
        ratios.append(Fraction(text).as_integer_ratio())
    return ratios


def tidy(cost: float) -> float:
    """Return a cost as a whole number if it is one."""
    return int(cost) if float(cost).is_integer() else float(cost)
