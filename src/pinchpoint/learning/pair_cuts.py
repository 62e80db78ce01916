"""Cuts of two moves: how much each square could cut off together with one other.

Squares hold together by their sides, so a cut is a closed loop of squares that touch by a side or a
corner: the moves, and between them squares that are not of the piece. Those come in clusters; all
that surrounds the piece is one of them. How many squares a loop encloses is a sum over its steps,
as in Green's theorem: a step up adds the squares of the piece to the left of it, a step down takes
them off. Summed along a cluster, by any way, this is a potential, and the potentials where two
moves touch the clusters tell what they cut off. So all pairs are found in about the time of one
search of the board.
"""

from __future__ import annotations

import numpy as np

from pinchpoint.compiled import inlined, kernel
from pinchpoint.types import Ints

# Eight directions, counterclockwise from east.
DOWN = (0, -1, -1, -1, 0, 1, 1, 1)
RIGHT = (1, 1, 0, -1, -1, -1, 0, 1)

# Rows of scratch. Of each square of the board, which has a border of one square here:
LEFT, CLUSTER, POTENTIAL, WAITING, TOUCHES = range(5)
# Of the touches of a square, one for each run of closed squares around it: their cluster, the
# direction of the first of them, and the potential of the square if it were of that cluster.
TOUCHED, WHERE, HEIGHT = range(5, 8)
# Of joints, each a square that touches two clusters, the first of the lower number:
SQUARE, FIRST, SECOND, LEVEL = range(8, 12)
# Joints in an order, those being sorted, and where the next one of each kind goes:
SORTED, UNSORTED, PLACE = range(12, 15)
ROWS = 15
MOST_TOUCHES = 4
MOST_JOINTS = 6  # pairs of touches

PIECE, UNKNOWN = -1, -2  # in place of a cluster's number

Box = tuple[int, int, int, int]  # top, bottom, west, east


def make_scratch(height: int, width: int) -> Ints:
    return np.empty((ROWS, MOST_JOINTS * (height + 2) * (width + 2)), dtype=np.int32)


@kernel
def note_pair_cuts(piece: Ints, width: int, scratch: Ints, off: Ints) -> None:
    """Set off[v], for each square v of a piece, to the most that v and one other square cut off.

    Cut off from the larger part, that is. What one of them cuts off alone may be counted in.
    """
    top = bottom = piece[0] // width + 1
    west = east = piece[0] % width + 1
    for v in piece:
        off[v] = 0
        y, x = v // width + 1, v % width + 1
        top, bottom = min(top, y), max(bottom, y)
        west, east = min(west, x), max(east, x)
    box = (top - 1, bottom + 1, west - 1, east + 1)
    find_clusters(piece, width, box, scratch)
    for v in piece:
        find_touches(bordered(v, width), width + 2, scratch)
    join_by_clusters(piece, width, scratch, off)
    join_neighbors(piece, width, scratch, off)


