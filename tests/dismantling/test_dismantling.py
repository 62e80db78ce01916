"""Methods and their numbers, against components counted anew and against networkx."""

from __future__ import annotations

import csv
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from small_graphs import counted_anew, random_graph

import pinchpoint
from pinchpoint import InputError, from_networkx
from pinchpoint.cli.main import main
from pinchpoint.dismantling.methods import METHODS, make_order, warm_up, with_cheapest_ending
from pinchpoint.dismantling.run import dismantle
from pinchpoint.errors import PinchpointWarning
from pinchpoint.graph.box import load_network
from pinchpoint.graph.readers import read_graph
from pinchpoint.order import refine
from pinchpoint.order.methods import Method, Task, by_betweenness
from pinchpoint.order.metrics import metrics_of
from pinchpoint.order.orders import Order, curve_of
from pinchpoint.order.refine import area, refined_together


def nodes_of(task: Task, name: str) -> np.ndarray:
    """The nodes of a method up to where every piece is small."""
    return make_order(task, name).until(task.goal)


NOT_ALONE = ("best", "graph")  # a portfolio; and a network, which has tests of its own
NAMES = [*(name for name in METHODS if name not in NOT_ALONE), "ci:1", "betweenness:8:3"]


def test_orders_are_refined_in_processes_of_their_own(monkeypatch):
    monkeypatch.setattr(refine, "STARTING", 0.0)
    graph = from_networkx(nx.random_geometric_graph(200, 0.12, seed=3))
    orders = [nodes_of(Task(graph, 2), name) for name in ("degree", "corehd")]
    better = refined_together(graph, orders, 1, time.perf_counter() + 8)
    assert len(better) == 2
    for before, after in zip(orders, better, strict=True):
        assert metrics_of(Order.of(graph, after)).auc <= metrics_of(Order.of(graph, before)).auc
        assert len(set(after.tolist())) == len(after)
        largest = curve_of(graph.indptr, graph.indices, after).largest
        assert largest[-1] < 0.1 * graph.n <= largest[-2]
    alone = refined_together(graph, orders, 1, time.perf_counter() - 1)  # no time to start any
    assert len(alone) == 1


@pytest.mark.parametrize("name", [*NAMES, "degree+reinsert", "corehd+reinsert", "best"])
@pytest.mark.parametrize("seed", range(4))
def test_every_method_reaches_the_goal_and_not_later(name: str, seed: int) -> None:
    graph = random_graph(seed)
    t = replace(from_networkx(graph), costs=np.random.default_rng(seed).integers(1, 4, 40) / 2)
    limited = np.inf if name != "best" else time.perf_counter() + 0.3
    for stop in (1, 4):
        order = nodes_of(Task(t, stop, seed, limited), name).tolist()
        assert len(set(order)) == len(order)
        largest = [row[0] for row in counted_anew(graph, order)]
        assert largest[-1] <= stop
        assert all(size > stop for size in largest[:-1])


def test_refinement_makes_an_order_better_and_never_worse() -> None:
    t = from_networkx(random_graph(1, 60))
    for name in ("random", "degree", "corehd"):
        plain, finer = (area(make_order(Task(t, 1), each)) for each in (name, f"{name}+refine"))
        assert finer < plain if name == "random" else finer <= plain


@pytest.mark.parametrize("costly", [False, True])
def test_reinsertion_never_enlarges_the_area(costly: bool) -> None:
    kept = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        t = from_networkx(random_graph(seed, 30 + seed))
        if costly:
            t = replace(t, costs=rng.integers(1, 9, t.n).astype(np.float64))
        for name in ("random", "degree", "corehd", "betweenness"):
            plain, back = (
                make_order(Task(t, 1, seed), each) for each in (name, f"{name}+reinsert")
            )
            assert metrics_of(back).auc <= metrics_of(plain).auc
            assert area(back) <= area(plain)
            ends = (t.costs[each.until(Task(t, 1).goal)].sum() for each in (back, plain))
            kept += next(ends) < next(ends)
    assert kept > 10  # and saves nodes


