"""Measure how much time an evaluation takes beyond the evaluations of the network.

    python benchmarks/evaluation.py --agent network --mode network

A shipped agent plays 1,000 boards of 20 × 20 at one p, as `pinchpoint evaluate` lets it, in one
process. The time inside the network's forward pass is measured apart; the ratio of the whole to it
should be below 1.3. Processor time is measured, so that other work on the machine does not matter.
"""

import time
from dataclasses import dataclass
from typing import Any

import torch
import tyro

from pinchpoint import load_agent
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.study.evaluate import BATCH, play_boards


@dataclass(frozen=True)
class Options:
    agent: str = "network"
    """A shipped agent."""
    mode: str = "network"
    """The mode that it plays."""
    games: int = 1000
    """Boards."""
    p: float = 0.8
    """Their density."""
    size: int = 20
    """Their side."""


def main(options: Options) -> None:
    torch.set_num_threads(1)
    boards = sample_boards(options.mode, options.size, options.p, options.games, 1)
    agent = load_agent(options.agent)
    agent.act(Games(boards[:2]))
    inside = timed_forward(type(agent.net))
    began = time.process_time()
    played = [
        game
        for start in range(0, len(boards), BATCH)
        for game in play_boards(agent, Games(boards[start : start + BATCH]))
    ]
    total = time.process_time() - began
    moves = sum(len(game.moves) for game in played)
    print(
        f"{options.games} boards of {options.size} × {options.size}, p = {options.p:g}, "
        f"{options.agent} on {options.mode}, batches of {BATCH}: "
        f"{moves / options.games:.2f} moves a game"
    )
    print(f"{total:.2f} s in all, {inside[0]:.2f} s in the network: ratio {total / inside[0]:.3f}")


def timed_forward(kind: Any) -> list[float]:
    """Add up the time in every call of the network from now on."""
    spent = [0.0]
    forward = kind.forward

    def timed(self: Any, boards: torch.Tensor) -> Any:
        began = time.process_time()
        result = forward(self, boards)
        spent[0] += time.process_time() - began
        return result

    kind.forward = timed
    return spent


if __name__ == "__main__":
    main(tyro.cli(Options))
