"""The solvers: par of a position, which is the fewest moves that end the game.

Where the fewest are not known, a solver returns the best plan that it found, with a lower bound. A
`Solution` carries a certificate, and `check_solution` goes over it without any code of the solvers.
`SOLVERS` says which solver takes which mode; each has a folder, which a reader enters at
`solve.py`. The oracle of the tests is `fewest_moves`, which tries all games on tiny boards.
"""

from pinchpoint.processes import worker_pool
from pinchpoint.solvers.brute import BruteForce, fewest_moves
from pinchpoint.solvers.check import Verdict, check_solution
from pinchpoint.solvers.dispatch import SOLVERS, optimal_squares, solve, solved_at_once
from pinchpoint.solvers.shatter import cheapest_cover
from pinchpoint.solvers.solution import Solution, Solver

__all__ = [
    "SOLVERS",
    "BruteForce",
    "Solution",
    "Solver",
    "Verdict",
    "cheapest_cover",
    "check_solution",
    "fewest_moves",
    "optimal_squares",
    "solve",
    "solved_at_once",
    "worker_pool",
]
