"""Game records as a parquet table: one row a game; what differs in shape is JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from chokepoint.errors import InputError
from chokepoint.files import whole_file

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


def table_lines(path: str | Path) -> Iterator[str]:
    """The rows of a table as lines of JSON: records as `chokepoint.game.record` reads them."""
    pa = _pyarrow()
    try:
        rows = pa.parquet.read_table(path).to_pylist()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (pa.ArrowException, ValueError):
        raise InputError(f"{path} is damaged or is no parquet file") from None
    for row in rows:
        known = {key: value for key, value in row.items() if value is not None}
        for key in NESTED:
            if isinstance(known.get(key), str):
                try:
                    known[key] = json.loads(known[key])
                except ValueError:
                    raise InputError(f"{path}: the column {key} does not hold JSON") from None
        yield json.dumps(known, default=str)


def _pyarrow() -> Any:  # it comes without types
    try:
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError("parquet needs pyarrow; install it with pip install pyarrow") from None
    return pyarrow
