"""The ring of 8 places around a square: which squares they are, and how they part into sides."""

from functools import lru_cache

import numpy as np

from chokepoint.graph.topology import Bytes, Ints

OPEN_RING = 255  # the pattern of a square with active squares all around


@lru_cache(maxsize=64)
def ring_table(height: int, width: int) -> Ints:  # [N, 8]
    """The squares around each square, clockwise from the one above; off the board, itself."""
    node = np.arange(height * width, dtype=np.int32).reshape(height, width)
    padded = np.pad(node, 1, constant_values=-1)
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
    around = [padded[1 + r : 1 + r + height, 1 + c : 1 + c + width] for r, c in steps]
    ring = np.stack(around, axis=-1).reshape(height * width, 8)
    return np.where(ring < 0, node.reshape(-1, 1), ring)


@lru_cache(maxsize=1)
def side_table() -> Bytes:  # [256, 10]
    """For each pattern of active squares in the ring: how many sides there are, and where.

    Even places of the ring are neighbours of the centre, odd ones its corners. A side is a run of
    active places with a neighbour in it; after each comes a gap. A row holds the number of sides,
    a neighbour of each (1 to 4), the first place of the gap after each (5 to 8), and last how many
    neighbours are active.
    """
    table = np.zeros((256, 10), dtype=np.uint8)
    for pattern in range(256):
        active = [bool(pattern >> place & 1) for place in range(8)]
        table[pattern, 9] = sum(active[::2])
        seen: set[int] = set()
        for start in (0, 2, 4, 6):
            if not active[start] or start in seen:
                continue
            before = after = start
            while active[after % 8] and after < start + 8:
                after += 1
            while active[before % 8] and before > start - 8:
                before -= 1
            seen.update(place % 8 for place in range(before + 1, after))
            side = table[pattern, 0] = table[pattern, 0] + 1
            table[pattern, side], table[pattern, side + 4] = start, after % 8
    return table
