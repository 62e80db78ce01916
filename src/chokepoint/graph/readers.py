"""Graphs from files: edge lists, GraphML and GML. Nodes keep the names that the file gives them.

`READERS` is the table of formats by the ending of the file. An edge list has two node names a line,
parted by blanks, tabs or a comma; lines that start with # or % are comments. An edge that is given
twice counts once, and an edge from a node to itself is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from chokepoint.checks import file_path
from chokepoint.errors import InputError
from chokepoint.files import read_text
from chokepoint.graph.topology import Topology, from_edges, from_networkx

EDGE_LISTS = (".edges", ".edgelist", ".txt")
COMMENTS = ("#", "%")
MAX_FILE = 2**26  # bytes; a graph takes many times the memory of its file


def read_graph(path: str | Path) -> Topology:
    """Read a graph; `topology.names[i]` is what the file calls node i."""
    path = file_path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path} is no graph file; graphs end in {', '.join(READERS)}")
    return reader(path)


def is_graph_file(path: str | Path) -> bool:
    """Return whether a file is meant as a graph: a text file with columns in its first line is."""
    path = Path(path)
    if path.suffix.lower() != ".txt":
        return path.suffix.lower() in READERS
    try:
        with path.open(encoding="utf-8") as file:
            first = next((line for line in file if line.strip()), "")
    except (OSError, UnicodeDecodeError):
        return False  # whoever reads it next says what is wrong
    columns = _columns(first)
    names_a_lattice = columns[::2] == ["lattice", "periodic"]  # of the boards that follow
    return len(columns) > 1 and not names_a_lattice


def read_edge_list(path: Path) -> Topology:
    """Read an edge list; nodes are numbered in the order in which the file names them."""
    number: dict[str, int] = {}
    edges: list[tuple[int, int]] = []
    for line_number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(COMMENTS):
            continue
        names = _columns(line)
        if len(names) != 2 or not all(names):
            raise InputError(
                f"{path}, line {line_number}, has {len(names)} columns; an edge is two node names"
            )
        first, second = (number.setdefault(name, len(number)) for name in names)
        if first != second:
            edges.append((first, second))
    if not number:
        raise InputError(f"{path} holds no edge; give two node names a line")
    return from_edges(edges, n=len(number), names=tuple(number))


def read_graphml(path: Path) -> Topology:
    """Read a GraphML file."""
    import networkx as nx

    return _through_networkx(path, nx.read_graphml)


def read_gml(path: Path) -> Topology:
    """Read a GML file; its nodes are named by their labels, or by their ids where labels fail."""
    import networkx as nx

    def read(file: BytesIO) -> Any:
        try:
            return nx.read_gml(file)
        except nx.NetworkXError as error:
            if "label" not in str(error):  # none, or one that two nodes share
                raise
            file.seek(0)
            return nx.read_gml(file, label="id")

    return _through_networkx(path, read)


READERS: dict[str, Callable[[Path], Topology]] = {
    **dict.fromkeys(EDGE_LISTS, read_edge_list),
    ".graphml": read_graphml,
    ".gml": read_gml,
}


def _columns(line: str) -> list[str]:
    """Return the words of a line, parted by blanks, tabs or commas."""
    return re.split(r"\s*,\s*|\s+", line.strip())


def _text(path: Path) -> str:
    return read_text(path, "a graph file is text", MAX_FILE)


def _through_networkx(path: Path, read: Callable[[BytesIO], Any]) -> Topology:
    file = BytesIO(_text(path).encode())
    kind = {".graphml": "GraphML", ".gml": "GML"}[path.suffix.lower()]
    try:
        graph = read(file)
    except ParseError as error:
        line, _ = error.position
        raise InputError(f"{path}, line {line}, is no {kind}: {error}") from None
    except Exception as error:  # of a foreign parser: no list of them is complete
        where = re.search(r"at \((\d+), \d+\)", str(error))
        place = f", line {where.group(1)}," if where else ""
        raise InputError(f"{path}{place} is no {kind}: {error}") from None
    if graph.is_directed():
        raise InputError(f"the graph in {path} is directed; only undirected graphs can be read")
    return from_networkx(graph)
