"""The folder of an evaluation: the games played so far, so that a stopped one can go on, and rows.

`parts` holds the finished batches, `evaluation.json` says which version made them, `rows.parquet`
(or .csv) holds a row for each game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import chokepoint
from chokepoint.errors import InputError
from chokepoint.files import whole_file, write_text
from chokepoint.game import Record, write_records
from chokepoint.types import Floats, Ints

if TYPE_CHECKING:  # only the rows need pandas
    import pandas as pd

FORMAT = 1  # of the files in the folder
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
    """Finished batches, each in a file that is whole or absent."""

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


# -- rows ------------------------------------------------------------------------------------


def write_rows(
    rows: pd.DataFrame, folder: Path, row_format: str = "parquet", name: str = "rows"
) -> Path:
    """Write rows to rows.parquet or rows.csv in the folder, or under another name."""
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
    """Read the rows that an evaluation wrote in a folder."""
    import pandas as pd

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
