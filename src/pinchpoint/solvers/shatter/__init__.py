"""The shatter solver: the cheapest nodes whose removal leaves small pieces. Start at `solve.py`."""

from pinchpoint.solvers.shatter.cover import cheapest_cover
from pinchpoint.solvers.shatter.solve import solve_shatter

__all__ = ["cheapest_cover", "solve_shatter"]
