"""What decides, and what transfers: the way to learn, or what a network is told?

    python benchmarks/ablation.py               # 20 minutes of processor time each, in turn
    python benchmarks/ablation.py --workers 2   # two at a time
    python benchmarks/ablation.py --minutes 1 --games 50

Four agents learn network mode on 10 × 10, each for the same processor time: by Q-learning or from
polished games, shown raw boards or told what moves cut off. Self-play and loss are those of the
presets `q` and `fast`; network, batch, optimizer and step size are the same for all. Each plays
network, which it was trained on, and flow, which it was not.
"""

import argparse
import csv
import tempfile
import time
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.plans import plan_lengths
from pinchpoint.game.sampling import sample_boards
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.presets import FAST, Q
from pinchpoint.learning.self_play import greedy_plans
from pinchpoint.learning.train import Run
from pinchpoint.processes import worker_pool

SEED = 730_001  # of boards that training never sees
SIZE = 10
DENSITIES = (0.7, 0.8, 0.9)
PACE_UPDATES = 1000  # are timed first; the first few hundred need hardly any new games
LEARNING = {"Q-learning": Q, "polished games": FAST}
COLUMNS = ("learning", "input", "updates", "minutes", "mode", "p", "games", "mean", "sd")
INPUT = {"raw boards": "states", "told what moves cut off": "cuts"}


def settings(learning: str, shown: str, updates: int, seed: int) -> TrainConfig:
    """Return a run's settings: those of its preset, with the same network and optimizer for all."""
    return replace(
        LEARNING[learning], network="residual", sees=INPUT[shown], leak=FAST.leak,
        sizes=(SIZE,), updates=(updates,),
        batch=Q.batch, optimizer=Q.optimizer, learning_rate=Q.learning_rate,
        final_rate=Q.final_rate, seed=seed, validate_every=10**9, checkpoint_every=10**9, threads=1,
    )  # fmt: skip


def trained(config: TrainConfig) -> tuple[Run, list[float]]:
    """Train to the end; return the run and the processor time in seconds up to each update."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(config, get_mode("network"), Path(folder))
        began, seconds = time.process_time(), []
        run.train(lambda: False, lambda run: seconds.append(time.process_time() - began))
        return run, seconds


def updates_in(minutes: float, seconds: list[float]) -> int:
    """Return how many updates fit into the time, at the pace of the second half of these."""
    half = len(seconds) // 2
    pace = (seconds[-1] - seconds[half]) / (len(seconds) - 1 - half)
    return max(len(seconds), half + round((60 * minutes - seconds[half]) / pace))


def measured(agent: tuple[str, str], minutes: float, games: int, seed: int) -> list[dict[str, Any]]:
    """Train one of the four, given by its way to learn and its input, and let it play."""
    learning, shown = agent
    _, seconds = trained(settings(learning, shown, PACE_UPDATES, seed))
    updates = updates_in(minutes, seconds)
    run, seconds = trained(settings(learning, shown, updates, seed))
    rows = []
    for mode in ("network", "flow"):
        for p in DENSITIES:
            laid = Games(sample_boards(mode, SIZE, p, games, SEED))
            moves = plan_lengths(greedy_plans(run.learner.player, laid))
            rows.append(
                {
                    "learning": learning, "input": shown, "updates": updates,
                    "minutes": round(seconds[-1] / 60, 1), "mode": mode, "p": p, "games": games,
                    "mean": round(float(moves.mean()), 3), "sd": round(float(moves.std(ddof=1)), 3),
                }
            )  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="processor time of each agent")
    parser.add_argument("--games", type=int, default=500, help="boards a point")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("docs/measured/ablation.csv"))
    parser.add_argument("--workers", type=int, default=1, help="agents that train at a time")
    options = parser.parse_args()
    one = partial(measured, minutes=options.minutes, games=options.games, seed=options.seed)
    with (
        open(options.out, "w", newline="", encoding="utf-8") as file,
        worker_pool(options.workers) as pool,
    ):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for rows in pool.map(one, product(LEARNING, INPUT)):
            for row in rows:
                print(*row.values(), flush=True)
            writer.writerows(rows)
            file.flush()


if __name__ == "__main__":
    main()
