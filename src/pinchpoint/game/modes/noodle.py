"""Noodle: the game ends when every piece is all surface and no bulk."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.modes.base import FACES, SIZE, Mode
from pinchpoint.graph.topology import Topology


@dataclass(frozen=True)
class Noodle(Mode):
    """A component is inactive once it has more than K faces a square."""

    name: ClassVar[str] = "noodle"
    description: ClassVar[str] = (
        "Make noodles: a piece is active until it has more than K faces (2, unless told otherwise) "
        "for each of its squares. At K = 2 that means: until it has no loops."
    )

    K: float | None = None
    """Faces a square above which a piece is inactive; by default the sides of a square less 2."""
    inclusive: bool = False
    """Exactly K faces a square is inactive too."""

    def __post_init__(self) -> None:
        number = isinstance(self.K, int | float) and not isinstance(self.K, bool)
        if self.K is not None and not (number and self.K > 0 and math.isfinite(self.K)):
            raise InputError(f"noodle's K is {self.K!r}; it must be a number greater than 0")
        if not isinstance(self.inclusive, bool):
            raise InputError(f"noodle's inclusive is {self.inclusive!r}; it must be true or false")
        if self.K is not None:
            object.__setattr__(self, "K", float(self.K))

    def ratio(self, topology: Topology) -> float:
        """Return K on this topology: as given, or 2 less than the sides of a node of a lattice.

        With that default a piece is inactive exactly when it is a tree. A graph has no such number
        of sides; the default there is 2.
        """
        if self.K is not None:
            return self.K
        return 2.0 if topology.coordination is None else topology.coordination - 2.0

    def on(self, topology: Topology) -> Mode:
        default = replace(self, K=None)
        return default if default.ratio(topology) == self.K else self

    def monotone(self, topology: Topology) -> bool:
        # Pieces of a tree are trees. With another K a tail that is cut off may leave a dense head.
        ordinary = topology.weights is None
        return ordinary and bool(np.all(topology.faces == self.ratio(topology) + 2))

    def parameters(self, topology: Topology) -> Sequence[float]:
        return [self.ratio(topology), self.inclusive]

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        ratio = piece[FACES] / piece[SIZE]
        return bool(ratio < options[0] or (ratio == options[0] and options[1] == 0))
