"""Vector environment speed: one batch of 256 games, against Gymnasium's loop over 256 single ones.

    python benchmarks/env.py            # steps a second in each mode, on one core, and their ratio
    python benchmarks/env.py --quick    # fewer turns

Both sides play uniformly random legal squares on 20 × 20 boards at p = 0.8, from the same seed, and
give observations, rewards and action masks; choosing the squares is not counted. The sides take
turns, and the best turn of each counts, in processor time: other work on the machine only adds.
"""

import argparse
import platform
import time

import gymnasium
import numpy as np

import pinchpoint  # registers the environments  # noqa: F401
from pinchpoint.cli.bench import processor

GAMES, TURNS, STEPS = 256, 30, 20


class Player:
    """A vector environment in the middle of random play."""

    def __init__(self, env: gymnasium.vector.VectorEnv) -> None:
        self.env = env
        self.rng = np.random.default_rng(1)
        _, self.info = env.reset(seed=1)

    def seconds_a_step(self, steps: int) -> float:
        """The time of a step of one game, over this many steps of all."""
        total = 0.0
        for _ in range(steps):
            mask = np.stack(list(self.info["action_mask"]))
            squares = np.argmax(mask * self.rng.random(mask.shape), axis=1)
            start = time.process_time()
            *_, self.info = self.env.step(squares)
            total += time.process_time() - start
        return total / (steps * GAMES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    turns = 3 if parser.parse_args().quick else TURNS
    print(f"{platform.machine()}, {processor()}, Python {platform.python_version()}, one core")
    print(f"{'mode':8} {'vector steps/s':>15} {'sync steps/s':>13} {'ratio':>6}")
    for mode in ("Network", "Flow", "Noodle"):
        kinds = ("vector_entry_point", "sync")
        vector, sync = (
            Player(
                gymnasium.make_vec(
                    f"pinchpoint/{mode}-v0", num_envs=GAMES, vectorization_mode=kind, size=20, p=0.8
                )
            )
            for kind in kinds
        )
        vector.seconds_a_step(60)  # into the middle of the games, and compiled
        sync.seconds_a_step(2)
        times = [(vector.seconds_a_step(STEPS), sync.seconds_a_step(STEPS)) for _ in range(turns)]
        fast, slow = (min(side) for side in zip(*times, strict=True))
        print(f"{mode:8} {1 / fast:15,.0f} {1 / slow:13,.0f} {slow / fast:6.1f}", flush=True)


if __name__ == "__main__":
    main()
