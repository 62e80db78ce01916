"""Betweenness, exact or from some sources, and orders of nodes by it.

Brandes' algorithm (J. Math. Sociol. 25, 2001), from all nodes or from some: sampled at random, or
far apart from each other (both in Brandes & Pich, Int. J. Bifurcation Chaos 17, 2007). An
evaluation costs a breadth-first search and back for each source, in the largest piece alone.

Shortest paths between distant sources cross the whole network, so a few such sources are enough
(figures in docs/metrics.md). Few sources overrate the nodes next to them, through which all paths
of a source begin. With sources far apart, a path therefore counts at a node by how far along it the
node is, from 0 at the source to 1 at the end, and the path back by the rest (Geisberger, Sanders &
Schultes, ALENEX 2008).

The number of shortest paths can grow exponentially with their length. Only ratios of these numbers
within two neighbouring layers of a search count, so a layer of huge numbers is scaled down.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import kernel, next_chunk
from pinchpoint.graph.algorithms import fill_subgraph, flood
from pinchpoint.rng import stream
from pinchpoint.types import Array, Floats, Ints, Words

FAR = 2**31 - 1  # steps; farther than any node
HUGE = 2.0**600  # numbers of paths above this are scaled by SCALE, but not below LEAST
SCALE, LEAST = 2.0**-600, 2.0**-400


class Search(NamedTuple):
    """Room for breadth-first searches and back. Between them, every depth is `FAR`."""

    depth: Ints  # [n]
    queue: Ints  # [n]  nodes by increasing depth
    paths: Floats  # [n]  shortest paths to a node; negative in layers that were scaled
    step: Ints  # [E]  the nodes one step farther than the first node of the queue, the second, …
    begin: Ints  # [n + 1]  where those of each place in the queue begin
    share: Floats  # [n]  what a path to a node is worth for the nodes before it
    nearest: Ints  # [n]  steps to the nearest source, where that matters; `FAR` at first


def new_search(n: int, edges: int) -> Search:
    """Make room for graphs of up to so many nodes and edges."""
    depth, nearest = (np.full(n, FAR, dtype=np.int32) for _ in range(2))
    queue, step, begin = (np.empty(size, dtype=np.int32) for size in (n, edges, n + 1))
    return Search(depth, queue, np.empty(n), step, begin, np.empty(n), nearest)


def sampled_betweenness(indptr: Ints, indices: Ints, sources: Array) -> Floats:  # [N]
    """Return the betweenness of all nodes, estimated from these sources.

    With all nodes as sources it is exact: shortest paths through a node, over unordered pairs.
    """
    n = len(indptr) - 1
    search, total = new_search(n, len(indices) // 2), np.zeros(n)
    for source in np.asarray(sources, dtype=np.int32):
        add_source(indptr, indices, int(source), search, total)
    return total * (n / (2 * max(len(sources), 1)))


@kernel
def add_source(indptr: Ints, indices: Ints, source: int, s: Search, total: Floats) -> None:
    """Add what one source contributes to the betweenness of the nodes of its piece.

    Nothing else is touched, so a small piece costs little.
    """
    reached = count_paths(indptr, indices, source, s)
    add_shares(indptr, indices, reached, False, s, total)
    for i in range(reached):
        s.depth[s.queue[i]] = FAR


@kernel
def count_paths(indptr: Ints, indices: Ints, source: int, s: Search) -> int:
    """Count the shortest paths from a source to the nodes of its piece; return how many these are.

    The steps that these paths take are noted.
    """
    depth, queue, paths, step = s.depth, s.queue, s.paths, s.step
    depth[source] = 0
    paths[source] = 1
    queue[0] = source
    head, tail, steps = 0, 1, 0
    layer, most = 0, 0.0  # most paths to a node of the layer
    while head < tail:
        v = queue[head]
        if depth[v] > layer:  # all nodes of the next layer are in the queue, and no others
            if most > HUGE:
                for i in range(head, tail):
                    paths[queue[i]] = -max(paths[queue[i]] * SCALE, LEAST)
            layer, most = depth[v], 0.0
        s.begin[head] = steps
        head += 1
        d, through = depth[v] + 1, abs(paths[v])
        most = max(most, through)
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if depth[u] < d:
                continue
            if depth[u] > d:
                depth[u] = d
                paths[u] = 0
                queue[tail] = u
                tail += 1
            paths[u] += through
            step[steps] = u
            steps += 1
    s.begin[tail] = steps
    return tail


@kernel
def add_shares(
    indptr: Ints, indices: Ints, reached: int, by_distance: bool, s: Search, total: Floats
) -> None:
    """Add each node's share of the paths that were counted, from the farthest nodes back.

    `by_distance` lets a path count twice at its end, not at all at the source, and in proportion
    between them. Over paths there and back, this is the same sum.
    """
    depth, paths, share = s.depth, s.paths, s.share
    for i in range(reached - 1, 0, -1):
        u = s.queue[i]
        below = 0.0
        for k in range(s.begin[i], s.begin[i + 1]):
            below += share[s.step[k]]
        below *= abs(paths[u])
        arriving = paths[u]
        if arriving < 0:  # in another unit than the paths to the layer before
            arriving = 0.0
            for k in range(indptr[u], indptr[u + 1]):
                if depth[indices[k]] == depth[u] - 1:
                    arriving += abs(paths[indices[k]])
        share[u] = ((2 / depth[u] if by_distance else 1) + below) / arriving
        total[u] += below * (depth[u] if by_distance else 1)


@kernel
def add_far_sources(
    indptr: Ints, indices: Ints, first: int, count: int, rank: Words, s: Search, total: Floats
) -> None:
    """Add what `count` sources that lie far apart contribute, in the piece of the first of them.

    Each further source is the node farthest from all before it, of the lowest rank if there are
    several. With as many sources as nodes, all are taken. `nearest` must be `FAR` in this piece.
    """
    depth, nearest = s.depth, s.nearest
    source = first
    for _ in range(count):
        reached = count_paths(indptr, indices, source, s)
        add_shares(indptr, indices, reached, True, s, total)
        for i in range(reached):
            v = s.queue[i]
            nearest[v] = min(nearest[v], depth[v])
            depth[v] = FAR
            if nearest[v] > nearest[source] or (
                nearest[v] == nearest[source] and rank[v] < rank[source]
            ):
                source = v


def betweenness_order(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    stop: int,
    sources: int,
    batch: int,
    seed: int,
    far: bool = False,
    deadline: float = math.inf,
) -> Ints:
    """Return nodes by betweenness in the largest piece, found anew after every `batch` of them.

    The order ends when no piece has more than `stop` nodes, or with the batch in which the
    deadline comes, by time.perf_counter(). `sources` 0 takes all nodes. Sources are random, or
    `far` apart.
    """
    n = len(indptr) - 1
    ints = np.zeros((5, n + 1), dtype=np.int32)
    ints[3] = -1
    pieces = find_pieces(indptr, indices, ints[0, :n], 0, 1, ints[1], ints[2])
    out, inside = np.empty(n, dtype=np.int32), np.empty(len(indices), dtype=np.int32)
    limits = stop, sources, batch, seed, far
    search, total = new_search(n, len(indices) // 2), np.zeros(n)
    room = ints, inside, search, total, np.zeros(n, dtype=np.uint64), out
    before, count, chunk = -1, 0, n if math.isinf(deadline) else 1
    while before < count and (begun := time.perf_counter()) < deadline:
        before, most = count, min(n, count + chunk)
        count, pieces = take_by_betweenness(
            *(indptr, indices, costs, *limits, count, most, pieces, *room)
        )
        chunk = next_chunk(chunk, time.perf_counter() - begun)
    return out[:count].copy()


@kernel
def take_by_betweenness(
    indptr: Ints,
    indices: Ints,
    costs: Floats,
    stop: int,
    sources: int,
    batch: int,
    seed: int,
    far: bool,
    count: int,
    most: int,
    pieces: int,
    ints: Ints,
    inside: Ints,
    search: Search,
    total: Floats,
    rank: Words,
    out: Ints,
) -> tuple[int, int]:
    """Write the nodes that go after the first `count` to `out`, until there are `most` or more.

    Return how many there are then, and the next free label of a piece. What is in `ints` is kept
    from call to call, so that pauses change nothing.
    """
    label, size, node, number, first = ints[0], ints[1], ints[2], ints[3], ints[4]
    n = len(out)
    while count < most:
        largest = 1
        for piece in range(1, pieces):
            if size[piece] > size[largest]:
                largest = piece
        if size[largest] <= stop:
            break
        m = 0
        for v in range(n):
            if label[v] == largest:
                node[m] = v
                m += 1
        fill_subgraph(indptr, indices, node[:m], number, first, inside)
        if far and 0 < sources < m:
            for i in range(m):
                rank[i] = stream(seed, node[i], 0)
            rate_from_afar(first, inside, m, sources, rank, search, total)
        else:
            rate(first, inside, m, sources, seed, count, search, total)
        for _ in range(min(batch, m)):
            best = -1
            for i in range(m):
                if label[node[i]] == largest and (
                    best < 0 or total[i] * costs[node[best]] > total[best] * costs[node[i]]
                ):
                    best = i
            label[node[best]] = -1
            out[count] = node[best]
            count += 1
        size[largest] = 0
        pieces = find_pieces(indptr, indices, label[:n], largest, pieces, size, node)
    return count, pieces


@kernel
def find_pieces(
    indptr: Ints, indices: Ints, label: Ints, old: int, new: int, size: Ints, stack: Ints
) -> int:
    """Label the pieces of the nodes labelled `old` from `new` on; return the next free label."""
    for v in range(len(label)):
        if label[v] == old:
            size[new] = flood(indptr, indices, v, old, new, label, stack)
            new += 1
    return new


@kernel
def rate(
    first: Ints,
    inside: Ints,
    m: int,
    sources: int,
    seed: int,
    step: int,
    search: Search,
    total: Floats,
) -> None:
    """Write the betweenness of a piece of m nodes to `total`."""
    total[:m] = 0
    if sources == 0 or sources >= m:
        for source in range(m):
            add_source(first, inside, source, search, total)
        return
    for k in range(sources):
        source = int(stream(seed, step, k) % np.uint64(m))
        add_source(first, inside, source, search, total)


@kernel
def rate_from_afar(
    first: Ints, inside: Ints, m: int, sources: int, rank: Words, search: Search, total: Floats
) -> None:
    """Do the same with sources that lie far apart, the node of the lowest rank first."""
    lowest = 0
    for v in range(m):
        total[v] = 0
        search.nearest[v] = FAR
        if rank[v] < rank[lowest]:
            lowest = v
    add_far_sources(first, inside, lowest, sources, rank, search, total)
