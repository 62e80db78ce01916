"""The noodle solver: minimum decycling of a graph. Start reading at `solve.py`."""

from pinchpoint.solvers.noodle.solve import solve_noodle

__all__ = ["solve_noodle"]
