"""The graph under a board: a lattice of squares, or any undirected graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from chokepoint.errors import InputError
from chokepoint.types import Ints

MAX_SIDE = 1000  # of a lattice
MAX_NODES = MAX_SIDE * MAX_SIDE


@dataclass(frozen=True, eq=False)
class Topology:
    """Who touches whom. Node i of a lattice is the square (i // width, i % width)."""

    indptr: Ints  # [N + 1]  neighbours of i: indices[indptr[i]:indptr[i + 1]]
    indices: Ints  # [2 E]
    faces: Ints  # [N]  outer faces of a node that stands alone (noodle mode)
    shape: tuple[int, int] | None = None  # (height, width) of a lattice, None for a graph
    names: tuple[Any, ...] | None = field(default=None, repr=False)  # a graph's own node names

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.faces)

    @property
    def degree(self) -> Ints:  # [N]
        return np.diff(self.indptr)

    def neighbours(self, node: int) -> Ints:
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def square(self, row: int, col: int) -> int:
        """The node of a lattice square."""
        height, width = self.lattice_shape()
        if not (0 <= row < height and 0 <= col < width):
            raise InputError(
                f"square ({row}, {col}) is not on the {height} × {width} board; rows are 0 to "
                f"{height - 1} and columns 0 to {width - 1}"
            )
        return row * width + col

    def lattice_shape(self) -> tuple[int, int]:
        """(height, width), or an error on a graph that is no lattice."""
        if self.shape is None:
            raise InputError("this needs a lattice; the board is a general graph")
        return self.shape

    def edges(self) -> Ints:  # [E, 2]  each edge once, smaller node first
        source = np.repeat(np.arange(self.n, dtype=np.int32), self.degree)
        once = source < self.indices
        return np.stack([source[once], self.indices[once]], axis=1)

    def same_as(self, other: Topology) -> bool:
        """Whether the two have the same nodes, edges and faces."""
        return self is other or (
            self.shape == other.shape
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and np.array_equal(self.faces, other.faces)
        )


@lru_cache(maxsize=64)
def lattice(height: int, width: int) -> Topology:
    """A rectangle of squares, each joined to the one above, left, right and below."""
    for name, side in (("height", height), ("width", width)):
        if not 1 <= side <= MAX_SIDE:
            raise InputError(f"the {name} is {side}; a board has 1 to {MAX_SIDE} squares a side")
    node = np.arange(height * width, dtype=np.int32).reshape(height, width)
    across = np.stack([node[:, :-1].ravel(), node[:, 1:].ravel()], axis=1)
    down = np.stack([node[:-1].ravel(), node[1:].ravel()], axis=1)
    indptr, indices = _compress(height * width, np.concatenate([across, down]))
    faces = np.full(height * width, 4, dtype=np.int32)
    return Topology(indptr, indices, faces, shape=(height, width))


def from_edges(
    edges: Iterable[tuple[int, int]] | npt.NDArray[Any],
    n: int | None = None,
    extra_faces: int = 0,
    names: tuple[Any, ...] | None = None,
) -> Topology:
    """A graph from pairs of node numbers; a node has as many faces as neighbours, plus extra."""
    pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges))
    if pairs.size == 0:
        pairs = pairs.reshape(0, 2).astype(np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise InputError("edges must be pairs of node numbers, for example [(0, 1), (1, 2)]")
    count = int(pairs.max(initial=-1)) + 1 if n is None else n
    if not 1 <= count <= MAX_NODES:
        raise InputError(f"the graph has {count} nodes; 1 to {MAX_NODES} are allowed")
    outside = pairs[(pairs < 0) | (pairs >= count)]
    if outside.size:
        raise InputError(f"an edge names node {outside[0]}; nodes are numbered 0 to {count - 1}")
    if np.any(pairs[:, 0] == pairs[:, 1]):
        raise InputError("an edge joins a node to itself; loops are not allowed")
    if extra_faces < 0:
        raise InputError(f"extra_faces is {extra_faces}; it must be 0 or more")
    unique = np.unique(np.sort(pairs, axis=1), axis=0)  # an edge given twice counts once
    indptr, indices = _compress(count, unique)
    faces = (np.diff(indptr) + extra_faces).astype(np.int32)
    return Topology(indptr, indices, faces, names=names)


def from_networkx(graph: Any, extra_faces: int = 0) -> Topology:
    """A graph from networkx, its nodes numbered in the order in which the graph lists them."""
    if graph.is_directed():
        raise InputError("the graph is directed; give an undirected one (graph.to_undirected())")
    names = tuple(graph.nodes)
    number = {name: i for i, name in enumerate(names)}
    edges = [(number[a], number[b]) for a, b in graph.edges() if a != b]
    return from_edges(edges, n=len(names), extra_faces=extra_faces, names=names)


def _compress(n: int, pairs: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Compressed rows of the symmetric adjacency, neighbours in ascending order."""
    source = np.concatenate([pairs[:, 0], pairs[:, 1]])
    target = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((target, source))
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(source, minlength=n), out=indptr[1:])
    return indptr, target[order].astype(np.int32)
