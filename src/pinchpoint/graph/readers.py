"""Graphs from files and from other libraries. Nodes keep the names that they have there.

`READERS` is the table of formats by the ending of the file, each of which may be compressed (.gz).
Double edges count once and self-loops are left out; a warning gives their numbers. A node's `x` and
`y` are its position.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import math
import os
import re
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import numpy as np

from pinchpoint.checks import file_path, plain_text
from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.files import is_regular, parse_json, read_bytes
from pinchpoint.graph.matrix_market import read_pattern
from pinchpoint.graph.topology import MAX_GRAPH_NODES, Topology, from_edges
from pinchpoint.types import Array, Floats

COMMENTS = (b"#", b"%")
MOST_BYTES = 1_000_000_000  # of a file, decompressed
MAX_FILE = 2**26  # of a file that a parser of others reads
MOST_PACKED = 50  # bytes that one byte of a large compressed file may stand for
MOST_STATED = 1_000_000  # nodes that a file may state without a byte for each
BEGINNING = 2**16  # bytes in which the first line of a text file is looked for
MOST_DIGITS = 18  # of a number that fits in 64 bits
BOXED = "network:"  # stands before the name of a network in the box
STANDARD_INPUT, GZIP = "-", b"\x1f\x8b"
EMPTY_COLUMN = re.compile(rb"(?:\A|[,\n])[ \t\r]*,")
BLANK_WITHIN = re.compile(rb"[0-9] +[0-9]")
HEADINGS = ({"source", "target"}, {"from", "to"}, {"src", "dst"}, {"node1", "node2"})
PASSED_OVER = ("*partition", "*vector", "*permutation", "*cluster", "*hierarchy")  # of Pajek


@dataclass(frozen=True)
class Raw:
    """What a reader finds in a file, before anything is checked."""

    names: Sequence[Any]
    edges: Array | Sequence[tuple[int, int]]  # [E, 2]  numbers of nodes
    directed: bool = False
    attributes: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)  # name -> node -> it


def read_graph(source: Any, undirected: bool = False, cost: str | None = None) -> Topology:
    """Read a graph from a file, from standard input ("-"), or from an object of another library.

    "network:NAME" is a network in the box (`networks()`). "FORMAT:FILE" says the format where the
    name of the file does not ("edges:roads.dat"), and "FORMAT:-" that of standard input.

    `topology.names[i]` is what the source calls node i. A directed graph is an error unless
    `undirected` says that directions do not matter. `cost` is the attribute of the nodes that holds
    their costs, or a file of two columns, node and cost.
    """
    cost = None if cost is None else plain_text(cost, "cost")
    if not isinstance(undirected, bool):
        raise InputError(f"undirected is {undirected!r}; it is True or False")
    if isinstance(source, Topology):
        return _with_costs(source, cost, "the graph")
    if isinstance(source, str | os.PathLike) and str(source).startswith(BOXED):
        from pinchpoint.graph.box import load_network

        return _with_costs(load_network(str(source)), cost, str(source))
    if isinstance(source, str | os.PathLike):
        named, path = _named_format(file_path(source))
        where = "standard input" if str(path) == STANDARD_INPUT else str(path)
        raw = _read_file(path, named, where)
    else:
        where, raw = "the graph", _from_object(source)
    if raw.directed and not undirected:
        raise InputError(
            f"{where} is directed; give --undirected (undirected=True) to forget the directions"
        )
    if not len(raw.names):
        raise InputError(f"{where} has no node; a graph has one or more")
    return build_topology(raw, where, cost)


def _with_costs(topology: Topology, cost: str | None, where: str) -> Topology:
    """Return the same graph with the costs of a file, if one is given."""
    if cost is None:
        return topology
    raw = Raw(topology.names or range(topology.n), ())
    return replace(topology, costs=_costs(raw, cost, where))


def from_networkx(graph: Any, extra_faces: int = 0) -> Topology:
    """Make a graph from networkx, its nodes numbered in the order in which it lists them."""
    if not all(hasattr(graph, name) for name in ("is_directed", "nodes", "edges")):
        raise InputError(f"a networkx graph is needed, not {type(graph).__name__}")
    raw = _from_networkx(graph)
    if raw.directed:
        raise InputError("the graph is directed; give an undirected one (graph.to_undirected())")
    pairs = np.array(raw.edges, dtype=np.int64).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    names, positions = tuple(raw.names), _positions(raw)
    return from_edges(pairs, len(names), extra_faces, names, positions)


def is_graph_file(path: str | Path) -> bool:
    """Return whether a file is a graph by its name, or a .txt file by columns in its first line."""
    if str(path) == STANDARD_INPUT or str(path).startswith(BOXED):
        return True
    if _named_format(path)[0] is not None:
        return True
    ending = _ending(Path(path))
    if ending != ".txt":
        return ending in READERS
    if not is_regular(path):
        return False  # what a pipe holds can be read once only
    try:
        with _opened(path) as file:
            first = file.read(BEGINNING).lstrip().partition(b"\n")[0].decode()
    except (OSError, UnicodeDecodeError, EOFError, zlib.error):
        return False  # whoever reads it next says what is wrong
    columns = _columns(first)
    names_a_lattice = columns[::2] == ["lattice", "periodic"]  # of the boards that follow
    return len(columns) > 1 and not names_a_lattice


def _named_format(path: str | Path) -> tuple[str | None, Path]:
    """Split FORMAT:FILE into the ending of that format, if one is named, and the path."""
    name, colon, rest = str(path).partition(":")
    if colon and rest and f".{name}" in READERS and not is_regular(path):
        return f".{name}", Path(rest)
    return None, Path(path)


def _ending(path: Path) -> str:
    """Return the ending that names the format, with .gz taken off."""
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()


def _opened(path: str | Path) -> Any:
    return gzip.open(path) if str(path).lower().endswith(".gz") else Path(path).open("rb")


def _read_file(path: Path, named: str | None, where: str) -> Raw:
    """Read a file in the named format, or else in that of its ending; errors call it `where`."""
    if str(path) == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        if data.startswith(GZIP):
            data = _unpacked(data, max(MAX_FILE, MOST_PACKED * len(data)), where)
        reader = READERS[named or _guessed(data)]
    else:
        ending = named or _ending(path)
        if ending not in READERS:
            raise InputError(
                f"{path} is no graph file; graphs end in {', '.join(READERS)} (or .gz), or the "
                f"format stands before the name (edges:{path})"
            )
        reader = READERS[ending]
        data = read_bytes(path, MOST_BYTES)
    # Foreign parsers take many times the memory of the file.
    most = MOST_BYTES if reader in (read_edge_list, read_adjacency) else MAX_FILE
    data = _plain(data, most, where)
    try:
        # A NUL is UTF-16 or no text at all; XML says its encoding itself.
        if b"\0" not in data or reader is read_graphml:
            return reader(data, where)
    except UnicodeDecodeError:
        pass
    raise InputError(f"{where} is not text in UTF-8; a graph file is")


def _plain(data: bytes, most: int, where: str) -> bytes:
    """Return the data of a file, unpacked if it is compressed, with lines that end in LF."""
    if where.lower().endswith(".gz"):
        most = min(most, max(MAX_FILE, MOST_PACKED * len(data)))
        data = _unpacked(data, most, where)
    if len(data) > most:
        raise InputError(f"{where} is too large; {most:,} bytes are allowed")
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines as they once were on a Macintosh
    return data


def _unpacked(data: bytes, most: int, where: str) -> bytes:
    """Return what a compressed file holds, up to the limit and a byte more."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(most + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"cannot read {where}: the compressed file is damaged") from None


