"""Random numbers that belong to a game and a step, not to a batch: same seed, same games, always.

Every stream is a SplitMix64 that starts from a seed, the name of a game or board, and a step.
"""

import numpy as np

from pinchpoint.compiled import inlined, kernel
from pinchpoint.errors import InputError
from pinchpoint.types import Bytes, Floats, Ints, Longs

GAMMA = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


def check_seed(seed: int) -> None:
    if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
        raise InputError(f"the seed is {seed}; it must be a whole number from 0 to 2^63 − 1")


@inlined
def mix(x: np.uint64) -> np.uint64:
    """SplitMix64's finaliser: every bit of the result depends on every bit of x."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inlined
def stream(seed: int, name: int, step: int) -> np.uint64:
    """Return the start of an independent random stream for (seed, name, step)."""
    x = mix(np.uint64(seed) + GAMMA)
    x = mix(x + GAMMA * (np.uint64(name) + np.uint64(1)))
    return mix(x + GAMMA * (np.uint64(step) + np.uint64(1)))


@inlined
def below(x: np.uint64, bound: int) -> int:
    """Return a whole number from 0 to bound − 1, made from the upper half of x."""
    return int(np.int64(((x >> HALF) * np.uint64(bound)) >> HALF))


@inlined
def random_square(status: Bytes | Ints, active: int, alive: int, x: np.uint64) -> int:
    """Return a uniformly random active square, from the random stream that starts at x."""
    for _ in range(max(64, len(status) // 16)):  # guess: quick unless few squares are active
        x += GAMMA
        s = below(mix(x), len(status))
        if status[s] == active:
            return s
    x += GAMMA
    left = below(mix(x), alive)
    for s in range(len(status)):
        if status[s] == active:
            if left == 0:
                return s
            left -= 1
    return -1


@kernel
def draw_boards(
    boards: Bytes,
    seed: int,
    names: Longs,
    attempt: int,
    low: float,
    high: float,
    densities: Floats,
) -> None:
    """Draw random boards: each square open with the board's own p, drawn from [low, high]."""
    for i in range(len(names)):
        x = stream(seed, names[i], attempt) + GAMMA
        p = low + (high - low) * ((mix(x) >> np.uint64(11)) * 2.0**-53)
        densities[i] = p
        for s in range(boards.shape[1]):
            x += GAMMA
            boards[i, s] = (mix(x) >> np.uint64(11)) * 2.0**-53 < p
