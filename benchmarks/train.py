"""Training speed: one update of the `paper` preset against its bare convolutions.

    python benchmarks/train.py [--threads 2] [--quick]

An update needs three forward passes (the online network on both boards, the target network on the
second) and one backward pass. The bare convolutions are the same shapes with nothing between them.
Both sides are timed in turn within one run.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn

from pinchpoint.game.modes.table import get_mode
from pinchpoint.learning.presets import PAPER
from pinchpoint.learning.train import Run


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of the work, which other processes hardly change."""
    start = time.process_time()
    work()
    return time.process_time() - start


def bare_convolutions(channels: int, depth: int, size: int, batch: int) -> Callable[[], None]:
    layers = [nn.Conv2d(4 if i == 0 else channels, channels, 3, padding=1) for i in range(depth)]
    stack = nn.Sequential(*layers)
    stack.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    boards = torch.rand(batch, 4, size, size).to(memory_format=torch.channels_last)

    def work() -> None:
        with torch.no_grad():
            stack(boards)
            stack(boards)
        stack(boards).sum().backward()

    return work


CHANGED: dict[str, Any] = {"replay": 20_000}  # of the preset


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    config = replace(PAPER, threads=options.threads, **CHANGED)
    with TemporaryDirectory() as folder:
        run = Run(config, get_mode(config.mode), Path(folder))
        playing = seconds(lambda: run._play(20))
        bare = bare_convolutions(config.channels, config.depth, 20, config.batch)
        run._update(20), bare()
        pairs = [
            (seconds(lambda: run._update(20)), seconds(bare))
            for _ in range(3 if options.quick else 10)
        ]
    update, convolutions = (statistics.median(times) for times in zip(*pairs, strict=True))
    sampling = seconds(lambda: run.replay(20).sample(config.batch, run.rng))
    acting = playing / config.rollout_every
    print(
        f"{torch.get_num_threads()} threads, 20 x 20, batch {config.batch}, {config.depth} layers"
    )
    print(
        f"processor time: update {update:.3f} s, bare convolutions {convolutions:.3f} s, "
        f"ratio {update / convolutions:.2f}"
    )
    print(f"acting and replay add {100 * (acting + sampling) / update:.1f} % (ε = 1, long games)")


if __name__ == "__main__":
    main()
