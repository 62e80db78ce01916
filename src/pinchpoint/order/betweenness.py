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

from pinchpoint.compiled import kernel, next_chunk, outer_kernel
from pinchpoint.graph.algorithms import fill_subgraph, flood
from pinchpoint.rng import stream
from pinchpoint.types import Floats, Ints, Longs, Words

FAR = 2**31 - 1  # steps; farther than any node
HUGE = 2.0**600  # numbers of paths above this are scaled by SCALE, but not below LEAST
SCALE, LEAST = 2.0**-600, 2.0**-400
CHUNK = 8  # sources before the first look at the clock


class Search(NamedTuple):
    """Room for breadth-first searches and back. Between them, every depth is `FAR`."""

    depth: Ints  # [n]
    queue: Ints  # [n]  nodes by increasing depth
    paths: Floats  # [n]  shortest paths to a node; negative in layers that were scaled
    step: Ints  # [E]  the nodes one step farther than the first node of the queue, the second, …
    begin: Ints  # [n + 1]  where those of each place in the queue begin
    share: Floats  # [n]  what a path to a node is worth for the nodes before it
    nearest: Ints  # [n]  steps to the nearest source, where that matters; `FAR` at first


@outer_kernel
def new_search(n: int, edges: int) -> Search:
    """Make room for graphs of up to so many nodes and edges."""
    depth, nearest = np.full(n, FAR).astype(np.int32), np.full(n, FAR).astype(np.int32)
    queue, step = np.empty(n, dtype=np.int32), np.empty(edges, dtype=np.int32)
    begin = np.empty(n + 1, dtype=np.int32)
    return Search(depth, queue, np.empty(n), step, begin, np.empty(n), nearest)


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

    With as many sources as nodes, all are taken. `nearest` must be `FAR` in this piece.
    """
    source = first
    for _ in range(count):
        source = add_far_source(indptr, indices, source, rank, s, total)


@kernel
def add_far_source(
    indptr: Ints, indices: Ints, source: int, rank: Words, s: Search, total: Floats
) -> int:
    """Add what one of several sources contributes, and return the next one.

    That is the node farthest from all before it, of the lowest rank if there are several.
    """
    depth, nearest = s.depth, s.nearest
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
    return source


class Plan(NamedTuple):
    """How nodes are chosen."""

    stop: int  # until no piece has more nodes
    sources: int  # of betweenness; 0 for all nodes
    batch: int  # nodes that go before betweenness is found anew
    seed: int
    far: bool  # whether sources lie far apart; else they are random


class Attack(NamedTuple):
    """A graph while its nodes go, the next ones from the largest piece."""

    indptr: Ints  # [n + 1]
    indices: Ints
    costs: Floats  # [n]
    label: Ints  # [n]  the piece of a node; -1 for nodes that are gone
    size: Ints  # [n + 1]  of each piece
    number: Ints  # [n]  scratch, -1
    stack: Ints  # [n]  scratch
    node: Ints  # [n]  the nodes of the piece that is rated, and its edges:
    first: Ints  # [n + 1]
    inside: Ints
    total: Floats  # [n]  the rating so far
    rank: Words  # [n]  of the nodes, by chance
    search: Search
    out: Ints  # [n]  the nodes that are gone, in order
    counts: Longs  # [5]


# Of `counts`: the nodes that are gone, the next free label, the nodes of the piece that is rated
# (0 if none is), the sources that have been added, and the next of those that lie far apart.
GONE, LABELS, RATED, ADDED, SOURCE = range(5)


@outer_kernel
def new_attack(indptr: Ints, indices: Ints, costs: Floats) -> Attack:
    """Make room for an attack on a whole graph."""
    n, edges = len(indptr) - 1, len(indices)
    label, size = np.zeros(n, dtype=np.int32), np.zeros(n + 2, dtype=np.int32)
    number, stack = np.full(n, -1).astype(np.int32), np.empty(n, dtype=np.int32)
    node, first = np.empty(n, dtype=np.int32), np.empty(n + 1, dtype=np.int32)
    inside, total, rank = np.empty(edges, dtype=np.int32), np.empty(n), np.empty(n, dtype=np.uint64)
    counts, out = np.zeros(5, dtype=np.int64), np.empty(n, dtype=np.int32)
    counts[LABELS] = find_pieces(indptr, indices, label, 0, 1, size, stack)
    search = new_search(n, edges // 2)
    piece = label, size, number, stack, node, first, inside, total, rank
    return Attack(indptr, indices, costs, *piece, search, out, counts)


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

    The order ends when no piece has more than `stop` nodes, or at the deadline, by
    time.perf_counter(). `sources` 0 takes all nodes. Sources are random, or `far` apart.
    """
    a, plan = new_attack(indptr, indices, costs), Plan(stop, sources, batch, seed, far)
    chunk, goes_on = CHUNK, True
    while goes_on and (begun := time.perf_counter()) < deadline:
        goes_on = attack(a, plan, chunk)
        chunk = next_chunk(chunk, time.perf_counter() - begun)
    return a.out[: a.counts[GONE]].copy()


