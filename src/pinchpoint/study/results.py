"""The folder of an evaluation: the games played so far, so that a stopped one can go on, and rows.

`parts` holds the finished batches, `evaluation.json` says which version made them, `rows.parquet`
(or .csv) holds a row for each game.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

import pinchpoint
from pinchpoint.archives import read_archive
from pinchpoint.errors import InputError
from pinchpoint.files import new_folder, read_bytes, read_json, whole_file, write_text
from pinchpoint.game.record import Record, read_table, write_records
from pinchpoint.types import Floats, Ints

if TYPE_CHECKING:  # only the rows need pandas
    import pandas as pd

FORMAT = 2  # of the files in the folder
ROW_FORMATS = ("parquet", "csv")


@dataclass(frozen=True)
class Played:
    """What is kept of B finished games."""

    steps: Ints  # [B]
    moves: Ints  # [Σ steps]  the squares attacked, game after game
    largest: Ints  # [B]  squares of the largest piece left at the end
    seconds: Floats  # [B]  each game's share of the time

    def __len__(self) -> int:
        return len(self.steps)

    def histories(self) -> list[list[int]]:
        """Return the moves of each game."""
        ends = np.cumsum(self.steps)
        return [[int(s) for s in part] for part in np.split(self.moves, ends[:-1])]

    @staticmethod
    def joined(parts: Sequence[Played]) -> Played:
        """Return the games of several batches as one."""
        return Played(
            steps=np.concatenate([part.steps for part in parts]),
            moves=np.concatenate([part.moves for part in parts]),
            largest=np.concatenate([part.largest for part in parts]),
            seconds=np.concatenate([part.seconds for part in parts]),
        )


class ResultsFolder:
    """Finished batches, each in a file that is whole or absent.

    The folder is made when there is something to keep.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.parts = self.path / "parts"
        self._marker = self.path / "evaluation.json"
        self._made_by = {"format": FORMAT, "version": pinchpoint.__version__}
        self._ready = False
        try:
            place = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
            if not (place.is_dir() and os.access(place, os.W_OK)):
                what = "it may not be written" if place.is_dir() else "it is not a folder"
                raise InputError(f"cannot write to {self.path}: {place}: {what}")
            if self._marker.exists():
                self._check(self._marker, self._made_by)
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot write to {self.path}: {reason}") from None

    def make(self) -> None:
        """Make the folder, unless it is there."""
        if self._ready:
            return
        with new_folder(self.parts):
            write_text(self._marker, json.dumps(self._made_by) + "\n")
        self._ready = True

    def _check(self, marker: Path, made_by: dict[str, Any]) -> None:
        try:
            found = read_json(marker, "the mark of an evaluation")
            same = {name: found[name] for name in made_by} == made_by
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{marker} is damaged; choose another folder for --out") from None
        if not same:
            raise InputError(
                f"the results in {self.path} were made by Pinchpoint {found['version']} "
                f"(format {found['format']}), this is {made_by['version']} (format {FORMAT}); "
                "choose another folder for --out"
            )

    def has(self, key: str) -> bool:
        return (self.parts / f"{key}.npz").exists()

    def save(self, key: str, played: Played) -> None:
        self.make()
        with whole_file(self.parts / f"{key}.npz") as file:
            np.savez_compressed(file, **vars(played))

    def load(self, key: str, games: int) -> Played:
        """Return so many games, as they were saved."""
        path = self.parts / f"{key}.npz"
        try:
            played = Played(**read_archive(path, PLAYED))
            _check_played(played, games)
        except InputError as error:
            raise InputError(f"{error}; delete {path} to play these games again") from None
        return played

    def save_fault(self, record: Record) -> Path:
        """Keep the game that stopped an evaluation, for `pinchpoint replay`."""
        self.make()
        path = self.path / "fault.jsonl"
        write_records(path, [record])
        return path


PLAYED = {"steps": "i", "moves": "i", "largest": "i", "seconds": "f"}  # and their dtypes' kinds


def _check_played(played: Played, games: int) -> None:
    """Raise InputError unless these can be the results of so many games."""
    shapes = {array.shape for array in (played.steps, played.largest, played.seconds)}
    good = shapes == {(games,)} and min(played.steps.min(), played.largest.min()) >= 0
    if not good or played.moves.shape != (played.steps.sum(dtype=np.int64),):
        raise InputError(f"the file does not hold {games} games")
    if not (np.isfinite(played.seconds).all() and played.seconds.min() >= 0):
        raise InputError("the file holds times that are no times")


# -- rows ------------------------------------------------------------------------------------


def scores(rows: pd.DataFrame) -> pd.Series:
    """Return the score of every row: what the moves cost, and their number where a node costs 1.

    Only rows of games with node costs have a column for it.
    """
    found: pd.Series = rows["score" if "score" in rows else "steps"]
    return found


def write_rows(
    rows: pd.DataFrame, folder: Path, row_format: str = "parquet", name: str = "rows"
) -> Path:
    """Write rows to rows.parquet or rows.csv in the folder, or under another name."""
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
    if row_format not in ROW_FORMATS:
        raise InputError(
            f"there is no row format {row_format!r}; choose from {', '.join(ROW_FORMATS)}"
        )


def read_rows(folder: Path) -> pd.DataFrame:
    """Read the rows that an evaluation wrote in a folder."""
    for row_format, read in (("parquet", _read_parquet), ("csv", _read_csv)):
        path = folder / f"rows.{row_format}"
        if path.exists():
            return _checked_rows(path, read(path))
    raise InputError(f"{folder} holds no rows.parquet or rows.csv; run `pinchpoint evaluate` first")


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


def _read_parquet(path: Path) -> pd.DataFrame:
    rows: pd.DataFrame = read_table(path, lambda table: table.to_pandas())
    return rows


def _read_csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_csv(io.BytesIO(read_bytes(path)))
    except (ValueError, pd.errors.ParserError, OverflowError):
        raise InputError(f"{path} is damaged or is no table of comma-separated values") from None
