"""What a network is shown of positions on graphs: active nodes, the edges among them, and numbers.

Positions on any graphs are shown together, as one graph of many pieces. A move on nodes that are
not active is impossible and changes nothing, so they are left out; what they did to the game is in
its memory (W in shatter, the largest second piece in network). Nothing depends on how the nodes are
numbered, but for the sources of betweenness where several nodes look exactly alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from pinchpoint.compiled import kernel
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import (
    DFS_ORDER,
    DFS_ROWS,
    DFS_SEEN,
    LARGEST,
    SECOND,
    Subgraph,
    articulation_search,
    core_numbers,
    subgraph,
)
from pinchpoint.graph.topology import Topology
from pinchpoint.order.betweenness import (
    Search,
    add_far_sources,
    add_source,
    new_search,
)
from pinchpoint.rng import GAMMA, mix
from pinchpoint.types import Bytes, Floats, Ints, Rows, Words

Features = npt.NDArray[np.float32]

UNIT = 4.0  # log(1 + 54)
SOURCES = 64  # of betweenness in each piece; smaller pieces get it exactly

# What is known of a node. Logarithms of counts are of 1 + x; those of shares and ratios are plain.
# All but that of the cost are in units of log 55.
NODE_FEATURES = (
    "log of its degree",
    "degree, as a share of the largest",
    "log of its core number",
    "core number, as a share of the largest",
    "clustering: the share of pairs of its neighbours that touch",
    "log of the nodes that its removal cuts off from the rest of its piece",
    "those nodes, as a share of the piece",
    "log of the nodes by which the largest remaining piece exceeds the allowed size",
    "those nodes, as a share of the piece",
    "square root of its betweenness, as a share of all paths in its piece",
    "betweenness, as a share of the largest in its piece",
    "its piece, as a share of all active nodes",
    "log of the size of its piece over the size that is allowed",
    "log of its cost over the mean cost",
    "log of its betweenness for its cost, over the largest in its piece",
)
(
    LOG_DEGREE, DEGREE, LOG_CORE, CORE, CLUSTERING, LOG_CUT_OFF, CUT_OFF, LOG_EXCESS, EXCESS,
    ROOT_BETWEENNESS, BETWEENNESS, PIECE, LOG_PIECE, LOG_COST,
    LEADING,  # by it alone, nodes rank as adaptive betweenness ranks them
) = range(len(NODE_FEATURES))  # fmt: skip
FAINT = 1e-4  # a share of betweenness that is as good as none
# And of a board.
BOARD_FEATURES = (
    "log of the active nodes",
    "log of the size that is allowed",
    "log of the mean degree",
    "log of the largest degree",
    "log of the largest core number",
    "mean clustering",
    "1 if the size that is allowed grows with what is cut off",
)


class GraphPosition(NamedTuple):
    """What is active on a graph, with what the rule knows of the past."""

    part: Subgraph
    costs: Floats  # [n]
    memory: int
    grows: bool = False  # whether what is cut off raises the memory, as in network

    @classmethod
    def of_board(cls, graph: Topology, status: Bytes, memory: int, mode: Mode) -> GraphPosition:
        """Return a board as a position."""
        nodes = np.flatnonzero(status == ACTIVE)
        part = subgraph(graph.indptr, graph.indices, nodes)
        return cls(part, graph.costs[nodes], memory, mode.remembers)


class GraphBatch(NamedTuple):
    """Positions as one graph: V active nodes of B boards, E edges in both directions."""

    nodes: Tensor  # [V, len(NODE_FEATURES)]
    boards: Tensor  # [B, len(BOARD_FEATURES)]
    near: Tensor  # [E]  the neighbours of the first node, of the second, …
    starts: Tensor  # [V + 1]  where those of each node start in `near`
    share: Tensor  # [V, 1]  1 over the degree, 0 without neighbours
    crowd: Tensor  # [V, 1]  half the log of 1 + degree
    sizes: Tensor  # [B, 1]  the nodes of each board, or 1 if it has none
    board: Tensor  # [V]  which board a node is of
    place: Tensor  # [V]  where its number stands among B · width
    width: int  # squares of a board in what a network returns

    def to(self, device: torch.device, non_blocking: bool = False) -> GraphBatch:
        """Return the same on another device."""
        names = [name for name in self._fields if name != "width"]
        moved = {n: getattr(self, n).to(device, non_blocking=non_blocking) for n in names}
        return self._replace(**moved)


def positions_in(games: Games, rows: Iterable[int]) -> list[GraphPosition]:
    """Return positions of these games."""
    return [
        GraphPosition.of_board(games.topology, games.status[r], int(games.memory[r]), games.mode)
        for r in rows
    ]


def show_graphs(
    positions: list[GraphPosition], width: int | None = None, far_sources: int = 0
) -> GraphBatch:
    """Return positions as a network sees them.

    Its numbers then stand where the nodes stand on boards of `width` squares; without it, the
    numbers of the active nodes stand first, in the order of the part. With `far_sources`, pieces of
    more than `SOURCES` nodes get their betweenness from so many sources that lie far apart, which
    takes less time.
    """
    parts = [position.part for position in positions]
    sizes = np.array([len(part.nodes) for part in parts], dtype=np.int64)
    before = np.cumsum(sizes) - sizes
    described = [describe(position, far_sources) for position in positions]
    degree = np.concatenate([np.diff(part.indptr) for part in parts])[:, None]
    near = [part.indices + first for part, first in zip(parts, before, strict=True)]
    board = np.repeat(np.arange(len(parts)), sizes)
    if width is None:
        width, at = int(sizes.max()), np.arange(sizes.sum()) - before[board]
    else:
        at = np.concatenate([part.nodes for part in parts])
    return GraphBatch(
        nodes=torch.from_numpy(np.concatenate([nodes for nodes, _ in described])),
        boards=torch.from_numpy(np.stack([features for _, features in described])),
        near=torch.from_numpy(np.concatenate(near)),
        starts=torch.from_numpy(np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])),
        share=torch.from_numpy(np.minimum(1 / np.maximum(degree, 1), degree, dtype=np.float32)),
        crowd=torch.from_numpy(np.log1p(degree, dtype=np.float32) / 2),
        sizes=torch.from_numpy(sizes.astype(np.float32)[:, None]).clamp(min=1),
        board=torch.from_numpy(board),
        place=torch.from_numpy(at + width * board),
        width=width,
    )


def describe(position: GraphPosition, far_sources: int = 0) -> tuple[Features, Features]:
    """Return the features of the active nodes [n, F], and those of the board [G]."""
    part, costs, memory, grows = position
    n = len(part.nodes)
    nodes = np.zeros((n, len(NODE_FEATURES)), dtype=np.float32)
    degree = np.diff(part.indptr)
    core = core_numbers(part.indptr, part.indices)
    clustering = np.zeros(n)
    _clustering(part.indptr, part.indices, np.zeros(n, dtype=np.int32), clustering)
    piece = np.zeros(n, dtype=np.int32)
    notes = np.zeros((DFS_ROWS, n), dtype=np.int32)
    sizes = np.zeros(n, dtype=np.int32)
    _cuts(part.indptr, part.indices, memory, grows, notes, piece, sizes, nodes)
    between, largest, leading = betweenness_shares(part, piece, sizes, costs, far_sources)
    nodes[:, LOG_DEGREE] = np.log1p(degree) / UNIT
    nodes[:, DEGREE] = degree / max(degree.max(initial=0), 1)
    nodes[:, LOG_CORE] = np.log1p(core) / UNIT
    nodes[:, CORE] = core / max(core.max(initial=0), 1)
    nodes[:, CLUSTERING] = clustering
    nodes[:, ROOT_BETWEENNESS] = np.sqrt(between)
    nodes[:, BETWEENNESS] = between / np.maximum(largest, 1e-9)
    nodes[:, PIECE] = sizes / max(n, 1)
    nodes[:, LOG_PIECE] = np.log((1 + sizes) / (1 + memory)) / UNIT
    nodes[:, LOG_COST] = np.log(costs / (costs.mean() if n else 1.0))
    nodes[:, LEADING] = np.log(leading + FAINT) / UNIT
    board = [
        math.log1p(n),
        math.log1p(memory),
        math.log1p(degree.mean() if n else 0.0),
        math.log1p(degree.max(initial=0)),
        math.log1p(core.max(initial=0)),
        UNIT * clustering.mean() if n else 0.0,
        UNIT * grows,
    ]
    return nodes, np.array(board, dtype=np.float32) / np.float32(UNIT)


@kernel
def _cuts(
    indptr: Ints,
    indices: Ints,
    memory: int,
    grows: bool,
    notes: Ints,
    piece: Ints,
    sizes: Ints,
    features: Features,
) -> None:
    """Number the pieces from 1, note their sizes, and what the removal of each node cuts off."""
    count = 0
    notes[DFS_SEEN] = 0
    for root in range(len(piece)):
        if notes[DFS_SEEN, root] != 0:
            continue
        size = articulation_search(indptr, indices, piece, 0, root, notes)
        count += 1
        for v in notes[DFS_ORDER, :size]:
            largest, second = notes[LARGEST, v], notes[SECOND, v]
            off = size - 1 - largest
            over = largest - max(memory, second if grows else 0)
            features[v, LOG_CUT_OFF] = math.log(1.0 + off) / UNIT
            features[v, CUT_OFF] = off / size
            features[v, LOG_EXCESS] = math.copysign(math.log(1.0 + abs(over)) / UNIT, over)
            features[v, EXCESS] = over / size
            sizes[v] = size
        for v in notes[DFS_ORDER, :size]:
            piece[v] = count


@kernel
def _clustering(indptr: Ints, indices: Ints, mark: Ints, out: Floats) -> None:
    """Write the share of pairs of each node's neighbours that touch.

    Each triangle is found once, at its node of the lowest degree: so hubs cost little.
    """
    n = len(out)
    for v in range(n):
        for k in range(indptr[v], indptr[v + 1]):
            mark[indices[k]] = v + 1
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if not _after(indptr, u, v):
                continue
            for j in range(indptr[u], indptr[u + 1]):
                w = indices[j]
                if mark[w] == v + 1 and _after(indptr, w, u):
                    out[v] += 1
                    out[u] += 1
                    out[w] += 1
    for v in range(n):
        degree = indptr[v + 1] - indptr[v]
        if degree > 1:
            out[v] *= 2 / (degree * (degree - 1))


@kernel
def _after(indptr: Ints, u: int, v: int) -> bool:
    more = (indptr[u + 1] - indptr[u]) - (indptr[v + 1] - indptr[v])
    return bool(more > 0 or (more == 0 and u > v))


# -- betweenness -----------------------------------------------------------------------------


def betweenness_in(graph: Topology, nodes: Rows, far_sources: int) -> Floats:  # [n]
    """Return the betweenness of the nodes of one piece for their cost, as a network is shown it."""
    part, n = subgraph(graph.indptr, graph.indices, nodes), len(nodes)
    piece, sizes = np.ones(n, dtype=np.int32), np.full(n, n, dtype=np.int32)
    return betweenness_shares(part, piece, sizes, graph.costs[nodes], far_sources)[2]


def betweenness_shares(
    part: Subgraph, piece: Ints, sizes: Ints, costs: Floats, far_sources: int
) -> tuple[Floats, Floats, Floats]:  # [n] each
    """Return the share of the shortest paths of its piece that lead through each node.

    Also the largest such share of its piece, and the node's share for its cost in units of the
    largest such number of its piece. In pieces of more than `SOURCES` nodes, paths are those from
    so many of them, or from `far_sources` if that is not 0.
    """
    n = len(piece)
    total = np.zeros(n)
    sources = _sources(part, piece, sizes, costs, 1 if far_sources else SOURCES)
    search = new_search(n, len(part.indices) // 2)
    _add_sources(part.indptr, part.indices, *sources, far_sources, sizes, search, total)
    begun = np.where(sizes > SOURCES, far_sources or SOURCES, sizes)
    share = total / np.maximum(begun * np.maximum(sizes - 2, 1), 1)
    for_cost = share / costs
    leading = for_cost / np.maximum(_most(for_cost, piece), 1e-12)
    return share, _most(share, piece), leading


def _most(values: Floats, piece: Ints) -> Floats:  # [n]
    """Return the largest value of each node's piece."""
    largest = np.zeros(len(piece) + 1)
    np.maximum.at(largest, piece, values)
    return largest[piece]