@inlined
def bordered(v: int, width: int) -> int:
    """The number of a square when the board has a border."""
    return (v // width + 1) * (width + 2) + v % width + 1


@kernel
def find_clusters(piece: Ints, width: int, box: Box, scratch: Ints) -> None:
    """Number the clusters of closed squares in the box, and give each square its potential."""
    row = width + 2
    top, bottom, west, east = box
    for y in range(top, bottom + 1):
        for x in range(west, east + 1):
            scratch[CLUSTER, y * row + x] = UNKNOWN
    for v in piece:
        scratch[CLUSTER, bordered(v, width)] = PIECE
    for y in range(top, bottom + 1):
        left = 0
        for x in range(west, east + 1):
            scratch[LEFT, y * row + x] = left
            left += scratch[CLUSTER, y * row + x] == PIECE
    clusters = 0
    for y in range(top, bottom + 1):
        for x in range(west, east + 1):
            if scratch[CLUSTER, y * row + x] == UNKNOWN:
                fill_cluster(y * row + x, row, clusters, box, scratch)
                clusters += 1


@kernel
def fill_cluster(root: int, row: int, cluster: int, box: Box, scratch: Ints) -> None:
    """Number one cluster. Around the piece, potentials differ by its size from way to way."""
    top, bottom, west, east = box
    scratch[CLUSTER, root], scratch[POTENTIAL, root] = cluster, 0
    scratch[WAITING, 0], waiting = root, 1
    while waiting:
        waiting -= 1
        here = scratch[WAITING, waiting]
        for d in range(8):
            y, x = here // row + DOWN[d], here % row + RIGHT[d]
            there = y * row + x
            inside = top <= y <= bottom and west <= x <= east
            if inside and scratch[CLUSTER, there] == UNKNOWN:
                scratch[CLUSTER, there] = cluster
                scratch[POTENTIAL, there] = scratch[POTENTIAL, here] + flux(here, there, d, scratch)
                scratch[WAITING, waiting] = there
                waiting += 1


@inlined
def flux(here: int, there: int, direction: int, scratch: Ints) -> int:
    """What a step adds to the squares that a loop encloses.

    The loop is thought to run a hair below the squares and, at moves, a hair less far to the left:
    so a step crosses the row of its lower square, with a move to the right of it.
    """
    if DOWN[direction] > 0:
        return -int(scratch[LEFT, there])
    return int(scratch[LEFT, here]) if DOWN[direction] < 0 else 0


@inlined
def on_left(come: int, go: int) -> int:
    """Whether a move lies to the left of a loop that comes to it and goes on in these directions.

    As seen from the loop, the move is to the east and a hair to the north: half a direction.
    """
    return int((1 - 2 * go) % 16 < (2 * come - 2 * go) % 16)


@inlined
def find_touches(here: int, row: int, scratch: Ints) -> None:
    """Where a square of the piece touches clusters."""
    count = 0
    before = scratch[CLUSTER, here + DOWN[7] * row + RIGHT[7]]
    for d in range(8):
        there = here + DOWN[d] * row + RIGHT[d]
        cluster = scratch[CLUSTER, there]
        if cluster != PIECE and before == PIECE:
            place = MOST_TOUCHES * here + count
            scratch[TOUCHED, place] = cluster
            scratch[WHERE, place] = d
            scratch[HEIGHT, place] = scratch[POTENTIAL, there] - flux(here, there, d, scratch)
            count += 1
        before = cluster
    scratch[TOUCHES, here] = count


@kernel
def join_by_clusters(piece: Ints, width: int, scratch: Ints, off: Ints) -> None:
    """Pairs of moves with a cluster on either side: both moves touch both."""
    size = len(piece)
    joints, clusters = list_joints(piece, width, scratch)
    if joints < 2:
        return
    sort_joints(joints, LEVEL, size, UNSORTED, SORTED, scratch)
    sort_joints(joints, FIRST, clusters, SORTED, UNSORTED, scratch)
    sort_joints(joints, SECOND, clusters, UNSORTED, SORTED, scratch)
    start = 0
    for end in range(1, joints + 1):
        one = scratch[SORTED, start]
        two = scratch[SORTED, min(end, joints - 1)]
        same = scratch[FIRST, one] == scratch[FIRST, two]
        same &= scratch[SECOND, one] == scratch[SECOND, two]
        if end == joints or not same:
            join_opposites(scratch[SORTED, start:end], size, scratch, off)
            start = end


@inlined
def list_joints(piece: Ints, width: int, scratch: Ints) -> tuple[int, int]:
    """List the joints; return their number, and a bound on the numbers of their clusters."""
    joints, clusters = 0, 0
    for v in piece:
        here = bordered(v, width)
        for i in range(scratch[TOUCHES, here]):
            for j in range(scratch[TOUCHES, here]):
                one, two = MOST_TOUCHES * here + i, MOST_TOUCHES * here + j
                first, second = scratch[TOUCHED, one], scratch[TOUCHED, two]
                if first < second:
                    level = scratch[HEIGHT, one] - scratch[HEIGHT, two]
                    level -= on_left(scratch[WHERE, one], scratch[WHERE, two])
                    scratch[SQUARE, joints] = v
                    scratch[FIRST, joints], scratch[SECOND, joints] = first, second
                    scratch[LEVEL, joints] = level % len(piece)
                    scratch[UNSORTED, joints] = joints
                    clusters = max(clusters, second + 1)
                    joints += 1
    return joints, clusters


@inlined
def sort_joints(joints: int, by: int, bound: int, before: int, after: int, scratch: Ints) -> None:
    """Sort joints by a row of scratch that holds numbers below a bound; equal ones keep order."""
    for k in range(bound + 1):
        scratch[PLACE, k] = 0
    for i in range(joints):
        scratch[PLACE, scratch[by, i] + 1] += 1
    for k in range(bound):
        scratch[PLACE, k + 1] += scratch[PLACE, k]
    for i in range(joints):
        joint = scratch[before, i]
        k = scratch[by, joint]
        scratch[after, scratch[PLACE, k]] = joint
        scratch[PLACE, k] += 1


@inlined
def join_opposites(group: Ints, size: int, scratch: Ints, off: Ints) -> None:
    """Pairs of moves that touch the same two clusters, from a group of joints sorted by level.

    Levels lie on a circle as long as the piece is large. Two moves cut off what lies between them,
    the shorter way round. So the best partner is the last before the opposite place, or the first
    from there on. Two joints of one square do no harm: what it cuts off alone, it also cuts off
    together with a neighbor.
    """
    opposite = 0  # from `len(group)` on, the joints are met again, a round higher
    for i in range(len(group)):
        while opposite < i + len(group) and 2 * rise(group, i, opposite, size, scratch) < size:
            opposite += 1
        before = rise(group, i, opposite - 1, size, scratch)
        after = size - rise(group, i, opposite, size, scratch)
        v = scratch[SQUARE, group[i]]
        off[v] = max(off[v], before - 1, after - 1)


@inlined
def rise(group: Ints, i: int, j: int, size: int, scratch: Ints) -> int:
    """By how much the level of joint j is above that of joint i; j may be a round higher."""
    rounds, place = divmod(j, len(group))
    return int(scratch[LEVEL, group[place]] + rounds * size - scratch[LEVEL, group[i]])


@kernel
def join_neighbors(piece: Ints, width: int, scratch: Ints, off: Ints) -> None:
    """Pairs of moves that touch each other, and both the same cluster."""
    row, size = width + 2, len(piece)
    for v in piece:
        here = bordered(v, width)
        for d in range(4):  # the other four are seen from the other square
            there = here + DOWN[d] * row + RIGHT[d]
            if scratch[CLUSTER, there] != PIECE:
                continue
            u = v + DOWN[d] * width + RIGHT[d]
            step = -flux(here, there, d, scratch)
            for i in range(scratch[TOUCHES, there]):
                for j in range(scratch[TOUCHES, here]):
                    one, two = MOST_TOUCHES * there + i, MOST_TOUCHES * here + j
                    if scratch[TOUCHED, one] == scratch[TOUCHED, two]:
                        enclosed = scratch[HEIGHT, one] + step - scratch[HEIGHT, two]
                        enclosed -= on_left(scratch[WHERE, one], d + 4)
                        enclosed -= on_left(d, scratch[WHERE, two])
                        note(u, v, enclosed % size, size, off)


@inlined
def note(u: int, v: int, enclosed: int, size: int, off: Ints) -> None:
    cut = min(enclosed, size - 2 - enclosed)
    off[u] = max(off[u], cut)
    off[v] = max(off[v], cut)
