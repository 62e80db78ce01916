"""Par: the fewest moves from a position, or the best known with a lower bound; certified."""

from __future__ import annotations

import math
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor

import numpy as np

from chokepoint.errors import InputError
from chokepoint.game import MODES, Flow, Games
from chokepoint.solvers.check.solutions import Verdict, check
from chokepoint.solvers.flow import solve as flow
from chokepoint.solvers.flow.solve import solve_flow
from chokepoint.solvers.network.solve import solve_network
from chokepoint.solvers.noodle.solve import solve_noodle
from chokepoint.solvers.search import solve_by_search
from chokepoint.solvers.solution import Solution, Solver
from chokepoint.types import Bools

__all__ = [
    "SOLVERS",
    "Solution",
    "Solver",
    "Verdict",
    "check",
    "optimal_squares",
    "solve",
    "worker_pool",
]

SOLVERS: dict[str, Solver] = {  # by mode; a mode of the user's own is solved by search
    "network": solve_network,
    "flow": solve_flow,
    "noodle": solve_noodle,
}


def solve(
    games: Games, time_limit: float = 10.0, workers: int = 1, pool: Executor | None = None
) -> list[Solution]:
    """Solve every position, finished or not begun or in between, as it stands now.

    `time_limit` is in seconds for each position; what is best when it is up is returned with its
    bound. With several workers the positions are shared out among as many processes: those of the
    `pool` (see `worker_pool`), or else new ones.
    """
    if not (math.isfinite(time_limit) and time_limit >= 0):
        raise InputError(f"the time limit is {time_limit}; it must be 0 seconds or more")
    check_workers(workers)
    workers = min(workers, len(games))
    if workers <= 1:
        return _solver(games)(games, time_limit)
    if pool is None:
        with worker_pool(workers) as pool:
            return solve(games, time_limit, workers, pool)
    parts = [games.take(rows) for rows in np.array_split(np.arange(len(games)), workers)]
    tasks = [pool.submit(_solve_part, part, time_limit) for part in parts]
    return [solution for task in tasks for solution in task.result()]


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """Processes for several calls of `solve`: starting them takes seconds."""
    check_workers(workers)
    # Fresh processes: a copy of this one could hold locks of threads that it does not have.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=_one_thread)


def check_workers(workers: int) -> None:
    if workers < 1:
        raise InputError(f"the number of workers is {workers}; it must be 1 or more")


def optimal_squares(games: Games) -> Bools:  # [B, N]
    """All optimal moves of each position, in flow mode: the squares on some smallest cut."""
    if not isinstance(games.mode, Flow):
        raise InputError(
            f"all optimal moves are known in flow mode only; these games are of {games.mode.name}"
        )
    return flow.optimal_squares(games)


def _solver(games: Games) -> Solver:
    kind = type(games.mode)
    ours = MODES.get(kind.name) is kind  # and not a mode of the user's under one of our names
    return SOLVERS.get(kind.name, solve_by_search) if ours else solve_by_search


def _solve_part(games: Games, time_limit: float) -> Sequence[Solution]:
    return _solver(games)(games, time_limit)


def _one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
