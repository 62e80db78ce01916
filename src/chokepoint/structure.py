"""What convolutions cannot count: how much moves would cut off, and what lies on cycles.

A depth-first search finds the squares that hold the active part together, and the sizes of the
pieces that each of them separates (Hopcroft & Tarjan, 1973); `pair_cuts` does the same for pairs of
moves. A network that is told plays the end of a game, where a square more or less decides, far
better than one that has to guess.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from chokepoint.compiled import inlined, kernel
from chokepoint.engine import ACTIVE, INACTIVE
from chokepoint.pair_cuts import make_scratch, note_pair_cuts
from chokepoint.topology import Ints, lattice

Planes = npt.NDArray[np.float32]

PLANES = 9  # see `describe`
UNIT = 4.0  # log(1 + 54 squares)

# Rows of scratch: what the searches note of each square.
SEEN, LOW, PARENT, EDGE, SIZE, BELOW, FIRST, SECOND, ORDER, STACK, OFF = range(11)


def structure(status: npt.NDArray[np.uint8], height: int, width: int) -> Planes:
    """What there is to know of status boards [B, N], as planes [B, PLANES, h, w]."""
    topology = lattice(height, width)
    planes = np.zeros((len(status), PLANES, topology.n), dtype=np.float32)
    scratch = np.empty((OFF + 1, topology.n), dtype=np.int32)
    for_pairs = make_scratch(height, width)
    describe(status, topology.indptr, topology.indices, width, scratch, for_pairs, planes)
    return planes.reshape(len(status), PLANES, height, width)


@kernel
def describe(
    status: npt.NDArray[np.uint8],
    indptr: Ints,
    indices: Ints,
    width: int,
    scratch: Ints,
    for_pairs: Ints,
    planes: Planes,
) -> None:
    """Fill the planes of each board; they are 0 where a square is not active.

    0, 1: the squares cut off from the largest piece if this one goes (log, share of the component)
    2, 3: by how many squares that piece would still lead over the next (log, share)
    4 to 7: the same if this square goes and the one that cuts off most together with it
    8: whether the square lies on a cycle or between cycles
    """
    for b in range(len(status)):
        best = largest_inactive(status[b], indptr, indices, scratch)
        scratch[SEEN] = 0
        for root in range(len(indptr) - 1):
            if status[b, root] == ACTIVE and scratch[SEEN, root] == 0:
                size = search(status[b], indptr, indices, scratch, root)
                piece = scratch[ORDER, :size]
                note_pair_cuts(piece, width, for_pairs, scratch[OFF])
                for v in piece:
                    rest = size - 1 - scratch[BELOW, v]
                    first, second = scratch[FIRST, v], scratch[SECOND, v]
                    largest = max(rest, first)
                    other = max(min(rest, first), second)
                    fill(planes[b, 0:4, v], size, size - 1 - largest, largest - max(other, best))
                    off = scratch[OFF, v]
                    fill(planes[b, 4:8, v], size, off, max(size - 2 - off, 0) - max(off, best))
        mark_core(status[b], indptr, indices, scratch, planes[b, 8])


@inlined
def fill(planes: Planes, size: int, off: int, lead: int) -> None:
    planes[0] = math.log(1.0 + off) / UNIT
    planes[1] = off / size
    planes[2] = math.copysign(math.log(1.0 + abs(lead)) / UNIT, lead)
    planes[3] = lead / size


@kernel
def search(
    status: npt.NDArray[np.uint8], indptr: Ints, indices: Ints, scratch: Ints, root: int
) -> int:
    """Search the active component of `root` depth first; returns how many squares it has.

    Notes for each square the two largest pieces that hang on it alone, away from the root, and the
    size of all such pieces.
    """
    scratch[PARENT, root] = -1
    v = enter(indptr, scratch, root, 0)
    count = 1
    while v >= 0:
        if scratch[EDGE, v] < indptr[v + 1]:
            u = indices[scratch[EDGE, v]]
            scratch[EDGE, v] += 1
            if status[u] != ACTIVE:
                continue
            if scratch[SEEN, u] == 0:
                scratch[PARENT, u] = v
                v = enter(indptr, scratch, u, count)
                count += 1
            elif u != scratch[PARENT, v]:
                scratch[LOW, v] = min(scratch[LOW, v], scratch[SEEN, u])
        else:
            parent = scratch[PARENT, v]
            if parent >= 0:
                leave(scratch, v, parent)
            v = parent
    return count


@kernel
def enter(indptr: Ints, scratch: Ints, v: int, count: int) -> int:
    """First visit of a square, the search's number `count`."""
    scratch[ORDER, count] = v
    scratch[SEEN, v] = scratch[LOW, v] = count + 1
    scratch[EDGE, v] = indptr[v]
    scratch[SIZE, v] = 1
    scratch[BELOW, v] = scratch[FIRST, v] = scratch[SECOND, v] = 0
    return v


@kernel
def leave(scratch: Ints, v: int, parent: int) -> None:
    """Last visit of a square: tell its parent what hangs on it."""
    size = scratch[SIZE, v]
    scratch[SIZE, parent] += size
    scratch[LOW, parent] = min(scratch[LOW, parent], scratch[LOW, v])
    if scratch[LOW, v] >= scratch[SEEN, parent]:  # nothing below leads past the parent
        scratch[BELOW, parent] += size
        if size > scratch[FIRST, parent]:
            scratch[SECOND, parent] = scratch[FIRST, parent]
            scratch[FIRST, parent] = size
        else:
            scratch[SECOND, parent] = max(scratch[SECOND, parent], size)


@kernel
def largest_inactive(
    status: npt.NDArray[np.uint8], indptr: Ints, indices: Ints, scratch: Ints
) -> int:
    """The size of the largest inactive component."""
    scratch[SEEN] = 0
    best = 0
    for root in range(len(indptr) - 1):
        if status[root] != INACTIVE or scratch[SEEN, root]:
            continue
        scratch[STACK, 0], waiting, size = root, 1, 0
        scratch[SEEN, root] = 1
        while waiting:
            waiting -= 1
            v = scratch[STACK, waiting]
            size += 1
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                if status[u] == INACTIVE and not scratch[SEEN, u]:
                    scratch[SEEN, u] = 1
                    scratch[STACK, waiting] = u
                    waiting += 1
        best = max(best, size)
    return best


@kernel
def mark_core(
    status: npt.NDArray[np.uint8],
    indptr: Ints,
    indices: Ints,
    scratch: Ints,
    core: npt.NDArray[np.float32],
) -> None:
    """1 on the active squares that are left when loose ends are taken off one after the other."""
    waiting = 0
    for v in range(len(core)):
        ends = 0
        for k in range(indptr[v], indptr[v + 1]):
            ends += status[indices[k]] == ACTIVE
        scratch[EDGE, v] = ends
        core[v] = status[v] == ACTIVE
        if status[v] == ACTIVE and ends <= 1:
            core[v] = 0
            scratch[STACK, waiting] = v
            waiting += 1
    while waiting:
        waiting -= 1
        v = scratch[STACK, waiting]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            scratch[EDGE, u] -= 1
            if core[u] and scratch[EDGE, u] <= 1:
                core[u] = 0
                scratch[STACK, waiting] = u
                waiting += 1
