"""Flow: the game ends when no piece joins the two terminals, by default top and bottom."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.modes.base import CONTACTS, Mode, TerminalPair
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Ints

AXES = {  # and the open sides of a board that each takes
    "vertical": ("vertical",),
    "horizontal": ("horizontal",),
    "both": ("vertical", "horizontal"),
}
MIRRORS = (0, 2, 4, 6)  # symmetries that keep each axis in its place


@dataclass(frozen=True)
class Flow(Mode):
    """A component is active while it has a square in both terminals."""

    name: ClassVar[str] = "flow"
    description: ClassVar[str] = "Stop the flow: a piece is active while it joins top and bottom."

    axis: str = "vertical"
    """vertical (first and last row), horizontal (first and last column), or both (either one)."""
    terminals: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Two sets of nodes in place of the sides of the board."""

    def __post_init__(self) -> None:
        if self.axis not in AXES:
            raise InputError(f"flow has no axis {self.axis!r}; choose from {', '.join(AXES)}")
        if self.terminals is not None:
            object.__setattr__(self, "terminals", _tidy_terminals(self.terminals))

    @property
    def symmetries(self) -> Sequence[int]:  # type: ignore[override]
        if self.terminals is not None:
            return (0,)
        return tuple(range(8)) if self.axis == "both" else MIRRORS

    def monotone(self, topology: Topology) -> bool:
        return True

    def options(self) -> dict[str, Any]:
        return {
            key: [list(side) for side in value] if key == "terminals" else value
            for key, value in super().options().items()
        }

    def on(self, topology: Topology) -> Mode:
        for pair in self.terminal_sets(topology):
            for side in pair:
                _check_terminal(side, topology.n)
        return self

    def terminal_sets(self, topology: Topology) -> list[TerminalPair]:
        if self.terminals is not None:
            first, last = (np.array(side, dtype=np.int32) for side in self.terminals)
            return [(first, last)]
        if topology.key is None and not topology.sides:
            raise InputError("flow on a graph needs terminals: two sets of nodes to be parted")
        pairs = [topology.sides[axis] for axis in AXES[self.axis] if axis in topology.sides]
        if not pairs:
            has = f"it has {' and '.join(topology.sides)} ones" if topology.sides else "it has none"
            raise InputError(
                f"flow along the {self.axis} axis needs open sides of the board; {has} "
                "(periodic directions have no sides)"
            )
        return pairs

    def parameters(self, topology: Topology) -> Sequence[float]:
        return [len(self.terminal_sets(topology))]

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        joins = False
        for t in range(CONTACTS, CONTACTS + 2 * int(options[0]), 2):
            joins |= piece[t] > 0 and piece[t + 1] > 0
        return joins


def _tidy_terminals(terminals: Any) -> tuple[tuple[int, ...], ...]:
    """Return two sets of node numbers in ascending order, from whatever sequences they came in."""
    try:
        tidy = tuple(tuple(sorted({index(i) for i in nodes})) for nodes in terminals)
    except TypeError:  # not sequences, or not of whole numbers
        tidy = ()
    if len(tidy) != 2:
        raise InputError("flow needs two terminal sets of node numbers: ((nodes …), (nodes …))")
    return tidy


def _check_terminal(nodes: Ints, n: int) -> None:
    if len(nodes) == 0:
        raise InputError("a flow terminal is empty; both need at least one node")
    if nodes.min() < 0 or nodes.max() >= n:
        raise InputError(
            f"a flow terminal names node {nodes.min() if nodes.min() < 0 else nodes.max()}; "
            f"the board has nodes 0 to {n - 1}"
        )
