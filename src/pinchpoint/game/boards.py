"""Boards: what is played, on which topology and in which mode; and files of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.archives import read_archive
from pinchpoint.checks import file_path, instance, whole_numbers
from pinchpoint.errors import InputError
from pinchpoint.files import read_text, whole_file
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import check_lattice
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.graph.topology import SQUARE, LatticeKey, Topology
from pinchpoint.types import Array, Bytes, Floats, Longs

SYMBOLS = "#ox*"  # blocked, active, inactive, attacked: the order of the states
KNOWN = str.maketrans("", "", SYMBOLS + ".")  # leaves what is no symbol of a board
MAX_FILE = 2**28  # bytes of the boards of one file


@dataclass(frozen=True, eq=False)
class Boards:
    """Boards on one topology, to be played in one mode.

    Samplers and readers return boards; games, evaluations and records begin with them.
    """

    mode: Mode
    topology: Topology
    laid: Bytes  # [B, N]  1 open, 0 blocked
    numbers: Longs  # [B]  in their sequence or file; random play depends on them
    p: Floats  # [B]  the density that each was drawn with, nan where it is not known
    seed: int | None = None  # that they were drawn with
    name: str = ""  # of the network they are of

    def __len__(self) -> int:
        return len(self.laid)

    def __iter__(self) -> Iterator[Boards]:
        """Yield the boards one by one, each as boards of length 1."""
        return (self[[row]] for row in range(len(self)))

    def __getitem__(self, rows: slice | npt.ArrayLike) -> Boards:
        """Return some of the boards: a slice, row numbers, or True and False for each."""
        chosen = rows if isinstance(rows, slice) else np.atleast_1d(np.asarray(rows))
        if isinstance(chosen, np.ndarray) and not chosen.size:
            chosen = chosen.astype(np.intp)  # an empty list has no kind of its own
        return replace(self, laid=self.laid[chosen], numbers=self.numbers[chosen], p=self.p[chosen])

    @property
    def squares(self) -> Bytes:  # [B, h, w]
        """The boards in rows and columns, on a lattice."""
        return self.laid.reshape(len(self), *self.topology.lattice_shape())

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        """Let numpy take the boards for an array: [B, h, w] on a lattice, [B, N] on a graph."""
        array = self.laid if self.topology.image_shape is None else self.squares
        return np.array(array, dtype) if copy else np.asarray(array, dtype)

    @property
    def size(self) -> str:
        """The size as tables show it, with the lattice if it is not the square one: 20x20."""
        key = self.topology.key
        if key is None:
            return self.name
        height, width = self.topology.lattice_shape()
        return " ".join([f"{height}x{width}", *(() if key == SQUARE else key)])

    @cached_property
    def keys(self) -> list[str]:  # [B]
        """The keys by which files know each of the boards in the mode; they must not change."""
        graph = graph_name(self.topology)
        rule = json.dumps([self.mode.reference, self.mode.options(), graph], sort_keys=True)
        start = hashlib.sha256(rule.encode())
        keys = []
        for board in np.packbits(self.laid, axis=1):
            digest = start.copy()
            digest.update(board.tobytes())
            keys.append(digest.hexdigest()[:24])
        return keys

    def in_mode(self, mode: str | Mode) -> Boards:
        """Return the same boards in another mode."""
        return replace(self, mode=get_mode(mode))


def graph_name(topology: Topology) -> tuple[int, ...] | str:
    """Return what keys call a topology: the shape of a square grid, else the fingerprint."""
    ordinary = topology.weights is None and topology.attackable is None and topology.unit_costs
    if topology.grid is not None and ordinary:
        return topology.grid
    return topology.fingerprint


def make_boards(
    given: npt.ArrayLike,
    mode: str | Mode,
    topology: Topology | None = None,
    numbers: npt.ArrayLike | None = None,
) -> Boards:
    """Make boards of an array: 1 is open and 0 blocked.

    The array is [B, h, w] or [h, w], of the square lattice if no topology is given, or [B, N] or
    [N] with a topology. The boards are numbered 0, 1, … by default.
    """
    array = _as_array(given)
    if topology is not None:
        instance(topology, Topology, "the topology")
    elif array.ndim in (2, 3):
        topology = make_lattice(array.shape[-2], array.shape[-1])
    else:
        raise InputError(
            f"boards have shape {array.shape}; give [h, w] or [B, h, w], "
            "or pass the topology of a graph"
        )
    laid = open_squares(array, topology)
    known = np.arange(len(laid)) if numbers is None else whole_numbers(numbers, "numbers")
    if known.shape != (len(laid),):
        raise InputError(f"{len(laid)} boards need as many numbers; got {known.shape}")
    return Boards(get_mode(mode), topology, laid, known, np.full(len(laid), np.nan))


def join_boards(parts: Sequence[Boards]) -> Boards:
    """Return boards of one mode on one topology as one value."""
    return replace(
        parts[0],
        laid=np.concatenate([part.laid for part in parts]),
        numbers=np.concatenate([part.numbers for part in parts]),
        p=np.concatenate([part.p for part in parts]),
    )


def graph_board(graph: Topology, mode: str | Mode, name: str) -> Boards:
    """Return a network as one board: all its nodes are open."""
    return replace(make_boards(np.ones(graph.n), mode, graph), name=name)


def open_squares(given: npt.ArrayLike, topology: Topology) -> Bytes:  # [B, N]
    """Return boards of 0 and 1 in any accepted shape as a row for each."""
    boards = _as_array(given)
    shape = topology.image_shape
    as_lattice = shape is not None and boards.ndim in (2, 3) and boards.shape[-2:] == shape
    as_nodes = boards.ndim in (1, 2) and boards.shape[-1] == topology.n
    if not (as_lattice or as_nodes):
        expected = f"{topology.n} nodes" if shape is None else f"{shape[0]} × {shape[1]} squares"
        raise InputError(f"boards have shape {boards.shape}; this topology has {expected}")
    if boards.dtype != np.bool_ and not np.isin(boards, (0, 1)).all():
        raise InputError("a board holds 1 for open and 0 for blocked, and nothing else")
    return boards.reshape(-1, topology.n).astype(np.uint8)


def _as_array(given: npt.ArrayLike) -> Array:
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        raise InputError("a board needs rows of one length, and all boards one size") from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"a board holds 1 for open and 0 for blocked, not {array.dtype}")
    return array


# -- text ------------------------------------------------------------------------------------


def text_rows(status: Array) -> list[str]:  # [h, w]
    """Return a board as rows of text: # blocked, o active, x inactive, * attacked."""
    symbols = np.array(list(SYMBOLS))
    return ["".join(row) for row in symbols[status]]


