"""Random boards by p and seed, named sets of them, and board files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pinchpoint.archives import read_archive
from pinchpoint.checks import file_path, real_number, whole_number
from pinchpoint.errors import InputError
from pinchpoint.files import read_text, whole_file
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import check_lattice
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.graph.topology import SQUARE, LatticeKey, Topology
from pinchpoint.rng import check_seed, draw_boards
from pinchpoint.types import Array, Bools, Bytes, Floats

Size = int | tuple[int, int]
Density = float | tuple[float, float]

SYMBOLS = "#ox*"  # blocked, active, inactive, attacked: the order of the states
KNOWN = str.maketrans("", "", SYMBOLS + ".")  # leaves what is no symbol of a board
MAX_DRAWS = 2000  # boards drawn for one that is not over when laid
MAX_SQUARES = 2**29  # of all boards sampled at once
MAX_FILE = 2**28  # bytes of the boards of one file
AT_ONCE = 2**22  # squares of the boards that are laid together: games hold many times the memory


def sample_boards(
    mode: str | Mode,
    size: Size = 20,
    p: Density = 0.8,
    count: int = 1,
    seed: int = 0,
    start: int = 0,
    lattice: str = "square",
    periodic: str = "none",
) -> Bytes:  # [count, h, w]  1 open, 0 blocked
    """Draw random boards that are not over when laid; board i is the same whatever the count.

    p is one density or a range to draw each board's own from. Boards `start` to `start + count - 1`
    of the seed's endless sequence are returned.
    """
    topology = make_lattice(*board_shape(size), lattice, periodic)
    opened = sample_open(topology, mode, p, count, seed, start)[0]
    return opened.reshape(count, *topology.lattice_shape())


def sample_open(
    topology: Topology,
    mode: str | Mode,
    p: Density,
    count: int,
    seed: int,
    start: int = 0,
) -> tuple[Bytes, Floats]:  # [count, N], [count]
    """Do as `sample_boards`, on any topology; return also the p that each board was drawn with."""
    low, high = density_range(p)
    check_seed(seed)
    count, start = whole_number(count, "the count"), whole_number(start, "the start")
    if count < 0 or not 0 <= start < 2**62:
        raise InputError(f"cannot sample {count} boards from number {start} on; both must be ≥ 0")
    if count * topology.n > MAX_SQUARES:
        raise InputError(f"{count} boards of {topology.n} squares do not fit; sample them in parts")
    rule = get_mode(mode)
    boards = np.zeros((count, topology.n), dtype=np.uint8)
    densities = np.zeros(count)
    missing = np.arange(count)
    for attempt in range(MAX_DRAWS):
        if not len(missing):
            return boards, densities
        drawn = np.empty((len(missing), topology.n), dtype=np.uint8)
        drawn_p = np.empty(len(missing))
        draw_boards(drawn, seed, missing + start, attempt, low, high, drawn_p)
        boards[missing], densities[missing] = drawn, drawn_p
        missing = missing[_over_when_laid(drawn, rule, topology)]
    if not len(missing):
        return boards, densities
    raise InputError(
        f"mode {rule.name}, p = {p}: no board of this size was unfinished in {MAX_DRAWS} draws; "
        "choose a larger p or a larger board"
    )


def _over_when_laid(boards: Bytes, mode: Mode, topology: Topology) -> Bools:  # [B, N] -> [B]
    step = max(1, AT_ONCE // topology.n)
    parts = (boards[i : i + step] for i in range(0, len(boards), step))
    return np.concatenate([Games(part, mode, topology).done for part in parts])


@dataclass(frozen=True)
class BoardSet:
    """A named set of boards: the same ones wherever it is used."""

    mode: str
    size: Size
    p: Density
    count: int
    seed: int

    def boards(self) -> Bytes:  # [count, h, w]
        return sample_boards(self.mode, self.size, self.p, self.count, self.seed)


# Seeds of the named sets are far from those that people type, so that nobody trains on them.
SETS: dict[str, BoardSet] = {
    f"{purpose}-{mode}-{size}": BoardSet(mode, size, p, count, seed)
    for mode in ("network", "flow", "noodle")
    for size in (10, 20)
    for purpose, p, count, seed in (
        ("validation", (0.6, 1.0), 200, 710_001),
        ("test", (0.6, 1.0), 1000, 720_001),
    )
}


def board_set(name: str) -> BoardSet:
    """Return a named set of boards."""
    try:
        return SETS[name]
    except KeyError:
        raise InputError(f"there is no board set {name!r}; choose from {', '.join(SETS)}") from None


def board_shape(size: Size) -> tuple[int, int]:
    """Return (height, width) of a size given as one number or two."""
    if isinstance(size, int | np.integer):
        return whole_number(size, "the size"), whole_number(size, "the size")
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise InputError(f"the size is {size!r}; give one side (20) or height and width (10, 30)")
    return whole_number(size[0], "the height"), whole_number(size[1], "the width")


def density_range(p: Density) -> tuple[float, float]:
    """Return (low, high) of a density given as one number or two."""
    ends = list(p) if isinstance(p, tuple | list) else [p, p]
    if len(ends) != 2:
        raise InputError(f"p is {p!r}; give one density (0.8) or the two ends of a range (0.5, 1)")
    low, high = (real_number(end, "p") for end in ends)
    if not 0 <= low <= high <= 1:
        raise InputError(f"p is {p}; it must lie between 0 and 1, and a range must ascend")
    return low, high


# -- files -----------------------------------------------------------------------------------


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


class BoardFile(NamedTuple):
    """The boards of a file, and the lattice they are of if the file names one."""

    boards: list[Bytes]  # each [h, w]
    key: LatticeKey | None


def read_boards(path: str | Path) -> list[Bytes]:  # each [h, w]
    """Read the boards of the square lattice in a file: text (blank lines part boards) or .npz."""
    boards, key = read_board_file(path)
    if key not in (None, SQUARE):
        raise InputError(
            f"{path} holds boards of another lattice ({_header(key)}); read it with read_board_file"
        )
    return boards


def read_board_file(path: str | Path) -> BoardFile:
    """Read the boards of any lattice in a file."""
    path = file_path(path)
    if path.suffix == ".npz":
        return _read_npz(path)
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
    return BoardFile(boards, key)


def same_lattice(
    path: str | Path, named: LatticeKey | None, wanted: LatticeKey | None
) -> LatticeKey:
    """Return the lattice of a file's boards: the file's own, or the one wanted, or the square one.

    Raise InputError if the two differ.
    """
    if named is not None and wanted not in (None, named):
        raise InputError(f"{path} says {_header(named)!r}, not {_header(wanted)!r}")
    return named or wanted or SQUARE


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


def _read_npz(path: Path) -> BoardFile:
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
    return BoardFile(list(boards.astype(np.uint8)), key)


def write_boards(path: str | Path, boards: Iterable[Array], key: LatticeKey = SQUARE) -> None:
    """Write boards (0 blocked, 1 open) as text or, if the name ends so, as .npz.

    Boards of another lattice than the square one carry its name.
    """
    path = file_path(path)
    arrays = [_writable_board(board) for board in boards]
    squares = sum(board.size for board in arrays)
    if squares > MAX_FILE // 2:  # as text a board takes a byte for each square, and line ends
        raise InputError(
            f"cannot write {path}: {squares:,} squares are too many for one file; "
            f"{MAX_FILE // 2:,} are allowed"
        )
    if Path(path).suffix == ".npz" and len({board.shape for board in arrays}) != 1:
        raise InputError(f"cannot write {path}: boards in one .npz file must be of one size")
    with whole_file(path) as file:
        if Path(path).suffix == ".npz":
            named: dict[str, Any] = {"boards": np.stack(arrays)}
            if key != SQUARE:
                named["lattice"] = np.array(_header(key))
            np.savez_compressed(file, **named)
        else:
            file.write((boards_text(arrays, key) + "\n").encode())


def _writable_board(board: Array) -> Bytes:  # [h, w]
    try:
        array = np.asarray(board)
        squares = array.astype(np.uint8)
    except (ValueError, TypeError, OverflowError):
        squares = array = np.zeros(0, np.uint8)
    if array.ndim != 2 or not np.array_equal(squares, array) or squares.max(initial=0) > 1:
        raise InputError("a board to write has rows and columns of 0 (blocked) and 1 (open)")
    return squares


def boards_text(boards: Iterable[Array], key: LatticeKey = SQUARE) -> str:
    """Return boards as the text of a file."""
    blocks = ["\n".join(text_rows(board)) for board in boards]
    if key != SQUARE:
        blocks.insert(0, _header(key))
    return "\n\n".join(blocks)
