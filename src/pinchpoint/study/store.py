"""What an evaluation has played and solved, in a folder, so that a stopped one can go on.

The file results.sqlite3 has a row for each game, by player and board, and one for each board that
the solver has worked on, by board and amount of work. The rows of a batch are committed together:
whatever stops the program, a batch is in the file or it is not. Several programs may use one
folder.
"""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pinchpoint
from pinchpoint.errors import InputError
from pinchpoint.files import in_one_sentence, new_folder
from pinchpoint.game.record import Record, write_records
from pinchpoint.graph.topology import MAX_NODES
from pinchpoint.solvers.solution import BestPlay

NAME = "results.sqlite3"
FORMAT = 3  # of the file
EARLIER = ("evaluation.json", "par.jsonl", "parts")  # what formats 1 and 2 kept
PATIENCE = 60.0  # seconds to wait for another program that writes
TABLES = """
CREATE TABLE about (format INTEGER, version TEXT);
CREATE TABLE games (
    player TEXT, board TEXT, number INTEGER, moves BLOB, largest INTEGER, seconds REAL,
    PRIMARY KEY (player, board, number)
) WITHOUT ROWID;
CREATE TABLE pars (
    board TEXT, work REAL, moves BLOB, value NUMERIC, bound NUMERIC, seconds REAL,
    PRIMARY KEY (board, work)
) WITHOUT ROWID;
"""

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Played:
    """A finished game."""

    moves: tuple[int, ...]
    largest: int  # squares of the largest piece left at the end
    seconds: float  # the game's share of the time


class Store:
    """The games and pars of a folder, which is made when there is something to keep."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.path = self.folder / NAME
        with in_one_sentence("write to", self.folder):
            places = (self.folder, *self.folder.parents)
            place = next(place for place in places if place.exists())
            if not (place.is_dir() and os.access(place, os.W_OK)):
                what = "it may not be written" if place.is_dir() else "it is not a folder"
                raise InputError(f"cannot write to {self.folder}: {place}: {what}")
            if self.path.exists():
                self._check()
            elif any((self.folder / name).exists() for name in EARLIER):
                raise InputError(
                    f"the results in {self.folder} were made by an earlier version of Pinchpoint; "
                    "choose another folder for --out"
                )

    # -- games and pars ----------------------------------------------------------------------

    def games(
        self, player: str, boards: Sequence[str], numbers: Iterable[int]
    ) -> list[Played | None]:
        """Return the game that a player has played on each board, None where it has not."""
        query = "SELECT moves, largest, seconds FROM games WHERE player=? AND board=? AND number=?"
        keys = [(player, board, int(n)) for board, n in zip(boards, numbers, strict=True)]
        return [None if row is None else self._game(*row) for row in self._find(query, keys)]

    def add_games(
        self,
        player: str,
        boards: Sequence[str],
        numbers: Iterable[int],
        games: Sequence[Played],
    ) -> None:
        """Keep the games of a batch: all of them, or none if the disk is full."""
        rows = [
            (player, board, int(n), _packed(game.moves), game.largest, game.seconds)
            for board, n, game in zip(boards, numbers, games, strict=True)
        ]
        self._write("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)", rows)

    def pars(self, boards: Sequence[str], work: float) -> dict[str, BestPlay]:
        """Return what the solver has found on these boards within so much work."""
        query = "SELECT moves, value, bound, seconds FROM pars WHERE board = ? AND work = ?"
        rows = self._find(query, [(board, work) for board in boards])
        found = zip(boards, rows, strict=True)
        return {board: self._par(*row) for board, row in found if row is not None}

    def add_pars(self, pars: Mapping[str, BestPlay], work: float) -> None:
        """Keep the pars of a batch: all of them, or none if the disk is full."""
        rows = [
            (board, work, _packed(par.moves), par.value, par.bound, par.seconds)
            for board, par in pars.items()
        ]
        self._write("INSERT OR IGNORE INTO pars VALUES (?, ?, ?, ?, ?, ?)", rows)

    def save_fault(self, record: Record) -> Path:
        """Keep the game that stopped an evaluation, for `pinchpoint replay`."""
        with new_folder(self.folder):
            path = self.folder / "fault.jsonl"
            write_records(path, [record])
        return path

    def _game(self, moves: Any, largest: Any, seconds: Any) -> Played:
        if type(largest) is not int or largest < 0:
            raise self._damaged()
        return Played(self._moves(moves), largest, self._number(seconds))

    def _par(self, moves: Any, value: Any, bound: Any, seconds: Any) -> BestPlay:
        value, bound = self._number(value), self._number(bound)
        return BestPlay(self._moves(moves), value, bound, self._number(seconds))

    def _moves(self, packed: Any) -> tuple[int, ...]:
        if not isinstance(packed, bytes) or len(packed) % 4:
            raise self._damaged()
        moves = tuple(np.frombuffer(packed, "<i4").tolist())
        if moves and not 0 <= min(moves) <= max(moves) < MAX_NODES:
            raise self._damaged()
        return moves

    def _number(self, value: Any) -> float:
        if type(value) not in (int, float) or not (math.isfinite(value) and 0 <= value < 1e15):
            raise self._damaged()
        return value  # type: ignore[no-any-return]

    # -- the file ----------------------------------------------------------------------------

    def _check(self) -> None:
        """Raise InputError unless the file is one of this version."""
        with self._connection() as connection:
            if not self._is_new(connection):
                made_by = connection.execute("SELECT format, version FROM about").fetchall()
                if made_by != [(FORMAT, pinchpoint.__version__)]:
                    made = " and ".join(f"{v} (format {f})" for f, v in made_by)
                    raise InputError(
                        f"the results in {self.folder} were made by Pinchpoint {made}, this is "
                        f"{pinchpoint.__version__} (format {FORMAT}); "
                        "choose another folder for --out"
                    )

    @staticmethod
    def _is_new(connection: sqlite3.Connection) -> bool:
        """Whether a program was killed before it had made the tables."""
        return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()

    def _find(self, query: str, keys: Sequence[Row]) -> list[Row | None]:
        if not self.path.exists():
            return [None] * len(keys)
        with self._connection() as connection:
            if self._is_new(connection):
                return [None] * len(keys)
            return [connection.execute(query, key).fetchone() for key in keys]

    def _write(self, statement: str, rows: Sequence[Row]) -> None:
        with new_folder(self.folder), self._connection("rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            if self._is_new(connection):
                for table in TABLES.split(";\n")[:-1]:
                    connection.execute(table)
                made_by = (FORMAT, pinchpoint.__version__)
                connection.execute("INSERT INTO about VALUES (?, ?)", made_by)
            connection.executemany(statement, rows)
            connection.execute("COMMIT")

    @contextmanager
    def _connection(self, access: str = "rw") -> Iterator[sqlite3.Connection]:
        address = f"{self.path.absolute().as_uri()}?mode={access}"
        try:
            with closing(
                sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)
            ) as connection:
                yield connection
        except sqlite3.OperationalError as error:  # the disk is full, the file is locked, …
            doing = "write" if access == "rwc" else "read"
            raise InputError(f"cannot {doing} {self.path}: {error}") from None
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            raise self._damaged() from None

    def _damaged(self) -> InputError:
        return InputError(f"{self.path} is damaged; delete it to play and solve anew")


def _packed(moves: Sequence[int]) -> bytes:
    return np.array(moves, "<i4").tobytes()
