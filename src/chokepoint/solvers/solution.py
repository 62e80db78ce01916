"""What a solver returns: a plan that can be played, a lower bound, and the grounds for both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chokepoint.errors import InputError
from chokepoint.game import Games


@dataclass(frozen=True)
class Solution:
    """The best play found from one position, and how much better any play could be at most."""

    moves: tuple[int, ...]  # squares in the order to play; the last one finishes the game
    value: int  # the number of moves
    bound: int  # no play from this position needs fewer
    proven: bool  # value == bound: this is the optimum
    certificate: dict[str, Any]  # what the checker verifies; JSON can hold it
    seconds: float

    def __post_init__(self) -> None:
        if self.value != len(self.moves):
            raise InputError(f"a solution of value {self.value} has {len(self.moves)} moves")
        if self.bound > self.value or self.proven != (self.bound == self.value):
            raise InputError(
                f"a solution of value {self.value} claims the bound {self.bound} and "
                f"proven = {self.proven}; the bound is at most the value, and proven if equal"
            )

    @classmethod
    def of(
        cls, moves: Sequence[int], bound: int, certificate: dict[str, Any], seconds: float
    ) -> Solution:
        """Make a solution from its plan and bound; the value and whether it is proven follow."""
        plan = tuple(int(s) for s in moves)
        return cls(plan, len(plan), int(bound), int(bound) == len(plan), certificate, seconds)

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
                value=int(record["value"]),
                bound=int(record["bound"]),
                proven=bool(record["proven"]),
                certificate=dict(record.get("certificate") or {}),
                seconds=float(record.get("seconds") or 0.0),
            )
        except KeyError as missing:
            raise InputError(f"a solution needs {missing}; it was left out") from None
        except (TypeError, ValueError) as error:
            raise InputError(f"a solution cannot be read: {error}") from None


# A solver takes the games and the seconds that each of them may take.
Solver = Callable[[Games, float], list[Solution]]


def round_up(bound: float) -> int:
    """Return the whole number of moves that a fractional lower bound stands for."""
    return math.ceil(bound - 1e-6)  # rounding errors are far smaller than this
