"""The rules written down once more, for checking solutions, without engine and kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from pinchpoint.errors import InputError
from pinchpoint.game.modes.base import (
    BoardMode,
    Component,
    ComponentMode,
    Mode,
)
from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.modes.network import Network
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.modes.shatter import Shatter
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bools, Ints


@dataclass(frozen=True)
class Position:
    """Which squares are open, what the mode remembers, and so which squares are active."""

    topology: Topology
    mode: Mode
    open: Bools  # [N]
    memory: int

    def settled(self) -> tuple[Position, Bools]:
        """Return the position with its memory brought up to date, and the active squares."""
        label, sizes = self.pieces()
        active, memory = self._judge(label, sizes)
        squares = np.zeros(self.topology.n, dtype=np.bool_)
        squares[self.open] = active[label[self.open]]
        return replace(self, memory=memory), squares

    def pieces(self) -> tuple[Ints, npt.NDArray[np.int64]]:
        """Return the number of each square's piece (-1: not open), and the size of each piece."""
        t = self.topology
        source = np.repeat(np.arange(t.n), np.diff(t.indptr))
        joined = self.open[source] & self.open[t.indices]
        ones = np.ones(int(joined.sum()), dtype=np.int8)
        graph = csr_matrix((ones, (source[joined], t.indices[joined])), shape=(t.n, t.n))
        label = connected_components(graph, directed=False)[1]
        label[~self.open] = -1
        names, compact = np.unique(label[self.open], return_inverse=True)
        label[self.open] = compact
        return label, np.bincount(compact, minlength=len(names))

    def _judge(self, label: Ints, sizes: npt.NDArray[np.int64]) -> tuple[Bools, int]:
        """Return which pieces are active, and the memory after it."""
        mode, memory = self.mode, self.memory
        if type(mode) is Network:
            second = int(np.sort(sizes)[-2]) if len(sizes) > 1 else 0
            memory = max(memory, second)
            return sizes > memory, memory
        if type(mode) is Flow:
            active = np.zeros(len(sizes), dtype=np.bool_)
            for pair in terminals(mode, self.topology):
                inside = [np.unique(label[side][self.open[side]]) for side in pair]
                active[np.intersect1d(inside[0], inside[1])] = True
            return active, memory
        if type(mode) is Noodle:
            ratio = self._faces(label, len(sizes)) / sizes
            limit = mode.ratio(self.topology)
            return (ratio < limit) | ((ratio == limit) & (not mode.inclusive)), memory
        if type(mode) is Shatter:
            return sizes > memory, memory
        components = [self._component(label, number) for number in range(len(sizes))]
        if isinstance(mode, ComponentMode):
            return np.array([mode.is_active(p) for p in components], dtype=np.bool_), memory
        if isinstance(mode, BoardMode):
            judged, memory = mode.settle(components, memory)
            return np.array(judged, dtype=np.bool_), memory
        raise InputError(f"solutions of mode {mode.name} cannot be checked: its rule is unknown")

    def _faces(self, label: Ints, count: int) -> npt.NDArray[np.int64]:
        """Return the faces of each piece: those of its squares without the sides between two."""
        t = self.topology
        source = np.repeat(np.arange(t.n), np.diff(t.indptr))
        inside = source[self.open[source] & self.open[t.indices]]
        all_faces = np.zeros(count, dtype=np.int64)
        np.add.at(all_faces, label[self.open], t.faces[self.open])
        return all_faces - np.bincount(label[inside], minlength=count)

    def _component(self, label: Ints, number: int) -> Component:
        t, squares = self.topology, np.flatnonzero(label == number)
        inside = sum(int((label[t.neighbours(int(s))] == number).sum()) for s in squares)
        sets = [side for pair in self.mode.terminal_sets(t) for side in pair]
        return Component(
            topology=t,
            size=len(squares),
            edges=inside // 2,
            faces=int(t.faces[squares].sum()) - inside,
            contacts=tuple(int(np.isin(squares, side).sum()) for side in sets),
            find_squares=lambda: squares,
        )


def remembered(mode: Mode, laid: int, memory: int) -> int:
    """Return the memory of a position; in shatter it is W, which is worked out anew."""
    if type(mode) is not Shatter:
        return memory
    if mode.size is not None:
        return mode.size
    return max(1, int(Decimal(str(mode.share)) * laid))


def terminals(mode: Flow, topology: Topology) -> list[list[Ints]]:
    """Return the pairs of node sets that a piece must not join."""
    if mode.terminals is not None:
        return [[np.array(side, dtype=np.int32) for side in mode.terminals]]
    square = np.arange(topology.n, dtype=np.int32).reshape(topology.lattice_shape())
    pairs = {"vertical": [square[0], square[-1]], "horizontal": [square[:, 0], square[:, -1]]}
    # A direction in which the lattice is periodic has no sides.
    periodic = topology.key.periodic if topology.key is not None else "none"
    closed = {"rows": ["vertical"], "columns": ["horizontal"], "both": list(pairs), "none": []}
    wanted = list(pairs) if mode.axis == "both" else [mode.axis]
    return [pairs[axis] for axis in wanted if axis not in closed[periodic]]
