"""Many heaps that share their nodes: a node is in one of them, the lowest key on top.

They are pairing heaps (Fredman, Sedgewick, Sleator & Tarjan, Algorithmica 1, 1986): trees whose
root is the top. Several take no more room than one, however the nodes spread over them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.types import Ints

NONE = -1  # in place of a node


class Forest(NamedTuple):
    """The trees of all heaps."""

    key: Ints  # [N]
    child: Ints  # [N]  the first one
    following: Ints  # [N]  the next child of the same node
    before: Ints  # [N]  the child before it, or its parent if it is the first


def new_forest(n: int) -> Forest:
    key, links = np.zeros(n, dtype=np.int32), np.full((3, n), NONE, dtype=np.int32)
    return Forest(key, *links)


@kernel
def with_node(f: Forest, top: int, v: int, key: int) -> int:
    """Add a node to the heap of this top, or to none; return the new top."""
    f.key[v] = key
    f.child[v] = f.following[v] = f.before[v] = NONE
    return melded(f, top, v)


@kernel
def lowered(f: Forest, top: int, v: int, key: int) -> int:
    """Lower the key of a node of the heap; return the new top."""
    f.key[v] = key
    if v == top:
        return top
    after = f.following[v]
    if f.child[f.before[v]] == v:
        f.child[f.before[v]] = after
    else:
        f.following[f.before[v]] = after
    if after != NONE:
        f.before[after] = f.before[v]
    f.following[v] = f.before[v] = NONE
    return melded(f, top, v)


@kernel
def without_top(f: Forest, top: int) -> int:
    """Take the top away; return the new one, or `NONE`."""
    pairs, v = NONE, f.child[top]
    while v != NONE:  # from left to right, two at a time, the last pair first in the list
        other = f.following[v]
        after = f.following[other] if other != NONE else NONE
        pair = melded(f, v, other)
        f.following[pair] = pairs
        pairs, v = pair, after
    new = NONE
    while pairs != NONE:
        after = f.following[pairs]
        new, pairs = melded(f, new, pairs), after
    return new


@kernel
def melded(f: Forest, a: int, b: int) -> int:
    """Make one heap of two, and return its top; of equal keys the lower node is above."""
    if a == NONE or b == NONE:
        top = b if a == NONE else a
    else:
        top = b if (f.key[b], b) < (f.key[a], a) else a
        under = a + b - top
        first = f.child[top]
        if first != NONE:
            f.before[first] = under
        f.following[under], f.before[under], f.child[top] = first, top, under
    if top != NONE:
        f.following[top] = f.before[top] = NONE
    return top
