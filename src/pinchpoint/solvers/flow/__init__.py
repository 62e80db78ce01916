"""The flow solver: smallest cuts between terminals. Start reading at `solve.py`."""

from pinchpoint.solvers.flow.solve import optimal_flow_squares, solve_flow

__all__ = ["optimal_flow_squares", "solve_flow"]
