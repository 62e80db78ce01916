"""On a lattice, the holes around a square tell whether attacking it splits its component.

A hole is a set of squares that are not active, joined by sides or corners; all that is off the
board belongs to one hole. A union-find keeps them, for holes only ever grow and merge.
"""

from chokepoint.compiled import inlined
from chokepoint.game.state import ACTIVE, Game, Graph, Scratch
from chokepoint.graph.rings import OPEN_RING
from chokepoint.graph.topology import Bytes, Ints


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
def lay_holes(status: Bytes, hole: Ints, ring: Ints) -> None:
    """Join the squares of a fresh board that are not open, and those at the rim to the outside."""
    for v in range(len(hole)):
        hole[v] = v
    for s in range(len(status)):
        if status[s] != ACTIVE:
            for place in range(8):
                if status[ring[s, place]] != ACTIVE:
                    hole[around(hole, ring, s, place)] = hole_of(hole, s)


@inlined
def find_parts(game: Game, graph: Graph, scratch: Scratch, s: int) -> tuple[int, int]:
    """Merge s, just attacked, with the holes around it; write a node of each part it held together.

    Around s, sides alternate with gaps, and in each gap there is a hole. Who leaves s along the
    near edge of a gap and follows the hole comes back at the next gap of the same hole: the side
    after the one gap and the side before the other are joined out there. By planarity nothing else
    joins sides once s is gone. Returns the number of parts and that of active neighbours.
    """
    status, hole, ring = game.status, game.hole, graph.ring
    start, root, joined = scratch.start, scratch.root, scratch.joined
    pattern = 0
    for place in range(8):
        pattern |= (status[ring[s, place]] == ACTIVE) << place
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
