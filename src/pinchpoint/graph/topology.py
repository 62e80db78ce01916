"""The graph under a board: which nodes are neighbours, and what else is known about them.

A topology declares each capability separately. Code asks for what it needs, and the error names
what is missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pinchpoint.checks import whole_number
from pinchpoint.errors import InputError
from pinchpoint.graph.costs import WholeCosts, whole_costs
from pinchpoint.types import Array, Bools, Floats, Ints, Longs

MAX_SIDE = 1000  # rows or columns of a lattice
MAX_NODES = MAX_SIDE * MAX_SIDE
MAX_GRAPH_NODES = 10_000_000  # of a graph; numbers of edges must fit in 32 bits too

AnyArray = TypeVar("AnyArray", bound=Array)
Sides = Mapping[str, tuple[Ints, Ints]]  # by axis: the nodes of two opposite open sides


class LatticeKey(NamedTuple):
    """Which lattice a topology is, as files and commands name it."""

    lattice: str = "square"  # a name in LATTICES
    periodic: str = "none"  # or rows, columns, both


SQUARE = LatticeKey()


@dataclass(frozen=True, eq=False)
class Topology:
    """A graph in compressed rows. Node i of a lattice is in row i // width, column i % width."""

    indptr: Ints  # [N + 1]  neighbours of i: indices[indptr[i]:indptr[i + 1]]
    indices: Ints  # [2 E]
    faces: Ints  # [N]  faces of a node that stands alone (noodle mode)
    names: tuple[Any, ...] | None = field(default=None, repr=False)  # a graph's own node names
    key: LatticeKey | None = None  # which lattice it is; None for a graph
    coordination: int | None = None  # sides of every node of a lattice; None for a graph
    image_shape: tuple[int, int] | None = None  # (height, width) of a layout in rows and columns
    grid: tuple[int, int] | None = None  # (height, width) of the planar square grid, and only that
    sides: Sides = field(default_factory=dict, repr=False)
    positions: Floats | None = field(default=None, repr=False)  # [N, 2]  x, y of each node, drawn
    costs: Floats = field(default_factory=lambda: np.zeros(0), repr=False)  # [N]  default: 1 each
    weights: Ints | None = field(default=None, repr=False)  # [N]  what counts as size; None: 1 each
    attackable: Bools | None = field(default=None, repr=False)  # [N]  None: every node is

    def __post_init__(self) -> None:
        if len(self.costs) != self.n:
            if len(self.costs):
                raise InputError(f"there are {len(self.costs)} costs for {self.n} nodes")
            object.__setattr__(self, "costs", np.ones(self.n))
        bad = np.flatnonzero(~(np.isfinite(self.costs) & (self.costs > 0)))
        if len(bad):
            name = bad[0] if self.names is None else self.names[bad[0]]
            raise InputError(
                f"node {name} costs {self.costs[bad[0]]:g}; a cost is a number greater than 0"
            )
        for name in ("weights", "attackable"):
            if getattr(self, name) is not None and len(getattr(self, name)) != self.n:
                raise InputError(f"there are {len(getattr(self, name))} {name} for {self.n} nodes")
        if self.weights is not None and self.weights.min(initial=0) < 0:
            raise InputError("a node has a negative weight; a weight is 0 or more")
        for name in ("image_shape", "grid"):
            shape = getattr(self, name)
            if shape is not None and shape[0] * shape[1] != self.n:
                raise InputError(f"{name} is {shape}, but the topology has {self.n} nodes")
        if self.grid is not None and not self._is_square_grid(*self.grid):
            raise InputError(
                f"the edges are not those of a planar square grid of {self.grid[0]} × "
                f"{self.grid[1]}; leave out `grid`"
            )

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.faces)

    @cached_property
    def degree(self) -> Ints:  # [N]
        return np.diff(self.indptr)

    @property
    def unit_costs(self) -> bool:
        """Whether every node costs 1, so that costs are numbers of moves."""
        return bool(np.all(self.costs == 1))

    @cached_property
    def whole_costs(self) -> WholeCosts:
        """The costs as whole numbers, with which sums are exact."""
        return whole_costs(self.costs)

    def neighbours(self, node: int) -> Ints:
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def edges(self) -> Ints:  # [E, 2]  each edge once, smaller node first
        return edge_list(self.indptr, self.indices)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of edges and nodes that identifies a graph in files; names are left out."""
        digest = hashlib.blake2b(digest_size=16)
        for array in (self.indptr, self.indices, self.faces):
            digest.update(array.tobytes())
        if not self.unit_costs:
            digest.update(self.costs.tobytes())
        for name in ("weights", "attackable"):
            if getattr(self, name) is not None:
                digest.update(name.encode() + getattr(self, name).tobytes())
        return digest.hexdigest()

    def number(self, name: Any) -> int:
        """Return the number of a node by its name; raise InputError if there is none."""
        if name not in self._numbers:
            raise InputError(f"the graph has no node {name!r}")
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {name: node for node, name in enumerate(self.names or range(self.n))}

    # -- what it can do ----------------------------------------------------------------------

    def lattice_shape(self) -> tuple[int, int]:
        """Return `image_shape`, (height, width); raise InputError if there is none."""
        if self.image_shape is None:
            raise InputError(
                "this needs a lattice of rows and columns (image_shape); "
                "the board is a general graph"
            )
        return self.image_shape

    def square(self, row: int, col: int) -> int:
        """Return the node in a row and a column."""
        height, width = self.lattice_shape()
        row, col = whole_number(row, "the row"), whole_number(col, "the column")
        if not (0 <= row < height and 0 <= col < width):
            raise InputError(
                f"square ({row}, {col}) is not on the {height} × {width} board; rows are 0 to "
                f"{height - 1} and columns 0 to {width - 1}"
            )
        return row * width + col

    @cached_property
    def symmetries(self) -> Mapping[int, Longs]:  # [N] each: where each node goes
        """The symmetries of the rectangle that keep the edges, by their number in `transform`.

        Number 0, which moves nothing, is always among them; on a graph it is the only one.
        """
        kept = {0: np.arange(self.n)}
        if self.image_shape is None:
            return kept
        height, width = self.image_shape
        for k in range(1, 8):
            if k & 1 and height != width:
                continue
            moved = moved_squares(height, width, k)
            if self._is_symmetry(moved):
                kept[k] = moved
        return kept

    def _is_symmetry(self, moved: Longs) -> bool:
        edges = self.edges()
        there = np.sort(moved[edges], axis=1)
        order = np.lexsort((there[:, 1], there[:, 0]))
        columns = (self.faces, self.costs, self.weights, self.attackable)  # what counts of a node
        return np.array_equal(there[order], edges) and all(
            column is None or np.array_equal(column[moved], column) for column in columns
        )

    def _is_square_grid(self, height: int, width: int) -> bool:
        edges = self.edges()
        across = (edges[:, 1] == edges[:, 0] + 1) & (edges[:, 1] % width != 0)
        down = edges[:, 1] == edges[:, 0] + width
        wanted = height * (width - 1) + (height - 1) * width
        return len(edges) == wanted and bool(np.all(across | down))


def transform(boards: AnyArray, k: int) -> AnyArray:  # [..., h, w]
    """Return the boards under symmetry k of the rectangle (a view).

    The number is made of three bits: 1 transposes (square boards only), 2 then flips the rows,
    4 then flips the columns.
    """
    if k & 1:
        boards = boards.swapaxes(-1, -2)
    if k & 2:
        boards = boards[..., ::-1, :]  # type: ignore[assignment]
    if k & 4:
        boards = boards[..., ::-1]  # type: ignore[assignment]
    return boards


def moved_squares(height: int, width: int, k: int) -> Longs:  # [N]
    """Return, for each square of a board, its number on the board under symmetry k."""
    origin = transform(np.arange(height * width).reshape(height, width), k).ravel()
    moved = np.empty_like(origin)
    moved[origin] = np.arange(height * width)
    return moved


def from_edges(
    edges: Iterable[tuple[int, int]] | Array,
    n: int | None = None,
    extra_faces: int = 0,
    names: tuple[Any, ...] | None = None,
    positions: Floats | None = None,
    costs: Floats | None = None,
) -> Topology:
    """Make a graph from pairs of node numbers.

    A node has as many faces as neighbours, plus `extra_faces`.
    """
    try:
        pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges))
    except (TypeError, ValueError, OverflowError):
        pairs = np.zeros(1)  # no pairs
    if pairs.size == 0:
        pairs = np.zeros((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise InputError("edges must be pairs of node numbers, for example [(0, 1), (1, 2)]")
    count = int(pairs.max(initial=-1)) + 1 if n is None else whole_number(n, "n")
    if not 1 <= count <= MAX_GRAPH_NODES:
        raise InputError(f"the graph has {count} nodes; 1 to {MAX_GRAPH_NODES} are allowed")
    outside = pairs[(pairs < 0) | (pairs >= count)]
    if outside.size:
        raise InputError(f"an edge names node {outside[0]}; nodes are numbered 0 to {count - 1}")
    if np.any(pairs[:, 0] == pairs[:, 1]):
        raise InputError("an edge joins a node to itself; loops are not allowed")
    extra_faces = whole_number(extra_faces, "extra_faces")
    if not 0 <= extra_faces <= MAX_NODES:
        raise InputError(f"extra_faces is {extra_faces}; it must be 0 to {MAX_NODES}")
    indptr, indices = compressed_rows(count, pairs)  # an edge given twice counts once
    faces = (np.diff(indptr) + extra_faces).astype(np.int32)
    known = np.zeros(0) if costs is None else costs
    return Topology(indptr, indices, faces, names=names, positions=positions, costs=known)


def edge_list(indptr: Ints, indices: Ints) -> Ints:  # [E, 2]
    """Return the edges of compressed rows, each once, smaller node first."""
    source = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))
    once = source < indices
    return np.stack([source[once], indices[once]], axis=1)


def compressed_rows(n: int, pairs: Array) -> tuple[Ints, Ints]:
    """Return the compressed rows of the symmetric adjacency: neighbours ascend, each once."""
    first, second = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    both = np.concatenate([first * n + second, second * n + first])  # sorts in half the time
    both.sort()
    both = both[np.diff(both, prepend=-1) > 0]
    source = both // n
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(source, minlength=n), out=indptr[1:])
    return indptr, (both - source * n).astype(np.int32)
