"""The second sweep of the network solver: can k removals win with a remembered piece of m nodes?

It spells out the end of the game, which the first sweep (`fragments`) does not. Let M be the piece
of m nodes that is cut off and remembered, and N the removed nodes that touch it. The removals win
the game if no other piece is larger than m, and if without M and N the rest still holds a joined
part R of at least m nodes: M is then cut off while R is at least as large.

The other removals, T, belong to the rest. As in the first sweep, those that do not part two pieces
are put back, and each lets a piece have one node more. A state tells what the frontier's nodes are
(M, another piece, N, T), the sizes of the pieces, and those of the joined parts of the rest until
one has m nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.solvers.budget import Budget
from chokepoint.solvers.network.sweep import (
    REGIONS,
    TOUCHES,
    TOUCHES_CLOSED,
    TOUCHES_NONE,
    WAITS,
    StateRows,
    States,
    Sweep,
    clear,
    new_layers,
    store,
    touch,
)
from chokepoint.types import Ints

# A slot of the frontier can also hold a part of M (OURS + its number). A removed node of N that
# touches no node of M yet holds WAITS; codes beyond are removed nodes of T.
OURS = 64

EXACT_STATE_SLOT = 0.3  # price of each slot of a state

FOUND, CLOSED = 1, 2  # flags: some part of the rest has m nodes; M is complete


def can_win(k: int, m: int, sweep: Sweep, budget: Budget) -> bool | None:
    """Tell whether k removals can win with a remembered piece of m nodes; None for no answer."""
    width = sweep.room.shape[1]
    layers = new_layers(4 * width + 4)
    table = np.empty(1 << 20, dtype=np.int32)
    row = np.zeros(4 * width + 4, dtype=np.uint16)
    view = new_view(width)
    count = 1
    for step in range(len(sweep.slot)):
        budget.spend(EXACT_STATE_SLOT * count * width)
        if budget.is_over:
            return None
        before, after = layers[step % 2], layers[1 - step % 2]
        count = advance_exact(sweep, step, Goal(k, m), before, count, after, table, row, view)
        if count <= 0:
            return None if count < 0 else False
    won = FOUND | CLOSED
    return bool(np.any(layers[len(sweep.slot) % 2].rows[:count, -4] & won == won))


class View(NamedTuple):
    """A state taken apart."""

    code: Ints  # [width]  what the slots hold
    size: Ints  # [width + 2]  of piece 1, 2, …
    part: Ints  # [width]  the joined part of the rest that a slot belongs to, 0 if none
    total: Ints  # [width + 2]  nodes of part 1, 2, …
    flags: Ints  # [1]
    strict: Ints  # [1]  bit set: slots of T, which must not touch M
    over: Ints  # [1]  by how much a piece is too large at most: so many removals must be spared
    number: Ints  # [width + 2]  scratch
    moved: Ints  # [width + 2]  scratch
    parent: Ints  # [width + REGIONS]  scratch
    joined: Ints  # [width + REGIONS]  scratch


def new_view(width: int) -> View:
    """Make a view for states with a frontier of this width."""
    lengths = [width, width + 2] * 2 + [1] * 3 + [width + 2] * 2 + [width + REGIONS] * 2
    return View(*(np.zeros(length, dtype=np.int32) for length in lengths))


class Goal(NamedTuple):
    k: int  # removals
    m: int  # nodes of the remembered piece


@kernel
def unpack(rows: StateRows, index: int, v: View) -> None:
    width = v.code.shape[0]
    for i in range(width):
        v.code[i] = rows[index, i]
        v.size[i + 1] = rows[index, width + i]
        v.part[i] = rows[index, 2 * width + i]
        v.total[i + 1] = rows[index, 3 * width + i]
    v.size[width + 1] = 0
    v.total[width + 1] = 0
    v.flags[0] = rows[index, 4 * width]
    v.over[0] = rows[index, 4 * width + 1]
    v.strict[0] = rows[index, 4 * width + 2] | (int(rows[index, 4 * width + 3]) << 16)


@kernel
def pack(v: View, row: StateRows) -> None:
    width = v.code.shape[0]
    for i in range(width):
        row[i] = v.code[i]
        row[width + i] = v.size[i + 1]
        row[2 * width + i] = v.part[i]
        row[3 * width + i] = v.total[i + 1]
    row[4 * width] = v.flags[0]
    row[4 * width + 1] = v.over[0]
    row[4 * width + 2] = v.strict[0] & 0xFFFF
    row[4 * width + 3] = v.strict[0] >> 16


@kernel
def spare(sizes: Ints) -> int:
    """Return the first number that no piece (or part) has."""
    number = 1
    while sizes[number] > 0:
        number += 1
    return number


@kernel
def join_part(v: View, sweep: Sweep, step: int) -> None:
    """Join the node of this step (a piece's or T's) with the parts of the rest that it touches."""
    if v.flags[0] & FOUND:
        return
    mine = 0
    for j in range(sweep.near.shape[1]):
        slot = sweep.near[step, j]
        if slot < 0:
            break
        other = v.part[slot]
        if other > 0 and mine == 0:
            mine = other
        elif other > 0 and other != mine:
            for i in range(v.part.shape[0]):
                if v.part[i] == other:
                    v.part[i] = mine
            v.total[mine] += v.total[other]
            v.total[other] = 0
    if mine == 0:
        mine = spare(v.total)
    v.total[mine] += 1
    v.part[sweep.slot[step]] = mine


@kernel
def keep(v: View, sweep: Sweep, step: int, ours: bool, goal: Goal, cost: int) -> bool:
    """Keep the node, in M (`ours`) or in another piece; False if that cannot be."""
    base = OURS if ours else 0
    mine = 0
    for j in range(sweep.near.shape[1]):
        slot = sweep.near[step, j]
        if slot < 0:
            break
        if ours and (v.strict[0] >> slot) & 1:
            return False
        code = v.code[slot]
        if code == 0 or code >= WAITS:
            continue
        if (code > OURS) != ours:
            return False
        if mine == 0:
            mine = code - base
        elif code - base != mine:
            merge(v, code - base, mine, base)
    if mine == 0:
        if ours and v.flags[0] & CLOSED:
            return False
        mine = spare(v.size)
    v.size[mine] += 1
    v.code[sweep.slot[step]] = base + mine
    for j in range(sweep.near.shape[1]):
        slot = sweep.near[step, j]
        if slot < 0:
            break
        if ours and v.code[slot] >= WAITS:
            v.code[slot] = 0
        elif not ours and v.code[slot] > WAITS:
            v.code[slot] = touch(v.code[slot], mine)
    if ours:
        return bool(v.size[mine] <= goal.m)
    join_part(v, sweep, step)
    v.over[0] = max(v.over[0], v.size[mine] - goal.m)
    return bool(v.over[0] + cost <= goal.k)


@kernel
def merge(v: View, other: int, into: int, base: int) -> None:
    """Join two pieces."""
    for i in range(v.code.shape[0]):
        if v.code[i] == base + other:
            v.code[i] = base + into
        elif v.code[i] == TOUCHES + other:
            v.code[i] = TOUCHES + into
    v.size[into] += v.size[other]
    v.size[other] = 0


@kernel
def remove(v: View, sweep: Sweep, step: int, ours: bool) -> bool:
    """Remove the node, as one of N (`ours`) or of T; False if that cannot be.

    Once R is found it does not matter which: T then stands for both, and may touch M.
    """
    code = WAITS if ours else TOUCHES_NONE
    for j in range(sweep.near.shape[1]):
        slot = sweep.near[step, j]
        if slot < 0:
            break
        other = v.code[slot]
        if OURS < other < WAITS:
            if not ours and not v.flags[0] & FOUND:
                return False
            code = 0
        elif 0 < other < OURS and not ours and code != 0:
            code = touch(code, other)
    if ours and code == WAITS and v.flags[0] & CLOSED:
        return False
    v.code[sweep.slot[step]] = code
    if not ours and not v.flags[0] & FOUND:
        v.strict[0] |= 1 << sweep.slot[step]
        join_part(v, sweep, step)
    return True


@kernel
def retire(v: View, sweep: Sweep, step: int, m: int) -> bool:
    """Take nodes and pieces off the frontier; False if the state cannot lead to a win."""
    width = v.code.shape[0]
    for i in range(width + 2):
        v.number[i] = 0  # by piece: 1 if it is a part of M, 2 if it stays on the frontier as well
    for i in range(width):
        if OURS < v.code[i] < WAITS:
            v.number[v.code[i] - OURS] = 1
    for j in range(sweep.leave.shape[1]):
        slot = sweep.leave[step, j]
        if slot < 0:
            break
        if v.code[slot] >= WAITS:
            return False
        v.code[slot] = 0
        v.part[slot] = 0
        v.strict[0] &= ~(1 << slot)
    for i in range(width):
        if OURS < v.code[i] < WAITS:
            v.number[v.code[i] - OURS] = 2
    for piece in range(1, width + 1):
        if v.number[piece] == 1:  # this part of M has left: it must be all of M
            if v.size[piece] != m or v.flags[0] & CLOSED:
                return False
            v.flags[0] |= CLOSED
    for piece in range(1, width + 1):
        if v.number[piece] == 2 and v.flags[0] & CLOSED:
            return False
    for part in range(1, width + 2):
        if v.total[part] >= m:
            v.flags[0] |= FOUND
    renumber(v)
    return True


@kernel
def renumber(v: View) -> None:
    """Number pieces and parts by their first slot; forget those that have none."""
    width = v.code.shape[0]
    for i in range(width + 2):
        v.number[i] = 0
        v.moved[i] = 0
    count = 0
    for i in range(width):
        code = v.code[i]
        if 0 < code < WAITS:
            base = OURS if code > OURS else 0
            if v.number[code - base] == 0:
                count += 1
                v.number[code - base] = count
                v.moved[count] = v.size[code - base]
            v.code[i] = base + v.number[code - base]
    for i in range(width):
        if v.code[i] > TOUCHES:
            new = v.number[v.code[i] - TOUCHES]
            v.code[i] = TOUCHES + new if new > 0 else TOUCHES_CLOSED
    for i in range(width + 2):
        v.size[i] = v.moved[i]
        v.number[i] = 0
        v.moved[i] = 0
    count = 0
    for i in range(width):
        part = v.part[i]
        if part > 0 and v.flags[0] & FOUND:
            v.part[i] = 0
        elif part > 0:
            if v.number[part] == 0:
                count += 1
                v.number[part] = count
                v.moved[count] = v.total[part]
            v.part[i] = v.number[part]
    for i in range(width + 2):
        v.total[i] = v.moved[i]


@kernel
def hopeless(v: View, sweep: Sweep, step: int, m: int) -> bool:
    """Tell whether, with no removals left, M meets another piece or a piece grows too large."""
    width = v.code.shape[0]
    for i in range(width + REGIONS):
        v.parent[i] = i
        v.joined[i] = 0
    for i in range(width):
        v.joined[i] = v.size[i + 1]
    for i in range(REGIONS):
        v.joined[width + i] = sweep.region[step, i]
    for i in range(width):
        if not 0 < v.code[i] < WAITS:
            continue
        for bit in range(REGIONS):
            if (sweep.room[step, i] >> bit) & 1:
                a, b = (v.code[i] & (OURS - 1)) - 1, width + bit
                while v.parent[a] != a:
                    a = v.parent[a]
                while v.parent[b] != b:
                    b = v.parent[b]
                if a != b:
                    v.parent[b] = a
                    v.joined[a] += v.joined[b]
    for i in range(width + REGIONS):
        if v.parent[i] == i and v.joined[i] > m:
            return True
    for i in range(width):
        if not OURS < v.code[i] < WAITS:
            continue
        a = v.code[i] - OURS - 1
        while v.parent[a] != a:
            a = v.parent[a]
        for j in range(width):
            if 0 < v.code[j] < OURS:
                b = v.code[j] - 1
                while v.parent[b] != b:
                    b = v.parent[b]
                if a == b:
                    return True
    return False


@kernel
def advance_exact(
    sweep: Sweep,
    step: int,
    goal: Goal,
    before: States,
    count: int,
    after: States,
    table: Ints,
    row: StateRows,  # [4 · width + 4]  scratch
    v: View,
) -> int:
    """Go one node further; return the number of states, −1 if there are too many."""
    spots = clear(table, 8 * count)
    found = 0
    for index in range(count):
        for choice in range(4):
            cost = int(before.cost[index]) + choice // 2
            ours = choice % 2 == 1
            if cost > goal.k:
                break
            if choice == 3 and before.rows[index, row.shape[0] - 4] & FOUND:
                continue
            unpack(before.rows, index, v)
            if choice < 2:
                possible = keep(v, sweep, step, ours, goal, cost)
            else:
                possible = v.over[0] + cost <= goal.k and remove(v, sweep, step, ours)
            if not possible or not retire(v, sweep, step, goal.m):
                continue
            if cost == goal.k and hopeless(v, sweep, step, goal.m):
                continue
            pack(v, row)
            found = store(row, row.shape[0], cost, found, after, table, spots)
            if found < 0:
                return -1
    return found
