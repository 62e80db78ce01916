"""Networks in place of boards: the same rows, beside par, and the games replay."""

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from pinchpoint import Games, get_agent, load_network, play_out, read_graph
from pinchpoint.cli.main import main
from pinchpoint.game.record import read_records, replay
from pinchpoint.study.rows import read_rows
from pinchpoint.study.summary import compare, summarise


def test_agents_play_networks_beside_par(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    words = [
        "--agents",
        "degree",
        "corehd",
        "--modes",
        "shatter",
        "--rule",
        "size=4",
        "--jobs",
        "1",
    ]
    words += ["--networks", "network:karate", "network:germany-50", "--json"]
    out, games = tmp_path / "out", tmp_path / "games.jsonl"
    assert main(["evaluate", *words, "--out", str(out), "--records", str(games)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["size"] for row in rows} == {"network:karate", "network:germany-50"}
    assert all(row["mean"] >= row["par"] > 0 for row in rows)
    records = read_records(games)
    assert len(records) == 4
    for record in records:
        assert replay(record).done.all()
    assert records[0].boards.topology.fingerprint == load_network("karate").fingerprint
    pair = ["compare", "degree", "random", "--mode", "shatter", "--networks", "network:karate"]
    assert main([*pair, "--jobs", "1"]) == 0
    assert "degree" in capsys.readouterr().out


def test_a_network_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "degree", "--modes", "shatter", "--networks", "network:nowhere"]
    assert main(["evaluate", *words]) == 2
    assert "choose from gb-grid" in capsys.readouterr().err


def test_flow_parts_nodes_of_a_network_by_name(tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("pandas")
    graph = load_network("germany-50")
    ends = ["--source", "Kiel", "--target", "Muenchen", "Konstanz"]
    words = ["--agents", "optimal", "degree", "--modes", "flow", "shatter", "--jobs", "1"]
    words += ["--networks", "network:germany-50", "--json", *ends]
    assert main(["evaluate", *words, "--out", str(tmp_path / "out")]) == 0
    rows = {
        (row["mode"], row["agent"]): row
        for row in map(json.loads, capsys.readouterr().out.splitlines())
    }
    whole = nx.Graph([(graph.names[a], graph.names[b]) for a, b in graph.edges()])
    whole.add_edges_from([("source", "Kiel"), ("Muenchen", "target"), ("Konstanz", "target")])
    fewest = len(nx.minimum_node_cut(whole, "source", "target"))
    assert rows["flow", "optimal"]["mean"] == fewest <= rows["flow", "degree"]["mean"]
    assert rows["shatter", "optimal"]["mean"] > fewest

    words = ["network:germany-50", "--method", "degree", "--goal", "flow", *ends]
    assert main(["dismantle", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] >= fewest


def test_directed_networks_are_compared_if_told(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "ring.graphml"
    nx.write_graphml(nx.cycle_graph(12, create_using=nx.DiGraph), path)
    words = ["compare", "degree", "random", "--mode", "shatter", "--jobs", "1"]
    words += ["--networks", str(path)]
    assert main(words) == 2
    assert "give --undirected" in capsys.readouterr().err
    assert main([*words, "--undirected"]) == 0


def priced_town(folder: Path) -> Path:
    """Write a network whose nodes have names with blanks, and prices that binary cannot hold."""
    town = nx.connected_watts_strogatz_graph(24, 4, 0.2, seed=1)
    for node in town:
        town.nodes[node].update(price=(0.1, 0.2, 0.3, 1.5, 4)[node % 5], zero=0)
    path = folder / "town.graphml"
    nx.write_graphml(nx.relabel_nodes(town, lambda node: f"Station {node}"), path)
    return path


def test_scores_of_networks_with_costs_are_sums_of_costs(tmp_path: Path, capsys: Any) -> None:
    town, out, games = priced_town(tmp_path), tmp_path / "out", tmp_path / "games.jsonl"
    words = ["--agents", "degree", "corehd", "random", "optimal", "--modes", "shatter"]
    words += ["--networks", str(town), "network:karate", "--jobs", "1"]
    words += ["--rule", "size=4", "--out", str(out)]
    assert main(["evaluate", *words, "--cost", "price"]) == 2  # karate has no such attribute
    assert "no attribute 'price'" in capsys.readouterr().err
    words.remove("network:karate")
    words += ["--records", str(games), "--par-work", "0.2"]
    assert main(["evaluate", *words, "--cost", "price"]) == 0
    rows = read_rows(out)
    prices = read_graph(town, cost="price").costs
    for record, score in zip(read_records(games), rows["score"], strict=True):
        assert score == pytest.approx(sum(prices[move] for move in record.moves), abs=1e-9)
        assert replay(record).scores[0] == pytest.approx(score, abs=1e-9)
    assert (rows["score"] != rows["steps"]).all()
    optimal = rows[rows["agent"] == "optimal"].iloc[0]
    assert rows["score"].min() == optimal["par"] >= optimal["bound"] > 0
    assert optimal["score"] == optimal["par"]
    summary = summarise(rows).set_index("agent")
    for row in rows.itertuples():
        assert summary.loc[row.agent, "mean"] == summary.loc[row.agent, "worst"] == row.score
        assert summary.loc[row.agent, "ratio"] == pytest.approx(row.score / row.par)
        assert summary.loc[row.agent, "at_par"] == (row.score == row.par)
    found = compare(rows, "degree", "random")
    by = rows.set_index("agent")["score"]
    assert found.difference.value == pytest.approx(by["degree"] - by["random"])
    assert found.costs
    assert "degree costs" in found.sentence()
    assert "less" in found.sentence()
    assert main(["compare", "degree", "random", "--mode", "shatter", "--results", str(out)]) == 0
    assert "degree costs" in capsys.readouterr().out


def test_costs_of_a_file_decide_who_is_better(tmp_path: Path, capsys: Any) -> None:
    costs = tmp_path / "costs.csv"
    costs.write_text("".join(f"{node},{1 + node % 3}\n" for node in range(34)))
    words = ["compare", "degree", "random", "--mode", "shatter", "--jobs", "1", "--json"]
    words += ["--networks", "network:karate", "--cost", str(costs)]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["costs"] is True


def test_the_file_of_a_network_may_have_a_comma_in_its_name(tmp_path: Path) -> None:
    name = tmp_path / "town, old.edges"
    name.write_text("a b\nb c\n")
    words = ["evaluate", "--agents", "degree", "--modes", "network", "--jobs", "1"]
    several = ["--networks", str(name), f"edges:{name}"]
    for number, given in enumerate((several, ["--boards", str(name)])):
        out = tmp_path / str(number)
        assert main([*words, *given, "--out", str(out)]) == 0
        assert set(read_rows(out)["size"]) <= {str(name), f"edges:{name}"}


def test_rows_without_costs_have_no_score(tmp_path: Path) -> None:
    words = ["--agents", "degree", "random", "--modes", "flow", "--size", "5", "--p", "0.8"]
    out = tmp_path / "out"
    assert main(["evaluate", *words, "--games", "3", "--jobs", "1", "--out", str(out)]) == 0
    rows = read_rows(out)
    assert "score" not in rows
    assert str(rows["par"].dtype) == "Int64"
    assert not compare(rows, "degree", "random").costs
    assert list(summarise(rows)["mean"]) == list(rows.groupby("agent")["steps"].mean())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--networks", "town.graphml", "--cost", "prize"], "no attribute 'prize'"),
        (["--networks", "town.graphml", "--cost", "zero"], "a cost is a number greater than 0"),
        (["--cost", "price"], "--cost goes with a graph"),
        (["--source", "a"], "--source and --target go with flow"),
        (["--modes", "flow", "--source", "a", "--target", "b"], "--source goes with a graph"),
        (["--modes", "flow", "--networks", "town.graphml"], "needs nodes to part: --source and"),
        (
            ["--modes", "flow", "--networks", "town.graphml", "--source", "a", "--target", "moon"],
            "has no node",
        ),
        (["--undirected"], "--undirected goes with a graph"),
        (["--networks", "town.graphml", "--periodic", "both"], "--periodic goes with boards"),
        (["--networks", "town.graphml", "--games", "3"], "--games goes with boards"),
        (["--networks", "town.graphml", "--p", "0.5"], "--p goes with boards"),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_options_that_do_not_fit_networks_are_one_sentence(
    tmp_path: Path,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    words: list[str],
    problem: str,
) -> None:
    priced_town(tmp_path)
    monkeypatch.chdir(tmp_path)
    start = ["evaluate", "--agents", "degree", "--modes", "shatter"]
    if command == "compare":
        start = ["compare", "degree", "random", "--mode", "shatter"]
        words = ["--mode" if word == "--modes" else word for word in words]
    assert main([*start, *words]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["town.graphml"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--agents", "degree", "network"], "agent 'network' plays lattices only"),
        (["--agents", "degree", "prune:flow"], "agent 'flow' plays lattices only"),
        (["--agents", "degree", "search:2:flow"], "agent 'flow' plays lattices only"),
        (["--agents", "degree", "--backend", "cloud"], "there is no backend 'cloud'"),
        (["--agents", "degree", "--records", "nowhere/games.jsonl"], "there is no folder nowhere"),
        (["--agents", "degree", "--records", "out/rows.csv"], "two files would be written"),
        (["--agents", "degree", "--records", "taken"], "cannot write taken: it is a folder"),
        (["--agents", "degree", "--out", "file/out"], "file: it is not a folder"),
    ],
)
def test_an_evaluation_that_fails_leaves_nothing(
    tmp_path: Path,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("mine")
    start = ["--modes", "shatter", "--networks", "network:karate", "--jobs", "1", "--out", "out"]
    assert main(["evaluate", *start, *words]) == 2
    assert problem in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "taken"]


def test_tables_are_written_together_or_not_at_all(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out" / "summary.csv").mkdir(parents=True)
    words = ["--agents", "degree", "--modes", "shatter", "--networks", "network:karate"]
    assert main(["evaluate", *words, "--jobs", "1", "--out", "out"]) == 2
    assert "summary.csv: it is a folder" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["summary.csv"]


def test_search_plays_every_mode_on_a_graph() -> None:
    pytest.importorskip("torch")
    topology = load_network("karate")
    for mode in ("network", "shatter", "noodle"):
        games = Games(np.ones((1, topology.n)), mode, topology)
        play_out(get_agent("search:2"), games)
        assert games.done.all()
