"""Networks in place of boards: the same rows, beside par, and the games replay."""

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from chokepoint import load_network
from chokepoint.cli import main
from chokepoint.game import read_records, replay


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
    assert records[0].graph["fingerprint"] == load_network("karate").fingerprint
    pair = ["compare", "degree", "random", "--mode", "shatter", "--networks", "network:karate"]
    assert main([*pair, "--jobs", "1"]) == 0
    assert "degree" in capsys.readouterr().out


def test_a_network_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "degree", "--modes", "shatter", "--networks", "network:nowhere"]
    assert main(["evaluate", *words]) == 2
    assert "choose from gb-grid" in capsys.readouterr().err


def test_directed_networks_are_compared_if_told(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "ring.graphml"
    nx.write_graphml(nx.cycle_graph(12, create_using=nx.DiGraph), path)
    words = ["compare", "degree", "random", "--mode", "shatter", "--jobs", "1"]
    words += ["--networks", str(path)]
    assert main(words) == 2
    assert "give --undirected" in capsys.readouterr().err
    assert main([*words, "--undirected"]) == 0
