"""Let methods dismantle a graph, and write down what came out."""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pinchpoint import __version__
from pinchpoint.checks import plain_text, real_number
from pinchpoint.dismantling.methods import make_order, warm_up
from pinchpoint.errors import InputError
from pinchpoint.files import new_folder, whole_files
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import MODES, get_mode, parse_options
from pinchpoint.graph.algorithms import components
from pinchpoint.graph.readers import read_graph
from pinchpoint.graph.topology import Topology
from pinchpoint.order.methods import Task
from pinchpoint.order.metrics import Metrics, metrics_of
from pinchpoint.order.orders import Curve, Order, curve_of, pieces_up_to
from pinchpoint.processes import check_workers
from pinchpoint.rng import check_seed
from pinchpoint.types import Ints

GOAL = "shatter:share=0.01"
COLUMNS = ("rank", "node", "cost", "largest", "second", "pairs", "goal")


@dataclass(frozen=True)
class Source:
    """What the numbers of a method come from, so that they can be made again."""

    graph_nodes: int
    graph_edges: int
    graph_components: int
    graph: str  # its fingerprint
    goal: str
    seed: int
    version: str

    @classmethod
    def of(cls, graph: Topology, goal: Mode, seed: int) -> Source:
        everything = np.ones(graph.n, dtype=np.bool_)
        pieces = components(graph.indptr, graph.indices, everything)
        options = ",".join(f"{key}={value}" for key, value in goal.options().items())
        text = ":".join(filter(None, (goal.name, options)))
        counts = graph.n, len(graph.indices) // 2, len(pieces)
        return cls(*counts, graph.fingerprint, text, seed, __version__)


@dataclass(frozen=True)
class Dismantling:
    """What a method did to a graph."""

    method: str
    whole: Order = field(repr=False)  # of all nodes
    order: Ints = field(repr=False)  # [K]  numbers of nodes, up to the goal
    curve: Curve = field(repr=False)  # [K]  if these nodes go
    metrics: Metrics  # of the whole order
    cost: float  # of all nodes up to the goal
    seconds: float  # that the method took
    source: Source

    @property
    def graph(self) -> Topology:
        return self.whole.graph

    @property
    def nodes(self) -> list[Any]:
        """The nodes up to the goal in order, by name."""
        return self.names_of(self.order)

    def names_of(self, nodes: Ints) -> list[Any]:
        """Return the names of nodes; without names, their numbers."""
        names = self.graph.names
        return [int(v) if names is None else names[v] for v in nodes]

    def row(self) -> dict[str, Any]:
        """Return the numbers of the method, as the summary has them."""
        pairs = int(self.curve.pairs[-1] if len(self.order) else self.whole.states.pairs[0])
        goal = {"nodes": len(self.order), "cost": self.cost, "pairs": pairs}
        numbers = {**goal, **asdict(self.metrics), "seconds": self.seconds}
        return {"method": self.method, **numbers, **asdict(self.source)}


def dismantle(
    graph: Any,
    method: str | Sequence[str] = "degree",
    goal: str | Mode = GOAL,
    cost: str | None = None,
    undirected: bool = False,
    seconds: float | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    workers: int = 1,
) -> list[Dismantling]:
    """Let methods order the nodes of a graph until the goal is reached.

    The graph is whatever `read_graph` takes. `seconds` is a limit for each method; those that can
    use more time (`best`, `+refine`) take all of it. With several `workers`, `best` refines as many
    orders at a time, each in a process.
    """
    topology = read_graph(graph, undirected, cost)
    mode = parse_goal(goal)
    names = _method_names(method)
    check_seed(seed)
    check_workers(workers)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {progress!r}; it must be a function of a number")
    if seconds is not None and not 0 < real_number(seconds, "the time limit") < math.inf:
        raise InputError(f"the time limit is {seconds}; it must be finite and more than 0 seconds")
    for name in names:
        warm_up(name)  # a wrong name or argument shows before any method works on the graph
    source = Source.of(topology, mode, seed)
    found = []
    for name in dict.fromkeys(names):
        found.append(_one(topology, name, mode, seconds, source, workers))
        if progress is not None:
            progress(1)
    return found


