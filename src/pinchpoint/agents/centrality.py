"""Compiled measures of how central each active square is, on the graph of the active squares.

Every kernel takes one board after another, so that a game's numbers do not depend on its batch.
"""

from __future__ import annotations

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.game.engine import Games
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import (
    DFS_ORDER,
    DFS_ROWS,
    DFS_SEEN,
    articulation_search,
    fill_subgraph,
    influence,
    pieces_without,
    strip_leaves,
)
from pinchpoint.types import Bytes, Floats, Ints, Longs

FAR = 2**31 - 1  # steps; farther than any square


def degrees(games: Games) -> Ints:  # [B, N]
    """Active neighbours of each active square, 0 elsewhere."""
    out = np.zeros((len(games), games.topology.n), dtype=np.int32)
    _degrees(games.topology.indptr, games.topology.indices, games.status, out)
    return out


def betweenness(games: Games) -> Floats:  # [B, N]
    """Shortest paths through each active square, summed over ordered pairs of other squares."""
    t = games.topology
    out = np.zeros((len(games), t.n))
    ints = np.zeros((5, t.n + 1), dtype=np.int32)
    inside = np.zeros(len(t.indices), dtype=np.int32)
    floats = np.zeros((3, t.n))
    _betweenness(t.indptr, t.indices, games.status, out, ints, inside, floats)
    return out


def collective_influence(games: Games, radius: int) -> Longs:  # [B, N]
    """(k − 1) Σ (k' − 1), k' the degrees of the active squares exactly `radius` steps away."""
    t = games.topology
    out = np.zeros((len(games), t.n), dtype=np.int64)
    scratch = np.zeros((3, t.n), dtype=np.int32)
    _collective_influence(t.indptr, t.indices, radius, degrees(games), out, scratch)
    return out


def core_degrees(games: Games) -> Ints:  # [B, N]
    """Degree of each square inside the 2-core of the active squares, 0 outside the core."""
    t = games.topology
    alive, out = games.legal, np.empty((len(games), t.n), dtype=np.int32)
    stack = np.empty(t.n, dtype=np.int32)
    for row in range(len(games)):
        strip_leaves(t.indptr, t.indices, alive[row], out[row], stack)
    out[~alive] = 0
    return out


def pieces_left(games: Games) -> tuple[Ints, Ints, Ints]:  # each [B, N]
    """Return the size of each active square's component, and what is left of it without the square.

    That is the sizes of the two largest pieces. All are 0 on other squares, and the last one is
    more than 0 on articulation points only.
    """
    t = games.topology
    whole, largest, second = (np.zeros((len(games), t.n), dtype=np.int32) for _ in range(3))
    notes = np.zeros((DFS_ROWS, t.n), dtype=np.int32)
    _pieces_left(t.indptr, t.indices, games.status, whole, largest, second, notes)
    return whole, largest, second


@kernel
def _degrees(indptr: Ints, indices: Ints, status: Bytes, out: Ints) -> None:
    for b in range(len(status)):
        for v in range(status.shape[1]):
            if status[b, v] == ACTIVE:
                for k in range(indptr[v], indptr[v + 1]):
                    out[b, v] += status[b, indices[k]] == ACTIVE


@kernel
def _betweenness(
    indptr: Ints,
    indices: Ints,
    status: Bytes,
    out: Floats,
    ints: Ints,
    inside: Ints,
    floats: Floats,
) -> None:
    """Brandes' algorithm on the active squares, numbered afresh so that nothing else is touched."""
    first, node, number, depth, queue = ints[0], ints[1], ints[2], ints[3], ints[4]
    paths, below, total = floats[0], floats[1], floats[2]
    number[:] = -1
    for b in range(len(status)):
        m = 0
        for v in range(status.shape[1]):
            if status[b, v] == ACTIVE:
                node[m] = v
                m += 1
        fill_subgraph(indptr, indices, node[:m], number, first, inside)
        total[:m] = 0
        for source in range(m):
            depth[:m] = FAR
            paths[:m] = 0
            below[:m] = 0
            depth[source] = 0
            paths[source] = 1
            queue[0] = source
            head, tail = 0, 1
            # The inner loops do without branches: no processor can foresee them on a random board.
            while head < tail:
                v = queue[head]
                head += 1
                d = depth[v] + 1
                for k in range(first[v], first[v + 1]):
                    u = inside[k]
                    queue[tail] = u
                    tail += depth[u] > d
                    depth[u] = min(depth[u], d)
                    paths[u] += paths[v] * (depth[u] == d)
            for i in range(tail - 1, 0, -1):
                u = queue[i]
                d = depth[u] - 1
                share = (1 + below[u]) / paths[u]
                for k in range(first[u], first[u + 1]):
                    v = inside[k]
                    below[v] += paths[v] * share * (depth[v] == d)
                total[u] += below[u]
        for v in range(m):
            out[b, node[v]] = total[v]


@kernel
def _collective_influence(
    indptr: Ints, indices: Ints, radius: int, degree: Ints, out: Longs, scratch: Ints
) -> None:
    for b in range(len(degree)):
        scratch[0] = -1
        for v in range(degree.shape[1]):
            out[b, v] = influence(indptr, indices, radius, degree[b], scratch, v, v)


@kernel
def _pieces_left(
    indptr: Ints,
    indices: Ints,
    status: Bytes,
    whole: Ints,
    largest: Ints,
    second: Ints,
    notes: Ints,
) -> None:
    for b in range(len(status)):
        notes[DFS_SEEN] = 0
        for root in range(status.shape[1]):
            if status[b, root] == ACTIVE and notes[DFS_SEEN, root] == 0:
                size = articulation_search(indptr, indices, status[b], ACTIVE, root, notes)
                for v in notes[DFS_ORDER, :size]:
                    whole[b, v] = size
                    largest[b, v], second[b, v] = pieces_without(v, size, notes)
