"""The first sweep of the network solver: can k removals leave small pieces only?

Let a position with A active nodes need k moves. At its end the remembered piece has m nodes, no
other piece is larger than max(best, m), and 2 m ≤ A − k in some shortest game. So k removals leave
no piece larger than r = max(best, (A − k) // 2). Putting back removed nodes that do not part two
pieces adds at most one node to a piece each: some s ≤ k removals, each of which parts two pieces,
leave no piece larger than r + (k − s). The sweep decides exactly whether such removals exist.

A state is a row: the slots of the frontier, the sizes of the pieces, and by how much a piece is too
large at most, which is how many of the k removals must be spared.
"""

from __future__ import annotations

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.solvers.budget import Budget
from chokepoint.solvers.network.anneal import Notepad, Piece
from chokepoint.solvers.network.sweep import (
    REGIONS,
    STATE_SLOT,
    TOUCHES,
    TOUCHES_CLOSED,
    TOUCHES_NONE,
    WAITS,
    StateRows,
    States,
    Sweep,
    clear,
    core_of,
    new_layers,
    plan_sweep,
    store,
    touch,
)
from chokepoint.types import Ints


def can_fragment(p: Piece, k: int, room: int, s: Notepad, budget: Budget) -> bool | None:
    """Tell whether k removals can leave pieces of at most `room` only; None for no answer."""
    core = core_of(p, room, s)
    if core is None:
        return True
    sweep = plan_sweep(core, budget)
    if sweep is None:
        return None
    width = sweep.room.shape[1]
    layers = new_layers(2 * width + 1)
    table = np.empty(1 << 20, dtype=np.int32)
    row = np.zeros(5 * width + 8, dtype=np.uint16)
    sizes, parent = np.zeros((2, width + REGIONS), dtype=np.int32)
    count = 1
    for step in range(len(sweep.slot)):
        budget.spend(STATE_SLOT * count * width)
        if budget.is_over:
            return None
        before, after = layers[step % 2], layers[1 - step % 2]
        args = (sweep, step, k, room, before, count, after, width, table, row, sizes, parent)
        count = advance(*args)
        if count == -1:
            return None
        if count <= 0:
            return count == -2
    return True


@kernel
def merge(row: StateRows, width: int, into: int, other: int) -> None:
    """Join two pieces of a row."""
    for i in range(width):
        if row[i] == other:
            row[i] = into
        elif row[i] == TOUCHES + other:
            row[i] = TOUCHES + into
    row[width + into - 1] += row[width + other - 1]
    row[width + other - 1] = 0


@kernel
def keep(row: StateRows, width: int, sweep: Sweep, step: int, spare: int) -> int:
    """Keep the node: join it with its neighbours' pieces; return the size of its piece."""
    mine = 0
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        code = row[sweep.near[step, j]]
        if 0 < code < WAITS:
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
        if row[sweep.near[step, j]] >= WAITS:
            row[sweep.near[step, j]] = touch(row[sweep.near[step, j]], mine)
    row[sweep.slot[step]] = mine
    return int(row[width + mine - 1])


@kernel
def remove(row: StateRows, sweep: Sweep, step: int) -> None:
    """Remove the node; remember which pieces it touches until it is known to part two."""
    code = TOUCHES_NONE
    if sweep.hung[step] == 1:
        code = TOUCHES_CLOSED
    elif sweep.hung[step] > 1:
        code = 0
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        other = row[sweep.near[step, j]]
        if 0 < other < WAITS and code != 0:
            code = touch(code, other)
    row[sweep.slot[step]] = code


@kernel
def retire(row: StateRows, width: int, sweep: Sweep, step: int) -> bool:
    """Take nodes off the frontier and renumber pieces; False if a removal parted nothing."""
    for j in range(sweep.leave.shape[1]):
        if sweep.leave[step, j] < 0:
            break
        if row[sweep.leave[step, j]] >= WAITS:
            return False
        row[sweep.leave[step, j]] = 0
    # number pieces by their first slot, through sizes kept beyond the row's own
    count = 0
    for i in range(width):
        code = row[i]
        if 0 < code < WAITS and row[2 * width + code] == 0:
            count += 1
            row[2 * width + code] = count
    for i in range(width):
        code = row[i]
        if 0 < code < WAITS:
            row[i] = row[2 * width + code]
        elif code > TOUCHES:
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
def rejoined(row: StateRows, width: int, sweep: Sweep, step: int, size: Ints, parent: Ints) -> int:
    """Return the size of the largest piece if nothing more is removed."""
    for i in range(width + REGIONS):
        parent[i] = i
        size[i] = row[width + i] if i < width else sweep.region[step, i - width]
    largest = 0
    for i in range(width):
        if not 0 < row[i] < WAITS:
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
def advance(
    sweep: Sweep,
    step: int,
    k: int,
    room: int,  # a piece may have room + (k − cost) nodes
    before: States,
    count: int,
    after: States,
    width: int,
    table: Ints,
    row: StateRows,  # [5 · width + 8]  scratch
    sizes: Ints,
    parent: Ints,
) -> int:
    """Go one node further; return the number of states, −1 if too many, −2 if k removals do it."""
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
