"""A mode on one topology: what it counts of each node, and which components it holds active.

The engine asks it about pieces that come apart, `Growth` about pieces that merge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from pinchpoint.compiled import call_rule, inlined
from pinchpoint.errors import InputError
from pinchpoint.game.modes.base import CONTACTS, EDGES, FACES, SIZE, Component, Mode, Rule
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bools, Bytes, Ints, Longs, Rows


class Nodes(NamedTuple):
    """What the rules count of each node by itself; the numbers of a piece follow from it."""

    weights: Ints  # [N], or [0] where each counts 1
    faces: Ints  # [N]
    terminals: Bytes  # [N]  bit t is set if the node is in terminal set t


class Judge:
    """The rule of a mode on the nodes of a topology, compiled where the mode can be."""

    def __init__(self, mode: str | Mode, topology: Topology) -> None:
        named = get_mode(mode)
        self.topology = topology
        with errors_of(named):
            self.mode = named.on(topology)
            self.rule: Rule = self.mode.rule(topology)
            sides = [side for pair in self.mode.terminal_sets(topology) for side in pair]
        self.columns = CONTACTS + len(sides)  # of the numbers of a piece
        terminals = np.zeros(topology.n, dtype=np.uint8)
        for t, nodes in enumerate(sides):
            terminals[nodes] |= np.uint8(1 << t)
        if topology.weights is not None and self.mode.remembers:
            raise InputError(
                f"mode {self.mode.name} remembers sizes; it plays where every node weighs 1"
            )
        weights = np.zeros(0) if topology.weights is None else topology.weights
        self.nodes = Nodes(weights.astype(np.int32), topology.faces, terminals)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "rule"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rule = self.mode.rule(self.topology)  # its addresses are those of this process

    def first_memory(self, opened: Bools | Bytes) -> Longs:  # [B, N] -> [B]
        """Return what the mode remembers when these boards are laid."""
        sizes = np.count_nonzero(opened, axis=1)
        if self.topology.weights is not None:
            sizes = opened @ self.topology.weights.astype(np.int64)
        with errors_of(self.mode):
            return self.mode.first_memory(sizes)

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        """Ask the mode in Python which components are active, and what it remembers from now on."""
        with errors_of(self.mode):
            active, memory = self.mode.settle(components, memory)
            memory = int(np.int32(memory))
        if len(active) != len(components):
            raise InputError(
                f"mode {self.mode.name} judged {len(active)} of {len(components)} components"
            )
        return active, memory

    def component(self, numbers: Ints, find_squares: Callable[[], Rows]) -> Component:
        """Return a piece as modes in Python see it, from its numbers."""
        size, edges, faces, *contacts = numbers.tolist()
        return Component(self.topology, size, edges, faces, tuple(contacts), find_squares)


@contextmanager
def errors_of(mode: Mode) -> Iterator[None]:
    """Turn whatever goes wrong in the code of a mode into an InputError that names the mode."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = ": ".join([type(error).__name__, *lines[:2]])  # numba's second line says the reason
        raise InputError(f"mode {mode.reference} failed with {what}") from error


# -- the same for kernels ------------------------------------------------------------------------


@inlined
def weight(nodes: Nodes, v: int) -> int:
    """Return what a node adds to the size of a piece."""
    return int(nodes.weights[v]) if len(nodes.weights) > 0 else 1


@inlined
def add_node(piece: Ints, nodes: Nodes, v: int) -> None:
    """Count a node in a piece, as if it had no neighbours there."""
    piece[SIZE] += weight(nodes, v)
    piece[FACES] += nodes.faces[v]
    for t in range(CONTACTS, len(piece)):
        piece[t] += nodes.terminals[v] >> (t - CONTACTS) & 1


@inlined
def add_edges(piece: Ints, edges: int) -> None:
    """Count edges inside a piece; each hides a face at either end."""
    piece[EDGES] += edges
    piece[FACES] -= 2 * edges


@inlined
def remove_node(piece: Ints, nodes: Nodes, v: int, edges: int) -> None:
    """Take a node that has so many neighbours in a piece out of its numbers."""
    piece[SIZE] -= weight(nodes, v)
    piece[EDGES] -= edges
    piece[FACES] -= nodes.faces[v] - 2 * edges
    for t in range(CONTACTS, len(piece)):
        piece[t] -= nodes.terminals[v] >> (t - CONTACTS) & 1


@inlined
def is_active(piece: Ints, rule: Rule, memory: int) -> bool:
    """Return whether the rule holds a component active; for one in Python, always."""
    return bool(call_rule(rule.judge, piece, memory, rule.options) != 0)


@inlined
def remember(piece: Ints, rule: Rule, memory: int) -> int:
    """Return what the mode remembers after a piece that is not the largest."""
    if rule.remember != 0:
        return int(call_rule(rule.remember, piece, memory, rule.options))
    return memory