@pytest.mark.parametrize("seed", range(3))
def test_best_makes_the_area_small_that_counts_costs(seed: int) -> None:
    graph = random_graph(seed, 60)
    costs = np.random.default_rng(seed).integers(1, 9, 60).astype(np.float64)
    t = replace(from_networkx(graph), costs=costs)
    best = make_order(Task(t, 1, seed, time.perf_counter() + 0.5), "best")
    for name in ("degree", "betweenness", "corehd", "ci:2"):
        order = make_order(Task(t, 1, seed), name)
        left, expected = graph.copy(), 0.0
        for node in order.nodes.tolist():
            met = max(map(len, nx.connected_components(left)))
            if met < 0.1 * len(graph):
                break
            expected += costs[node] * met / len(graph)
            left.remove_node(node)
        assert area(order) == pytest.approx(expected)
        assert area(best) <= area(order)


def test_names_costs_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = nx.relabel_nodes(nx.barabasi_albert_graph(60, 2, seed=3), lambda v: f"n {v}")
    nx.set_node_attributes(graph, {v: 1 + i % 3 for i, v in enumerate(graph)}, "price")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    out = tmp_path / "out"
    words = [str(tmp_path / "g.graphml"), "--method", "degree,ci:2+reinsert", "--cost", "price"]
    assert main(["dismantle", *words, "--out", str(out), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["method"] for row in rows] == ["degree", "ci:2+reinsert"]
    fingerprint = read_graph(tmp_path / "g.graphml", cost="price").fingerprint
    for row in rows:
        assert (row["graph_nodes"], row["graph_edges"]) == (60, graph.size())
        assert (row["graph_components"], row["graph"], row["seed"]) == (1, fingerprint, 0)
        with (out / f"{row['method']}.order.csv").open() as file:
            table = list(csv.DictReader(file))
        assert {line["node"] for line in table} == set(graph)
        assert list(table[0]) == ["rank", "node", "cost", "largest", "second", "pairs", "goal"]
        largest = np.array([int(line["largest"]) for line in table])
        assert row["r"] == pytest.approx(largest.sum() / 60 / 60)
        assert row["nodes_to_1"] == int((largest / 60 < 0.01).argmax()) + 1
        table = [line for line in table if line["goal"] == "1"]
        assert row["order"] == [line["node"] for line in table]
        assert len(table) == row["nodes"]
        assert sum(float(line["cost"]) for line in table) == row["cost"]
        assert all(graph.nodes[line["node"]]["price"] == int(line["cost"]) for line in table)
        left = graph.copy()
        left.remove_nodes_from(line["node"] for line in table)
        assert max(map(len, nx.connected_components(left))) == int(table[-1]["largest"]) <= 1
    assert (out / "summary.csv").read_text().count("\n") == 3
    assert (out / "curve.png").exists()
    assert (out / "curve.svg").exists()


def test_goals_other_than_shatter_end_their_game() -> None:
    graph = nx.grid_2d_graph(6, 6)
    (found,) = pinchpoint.dismantle(graph, "degree", goal="network")
    game = pinchpoint.Games(np.ones(36), "network", from_networkx(graph))
    for node in found.order.tolist():
        assert not game.done[0]
        game.play(node)
    assert game.done[0]
    assert found.nodes[0] in graph


@pytest.mark.parametrize(
    "graph",
    [
        nx.empty_graph(1),
        nx.empty_graph(5),
        nx.path_graph(2),
        nx.disjoint_union_all([nx.star_graph(5)] * 3),
    ],
)
def test_odd_graphs_are_fine(graph: nx.Graph) -> None:
    for name in [*NAMES, "degree+reinsert+refine", "best"]:
        (found,) = pinchpoint.dismantle(graph, name, goal="shatter:size=1")
        left = graph.copy()
        left.remove_nodes_from(found.nodes)
        assert left.number_of_edges() == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "magic"], "choose from random, degree"),
        (["--source", "a"], "go with flow; shatter has none"),
        (["--goal", "flow"], "flow on a graph needs nodes to part: --source and --target"),
        (["--method", "degree:3"], "takes nothing after a colon"),
        (["--method", "degree+magic"], "choose from reinsert, refine"),
        (["--method", "ci:x"], "no radius"),
        (["--method", "betweenness:0"], "sources"),
        (["--goal", "shatter:size=0"], "whole number from 1"),
        (
            ["--goal", "shatter:size"],
            "not of the form name=value; write shatter:share=0.01",
        ),
        (["--goal", "chess"], "no mode"),
        (["--goal", "shatter:size=2147483648"], "from 1 to 2,147,483,647"),
        (["--goal", "os:name"], "neither a Mode class nor a function"),
        (["--seconds", "0"], "more than 0 seconds"),
        (["--seconds", "-1"], "more than 0 seconds"),
        (["--seconds", "inf"], "must be finite"),
        (["--cost", "gold"], "no attribute 'gold'"),
    ],
)
def test_bad_input_is_one_sentence(words, message, tmp_path, capsys) -> None:
    nx.write_graphml(nx.path_graph(5), tmp_path / "g.graphml")
    assert main(["dismantle", str(tmp_path / "g.graphml"), *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["ieee-118", "water-net3", "tata"])
def test_refined_orders_end_about_as_soon_as_others(name: str) -> None:
    """Only the beginning is annealed; what follows must fit to it."""
    plain, refined = dismantle(load_network(name), ["corehd", "corehd+refine"])
    assert refined.metrics.auc < plain.metrics.auc
    assert len(refined.order) <= 1.1 * len(plain.order)


def test_an_end_is_the_cheapest_of_several_and_keeps_the_beginning() -> None:
    graph = load_network("ieee-300")
    whole = nodes_of(Task(graph, 3), "degree")
    beginning = whole[:20][::-1].copy()
    found = with_cheapest_ending(graph, beginning, whole, 3)
    assert found[:20].tolist() == beginning.tolist()
    assert len(found) <= len(whole)
    assert curve_of(graph.indptr, graph.indices, found).largest[-1] <= 3


@pytest.mark.parametrize("name", ["ieee-118", "ieee-300"])
def test_the_numbers_of_a_method_do_not_depend_on_the_goal(name: str) -> None:
    graph = load_network(name)
    goals = ("share=0.01", "share=0.012", "size=20", "share=1", "size=1")
    found = {
        goal: dismantle(graph, ["degree", "corehd", "betweenness:16"], goal)
        for goal in ("network", *(f"shatter:{options}" for options in goals))
    }
    usual = [each.metrics for each in found["shatter:share=0.01"]]
    for goal, each in found.items():
        # A method may go on where pieces have to be smaller than 1 %, and leaves less to the end.
        for one, metrics in zip(each, usual, strict=True):
            assert one.metrics.r <= metrics.r, goal
            assert replace(one.metrics, r=0) == replace(metrics, r=0), goal
    nothing = found["shatter:share=1"][0]
    assert len(nothing.order) == 0
    assert nothing.row()["pairs"] == graph.n * (graph.n - 1) // 2


@pytest.mark.parametrize(("n", "small"), [(199, 1), (200, 1), (201, 2), (300, 2)])
def test_a_method_itself_goes_below_one_percent(n: int, small: int) -> None:
    """Nodes that it left out would follow as they were read, which takes far longer."""
    assert small / n < 0.01 <= (small + 1) / n
    (usual,) = dismantle(nx.path_graph(n), "corehd")
    (own,) = dismantle(nx.path_graph(n), "corehd", f"shatter:size={small}")
    assert usual.metrics.nodes_to_1 == len(own.order) < 0.7 * n
    assert usual.curve.largest[-1] <= n // 100 < usual.curve.largest[-2]


@pytest.mark.parametrize(
    "name", ["betweenness", "betweenness:16", "pivots:16", "pivots:8:5", "ci:2"]
)
def test_a_clock_changes_no_order(name: str) -> None:
    graphs = [
        nx.random_geometric_graph(150, 0.12, seed=4),
        nx.barabasi_albert_graph(200, 2, seed=1),
    ]
    for graph in map(from_networkx, graphs):
        with_a_clock = nodes_of(Task(graph, 2, deadline=time.perf_counter() + 1000), name)
        without = nodes_of(Task(graph, 2), name)
        assert with_a_clock.tolist() == without.tolist()


def test_a_method_that_runs_out_of_time_is_followed_by_degree_and_says_so() -> None:
    graph = from_networkx(nx.random_geometric_graph(150, 0.12, seed=4))
    for name in ("betweenness", "pivots:16"):
        with pytest.warns(PinchpointWarning, match="time was up after 0 of"):
            late = nodes_of(Task(graph, 2, deadline=time.perf_counter()), name)
        assert late.tolist() == nodes_of(Task(graph, 2), "degree").tolist()


def test_betweenness_looks_at_the_clock_however_long_a_removal_takes() -> None:
    graph = from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(40, 45)))
    warm_up("betweenness")
    found = by_betweenness(Task(graph, 18, 0, time.perf_counter() + 0.2, (0, 1)))
    assert len(found) < 25  # each takes about 0.1 seconds


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("degree+polish", "there is no 'polish' to add; choose from reinsert"),
        ("ci:x", "ci has no radius 'x'"),
        ("pivots:0", "pivots takes sources and a batch"),
        ("graph:missing.safetensors", "missing"),
    ],
)
def test_wrong_words_show_before_any_method_works(wrong: str, message: str) -> None:
    seen: list[int] = []
    with pytest.raises(InputError, match=message):
        dismantle(load_network("karate"), ["degree", wrong], progress=seen.append)
    assert not seen


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ([0.5, 2.7, 1.2], "an order is a list of node numbers"),
        ([[0], [1, 2]], "an order is a list of node numbers"),
        (None, "an order is a list of node numbers"),
        ([99], "an order names node 99; nodes are 0 to 4"),
        ([-1], "an order names node -1; nodes are 0 to 4"),
        ([0, 3, 0], "an order names a node twice"),
    ],
)
def test_what_a_method_of_ones_own_returns_is_checked(
    monkeypatch: pytest.MonkeyPatch, returned: Any, message: str
) -> None:
    own = Method(lambda task: returned, "", "", "")
    monkeypatch.setitem(METHODS, "own", own)
    with pytest.raises(InputError):
        make_order(Task(from_networkx(nx.path_graph(5)), 1), "own")


