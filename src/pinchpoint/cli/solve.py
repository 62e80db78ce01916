"""Par of boards and graphs: the fewest moves, or the best known with a lower bound.

pinchpoint solve board.txt --mode flow
pinchpoint solve boards.npz --mode noodle --time-limit 5 --workers 2 --json
pinchpoint solve power_grid.graphml --mode network
pinchpoint solve roads.edges --mode flow --source Paris --target Lyon Nice
"""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import tyro

from pinchpoint.cli.arguments import counted, parse_mode
from pinchpoint.cli.progress import bar, compile_engine
from pinchpoint.cli.source import BoardSource
from pinchpoint.errors import InputError, printable
from pinchpoint.game.boards import text_rows
from pinchpoint.game.engine import Games
from pinchpoint.graph.topology import Topology

if TYPE_CHECKING:
    from pinchpoint.solvers.solution import Solution

LARGEST_PLAYED = 10**9  # moves times nodes; to play longer plans takes longer than to find them
CHUNK = 16  # boards between two steps of the progress bar
PLAIN_WORD = re.compile(r"[\w.:/+-]+")  # a name that needs no quotes, in any script


@dataclass(frozen=True)
class Options(BoardSource):
    file: Annotated[Path, tyro.conf.Positional]
    """Boards as text (blank lines between several) or .npz; or a graph: .edges, .csv, .graphml,
    .gml, .net, .adjlist, .mtx, .json, each also as .gz; - for standard input, FORMAT:FILE or
    FORMAT:- to say the format (adjlist:-), or network:NAME for a network in the box."""
    mode: str
    """network, flow, noodle, shatter, or package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode, such as axis=both or inclusive=true."""
    time_limit: float | None = None
    """Seconds for each board; the best found by then is printed with its bound. 10 by default."""
    work: float | None = None
    """Work for each board, in place of seconds or beside them: 1 is about a second, counted so that
    every machine finds the same."""
    workers: int = 1
    """Processes that share the boards."""
    check: bool = False
    """Let an independent checker go over every solution; exit code 1 if it finds one wrong."""
    check_time: float = 10.0
    """Seconds for each board in which the checker may prove what the certificate does not show."""
    json: bool = False
    """Print one line of JSON for each board: value, bound, proven, moves, seconds, certificate."""


def run(options: Options) -> int:
    from pinchpoint.solvers.check.checker import check_solution

    if not (math.isfinite(options.check_time) and options.check_time >= 0):
        raise InputError(f"the check time is {options.check_time}; it must be 0 seconds or more")
    batches = _read(options)
    count = sum(map(len, batches))
    compile_engine()
    wrong = 0
    for number, (games, row, solution) in enumerate(_solved(batches, options), 1):
        verdict = (
            check_solution(solution, games, row, options.check_time) if options.check else None
        )
        wrong += verdict is not None and not verdict
        end = games.take([row])
        if verdict is None and len(solution.moves) * end.topology.n <= LARGEST_PLAYED:
            made = end.follow(np.array([solution.moves], dtype=np.int64))
            if not (made.all() and end.done[0]):
                raise AssertionError(f"the moves for board {number} are no game to its end")
        moves = [_name(games.topology, square) for square in solution.moves]
        if options.json:
            record = {**solution.record(), "moves": moves}
            if verdict is not None:
                record["checked"] = verdict.record()
            print(json.dumps(record, default=str), flush=True)
            continue
        what = f"board {number}" if games.topology.names is None else f"graph {options.file}"
        known = "proven" if solution.proven else f"best known, at least {solution.bound}"
        played = counted(len(moves), "move")
        if not games.topology.unit_costs:
            played += f" for {solution.value}"
        print(f"{what}: {played}, {known}, {solution.seconds:.3f} s")
        if moves:
            print("  " + " ".join(_word(move) for move in moves))
        if count == 1 and games.topology.names is None:
            end = games.take([row])
            end.follow(np.array([solution.moves], dtype=np.int64))
            print("\n".join("  " + line for line in text_rows(end.boards[0])))
        if verdict is not None:
            print(f"  {'checked' if verdict else 'WRONG'}: {verdict.reason}")
    return 1 if wrong else 0


def _read(options: Options) -> list[Games]:
    """Lay what the file holds: one graph, or boards in batches of one size."""
    [read] = options.read(options.file, [parse_mode(options.mode, options.rule)])
    return [
        Games(boards[first : first + CHUNK])
        for boards in read
        for first in range(0, len(boards), CHUNK)
    ]


def _solved(batches: list[Games], options: Options) -> Iterator[tuple[Games, int, Solution]]:
    """Yield (games, row, solution) of each board, in the order of the file."""
    from pinchpoint.processes import worker_pool
    from pinchpoint.solvers.dispatch import solve

    # One pool for all boards, as its processes take seconds to start.
    workers = worker_pool(options.workers) if options.workers > 1 else nullcontext()
    with workers as pool, bar("solving", sum(map(len, batches))) as advance:
        for games in batches:
            solutions = solve(games, options.time_limit, options.workers, pool, options.work)
            advance(len(games))
            for row, solution in enumerate(solutions):
                yield games, row, solution


def _name(topology: Topology, node: int) -> Any:
    """Return what a graph calls a node, and (row, column) on a board."""
    if topology.names is not None:
        return topology.names[node]
    return divmod(node, topology.lattice_shape()[1])


def _word(name: Any) -> str:
    if isinstance(name, tuple):
        return f"({', '.join(printable(str(part)) for part in name)})"
    word = printable(str(name))
    return word if PLAIN_WORD.fullmatch(word) else shlex.quote(word)
