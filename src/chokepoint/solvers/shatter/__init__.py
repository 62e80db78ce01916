"""The shatter solver: the cheapest nodes whose removal leaves small pieces. Start at `solve.py`."""

from chokepoint.solvers.shatter.solve import solve_shatter

__all__ = ["solve_shatter"]