def _method_names(method: str | Sequence[str]) -> list[str]:
    """Return the methods of a list, or of text with commas."""
    try:
        words = [method] if isinstance(method, str) else list(method)
    except TypeError:
        raise InputError("a method is text, or a list of text") from None
    named = [part.strip() for word in words for part in plain_text(word, "a method").split(",")]
    if not any(named):
        raise InputError("no method is named; give at least one")
    return [name for name in named if name]


def _one(
    t: Topology, name: str, goal: Mode, seconds: float | None, source: Source, workers: int
) -> Dismantling:
    began = time.perf_counter()
    deadline = math.inf if seconds is None else began + seconds
    # Metrics count until L(k) / N < 0.01, so the order goes at least that far, whatever the goal.
    measured = max(1, math.ceil(t.n / 100) - 1)
    allowed = goal.allowed_size(t.n)
    stop = measured if allowed is None else min(measured, allowed)
    whole = make_order(Task(t, stop, source.seed, deadline, workers=workers), name)
    took = time.perf_counter() - began
    if allowed is not None:
        order = whole.until(pieces_up_to(allowed))
        curve = whole.curve.part(0, len(order))
    else:
        game = Games(np.ones((1, t.n), dtype=np.bool_), goal, t)
        order = whole.nodes[game.follow(whole.nodes[None].astype(np.int64))[0]]
        curve = curve_of(t.indptr, t.indices, order)
    cost = float(t.costs[order].sum())
    return Dismantling(name, whole, order, curve, metrics_of(whole), cost, took, source)


def parse_goal(goal: str | Mode) -> Mode:
    """Return the mode of a goal such as shatter:share=0.01, network or package.module:Name."""
    if isinstance(goal, Mode):
        return goal
    name, _, rest = plain_text(goal, "the goal").partition(":")
    if rest and name not in MODES:
        own, _, rest = rest.partition(":")
        name = f"{name}:{own}"
    options = parse_options(filter(None, rest.split(",")), GOAL)
    return get_mode(name, **options)


def write_results(folder: str | Path, found: Sequence[Dismantling]) -> None:
    """Write NAME.order.csv for every method, and summary.csv: all of them or none."""
    summary = io.StringIO()
    table = csv.DictWriter(summary, list(found[0].row()), lineterminator="\n")
    table.writeheader()
    table.writerows(one.row() for one in found)
    texts = [*map(order_table, found), summary.getvalue()]
    paths = result_paths(folder, [one.method for one in found])
    with new_folder(folder), whole_files(paths) as files:
        for file, text in zip(files, texts, strict=True):
            file.write(text.encode())


def result_paths(folder: str | Path, methods: Sequence[str]) -> list[Path]:
    """Return the files of the orders and of their summary."""
    names = [method.replace("/", "_") for method in methods]  # a method may name a file
    return [
        Path(folder) / name for name in (*(f"{name}.order.csv" for name in names), "summary.csv")
    ]


def order_table(one: Dismantling) -> str:
    """Return the whole order as CSV: each node with its cost and what is left after it.

    `goal` is 1 for the nodes that go until the goal is reached.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    nodes, curve = one.whole.nodes, one.whole.curve
    prices = [int(cost) if cost == int(cost) else float(cost) for cost in one.graph.costs[nodes]]
    columns = (curve.largest.tolist(), curve.second.tolist(), curve.pairs.tolist())
    goes = np.isin(nodes, one.order).astype(int).tolist()
    rows = zip(one.names_of(nodes), prices, *columns, goes, strict=True)
    for rank, row in enumerate(rows, 1):
        table.writerow([rank, *row])
    return text.getvalue()
