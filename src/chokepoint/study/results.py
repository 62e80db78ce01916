"""A folder of results: which games have been played, so that a stopped evaluation can go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import chokepoint
from chokepoint.errors import InputError
from chokepoint.files import whole_file
from chokepoint.game.record import Record, write_records
from chokepoint.study.playing import Played

FORMAT = 1  # of the files in the folder
ROW_FORMATS = ("parquet", "csv")


class ResultsFolder:
    """Finished batches in `parts`, each whole or absent; `evaluation.json` says who made them."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.parts = self.path / "parts"
        marker = self.path / "evaluation.json"
        made_by = {"format": FORMAT, "version": chokepoint.__version__}
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
            if marker.exists():
                self._check(marker, made_by)
            write_text(marker, json.dumps(made_by) + "\n")
        except OSError as error:
            raise InputError(f"cannot write to {self.path}: {error.strerror or error}") from None

    def _check(self, marker: Path, made_by: dict[str, Any]) -> None:
        try:
            found = json.loads(marker.read_text(encoding="utf-8"))
            same = {name: found[name] for name in made_by} == made_by
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{marker} is damaged; choose another folder for --out") from None
        if not same:
            raise InputError(
                f"the results in {self.path} were made by Chokepoint {found['version']} "
                f"(format {found['format']}), this is {made_by['version']} (format {FORMAT}); "
                "choose another folder for --out"
            )

    def has(self, key: str) -> bool:
        return (self.parts / f"{key}.npz").exists()

    def save(self, key: str, played: Played) -> None:
        with whole_file(self.parts / f"{key}.npz") as file:
            np.savez_compressed(file, **vars(played))

    def load(self, key: str) -> Played:
        path = self.parts / f"{key}.npz"
        try:
            with np.load(path, allow_pickle=False) as file:
                return Played(file["steps"], file["moves"], file["largest"], file["seconds"])
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise InputError(f"cannot read {path}: {error}; delete it to play again") from None

    def save_fault(self, record: Record) -> Path:
        """Keep the game that stopped an evaluation, for `chokepoint replay`."""
        path = self.path / "fault.jsonl"
        write_records(path, [record])
        return path


def write_text(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text.encode())


def write_rows(
    rows: pd.DataFrame, folder: Path, row_format: str = "parquet", name: str = "rows"
) -> Path:
    """Rows as rows.parquet or rows.csv."""
    check_row_format(row_format)
    path = folder / f"{name}.{row_format}"
    with whole_file(path) as file:
        if row_format == "csv":
            rows.to_csv(file, index=False)
        else:
            rows.to_parquet(file, index=False)
    return path


def check_row_format(row_format: str) -> None:
    if row_format not in ROW_FORMATS:
        raise InputError(
            f"there is no row format {row_format!r}; choose from {', '.join(ROW_FORMATS)}"
        )


def read_rows(folder: Path) -> pd.DataFrame:
    """The rows that an evaluation wrote in a folder."""
    for row_format, read in (("parquet", pd.read_parquet), ("csv", pd.read_csv)):
        path = folder / f"rows.{row_format}"
        if path.exists():
            try:
                rows = read(path)
            except (OSError, ValueError) as error:
                raise InputError(f"cannot read {path}: {error}") from None
            kinds = {"par": "Int64", "bound": "Int64", "proven": "boolean"}
            return rows.astype({name: kind for name, kind in kinds.items() if name in rows})
    raise InputError(f"{folder} holds no rows.parquet or rows.csv; run `chokepoint evaluate` first")
