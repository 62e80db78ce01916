"""Graph files that hold more, or promise more, than they should."""

from __future__ import annotations

import gzip
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fuzz import peak_memory

from pinchpoint import files
from pinchpoint.cli.main import main
from pinchpoint.errors import InputError
from pinchpoint.graph import readers
from pinchpoint.graph.readers import is_graph_file, read_graph

MATRIX = "%%MatrixMarket matrix"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.net", "*Vertices 999999999\n*Edges\n1 2\n"),
        ("a.net", "*Vertices 5000000\n"),
        ("a.mtx", f"{MATRIX} coordinate pattern symmetric\n999999999 999999999 1\n2 1\n"),
        ("a.mtx", f"{MATRIX} coordinate real general\n5 5 999999999\n2 1 1\n"),
        ("a.mtx", f"{MATRIX} array real general\n30000 30000\n1\n"),
        ("a.mtx", f"{MATRIX} array real symmetric\n{'9' * 400} {'9' * 400}\n1\n"),
    ],
)
def test_sizes_that_a_file_cannot_hold_take_no_memory(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    before = peak_memory()
    with pytest.raises(InputError):
        read_graph(tmp_path / name)
    assert peak_memory() - before < 50


@pytest.mark.parametrize("ending", ["edges", "gml"])
def test_a_compressed_file_that_unpacks_to_too_much(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MAX_FILE", 10**6)
    path = tmp_path / f"bomb.{ending}.gz"
    path.write_bytes(gzip.compress(b"1 2\n" * 10**6))  # to 4 MB, about a thousand times its size
    with pytest.raises(InputError):
        read_graph(path)
    monkeypatch.setattr(readers, "MOST_PACKED", 2000)
    if ending == "edges":
        with pytest.warns(match="double edge"):
            assert read_graph(path).n == 2


@pytest.mark.parametrize("damage", [b"\0", b"\xff\0\0\0", b"'", b"\x7f\0"])
def test_a_damaged_matrix_does_not_end_the_process(damage: bytes, tmp_path: Path) -> None:
    whole = f"{MATRIX} coordinate integer symmetric\n4 4 3\n2 1 1\n3 2 1\n4 3 1\n".encode()
    for place in range(len(whole)):
        for data in (whole[:place] + damage + whole[place:], whole[:place] + damage):
            (tmp_path / "a.mtx").write_bytes(data)
            with suppress(InputError):
                assert read_graph(tmp_path / "a.mtx").n <= 4


def test_entities_of_xml_are_not_multiplied(tmp_path: Path) -> None:
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
    )
    (tmp_path / "a.graphml").write_text(
        f"<?xml version='1.0'?><!DOCTYPE graphml [{entities}]><graphml>&j;</graphml>"
    )
    before = peak_memory()
    with pytest.raises(InputError):
        read_graph(tmp_path / "a.graphml")
    assert peak_memory() - before < 50


def test_names_nested_without_end(tmp_path: Path) -> None:
    for depth in (300, 900, 5000):
        name = "[" * depth + "]" * depth
        (tmp_path / "a.json").write_text(f'{{"nodes": [{{"id": {name}}}], "links": []}}')
        with suppress(InputError):  # and no RecursionError
            read_graph(tmp_path / "a.json")


def test_numbers_of_hundreds_of_digits(tmp_path: Path) -> None:
    nodes = [{"id": 1, "x": 10**400, "y": 1, "price": 10**400}]
    (tmp_path / "a.json").write_text(json.dumps({"nodes": nodes, "links": []}))
    assert read_graph(tmp_path / "a.json").positions is None
    with pytest.raises(InputError):
        read_graph(tmp_path / "a.json", cost="price")


def test_costs_from_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.edges").write_text("a b\n")
    (tmp_path / "costs").write_bytes(b"a \xff\nb 1\n")
    for cost in (str(tmp_path / "costs"), "/dev/zero", "x" * 5000, "a\0b", str(tmp_path)):
        with pytest.raises(InputError):
            read_graph(tmp_path / "a.edges", cost=cost)


def test_a_look_at_a_file_waits_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Whether a .txt file holds boards or a graph is seen in its first line."""
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "endless.txt").symlink_to("/dev/zero")
    assert not is_graph_file(tmp_path / "pipe.txt")
    assert not is_graph_file(tmp_path / "endless.txt")
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    monkeypatch.setattr("pinchpoint.game.boards.MAX_FILE", 10**6)
    for name, problem in (("pipe.txt", "nothing came"), ("endless.txt", "too large")):
        assert main(["solve", str(tmp_path / name), "--mode", "network"]) == 2
        assert problem in capsys.readouterr().err
    (tmp_path / "long.txt").write_bytes(b"x" * 10**6)  # one line
    assert not is_graph_file(tmp_path / "long.txt")


def test_names_of_nodes_tell_a_terminal_nothing(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "a.json"
    nodes = [{"id": f"\x1b[2J{i}"} for i in range(4)]
    links = [{"source": nodes[i]["id"], "target": nodes[i + 1]["id"]} for i in range(3)]
    path.write_text(json.dumps({"nodes": nodes, "links": links}))
    assert main(["solve", str(path), "--mode", "shatter", "--rule", "size=2"]) == 0
    told = capsys.readouterr().out
    assert "\\x1b[2J" in told
    assert "\x1b" not in told
