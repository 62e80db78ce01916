"""Compiled measures of how central each active square is, on the graph of the active squares.

Every kernel takes one board after another, so that a game's numbers do not depend on its batch.
"""

from __future__ import annotations

import numpy as np

from chokepoint.compiled import inlined, kernel
from chokepoint.game import ACTIVE, Games
from chokepoint.types import Bytes, Floats, Ints, Longs

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
    _collective_influence(t.indptr, t.indices, games.status, degrees(games), radius, out, scratch)
    return out


def core_degrees(games: Games) -> Ints:  # [B, N]
    """Degree of each square inside the 2-core of the active squares, 0 outside the core."""
    t = games.topology
    out = degrees(games)
    _peel(t.indptr, t.indices, games.status, out, np.zeros(t.n, dtype=np.int32))
    return out


def pieces_without(games: Games) -> tuple[Ints, Ints, Ints]:  # each [B, N]
    """For each active square: its component's size, and what is left of it without the square.

    That is the number of pieces, and the size of the largest one. All 0 on other squares.
    """
    t = games.topology
    whole, pieces, largest = (np.zeros((len(games), t.n), dtype=np.int32) for _ in range(3))
    scratch = np.zeros((6, t.n), dtype=np.int32)
    _pieces_without(t.indptr, t.indices, games.status, whole, pieces, largest, scratch)
    return whole, pieces, largest


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
    for b in range(len(status)):
        m = compact(indptr, indices, status[b], first, node, number, inside)
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


@inlined
def compact(
    indptr: Ints, indices: Ints, status: Bytes, first: Ints, node: Ints, number: Ints, inside: Ints
) -> int:
    """The graph of active squares alone: rows `first`, neighbours `inside`; returns its size."""
    m = 0
    for v in range(len(status)):
        if status[v] == ACTIVE:
            number[v] = m
            node[m] = v
            m += 1
    used = 0
    for i in range(m):
        first[i] = used
        for k in range(indptr[node[i]], indptr[node[i] + 1]):
            if status[indices[k]] == ACTIVE:
                inside[used] = number[indices[k]]
                used += 1
    first[m] = used
    return m


@kernel
def _collective_influence(
    indptr: Ints,
    indices: Ints,
    status: Bytes,
    degree: Ints,
    radius: int,
    out: Longs,
    scratch: Ints,
) -> None:
    seen, queue, depth = scratch[0], scratch[1], scratch[2]
    for b in range(len(status)):
        seen[:] = -1
        for source in range(status.shape[1]):
            if status[b, source] != ACTIVE:
                continue
            seen[source] = source
            queue[0] = source
            depth[0] = 0
            head, tail, rim = 0, 1, 0
            while head < tail:
                v, d = queue[head], depth[head]
                head += 1
                if d == radius:
                    rim += degree[b, v] - 1
                    continue
                for k in range(indptr[v], indptr[v + 1]):
                    u = indices[k]
                    if status[b, u] == ACTIVE and seen[u] != source:
                        seen[u] = source
                        queue[tail] = u
                        depth[tail] = d + 1
                        tail += 1
            out[b, source] = (degree[b, source] - 1) * rim


@kernel
def _peel(indptr: Ints, indices: Ints, status: Bytes, degree: Ints, stack: Ints) -> None:
    """Take away squares of degree 0 and 1 until none is left; their degrees become 0."""
    for b in range(len(status)):
        top = 0
        for v in range(status.shape[1]):
            if degree[b, v] == 1:
                stack[top] = v
                top += 1
        while top > 0:
            top -= 1
            v = stack[top]
            if degree[b, v] == 0:  # its one neighbour has gone before it
                continue
            degree[b, v] = 0
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                if degree[b, u] > 0:
                    degree[b, u] -= 1
                    if degree[b, u] == 1:
                        stack[top] = u
                        top += 1


@kernel
def _pieces_without(
    indptr: Ints,
    indices: Ints,
    status: Bytes,
    whole: Ints,
    pieces: Ints,
    largest: Ints,
    scratch: Ints,
) -> None:
    """Tarjan's depth-first search for articulation points, with the size of what each cuts off."""
    order, low, parent = scratch[0], scratch[1], scratch[2]
    edge, below, visited = scratch[3], scratch[4], scratch[5]
    for b in range(len(status)):
        order[:] = 0  # 0: not seen yet
        for root in range(status.shape[1]):
            if status[b, root] != ACTIVE or order[root] > 0:
                continue
            order[root] = low[root] = 1
            parent[root], edge[root], below[root] = -1, indptr[root], 1
            visited[0] = root
            size, v = 1, root
            while v >= 0:
                if edge[v] < indptr[v + 1]:
                    u = indices[edge[v]]
                    edge[v] += 1
                    if status[b, u] != ACTIVE:
                        continue
                    if order[u] > 0:
                        low[v] = min(low[v], order[u])
                        continue
                    visited[size] = u
                    size += 1
                    order[u] = low[u] = size
                    parent[u], edge[u], below[u] = v, indptr[u], 1
                    v = u
                    continue
                up = parent[v]
                if up >= 0:
                    below[up] += below[v]
                    low[up] = min(low[up], low[v])
                    if low[v] >= order[up]:  # nothing below v gets past `up`
                        pieces[b, up] += 1
                        largest[b, up] = max(largest[b, up], below[v])
                        whole[b, up] += below[v]  # for now: all that is cut off from the rest
                v = up
            for i in range(size):
                v = visited[i]
                rest = size - 1 - whole[b, v]
                pieces[b, v] += rest > 0
                largest[b, v] = max(largest[b, v], rest)
                whole[b, v] = size
