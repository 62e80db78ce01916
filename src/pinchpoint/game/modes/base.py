"""What a mode is: the rule that says which components of a board are active."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pinchpoint.compiled import rule_address
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Floats, Ints, Longs, Rows

TerminalPair = tuple[Ints, Ints]  # two sets of nodes
SQUARE_SYMMETRIES = tuple(range(8))  # see pinchpoint.graph.topology.transform

# What a compiled rule finds in `piece`: its size (the number of squares, or the sum of what the
# nodes of a graph weigh), pairs of neighbours, faces, and from CONTACTS on the squares in each
# terminal set.
SIZE, EDGES, FACES, CONTACTS = range(4)


class Rule(NamedTuple):
    """A mode on one topology, as the kernels take it."""

    judge: int  # the address of the compiled rule; for a mode in Python it says: active
    remember: int  # the address of what updates the memory; 0 if there is none
    options: Floats  # [.]


@dataclass(frozen=True)
class Mode:
    """Base of every mode; a subclass is a frozen dataclass whose fields are its options.

    A mode states its rule once. The fast way is `judge`, a static method that numba can compile:
    `judge(piece, memory, options)` returns whether a component is active, from its numbers
    (`piece[SIZE]`, …), the game's memory, and the numbers that `parameters` returns. A mode that
    remembers has `remember(piece, memory, options)` too, which returns the new memory. It is called
    for every piece but the largest when a board is laid, and for every piece that a move cuts off;
    to be called again for a piece changes nothing. A growing memory may only make pieces inactive.

    Other rules are written in plain Python, as `is_active` of a `ComponentMode` or as `settle` of a
    `BoardMode`, and asked piece by piece, which is slower.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    symmetries: ClassVar[Sequence[int]] = SQUARE_SYMMETRIES  # of a square board, that keep the rule
    remembers: ClassVar[bool] = False  # whether the past or other components matter to a component
    by_size: ClassVar[bool] = False  # whether a piece is active while it is larger than the memory
    path: ClassVar[str | None] = None  # package.module:Name, for a mode that was loaded by it
    judge: ClassVar[Callable[..., Any] | None] = None
    remember: ClassVar[Callable[..., Any] | None] = None

    @property
    def reference(self) -> str:
        """The name by which `get_mode` finds this mode, in another process too."""
        return self.path or self.name

    @property
    def compiled(self) -> bool:
        """Whether the engine has the rule compiled."""
        return type(self).judge is not None

    def monotone(self, topology: Topology) -> bool:
        """Return whether every piece of an inactive component would be inactive too.

        Then a finished game stays finished with more squares gone: order and waste do no harm.
        """
        return False

    def allowed_size(self, laid: int) -> int | None:
        """Return how large an inactive piece may be on a board laid with so many open squares.

        None where that is not known when the board is laid.
        """
        return None

    def with_allowed_size(self, size: int) -> Mode:
        """Return the mode in which inactive pieces may be so large, if that is an option."""
        return self

    def options(self) -> dict[str, Any]:
        """Return the options that differ from the default, as JSON can hold them."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != f.default
        }

    def on(self, topology: Topology) -> Mode:
        """Return the mode as played on this topology, in its simplest form.

        Options that are the defaults of this topology are left to the default. Raise InputError
        where the mode makes no sense.
        """
        return self

    def terminal_sets(self, topology: Topology) -> list[TerminalPair]:
        """Return pairs of node sets whose contacts each component counts; none by default."""
        return []

    def parameters(self, topology: Topology) -> Sequence[float]:
        """Return the numbers that the compiled rule gets; the options in order, by default."""
        return [float(getattr(self, f.name)) for f in fields(self)]

    def first_memory(self, laid: Longs) -> Longs:  # [B] each
        """Return what is remembered when boards are laid, from the sizes of all that is open."""
        return np.zeros_like(laid)

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        """Return which components are active, and the memory after this position.

        The engine gives all components if the mode remembers, and otherwise those that a move has
        changed. By default this is `remember` and `judge`, in plain Python.
        """
        kind = type(self)
        if kind.judge is None:
            raise NotImplementedError
        pieces = [component.numbers for component in components]
        options = self._options(components[0].topology) if components else np.zeros(0)
        if kind.remember is not None:
            for piece in sorted(pieces)[:-1]:  # all but the largest
                memory = int(kind.remember(piece, memory, options))
        return [bool(kind.judge(piece, memory, options)) for piece in pieces], memory

    def _options(self, topology: Topology) -> Floats:
        return np.array([*self.parameters(topology), 0.0])  # never empty

    def rule(self, topology: Topology) -> Rule:
        """Return the rule as the kernels take it, compiled if the mode can be."""
        kind = type(self)
        if kind.judge is None:
            return Rule(rule_address(_always), 0, np.zeros(1))
        return Rule(
            rule_address(kind.judge),
            0 if kind.remember is None else rule_address(kind.remember),
            self._options(topology),
        )


def _always(piece: Any, memory: int, options: Any) -> bool:
    return True


@dataclass(frozen=True)
class ComponentMode(Mode):
    """A mode that judges each component by itself: write `is_active`."""

    def is_active(self, component: Component) -> bool:
        raise NotImplementedError

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        if self.compiled:
            return super().settle(components, memory)
        return [bool(self.is_active(component)) for component in components], memory


@dataclass(frozen=True)
class BoardMode(Mode):
    """A mode that judges all components together and may remember one number through the game.

    Write `settle`; the memory is 0 when a board is laid, unless `first_memory` says otherwise.
    """

    remembers: ClassVar[bool] = True


@dataclass(frozen=True)
class Component:
    """A connected piece of open squares, as a mode written in Python sees it."""

    topology: Topology
    size: int  # squares, or the sum of their weights
    edges: int  # pairs of neighbouring squares inside
    faces: int  # sides of its squares that touch no other square of it
    contacts: tuple[int, ...]  # squares of it in each terminal set: A, B of the first pair, …
    find_squares: Callable[[], Rows]

    @property
    def numbers(self) -> tuple[int, ...]:
        """What a compiled rule finds in `piece`."""
        return (self.size, self.edges, self.faces, *self.contacts)

    @cached_property
    def squares(self) -> Rows:
        """The nodes of the component, ascending (found when first asked for)."""
        return self.find_squares()

    @cached_property
    def box(self) -> tuple[int, int]:
        """Height and width of the bounding box, on a board of rows and columns."""
        _, width = self.topology.lattice_shape()
        rows, cols = np.divmod(self.squares, width)
        return int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1
