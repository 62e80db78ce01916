"""Par: the fewest moves known for a board. Each board is solved once and kept in a file.

What the solver finds within so much work is the same on every machine, and so are the pars. Pars
that were solved with another amount of work may be better, but are not mixed in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.files import append_text, parse_json, read_bytes
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import (
    MAX_NODES,
    SQUARE,
    LatticeKey,
    Topology,
)
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Bytes

CHUNK = 16  # boards that a worker solves at a time


@dataclass(frozen=True)
class ParTask:
    """Boards to solve; plain values only, because it travels between processes."""

    mode: str
    options: str  # JSON
    boards: Bytes  # [B, h, w]
    keys: tuple[str, ...]
    work: float  # limit of the solver for each board
    lattice: LatticeKey = SQUARE
    graph: Topology | None = None


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


def solve_task(task: ParTask) -> dict[str, Par]:
    """Solve the boards of a task, and return their pars by their keys."""
    mode = get_mode(task.mode, **json.loads(task.options))
    if task.graph is not None:
        games = Games(task.boards[:, 0], mode, task.graph)
    else:
        games = Games(
            task.boards, mode, lattice(task.boards.shape[1], task.boards.shape[2], *task.lattice)
        )
    solutions: list[Solution] = solve(games, work=task.work)
    return {
        key: Par(found.moves, found.value, found.bound, found.seconds, task.work)
        for key, found in zip(task.keys, solutions, strict=True)
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

    def missing(self, boards: dict[str, Bytes]) -> dict[str, Bytes]:
        """Return the boards, given by their keys, that have not been solved."""
        return {key: boards[key] for key in boards if key not in self.known}


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


def par_tasks(
    mode: Mode,
    boards: dict[str, Bytes],
    work: float,
    lattice: LatticeKey = SQUARE,
    graph: Topology | None = None,
) -> Iterator[ParTask]:
    """Cut the work of solving boards into tasks; the boards are given by key, all of one size."""
    keys = list(boards)
    options = json.dumps(mode.options())
    for start in range(0, len(keys), CHUNK):
        part = tuple(keys[start : start + CHUNK])
        laid = np.stack([boards[key] for key in part])
        yield ParTask(mode.reference, options, laid, part, work, lattice, graph)
