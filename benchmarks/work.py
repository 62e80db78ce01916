"""Measure what a unit of work takes: seconds of processor time for one unit, by mode and board.

    python benchmarks/work.py

The prices of the steps in the solvers are set so that a unit is about a second on one core.
"""

import argparse
import time

from chokepoint.game import Games, sample_boards
from chokepoint.solvers import solve

SETTINGS = [
    *(("network", size, p) for size, p in ((20, 0.7), (20, 0.8), (40, 0.8))),
    *(("noodle", size, p) for size, p in ((20, 0.8), (20, 1.0), (40, 0.8))),
    *(("shatter", size, p) for size, p in ((20, 0.8), (40, 0.8))),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=float, default=1.0, help="for each board")
    parser.add_argument("--boards", type=int, default=3, help="of each setting")
    options = parser.parse_args()
    print("| mode | size | p | seconds a unit of work, of boards that use it up |")
    print("|---|---|---|---|")
    for mode, size, p in SETTINGS:
        games = Games(sample_boards(mode, size, p, options.boards, seed=3), mode)
        solve(games.take([0]), work=0.0)  # compiles
        took = []
        for row in range(len(games)):
            began = time.process_time()
            if not solve(games.take([row]), work=options.work)[0].proven:
                took.append((time.process_time() - began) / options.work)
        print(
            f"| {mode} | {size} | {p} | {' '.join(f'{t:.2f}' for t in took) or '–'} |", flush=True
        )


if __name__ == "__main__":
    main()
