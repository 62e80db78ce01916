"""Positions judged by the rule of the mode in plain Python, without engine and kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from pinchpoint.game.modes.base import Component, Mode
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bools, Ints, Rows


@dataclass(frozen=True)
class Position:
    """Which squares are open, what the mode remembers, and so which squares are active."""

    topology: Topology
    mode: Mode
    open: Bools  # [N]
    memory: int

    def settled(self) -> tuple[Position, Bools]:
        """Return the position with its memory brought up to date, and the active squares."""
        label, _ = self.pieces()
        verdicts, memory = self.mode.settle(self._components(label), self.memory)
        squares = np.zeros(self.topology.n, dtype=np.bool_)
        squares[self.open] = np.array(verdicts, dtype=np.bool_)[label[self.open]]
        return replace(self, memory=memory), squares

    def without(self, square: int) -> tuple[Position, Bools]:
        """Return the position after an attack, and the active squares."""
        left = self.open.copy()
        left[square] = False
        return replace(self, open=left).settled()

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

    def _components(self, label: Ints) -> list[Component]:
        """Return the pieces as modes see them."""
        t = self.topology
        count = int(label.max(initial=-1)) + 1
        source = np.repeat(np.arange(t.n), np.diff(t.indptr))
        inside = source[self.open[source] & self.open[t.indices]]
        ends = np.bincount(label[inside], minlength=count)
        faces = np.bincount(label[self.open], t.faces[self.open], count).astype(np.int64) - ends
        sides = [side for pair in self.mode.terminal_sets(t) for side in pair]
        contacts = [
            np.bincount(label[s][self.open[s]], minlength=count) for s in map(np.unique, sides)
        ]
        numbers = np.stack(
            [np.bincount(label[self.open], minlength=count), ends // 2, faces, *contacts], axis=1
        )
        return [
            Component(t, size, edges, outside, tuple(touched), partial(_squares, label, number))
            for number, (size, edges, outside, *touched) in enumerate(numbers.tolist())
        ]


def _squares(label: Ints, number: int) -> Rows:
    return np.flatnonzero(label == number)
