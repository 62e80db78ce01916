"""Measure the engine on this machine: random play to the end of the game, on one core.

The timing here is also what benchmarks/engine.py uses, which adds a peer to compare with; it lives
in the package because an installed one has no benchmarks folder.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass

from pinchpoint.cli.progress import bar, compile_engine
from pinchpoint.errors import InputError
from pinchpoint.game.duel import Duels
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import BUILT_IN
from pinchpoint.game.restore import Restorations
from pinchpoint.game.sampling import sample_boards

DENSITY = 0.8
SETTINGS = ((20, 100), (200, 2))  # sides, and how many boards of them


@dataclass(frozen=True)
class Options:
    repeats: int = 20
    """Runs of each measurement; the best one counts."""
    json: bool = False
    """Print one JSON object."""


def run(options: Options) -> None:
    if options.repeats < 1:
        raise InputError(f"repeats is {options.repeats}; it must be 1 or more")
    compile_engine()
    speeds: dict[tuple[str, int], float] = {}  # moves a second by mode and side
    with bar("measuring", len(BUILT_IN) * len(SETTINGS)) as advance:
        for mode in BUILT_IN:
            for side, count in SETTINGS:
                boards = sample_boards(mode, side, DENSITY, count, seed=1)
                speeds[mode, side] = 1 / engine_time(Games(boards), options.repeats)
                advance(1)
    if options.json:
        rows = [
            {"mode": mode, "size": side, "p": DENSITY, "moves_per_second": round(speed)}
            for (mode, side), speed in speeds.items()
        ]
        print(json.dumps({"processor": processor(), "results": rows}))
        return
    print(f"{platform.machine()}, {processor()}, Python {platform.python_version()}, one core")
    for (mode, side), speed in speeds.items():
        print(f"{mode:8} {side:4} × {side:<4} {speed:14,.0f} moves/s")


def engine_time(laid: Games | Duels | Restorations, repeats: int) -> float:
    """Return the seconds that a move of random play takes, choosing it included."""
    copies = [laid.copy() for _ in range(repeats + 1)]

    def play() -> int:
        games = copies.pop()
        games.play_randomly(seed=1)
        return int(games.move_counts.sum())

    play()  # compiles
    return seconds_a_move(play, repeats)


def seconds_a_move(play: Callable[[], int], repeats: int) -> float:
    """Return the processor time of a move in the best of many runs; other work only adds to it."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        moves = play()
        times.append((time.process_time() - start) / moves)
    return min(times)


def processor() -> str:
    """Return the name of the processor, as far as the system tells."""
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor()
