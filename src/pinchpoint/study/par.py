"""Par: the fewest moves known for a board. Each board is solved once and kept in a file.

What the solver finds within so much work is the same on every machine, and so are the pars. Pars
that were solved with another amount of work may be better, but are not mixed in.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.files import append_text, parse_json, read_bytes
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.graph.topology import (
    MAX_NODES,
)
from pinchpoint.solvers.dispatch import solve

CHUNK = 16  # boards that a worker solves at a time


@dataclass(frozen=True)
class Par:
    """What the solver found on one board."""

    moves: tuple[int, ...]
    value: float  # what the moves cost
    bound: float  # no play costs less
    seconds: float  # the time that it took
    work: float  # what the solver was allowed

    @property
    def proven(self) -> bool:
        return self.value == self.bound


def solve_boards(boards: Boards, work: float) -> dict[str, Par]:
    """Return the pars of boards by their keys; `work` is the limit of the solver for each."""
    solutions = solve(Games(boards), work=work)
    return {
        key: Par(found.moves, found.value, found.bound, found.seconds, work)
        for key, found in zip(boards.keys, solutions, strict=True)
    }


class ParFile:
    """A file of pars that only grows: one line of JSON for each, written when it is found.

    A line counts once it is whole. Pars of another amount of work may stand in the file; they are
    not looked at.
    """

    def __init__(self, path: Path, work: float) -> None:
        self.path, self.work = path, work
        self.known: dict[str, Par] = {}
        self._torn: int | None = None  # where a line begins that was not written to its end
        if path.exists():
            self._read()

    def _read(self) -> None:
        whole = read_bytes(self.path)
        end = whole.rfind(b"\n") + 1
        for number, line in enumerate(whole[:end].splitlines(), 1):
            try:
                key, par = _parse(line)
                if par.work == self.work:
                    self.known[key] = par
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{self.path}, line {number}, is damaged; delete the file to solve anew"
                ) from None
        self._torn = end if end < len(whole) else None

    def add(self, found: dict[str, Par]) -> None:
        """Keep these pars and write them to the file: all of them, or none if the disk is full."""
        if self._torn is not None:  # a program was killed while it wrote the last line
            os.truncate(self.path, self._torn)
            self._torn = None
        append_text(self.path, "".join(_line(key, par) for key, par in found.items()))
        self.known |= found


def _line(key: str, par: Par) -> str:
    item: dict[str, Any] = {"key": key, "moves": list(par.moves), "bound": par.bound}
    item |= {"value": par.value, "seconds": par.seconds, "work": par.work}
    return json.dumps(item) + "\n"


def _parse(line: bytes) -> tuple[str, Par]:
    """Read what `_line` wrote; raise ValueError, KeyError or TypeError on anything else."""
    item = parse_json(line)
    key, moves, value = item["key"], item["moves"], item["value"]
    numbers = bound, seconds, work = item["bound"], item["seconds"], item["work"]
    if not isinstance(key, str) or not isinstance(moves, list):
        raise ValueError
    if not all(type(move) is int and 0 <= move < MAX_NODES for move in moves):
        raise ValueError
    if not all(type(each) in (int, float) and 0 <= each < 1e15 for each in (value, *numbers)):
        raise ValueError
    return key, Par(tuple(moves), value, bound, float(seconds), float(work))
