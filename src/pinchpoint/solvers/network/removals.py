"""The sweep of the network solver: can k removals end the game with a remembered size in a range?

The game ends because no piece that is left is larger than the remembered size t. Either that size
was remembered from the start, or two pieces of t nodes or more were there at once, when the *early*
removals had been made and the *late* ones had not. So each node is kept, removed late or removed
early, and of the swept nodes it matters how the frontier is joined into *pieces* (kept nodes) and
into *parts* (kept or removed late), and how large those are.

Removals that part nothing, late ones two pieces and early ones two parts, can be put back. Each
makes a piece larger by one node at most. So some s ≤ k *tidy* removals, each of which parts
something, leave no piece larger than the most plus k − s. There are far fewer of those.

Of two states with the same frontier, the one that has removed no more, has no larger piece and no
smaller part is at least as good. The other one is dropped: what is left is a small share.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pinchpoint.compiled import kernel
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.network.anneal import ActivePiece
from pinchpoint.solvers.network.sweep import (
    REGIONS,
    Orders,
    Sweep,
    build_sweep,
    core_of,
    plan_order,
)
from pinchpoint.types import Bytes, Ints

StateRows = npt.NDArray[np.uint16]

CAPACITY = 1_000_000  # states of a layer
SPOTS = 1 << 21  # of the table that finds states by their frontier
STATE_SLOT = 0.06  # price of each slot of a state
DROPPED = 255  # cost of a state that another one dominates

# What a slot of the frontier holds: 0 nothing (or a removed node that is known to part something),
# a group (piece or part) from 1 on, or a removed node that so far touches …
WAITS = 128  # codes from here on are removed nodes
TOUCHES_NONE = 129  # … no group
TOUCHES_CLOSED = 130  # … only one group, which is complete
TOUCHES = 140  # + number: … only this group

KEPT, LATE, EARLY = range(3)  # what becomes of a node
FULL, REACHED = -1, -2  # in place of a number of states


class Goal(NamedTuple):
    """Up to `moves` removals that leave no piece over `most`; early on, two parts of `least`."""

    moves: int
    most: int
    least: int = 0  # 0: parts do not matter
    spare: int = 0  # a piece may be larger by so many nodes, less one for each removal
    waits: bool = False  # each removal must part something


def tidy_goal(moves: int, most: int, least: int = 0) -> Goal:
    """Ask for removals that part something; those that are put back are spared."""
    return Goal(moves, most, least, spare=moves, waits=True)


class Layout(NamedTuple):
    """Where things are in a row: codes of pieces and parts, then what can be better or worse."""

    width: int
    groups: int  # 1: pieces, 2: parts as well
    found: int  # large parts behind the frontier, up to 2
    over: int  # by how much a piece is larger than `most`: so many removals must be spared
    sizes: int  # of piece 1, 2, …, then of part 1, 2, …
    length: int


class States(NamedTuple):
    """The states of one layer."""

    rows: StateRows  # [CAPACITY, length]
    cost: Bytes  # [CAPACITY]  nodes removed
    following: Ints  # [CAPACITY]  the next state with the same frontier, −1 for none


class Scratch(NamedTuple):
    row: StateRows  # [length]
    number: Ints  # [width + 1]
    moved: Ints  # [width + 1]
    size: Ints  # [width + REGIONS]
    parent: Ints  # [width + REGIONS]
    table: Ints  # [SPOTS]


def can_reach(p: ActivePiece, goal: Goal, orders: Orders, budget: Budget) -> bool | None:
    """Tell whether removals may reach the goal: False is a proof that none do, None no answer.

    What hangs on a single other node is left out where it is too small for a large part: to remove
    that other one late is as good as to remove any of it.
    """
    core = core_of(p, goal.least - 1 if goal.least else goal.most)
    if core is None:  # without some node all pieces are so small: no large part avoids it
        return goal.least == 0
    order = plan_order(core, orders, budget)
    sweep, back = build_sweep(core, order), build_sweep(core, order[::-1])
    if sweep is None or back is None:
        return None
    needed = still_needed(back, goal, budget)
    for count, _ in layers(sweep, goal, needed, budget):
        if count == FULL:
            return None
        if count == REACHED:
            return True
    return None if budget.is_over else False


def still_needed(back: Sweep, goal: Goal, budget: Budget) -> Ints:  # [m]
    """Return how many of the nodes after each step must be removed at least.

    They are swept from the other end, as if nothing else was there, with half of the removals. In
    the whole graph a removal may part what is one piece behind the step, so that none has to wait.
    """
    m = len(back.slot)
    needed = np.zeros(m, dtype=np.int32)
    half = goal.moves // 2
    alone = Goal(half, goal.most, spare=goal.spare)
    for swept, (count, after) in enumerate(layers(back, alone, None, budget), start=1):
        if count == FULL:
            break
        fewest = int(after.cost[:count].min()) if count else half + 1
        needed[: m - swept] = fewest
    return needed


def layers(
    sweep: Sweep, goal: Goal, needed: Ints | None, budget: Budget
) -> Iterator[tuple[int, States]]:
    """Sweep until nothing is left, the goal is reached or the budget is spent.

    After each node yield the number of states (or FULL, or REACHED) and the states. If it is not
    known how many removals are `needed` ahead, the nodes ahead are left out of account, and no
    state reaches the goal.
    """
    layout = layout_of(sweep.room.shape[1], 2 if goal.least else 1)
    states = new_states(layout), new_states(layout)
    scratch = new_scratch(layout)
    count = 1
    for step in range(len(sweep.slot)):
        budget.spend(STATE_SLOT * count * layout.width * layout.groups)
        if budget.is_over:
            return
        before, after = states[step % 2], states[1 - step % 2]
        ahead = -1 if needed is None else int(needed[step])
        count = advance(sweep, step, goal, ahead, layout, before, count, after, scratch)
        yield count, after
        if count <= 0:
            return


def layout_of(width: int, groups: int) -> Layout:
    """Lay out a row for a frontier of this width."""
    found = groups * width
    return Layout(width, groups, found, found + 1, found + 2, 2 * found + 2)


def new_states(layout: Layout) -> States:
    """Make room for a layer; it begins with the state in which nothing is swept."""
    return States(
        np.zeros((CAPACITY, layout.length), dtype=np.uint16),
        np.zeros(CAPACITY, dtype=np.uint8),
        np.zeros(CAPACITY, dtype=np.int32),
    )


def new_scratch(layout: Layout) -> Scratch:
    number, moved = np.zeros((2, layout.width + 1), dtype=np.int32)
    size, parent = np.zeros((2, layout.width + REGIONS), dtype=np.int32)
    row = np.zeros(layout.length, dtype=np.uint16)
    return Scratch(row, number, moved, size, parent, np.empty(SPOTS, dtype=np.int32))


# -- one node further ------------------------------------------------------------------------------


@kernel
def advance(
    sweep: Sweep,
    step: int,
    goal: Goal,
    ahead: int,  # removals that are needed ahead; -1: leave the nodes ahead out of account
    layout: Layout,
    before: States,
    count: int,
    after: States,
    s: Scratch,
) -> int:
    """Go one node further; return the number of states, or FULL, or REACHED."""
    spots = clear(s.table, 4 * count)
    found = 0
    row = s.row
    for index in range(count):
        if before.cost[index] == DROPPED:
            continue
        parts_matter = goal.least > 0 and before.rows[index, layout.found] < 2
        for choice in range(3 if parts_matter else 2):
            cost = int(before.cost[index]) + (choice != KEPT)
            if cost + max(0, ahead) > goal.moves:
                break
            for i in range(layout.length):
                row[i] = before.rows[index, i]
            if not choose(row, choice, cost, sweep, step, goal, layout, s):
                continue
            if ahead >= 0:
                if settled(row, cost, sweep, step, goal, layout, s):
                    return REACHED
                if cost == goal.moves or row[layout.over] > spared(goal, cost + 1):
                    continue  # nothing more can be removed
            found = store(row, cost, layout, found, after, s.table, spots)
            if found == FULL:
                return FULL
    return found


@kernel
def spared(goal: Goal, cost: int) -> int:
    """Return by how much a piece may be larger than `most` after so many removals."""
    return max(0, goal.spare - cost)


@kernel
def choose(
    row: StateRows,
    choice: int,
    cost: int,
    sweep: Sweep,
    step: int,
    goal: Goal,
    layout: Layout,
    s: Scratch,
) -> bool:
    """Keep the node or remove it; False if that cannot lead to the goal."""
    width = layout.width
    if choice == KEPT:
        size = join(row, 0, layout.sizes, width, sweep, step)
        row[layout.over] = max(int(row[layout.over]), size - goal.most)
    else:
        leave_out(row, 0, sweep, step, goal.waits and choice == LATE)
    if row[layout.over] > spared(goal, cost):
        return False
    if retire(row, 0, layout.sizes, width, sweep, step, goal.most + goal.moves + 1, s) < 0:
        return False
    if goal.least == 0 or row[layout.found] == 2:
        return True
    if choice == EARLY:
        leave_out(row, width, sweep, step, goal.waits)
    else:
        join(row, width, layout.sizes + width, width, sweep, step)
    large = retire(row, width, layout.sizes + width, width, sweep, step, goal.least, s)
    if large < 0:
        return False
    row[layout.found] = min(2, row[layout.found] + large)
    for i in range(width):
        size = layout.sizes + width + i
        if row[layout.found] == 2:  # parts do not matter any more
            row[width + i] = 0
            row[size] = 0
        else:
            row[size] = min(row[size], goal.least)
    return True


@kernel
def join(row: StateRows, codes: int, sizes: int, width: int, sweep: Sweep, step: int) -> int:
    """Join the node with the groups that it touches; return the size of its group."""
    mine = 0
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        code = int(row[codes + sweep.near[step, j]])
        if 0 < code < WAITS:
            if mine == 0:
                mine = code
            elif code != mine:
                merge(row, codes, sizes, width, mine, code)
    if mine == 0:
        mine = 1
        while row[sizes + mine - 1] > 0:
            mine += 1
    row[sizes + mine - 1] += sweep.weight[step]
    for j in range(sweep.near.shape[1]):
        if sweep.near[step, j] < 0:
            break
        near = codes + sweep.near[step, j]
        if row[near] >= WAITS:
            row[near] = touch(int(row[near]), mine)
    row[codes + sweep.slot[step]] = mine
    return int(row[sizes + mine - 1])


@kernel
def merge(row: StateRows, codes: int, sizes: int, width: int, into: int, other: int) -> None:
    """Join two groups."""
    for i in range(codes, codes + width):
        if row[i] == other:
            row[i] = into
        elif row[i] == TOUCHES + other:
            row[i] = TOUCHES + into
    row[sizes + into - 1] += row[sizes + other - 1]
    row[sizes + other - 1] = 0


@kernel
def leave_out(row: StateRows, codes: int, sweep: Sweep, step: int, waits: bool) -> None:
    """Let the node join no group; if it `waits`, note what it touches until it parts something."""
    code = 0
    if waits and sweep.hung[step] < 2:
        code = TOUCHES_CLOSED if sweep.hung[step] == 1 else TOUCHES_NONE
        for j in range(sweep.near.shape[1]):
            if sweep.near[step, j] < 0:
                break
            other = int(row[codes + sweep.near[step, j]])
            if 0 < other < WAITS and code != 0:
                code = touch(code, other)
    row[codes + sweep.slot[step]] = code


@kernel
def touch(code: int, group: int) -> int:
    """Return the code of a removed node after it is seen to touch a group."""
    if code == TOUCHES_NONE or code == TOUCHES + group:
        return TOUCHES + group
    return 0


@kernel
def retire(
    row: StateRows,
    codes: int,
    sizes: int,
    width: int,
    sweep: Sweep,
    step: int,
    large: int,
    s: Scratch,
) -> int:
    """Take nodes off the frontier and number groups by their first slot.

    Return how many groups of `large` nodes are behind the frontier now, −1 if a removed node that
    parts nothing would be.
    """
    for j in range(sweep.leave.shape[1]):
        if sweep.leave[step, j] < 0:
            break
        if row[codes + sweep.leave[step, j]] >= WAITS:
            return -1
        row[codes + sweep.leave[step, j]] = 0
    s.number[:] = 0
    s.moved[:] = 0
    count = 0
    for i in range(codes, codes + width):
        code = row[i]
        if 0 < code < WAITS:
            if s.number[code] == 0:
                count += 1
                s.number[code] = count
                s.moved[count] = row[sizes + code - 1]
            row[i] = s.number[code]
    for i in range(codes, codes + width):
        if row[i] > TOUCHES:
            new = s.number[row[i] - TOUCHES]
            row[i] = TOUCHES + new if new > 0 else TOUCHES_CLOSED
    behind = 0
    for group in range(1, width + 1):
        if s.number[group] == 0 and row[sizes + group - 1] >= large:
            behind += 1
    for i in range(width):
        row[sizes + i] = s.moved[i + 1]
    return behind


@kernel
def settled(
    row: StateRows, cost: int, sweep: Sweep, step: int, goal: Goal, layout: Layout, s: Scratch
) -> bool:
    """Tell whether the goal is reached if all nodes ahead are kept."""
    put_together(row, 0, layout.sizes, layout.width, sweep, step, s)
    most = goal.most + spared(goal, cost)
    for i in range(layout.width + REGIONS):
        if s.parent[i] == i and s.size[i] > most:
            return False
    if goal.least == 0 or row[layout.found] == 2:
        return True
    found = int(row[layout.found])
    width = layout.width
    put_together(row, width, layout.sizes + width, width, sweep, step, s)
    for i in range(width + REGIONS):
        if s.parent[i] == i and s.size[i] >= goal.least:
            found += 1
    return found >= 2


@kernel
def put_together(
    row: StateRows, codes: int, sizes: int, width: int, sweep: Sweep, step: int, s: Scratch
) -> None:
    """Join the groups with the unswept regions that they touch; sizes are at the roots."""
    for i in range(width):
        s.parent[i] = i
        s.size[i] = row[sizes + i]
    for i in range(REGIONS):
        s.parent[width + i] = width + i
        s.size[width + i] = sweep.region[step, i]
    for i in range(width):
        if not 0 < row[codes + i] < WAITS:
            continue
        touched = sweep.room[step, i]
        bit = 0
        while touched:
            if touched & 1:
                a, b = int(row[codes + i]) - 1, width + bit
                while s.parent[a] != a:
                    a = s.parent[a]
                while s.parent[b] != b:
                    b = s.parent[b]
                if a != b:
                    s.parent[b] = a
                    s.size[a] += s.size[b]
            touched >>= 1
            bit += 1


# -- layers of states ------------------------------------------------------------------------------


@kernel
def clear(table: Ints, states: int) -> int:
    """Empty as much of the hash table as so many states need; return how many spots that is."""
    spots = 16
    while spots < 2 * states and spots < table.shape[0]:
        spots *= 2
    for i in range(spots):
        table[i] = -1
    return spots


@kernel
def store(
    row: StateRows, cost: int, layout: Layout, count: int, out: States, table: Ints, spots: int
) -> int:
    """Put a state into the next layer unless another one dominates it.

    States that it dominates are dropped. Return how many states there are, or FULL.
    """
    first = find(row, layout.found, out, table, spots)
    place = -1
    index = table[first]
    while index >= 0:
        if out.cost[index] != DROPPED:
            if out.cost[index] <= cost and dominates(out.rows[index], row, layout):
                return count
            if cost <= out.cost[index] and dominates(row, out.rows[index], layout):
                out.cost[index] = DROPPED
        if out.cost[index] == DROPPED and place < 0:
            place = index
        index = out.following[index]
    if place < 0:
        if count >= out.cost.shape[0]:
            return FULL
        place = count
        count += 1
        out.following[place] = table[first]
        table[first] = place
    for i in range(layout.length):
        out.rows[place, i] = row[i]
    out.cost[place] = cost
    return count


@kernel
def find(row: StateRows, length: int, out: States, table: Ints, spots: int) -> int:
    """Return the spot of the table for states with this frontier."""
    word = np.uint64(14695981039346656037)
    for i in range(length):
        word = (word ^ np.uint64(row[i])) * np.uint64(1099511628211)
    word ^= word >> np.uint64(29)
    mask = np.uint64(spots - 1)
    spot = word & mask
    while table[spot] >= 0:
        same = True
        for i in range(length):
            if out.rows[table[spot], i] != row[i]:
                same = False
                break
        if same:
            break
        spot = (spot + np.uint64(1)) & mask
    return int(spot)


@kernel
def dominates(a: StateRows, b: StateRows, layout: Layout) -> bool:
    """Tell whether row a is at least as good as row b, with the same frontier."""
    if a[layout.over] > b[layout.over]:
        return False
    for i in range(layout.sizes, layout.sizes + layout.width):
        if a[i] > b[i]:
            return False
    for i in range(layout.sizes + layout.width, layout.length):
        if a[i] < b[i]:
            return False
    return bool(a[layout.found] >= b[layout.found])
