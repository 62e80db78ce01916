"""On a lattice, the holes around a square tell whether attacking it splits its component.

A hole is a set of squares that are not active, joined by sides or corners; all that is off the
board belongs to one hole. A union-find keeps them, for holes only ever grow and merge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from chokepoint.compiled import inlined
from chokepoint.topology import Bytes, Ints

if TYPE_CHECKING:
    from chokepoint.state import Graph, Scratch

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
def side_table() -> Bytes:  # [256, 9]
    """For each pattern of active squares in the ring: how many sides there are, and where.

    Even places of the ring are neighbours of the centre, odd ones its corners. A side is a run of
    active places with a neighbour in it; after each comes a gap. A row holds the number of sides,
    then a neighbour of each in places 1 to 4, then the first place of the gap after it in 5 to 8.
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


@inlined
def hole_of(hole: Ints, v: int) -> int:
    """The node that stands for the hole of v; shortens the way there."""
    while hole[v] != v:
        hole[v] = hole[hole[v]]
        v = hole[v]
    return v


@inlined
def around(hole: Ints, ring: Ints, s: int, place: int) -> int:
    """The hole at a place of the ring around s where no active square is."""
    u = ring[s, place]
    return hole_of(hole, u if u != s else len(hole) - 1)


@inlined
def lay_holes(opened: Bytes, hole: Ints, ring: Ints) -> None:
    """Join the squares of a fresh board that are not open, and those at the rim to the outside."""
    for v in range(len(hole)):
        hole[v] = v
    for s in range(len(opened)):
        if not opened[s]:
            for place in range(8):
                if not opened[ring[s, place]]:
                    hole[around(hole, ring, s, place)] = hole_of(hole, s)


@inlined
def find_parts(
    status: Bytes, active: int, hole: Ints, graph: Graph, scratch: Scratch, s: int
) -> tuple[int, int]:
    """Merge s, just attacked, with the holes around it; write a node of each part it held together.

    Around s, sides alternate with gaps, and in each gap there is a hole. Who leaves s along the
    near edge of a gap and follows the hole comes back at the next gap of the same hole: the side
    after the one gap and the side before the other are joined out there. By planarity nothing else
    joins sides once s is gone. Returns the number of parts and that of active neighbours.
    """
    ring, start, root, joined = graph.ring, scratch.start, scratch.root, scratch.joined
    pattern = 0
    for place in range(8):
        pattern |= (status[ring[s, place]] == active) << place
    table = graph.sides[pattern]
    sides, inside = table[0], table[9]
    if sides < 2:
        start[0] = ring[s, table[1]]
        if pattern != OPEN_RING:  # or else s is a new hole of its own
            hole[s] = around(hole, ring, s, table[5])
        return sides, inside
    for i in range(sides):
        start[i] = ring[s, table[1 + i]]
        root[i] = around(hole, ring, s, table[5 + i])
    for i in range(sides):
        after = j = (i + 1) % sides
        while root[j] != root[i]:
            j = (j + 1) % sides
        joined[after] = j
    hole[s] = root[0]
    for i in range(1, sides):
        hole[hole_of(hole, root[i])] = hole_of(hole, s)
    parts = 0
    for i in range(sides):  # `joined` is a permutation: each of its cycles is a part
        j = joined[i]
        while j > i:
            j = joined[j]
        if j == i:
            start[parts] = start[i]
            parts += 1
    return parts, inside
