"""Graph files: what comes out of each format, and what bad files are told."""

from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from chokepoint.errors import InputError
from chokepoint.graph import READERS, Topology, is_graph_file, read_graph


def named_edges(topology: Topology) -> set[frozenset[Any]]:
    assert topology.names is not None
    return {frozenset(topology.names[v] for v in edge) for edge in topology.edges()}


def write_edges(graph: nx.Graph, path: Path) -> None:
    nx.write_edgelist(graph, path, data=False)


WRITERS = {
    ".edges": write_edges,
    ".edgelist": write_edges,
    ".txt": write_edges,
    ".graphml": nx.write_graphml,
    ".gml": nx.write_gml,
}


@pytest.mark.parametrize("ending", READERS)
def test_names_and_edges_come_out_as_they_went_in(ending: str, tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.karate_club_graph(), lambda v: f"member-{v}")
    path = tmp_path / f"karate{ending}"
    WRITERS[ending](nx.Graph(graph.edges), path)
    topology = read_graph(path)
    assert is_graph_file(path)
    assert topology.n == 34
    assert named_edges(topology) == {frozenset(edge) for edge in graph.edges}


def test_edge_lists_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "some.edges"
    path.write_text("# a comment\n% and another\n\nα β\nβ,γ\n γ\tδ \nβ, α\nγ γ\n")
    topology = read_graph(path)
    assert topology.names == ("α", "β", "γ", "δ")
    assert topology.edges().tolist() == [[0, 1], [1, 2], [2, 3]]


def test_gml_without_labels_is_named_by_its_ids(tmp_path: Path) -> None:
    path = tmp_path / "ids.gml"
    path.write_text("graph [ node [ id 7 ] node [ id 9 ] edge [ source 7 target 9 ] ]")
    assert read_graph(path).names == (7, 9)


def test_graphs_and_boards_are_told_apart(tmp_path: Path) -> None:
    for text, is_graph in (("o#\n#o\n", False), ("##\n", False), ("a b\n", True), ("", False)):
        (tmp_path / "file.txt").write_text(text)
        assert is_graph_file(tmp_path / "file.txt") is is_graph
    assert not is_graph_file(tmp_path / "boards.npz")
    assert not is_graph_file(tmp_path / "missing.txt")
    assert is_graph_file(tmp_path / "missing.edges")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.edges", "a b\n\nc\n", "line 3, has 1 columns"),
        ("x.edges", "a b\nb c 0.5\n", "line 2, has 3 columns"),
        ("x.edges", "a,\n", "line 1, has 2 columns"),
        ("x.edges", "# nothing\n", "holds no edge"),
        ("x.graphml", "<graphml>\n<graph>\n</graphml>", "line 3, is no GraphML"),
        ("x.graphml", "<html/>", "is no GraphML"),
        ("x.gml", "graph [\n node [ id 0 label", "line 3, is no GML"),
        ("x.gml", 'graph [ directed 1 node [ id 0 label "a" ] ]', "is directed"),
        ("x.gml", "graph [ ]", "0 nodes"),
        ("x.board", "a b", "is no graph file; graphs end in .edges"),
    ],
)
def test_bad_files_get_one_clear_sentence(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_graph(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_graph(tmp_path / "missing.edges")
    (tmp_path / "binary.edges").write_bytes(b"\xff\xfe\x00 \x80")
    with pytest.raises(InputError, match="not a text file"):
        read_graph(tmp_path / "binary.edges")
