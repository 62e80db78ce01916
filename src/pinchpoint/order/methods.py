"""The methods that need nothing but a graph: one table from names to ways of ordering nodes.

A method is named by "name" or "name:argument": "degree", "ci:2", "betweenness:64". It takes a
`Task` and returns nodes; it ends when no piece has more than `task.stop` nodes, or later. A method
that recomputes after every removal looks at the clock.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import components, core_numbers, parts_without, subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.orders import Goal, Order, pieces_up_to
from pinchpoint.order.pieces import by_largest_piece, largest_piece
from pinchpoint.order.scores import core_degree_order, degree_order, influence_order, pagerank
from pinchpoint.order.separators import separator
from pinchpoint.types import Array, Bools, Rows

PIVOTS = 32  # sources far apart, unless another number is given
BATCHES = 100  # PageRank is computed anew after each hundredth of the nodes
MOST_STEPS = 1000  # the largest radius of collective influence


@dataclass(frozen=True)
class Task:
    """What a method gets."""

    graph: Topology
    stop: int  # the order may end when no piece has more nodes than this
    seed: int = 0
    deadline: float = float("inf")  # by time.perf_counter()
    argument: Any = ""  # what stands after the colon, as the method reads it
    workers: int = 1  # processes that may share the work

    @property
    def goal(self) -> Goal:
        return pieces_up_to(self.stop)

    @property
    def time_is_up(self) -> bool:
        return time.perf_counter() > self.deadline


@dataclass(frozen=True)
class Method:
    """An entry of the table: how to order nodes, where that is from, and what it costs."""

    order: Callable[[Task], Array] | str  # or "package.module:function", imported when needed
    about: str
    reference: str
    cost: str
    argument: str | None = None  # what may stand after the colon; None if nothing may
    read: Callable[[str], Any] = str  # reads it; raises InputError if it is wrong


def find_method(name: str, methods: Mapping[str, Method]) -> tuple[Method, Any]:
    """Return the entry of a method and its argument."""
    head, _, argument = name.partition(":")
    one_of(head, methods, "method")
    method = methods[head]
    if argument and method.argument is None:
        raise InputError(f"method {head!r} takes nothing after a colon; got {name!r}")
    return method, method.read(argument)


def completed(graph: Topology, chosen: Array, stop: int) -> Order:
    """Return the order that begins with these nodes.

    If they leave a piece of more than `stop` nodes, the others follow by degree.
    """
    order, count = Order.of(graph, chosen), len(chosen)
    if order.states.largest[count] <= stop:
        return order
    rest = order.nodes[count:].astype(np.intp)
    part = subgraph(graph.indptr, graph.indices, rest)
    more = degree_order(part.indptr, part.indices, np.zeros(len(rest)), graph.costs[rest])
    return Order(graph, np.concatenate([order.nodes[:count], order.nodes[count:][more]]))


# -- the methods ---------------------------------------------------------------------------------


def by_chance(task: Task) -> Array:
    return np.random.default_rng(task.seed).permutation(task.graph.n)


def by_degree(task: Task) -> Array:
    t = task.graph
    return degree_order(t.indptr, t.indices, np.zeros(t.n), t.costs)


def by_core(task: Task) -> Array:
    t = task.graph
    core = core_numbers(t.indptr, t.indices)
    ahead = core.astype(np.float64) * (int(t.degree.max(initial=0)) + 1)  # more than a degree
    return degree_order(t.indptr, t.indices, ahead, t.costs)


def by_pagerank(task: Task) -> Array:
    t = task.graph
    left, out = np.ones(t.n, dtype=np.bool_), np.zeros(0, dtype=np.int64)
    batch = max(1, t.n // BATCHES)
    while not task.time_is_up and left.any():
        nodes = np.flatnonzero(left)
        part = subgraph(t.indptr, t.indices, nodes)
        score = pagerank(part.indptr, part.indices) / t.costs[nodes]
        chosen = nodes[np.argsort(-score, kind="stable")[:batch]]
        left[chosen] = False
        out = np.concatenate([out, chosen])
        if len(out) % (5 * batch) == 0 and largest_piece(t, left) <= task.stop:
            break
    return out


def by_influence(task: Task) -> Array:
    t = task.graph
    return influence_order(t.indptr, t.indices, t.costs, task.argument, task.deadline)


def read_radius(text: str) -> int:
    text = text or "2"
    if not text.isdecimal() or not 1 <= int(text) <= MOST_STEPS:
        raise InputError(
            f"ci has no radius {text!r}; give a whole number, 1 to {MOST_STEPS}, such as ci:2"
        )
    return int(text)


def by_core_degree(task: Task) -> Array:
    t = task.graph
    core = core_degree_order(t.indptr, t.indices, t.costs)
    left = np.ones(t.n, dtype=np.bool_)
    left[core] = False
    return np.concatenate([core, broken_trees(t, left, task.stop)])


def broken_trees(t: Topology, left: Bools, stop: int) -> Array:
    """Return nodes that break the largest tree of a forest so that its parts become small."""
    number = np.full(t.n, -1, dtype=np.int32)
    trees = [(-len(tree), i, tree) for i, tree in enumerate(components(t.indptr, t.indices, left))]
    heapq.heapify(trees)
    out: list[int] = []
    while trees and -trees[0][0] > stop:
        _, _, nodes = heapq.heappop(trees)
        part = subgraph(t.indptr, t.indices, nodes, number)
        largest = parts_without(part.indptr, part.indices)[1]
        best = int(np.argmin(largest * t.costs[nodes]))
        out.append(int(nodes[best]))
        stays = np.ones(len(nodes), dtype=np.bool_)
        stays[best] = False
        for piece in components(part.indptr, part.indices, stays):
            if len(piece) > stop:
                heapq.heappush(trees, (-len(piece), len(out) * t.n + int(piece[0]), nodes[piece]))
    return np.array(out, dtype=np.int32)


def piece_by_piece(task: Task, choose: Callable[[Topology, Rows], Rows]) -> Array:
    """Always take what `choose` says out of the largest piece."""
    return by_largest_piece(
        *(task.graph, task.stop, lambda graph, pieces: [choose(graph, nodes) for nodes in pieces]),
        task.deadline,
    )


def cutting_node(t: Topology, nodes: Rows) -> Rows:
    """Return the node that cuts most off a piece for its cost; without any, by degree."""
    part = subgraph(t.indptr, t.indices, nodes)
    _, largest, second = parts_without(part.indptr, part.indices)
    off = np.where(second > 0, len(nodes) - largest, 0) / t.costs[nodes]
    degree = np.diff(part.indptr) / t.costs[nodes]
    return nodes[[int(off.argmax()) if off.max() > 0 else int(degree.argmax())]]


def by_betweenness(task: Task, far: bool = False) -> Array:
    t, (sources, batch) = task.graph, task.argument
    how = task.stop, sources, batch, task.seed % 2**32, far, task.deadline
    return betweenness_order(t.indptr, t.indices, t.costs, *how)


def reader_of_sources(name: str, default: int) -> Callable[[str], tuple[int, int]]:
    """Return a function that reads SOURCES:BATCH."""

    def read(text: str) -> tuple[int, int]:
        sources, _, batch = text.partition(":")
        for number in filter(None, (sources, batch)):
            if not number.isdecimal() or int(number) < 1:
                raise InputError(
                    f"{name} takes sources and a batch, such as {name}:64 or {name}:64:10; "
                    f"got {text!r}"
                )
        return int(sources or default), int(batch or 1)

    return read


ORDERS: dict[str, Method] = {
    "random": Method(by_chance, "uniformly random", "the usual baseline", "O(n)"),
    "degree": Method(
        by_degree,
        "most neighbours left, after every removal anew",
        "Albert, Jeong & Barabási, Nature 406, 2000",
        "O(m log n)",
    ),
    "kcore": Method(
        by_core,
        "highest core number, found once; of equals most neighbours left",
        "Kitsak et al., Nat. Phys. 6, 2010",
        "O(m log n)",
    ),
    "pagerank": Method(
        by_pagerank,
        "highest PageRank, anew after each hundredth of the nodes",
        "Page, Brin, Motwani & Winograd, 1999",
        "O(100 · 50 m)",
    ),
    "ci": Method(
        by_influence,
        "collective influence, 2 steps far by default",
        "Morone & Makse, Nature 524, 2015",
        "a ball of the radius for each node, then a few a removal",
        "RADIUS",
        read_radius,
    ),
    "corehd": Method(
        by_core_degree,
        "highest degree in the 2-core, then trees at their middle",
        "Zdeborová, Zhang & Zhou, Sci. Rep. 6, 2016",
        "O(m log n)",
    ),
    "spectral": Method(
        partial(piece_by_piece, choose=separator),
        "cheapest separators of the halves of the Fiedler vector",
        "Pothen, Simon & Liou, 1990; with costs as in Ren et al., PNAS 116, 2019",
        "an eigenvector for each cut",
    ),
    "articulation": Method(
        partial(piece_by_piece, choose=cutting_node),
        "the articulation point that cuts off most, else by degree",
        "Tian et al., Nat. Commun. 8, 2017",
        "O(m) a removal",
    ),
    "betweenness": Method(
        by_betweenness,
        "most shortest paths in the largest piece, after every removal anew",
        "Holme et al., Phys. Rev. E 65, 2002; sampled as in Brandes & Pich, 2007",
        "O(n m) a removal; O(SOURCES · m) from sampled sources",
        "SOURCES[:BATCH]",
        reader_of_sources("betweenness", 0),
    ),
    "pivots": Method(
        partial(by_betweenness, far=True),
        f"the same from {PIVOTS} sources that lie far apart, or another number of them",
        "MaxMin of Brandes & Pich, Int. J. Bifurcation Chaos 17, 2007",
        "O(SOURCES · m) a removal",
        "SOURCES[:BATCH]",
        reader_of_sources("pivots", PIVOTS),
    ),
}