def _guessed(data: bytes) -> str:
    """Return the ending of the format that the data seem to have.

    An adjacency list cannot be told from an edge list, and is taken for one.
    """
    start = data[:BEGINNING].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    while start.startswith(COMMENTS) and not start.startswith(b"%%matrixmarket"):
        start = start.partition(b"\n")[2].lstrip()
    for ending, beginnings in {
        ".graphml": (b"<",),
        ".json": (b"{",),
        ".mtx": (b"%%matrixmarket",),
        ".net": (b"*",),
    }.items():
        if start.startswith(beginnings):
            return ending
    return ".gml" if re.match(rb"(graph|creator|version)\s.*\[", start, re.DOTALL) else ".edges"


# -- edge lists ------------------------------------------------------------------------------


def read_edge_list(data: bytes, where: str) -> Raw:
    """Read two names a line and ignore further columns; `_split` separates the columns.

    Nodes are numbered in order of appearance. A first line such as source,target is a heading, and
    so is one of words above numbers, unless its names appear again.
    """
    found = _whole_numbers(data)
    if found is not None:
        return found
    number: dict[bytes, int] = {}
    edges: list[int] = []
    for place, line in _lines(data):
        names = _split(line, where, place)
        if len(names) < 2 or not (names[0] and names[1]):
            count = sum(map(bool, names))
            what = f", has {count} column{'s' * (count != 1)}"
            if count > 1:  # such as an index without a heading
                what = f": column {2 if names[0] else 1} is empty"
            raise InputError(f"{where}, line {place}{what}; an edge is two node names")
        if not number:
            _check_heading(names, where, place)
        edges.append(number.setdefault(names[0], len(number)))
        edges.append(number.setdefault(names[1], len(number)))
    if not number:
        raise InputError(f"{where} holds no edge; give two node names a line")
    decoded = [name.decode() for name in number]
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    if names_columns(decoded) and pairs[1:].min(initial=2) > 1:
        warnings.warn(
            f"{where}: the first line, {' and '.join(decoded[:2])}, was taken for a heading",
            PinchpointWarning,
            stacklevel=5,
        )
        decoded, pairs = decoded[2:], pairs[1:] - 2
    return Raw(decoded, pairs)


