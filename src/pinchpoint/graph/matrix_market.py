"""Matrix Market files: where a square matrix is not zero.

We read them ourselves. SciPy's parser ends the whole process on a damaged file, and takes as much
memory as the file's first lines promise.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.types import Longs

LAYOUTS = {"coordinate": 2, "array": 0}  # numbers before a value: its place, or none, by columns
VALUES = {"pattern": 0, "real": 1, "integer": 1, "unsigned-integer": 1, "complex": 2}  # numbers
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
BANNER = "%%MatrixMarket matrix coordinate pattern symmetric"

Rows = Iterator[tuple[int, list[bytes]]]  # lines that are no comments: number and words


class Pattern(NamedTuple):
    """The entries of a matrix that are not zero."""

    n: int  # rows and columns
    places: Longs  # [E, 2]  row and column, from 0
    symmetric: bool  # whether every entry stands for the one across the diagonal too


def read_pattern(data: bytes, where: str) -> Pattern:
    """Read a matrix; the memory that this takes goes by the length of the data."""
    layout, values, symmetry = _banner(data, where)
    rows = _rows(data)
    place, sizes = next(rows, (1, []))
    try:
        height, width, *rest = [int(word) for word in sizes]
        stated = rest[0] if layout == "coordinate" else _entries(height, symmetry)
    except (ValueError, IndexError):
        raise InputError(f"{where}, line {place}, does not state the sizes of a matrix") from None
    if height != width:
        raise InputError(f"{where} is {height} × {width}; the matrix of a graph is square")
    read = _numbers(rows, height, LAYOUTS[layout], values, where)
    table = np.array(list(read), dtype=np.int64).reshape(-1, LAYOUTS[layout] + 1)
    if len(table) != stated:
        raise InputError(f"{where} holds {len(table)} entries; it states {stated}")
    places = table[:, :2] - 1 if layout == "coordinate" else _by_columns(height, symmetry)
    return Pattern(height, places[table[:, -1] != 0], symmetry != "general")


def _banner(data: bytes, where: str) -> tuple[str, int, str]:
    """Return layout, numbers of a value and symmetry, which the first line names."""
    words = data[:200].partition(b"\n")[0].decode(errors="replace").lower().split()
    match words:
        case ["%%matrixmarket", "matrix", layout, values, symmetry] if (
            layout in LAYOUTS
            and values in VALUES
            and symmetry in SYMMETRIES
            and (layout, values) != ("array", "pattern")
        ):
            return layout, VALUES[values], symmetry
    raise InputError(
        f"{where}, line 1, is no Matrix Market file; such a file begins with a line like {BANNER}"
    )


def _rows(data: bytes) -> Rows:
    for place, line in enumerate(io.BytesIO(data), 1):
        words = line.split()
        if words and not words[0].startswith(b"%"):
            yield place, words


def _numbers(
    rows: Rows, n: int, indices: int, values: int, where: str
) -> Iterator[tuple[int, ...]]:
    """Yield the place of each entry, if it is given, and whether the entry is not zero."""
    for number, words in rows:
        try:
            place = [int(word) for word in words[:indices]]
            value = [float(word) for word in words[indices:]]
        except ValueError:
            place, value = [0], []
        if len(words) != indices + values or not all(1 <= index <= n for index in place):
            raise InputError(f"{where}, line {number}, is no entry of a {n} × {n} matrix")
        yield *place, int(any(value) or not values)


def _entries(n: int, symmetry: str) -> int:
    """Return how many entries a matrix has that are given one after the other."""
    if symmetry == "general":
        return n * n
    return n * (n - 1) // 2 if symmetry == "skew-symmetric" else n * (n + 1) // 2


def _by_columns(n: int, symmetry: str) -> Longs:  # [E, 2]
    """Return the places of these, column by column, of a symmetric matrix the lower half."""
    if symmetry == "general":
        cols, rows = np.divmod(np.arange(n * n), n)
    else:
        cols, rows = np.triu_indices(n, int(symmetry == "skew-symmetric"))
    return np.stack([rows, cols], axis=1).astype(np.int64)
