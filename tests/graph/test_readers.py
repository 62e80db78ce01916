"""Graph files: what comes out of each format, and what bad files are told."""

import gzip
import io
import json
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.graph.readers import READERS, is_graph_file, names_columns, read_graph
from pinchpoint.graph.topology import Topology


def named_edges(topology: Topology) -> set[frozenset[Any]]:
    assert topology.names is not None
    return {frozenset(topology.names[v] for v in edge) for edge in topology.edges()}


def write_edges(graph: nx.Graph, path: Path) -> None:
    nx.write_edgelist(graph, path, data=False)


def write_matrix(graph: nx.Graph, path: Path) -> None:
    scipy.io.mmwrite(path, nx.to_scipy_sparse_array(graph))


def write_json(graph: nx.Graph, path: Path) -> None:
    path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))


WRITERS = {
    **dict.fromkeys((".edges", ".edgelist", ".txt", ".csv", ".tsv"), write_edges),
    **dict.fromkeys((".adjlist", ".adj"), nx.write_adjlist),
    ".graphml": nx.write_graphml,
    ".gml": nx.write_gml,
    **dict.fromkeys((".net", ".paj"), nx.write_pajek),
    ".mtx": write_matrix,
    ".json": write_json,
}


GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    "{}</graph></graphml>"
)


