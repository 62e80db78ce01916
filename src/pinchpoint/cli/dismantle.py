"""Take a network apart: in which order should its nodes go?

pinchpoint dismantle network.graphml --method degree,corehd+reinsert --out results
pinchpoint dismantle roads.edges --method betweenness:64 --goal shatter:size=50 --json
pinchpoint dismantle network:gb-grid --method best --seconds 60 --workers 2

Methods: random, degree, kcore, pagerank, ci:RADIUS, corehd, spectral, articulation, betweenness,
betweenness:SOURCES, pivots:SOURCES, graph (learned; graph:FILE for an agent of your own), best; any
of them followed by +reinsert and +refine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from pinchpoint.cli.arguments import parse_list
from pinchpoint.cli.progress import bar, timed_bar
from pinchpoint.cli.source import OnGraph
from pinchpoint.errors import InputError
from pinchpoint.files import check_names, new_folder

if TYPE_CHECKING:
    from pinchpoint.dismantling.run import Dismantling
    from pinchpoint.game.modes.base import Mode


@dataclass(frozen=True)
class Options(OnGraph):
    graph: Annotated[str, tyro.conf.Positional]
    """A graph file (.edges, .csv, .graphml, .gml, .net, .adjlist, .mtx, .json, or .gz of them), -
    for standard input, FORMAT:FILE or FORMAT:- to say the format (adjlist:-), or network:NAME for a
    network in the box."""
    method: tuple[str, ...] = ("degree",)
    """Methods, as separate words or with commas: degree corehd+reinsert betweenness:64."""
    goal: str = "shatter:share=0.01"
    """When the network is apart: shatter:share=0.01, shatter:size=20, network, flow (with --source
    and --target), or a mode of your own as package.module:Name."""
    seconds: float | None = None
    """Time limit for each method; best and +refine use all of it."""
    workers: int = 1
    """Processes in which best refines orders, a different one in each."""
    seed: int = 0
    """The same seed gives the same orders, if the time is not what ends them."""
    out: Path | None = None
    """Folder for NAME.order.csv of each method, summary.csv, curve.png and curve.svg."""
    json: bool = False
    """Print one JSON object for each method, with the names of the nodes in order."""


def run(options: Options) -> None:
    from pinchpoint.dismantling.run import parse_goal, write_results

    goal = parse_goal(options.goal)
    options.check_terminals([goal])
    methods = parse_list(options.method, "method")
    with _folder(options.out, methods):  # one that cannot be made shows before the work
        found = _found(options, methods, goal)
        if options.out is not None:
            for picture in _pictures(options.out):  # those of other results
                picture.unlink(missing_ok=True)
            write_results(options.out, found)
            _draw(options.out, found)
    if options.json:
        for one in found:
            print(json.dumps({**one.row(), "order": one.nodes}, default=str))
    else:
        _print_table(found)


def _folder(out: Path | None, methods: Sequence[str]) -> AbstractContextManager[None]:
    """Check that all results can be written, and return what makes their folder."""
    from pinchpoint.dismantling.run import result_paths

    if out is None:
        return nullcontext()
    if out.exists() and not out.is_dir():
        raise InputError(f"cannot write to {out}: it is a file; name a folder")
    check_names([*result_paths(out, methods), *_pictures(out)])
    return new_folder(out)


def _pictures(out: Path) -> list[Path]:
    return [out / "curve.png", out / "curve.svg"]


def _found(options: Options, methods: Sequence[str], goal: Mode) -> list[Dismantling]:
    """Read the graph and let the methods work, with a bar."""
    from pinchpoint.dismantling.run import dismantle
    from pinchpoint.graph.readers import read_graph

    steps = "dismantling", len(methods)
    limited = options.seconds is not None and options.seconds > 0
    with timed_bar(*steps, options.seconds or 0.0) if limited else bar(*steps) as advance:
        graph = read_graph(options.graph, options.undirected, options.cost)
        return dismantle(
            graph,
            methods,
            options.parting(goal, graph, options.graph),
            seconds=options.seconds,
            seed=options.seed,
            progress=advance,
            workers=options.workers,
        )


def _print_table(found: Sequence[Dismantling]) -> None:
    width = max(len("method"), *(len(one.method) for one in found))
    print(f"{'method':{width}}  nodes      cost     AUC       R  to 10 %   to 1 %  seconds")
    for one in found:
        m = one.metrics
        print(
            f"{one.method:{width}}  {len(one.order):5}  {one.cost:8.7g}  {m.auc:6.4g}  {m.r:6.4f}  "
            f"{m.nodes_to_10:7}  {m.nodes_to_1:7}  {one.seconds:7.2f}"
        )
    s = found[0].source
    print(
        f"goal {s.goal}, seed {s.seed}, pinchpoint {s.version}; graph {s.graph}: "
        f"{s.graph_nodes:,} nodes, {s.graph_edges:,} edges, components: {s.graph_components:,}"
    )


def _draw(out: Path, found: Sequence[Dismantling]) -> None:
    """Draw the curves, where matplotlib is installed."""
    try:
        from pinchpoint.paper.figures.dismantling import dismantling_curves
    except ImportError:
        return
    dismantling_curves(found, out)
