"""One finished game as a line of JSON, and the check that it was played by the rules."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

import pinchpoint
from pinchpoint.checks import file_path
from pinchpoint.errors import InputError
from pinchpoint.files import MAX_JSON, parse_json, read_lines, whole_file
from pinchpoint.game.boards import Boards, make_boards, parse_rows, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import known_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import SQUARE, Topology, from_edges
from pinchpoint.types import Bytes

MOST_EDGES = 5_000  # of a graph that a record holds; of a larger one it holds the fingerprint

BoardText = list[str]
Move = list[int] | int  # [row, col] on a lattice, the node on a graph


class NotAGame(InputError):
    """A well-formed record of something that is not a legal finished game."""


@dataclass(frozen=True)
class Record:
    """A game: its board, the squares attacked in order, and what else is known of it."""

    boards: Boards  # of length 1, in the mode's simplest form, with its seed and density
    moves: list[Move]
    options: Mapping[str, Any]  # of the mode, as they are written: defaults may be among them
    settled: BoardText | None = None  # the board when laid
    after: list[BoardText] | None = None  # and after every move
    steps: int | None = None  # the number of moves, for readers who do not know the rules
    agent: str | None = None
    version: str | None = None  # of Pinchpoint, that the game was played with
    seconds_a_move: float | None = None  # that the agent took, mean over the game
    extra: Mapping[str, Any] = field(default_factory=dict)  # further fields, carried along

    def squares(self) -> list[int]:
        """Return the moves as numbers of squares."""
        return [_square(move, self.boards.topology) for move in self.moves]


def game_record(
    boards: Boards,
    squares: Iterable[int],
    agent: str | None = None,
    seconds_a_move: float | None = None,
    **extra: Any,
) -> Record:
    """Return the record of a game on one board."""
    moves = [_as_move(int(square), boards.topology) for square in squares]
    mode = boards.mode.on(boards.topology)
    return Record(
        boards.in_mode(mode),
        moves,
        mode.options(),
        steps=len(moves),
        agent=agent,
        version=pinchpoint.__version__,
        seconds_a_move=seconds_a_move,
        extra=extra,
    )


def record_of(
    games: Games, row: int = 0, seed: int | None = None, p: float | None = None, **about: Any
) -> Record:
    """Return the record of one game of a batch."""
    board = make_boards(games.laid[row], games.mode, games.topology)
    if p is not None:
        board.p[:] = p
    return game_record(replace(board, seed=seed), games.history(row), **about)


def board_text(status: Bytes, topology: Topology) -> BoardText:  # [N]
    """Return a board as rows of text; a graph is one row."""
    shape = (1, topology.n) if topology.key is None else topology.lattice_shape()
    return text_rows(status.reshape(shape))


# -- checking --------------------------------------------------------------------------------


def replay_steps(record: Record) -> Iterator[Games]:
    """Yield the game when laid and after each of its moves: one `Games`, advanced in place.

    Raise NotAGame where it breaks the rules, or where the record contradicts itself.
    """
    games = Games(record.boards)
    if games.done[0]:
        raise NotAGame("the board is over when laid, so there is no game")
    if record.steps not in (None, len(record.moves)):
        raise NotAGame(f"`steps` is {record.steps}, but there are {len(record.moves)} moves")
    _compare(games, record.settled, "`settled`")
    yield games
    for number, move in enumerate(record.moves, 1):
        try:
            games.play(_square(move, games.topology))
        except InputError as error:
            raise NotAGame(f"move {number}: {error}") from None
        if record.after is not None:
            _compare(games, record.after[number - 1], f"`after` move {number}")
        yield games
    if not games.done[0]:
        raise NotAGame(
            f"the game is not over: {games.active_counts[0]} squares are still active "
            f"after {len(record.moves)} moves"
        )


def replay(record: Record) -> Games:
    """Return the finished game, checked move by move."""
    *_, games = replay_steps(record)
    return games


def with_states(record: Record) -> Record:
    """Return the record with the board when laid and after every move, checked move by move."""
    steps = replay_steps(record)
    settled, *after = [board_text(games.status[0], games.topology) for games in steps]
    return replace(record, settled=settled, after=after)


def _as_move(square: int, topology: Topology) -> Move:
    if topology.key is None:
        return square
    return [*divmod(square, topology.lattice_shape()[1])]


def _square(move: Move, topology: Topology) -> int:
    if isinstance(move, list):
        return topology.square(*move)
    if not 0 <= move < topology.n:
        raise InputError(f"there is no node {move}; nodes are 0 to {topology.n - 1}")
    return move


def _compare(games: Games, rows: BoardText | None, what: str) -> None:
    if rows is not None and rows != board_text(games.status[0], games.topology):
        raise NotAGame(f"{what} is not the board that the rules give")


# -- files -----------------------------------------------------------------------------------


def to_json(record: Record) -> str:
    """Return the record as one line; what is not known is left out."""
    boards = record.boards
    topology, key, p = boards.topology, boards.topology.key, float(boards.p[0])
    fields = {
        "mode": boards.mode.reference,
        "options": record.options,
        "lattice": None if key in (None, SQUARE) else key.lattice,
        "periodic": None if key in (None, SQUARE) else key.periodic,
        "graph": _graph_of(topology) if key is None else None,
        "laid": board_text(boards.laid[0], topology),
        "settled": record.settled,
        "moves": record.moves,
        "after": record.after,
        "steps": record.steps,
        "agent": record.agent,
        "seed": boards.seed,
        "p": None if math.isnan(p) else p,
        "version": record.version,
        "seconds_a_move": record.seconds_a_move,
    }
    known = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(known | dict(record.extra))


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write a file of records, whole or not at all."""
    with whole_file(file_path(path)) as file:
        put_records(file, records, str(path))


