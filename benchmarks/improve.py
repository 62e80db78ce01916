"""How short games get in self-play and search: greedy, a beam, and games drawn and polished.

    python benchmarks/improve.py --games 30

Seconds are processor time of one thread, a board.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch

from pinchpoint.agents.learned import load_agent
from pinchpoint.agents.search import beam
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import (
    Plans,
    best_of,
    plan_lengths,
    plans_from_lists,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.dispatch import solve

CASES = (("network", 0.8), ("network", 0.9), ("noodle", 0.7), ("flow", 0.7))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for mode, p in CASES:
        boards = sample_boards(mode, arguments.size, p, arguments.games, arguments.seed)
        compare(mode, p, Games(boards))


def compare(mode: str, p: float, games: Games) -> None:
    agent = load_agent(mode)
    best = np.mean([each.value for each in solve(games, time_limit=2.0)])
    print(f"{mode}, p = {p}, {len(games)} boards: best known {best:.2f}")
    ways: dict[str, Callable[[], Plans]] = {
        "greedy": lambda: plans_from_lists(beam(games, agent, 1)),
        "greedy, polished": lambda: drawn(games, agent, 1),
        "beam of 8": lambda: plans_from_lists(beam(games, agent, 8)),
        "8 games, polished": lambda: drawn(games, agent, 8),
        "beam of 32": lambda: plans_from_lists(beam(games, agent, 32)),
        "32 games, polished": lambda: drawn(games, agent, 32),
    }
    for name, way in ways.items():
        began = time.process_time()
        moves = plan_lengths(way()).mean()
        seconds = (time.process_time() - began) / len(games)
        print(f"  {name:20} {moves:6.2f}  {moves / best:.3f} ×  {seconds:.3f} s")


def drawn(games: Games, agent: object, tries: int) -> Plans:
    return best_of(games, agent, tries, 1000, np.random.default_rng(0))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
