"""A mode of your own in one small file: a piece is active while it spans half of the board.

    cd examples
    python half_span.py
    pinchpoint play random --mode half_span:HalfSpan --count 100
    pinchpoint play random --mode half_span:HalfSpan --rule share=0.75 --count 100
    pinchpoint train --mode half_span:HalfSpan --out half-span

docs/objectives.md explains it line by line.
"""

from dataclasses import dataclass
from typing import ClassVar

from pinchpoint import Component, ComponentMode, Games, InputError, sample_boards


@dataclass(frozen=True)
class HalfSpan(ComponentMode):
    """A component is active while its bounding box spans a share of the board, either way."""

    name: ClassVar[str] = "half_span"
    description: ClassVar[str] = "Break it up: a piece is active while it spans half of the board."

    share: float = 0.5
    """The share of the board's height or width that an active piece spans at least."""

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError(f"half_span's share is {self.share}; it must be above 0 and at most 1")

    def is_active(self, component: Component) -> bool:
        height, width = component.topology.lattice_shape()
        tall, broad = component.box
        return tall >= self.share * height or broad >= self.share * width


def half_span(component: Component) -> bool:
    """Break it up: a piece is active while it spans half of the board."""
    height, width = component.topology.lattice_shape()
    tall, broad = component.box
    return 2 * tall >= height or 2 * broad >= width


if __name__ == "__main__":
    mode = HalfSpan()
    games = Games(sample_boards(mode, size=20, p=0.8, count=100, seed=1))
    games.play_randomly(seed=1)
    print(f"{mode.name}: random play takes {games.move_counts.mean():.1f} moves on average")
