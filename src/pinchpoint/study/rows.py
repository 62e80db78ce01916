"""Rows of an evaluation: one for each game, in rows.csv, or in rows.parquet for other programs."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.files import read_bytes, whole_file

if TYPE_CHECKING:  # only the rows need pandas
    import pandas as pd

ROW_FORMATS = ("csv", "parquet")


def scores(rows: pd.DataFrame) -> pd.Series:
    """Return the score of every row: what the moves cost, and their number where a node costs 1.

    Only rows of games with node costs have a column for it.
    """
    found: pd.Series = rows["score" if "score" in rows else "steps"]
    return found


def write_rows(
    rows: pd.DataFrame, folder: Path, row_format: str = "csv", name: str = "rows"
) -> Path:
    """Write rows to rows.csv or rows.parquet in the folder, or under another name."""
    check_row_format(row_format)
    path = folder / f"{name}.{row_format}"
    with whole_file(path) as file:
        put_rows(file, rows, row_format)
    return path


def put_rows(file: BinaryIO, rows: pd.DataFrame, row_format: str) -> None:
    """Write rows to a file that is open."""
    if row_format == "csv":
        rows.to_csv(file, index=False)
    else:
        rows.to_parquet(file, index=False)


def check_row_format(row_format: str) -> None:
    one_of(row_format, ROW_FORMATS, "row format")


def read_rows(folder: Path) -> pd.DataFrame:
    """Read the rows that an evaluation wrote in a folder."""
    path = folder / "rows.csv"
    if not path.exists() and (folder / "rows.parquet").exists():
        raise InputError(
            f"{folder} holds rows.parquet only, which is for other programs; the same "
            "`pinchpoint evaluate` with --format csv writes rows.csv and plays nothing again"
        )
    if not path.exists():
        raise InputError(f"{folder} holds no rows.csv; run `pinchpoint evaluate` first")
    return _checked_rows(path, _read_csv(path))


COLUMNS = {  # of rows: what each holds; the first are there always
    "agent": "text",
    "mode": "text",
    "options": "text",
    "size": "text",
    "p": "number",
    "board": "whole",
    "steps": "whole",
    "seconds": "number",
    "open": "whole",
    "largest": "whole",
    "par": "whole",
    "bound": "whole",
    "proven": "truth",
    "score": "number",  # where nodes have costs; par and bound are costs then
}
REQUIRED = tuple(COLUMNS)[:8]
NO_GAPS = (*(name for name in REQUIRED if name != "p"), "score")
DTYPES = {"text": "string", "number": "float64", "whole": "Int64", "truth": "boolean"}


def _checked_rows(path: Path, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the known columns of rows in their dtypes; raise InputError where they do not fit."""
    missing = [name for name in REQUIRED if name not in rows]
    if missing:
        raise InputError(f"{path} has no column {', '.join(missing)}; it is not of an evaluation")
    kinds = COLUMNS | ({"par": "number", "bound": "number"} if "score" in rows else {})
    rows = rows[[name for name in COLUMNS if name in rows]]
    for name in rows:
        try:
            column = rows[name].astype(DTYPES[kinds[name]])
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{path}: the column {name} holds no {kinds[name]} values") from None
        if name in NO_GAPS and column.isna().any():
            raise InputError(f"{path}: the column {name} has gaps")
        if kinds[name] == "text":
            column = column.astype(object)
        elif name in REQUIRED and kinds[name] == "whole":
            column = column.astype("int64")
        rows = rows.assign(**{name: column})
    if rows.duplicated([name for name in REQUIRED if name not in ("steps", "seconds")]).any():
        raise InputError(f"{path} holds a game twice")
    return rows


def _read_csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_csv(io.BytesIO(read_bytes(path)), float_precision="round_trip")
    except (ValueError, pd.errors.ParserError, OverflowError):
        raise InputError(f"{path} is damaged or is no table of comma-separated values") from None
