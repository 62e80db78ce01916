"""Every method of dismantling: orders that need nothing but a graph, a learned one, a portfolio.

A method's name may be followed by what improves its order: "degree+reinsert",
"betweenness:64+reinsert+refine". Where the time of a method is up, degree decides on the rest.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.util import find_spec

import numpy as np

from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.order.methods import ORDERS, Method, Task, completed, find_method
from pinchpoint.order.metrics import auc
from pinchpoint.order.orders import Goal, Order, check_order, pieces_up_to
from pinchpoint.order.refine import area, largest_small, refined, refined_together
from pinchpoint.order.reinsertion import reinserted
from pinchpoint.plugins import load_object
from pinchpoint.types import Array, Ints

# A portfolio takes exact betweenness up to EXACT nodes; betweenness, spectral, graph up to LARGE.
EXACT, LARGE = 500, 40_000
PORTFOLIO = 1 / 3  # of the time goes to the first orders, the rest to refining the best of them


def make_order(task: Task, name: str) -> Order:
    """Return the order of a method on a graph, with the improvements that follow its name."""
    head, *improvements = check_name(name).split("+")
    method, argument = find_method(head, METHODS)
    choose = method.order if callable(method.order) else load_object(method.order)
    chosen = _checked(task.graph, head, choose(replace(task, argument=argument)))
    order = completed(task.graph, chosen, task.stop)
    if task.time_is_up and len(order.until(task.goal)) > len(chosen):
        warnings.warn(
            f"{head}: time was up after {len(chosen)} of {len(order.until(task.goal))} nodes; "
            "the rest is by degree",
            PinchpointWarning,
            stacklevel=2,
        )
    for wanted in improvements:
        order = IMPROVEMENTS[wanted](task, order)
    return order


def _checked(graph: Topology, name: str, chosen: Array) -> Ints:
    """Return what a method has chosen; raise InputError if it is no order."""
    try:
        return check_order(chosen, graph.n)
    except InputError as error:
        raise InputError(f"method {name!r}, on a graph of {graph.n} nodes: {error}") from None


def check_name(name: str) -> str:
    """Return the name; raise InputError if the method or an improvement does not exist."""
    head, *improvements = name.split("+")
    find_method(head, METHODS)
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


# -- the portfolio -------------------------------------------------------------------------------


def best_of_portfolio(task: Task) -> Array:
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
    starts: list[Order] = []  # the best of each method
    for name in names:
        if starts and time.perf_counter() > until:
            break
        with warnings.catch_warnings():  # what is unfinished is still a start
            warnings.simplefilter("ignore", PinchpointWarning)
            order = make_order(replace(task, deadline=until), name)
        starts.append(better_of_reinsertion(order, task.goal))
    best = [order.until(task.goal) for order in sorted(starts, key=area)[: task.workers]]
    beginnings = refined_together(t, best, task.seed, task.deadline)
    chosen = min(range(len(best)), key=lambda i: area(Order.of(t, beginnings[i])))
    return with_cheapest_ending(t, beginnings[chosen], best[chosen], task.stop)


# -- improvements --------------------------------------------------------------------------------


def better_of_reinsertion(order: Order, goal: Goal) -> Order:
    """Return an order, or what reinsertion makes of it if no area is larger."""
    t = order.graph
    nodes = order.until(goal)
    back = Order.of(t, reinserted(t.indptr, t.indices, nodes, t.costs))
    return min((order, back), key=area)


def with_cheapest_ending(graph: Topology, beginning: Ints, order: Ints, stop: int) -> Ints:
    """Complete a beginning with the cheapest of four endings.

    They are the rest of `order` and nodes by degree, each as it is or reinserted.
    """
    left = np.ones(graph.n, dtype=np.bool_)
    left[beginning] = False
    goal, count, ends = pieces_up_to(stop), len(beginning), []
    for rest in (order[left[order]], order[:0]):
        ends.append(completed(graph, np.concatenate([beginning, rest]), stop).until(goal))
        back = reinserted(graph.indptr, graph.indices, ends[-1][count:], graph.costs, left)
        back = np.concatenate([ends[-1][:count], back])
        ends.append(completed(graph, back, stop).until(goal))
    return min(ends, key=lambda nodes: float(graph.costs[nodes].sum()))


def reinsert(task: Task, order: Order) -> Order:
    """Return the reinserted order.

    Where that would enlarge the area, the order keeps its beginning, to where the area ends, and
    gets the cheapest ending.
    """
    t, nodes = task.graph, order.until(task.goal)
    back = completed(t, reinserted(t.indptr, t.indices, nodes, t.costs), task.stop)

    def areas(each: Order) -> tuple[float, float]:
        return area(each), auc(each.curve.largest, t.n)

    if all(after <= before for before, after in zip(areas(order), areas(back), strict=True)):
        return back
    beginning = order.until(pieces_up_to(largest_small(t.n)))
    return Order.of(t, with_cheapest_ending(t, beginning, nodes, task.stop))


def refine(task: Task, order: Order) -> Order:
    nodes = order.until(task.goal)
    beginning = refined(task.graph, nodes, task.seed, task.deadline)
    return Order.of(task.graph, with_cheapest_ending(task.graph, beginning, nodes, task.stop))


IMPROVEMENTS: dict[str, Callable[[Task, Order], Order]] = {"reinsert": reinsert, "refine": refine}

METHODS: dict[str, Method] = {
    **ORDERS,
    "graph": Method(
        "pinchpoint.dismantling.by_network:by_network",
        "what a network that learned on random graphs attacks",
        "see training.md",
        "an evaluation for up to four removals, or for more from 8,192 nodes on",
        "FILE",
    ),
    "best": Method(
        best_of_portfolio,
        "the best of degree, corehd, ci:2, spectral, betweenness or pivots, and graph, refined",
        "a portfolio",
        "all the time there is",
    ),
}