def _check_heading(words: Sequence[bytes], where: str, place: int) -> None:
    """Raise InputError if the first line names the ends of edges, but not as its first columns."""
    columns = [word.decode().lower() for word in words]
    for pair in HEADINGS:
        if pair <= set(columns) and set(columns[:2]) != pair:
            raise InputError(
                f"{where}, line {place}: {' and '.join(sorted(pair))} are not the first two "
                "columns; an edge is the names in the first two"
            )


def names_columns(names: Sequence[str]) -> bool:
    """Return whether the first two names are those of columns: known ones, or words for numbers."""
    if {name.lower() for name in names[:2]} in HEADINGS:
        return True
    numbers = (name.removeprefix("-").isdecimal() for name in names)
    return len(names) > 2 and not next(numbers) and not next(numbers) and all(numbers)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are no comments, with their numbers."""
    for place, line in enumerate(io.BytesIO(data), 1):
        line = line.strip()
        if line and not line.startswith(COMMENTS):
            yield place, line


def _split(line: bytes, where: str, place: int) -> list[bytes]:
    """Split a line at tabs, or else at commas, semicolons or blanks.

    Names may contain blanks if another separator is used, and anything if they are quoted.
    """
    mark = next((mark for mark in (b"\t", b",", b";") if mark in line), None)
    if b'"' in line:
        if mark is None:
            return [word.encode() for word in _quoted_words(line.decode())]
        rows = csv.reader([line.decode()], delimiter=mark.decode(), skipinitialspace=True)
        try:
            return [word.strip().encode() for word in next(rows)]
        except csv.Error as error:
            raise InputError(f"{where}, line {place}: {error}") from None
    if mark is None:
        return line.split()
    return [
        word.strip() for word in (re.split(rb"\t+", line) if mark == b"\t" else line.split(mark))
    ]


def _columns(line: str) -> list[str]:
    """Return the words of a line, separated by blanks, tabs, commas or semicolons."""
    return re.split(r"\s*[,;]\s*|\s+", line.strip())


def _whole_numbers(data: bytes) -> Raw | None:
    """Read an edge list whose names are plain numbers, fast; return None if it is not one."""
    while data[:1] in COMMENTS:  # comments at the top
        data = data.partition(b"\n")[2]
    text = np.frombuffer(data, dtype=np.uint8)
    digit = (text >= ord("0")) & (text <= ord("9"))
    if not len(text) or not np.all(digit | np.isin(text, tuple(b" \t\r\n,"))):
        return None
    follows = np.concatenate([[False], digit[:-1]])  # a digit
    if not np.all(follows[text == ord(",")]) and EMPTY_COLUMN.search(data):
        return None
    marks = [mark for mark in (b"\t", b",") if mark in data]
    if len(marks) > 1 or (marks and BLANK_WITHIN.search(data)):
        return None  # `_split` finds the separator of each line
    begins = np.flatnonzero(digit & ~follows)
    last = np.flatnonzero(digit & ~np.concatenate([digit[1:], [False]]))
    if not len(begins) or int((last - begins).max()) >= MOST_DIGITS:
        return None
    zero = begins[text[begins] == ord("0")]
    if np.any(digit[np.minimum(zero + 1, len(text) - 1)] & (zero + 1 < len(text))):
        return None  # 007 is another name than 7
    ends = np.append(np.flatnonzero(text == ord("\n")), len(text))
    a_line = np.diff(np.searchsorted(begins, ends), prepend=0)
    columns = int(a_line.max(initial=0))
    if columns < 2 or not np.all((a_line == 0) | (a_line == columns)):
        return None
    del digit, text, follows, last, ends, a_line
    values = np.fromstring(data.replace(b",", b" "), dtype=np.int64, sep=" ")
    pairs = values.reshape(-1, columns)[:, :2]
    ids, edges = _numbered(pairs.ravel())
    return Raw([str(name) for name in ids.tolist()], edges.reshape(-1, 2))


def _numbered(values: Array) -> tuple[Array, Array]:
    """Return the different values in the order of their first place, and the number of each."""
    ids, first, number = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return ids[order], rank[number]


def read_adjacency(data: bytes, where: str) -> Raw:
    """Read a node and its neighbours a line, parted by blanks."""
    number: dict[str, int] = {}
    edges = []
    for _, line in _lines(data):
        nodes = [number.setdefault(name, len(number)) for name in line.decode().split()]
        edges += [(nodes[0], other) for other in nodes[1:]]
    return Raw(list(number), edges)


# -- other formats ---------------------------------------------------------------------------


def read_graphml(data: bytes, where: str) -> Raw:
    """Read a GraphML file."""
    import networkx as nx

    def read() -> Any:
        graph = nx.read_graphml(io.BytesIO(data))
        if "None" in graph and b"None" not in data:
            raise ValueError("an edge has no source or no target")
        return graph

    return _through_networkx(where, "GraphML", read)


def read_gml(data: bytes, where: str) -> Raw:
    """Read a GML file; its nodes are named by their labels, or by their ids where labels fail."""
    import networkx as nx

    plain = data.decode().encode("ascii", "xmlcharrefreplace")  # networkx reads ASCII only

    def read() -> Any:
        try:
            return nx.read_gml(io.BytesIO(plain))
        except nx.NetworkXError as error:
            if "label" not in str(error):  # none, or one that two nodes share
                raise
            return nx.read_gml(io.BytesIO(plain), label="id")

    return _through_networkx(where, "GML", read)


def read_pajek(data: bytes, where: str) -> Raw:
    """Read the vertices, edges and arcs of a Pajek file, up to what is no network in it."""
    names: list[str] = []
    edges: list[tuple[int, int]] = []
    section, directed, count = "", False, 0
    for place, line in _lines(data):
        words = _quoted_words(line.decode())
        if words[0].startswith("*"):
            section = words[0].lower()
            if section in PASSED_OVER:
                break
            if section == "*vertices":
                count = _whole(words[1:2], where, place, "*Vertices needs the number of vertices")
                _check_stated(count, data, where)
                names = [str(i) for i in range(1, count + 1)]
            continue
        if section == "*vertices":
            at = _whole(words[:1], where, place, "a vertex begins with its number", count)
            if len(words) > 1:
                names[at - 1] = words[1]
        elif section in ("*edges", "*arcs", "*edgeslist", "*arcslist"):
            wanted = words if section.endswith("list") else words[:2]
            ends = [_whole([w], where, place, "an edge is two vertices", count) for w in wanted]
            if len(ends) < 2:
                raise InputError(f"{where}, line {place}, has one vertex; an edge is two vertices")
            directed |= section.startswith("*arcs")
            edges += [(ends[0] - 1, end - 1) for end in ends[1:]]
        elif not section:
            raise InputError(
                f"{where}, line {place}, comes before *Vertices; this is no Pajek file"
            )
        else:
            raise InputError(
                f"{where}, line {place}: a section {section} is not understood; edges are in "
                "*Edges, *Arcs, *Edgeslist or *Arcslist"
            )
    if len(set(names)) < len(names):
        names = [str(i) for i in range(1, count + 1)]  # labels that two vertices share name none
    return Raw(names, edges, directed)


def _quoted_words(line: str) -> list[str]:
    found = re.findall(r'"([^"]*)"|(\S+)', line)
    return [quoted or plain for quoted, plain in found] or [""]


def _whole(words: list[str], where: str, place: int, wanted: str, most: int | None = None) -> int:
    """Return a whole number of a line, 1 to `most`."""
    ok = len(words) == 1 and words[0].isdecimal() and len(words[0]) < 10
    value = int(words[0]) if ok else -1
    if not ok or (most is not None and not 1 <= value <= most):
        raise InputError(f"{where}, line {place}: {wanted}; got {' '.join(words) or 'nothing'}")
    return value


def _check_stated(count: int, data: bytes, where: str) -> None:
    """Refuse a number of nodes for which memory would be taken though the file hardly names any."""
    most = min(MAX_GRAPH_NODES, max(MOST_STATED, len(data)))
    if count > most:
        raise InputError(f"{where} states {count:,} nodes; a file of its size has {most:,} at most")


def read_matrix_market(data: bytes, where: str) -> Raw:
    """Read the pattern of a square Matrix Market file; nodes are named 1, 2, …"""
    from scipy.sparse import coo_array

    n, places, symmetric = read_pattern(data, where)
    _check_stated(n, data, where)
    if symmetric:
        across = places[places[:, 0] != places[:, 1], ::-1]
        places = np.concatenate([places, across])
    matrix = coo_array((np.ones(len(places)), tuple(places.T)), shape=(n, n))
    return replace(_from_sparse(matrix, where), names=[str(i + 1) for i in range(n)])


def read_json(data: bytes, where: str) -> Raw:
    """Read the JSON of networkx (node-link): lists `nodes`, and `links` or `edges`."""
    try:
        tree = parse_json(data)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}, line {error.lineno}, is no JSON: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{where} is no node-link JSON: {error}") from None
    listed = _objects(tree, ("nodes",), ("id",), where)
    links = _objects(tree, ("links", "edges"), ("source", "target"), where)
    directed = tree.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError(f"{where}: directed is {directed!r}; it is true or false")
    try:
        nodes = [_hashable(node["id"]) for node in listed]
        number = {name: i for i, name in enumerate(nodes)}
        ends = [(_hashable(link["source"]), _hashable(link["target"])) for link in links]
        strangers = [name for pair in ends for name in pair if name not in number]
    except (TypeError, RecursionError):
        raise InputError(
            f"{where}: the id of a node is text, a number or a list of these"
        ) from None
    if strangers:
        raise InputError(
            f"{where}: an edge has node {strangers[0]!r}, which is not among the nodes"
        )
    if len(number) < len(nodes):
        raise InputError(f"{where} names a node twice; every node has a name of its own")
    edges = [(number[a], number[b]) for a, b in ends]
    return Raw(nodes, edges, directed, _by_attribute(listed))


def _objects(
    tree: Any, lists: tuple[str, ...], wanted: tuple[str, ...], where: str
) -> list[dict[str, Any]]:
    """Return the first of these lists that node-link JSON has; each item has what is wanted."""
    known = tree if isinstance(tree, dict) else {}
    found = next((known[name] for name in lists if name in known), None)
    if not isinstance(found, list):
        raise InputError(f"{where} is no node-link JSON: it has no list {' or '.join(lists)}")
    for place, item in enumerate(found, 1):
        if not isinstance(item, dict) or not all(name in item for name in wanted):
            what = f"item {place} of {' or '.join(lists)}"
            raise InputError(f"{where}: {what} does not have {' and '.join(wanted)}")
    return found


def _hashable(name: Any) -> Any:
    return tuple(map(_hashable, name)) if isinstance(name, list) else name


READERS: dict[str, Callable[[bytes, str], Raw]] = {
    **dict.fromkeys((".edges", ".edgelist", ".txt", ".csv", ".tsv"), read_edge_list),
    **dict.fromkeys((".adjlist", ".adj"), read_adjacency),
    ".graphml": read_graphml,
    ".gml": read_gml,
    **dict.fromkeys((".net", ".paj"), read_pajek),
    ".mtx": read_matrix_market,
    ".json": read_json,
}


def _through_networkx(where: str, kind: str, read: Callable[[], Any]) -> Raw:
    try:
        graph = read()
    except ParseError as error:
        line, _ = error.position
        raise InputError(f"{where}, line {line}, is no {kind}: {error}") from None
    except Exception as error:  # of a foreign parser: no list of them is complete
        found = re.search(r"at \((\d+), \d+\)|line (\d+)", str(error))
        place = f", line {found.group(1) or found.group(2)}," if found else ""
        raise InputError(f"{where}{place} is no {kind}: {error}") from None
    return _from_networkx(graph)


# -- objects of other libraries --------------------------------------------------------------


def _from_object(graph: Any) -> Raw:
    if all(hasattr(graph, name) for name in ("is_directed", "nodes", "edges")):
        return _from_networkx(graph)
    if hasattr(graph, "get_edgelist") and hasattr(graph, "vs"):
        return _from_igraph(graph)
    if hasattr(graph, "tocoo"):
        return _from_sparse(graph, "the matrix")
    raise InputError(
        f"a graph cannot be made from {type(graph).__name__}; give a file, or a graph of networkx, "
        "igraph or scipy.sparse"
    )


def _from_networkx(graph: Any) -> Raw:
    number = {name: i for i, name in enumerate(graph.nodes)}
    edges = [(number[a], number[b]) for a, b in graph.edges()]
    attributes = _by_attribute(data for _, data in graph.nodes(data=True))
    return Raw(list(number), edges, bool(graph.is_directed()), attributes)


def _from_igraph(graph: Any) -> Raw:
    known = graph.vs.attributes()
    names = graph.vs["name"] if "name" in known else range(graph.vcount())
    attributes = {key: dict(enumerate(graph.vs[key])) for key in known if key != "name"}
    return Raw(list(names), graph.get_edgelist(), bool(graph.is_directed()), attributes)


def _from_sparse(matrix: Any, where: str) -> Raw:
    from scipy.sparse import coo_array

    found = coo_array(matrix)
    if len(found.shape) != 2 or found.shape[0] != found.shape[1]:
        shape = " × ".join(map(str, found.shape))
        raise InputError(f"{where} is {shape}; the matrix of a graph is square")
    found.eliminate_zeros()
    pairs = np.stack([found.row, found.col], axis=1).astype(np.int64)
    pattern = found.tocsr() != 0
    directed = (pattern != pattern.T).nnz > 0
    if not directed:
        pairs = pairs[pairs[:, 0] <= pairs[:, 1]]  # every edge is there in both directions
    return Raw(range(found.shape[0]), pairs, directed)


def _by_attribute(nodes: Iterable[Mapping[str, Any]]) -> dict[str, dict[int, Any]]:
    found: dict[str, dict[int, Any]] = {}
    for node, data in enumerate(nodes):
        for key, value in data.items():
            found.setdefault(str(key), {})[node] = value
    return found


# -- from raw data to a graph ----------------------------------------------------------------


def build_topology(raw: Raw, where: str, cost: str | None = None) -> Topology:
    """Return the graph without loops and double edges, and warn if there were any."""
    n = len(raw.names)
    costs = None if cost is None else _costs(raw, cost, where)
    pairs = np.asarray(raw.edges, dtype=np.int64).reshape(-1, 2)
    proper = pairs[pairs[:, 0] != pairs[:, 1]]
    names, positions = tuple(raw.names), _positions(raw)
    topology = from_edges(proper, n, names=names, positions=positions, costs=costs)
    kinds = set(map(type, raw.names))
    if len(kinds) > 1 and len(written := Counter(map(str, raw.names))) < n:
        warnings.warn(
            f"{where}: several nodes are written {written.most_common(1)[0][0]!r}, which no table "
            "and no option can tell apart",
            PinchpointWarning,
            stacklevel=3,
        )
    loops, double = len(pairs) - len(proper), len(proper) - len(topology.indices) // 2
    if loops or double:
        counts = ((loops, "self-loop"), (double, "double edge"))
        what = " and ".join(
            f"{count} {kind}{'s' * (count != 1)}" for count, kind in counts if count
        )
        warnings.warn(
            f"{where}: {what} {'was' if loops + double == 1 else 'were'} left out",
            PinchpointWarning,
            stacklevel=3,
        )
    return topology


def _positions(raw: Raw) -> Floats | None:  # [N, 2]
    """Return the numbers x and y of the nodes, if all have them."""
    found = [_numbers_of(raw, key) for key in ("x", "y")]
    return None if any(axis is None for axis in found) else np.stack(found, axis=1)  # type: ignore[arg-type]


def _numbers_of(raw: Raw, key: str) -> Floats | None:
    values = raw.attributes.get(key, {})
    try:
        axis = np.array([float(values[node]) for node in range(len(raw.names))])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return axis if np.isfinite(axis).all() else None


def _costs(raw: Raw, cost: str, where: str) -> Floats:
    """Return the costs of the nodes, from an attribute or from a file of two columns."""
    values: Mapping[int, Any] = raw.attributes.get(cost, {})
    source = f"{where}: the attribute {cost!r}"
    if not values and is_regular(cost):
        values, source = _cost_file(raw.names, cost), cost
    elif not values:
        has = ", ".join(sorted(raw.attributes)) or "none"
        raise InputError(
            f"the nodes of {where} have no attribute {cost!r}; they have {has}, and there is no "
            "file of that name"
        )
    costs = np.ones(len(raw.names))
    for node, name in enumerate(raw.names):
        if node not in values:
            raise InputError(f"{source} has no cost for node {name}; every node needs one")
        costs[node] = _cost_of(values[node], f"{source} says that node {name} costs")
    return costs


def _cost_of(value: Any, says: str) -> float:
    """Return a cost as a number; raise InputError if it is not greater than 0."""
    try:
        cost = float("nan" if "_" in str(value) else value)
    except (TypeError, ValueError, OverflowError):
        cost = math.nan
    if not (math.isfinite(cost) and cost > 0):
        text = str(value)
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise InputError(f"{says} {shown}; a cost is a number greater than 0")
    return cost


def _cost_file(names: Sequence[Any], path: str) -> dict[int, float]:
    """Return the costs of a file of two columns, a node and its cost."""
    number = {str(name): node for node, name in enumerate(names)}
    found: dict[int, float] = {}
    data = _plain(read_bytes(path), MAX_FILE, path)
    for count, (place, line) in enumerate(_lines(data)):
        try:
            words = [word.decode() for word in _split(line, path, place)]
        except UnicodeDecodeError:
            raise InputError(
                f"{path}, line {place}, is not text; give a node and its cost"
            ) from None
        if len(words) < 2:
            raise InputError(f"{path}, line {place}, has one column; give a node and its cost")
        if words[0] in number:
            if number[words[0]] in found:
                raise InputError(f"{path}, line {place}: a cost of {words[0]!r} was given before")
            says = f"{path}, line {place}: node {words[0]} costs"
            found[number[words[0]]] = _cost_of(words[1], says)
        elif count:  # the first line may be a heading
            raise InputError(f"{path}, line {place}: there is no node {words[0]!r}")
    return found