@pytest.mark.parametrize("taken", ["degree.order.csv", "summary.csv", "curve.svg"])
def test_results_are_written_together_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], taken: str
) -> None:
    (tmp_path / taken).mkdir()
    words = ["dismantle", "network:karate", "--method", "random,degree", "--out", str(tmp_path)]
    assert main(words) == 2
    assert f"{taken}: it is a folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [taken]


@pytest.mark.parametrize("problem", ["no folder", "not allowed"])
def test_a_folder_that_cannot_be_written_shows_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any, problem: str
) -> None:
    def work(*given: object, **more: object) -> None:
        raise AssertionError("a method has worked for nothing")

    monkeypatch.setattr("pinchpoint.dismantling.run.dismantle", work)
    out = tmp_path
    if problem == "no folder":
        (tmp_path / "file").touch()
        out = tmp_path / "file" / "out"
    else:
        monkeypatch.setattr("pinchpoint.files.os.access", lambda *given: False)
    assert main(["dismantle", "network:karate", "--out", str(out)]) == 2
    assert f"cannot write {'to ' * (out != tmp_path)}{out}" in capsys.readouterr().err


def test_a_folder_that_was_made_is_removed_after_a_mistake(tmp_path: Path) -> None:
    words = ["dismantle", "network:karate", "--cost", "gold", "--out", str(tmp_path / "a" / "b")]
    assert main(words) == 2
    assert not list(tmp_path.iterdir())


