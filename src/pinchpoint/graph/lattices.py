"""The lattices: square, triangular and hexagonal, each open or periodic in rows, columns or both.

Nodes are numbered row by row. One function for each kind builds its topology and declares its
capabilities; `LATTICES` is the table of them. A new lattice is one function and one line there.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from pinchpoint.checks import one_of, whole_number
from pinchpoint.errors import InputError
from pinchpoint.graph.topology import (
    MAX_SIDE,
    SQUARE,
    LatticeKey,
    Sides,
    Topology,
    compressed_rows,
)
from pinchpoint.types import Array, Bools, Floats, Longs

PERIODIC = ("none", "rows", "columns", "both")  # "rows": the first row touches the last


def lattice(height: int, width: int, kind: str = "square", periodic: str = "none") -> Topology:
    """Return a lattice; the square one joins each square to those above, left, right and below."""
    check_lattice(kind, periodic)
    sides = whole_number(height, "the height"), whole_number(width, "the width")
    return _lattice(*sides, kind, periodic)


@lru_cache(maxsize=64)
def _lattice(height: int, width: int, kind: str, periodic: str) -> Topology:
    for name, side in (("height", height), ("width", width)):
        if not 1 <= side <= MAX_SIDE:
            raise InputError(f"the {name} is {side}; a board has 1 to {MAX_SIDE} squares a side")
    for name, side, wraps in _periodic_sides(height, width, periodic):
        if side < 3:
            raise InputError(f"the {name} is {side}; with periodic {wraps} it must be 3 or more")
    return LATTICES[kind](height, width, periodic)


def _periodic_sides(height: int, width: int, periodic: str) -> list[tuple[str, int, str]]:
    sides = [("height", height, "rows"), ("width", width, "columns")]
    return [side for side in sides if periodic in (side[2], "both")]


def _by_name(topology: Topology) -> Any:
    """Let a lattice travel between processes by its name; it can be larger than many boards."""
    if topology.key is not None:
        known = (*topology.lattice_shape(), *topology.key)
        if lattice(*known) is topology:
            return lattice, known
    return object.__reduce_ex__(topology, 4)


copyreg.pickle(Topology, _by_name)


def check_lattice(kind: str, periodic: str) -> None:
    """Raise InputError if there is no such lattice."""
    one_of(kind, LATTICES, "lattice")
    if not isinstance(periodic, str) or periodic not in PERIODIC:
        raise InputError(f"periodic is {periodic!r}; choose from {', '.join(PERIODIC)}")


def square(height: int, width: int, periodic: str) -> Topology:
    """Build the square lattice: (r, c) touches (r, c ± 1) and (r ± 1, c)."""
    row, col = _rows_and_columns(height, width)
    return _topology(
        LatticeKey("square", periodic),
        (height, width),
        sides=4,
        pairs=[_bonds(height, width, periodic, step) for step in ((0, 1), (1, 0))],
        positions=np.stack([col, row], axis=1).astype(np.float64),
    )


def triangular(height: int, width: int, periodic: str) -> Topology:
    """Build the triangular lattice: the square one, and (r, c) touches (r ± 1, c ∓ 1) too."""
    row, col = _rows_and_columns(height, width)
    return _topology(
        LatticeKey("triangular", periodic),
        (height, width),
        sides=6,
        pairs=[_bonds(height, width, periodic, step) for step in ((0, 1), (1, 0), (1, -1))],
        positions=np.stack([col + row / 2, row * np.sqrt(0.75)], axis=1),
    )


def hexagonal(height: int, width: int, periodic: str) -> Topology:
    """Build the hexagonal lattice as a brick wall: (r, c) touches (r, c ± 1), and (r + 1, c) if
    r + c is even, (r − 1, c) if it is odd.
    """
    for name, side, wraps in _periodic_sides(height, width, periodic):
        if side % 2:
            raise InputError(
                f"the {name} is {side}; a hexagonal lattice with periodic {wraps} needs an even one"
            )
    row, col = _rows_and_columns(height, width)
    lower = (row + col) % 2 == 0  # the nodes that touch the row below
    return _topology(
        LatticeKey("hexagonal", periodic),
        (height, width),
        sides=3,
        pairs=[
            _bonds(height, width, periodic, (0, 1)),
            _bonds(height, width, periodic, (1, 0), lower),
        ],
        positions=np.stack([col * np.sqrt(0.75), 1.5 * row + np.where(lower, 0.25, -0.25)], axis=1),
    )


LATTICES: dict[str, Callable[[int, int, str], Topology]] = {
    "square": square,
    "triangular": triangular,
    "hexagonal": hexagonal,
}


def _topology(
    key: LatticeKey, shape: tuple[int, int], sides: int, pairs: list[Array], positions: Floats
) -> Topology:
    n = shape[0] * shape[1]
    indptr, indices = compressed_rows(n, np.concatenate(pairs))
    return Topology(
        indptr,
        indices,
        faces=np.full(n, sides, dtype=np.int32),
        key=key,
        coordination=sides,
        image_shape=shape,
        grid=shape if key == SQUARE else None,
        sides=_open_sides(*shape, key.periodic),
        positions=positions,
    )


def _rows_and_columns(height: int, width: int) -> tuple[Longs, Longs]:  # [N] each
    row, col = np.divmod(np.arange(height * width), width)
    return row, col


def _bonds(
    height: int, width: int, periodic: str, step: tuple[int, int], only: Bools | None = None
) -> Array:  # [E, 2]
    """Return the edges from each node, or only from some, to the node one step away."""
    row, col = _rows_and_columns(height, width)
    there = row + step[0], col + step[1]
    bonded = np.ones(height * width, dtype=np.bool_) if only is None else only
    if periodic in ("rows", "both"):
        there = there[0] % height, there[1]
    if periodic in ("columns", "both"):
        there = there[0], there[1] % width
    on_board = (there[0] >= 0) & (there[0] < height) & (there[1] >= 0) & (there[1] < width)
    chosen = np.flatnonzero(bonded & on_board)
    return np.stack([chosen, (there[0] * width + there[1])[chosen]], axis=1)


def _open_sides(height: int, width: int, periodic: str) -> Sides:
    nodes = np.arange(height * width, dtype=np.int32).reshape(height, width)
    sides = {}
    if periodic not in ("rows", "both"):
        sides["vertical"] = nodes[0].copy(), nodes[-1].copy()
    if periodic not in ("columns", "both"):
        sides["horizontal"] = nodes[:, 0].copy(), nodes[:, -1].copy()
    return sides
