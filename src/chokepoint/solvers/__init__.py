"""The solvers: par of a position, with a lower bound and the grounds for both."""

from __future__ import annotations

from chokepoint.engine import Games
from chokepoint.errors import InputError
from chokepoint.solvers.flow import optimal_squares, solve_flow
from chokepoint.solvers.network import solve_network
from chokepoint.solvers.solution import Solution, Solver

__all__ = ["SOLVERS", "Solution", "Solver", "optimal_squares", "solve"]

SOLVERS: dict[str, Solver] = {"network": solve_network, "flow": solve_flow}


def solve(games: Games, time_limit: float = 10.0) -> list[Solution]:
    """The best play found from each position; `time_limit` is in seconds, for each of them."""
    if not time_limit >= 0:
        raise InputError(f"the time limit is {time_limit}; it must be 0 seconds or more")
    solver = SOLVERS.get(games.mode.name)
    if solver is None:
        raise InputError(
            f"there is no solver for mode {games.mode.name}; {', '.join(SOLVERS)} have one"
        )
    return solver(games, time_limit)
