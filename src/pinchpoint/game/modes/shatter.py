"""Shatter: the game ends when no piece has more than W squares."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.modes.base import SIZE, Mode
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Longs

LARGEST_SIZE = 2**31 - 1  # the engine counts in 32 bits


@dataclass(frozen=True)
class Shatter(Mode):
    """A component is active while it has more than W squares.

    W is known when the board is laid. It is what the mode remembers, and it never changes.
    """

    name: ClassVar[str] = "shatter"
    description: ClassVar[str] = (
        "Shatter the board: a piece is active while it has more than a share of the squares that "
        "were open at the start (a tenth, unless told otherwise)."
    )
    by_size: ClassVar[bool] = True

    share: float = 0.1
    """W is this share of the squares that were open when the board was laid, and at least 1."""
    size: int | None = None
    """W itself, in place of the share."""

    def __post_init__(self) -> None:
        number = isinstance(self.share, int | float) and not isinstance(self.share, bool)
        if not (number and 0 < self.share <= 1):
            raise InputError(f"shatter's share is {self.share!r}; it must be above 0 and up to 1")
        object.__setattr__(self, "share", float(self.share))
        if self.size is None:
            return
        whole = isinstance(self.size, int | np.integer) and not isinstance(self.size, bool)
        if not (whole and 1 <= self.size <= LARGEST_SIZE):
            raise InputError(
                f"shatter's size is {self.size!r}; it must be a whole number from 1 to "
                f"{LARGEST_SIZE:,}"
            )
        object.__setattr__(self, "size", int(self.size))
        if self.share != Shatter.share:
            raise InputError("shatter takes a size or a share, not both")

    def allowed_size(self, laid: int) -> int:
        """Return W on a board that was laid with so many open squares."""
        if self.size is not None:
            return self.size
        # The number as it was written: 0.29 of 100 squares are 29, whatever floating point says.
        return max(1, math.floor(Fraction(str(self.share)) * laid))

    def with_allowed_size(self, size: int) -> Mode:
        return Shatter(size=size)

    def monotone(self, topology: Topology) -> bool:
        return True

    def first_memory(self, laid: Longs) -> Longs:
        return np.array([self.allowed_size(int(count)) for count in laid], dtype=np.int64)

    def parameters(self, topology: Topology) -> Sequence[float]:
        return []

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return bool(piece[SIZE] > memory)
