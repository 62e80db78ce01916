"""One finished game as a line of JSON, and the check that it was played by the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

import pinchpoint
from pinchpoint.checks import file_path
from pinchpoint.errors import InputError
from pinchpoint.files import MAX_JSON, check_regular, parse_json, read_lines, whole_file
from pinchpoint.game.boards import parse_rows, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import known_mode
from pinchpoint.game.parquet_footer import Stated, stated_sizes
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.graph.topology import (
    SQUARE,
    LatticeKey,
    Topology,
    from_edges,
)
from pinchpoint.types import Bytes

MOST_EDGES = 5_000  # of a graph that a record holds; of a larger one it holds the fingerprint

BoardText = list[str]
Move = list[int] | int  # [row, col] on a lattice, the node on a graph


class NotAGame(InputError):
    """A well-formed record of something that is not a legal finished game."""


@dataclass(frozen=True)
class Record:
    """A game: what was laid, by which rule, and the squares attacked in order."""

    mode: str  # the name of a mode that is known: a record never loads code
    options: Mapping[str, Any]
    laid: BoardText  # of # and o; on a graph one row, a symbol for each node
    moves: list[Move]
    settled: BoardText | None = None  # the board when laid
    after: list[BoardText] | None = None  # and after every move
    steps: int | None = (
        None  # the number of moves, for readers of the file that do not know the rules
    )
    agent: str | None = None
    seed: int | None = None  # that the board was drawn with
    p: float | None = None
    version: str | None = None  # of Pinchpoint, that the game was played with
    seconds_a_move: float | None = None  # that the agent took, mean over the game
    lattice: str | None = None  # its kind and what is periodic, if not the square one
    periodic: str | None = None
    graph: Mapping[str, Any] | None = None  # see `_graph_of`
    extra: Mapping[str, Any] = field(default_factory=dict)  # further fields, carried along
    network: Topology | None = field(default=None, repr=False, compare=False)  # see `on_graph`

    def rule(self) -> Mode:
        return known_mode(self.mode, self.options)

    def topology(self) -> Topology:
        if self.network is not None:
            return self.network
        if self.graph is not None:
            return _graph_from(self.graph)
        key = LatticeKey(self.lattice or SQUARE.lattice, self.periodic or SQUARE.periodic)
        return make_lattice(len(self.laid), len(self.laid[0]), *key)

    def board(self) -> Bytes:  # [N]  1 open, 0 blocked
        symbols = np.frombuffer("".join(self.laid).encode(), dtype=np.uint8)
        return np.where(symbols == ord("#"), 0, 1).astype(np.uint8)

    def squares(self) -> list[int]:
        """Return the moves as numbers of squares."""
        topology = self.topology()
        return [_square(move, topology) for move in self.moves]

    def games(self) -> Games:
        """Return the board as it was laid, ready to be played."""
        return Games(self.board()[None], self.rule(), self.topology())


def on_graph(record: Record, *graphs: Topology) -> Record:
    """Return the record on the one of these graphs, read from their files, that it was played on.

    The fingerprints must agree.
    """
    if record.graph is None:
        raise InputError("the game was played on a lattice and not on a graph")
    wanted = record.graph.get("fingerprint") or record.topology().fingerprint
    for graph in graphs:
        if graph.fingerprint == wanted:
            return replace(record, network=graph)
    which = "this graph" if len(graphs) == 1 else "any of these graphs"
    has = ", ".join(graph.fingerprint for graph in graphs)
    raise InputError(
        f"the game was not played on {which}: its record has the fingerprint {wanted}, the "
        f"graph{'s have' if len(graphs) > 1 else ' has'} {has} (costs of nodes count, too)"
    )


def game_record(
    mode: Mode, topology: Topology, laid: npt.ArrayLike, squares: Iterable[int], **about: Any
) -> Record:
    """Return the record of a game; `about` holds what else is known: agent, seed, p, …"""
    key = topology.key
    moves = [_as_move(int(square), topology) for square in squares]
    return _build(
        {
            "mode": mode.reference,
            "options": mode.on(topology).options(),
            "lattice": None if key in (None, SQUARE) else key.lattice,
            "periodic": None if key in (None, SQUARE) else key.periodic,
            "graph": _graph_of(topology) if key is None else None,
            "laid": board_text(np.asarray(laid).astype(np.uint8), topology),
            "moves": moves,
            "steps": len(moves),
            "version": pinchpoint.__version__,
        }
        | about
    )


def record_of(games: Games, row: int = 0, **about: Any) -> Record:
    """Return the record of one game of a batch."""
    return game_record(games.mode, games.topology, games.laid[row], games.history(row), **about)


def board_text(status: Bytes, topology: Topology) -> BoardText:  # [N]
    """Return a board as rows of text; a graph is one row."""
    shape = (1, topology.n) if topology.key is None else topology.lattice_shape()
    return text_rows(status.reshape(shape))


# -- checking --------------------------------------------------------------------------------


def replay_steps(record: Record) -> Iterator[Games]:
    """Yield the game when laid and after each of its moves: one `Games`, advanced in place.

    Raise NotAGame where it breaks the rules, or where the record contradicts itself.
    """
    games = record.games()
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
    known = {name: getattr(record, name) for name in FIELDS}
    return json.dumps({k: v for k, v in known.items() if v is not None} | dict(record.extra))


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


def read_records(path: str | Path) -> list[Record]:
    return [record for _, record in numbered_records(path)]


def numbered_records(path: str | Path) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with the numbers of their lines; blank lines are passed over."""
    path, empty = file_path(path), True
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            empty = False
            yield number, parse_record(line, f"{path}, line {number}")
    if empty:
        raise InputError(f"{path} holds no game record; give one JSON object a line")


