"""Measure what an agent's evaluation of a board takes a square, by the size of the board.

    python benchmarks/board_size.py
    python benchmarks/board_size.py --agent flow --sizes 20 80

What the network is shown and the network itself are measured apart, each also as a ratio to the
smallest board of the same run: 1 means that the time grows as the squares do. Beside boards sampled
at several p there is one of two combs with their teeth in each other, where nearly all squares lie
between the same two clusters. Processor time of one thread; the least of several rounds.
"""

import time
from dataclasses import dataclass

import numpy as np
import torch
import tyro

from pinchpoint import load_agent
from pinchpoint.agents.learned import LearnedAgent
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.types import Bytes

COMBS = "combs"


@dataclass(frozen=True)
class Options:
    agent: str = "network"
    """A shipped agent."""
    sizes: tuple[int, ...] = (20, 40, 80, 160)
    """Sides of the boards, the smallest first."""
    p: tuple[float, ...] = (0.6, 0.7, 0.8, 0.9, 1.0)
    """Densities."""
    squares: int = 25_600
    """Of all boards evaluated together: many small ones, or one large one."""
    rounds: int = 5
    """Of each measurement."""


def main(options: Options) -> None:
    torch.set_num_threads(1)
    agent = load_agent(options.agent)
    print("| boards | size | shown, ns a square | ratio | network, ns a square | ratio |")
    print("|---|---|---|---|---|---|")
    densities: list[float | str] = [*options.p, COMBS]
    for p in densities:
        first: list[float] = []
        for size in options.sizes:
            boards = boards_of(agent.card.mode, size, p, max(1, options.squares // size**2))
            took = seconds_a_square(agent, Games(boards, agent.card.mode), options.rounds)
            first = first or took
            columns = [
                f"{1e9 * part:.0f} | {part / start:.2f}"
                for part, start in zip(took, first, strict=True)
            ]
            print(f"| {p} | {size} | {' | '.join(columns)} |", flush=True)


def seconds_a_square(agent: LearnedAgent, games: Games, rounds: int) -> list[float]:
    """Return the least processor time that making the observation took, and the network."""
    looks, forwards = [], []
    with torch.inference_mode():
        for _ in range(rounds):
            began = time.process_time()
            shown = agent.net.observe(games, 0, len(games))
            looked = time.process_time()
            agent.net(shown)
            looks.append(looked - began)
            forwards.append(time.process_time() - looked)
    return [min(looks) / games.status.size, min(forwards) / games.status.size]


def boards_of(mode: str, size: int, p: float | str, count: int) -> Bytes:  # [B, size, size]
    if isinstance(p, float):
        return sample_boards(mode, size, p, count, seed=3).squares
    board = np.ones((size, size), dtype=np.uint8)
    board[2:-2:4, 2:-2] = board[2:-2, 2] = 0  # inside
    board[4:-3:4, 4:] = 0  # from the rim
    return np.repeat(board[None], count, axis=0)


if __name__ == "__main__":
    main(tyro.cli(Options))