def test_a_goal_may_be_a_mode_of_ones_own(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "own_goal.py").write_text(
        "from dataclasses import dataclass\n"
        "from pinchpoint.game.modes.base import ComponentMode\n"
        "@dataclass(frozen=True)\n"
        "class Heavy(ComponentMode):\n"
        "    name = 'heavy'\n"
        "    description = 'Large pieces are active.'\n"
        "    limit: int = 6\n"
        "    def is_active(self, component):\n"
        "        return component.size > self.limit\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for goal, size in (("own_goal:Heavy", 6), ("own_goal:Heavy:limit=3", 3)):
        (own,) = dismantle(load_network("karate"), "degree", goal)
        (ours,) = dismantle(load_network("karate"), "degree", f"shatter:size={size}")
        # Nodes of quiet pieces cannot be attacked, so the game may pass over some.
        assert own.curve.largest[-1] <= size
        assert set(own.nodes) <= set(ours.nodes)


def test_the_table_has_its_columns_under_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dismantle", "network:karate", "--method", "ci"]) == 0
    head, row, source = capsys.readouterr().out.splitlines()
    assert len(head) == len(row)
    graph = load_network("karate")
    assert graph.fingerprint in source
    assert "goal shatter:share=0.01, seed 0" in source
    assert "34 nodes, 78 edges, components: 1" in source


def test_orders_with_one_file_name_are_refused_before_they_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pinchpoint.dismantling.run import write_results

    out = tmp_path / "new" / "out"
    words = ["dismantle", "network:karate", "--method", "graph:a/b,graph:a_b", "--out", str(out)]
    assert main(words) == 2
    assert "two files would be written" in capsys.readouterr().err
    found = pinchpoint.dismantle(nx.path_graph(9), ["degree", "random"])
    found[1] = replace(found[1], method="degree")
    with pytest.raises(InputError):
        write_results(out, found)
    assert not (tmp_path / "new").exists()
