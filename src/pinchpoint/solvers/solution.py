"""What a solver returns: a plan that can be played, a lower bound, and the grounds for both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.costs import tidy
from pinchpoint.types import Floats


@dataclass(frozen=True)
class BestPlay:
    """The best play known from one position, and how much better any play could be at most.

    Value and bound are costs: the number of moves where a node costs 1, and whole numbers wherever
    all costs are.
    """

    moves: tuple[int, ...]  # squares in the order to play; the last one finishes the game
    value: float  # what the moves cost
    bound: float  # no play from this position costs less
    seconds: float  # the time that it took

    @property
    def proven(self) -> bool:
        """Whether this is the optimum."""
        return self.value == self.bound


@dataclass(frozen=True)
class Solution(BestPlay):
    """What a solver returns: the best play found, with the grounds for its bound."""

    certificate: dict[str, Any] = field(default_factory=dict)  # for the checker; JSON can hold it

    def __post_init__(self) -> None:
        if self.bound > self.value:
            raise InputError(
                f"a solution of value {self.value} claims the bound {self.bound}; "
                "the bound is at most the value"
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
        return cls(plan, value, bound, seconds, certificate)

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
            solution = cls(
                moves=tuple(int(s) for s in record["moves"]),
                value=tidy(record["value"]),
                bound=tidy(record["bound"]),
                seconds=float(record.get("seconds") or 0.0),
                certificate=dict(record.get("certificate") or {}),
            )
            claimed = bool(record["proven"])
        except KeyError as missing:
            raise InputError(f"a solution needs {missing}; it was left out") from None
        except (TypeError, ValueError) as error:
            raise InputError(f"a solution cannot be read: {error}") from None
        if claimed != solution.proven:
            raise InputError(
                f"a solution of value {solution.value} and bound {solution.bound} claims "
                f"proven = {claimed}; it is proven if they are equal"
            )
        return solution


# A solver takes the games, and the seconds and the work that each of them may take.
Solver = Callable[[Games, float, float], list[Solution]]


def is_close(bound: float, value: float) -> bool:
    """Whether a bound differs from a value by rounding alone, whatever the scale of costs."""
    return abs(bound - value) <= 1e-9 * abs(value)


def round_up(bound: float) -> int:
    """Return the whole number of moves that a fractional lower bound stands for."""
    return math.ceil(bound - 1e-6)  # rounding errors are far smaller than this


def round_up_cost(bound: float, unit: float | None) -> float:
    """Return the multiple of the unit of costs that a lower bound stands for."""
    if unit is None:
        return bound
    return math.ceil(bound / unit - 0.01) * unit  # rounding errors are far smaller than this
