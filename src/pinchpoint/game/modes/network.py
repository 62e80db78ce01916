"""Network: the game ends when the largest piece is no longer larger than one that was cut off."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pinchpoint.game.modes.base import SIZE, Mode


@dataclass(frozen=True)
class Network(Mode):
    """A component is active while it is larger than the largest second piece there ever was."""

    name: ClassVar[str] = "network"
    description: ClassVar[str] = (
        "Cut the network apart: the largest piece stays active until it is no larger than the "
        "largest piece that was cut off."
    )
    remembers: ClassVar[bool] = True
    by_size: ClassVar[bool] = True

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return bool(piece[SIZE] > memory)

    @staticmethod
    def remember(piece: Any, memory: int, options: Any) -> int:
        return int(max(memory, piece[SIZE]))
