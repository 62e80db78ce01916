"""Positions judged by the rule of the mode in plain Python, without engine and kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from pinchpoint.game.modes.base import Component, Mode
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bools, Rows


@dataclass(frozen=True)
class Position:
    """Which squares are open, what the mode remembers, and so which squares are active."""

    topology: Topology
    mode: Mode
    open: Bools  # [N]
    memory: int

    def settled(self) -> tuple[Position, Bools]:
        """Return the position with its memory brought up to date, and the active squares.

        Where the mode judges each piece by itself, what is inactive stays so, and is left out.
        """
        t = self.topology
        source = np.repeat(np.arange(t.n), np.diff(t.indptr))
        inside = self.open[source] & self.open[t.indices]
        first, last = source[inside], t.indices[inside]
        graph = csr_matrix((np.ones(len(first), dtype=np.int8), (first, last)), shape=(t.n, t.n))
        number = connected_components(graph, directed=False)[1]
        label = np.full(t.n, -1)
        label[self.open] = np.unique(number[self.open], return_inverse=True)[1]
        verdicts, memory = self.mode.settle(self._components(label, first), self.memory)
        squares = np.zeros(t.n, dtype=np.bool_)
        squares[self.open] = np.array(verdicts, dtype=np.bool_)[label[self.open]]
        counts = self.open if self.mode.remembers else squares
        return replace(self, open=counts, memory=memory), squares

    def without(self, square: int) -> tuple[Position, Bools]:
        """Return the position after an attack, and the active squares."""
        left = self.open.copy()
        left[square] = False
        return replace(self, open=left).settled()

    def _components(self, label: Rows, ends: Rows) -> list[Component]:
        """Return the pieces as modes see them.

        `label` [N] numbers the pieces, -1 where nothing is open; `ends` are those of all edges.
        """
        t, opened = self.topology, label[self.open]
        sides = [side for pair in self.mode.terminal_sets(t) for side in pair]
        sizes = np.bincount(opened)
        twice = np.bincount(label[ends], minlength=len(sizes))
        faces = np.bincount(opened, t.faces[self.open]).astype(np.int64) - twice
        contacts = [
            np.bincount(label[s][self.open[s]], minlength=len(sizes)) for s in map(np.unique, sides)
        ]
        numbers = np.stack([sizes, twice // 2, faces, *contacts], axis=1)
        return [
            Component(t, size, edges, outside, tuple(touched), partial(_squares, label, number))
            for number, (size, edges, outside, *touched) in enumerate(numbers.tolist())
        ]


def _squares(label: Rows, number: int) -> Rows:
    return np.flatnonzero(label == number)
