"""Values, bounds and time of the network solver on random boards, one core.

    python benchmarks/solver_network.py                          # 20 × 20, fast
    python benchmarks/solver_network.py --effort thorough --work 10
    python benchmarks/solver_network.py --size 8 --p 0.6 0.8 1.0 --effort thorough

Means over all boards with their standard errors. Seconds are processor time.
"""

import argparse
import math
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402

from pinchpoint.game.engine import Games  # noqa: E402
from pinchpoint.game.sampling import sample_boards  # noqa: E402
from pinchpoint.solvers.dispatch import warm_up  # noqa: E402
from pinchpoint.solvers.network.solve import solve_network  # noqa: E402


def measure(p: float, options: argparse.Namespace) -> str:
    boards = sample_boards(
        "network", size=options.size, p=p, count=options.count, seed=options.seed
    )
    games = Games(boards)
    seconds, solutions = [], []
    for row in range(len(games)):
        began = time.process_time()
        solutions += solve_network(games.take([row]), math.inf, options.work, options.effort)
        seconds.append(time.process_time() - began)
    value = np.array([s.value for s in solutions])
    bound = np.array([s.bound for s in solutions])
    error = value.std(ddof=1) / np.sqrt(len(value))
    return (
        f"| {p:.2f} | {value.mean():.2f} ± {error:.2f} | {bound.mean():.2f} "
        f"| {np.mean(value == bound):.0%} | {np.mean(seconds):.2f} | {max(seconds):.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument(
        "--p", type=float, nargs="+", default=[0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95]
    )
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=float, default=10.0, help="a board; 1 is about a second")
    parser.add_argument("--effort", choices=["fast", "thorough"], default="fast")
    options = parser.parse_args()
    warm_up("network")
    print(f"{options.size} × {options.size}, {options.count} boards, {options.effort}")
    print("| p | moves | bound | proven | seconds, mean | seconds, most |")
    print("|---|---|---|---|---|---|")
    for p in options.p:
        print(measure(p, options), flush=True)


if __name__ == "__main__":
    main()
