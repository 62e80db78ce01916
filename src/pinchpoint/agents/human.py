"""Moves read from a file of game records: what a person, or anyone, once played on these boards."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.record import numbered_records
from pinchpoint.types import Squares


@dataclass(frozen=True)
class HumanAgent:
    """Plays again what the file holds for each board; the first record of a board counts."""

    file: str
    games: dict[str, list[int]] = field(repr=False)  # by board: squares in order
    name: str = "human"

    def act(self, games: Games) -> Squares:
        squares = np.full(len(games), -1, dtype=np.int64)
        running = np.flatnonzero(~games.done)
        for row, key in zip(running, games.as_laid()[running].keys, strict=True):
            squares[row] = self._next(games, int(row), key)
        return squares

    def _next(self, games: Games, row: int, key: str) -> int:
        played = games.history(row)
        moves = self.games.get(key)
        if moves is None:
            raise InputError(
                f"{self.file} has no {games.mode.name} game on the board of game {row}"
            )
        if moves[: len(played)] != played:
            raise InputError(f"game {row} has left the moves that {self.file} holds for its board")
        if len(played) == len(moves):
            raise InputError(
                f"{self.file} holds {len(moves)} moves for the board of game {row}, "
                "after which the game is not over"
            )
        return moves[len(played)]


def make(argument: str, seed: int) -> HumanAgent:
    if not argument:
        raise InputError("the agent human needs a file of game records: human:FILE.jsonl")
    moves: dict[str, list[int]] = {}
    for number, record in numbered_records(argument):
        try:
            squares = record.squares()
        except InputError as error:
            raise InputError(f"{argument}, line {number}: {error}") from None
        moves.setdefault(record.boards.keys[0], squares)
    return HumanAgent(argument, moves)
