"""A shortcut for the planar square grid: the surroundings of a node tell whether it holds its piece
together.

Around a node lies a ring of 8 places; the states of the ring part it into sides and gaps. A hole is
a set of nodes that are not active, joined by sides or corners; everything off the board belongs to
one hole. Holes only ever grow and merge, so a union-find keeps them.

The argument needs a plane: it is wrong on a torus or a triangular lattice. Only topologies with
`grid` may use it.
"""

from functools import lru_cache

import numpy as np

from pinchpoint.compiled import inlined
from pinchpoint.graph.algorithms import find_root
from pinchpoint.types import Bytes, Ints

OPEN_RING = 255  # the pattern of a node with active nodes all around


@lru_cache(maxsize=64)
def ring_table(height: int, width: int) -> Ints:  # [N, 8]
    """Return the nodes around each node, clockwise from the one above; off the board, itself."""
    node = np.arange(height * width, dtype=np.int32).reshape(height, width)
    padded = np.pad(node, 1, constant_values=-1)
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
    around = [padded[1 + r : 1 + r + height, 1 + c : 1 + c + width] for r, c in steps]
    ring = np.stack(around, axis=-1).reshape(height * width, 8)
    return np.where(ring < 0, node.reshape(-1, 1), ring)


@lru_cache(maxsize=1)
def side_table() -> Bytes:  # [256, 10]
    """Return, for each pattern of active nodes in the ring, how many sides there are, and where.

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


@inlined
def hole_at(hole: Ints, ring: Ints, s: int, place: int) -> int:
    """Return the hole at a place of the ring around s where no active node is."""
    u = ring[s, place]
    return find_root(hole, u if u != s else len(hole) - 1)


@inlined
def lay_holes(status: Bytes, active: int, hole: Ints, ring: Ints) -> None:
    """Join the nodes of a fresh board that are not active, and those at the rim to the outside."""
    for v in range(len(hole)):
        hole[v] = v
    for s in range(len(status)):
        if status[s] != active:
            for place in range(8):
                if status[ring[s, place]] != active:
                    hole[hole_at(hole, ring, s, place)] = find_root(hole, s)


@inlined
def find_parts(
    status: Bytes,  # [N]
    active: int,
    hole: Ints,  # [N + 1]
    ring: Ints,  # [N, 8]
    sides: Bytes,  # [256, 10]
    start: Ints,  # [4]  out: a node of each part
    root: Ints,  # [4]  scratch
    joined: Ints,  # [4]  scratch
    s: int,
) -> tuple[int, int]:
    """Merge s, just attacked, with the holes around it; write a node of each part it held together.

    Around s, sides alternate with gaps, and each gap belongs to a hole. A walk that leaves s along
    the near edge of a gap and follows the hole comes back at the next gap of the same hole: the
    side after the one gap and the side before the other are joined out there. By planarity nothing
    else joins sides once s is gone. Return the number of parts and of active neighbours.
    """
    pattern = 0
    for place in range(8):
        pattern |= (status[ring[s, place]] == active) << place
    table = sides[pattern]
    count, inside = table[0], table[9]
    if count < 2:
        start[0] = ring[s, table[1]]
        if pattern != OPEN_RING:  # otherwise s is a new hole of its own
            hole[s] = hole_at(hole, ring, s, table[5])
        return count, inside
    for i in range(count):
        start[i] = ring[s, table[1 + i]]
        root[i] = hole_at(hole, ring, s, table[5 + i])
    for i in range(count):
        after = j = (i + 1) % count
        while root[j] != root[i]:
            j = (j + 1) % count
        joined[after] = j
    hole[s] = root[0]
    for i in range(1, count):
        hole[find_root(hole, root[i])] = find_root(hole, s)
    parts = 0
    for i in range(count):  # `joined` is a permutation: each of its cycles is a part
        j = joined[i]
        while j > i:
            j = joined[j]
        if j == i:
            start[parts] = start[i]
            parts += 1
    return parts, inside
