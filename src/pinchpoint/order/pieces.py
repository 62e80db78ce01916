"""The largest piece of a graph, and orders that always take nodes out of it."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pinchpoint.graph.algorithms import components
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Rows


def largest_piece(graph: Topology, inside: Bools) -> int:
    """Return the size of the largest piece of some nodes."""
    return max(map(len, components(graph.indptr, graph.indices, inside)), default=0)


@dataclass(eq=False)
class Piece:
    """A piece that appears on the way, what is taken out of it, and what is left of it."""

    nodes: Rows
    taken: Rows | None = None  # None while nothing is
    rest: list[Piece] = field(default_factory=list)

    @property
    def key(self) -> tuple[int, int]:
        """Sorts large pieces first."""
        return -len(self.nodes), int(self.nodes[0])


def by_largest_piece(
    graph: Topology,
    stop: int,
    choose: Callable[[Topology, list[Rows]], list[Rows]],
    deadline: float = math.inf,
    room: int = 0,
) -> Array:
    """Let `choose` take nodes out of the largest piece until none has more than `stop` nodes.

    It also ends at the deadline, by time.perf_counter().

    What it takes out of a piece may depend on that piece alone. So it can be asked about several,
    the largest first, as many as fit into `room` nodes; the order is put together afterwards.
    """
    rows, everything = (graph.indptr, graph.indices), np.ones(graph.n, dtype=np.bool_)
    whole = [Piece(nodes) for nodes in components(*rows, everything)]
    waiting = [(piece.key, piece) for piece in whole]
    heapq.heapify(waiting)
    owner = np.zeros(graph.n, dtype=np.int64)
    while waiting and len(waiting[0][1].nodes) > stop and time.perf_counter() <= deadline:
        most = max(1, room // len(waiting[0][1].nodes))
        asked = [heapq.heappop(waiting)[1] for _ in range(min(most, len(waiting)))]
        asked = [piece for piece in asked if len(piece.nodes) > stop]
        inside = np.zeros(graph.n, dtype=np.bool_)
        for i, taken in enumerate(choose(graph, [piece.nodes for piece in asked])):
            asked[i].taken = taken
            owner[asked[i].nodes] = i
            inside[asked[i].nodes] = True
            inside[taken] = False
        for nodes in components(*rows, inside):
            piece = Piece(nodes)
            asked[owner[nodes[0]]].rest.append(piece)
            heapq.heappush(waiting, (piece.key, piece))
    return _largest_first(whole)


def _largest_first(whole: list[Piece]) -> Array:
    """Return the nodes taken, always from the largest piece, up to the first not yet processed."""
    pieces = [(piece.key, piece) for piece in whole]
    heapq.heapify(pieces)
    out: list[int] = []
    while pieces:
        piece = heapq.heappop(pieces)[1]
        if piece.taken is None:
            break
        out += [int(v) for v in piece.taken]
        for rest in piece.rest:
            heapq.heappush(pieces, (rest.key, rest))
    return np.array(out, dtype=np.int32)
