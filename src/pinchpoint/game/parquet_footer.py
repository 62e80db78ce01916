"""What a parquet file says of itself at its end: how many values its columns have, and their size.

The footer is a struct in Thrift's compact protocol. We read it ourselves, before the library does:
pyarrow ends the whole process when it is asked for the columns of a damaged footer.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, NamedTuple

MAGIC = b"PAR1"
MAX_FOOTER = 2**24  # bytes
DEEPEST = 20  # structs and lists within each other
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

# Numbers of fields in the structs of the format.
ROWS, GROUPS = 3, 4  # of the file
COLUMNS = 1  # of a row group
ABOUT = 3  # of a column chunk
VALUES, UNPACKED = 5, 6  # of what is said about a column chunk


class Stated(NamedTuple):
    """The sizes that a parquet file states."""

    rows: int
    values: int  # in all columns together, those in lists too
    unpacked: int  # bytes


def stated_sizes(path: str | Path) -> Stated:
    """Read the footer of a parquet file; raise ValueError or another error if it is damaged."""
    about = _Reader(_footer(path)).struct()
    columns = [chunk[ABOUT] for group in about[GROUPS] for chunk in group[COLUMNS]]
    return Stated(
        rows=int(about[ROWS]),
        values=sum(max(int(column[VALUES]), 1) for column in columns),
        unpacked=sum(max(int(column[UNPACKED]), 1) for column in columns),
    )


def _footer(path: str | Path) -> bytes:
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 8))
        length, magic = struct.unpack("<I4s", file.read(8))
        if magic != MAGIC or length > min(MAX_FOOTER, end - 8):
            raise ValueError("this is no parquet file")
        file.seek(end - 8 - length)
        return file.read(length)


class _Reader:
    """Reads values one after the other; a struct is a dict by the numbers of its fields."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.signed()
            kind = head & 15
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("the footer is nested too deeply")
        if kind in (TRUE, FALSE, BYTE):
            return self.byte()
        if kind in (I16, I32, I64):
            return self.signed()
        if kind in (DOUBLE, BINARY):
            return self.skip(8 if kind == DOUBLE else self.unsigned())
        if kind in (LIST, SET):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.unsigned()
            return [self.value(head & 15, depth + 1) for _ in range(count)]
        if kind == STRUCT:
            return self.struct(depth + 1)
        raise ValueError("the footer is damaged")  # maps do not occur

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self) -> int:
        found = shift = 0
        while shift < 64:
            byte = self.byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7
        raise ValueError("the footer holds a number of more than 64 bits")

    def signed(self) -> int:
        found = self.unsigned()
        return (found >> 1) ^ -(found & 1)

    def skip(self, length: int) -> None:
        """Pass over what is not needed: numbers with a point, and text."""
        self.at += length
        if self.at > len(self.data):
            raise ValueError("the footer is cut off")
