"""Noodle: the game ends when every piece is all surface and no bulk."""

import math
from dataclasses import dataclass
from typing import ClassVar

from chokepoint.errors import InputError
from chokepoint.game.modes.base import NOODLE, Mode, Rule
from chokepoint.graph import Topology


@dataclass(frozen=True)
class Noodle(Mode):
    """A component is inactive once it has more than K faces a square."""

    name: ClassVar[str] = "noodle"
    description: ClassVar[str] = (
        "Make noodles: a piece is active until it has more than K faces (2, unless told otherwise) "
        "for each of its squares. At K = 2 that means: until it has no loops."
    )

    K: float = 2.0
    """Faces a square above which a piece is inactive."""
    inclusive: bool = False
    """Exactly K faces a square is inactive too."""

    def __post_init__(self) -> None:
        number = isinstance(self.K, int | float) and not isinstance(self.K, bool)
        if not (number and self.K > 0 and math.isfinite(self.K)):
            raise InputError(f"noodle's K is {self.K!r}; it must be a number greater than 0")
        if not isinstance(self.inclusive, bool):
            raise InputError(f"noodle's inclusive is {self.inclusive!r}; it must be true or false")
        object.__setattr__(self, "K", float(self.K))

    @property
    def monotone(self) -> bool:
        return self.K == 2  # pieces of a tree are trees; a tail cut off may leave a dense head

    def rule(self, topology: Topology) -> Rule:
        return Rule(NOODLE, self.K, self.inclusive)
