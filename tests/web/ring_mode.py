"""A mode that is not built in, as a user would write it."""

from dataclasses import dataclass
from typing import ClassVar

from pinchpoint.game.modes.base import Component, ComponentMode


@dataclass(frozen=True)
class Heavy(ComponentMode):
    """A piece is active while it has more squares than the limit."""

    name: ClassVar[str] = "heavy"
    description: ClassVar[str] = (
        "Break up the heavy pieces: a piece of more than 6 squares is active."
    )

    limit: int = 6
    """Squares that a quiet piece may have."""

    def is_active(self, component: Component) -> bool:
        return component.size > self.limit
