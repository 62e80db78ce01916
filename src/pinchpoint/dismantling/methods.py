"""The methods: one table from names to ways of ordering nodes.

A method is named by "name" or "name:argument", followed by "+reinsert" and "+refine" as wanted:
"degree", "ci:2+reinsert", "betweenness:64+reinsert+refine". It takes a `Task` and returns an order
that ends when no piece has more than `task.stop` nodes, or later. A method that recomputes after
every removal looks at the clock, and is followed by degree when its time is up.
"""

from __future__ import annotations

import heapq
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from operator import itemgetter

import numpy as np
from scipy import sparse

from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.graph.algorithms import (
    BELOW,
    DFS_ROWS,
    FIRST,
    SECOND,
    Subgraph,
    articulation_search,
    components,
    core_numbers,
    subgraph,
)
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.core_and_influence import core_degree_order, influence_order
from pinchpoint.order.orders import check_order, curve_of, degree_order
from pinchpoint.order.pieces import by_largest_piece, largest_piece
from pinchpoint.order.refine import area, refined, refined_together
from pinchpoint.order.reinsertion import reinserted
from pinchpoint.order.separators import separator
from pinchpoint.plugins import load_object
from pinchpoint.types import Array, Bools, Ints, Rows

# A portfolio takes exact betweenness up to EXACT nodes; betweenness, spectral, graph up to LARGE.
EXACT, LARGE = 500, 40_000
PORTFOLIO = 1 / 3  # of the time goes to the first orders, the rest to refining the best of them
PIVOTS = 32  # sources far apart, unless told otherwise
BATCHES = 100  # PageRank is computed anew after each hundredth of the nodes


@dataclass(frozen=True)
class Task:
    """What a method gets."""

    graph: Topology
    stop: int  # the order may end when no piece has more nodes than this
    seed: int = 0
    deadline: float = float("inf")  # by time.perf_counter()
    argument: str = ""  # what stands after the colon
    workers: int = 1  # processes that may share the work

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return time.perf_counter() > self.deadline


@dataclass(frozen=True)
class Method:
    """An entry of the table: how to order nodes, where that is from, and what it costs."""

    order: Callable[[Task], Array] | str  # or "package.module:function", imported when needed
    about: str
    reference: str
    cost: str
    argument: str | None = None  # what may stand after the colon; None if nothing may


def make_order(task: Task, name: str) -> Ints:
    """Return the order of a method on a graph, with the improvements that follow its name."""
    head, *improvements = check_name(name).split("+")
    method, argument = find_method(head)
    order = method.order if callable(method.order) else load_object(method.order)
    chosen = _checked(task.graph, head, order(replace(task, argument=argument)))
    found = up_to(task.graph, chosen, task.stop)
    if len(found) > len(chosen) and task.late:
        warnings.warn(
            f"{head}: time was up after {len(chosen)} of {len(found)} nodes; the rest is by degree",
            PinchpointWarning,
            stacklevel=2,
        )
    for wanted in improvements:
        found = up_to(task.graph, IMPROVEMENTS[wanted](task, found), task.stop)
    return found


def _checked(graph: Topology, name: str, chosen: Array) -> Ints:
    """Return what a method has chosen; raise InputError if it is no order."""
    try:
        return check_order(chosen, graph.n)
    except InputError as error:
        raise InputError(f"method {name!r}, on a graph of {graph.n} nodes: {error}") from None


def check_name(name: str) -> str:
    """Return the name; raise InputError if the method or an improvement does not exist."""
    head, *improvements = name.split("+")
    find_method(head)
    for wanted in improvements:
        if wanted not in IMPROVEMENTS:
            raise InputError(
                f"there is no {wanted!r} to add; choose from {', '.join(IMPROVEMENTS)}"
            )
    return name


@cache
def warm_up(name: str) -> None:
    """Import and compile what a method needs, so that its time is spent on the graph."""
    ring = [(i, (i + 1) % 12) for i in range(12)]
    make_order(Task(from_edges([*ring, (0, 5), (2, 9)]), 1), name)


def find_method(name: str) -> tuple[Method, str]:
    """Return the entry of a method and its argument."""
    head, _, argument = name.partition(":")
    if head not in METHODS:
        raise InputError(f"there is no method {head!r}; choose from {', '.join(METHODS)}")
    if argument and METHODS[head].argument is None:
        raise InputError(f"method {head!r} takes nothing after a colon; got {name!r}")
    return METHODS[head], argument


def up_to(graph: Topology, order: Array, stop: int) -> Ints:
    """Return the order up to where no piece has more than `stop` nodes; by degree if it ends early.

    On a graph whose pieces are all that small, nothing needs to go.
    """
    order = _completed(graph, np.asarray(order, dtype=np.int32), stop)
    everything = np.ones(graph.n, dtype=np.bool_)
    if largest_piece(graph, everything) <= stop:
        return order[:0]
    small = curve_of(graph.indptr, graph.indices, order).largest <= stop
    return order[: int(small.argmax()) + 1]


