"""Can `k` removals break a component into pieces that are all small? An exact sweep.

The squares are swept one by one. What matters of the swept part is the *frontier*, the swept
squares that still have unswept neighbours: which of them are joined, how large their pieces are,
and at what cost. Every other detail is forgotten, so that many removal sets share one state.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chokepoint.compiled import kernel
from chokepoint.types import Bytes, Ints, Longs

Rows = npt.NDArray[np.uint16]

# What a frontier slot holds: 0 nothing (or a removed square that is known to part two pieces), a
# piece 1 … LIMIT, or a removed square that so far touches …
TOUCHES = 100  # … only the piece (code − TOUCHES)
TOUCHES_NONE = 200  # … no piece
TOUCHES_CLOSED = 201  # … only one piece, which is complete
MAX_WIDTH = 30
REGIONS = 32  # unswept regions that are told apart


class Sweep(NamedTuple):
    """A sweep order of a component with weights, square by square."""

    slot: Ints  # [m]  frontier slot of each square, in sweep order
    weight: Ints  # [m]  the square itself and what hangs on it alone
    hung: Ints  # [m]  how many pieces hang on it
    near: Ints  # [m, D]  slots of its swept neighbours, −1 beyond
    leave: Ints  # [m, D + 1]  slots that leave the frontier after it, −1 beyond
    room: Longs  # [m, width]  bit set: unswept regions that a slot's square touches afterwards
    region: Ints  # [m, 32]  weights of those regions


class States(NamedTuple):
    """The states of one layer.

    A row is the slots, the sizes of the pieces, and by how much a piece is too large at most: so
    many of the k removals must be spared.
    """

    rows: Rows  # [capacity, 2 · width + 1]
    cost: Bytes  # [capacity]


@kernel
def merge(row: Rows, width: int, into: int, other: int) -> None:
    """Join two pieces of a row."""
    for i in range(width):
        if row[i] == other:
            row[i] = into
        elif row[i] == TOUCHES + other:
            row[i] = TOUCHES + into
    row[width + into - 1] += row[width + other - 1]
    row[width + other - 1] = 0


@kernel
def touch(code: int, piece: int) -> int:
    """A removed square's slot after it is seen to touch a piece."""
    if code == TOUCHES_NONE or code == TOUCHES + piece:
        return TOUCHES + piece
    return 0


@kernel
def keep(row: Rows, width: int, sweep: Sweep, step: int, spare: int) -> int:
    """The square stays: it joins its neighbours' pieces. The size of its piece."""
    mine = 0
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        code = row[sweep.near[step, j]]
        if 0 < code < TOUCHES:
            if mine == 0:
                mine = code
            elif code != mine:
                merge(row, width, mine, code)
    if mine == 0:
        mine = spare
        row[width + mine - 1] = 0
    row[width + mine - 1] += sweep.weight[step]
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        if row[sweep.near[step, j]] >= TOUCHES:
            row[sweep.near[step, j]] = touch(row[sweep.near[step, j]], mine)
    row[sweep.slot[step]] = mine
    return int(row[width + mine - 1])


@kernel
def remove(row: Rows, sweep: Sweep, step: int) -> None:
    """The square goes; remember which pieces it touches until it is known to part two."""
    code = TOUCHES_NONE
    if sweep.hung[step] == 1:
        code = TOUCHES_CLOSED
    elif sweep.hung[step] > 1:
        code = 0
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        other = row[sweep.near[step, j]]
        if 0 < other < TOUCHES and code != 0:
            code = touch(code, other)
    row[sweep.slot[step]] = code


