"""Network: the game ends when the largest piece is no longer larger than one that was cut off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pinchpoint.game.modes.base import SIZE, BoardMode, Component


@dataclass(frozen=True)
class Network(BoardMode):
    """A component is active while it is larger than the largest second piece there ever was."""

    name: ClassVar[str] = "network"
    description: ClassVar[str] = (
        "Cut the network apart: the largest piece stays active until it is no larger than the "
        "largest piece that was cut off."
    )
    by_size: ClassVar[bool] = True

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        sizes = sorted(component.size for component in components)
        best = max([memory, *sizes[-2:-1]])
        return [component.size > best for component in components], best

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return bool(piece[SIZE] > memory)

    @staticmethod
    def remember(piece: Any, memory: int, options: Any) -> int:
        return int(max(memory, piece[SIZE]))