def _completed(graph: Topology, order: Ints, stop: int) -> Ints:
    left = np.ones(graph.n, dtype=np.bool_)
    left[order] = False
    if largest_piece(graph, left) <= stop:
        return order
    nodes = np.flatnonzero(left)
    part = subgraph(graph.indptr, graph.indices, nodes)
    more = degree_order(part.indptr, part.indices, np.zeros(len(nodes)), graph.costs[nodes])
    return np.concatenate([order, nodes[more].astype(np.int32)])


# -- the methods -----------------------------------------------------------------------------


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
    while not task.late and left.any():
        nodes = np.flatnonzero(left)
        part = subgraph(t.indptr, t.indices, nodes)
        score = pagerank(part.indptr, part.indices) / t.costs[nodes]
        chosen = nodes[np.argsort(-score, kind="stable")[:batch]]
        left[chosen] = False
        out = np.concatenate([out, chosen])
        if len(out) % (5 * batch) == 0 and largest_piece(t, left) <= task.stop:
            break
    return out


def pagerank(indptr: Ints, indices: Ints, damping: float = 0.85) -> Array:
    """Return the PageRank of every node, by 50 steps of the power method."""
    n = len(indptr) - 1
    degree = np.maximum(np.diff(indptr), 1)
    ones = np.ones(len(indices))
    matrix = sparse.csr_array((ones, indices, indptr), shape=(n, n))
    rank = np.full(n, 1 / n)
    alone = np.diff(indptr) == 0
    for _ in range(50):
        rank = damping * (matrix @ (rank / degree) + rank[alone].sum() / n) + (1 - damping) / n
    return rank


def by_influence(task: Task) -> Array:
    text = task.argument or "2"
    if not text.isdecimal() or not 1 <= int(text) <= 10:
        raise InputError(f"ci has no radius {text!r}; give a whole number, 1 to 10, such as ci:2")
    return influence_order(task.graph.indptr, task.graph.indices, task.graph.costs, int(text))


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
        largest, _ = parts_without(part)
        best = int(np.argmin(largest * t.costs[nodes]))
        out.append(int(nodes[best]))
        stays = np.ones(len(nodes), dtype=np.bool_)
        stays[best] = False
        for piece in components(part.indptr, part.indices, stays):
            if len(piece) > stop:
                heapq.heappush(trees, (-len(piece), len(out) * t.n + int(piece[0]), nodes[piece]))
    return np.array(out, dtype=np.int32)


def parts_without(part: Subgraph) -> tuple[Ints, Ints]:  # [n] each
    """Return the two largest parts of a connected piece without each of its nodes."""
    n = len(part.nodes)
    notes, colour = np.zeros((DFS_ROWS, n), dtype=np.int32), np.ones(n, dtype=np.int32)
    articulation_search(part.indptr, part.indices, colour, 1, 0, notes)
    rest, first = n - 1 - notes[BELOW], notes[FIRST]
    return np.maximum(rest, first), np.maximum(np.minimum(rest, first), notes[SECOND])


def _piece_by_piece(task: Task, choose: Callable[[Topology, Rows], Rows]) -> Array:
    """Always take what `choose` says out of the largest piece."""

    def choose_in_all(graph: Topology, pieces: list[Rows]) -> list[Rows]:
        return [choose(graph, nodes) for nodes in pieces]

    return by_largest_piece(task.graph, task.stop, choose_in_all, task.deadline)


def by_separators(task: Task) -> Array:
    return _piece_by_piece(task, separator)


def by_articulation(task: Task) -> Array:
    return _piece_by_piece(task, cutting_node)


def cutting_node(t: Topology, nodes: Rows) -> Rows:
    """Return the node that cuts most off a piece for its cost; without any, by degree."""
    part = subgraph(t.indptr, t.indices, nodes)
    largest, second = parts_without(part)
    off = np.where(second > 0, len(nodes) - largest, 0) / t.costs[nodes]
    degree = np.diff(part.indptr) / t.costs[nodes]
    return nodes[[int(off.argmax()) if off.max() > 0 else int(degree.argmax())]]


def by_betweenness(task: Task) -> Array:
    return _by_betweenness(task, "betweenness", default=0, far=False)


def by_pivots(task: Task) -> Array:
    return _by_betweenness(task, "pivots", default=PIVOTS, far=True)