def parse_rows(rows: Sequence[str], where: str = "the board") -> Bytes:  # [h, w]
    """Return the open squares of a board in text: all that were not blocked when it was laid."""
    if not rows or not rows[0]:
        raise InputError(f"{where} is empty; give at least one row of {SYMBOLS} or .")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str):
            raise InputError(f"{where}, row {number}: a row is text, not {row!r}")
        if len(row) != len(rows[0]):
            raise InputError(
                f"{where}, row {number}: {len(row)} squares, but the first row has {len(rows[0])}"
            )
        if unknown := row.translate(KNOWN):
            col = row.index(unknown[0]) + 1
            raise InputError(
                f"{where}, row {number}, column {col}: unknown symbol {unknown[0]!r}; "
                "use # for blocked, o, x or . for open, * for attacked"
            )
    make_lattice(len(rows), len(rows[0]))  # checks the size
    symbols = np.frombuffer("".join(rows).encode(), dtype=np.uint8)
    opened: Bytes = np.not_equal(symbols, ord("#")).astype(np.uint8)
    return opened.reshape(len(rows), len(rows[0]))


# -- files -----------------------------------------------------------------------------------


def read_boards(
    path: str | Path,
    mode: str | Mode = "network",
    lattice: str | None = None,
    periodic: str | None = None,
) -> list[Boards]:
    """Read the boards of a file: text (blank lines part boards) or .npz.

    Boards of one size that follow each other are together. If the file does not name a lattice, it
    is the one given here, or the square one; a file that names another one is an error.
    """
    path, rule = file_path(path), get_mode(mode)
    squares, named = _read_npz(path) if path.suffix == ".npz" else _read_blocks(path)
    key = named or SQUARE
    if lattice is not None or periodic is not None:
        key = LatticeKey(lattice or SQUARE.lattice, periodic or SQUARE.periodic)
        check_lattice(*key)
    if named not in (None, key):
        raise InputError(f"{path} says {_header(named)!r}, not {_header(key)!r}")
    boards, first = [], 0
    for (height, width), alike in groupby(squares, key=lambda board: board.shape):
        array = np.stack(list(alike))
        numbers = np.arange(first, first + len(array))
        boards.append(make_boards(array, rule, make_lattice(height, width, *key), numbers))
        first += len(array)
    return boards


