"""What a mode is: the rule that says which components of a board are active."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from chokepoint.graph import Topology
from chokepoint.types import Ints

TerminalPair = tuple[Ints, Ints]  # two sets of nodes
SQUARE_SYMMETRIES = tuple(range(8))  # see chokepoint.graph.symmetry

# Kinds of rule. The first three are compiled into the engine, the others are called from it.
NETWORK, FLOW, NOODLE, BY_COMPONENT, BY_BOARD = range(5)


class Rule(NamedTuple):
    """A mode on one topology, as the kernels take it."""

    kind: int
    ratio: float  # noodle's K
    inclusive: bool  # noodle's ≥ in place of >


@dataclass(frozen=True)
class Mode:
    """Base of every mode; a subclass is a frozen dataclass whose fields are its options."""

    name: ClassVar[str]
    description: ClassVar[str]
    symmetries: ClassVar[Sequence[int]] = SQUARE_SYMMETRIES  # of a square board, that keep the rule
    path: ClassVar[str | None] = None  # package.module:Name, for a mode that was loaded by it

    @property
    def reference(self) -> str:
        """What `get_mode` finds this mode by, in another process too."""
        return self.path or self.name

    @property
    def monotone(self) -> bool:
        """Whether any piece of an inactive component would be inactive too.

        Then a finished game stays finished with more squares gone: order and waste do no harm.
        """
        return False

    def options(self) -> dict[str, Any]:
        """The options that differ from the default, as JSON can hold them."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != f.default
        }

    def terminal_sets(self, topology: Topology) -> list[TerminalPair]:
        """Pairs of node sets whose contacts each component counts; none by default."""
        return []

    def rule(self, topology: Topology) -> Rule:
        """The rule on this topology; raises InputError where the mode makes no sense."""
        raise NotImplementedError


@dataclass(frozen=True)
class ComponentMode(Mode):
    """A mode that judges each component by itself: write `is_active`, and nothing else."""

    def is_active(self, component: Component) -> bool:
        raise NotImplementedError

    def rule(self, topology: Topology) -> Rule:
        return Rule(BY_COMPONENT, 0.0, False)


@dataclass(frozen=True)
class BoardMode(Mode):
    """A mode that judges all components together and may remember one number through the game."""

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        """Which components are active now, and the memory after this position (0 when laid)."""
        raise NotImplementedError

    def rule(self, topology: Topology) -> Rule:
        return Rule(BY_BOARD, 0.0, False)


@dataclass(frozen=True)
class Component:
    """A connected piece of open squares, as a mode written in Python sees it."""

    topology: Topology
    size: int  # squares
    edges: int  # pairs of neighbouring squares inside
    faces: int  # sides of its squares that touch no other square of it
    contacts: tuple[int, ...]  # squares of it in each terminal set: A, B of the first pair, …
    find_squares: Callable[[], npt.NDArray[np.intp]]

    @cached_property
    def squares(self) -> npt.NDArray[np.intp]:
        """The nodes of the component, ascending (found when first asked for)."""
        return self.find_squares()

    @cached_property
    def box(self) -> tuple[int, int]:
        """Height and width of the bounding box, on a lattice."""
        _, width = self.topology.lattice_shape()
        rows, cols = np.divmod(self.squares, width)
        return int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1
