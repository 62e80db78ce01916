"""Measure moves and time of every baseline, on the same random boards and one core.

    python benchmarks/baselines.py    # 20 × 20, p = 0.8: the table of docs/agents.md
    python benchmarks/baselines.py --p 0.65 --count 50
    python benchmarks/baselines.py --agents degree prune:degree search:32

Means over all boards with their standard errors; milliseconds of processor time for one game played
by itself, the mean of the first few boards.
"""

import argparse
import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402

from pinchpoint.agents.registry import get_agent, play_out  # noqa: E402
from pinchpoint.game.engine import Games  # noqa: E402
from pinchpoint.game.sampling import sample_boards  # noqa: E402

MODES = ("network", "flow", "noodle")
AGENTS = (
    "random",
    "degree",
    "kcore",
    "pagerank",
    "ci:2",
    "ci:3",
    "corehd",
    "articulation",
    "greedy",
    "betweenness",
    "pivots",
    "spectral",
    "straight",
    "prune:random",
    "prune:corehd",
    "prune:betweenness",
)
ALONE = 5  # games timed by themselves


def measure(spec: str, mode: str, laid: Games) -> str:
    play_out(get_agent(spec, seed=1), laid.take([0]))  # compiles
    games = laid.copy()
    play_out(get_agent(spec, seed=1), games)
    moves = games.move_counts
    error = moves.std(ddof=1) / np.sqrt(len(moves))
    singles = [laid.take([row]) for row in range(ALONE)]
    agent = get_agent(spec, seed=1)
    began = time.process_time()
    for game in singles:
        play_out(agent, game)
    each = (time.process_time() - began) / ALONE * 1000
    return f"{moves.mean():.1f} ± {error:.1f} | {each:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--p", type=float, default=0.8)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", nargs="+", default=MODES)
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    options = parser.parse_args()
    if options.count < ALONE:
        parser.error(f"--count is {options.count}; give {ALONE} or more")
    print("| agent |" + "".join(f" {mode} | ms |" for mode in options.modes))
    print("|---|" + "---|---|" * len(options.modes))
    laid = {
        mode: Games(sample_boards(mode, options.size, options.p, options.count, options.seed))
        for mode in options.modes
    }
    for spec in options.agents:
        cells = " | ".join(measure(spec, mode, laid[mode]) for mode in options.modes)
        print(f"| `{spec}` | {cells} |", flush=True)


if __name__ == "__main__":
    main()