@pytest.mark.parametrize("ending", [e for e in READERS if e != ".mtx"])  # has no names
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
    with pytest.warns(PinchpointWarning, match="1 self-loop and 1 double edge were left out"):
        topology = read_graph(path)
    assert topology.names == ("α", "β", "γ", "δ")
    assert topology.edges().tolist() == [[0, 1], [1, 2], [2, 3]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New York,Los Angeles,3\nLos Angeles, San José\n", "New York-Los Angeles-San José"),
        ("New York\tLos Angeles\nLos Angeles\t\tSan José\n", "New York-Los Angeles-San José"),
        ("New York ; b\nb;c c\n", "New York-b-c c"),
        ('"Paris, FR",b,2\nb,"c d"\n', "Paris, FR-b-c d"),
        ('"Paris FR" b\nb "c d"\n', "Paris FR-b-c d"),
        ("\ufeffa b\nb c\n", "a-b-c"),
        ("a b\rb c\r", "a-b-c"),
        ("1 2,3\n3,4 5\n", "1 2-3-4 5"),  # numbers too
        ("1\t2 7\n2 7\t3\n", "1-2 7-3"),
        ("1\t2,7\n2,7\t3\n", "1-2,7-3"),
        ("1, 2\n2 ,3\n", "1-2-3"),
        ("a,b\nsource,target\nb,target\n", None),  # a heading is the first line
        ("source,target\nb,target\n", None),  # and is not named again
    ],
)
def test_names_in_edge_lists(text: str, expected: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    found = read_graph(path)
    if expected is None:
        assert "source" in (found.names or ())
    else:
        way = expected.split("-")
        assert named_edges(found) == {frozenset(edge) for edge in pairwise(way)}


def test_a_heading_is_said_and_is_no_edge(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Source,Target,Weight\na,b,1\nb,c,2\n")
    with pytest.warns(PinchpointWarning, match="Source and Target, was taken for a heading"):
        found = read_graph(path)
    assert found.names == ("a", "b", "c")
    assert len(found.edges()) == 2


def test_pajek_sections_are_known_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.net"
    path.write_text(
        "*Network x\n*Vertices 2\n1 a\n2 b\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\n"
    )
    assert named_edges(read_graph(path)) == {frozenset("ab")}
    for section in ("*Matrix", "*Edge"):
        path.write_text(f"*Vertices 2\n{section}\n0 1\n1 0\n")
        with pytest.raises(InputError):
            read_graph(path)


def test_a_graph_that_was_read_takes_costs_from_a_file(tmp_path: Path) -> None:
    graph = read_graph(Path("network:karate"))
    lines = ["# of the members", "node,cost"]
    lines += [f"{name},{i + 1}" for i, name in enumerate(graph.names or ())]
    costs = tmp_path / "costs.csv"
    costs.write_text("\n".join(lines))
    assert read_graph(graph, cost=str(costs)).costs.tolist() == list(range(1, 35))
    assert read_graph("network:karate", cost=str(costs)).costs.tolist() == list(range(1, 35))
    with pytest.raises(InputError):
        read_graph(graph, cost="price")
    costs.write_text("\n".join([*lines, lines[-1]]))
    with pytest.raises(InputError):
        read_graph(graph, cost=str(costs))


def test_gml_may_hold_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "towns.gml"
    path.write_text(
        'graph [ node [ id 1 label "Łódź" ] node [ id 2 label "Zo&#235;" ] '
        "edge [ source 1 target 2 ] ]"
    )
    assert read_graph(path).names == ("Łódź", "Zoë")


@pytest.mark.parametrize("ending", [".csv", ".adjlist", ".net", ".gml"])
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_other_encodings_than_utf_8_are_told(tmp_path: Path, ending: str, encoding: str) -> None:
    path = tmp_path / f"towns{ending}"
    path.write_bytes("Zoë b\n".encode(encoding))
    with pytest.raises(InputError):
        read_graph(path)


def test_graphml_says_its_encoding_itself(tmp_path: Path) -> None:
    text = "\n".join(nx.generate_graphml(nx.path_graph(["Zoë", "b"])))
    for encoding in ("utf-16", "latin-1"):
        path = tmp_path / f"{encoding}.graphml"
        path.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?>{text}'.encode(encoding))
        assert read_graph(path).names == ("Zoë", "b")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("id_1,id_2\n1,2\n2,-3\n", ("1", "2", "-3")),
        ("node_a node_b weight\n7 3 0.5\n", ("7", "3")),
        ("hub,1\n1,2\n", ("hub", "1", "2")),  # one of them is a number
        ("hub,rim\n1,2\nhub,1\n", ("hub", "rim", "1", "2")),  # hub comes again
        ("hub,rim\n1,2\n2,x\n", ("hub", "rim", "1", "2", "x")),  # x is no number
        ("hub,rim\n", ("hub", "rim")),
    ],
)
def test_words_above_numbers_are_a_heading(
    tmp_path: Path, text: str, names: tuple[str, ...]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert read_graph(path).names == names
    is_heading = text.split()[0].split(",")[0] not in names
    assert [str(one.message).endswith("was taken for a heading") for one in said] == [
        True
    ] * is_heading


def test_standard_input_has_a_name_of_its_own(monkeypatch: Any) -> None:
    for data, message in (
        (b'{"directed": true, "nodes": [{"id": 1}], "links": []}', "standard input is directed"),
        (b'{"nodes": [], "links": []}', "standard input has no node"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        with pytest.raises(InputError, match=message):
            read_graph("json:-")


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


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric", "hermitian"])
@pytest.mark.parametrize("field", ["pattern", "integer", "real", "complex"])
@pytest.mark.parametrize("dense", [False, True], ids=["coordinate", "array"])
def test_matrices_are_read_as_scipy_reads_them(
    dense: bool, field: str, symmetry: str, tmp_path: Path
) -> None:
    if dense and field == "pattern":
        pytest.skip("the format has no such files")
    rng = np.random.default_rng(5)
    half = np.tril(rng.integers(-2, 3, (7, 7)), -1)
    matrix = half - half.T if symmetry == "skew-symmetric" else half + half.T
    matrix = matrix if dense else scipy.sparse.coo_array(matrix)
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix, field=field, symmetry=symmetry)
    read = scipy.sparse.coo_array(scipy.io.mmread(tmp_path / "a.mtx"))
    assert read.nnz > 10
    topology = read_graph(tmp_path / "a.mtx")
    assert topology.names == tuple("1234567")
    assert topology.edges().tolist() == read_graph(read).edges().tolist()


BAD_FILES = {
    "edges": (
        "a b\n\nc\n",
        "a,\n",
        "# nothing\n",
        "a b\nc\n",
        "1 2\n3\n",
    ),
    "csv": (
        ",source,target\n0,a,b\n",
        "a,,b\n",
        ",1,2\n,2,3\n",
        "1,2\n  ,2,3\n",
        "1,2,3\n2, ,3,4\n",
        "id,source,target\n0,1,2\n",
        '"' + 200_000 * "a" + '",3\n',
    ),
    "graphml": (
        GRAPHML.format('<node id="a"/><edge source="a"/>'),
        "<graphml>\n<graph>\n</graphml>",
        "<html/>",
    ),
    "json": (
        "5",
        "true",
        "null",
        '"nodes"',
        "[]",
        '{"links": []}',
        '{"nodes": [{"id": 1}]}',
        '{"nodes": [{"id": 1}, {}], "links": []}',
        '{"nodes": [1], "links": []}',
        '{"nodes": [{"id": {}}], "links": []}',
        '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 9}]}',
        '{"nodes": [{"id": 1}], "links": [], "directed": "false"}',
        '{"nodes": [\n}',
        '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
        '{"directed": true, "nodes": [{"id": 1}], "links": []}',
        '{"nodes": [], "links": []}',
    ),
    "gml": (
        "graph [\n node [ id 0 label",
        'graph [ directed 1 node [ id 0 label "a" ] ]',
        "graph [ ]",
    ),
    "board": ("a b",),
    "net": (
        "*Vertices 2\n1 a\n*Edges\n1 3\n",
        "*Vertices x\n",
        "1 2\n",
        "*Vertices 2\n*Arcs\n1 2\n",
    ),
    "mtx": (
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 1\n",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\nx\n",
    ),
    "adjlist": ("",),
}


@pytest.mark.parametrize(
    ("ending", "text"), [(ending, text) for ending, texts in BAD_FILES.items() for text in texts]
)
def test_bad_files_get_one_clear_sentence(ending: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"bad.{ending}"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_graph(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_graph(tmp_path / "missing.edges")
    (tmp_path / "binary.edges").write_bytes(b"\xff\xfe\x00 \x80")
    with pytest.raises(InputError):
        read_graph(tmp_path / "binary.edges")


QUIET = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
NAMES = st.one_of(
    st.integers(0, 60).map(str), st.text("abcdeäß0123456789-_.", min_size=1, max_size=4)
).filter(lambda name: name[0] not in "#%*")


@st.composite
def graphs(draw: Any) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(draw(st.lists(NAMES, min_size=1, max_size=12, unique=True)))
    nodes = list(graph)
    pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes))
    graph.add_edges_from((a, b) for a, b in draw(st.lists(pairs, max_size=30)) if a != b)
    return graph


@pytest.mark.parametrize(
    "ending", [".edges", ".adjlist", ".graphml", ".gml", ".net", ".mtx", ".json"]
)
@QUIET
@given(graph=graphs())
def test_every_reader_agrees_with_networkx(ending: str, tmp_path: Path, graph: nx.Graph) -> None:
    path = tmp_path / f"graph{ending}"
    named = [name for edge in graph.edges for name in edge]
    if ending == ".edges" and (not named or names_columns(list(dict.fromkeys(named)))):
        return  # no edge, or one that looks like a heading
    WRITERS[ending](graph, path)
    packed = tmp_path / f"graph{ending}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for each in (path, packed):
        topology = read_graph(each)
        wanted = graph
        if ending == ".mtx":
            number = {name: str(i) for i, name in enumerate(graph, 1)}
            wanted = nx.relabel_nodes(graph, number)
        if ending == ".edges":
            wanted = nx.Graph(graph.edges)  # an edge list knows no isolated node
        assert set(topology.names) == set(wanted)
        assert named_edges(topology) == {frozenset(edge) for edge in wanted.edges}


@pytest.mark.parametrize("ending", READERS)
@QUIET
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_nonsense_is_one_sentence_or_a_graph(ending: str, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / f"bad{ending}"
    path.write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read_graph(path)
    except InputError as error:
        told = str(error)
    else:
        told = str(path)
    assert str(path) in told


def test_a_damaged_gz_and_a_directed_graph(tmp_path: Path) -> None:
    packed = gzip.compress(b"a b\n" * 100)
    (tmp_path / "a.edges.gz").write_bytes(packed[:-10])
    with pytest.raises(InputError):
        read_graph(tmp_path / "a.edges.gz")
    graph = nx.DiGraph([(1, 2), (2, 3)])
    with pytest.raises(InputError):
        read_graph(graph)
    assert read_graph(graph, undirected=True).edges().tolist() == [[0, 1], [1, 2]]


def test_plain_numbers_are_names_as_written(tmp_path: Path) -> None:
    path = tmp_path / "a.edges"
    path.write_text("# top\n7 3 0\n3 12 5\n\n12 7 1\n")
    assert read_graph(path).names == ("7", "3", "12")
    path.write_text("7 3\n007 3\n")
    assert read_graph(path).names == ("7", "3", "007")
    path.write_text("7,3,9\n3;4\n")
    assert read_graph(path).names == ("7", "3", "4")
    path.write_text("1 99999999999999999999\n")
    assert read_graph(path).names == ("1", "99999999999999999999")


def test_standard_input_is_read_in_any_format(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    graph = nx.relabel_nodes(nx.path_graph(4), str)
    for ending in (".edges", ".graphml", ".gml", ".net", ".json"):
        path = tmp_path / f"a{ending}"
        WRITERS[ending](graph, path)
        stream = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
        monkeypatch.setattr("sys.stdin", stream)
        assert read_graph("-").n == 4
        packed = io.TextIOWrapper(io.BytesIO(gzip.compress(path.read_bytes())))
        monkeypatch.setattr("sys.stdin", packed)
        assert read_graph("-").n == 4
    for text in ("graphene carbon\ncarbon iron\n", "version1 b\nb c\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert read_graph("-").n == 3


def test_objects_of_other_libraries() -> None:
    graph = nx.path_graph(["a", ("b", 1), 3.5])
    topology = read_graph(graph)
    assert topology.names == ("a", ("b", 1), 3.5)
    assert topology.number(("b", 1)) == 1
    assert read_graph(topology) is topology
    matrix = scipy.sparse.csr_matrix(nx.to_scipy_sparse_array(graph))
    assert read_graph(matrix).edges().tolist() == [[0, 1], [1, 2]]
    with pytest.raises(InputError):
        read_graph(42)

    class Vertices(dict):
        def attributes(self) -> list[str]:
            return list(self)

    class LikeIgraph:
        vs = Vertices(name=["x", "y"], cost=[1, 2])

        def vcount(self) -> int:
            return 2

        def get_edgelist(self) -> list[tuple[int, int]]:
            return [(0, 1)]

        def is_directed(self) -> bool:
            return False

    found = read_graph(LikeIgraph(), cost="cost")
    assert found.names == ("x", "y")
    assert found.costs.tolist() == [1, 2]


def test_costs_come_from_an_attribute_or_a_file(tmp_path: Path) -> None:
    graph = nx.path_graph(["a", "b", "c"])
    nx.set_node_attributes(graph, {"a": 1, "b": 2.5, "c": 4}, "price")
    nx.write_graphml(graph, tmp_path / "a.graphml")
    assert read_graph(tmp_path / "a.graphml", cost="price").costs.tolist() == [1, 2.5, 4]
    (tmp_path / "a.edges").write_text("a b\nb c\n")
    (tmp_path / "costs.csv").write_text("node,cost\na,1\nb,2\nc,3\n")
    found = read_graph(tmp_path / "a.edges", cost=str(tmp_path / "costs.csv"))
    assert found.costs.tolist() == [1, 2, 3]
    assert found.fingerprint != read_graph(tmp_path / "a.edges").fingerprint
    with pytest.raises(InputError):
        read_graph(tmp_path / "a.graphml", cost="weight")
    for costs, message in (
        ("a 1\nb 2\n", "no cost for node c"),
        ("a 1\nb 0\nc 1\n", "greater than 0"),
    ):
        (tmp_path / "costs.csv").write_text(costs)
        with pytest.raises(InputError, match=message):
            read_graph(tmp_path / "a.edges", cost=str(tmp_path / "costs.csv"))


def test_positions_are_read() -> None:
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {i: {"x": i, "y": 2 * i} for i in graph})
    assert np.array_equal(read_graph(graph).positions, [[0, 0], [1, 2], [2, 4]])


def test_a_format_is_named_before_the_file(tmp_path: Path, monkeypatch: Any) -> None:
    karate = nx.karate_club_graph()
    nx.write_adjlist(karate, tmp_path / "karate.adjlist")
    wanted = read_graph(tmp_path / "karate.adjlist")
    text = (tmp_path / "karate.adjlist").read_bytes()
    for data in (text, gzip.compress(text)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert read_graph("adjlist:-").fingerprint == wanted.fingerprint
    (tmp_path / "karate.dat").write_bytes(text)
    (tmp_path / "karate.dat.gz").write_bytes(gzip.compress(text))
    with pytest.raises(InputError):
        read_graph(tmp_path / "karate.dat")
    for name in ("karate.dat", "karate.dat.gz"):
        assert read_graph(f"adj:{tmp_path / name}").fingerprint == wanted.fingerprint
        assert is_graph_file(f"adj:{tmp_path / name}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adj:own.edges").write_text("a b\n")
    assert read_graph("adj:own.edges").names == ("a", "b")  # a file of that very name goes first
    assert not is_graph_file("nothing:karate.dat")


@pytest.mark.parametrize("before", ["", "\ufeff", "\n \n", "comment"])
@pytest.mark.parametrize("ending", [".edges", ".graphml", ".gml", ".net", ".mtx", ".json"])
def test_standard_input_is_read_in_every_format(monkeypatch: Any, ending: str, before: str) -> None:
    texts = {
        ".edges": "a b\nb c\n",
        ".graphml": "\n".join(nx.generate_graphml(nx.path_graph(3))),
        ".gml": "\n".join(nx.generate_gml(nx.path_graph(3))),
        ".net": "*Vertices 3\n*Edges\n1 2\n2 3\n",
        ".mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
        ".json": json.dumps(nx.node_link_data(nx.path_graph(3), edges="links")),
    }
    if before == "comment":
        if ending in (".graphml", ".json", ".mtx"):
            pytest.skip("no comment can stand there")
        before = "% a graph\n" if ending == ".net" else "# a graph\n"
    if before.isspace() and ending in (".graphml", ".mtx"):
        pytest.skip("nothing may stand before the first line")
    data = (before + texts[ending]).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read_graph("-").edges().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a a\na b\n", ": 1 self-loop was left out"),
        ("a b\nb a\n", ": 1 double edge was left out"),
        ("a b\nb a\nb b\na a\n", ": 2 self-loops and 1 double edge were left out"),
    ],
)
def test_what_is_left_out_is_counted(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "some.edges").write_text(text)
    with pytest.warns(PinchpointWarning, match=said):
        read_graph(tmp_path / "some.edges")


def test_nodes_that_are_written_alike_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"nodes": [{"id": 1}, {"id": "1"}], "links": []}')
    with pytest.warns(PinchpointWarning, match="several nodes are written '1'"):
        assert read_graph(path).names == (1, "1")


def test_files_of_costs(tmp_path: Path) -> None:
    graph, path = nx.path_graph(3), tmp_path / "costs.csv"
    for data in (b"node,cost\n0,1\n1,2.5\n2,3\n", b"0 1\r1 2.5\r2 3\r"):
        path.write_bytes(data)
        (tmp_path / "costs.csv.gz").write_bytes(gzip.compress(data))
        for each in (str(path), f"{path}.gz"):
            assert read_graph(graph, cost=each).costs.tolist() == [1, 2.5, 3]
    for text in ("-3", "nan", "1_0", "1" + 400 * "0"):
        path.write_text(f"0 1\n1 {text}\n2 3\n")
        with pytest.raises(InputError):
            read_graph(graph, cost=str(path))


def test_wrong_objects_are_told() -> None:
    with pytest.raises(InputError):
        read_graph("")
    with pytest.raises(InputError):
        read_graph(scipy.sparse.coo_array(np.ones(3)))
    with pytest.raises(InputError):
        read_graph(nx.path_graph(3), undirected="no")  # type: ignore[arg-type]
