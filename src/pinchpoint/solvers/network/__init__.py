"""The network solver: annealing for a plan, sweeps for a bound. Start reading at `solve.py`."""