def _lines(path: str | Path) -> Iterator[str | bytes]:
    if Path(path).suffix == ".parquet":
        yield from _table_lines(path)
        return
    yield from read_lines(path)


def parse_record(line: str | bytes, where: str = "the record") -> Record:
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
    record = _build(values)
    try:
        _check_form(record)
    except (InputError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{where}: {error}") from None
    return record


def _check_form(record: Record) -> None:
    """Raise InputError if the fields do not fit together: board, rule and kind of moves."""
    if record.graph is not None and "edges" not in record.graph:
        return  # what else there is to check, the graph's own file decides
    topology = record.topology() if record.graph is not None else None
    if topology is None:
        parse_rows(record.laid, "`laid`")
    elif len(record.laid) != 1 or len(record.laid[0]) != topology.n:
        raise InputError(f"`laid` must be one row of {topology.n} symbols, one for each node")
    if set("".join(record.laid)) - set("#o."):
        raise InputError("`laid` must hold # for blocked and o for open squares only")
    kind = list if topology is None else int
    if not all(isinstance(move, kind) for move in record.moves):
        raise InputError("moves are [row, col] on a lattice and node numbers on a graph")
    if record.after is not None and len(record.after) != len(record.moves):
        raise InputError(f"`after` has {len(record.after)} boards for {len(record.moves)} moves")
    record.rule().on(topology or record.topology())


def _build(values: Mapping[str, Any]) -> Record:
    known = {name: value for name, value in values.items() if name in FIELDS}
    return Record(**known, extra={k: v for k, v in values.items() if k not in FIELDS})


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


# What each field must be, in the order in which they are written.
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


# -- parquet tables: one row a game; what differs in shape is JSON text -------------------------

MAX_ROWS, MAX_VALUES, MAX_TABLE = 10**6, 5 * 10**7, 2**29  # of a table; the last in bytes
NESTED = ("options", "origin", "events")


def write_table(path: str | Path, records: Iterable[dict[str, Any]]) -> None:
    """Write games as the web game stores them, whole or not at all."""
    pa = _pyarrow()
    text, whole, number = pa.string(), pa.int64(), pa.float64()
    kinds: dict[str, Any] = {
        "mode": text,
        "options": text,
        "laid": pa.list_(text),
        "moves": pa.list_(pa.list_(whole)),
        "steps": whole,
        "agent": text,
        "seed": whole,
        "p": number,
        "version": text,
        "game": text,
        "player": text,
        "board": text,
        "origin": text,
        "done": pa.bool_(),
        "started_at": whole,
        "ended_at": whole,
        "hints": whole,
        "peeks": whole,
        "undos": whole,
        "agent_moves": whole,
        "events": text,
    }
    rows = [
        {key: json.dumps(value) if key in NESTED else value for key, value in record.items()}
        for record in records
    ]
    table = pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items())))
    with whole_file(path) as file:
        pa.parquet.write_table(table, file)


def _table_lines(path: str | Path) -> Iterator[str]:
    """Yield the rows of a table as lines of JSON, as `parse_record` reads them."""
    for row in read_table(path, lambda table: table.to_pylist()):
        known = {key: value for key, value in row.items() if value is not None}
        for key in NESTED:
            if isinstance(known.get(key), str):
                try:
                    known[key] = parse_json(known[key])
                except ValueError:
                    raise InputError(f"{path}: the column {key} does not hold JSON") from None
        yield json.dumps(known, default=str)


def read_table(path: str | Path, convert: Callable[[Any], Any]) -> Any:
    """Return what `convert` makes of the pyarrow table in a parquet file.

    The sizes in the file are checked before it is unpacked, and the values before they are used.
    """
    pa = _pyarrow()
    check_regular(path)
    try:
        step = _rows_at_once(stated_sizes(path))
        with pa.parquet.ParquetFile(path) as file:
            batches, size = [], 0
            for batch in file.iter_batches(step, use_threads=False) if step else ():
                size += batch.nbytes
                if size > MAX_TABLE:
                    break
                batches.append(batch)
            if step and size <= MAX_TABLE:
                table = pa.Table.from_batches(batches, file.schema_arrow)
                table = table.replace_schema_metadata(None)  # what pandas keeps there is not needed
                table.validate(full=True)
                return convert(table)
    except Exception:  # of a foreign parser: no list of them is complete
        raise InputError(f"{path} is damaged or is no parquet file") from None
    raise InputError(f"{path} is too large; a table has {MAX_ROWS:,} rows at most")


def _rows_at_once(stated: Stated) -> int:
    """Return how many rows of a table can be unpacked together; 0 if it is too large altogether.

    A value that is repeated is stored once. So a row can take as much memory as the whole file.
    """
    if stated.rows > MAX_ROWS or stated.values > MAX_VALUES or stated.unpacked > MAX_TABLE:
        return 0
    return int(max(1, min(MAX_ROWS, MAX_TABLE // max(stated.unpacked, 1))))


def _pyarrow() -> Any:  # it comes without types
    try:
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError("parquet needs pyarrow; install it with pip install pyarrow") from None
    return pyarrow
