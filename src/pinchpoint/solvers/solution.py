"""What a solver returns: a plan that can be played, a lower bound, and the grounds for both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.topology import common_unit
from pinchpoint.types import Floats, Longs

MOST_COST = 2**30 - 1  # of all nodes together: twice this must fit in scipy's 32 bits


@dataclass(frozen=True)
class Solution:
    """The best play found from one position, and how much better any play could be at most.

    Value and bound are costs: the number of moves where a node costs 1, and whole numbers wherever
    all costs are.
    """

    moves: tuple[int, ...]  # squares in the order to play; the last one finishes the game
    value: float  # what the moves cost
    bound: float  # no play from this position costs less
    proven: bool  # value == bound: this is the optimum
    certificate: dict[str, Any]  # what the checker verifies; JSON can hold it
    seconds: float

    def __post_init__(self) -> None:
        if self.bound > self.value or self.proven != (self.bound == self.value):
            raise InputError(
                f"a solution of value {self.value} claims the bound {self.bound} and "
                f"proven = {self.proven}; the bound is at most the value, and proven if equal"
            )

    @classmethod
    def of(
        cls,
        moves: Sequence[int],
        bound: float,
        certificate: dict[str, Any],
        seconds: float,
        costs: Floats | None = None,  # [N]  default: 1 each
    ) -> Solution:
        """Make a solution from its plan and bound; the value and whether it is proven follow."""
        plan = tuple(int(s) for s in moves)
        value = tidy(len(plan) if costs is None else float(costs[list(plan)].sum()))
        bound = value if is_close(bound, value) else tidy(bound)
        return cls(plan, value, bound, bound == value, certificate, seconds)

    def record(self) -> dict[str, Any]:
        """Return the solution as JSON can hold it; `from_record` reads it back."""
        return {
            "value": self.value,
            "bound": self.bound,
            "proven": self.proven,
            "moves": list(self.moves),
            "seconds": self.seconds,
            "certificate": self.certificate,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Solution:
        """Read what `record` wrote; `seconds` and `certificate` may be missing."""
        try:
            return cls(
                moves=tuple(int(s) for s in record["moves"]),
                value=tidy(record["value"]),
                bound=tidy(record["bound"]),
                proven=bool(record["proven"]),
                certificate=dict(record.get("certificate") or {}),
                seconds=float(record.get("seconds") or 0.0),
            )
        except KeyError as missing:
            raise InputError(f"a solution needs {missing}; it was left out") from None
        except (TypeError, ValueError) as error:
            raise InputError(f"a solution cannot be read: {error}") from None


# A solver takes the games, and the seconds and the work that each of them may take.
Solver = Callable[[Games, float, float], list[Solution]]


def tidy(cost: float) -> float:
    """Return a cost as a whole number if it is one."""
    return int(cost) if float(cost).is_integer() else float(cost)


def is_close(bound: float, value: float) -> bool:
    """Whether a bound differs from a value by rounding alone, whatever the scale of costs."""
    return abs(bound - value) <= 1e-9 * abs(value)


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


def round_up(bound: float) -> int:
    """Return the whole number of moves that a fractional lower bound stands for."""
    return math.ceil(bound - 1e-6)  # rounding errors are far smaller than this


def round_up_cost(bound: float, unit: float | None) -> float:
    """Return the multiple of the unit of costs that a lower bound stands for."""
    if unit is None:
        return bound
    return math.ceil(bound / unit - 0.01) * unit  # rounding errors are far smaller than this
