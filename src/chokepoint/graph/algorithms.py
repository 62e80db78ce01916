"""Algorithms on graphs that more than one room uses.

Articulation points: one depth-first search notes for every node the pieces that hang on it alone
(Hopcroft & Tarjan, 1973).
"""

from typing import Any

import numpy.typing as npt

from chokepoint.compiled import inlined, kernel
from chokepoint.types import Ints

# Rows of the notes [DFS_ROWS, N] of a depth-first search. For the search itself:
DFS_SEEN, LOW, PARENT, DFS_EDGE, SIZE = range(5)
# The nodes in the order in which they were seen; and of each, the size of all pieces that hang on
# it, away from where the search began, and of the two largest of them.
DFS_ORDER, BELOW, FIRST, SECOND = range(5, 9)
DFS_ROWS = 9


@kernel
def articulation_search(
    indptr: Ints, indices: Ints, colour: npt.NDArray[Any], active: int, root: int, notes: Ints
) -> int:
    """Search the piece of this colour around `root` and return how many nodes it has.

    Row DFS_SEEN must be 0 on the piece.
    """
    notes[PARENT, root] = -1
    v = _enter(indptr, notes, root, 0)
    count = 1
    while v >= 0:
        if notes[DFS_EDGE, v] < indptr[v + 1]:
            u = indices[notes[DFS_EDGE, v]]
            notes[DFS_EDGE, v] += 1
            if colour[u] != active:
                continue
            if notes[DFS_SEEN, u] == 0:
                notes[PARENT, u] = v
                v = _enter(indptr, notes, u, count)
                count += 1
            elif u != notes[PARENT, v]:
                notes[LOW, v] = min(notes[LOW, v], notes[DFS_SEEN, u])
        else:
            parent = notes[PARENT, v]
            if parent >= 0:
                _leave(notes, v, parent)
            v = parent
    return count


@kernel
def _enter(indptr: Ints, notes: Ints, v: int, count: int) -> int:
    """Note the first visit of a node, the search's number `count`."""
    notes[DFS_ORDER, count] = v
    notes[DFS_SEEN, v] = notes[LOW, v] = count + 1
    notes[DFS_EDGE, v] = indptr[v]
    notes[SIZE, v] = 1
    notes[BELOW, v] = notes[FIRST, v] = notes[SECOND, v] = 0
    return v


@kernel
def _leave(notes: Ints, v: int, parent: int) -> None:
    """Note the last visit of a node: tell its parent what hangs on it."""
    size = notes[SIZE, v]
    notes[SIZE, parent] += size
    notes[LOW, parent] = min(notes[LOW, parent], notes[LOW, v])
    if notes[LOW, v] >= notes[DFS_SEEN, parent]:  # nothing below leads past the parent
        notes[BELOW, parent] += size
        if size > notes[FIRST, parent]:
            notes[SECOND, parent] = notes[FIRST, parent]
            notes[FIRST, parent] = size
        else:
            notes[SECOND, parent] = max(notes[SECOND, parent], size)


@inlined
def pieces_without(v: int, size: int, notes: Ints) -> tuple[int, int]:
    """Return the sizes of the two largest pieces into which a piece falls without node v."""
    rest = size - 1 - notes[BELOW, v]
    first, second = notes[FIRST, v], notes[SECOND, v]
    return max(rest, first), max(min(rest, first), second)