@kernel
def attack(a: Attack, p: Plan, sources: int) -> bool:
    """Go on for so many sources; return whether anything is left to do.

    All is kept from call to call, so that pauses change nothing.
    """
    counts = a.counts
    while sources > 0:
        m = counts[RATED]
        if m == 0:
            m = counts[RATED] = take_largest(a, p)
            if m == 0:
                return False
        count = p.sources if 0 < p.sources < m else m
        while counts[ADDED] < count and sources > 0:
            source = counts[ADDED]
            if p.far and count < m:
                counts[SOURCE] = add_far_source(
                    a.first, a.inside, counts[SOURCE], a.rank, a.search, a.total
                )
            elif count < m:
                by_chance = int(stream(p.seed, counts[GONE], source) % np.uint64(m))
                add_source(a.first, a.inside, by_chance, a.search, a.total)
            else:
                add_source(a.first, a.inside, source, a.search, a.total)
            counts[ADDED] += 1
            sources -= 1
        if counts[ADDED] == count:
            remove_best(a, min(p.batch, m))
    return True


@kernel
def take_largest(a: Attack, p: Plan) -> int:
    """Make the largest piece ready to be rated; return its size, 0 if it is small enough."""
    largest = 1
    for piece in range(1, a.counts[LABELS]):
        if a.size[piece] > a.size[largest]:
            largest = piece
    m = a.size[largest]
    if m <= p.stop:
        return 0
    i = lowest = 0
    for v in range(len(a.label)):
        if a.label[v] == largest:
            a.node[i] = v
            a.total[i] = 0
            if p.far:
                a.rank[i] = stream(p.seed, v, 0)
                a.search.nearest[i] = FAR
                if a.rank[i] < a.rank[lowest]:
                    lowest = i
            i += 1
    fill_subgraph(a.indptr, a.indices, a.node[:m], a.number, a.first, a.inside)
    a.counts[ADDED], a.counts[SOURCE] = 0, lowest
    return int(m)


@kernel
def remove_best(a: Attack, batch: int) -> None:
    """Remove the nodes of the highest rating for their cost, and find the pieces that are left."""
    piece, m = a.label[a.node[0]], a.counts[RATED]
    for _ in range(batch):
        best = -1
        for i in range(m):
            v = a.node[i]
            if a.label[v] == piece and (
                best < 0 or a.total[i] * a.costs[a.node[best]] > a.total[best] * a.costs[v]
            ):
                best = i
        a.label[a.node[best]] = -1
        a.out[a.counts[GONE]] = a.node[best]
        a.counts[GONE] += 1
    a.size[piece] = 0
    a.counts[LABELS] = find_pieces(
        a.indptr, a.indices, a.label, piece, a.counts[LABELS], a.size, a.stack
    )
    a.counts[RATED] = 0


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
