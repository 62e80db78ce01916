"""Which solver takes which mode, and how positions are shared out among processes."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from functools import cache

import numpy as np

from pinchpoint.checks import instance
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import MODES
from pinchpoint.processes import check_workers, worker_pool
from pinchpoint.solvers.any_mode import solve_by_search
from pinchpoint.solvers.budget import check_limits
from pinchpoint.solvers.flow.solve import optimal_flow_squares, solve_flow
from pinchpoint.solvers.network.solve import solve_network
from pinchpoint.solvers.noodle.solve import solve_noodle
from pinchpoint.solvers.shatter.solve import solve_shatter
from pinchpoint.solvers.solution import Solution, Solver
from pinchpoint.types import Bools

SOLVERS: dict[str, Solver] = {  # by mode; a mode of the user's own is solved by search
    "network": solve_network,
    "flow": solve_flow,
    "noodle": solve_noodle,
    "shatter": solve_shatter,
}
WITH_COSTS = ("flow", "shatter")  # the others count moves; with node costs they leave it to search
# Modes whose solver is exact and answers at once, and what finds all optimal moves in them.
OPTIMAL_SQUARES: dict[str, Callable[[Games], Bools]] = {"flow": optimal_flow_squares}


def solve(
    games: Games,
    time_limit: float | None = None,
    workers: int = 1,
    pool: Executor | None = None,
    work: float | None = None,
) -> list[Solution]:
    """Solve every position as it stands now, whether fresh, in progress or over.

    Each position may take `time_limit` seconds, or so much `work`, or both; without either, ten
    seconds. After that the best plan so far is returned with its bound. A unit of work is about a
    second on one core, but counted in steps: what is found within it is the same on every machine,
    busy or idle. With several workers the positions are shared out among as many processes: those
    of the `pool` (see `worker_pool`), or else new ones.
    """
    instance(games, Games, "the games")
    limits = check_limits(time_limit, work)
    check_workers(workers)
    workers = min(workers, len(games))
    if workers <= 1:
        return _solve_part(games, limits)
    if pool is None:
        with worker_pool(workers) as pool:
            return solve(games, time_limit, workers, pool, work)
    parts = [games.take(rows) for rows in np.array_split(np.arange(len(games)), workers)]
    tasks = [pool.submit(_solve_part, part, limits) for part in parts]
    return [solution for task in tasks for solution in task.result()]


def solved_at_once(mode: Mode) -> bool:
    """Return whether the optimum and all optimal moves of a mode are found at once."""
    return _built_in_name(mode) in OPTIMAL_SQUARES


def optimal_squares(games: Games) -> Bools:  # [B, N]
    """Return all optimal moves of each position; they are known in flow mode only."""
    if not solved_at_once(games.mode):
        raise InputError(
            f"all optimal moves are known in {', '.join(OPTIMAL_SQUARES)} mode only; these games "
            f"are of {games.mode.name}"
        )
    return OPTIMAL_SQUARES[games.mode.name](games)


def _solve_part(games: Games, limits: tuple[float, float]) -> list[Solution]:
    topology = games.topology
    if topology.weights is not None or topology.attackable is not None:
        raise InputError("solvers take graphs whose nodes all weigh 1 and may all be attacked")
    name = _built_in_name(games.mode)
    if name not in WITH_COSTS and not topology.unit_costs:
        return solve_by_search(games, *limits)
    if name in SOLVERS:
        warm_up(name)
    return SOLVERS.get(name, solve_by_search)(games, *limits)


@cache
def warm_up(name: str) -> None:
    """Solve a small board of a mode, so that compiling does not use up the time of a position."""
    SOLVERS[name](Games(np.ones((6, 6)), name), math.inf, 1.0)


def _built_in_name(mode: Mode) -> str:
    """Return the name of a mode of ours, "" for the user's own, even under one of our names."""
    kind = type(mode)
    return kind.name if MODES.get(kind.name) is kind else ""
