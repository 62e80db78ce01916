"""Par of boards: the fewest moves, or the best known with a lower bound.

chokepoint solve board.txt --mode flow
chokepoint solve boards.npz --mode noodle --time-limit 5 --workers 2 --json
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from chokepoint.cli.arguments import counted, parse_mode
from chokepoint.cli.progress import bar, compile_engine
from chokepoint.errors import InputError
from chokepoint.game import Games, Mode, read_boards, text_rows
from chokepoint.types import Bytes

CHUNK = 16  # boards between two steps of the progress bar


@dataclass(frozen=True)
class Options:
    file: Annotated[Path, tyro.conf.Positional]
    """Boards as text (blank lines between several) or .npz."""
    mode: str
    """network, flow, noodle, or package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode, such as axis=both or inclusive=true."""
    time_limit: float = 10.0
    """Seconds for each board; the best found by then is printed with its bound."""
    workers: int = 1
    """Processes that share the boards."""
    check: bool = False
    """Let an independent checker go over every solution; exit code 1 if it finds one wrong."""
    check_time: float = 10.0
    """Seconds for each board in which the checker may prove what the certificate does not show."""
    json: bool = False
    """Print one line of JSON for each board: value, bound, proven, moves, seconds, certificate."""


def run(options: Options) -> int:
    from chokepoint.solvers import check

    if not (math.isfinite(options.check_time) and options.check_time >= 0):
        raise InputError(f"the check time is {options.check_time}; it must be 0 seconds or more")
    mode = parse_mode(options.mode, options.rule)
    boards = read_boards(options.file)
    compile_engine()
    wrong = 0
    for number, (games, row, solution) in enumerate(_solved(boards, mode, options), 1):
        verdict = check(solution, games, row, options.check_time) if options.check else None
        wrong += verdict is not None and not verdict
        width = games.topology.lattice_shape()[1]
        moves = [divmod(square, width) for square in solution.moves]
        if options.json:
            record = {**solution.record(), "moves": moves}
            if verdict is not None:
                record["checked"] = verdict.record()
            print(json.dumps(record), flush=True)
            continue
        known = "proven" if solution.proven else f"best known, at least {solution.bound}"
        print(
            f"board {number}: {counted(solution.value, 'move')}, {known}, {solution.seconds:.3f} s"
        )
        print("  " + " ".join(f"({r}, {c})" for r, c in moves))
        if len(boards) == 1:
            print("\n".join(_after(games, row, solution.moves)))
        if verdict is not None:
            print(f"  {'checked' if verdict else 'WRONG'}: {verdict.reason}")
    return 1 if wrong else 0


def _solved(boards: list[Bytes], mode: Mode, options: Options) -> Iterator[tuple]:  # type: ignore[type-arg]
    """(games, row, solution) of each board, in the order of the file."""
    from chokepoint.solvers import solve, worker_pool

    # One pool for all boards, as its processes take seconds to start.
    workers = worker_pool(options.workers) if options.workers > 1 else nullcontext()
    with workers as pool, bar("solving", len(boards)) as advance:
        for _, alike in groupby(boards, key=lambda board: board.shape):
            group = list(alike)
            for first in range(0, len(group), CHUNK):
                games = Games(np.stack(group[first : first + CHUNK]), mode)
                solutions = solve(games, options.time_limit, options.workers, pool)
                advance(len(games))
                for row, solution in enumerate(solutions):
                    yield games, row, solution


def _after(games: Games, row: int, moves: tuple[int, ...]) -> list[str]:
    """The board when all moves have been made."""
    game = games.take([row])
    for square in moves:
        game.play(square)
    return ["  " + line for line in text_rows(game.boards[0])]