def _by_betweenness(task: Task, name: str, default: int, far: bool) -> Array:
    sources, _, batch = task.argument.partition(":")
    for text in filter(None, (sources, batch)):
        if not text.isdecimal() or int(text) < 1:
            raise InputError(
                f"{name} takes sources and a batch, such as {name}:64 or {name}:64:10; "
                f"got {task.argument!r}"
            )
    t, numbers = task.graph, (int(sources or default), int(batch or 1), task.seed % 2**32)
    rows = t.indptr, t.indices, t.costs
    return betweenness_order(*rows, task.stop, *numbers, far, task.deadline)


def by_all(task: Task) -> Array:
    """Take the best orders of a portfolio, and refine them for the rest of the time."""
    t = task.graph
    names = ["degree", "corehd", "ci:2"]
    if t.n <= LARGE:
        names[1:1] = ["betweenness" if t.n <= EXACT else f"pivots:16:{max(1, t.n // 8_000)}"]
        names.append("spectral")
        if find_spec("torch"):
            names.append("graph")
    begun = time.perf_counter()
    until = begun + PORTFOLIO * (task.deadline - begun)
    starts: list[tuple[float, Array]] = []  # the best of each method, with its area
    for name in names:
        if starts and time.perf_counter() > until:
            break
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", PinchpointWarning
            )  # what is unfinished is still a start
            order = make_order(replace(task, deadline=until), name)
        order = better_of_reinsertion(t, order, task.stop)
        starts.append((area(t, order), order))
    best = [order for _, order in sorted(starts, key=itemgetter(0))[: task.workers]]
    beginnings = refined_together(t, best, task.seed, task.deadline)
    chosen = min(range(len(beginnings)), key=lambda i: area(t, beginnings[i]))
    return ended(t, beginnings[chosen], best[chosen], task.stop)


def better_of_reinsertion(t: Topology, order: Array, stop: int) -> Array:
    """Return an order, or what reinsertion makes of it if the area is smaller."""
    back = up_to(t, reinserted(t.indptr, t.indices, order, t.costs), stop)
    return min((order, back), key=lambda each: area(t, each))


def ended(t: Topology, beginning: Ints, order: Ints, stop: int) -> Ints:
    """Complete a beginning with the cheapest of four endings.

    They are the rest of `order` and nodes by degree, each as it is or reinserted.
    """
    left = np.ones(t.n, dtype=np.bool_)
    left[beginning] = False
    ends = []
    for end in (order[left[order]], np.zeros(0, dtype=np.int32)):  # `up_to` goes on by degree
        ends.append(up_to(t, np.concatenate([beginning, end]), stop))
        rest = ends[-1][len(beginning) :]
        back = reinserted(t.indptr, t.indices, rest, t.costs, left)
        ends.append(up_to(t, np.concatenate([ends[-1][: len(beginning)], back]), stop))
    return min(ends, key=lambda each: float(t.costs[each].sum()))


def reinsert(task: Task, order: Ints) -> Array:
    return reinserted(task.graph.indptr, task.graph.indices, order, task.graph.costs)


def refine(task: Task, order: Ints) -> Array:
    beginning = refined(task.graph, order, task.seed, task.deadline)
    return ended(task.graph, beginning, order, task.stop)


IMPROVEMENTS: dict[str, Callable[[Task, Ints], Array]] = {"reinsert": reinsert, "refine": refine}

METHODS: dict[str, Method] = {
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
        "collective influence, 2 steps far unless told otherwise",
        "Morone & Makse, Nature 524, 2015",
        "a ball of the radius for each node, then a few a removal",
        "RADIUS",
    ),
    "corehd": Method(
        by_core_degree,
        "highest degree in the 2-core, then trees at their middle",
        "Zdeborová, Zhang & Zhou, Sci. Rep. 6, 2016",
        "O(m log n)",
    ),
    "spectral": Method(
        by_separators,
        "cheapest separators of the halves of the Fiedler vector",
        "Pothen, Simon & Liou, 1990; with costs as in Ren et al., PNAS 116, 2019",
        "an eigenvector for each cut",
    ),
    "articulation": Method(
        by_articulation,
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
    ),
    "pivots": Method(
        by_pivots,
        f"the same from {PIVOTS} sources that lie far apart, or as many as told",
        "MaxMin of Brandes & Pich, Int. J. Bifurcation Chaos 17, 2007",
        "O(SOURCES · m) a removal",
        "SOURCES[:BATCH]",
    ),
    "graph": Method(
        "pinchpoint.dismantling.by_network:by_network",
        "what a network that learned on random graphs attacks",
        "see training.md",
        "an evaluation for up to four removals, or for more from 8,192 nodes on",
        "FILE",
    ),
    "best": Method(
        by_all,
        "the best of degree, corehd, ci:2, spectral, betweenness or pivots, and graph, refined",
        "a portfolio",
        "all the time there is",
    ),
}
