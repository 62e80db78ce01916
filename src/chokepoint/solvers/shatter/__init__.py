"""The shatter solver: the cheapest nodes whose removal leaves small pieces. Start at `solve.py`."""

from chokepoint.solvers.shatter.cover import cheapest_cover
from chokepoint.solvers.shatter.solve import solve_shatter

__all__ = ["cheapest_cover", "solve_shatter"]
