"""The palettes: colours of boards in the page, in pictures, in the terminal and in the docs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pinchpoint.checks import one_of
from pinchpoint.types import Bytes


@dataclass(frozen=True)
class Palette:
    """Colours as #rrggbb. The first four are those of the states, in their order."""

    blocked: str
    active: str
    inactive: str
    attacked: str
    ground: str = "#e7eae7"  # between the squares
    on_inactive: str = "#3d6b8c"  # the dot
    on_attacked: str = "#ffffff"  # the cross or number
    line: str = "#8b938d"  # the edges of a network
    night_blocked: str = "#04060a"  # the page in the dark
    night_ground: str = "#232b35"

    def states(self) -> tuple[str, str, str, str]:
        return (self.blocked, self.active, self.inactive, self.attacked)

    def table(self) -> Bytes:  # [8, 3]  the states, then ground, dot, cross and line
        colours = (*self.states(), self.ground, self.on_inactive, self.on_attacked, self.line)
        return np.array([list(bytes.fromhex(c[1:])) for c in colours], dtype=np.uint8)


PALETTES = {
    # Told apart with any of the common kinds of colour blindness, and by lightness alone.
    "clear": Palette(blocked="#26262b", active="#f0a800", inactive="#d3e8f5", attacked="#b5174f"),
    # The green, blue and red of the paper.
    "classic": Palette(
        blocked="#23282e",
        active="#2fa866",
        inactive="#4f83e6",
        attacked="#e04b45",
        on_inactive="#c9d8ff",
    ),
}


def get_palette(name: str) -> Palette:
    one_of(name, PALETTES, "palette")
    return PALETTES[name]
