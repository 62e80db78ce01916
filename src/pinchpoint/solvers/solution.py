"""What a solver returns: a plan that can be played, a lower bound, and the grounds for both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.costs import WholeCosts, tidy


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
        bound: int,
        certificate: dict[str, Any],
        seconds: float,
        costs: WholeCosts | None = None,  # default: 1 each
    ) -> Solution:
        """Make a solution from its plan and its bound, in whole numbers of the unit of costs.

        Whether it is proven is decided in whole numbers. Numbers that look alike once they are
        rounded, and are not, must not look proven: the bound is one bit less then.
        """
        plan = tuple(int(s) for s in moves)
        paid = len(plan) if costs is None else costs.of(plan)
        value: float = paid
        known: float = min(bound, paid)
        if costs is not None:
            value, known = costs.number(paid), costs.number(min(bound, paid))
        if bound < paid and known >= value:
            known = math.nextafter(value, 0.0)
        return cls(plan, value, known, seconds, certificate)

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


def round_up(bound: float) -> int:
    """Return the whole number of moves that a fractional lower bound stands for."""
    return math.ceil(bound - 1e-6)  # rounding errors are far smaller than this
