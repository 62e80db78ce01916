"""Speed and results of the flow and noodle solvers on random boards, one core.

    python benchmarks/solvers.py                        # the tables of docs/solvers.md
    python benchmarks/solvers.py --quick                # fewer and smaller boards
    python benchmarks/solvers.py --only noodle --limit 10

Seconds are processor time, and so is the limit here: what others do on the machine changes little.
For the network solver see solver_network.py.
"""

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

time.perf_counter = time.process_time  # the clock that the solvers go by

import numpy as np  # noqa: E402

from pinchpoint.game.engine import Games  # noqa: E402
from pinchpoint.game.modes.table import get_mode  # noqa: E402
from pinchpoint.game.sampling import sample_boards  # noqa: E402
from pinchpoint.solvers.dispatch import solve  # noqa: E402
from pinchpoint.solvers.flow.solve import cut_grid  # noqa: E402

QUICK_SPEED = (200, 300)  # boards of 20 × 20, and the side of a large one
QUICK_VALUES = 100  # boards a density
NOODLE = ((10, 5, 20), (20, 2, 10))  # sides of boards, and how many of them: quickly, or all
DENSITIES = (0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00)


def processor_time(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = work()
    return result, time.process_time() - began


def flow_speed(options: argparse.Namespace) -> None:
    """Time a board: value, moves and all optimal moves; and with the certificate."""
    count, large = QUICK_SPEED if options.quick else (2000, 1000)
    print(f"\nFlow, p = 0.8, seed {options.seed}; a batch of 20 × 20 and one large board")
    print("| axis | 20 × 20: answer, ms a board | with certificate, ms |", end="")
    print(f" {large} × {large} with certificate, s |")
    print("|---|---|---|---|")
    for axis in ("vertical", "horizontal", "both"):
        mode = get_mode("flow", axis=axis)
        games = Games(sample_boards(mode, size=20, p=0.8, count=count, seed=options.seed))
        board = Games(sample_boards(mode, size=large, p=0.8, count=1, seed=options.seed))
        solve(games.take([0]))  # compiles
        rows = np.arange(count)
        _, answer = processor_time(partial(cut_grid, games, rows))
        _, certified = processor_time(partial(solve, games))
        _, once = processor_time(partial(solve, board))
        print(
            f"| {axis} | {1e3 * answer / count:.3f} | {1e3 * certified / count:.3f} | {once:.2f} |"
        )


def flow_values(options: argparse.Namespace) -> None:
    """Mean optimum of 20 × 20 boards at each density."""
    count = QUICK_VALUES if options.quick else 1000
    print(f"\nFlow, optimum on 20 × 20, {count} boards each, seed {options.seed}")
    print("| p | vertical | both |")
    print("|---|---|---|")
    for p in DENSITIES:
        means = []
        for axis in ("vertical", "both"):
            mode = get_mode("flow", axis=axis)
            boards = sample_boards(mode, size=20, p=p, count=count, seed=options.seed)
            values = [solution.value for solution in solve(Games(boards))]
            means.append(f"{np.mean(values):.2f}")
        print(f"| {p:.2f} | {' | '.join(means)} |", flush=True)


def noodle(size: int, inclusive: bool, count: int, options: argparse.Namespace) -> None:
    """Values, bounds and time of noodle at K = 2."""
    mode = get_mode("noodle", inclusive=inclusive)
    rule = "inclusive" if inclusive else "strict"
    print(f"\nNoodle, {rule}, {size} × {size}, {count} boards each, seed {options.seed}, ", end="")
    print(f"limit {options.limit:g} s a board")
    print("| p | moves | bound | proven | seconds, mean | seconds, most |")
    print("|---|---|---|---|---|---|")
    for p in DENSITIES:
        some = count if p < 1 else 1  # there is one full board
        boards = sample_boards(mode, size=size, p=p, count=some, seed=options.seed)
        solutions, seconds = [], []
        for board in boards:
            games = Games(board, mode)
            found, took = processor_time(partial(solve, games, options.limit))
            solutions += found
            seconds.append(took)
        value = np.array([solution.value for solution in solutions])
        bound = np.array([solution.bound for solution in solutions])
        print(
            f"| {p:.2f} | {value.mean():.2f} | {bound.mean():.2f} | {np.mean(value == bound):.0%} "
            f"| {np.mean(seconds):.2f} | {max(seconds):.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer and smaller boards")
    parser.add_argument("--only", choices=["flow", "noodle"])
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a board for noodle")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.only != "noodle":
        flow_speed(options)
        flow_values(options)
    if options.only != "flow":
        solve(Games(np.ones((4, 4)), "noodle"))  # compiles
        for inclusive in (False, True):
            for size, quick, full in NOODLE:
                noodle(size, inclusive, quick if options.quick else full, options)


if __name__ == "__main__":
    main()