@kernel
def retire(row: Rows, width: int, sweep: Sweep, step: int) -> bool:
    """Squares leave the frontier; False if one was removed for nothing. Pieces get new numbers."""
    for j in range(sweep.leave.shape[1]):
        if sweep.leave[step, j] < 0:
            break
        if row[sweep.leave[step, j]] >= TOUCHES:
            return False
        row[sweep.leave[step, j]] = 0
    # number pieces by their first slot, through sizes kept beyond the row's own
    count = 0
    for i in range(width):
        code = row[i]
        if 0 < code < TOUCHES and row[2 * width + code] == 0:
            count += 1
            row[2 * width + code] = count
    for i in range(width):
        code = row[i]
        if 0 < code < TOUCHES:
            row[i] = row[2 * width + code]
        elif TOUCHES < code < TOUCHES_NONE:
            new = row[2 * width + code - TOUCHES]
            row[i] = TOUCHES + new if new > 0 else TOUCHES_CLOSED
    for i in range(width + 2):
        row[3 * width + 2 + i] = 0
    for code in range(1, width + 2):
        if row[2 * width + code] > 0:
            row[3 * width + 2 + row[2 * width + code]] = row[width + code - 1]
            row[2 * width + code] = 0
    for i in range(width):
        row[width + i] = row[3 * width + 3 + i]
    return True


@kernel
def rejoined(row: Rows, width: int, sweep: Sweep, step: int, size: Ints, parent: Ints) -> int:
    """The largest piece if nothing more is removed."""
    for i in range(width + REGIONS):
        parent[i] = i
        size[i] = row[width + i] if i < width else sweep.region[step, i - width]
    largest = 0
    for i in range(width):
        if not 0 < row[i] < TOUCHES:
            continue
        for bit in range(REGIONS):
            if (sweep.room[step, i] >> bit) & 1:
                a, b = row[i] - 1, width + bit
                while parent[a] != a:
                    a = parent[a]
                while parent[b] != b:
                    b = parent[b]
                if a != b:
                    parent[b] = a
                    size[a] += size[b]
    for i in range(width + REGIONS):
        if parent[i] == i:
            largest = max(largest, size[i])
    return largest


@kernel
def clear(table: Ints, states: int) -> int:
    """Empty as much of the hash table as so many states need; how many spots that is."""
    spots = 16
    while spots < 2 * states and spots < table.shape[0]:
        spots *= 2
    for i in range(spots):
        table[i] = -1
    return spots


@kernel
def store(
    row: Rows, length: int, cost: int, count: int, out: States, table: Ints, spots: int
) -> int:
    """Put a state into the next layer if it is new; the number of states, −1 if it is full."""
    word = np.uint64(14695981039346656037)
    for i in range(length):
        word = (word ^ np.uint64(row[i])) * np.uint64(1099511628211)
    word ^= word >> np.uint64(29)
    mask = np.uint64(spots - 1)
    spot = word & mask
    while table[spot] >= 0:
        index = table[spot]
        same = True
        for i in range(length):
            if out.rows[index, i] != row[i]:
                same = False
                break
        if same:
            out.cost[index] = min(out.cost[index], cost)
            return count
        spot = (spot + np.uint64(1)) & mask
    if count >= out.cost.shape[0]:
        return -1
    table[spot] = count
    for i in range(length):
        out.rows[count, i] = row[i]
    out.cost[count] = cost
    return count + 1


@kernel
def advance(
    sweep: Sweep,
    step: int,
    k: int,
    room: int,  # a piece may have room + (k − cost) squares
    before: States,
    count: int,
    after: States,
    width: int,
    table: Ints,
    row: Rows,  # [5 · width + 8]  scratch
    sizes: Ints,
    parent: Ints,
) -> int:
    """One square further: the number of states, −1 if too many, −2 if k removals do it."""
    spots = clear(table, 4 * count)
    found = 0
    for index in range(count):
        cost = int(before.cost[index])
        spare = 1
        while spare <= width and before.rows[index, width + spare - 1] > 0:
            spare += 1
        for cut in range(2):
            if cost + cut > k:
                break
            for i in range(2 * width + 1):
                row[i] = before.rows[index, i]
            for i in range(2 * width + 1, row.shape[0]):
                row[i] = 0
            if cut == 0:
                size = keep(row, width, sweep, step, spare)
                row[2 * width] = max(int(row[2 * width]), size - room)
            else:
                remove(row, sweep, step)
            if cost + cut + row[2 * width] > k or not retire(row, width, sweep, step):
                continue
            largest = rejoined(row, width, sweep, step, sizes, parent)
            if largest <= room + k - cost - cut:
                return -2
            if cost + cut == k:
                continue
            found = store(row, 2 * width + 1, cost + cut, found, after, table, spots)
            if found < 0:
                return -1
    return found
