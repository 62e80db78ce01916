"""A binary heap of nodes whose keys may change: the largest key on top, the lowest node of equals.

A heap is three arrays: the keys of all nodes, the nodes in heap order, and each node's place among
them (-1 for a node that is not in the heap). Its size is kept by the caller.
"""

from __future__ import annotations

from pinchpoint.compiled import inlined, kernel
from pinchpoint.types import Floats, Ints


@inlined
def _before(key: Floats, a: int, b: int) -> bool:
    return key[a] > key[b] or (key[a] == key[b] and a < b)


@kernel
def sift_up(key: Floats, heap: Ints, place: Ints, i: int) -> None:
    """Move the node at place i up to where it belongs."""
    node = heap[i]
    while i > 0:
        above = (i - 1) // 2
        if not _before(key, node, heap[above]):
            break
        heap[i] = heap[above]
        place[heap[i]] = i
        i = above
    heap[i] = node
    place[node] = i


@kernel
def sift_down(key: Floats, heap: Ints, place: Ints, size: int, i: int) -> None:
    """Move the node at place i down to where it belongs."""
    node = heap[i]
    while 2 * i + 1 < size:
        below = 2 * i + 1
        if below + 1 < size and _before(key, heap[below + 1], heap[below]):
            below += 1
        if not _before(key, heap[below], node):
            break
        heap[i] = heap[below]
        place[heap[i]] = i
        i = below
    heap[i] = node
    place[node] = i


@kernel
def heapify(key: Floats, heap: Ints, place: Ints, size: int) -> None:
    """Put the first `size` nodes of `heap` in heap order."""
    for i in range(size):
        place[heap[i]] = i
    for i in range(size // 2 - 1, -1, -1):
        sift_down(key, heap, place, size, i)


@kernel
def take_top(key: Floats, heap: Ints, place: Ints, size: int) -> int:
    """Take the top off the heap and return it; the heap is one smaller then."""
    top = heap[0]
    place[top] = -1
    if size > 1:
        heap[0] = heap[size - 1]
        place[heap[0]] = 0
        sift_down(key, heap, place, size - 1, 0)
    return int(top)


@kernel
def change_key(key: Floats, heap: Ints, place: Ints, size: int, node: int, new: float) -> None:
    """Give a node of the heap another key."""
    old = key[node]
    key[node] = new
    if new > old:
        sift_up(key, heap, place, place[node])
    else:
        sift_down(key, heap, place, size, place[node])
