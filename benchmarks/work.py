"""Measure what a unit of work takes: seconds of processor time for one unit, by mode and board.

    python benchmarks/work.py

The prices of the steps in the solvers are set so that a unit is about a second on one core.
"""

import argparse
import time
from typing import Any

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.dispatch import solve

# A mode with its options, and the lattice, sides and densities of its boards.
SETTINGS: list[tuple[str, dict[str, Any], str, tuple[tuple[int, float], ...]]] = [
    ("network", {}, "square", ((20, 0.7), (20, 0.8), (40, 0.8))),
    ("noodle", {}, "square", ((20, 0.8), (20, 1.0), (40, 0.8))),
    ("noodle", {"K": 2.3}, "square", ((10, 0.8), (20, 0.8))),  # by search
    ("flow", {"axis": "both"}, "triangular", ((10, 0.8), (20, 0.8))),  # by search
    ("shatter", {}, "square", ((12, 0.85), (20, 0.8), (40, 0.8))),
]


def seconds_a_unit(games: Games, work: float) -> list[float]:
    """Return the processor time that a unit of work took, for each board that used all of it."""
    solve(games.take([0]), work=0.0)  # compiles
    took = []
    for row in range(len(games)):
        began = time.process_time()
        if not solve(games.take([row]), work=work)[0].proven:
            took.append((time.process_time() - began) / work)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=float, default=1.0, help="for each board")
    parser.add_argument("--boards", type=int, default=3, help="of each setting")
    parser.add_argument("--mode", help="only this one")
    options = parser.parse_args()
    print("| mode | lattice | size | p | seconds a unit of work, of boards that use it up |")
    print("|---|---|---|---|---|")
    for name, rule, lattice, boards in SETTINGS:
        if options.mode not in (None, name):
            continue
        mode = get_mode(name, **rule)
        for size, p in boards:
            drawn = sample_boards(mode, size, p, options.boards, seed=3, lattice=lattice)
            took = seconds_a_unit(Games(drawn), options.work)
            shown = " ".join(f"{t:.2f}" for t in took) or "–"
            print(f"| {mode!r} | {lattice} | {size} | {p} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
