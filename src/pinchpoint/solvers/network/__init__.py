"""The network solver: annealing for a plan, sweeps for a bound. Start reading at `solve.py`."""

from pinchpoint.solvers.network.solve import solve_network

__all__ = ["solve_network"]