def _sources(
    part: Subgraph, piece: Ints, sizes: Ints, costs: Floats, most: int
) -> tuple[Ints, Words]:
    """Return nodes from which paths begin, and the colours of all nodes.

    They are all nodes of small pieces, and the `most` with the lowest colours of large ones. A
    colour depends on what is around a node and not on its number.
    """
    n = len(piece)
    colour = costs.view(np.uint64) ^ np.diff(part.indptr).astype(np.uint64)
    if not n or sizes.max() <= SOURCES:
        return np.arange(n, dtype=np.int32), colour
    _colour(part.indptr, part.indices, colour, np.empty(n, dtype=np.uint64))
    if most == 1 and sizes.min() == n:  # one large piece, and no need to sort it
        return np.array([colour.argmin()], dtype=np.int32), colour
    order = np.lexsort((colour, piece))
    starts = np.flatnonzero(np.diff(piece[order], prepend=0))
    rank = np.arange(n) - np.repeat(starts, np.diff(starts, append=n))
    return order[(rank < most) | (sizes[order] <= SOURCES)].astype(np.int32), colour


@kernel
def _colour(indptr: Ints, indices: Ints, colour: Words, mixed: Words) -> None:
    """Mix the colour of each node with those around it, four times (Weisfeiler & Leman, 1968)."""
    for _ in range(4):
        for v in range(len(colour)):
            mixed[v] = mix(colour[v] + GAMMA)
        for v in range(len(colour)):
            word = mixed[v] * np.uint64(3)
            for k in range(indptr[v], indptr[v + 1]):
                word += mixed[indices[k]]
            colour[v] = word


@kernel
def _add_sources(
    indptr: Ints,
    indices: Ints,
    sources: Ints,
    colour: Words,
    far_sources: int,
    sizes: Ints,
    search: Search,
    total: Floats,
) -> None:
    """Add what the sources contribute, and in large pieces those that lie far from them."""
    for source in sources:
        if far_sources and sizes[source] > SOURCES:
            add_far_sources(indptr, indices, source, far_sources, colour, search, total)
        else:
            add_source(indptr, indices, source, search, total)