def _read_blocks(path: Path) -> tuple[list[Bytes], LatticeKey | None]:
    """Return the boards of a file of text, each [h, w], and the lattice that it names."""
    lines = read_text(path, "boards are text or .npz", MAX_FILE).splitlines()
    key = _parse_header(lines[0], path) if lines and lines[0].startswith("lattice") else None
    if key is not None:
        lines[0] = ""
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blocks.append((number + 1, []))
            continue
        if not blocks:
            blocks.append((number, []))
        blocks[-1][1].append(line.strip())
    boards = [parse_rows(rows, f"{path} from line {first}") for first, rows in blocks if rows]
    if not boards:
        raise InputError(f"{path} holds no board; give rows of {SYMBOLS} or .")
    return boards, key


def _read_npz(path: Path) -> tuple[list[Bytes], LatticeKey | None]:
    arrays = read_archive(path, {"boards": "biufU"}, {"lattice": "U"})
    boards, named = arrays["boards"], arrays.get("lattice")
    if named is not None and named.shape != ():
        raise InputError(f"{path}: `lattice` has shape {named.shape}; it must be one text")
    key = None if named is None else _parse_header(str(named), path)
    if boards.ndim != 3 or not boards.size:
        raise InputError(f"{path}: `boards` has shape {boards.shape}; it must be [B, h, w]")
    make_lattice(*boards.shape[1:])  # checks the size
    if boards.dtype.kind not in "biu" or boards.min() < 0 or boards.max() > 1:
        raise InputError(f"{path}: `boards` must hold 0 (blocked) and 1 (open) only")
    return list(boards.astype(np.uint8)), key


def _header(key: LatticeKey) -> str:
    """Return the first line of a text file whose boards are not of the square lattice."""
    return f"lattice {key.lattice} periodic {key.periodic}"


def _parse_header(line: str, path: Path) -> LatticeKey:
    words = line.split()
    if len(words) != 4 or words[::2] != ["lattice", "periodic"]:
        raise InputError(
            f"{path}, line 1: {line!r} does not name a lattice; write for example "
            f"{_header(LatticeKey('triangular', 'both'))!r}"
        )
    key = LatticeKey(words[1], words[3])
    check_lattice(*key)
    return key


def write_boards(path: str | Path, boards: Boards | Iterable[Boards | Array]) -> None:
    """Write boards as text or, if the name ends so, as .npz.

    Arrays of 0 and 1 are boards of the square lattice. Those of another lattice carry its name.
    """
    path = file_path(path)
    arrays, key = _writable(boards)
    squares = sum(board.size for board in arrays)
    if squares > MAX_FILE // 2:  # as text a board takes a byte for each square, and line ends
        raise InputError(
            f"cannot write {path}: {squares:,} squares are too many for one file; "
            f"{MAX_FILE // 2:,} are allowed"
        )
    if path.suffix == ".npz" and len({board.shape for board in arrays}) != 1:
        raise InputError(f"cannot write {path}: boards in one .npz file must be of one size")
    with whole_file(path) as file:
        if path.suffix == ".npz":
            named: dict[str, Any] = {"boards": np.stack(arrays)}
            if key != SQUARE:
                named["lattice"] = np.array(_header(key))
            np.savez_compressed(file, **named)
        else:
            file.write((_text(arrays, key) + "\n").encode())


def boards_text(boards: Boards | Iterable[Boards | Array]) -> str:
    """Return boards as the text of a file."""
    return _text(*_writable(boards))


def _text(arrays: Sequence[Bytes], key: LatticeKey) -> str:
    blocks = ["\n".join(text_rows(board)) for board in arrays]
    if key != SQUARE:
        blocks.insert(0, _header(key))
    return "\n\n".join(blocks)


def _writable(boards: Boards | Iterable[Boards | Array]) -> tuple[list[Bytes], LatticeKey]:
    """Return boards in rows and columns, and the one lattice that they are of."""
    arrays: list[Bytes] = []
    keys = set()
    for some in [boards] if isinstance(boards, Boards) else boards:
        if isinstance(some, Boards):
            arrays.extend(some.squares)
            keys.add(some.topology.key or SQUARE)
        else:
            arrays.append(_as_squares(some))
            keys.add(SQUARE)
    if len(keys) > 1:
        raise InputError("the boards of one file must be of one lattice")
    return arrays, keys.pop() if keys else SQUARE


def _as_squares(board: Any) -> Bytes:  # [h, w]
    try:
        array = np.asarray(board)
        squares = array.astype(np.uint8)
    except (ValueError, TypeError, OverflowError):
        squares = array = np.zeros(0, np.uint8)
    if array.ndim != 2 or not np.array_equal(squares, array) or squares.max(initial=0) > 1:
        raise InputError("a board to write has rows and columns of 0 (blocked) and 1 (open)")
    return squares