def put_records(file: BinaryIO, records: Iterable[Record], where: str) -> None:
    """Write records to a file that is open; `where` names it in an error."""
    for record in records:
        line = to_json(record).encode() + b"\n"
        if len(line) > MAX_JSON:
            raise InputError(
                f"cannot write {where}: a record of {len(line):,} bytes could not be read again "
                f"({MAX_JSON:,} are allowed); leave out the boards after each move"
            )
        file.write(line)


def read_records(path: str | Path, graphs: Sequence[Topology] = ()) -> list[Record]:
    return [record for _, record in numbered_records(path, graphs)]


def numbered_records(
    path: str | Path, graphs: Sequence[Topology] = ()
) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with the numbers of their lines; blank lines are passed over.

    A game on a graph is put on the one of these graphs, if there are any, with its fingerprint.
    """
    path, empty = file_path(path), True
    if path.suffix == ".parquet":
        raise InputError(f"{path} is a table for other programs; games are read as JSON lines")
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            empty = False
            yield number, parse_record(line, f"{path}, line {number}", graphs)
    if empty:
        raise InputError(f"{path} holds no game record; give one JSON object a line")


def parse_record(
    line: str | bytes, where: str = "the record", graphs: Sequence[Topology] = ()
) -> Record:
    """Read a record from its line; raise InputError if it is malformed."""
    try:
        values = parse_json(line)
    except ValueError:
        raise InputError(f"{where}: this is not a JSON object in UTF-8") from None
    if not isinstance(values, dict):
        raise InputError(f"{where}: a game record is a JSON object with mode, options, laid, moves")
    for name, (is_right, wanted) in FIELDS.items():
        value = values.get(name)
        if value is None and name not in REQUIRED:
            continue
        if name not in values:
            raise InputError(f"{where}: the field `{name}` is missing")
        if not is_right(value):
            raise InputError(f"{where}: `{name}` must be {wanted}")
    try:
        return _build(values, graphs)
    except (InputError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{where}: {error}") from None


def _build(values: Mapping[str, Any], graphs: Sequence[Topology]) -> Record:
    """Return the record of fields of the right kinds; raise InputError if they do not fit."""
    laid, moves = values["laid"], values["moves"]
    after, graph = values.get("after"), values.get("graph")
    if graph is None:
        opened = parse_rows(laid, "`laid`")
        key = (values.get("lattice") or SQUARE.lattice, values.get("periodic") or SQUARE.periodic)
        topology = lattice(opened.shape[0], opened.shape[1], *key)
    else:
        topology = _graph_among(graph, graphs) if graphs else _graph_from(graph)
        if len(laid) != 1 or len(laid[0]) != topology.n:
            raise InputError(f"`laid` must be one row of {topology.n} symbols, one for each node")
        opened = np.frombuffer(laid[0].encode(), dtype=np.uint8) != ord("#")
    if set("".join(laid)) - set("#o."):
        raise InputError("`laid` must hold # for blocked and o for open squares only")
    kind = list if graph is None else int
    if not all(isinstance(move, kind) for move in moves):
        raise InputError("moves are [row, col] on a lattice and node numbers on a graph")
    if after is not None and len(after) != len(moves):
        raise InputError(f"`after` has {len(after)} boards for {len(moves)} moves")
    mode = known_mode(values["mode"], values["options"]).on(topology)
    boards = make_boards(opened, mode, topology)
    if values.get("p") is not None:
        boards.p[:] = values["p"]
    known = {name: values.get(name) for name in ABOUT}
    extra = {name: value for name, value in values.items() if name not in FIELDS}
    boards = replace(boards, seed=values.get("seed"))
    return Record(boards, moves, values["options"], **known, extra=extra)


def _graph_among(graph: Mapping[str, Any], graphs: Sequence[Topology]) -> Topology:
    """Return the one of these graphs that the game was played on."""
    wanted = graph.get("fingerprint") or _graph_from(graph).fingerprint
    for topology in graphs:
        if topology.fingerprint == wanted:
            return topology
    which = "this graph" if len(graphs) == 1 else "any of these graphs"
    has = ", ".join(topology.fingerprint for topology in graphs)
    raise InputError(
        f"the game was not played on {which}: its record has the fingerprint {wanted}, the "
        f"graph{'s have' if len(graphs) > 1 else ' has'} {has} (costs of nodes count, too)"
    )


def _graph_of(topology: Topology) -> dict[str, Any]:
    """Return a graph as its record holds it: the whole of a small one, else its fingerprint."""
    extra = topology.faces - topology.degree
    known: dict[str, Any] = {"n": topology.n, "fingerprint": topology.fingerprint}
    if len(topology.indices) <= 2 * MOST_EDGES:
        known |= {"edges": topology.edges().tolist(), "extra_faces": int(extra[0])}
        if not topology.unit_costs:
            known["costs"] = topology.costs.tolist()
    return known


def _graph_from(graph: Mapping[str, Any]) -> Topology:
    if "edges" not in graph:
        raise InputError(
            f"the graph of this game ({graph.get('n')} nodes, fingerprint "
            f"{graph.get('fingerprint')}) is not in its record; name the graph's file "
            "(--graph, and --cost if its nodes have costs)"
        )
    made = from_edges(graph["edges"], graph.get("n"), graph.get("extra_faces", 0))
    if "costs" in graph:
        made = replace(made, costs=np.array(graph["costs"], dtype=np.float64))
    if graph.get("fingerprint", made.fingerprint) != made.fingerprint:
        raise InputError("the graph of the record does not have the fingerprint that it names")
    return made


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_int(value) or isinstance(value, float)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_text(row) for row in value)


def _is_moves(value: Any) -> bool:
    return isinstance(value, list) and all(_is_int(move) or _is_pair(move) for move in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_int(part) for part in value)


def _is_graph(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) <= {"edges", "n", "extra_faces", "fingerprint", "costs"}
        and ("edges" in value or "fingerprint" in value)
        and isinstance(value.get("edges", []), list)
        and all(_is_pair(edge) for edge in value.get("edges", []))
        and _is_text(value.get("fingerprint", ""))
        and isinstance(value.get("costs", []), list)
        and all(_is_number(cost) for cost in value.get("costs", []))
        and all(_is_int(value.get(name, 0)) for name in ("n", "extra_faces"))
    )


# What each field must be.
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "mode": (_is_text, "the name of a mode"),
    "options": (lambda value: isinstance(value, dict), "an object, {} for none"),
    "lattice": (_is_text, "the name of a lattice"),
    "periodic": (_is_text, "none, rows, columns or both"),
    "graph": (_is_graph, "an object of edges ([[a, b], …]), n and extra_faces, or a fingerprint"),
    "laid": (_is_rows, "a list of rows of text"),
    "settled": (_is_rows, "a list of rows of text"),
    "moves": (_is_moves, "a list of [row, col], or of nodes on a graph"),
    "after": (
        lambda value: isinstance(value, list) and all(_is_rows(rows) for rows in value),
        "a list of boards, one for each move",
    ),
    "steps": (_is_int, "a whole number"),
    "agent": (_is_text, "text"),
    "seed": (_is_int, "a whole number"),
    "p": (_is_number, "a number"),
    "version": (_is_text, "text"),
    "seconds_a_move": (_is_number, "a number"),
}
REQUIRED = ("mode", "options", "laid", "moves")
ABOUT = ("settled", "after", "steps", "agent", "version", "seconds_a_move")
