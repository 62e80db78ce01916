"""A proven lower bound for the network game.

Let a position with A active squares need k moves. At its end the remembered piece has m squares, no
other piece is larger than max(best, m), and 2 m ≤ A − k in some shortest game. So k removals leave
no piece larger than r = max(best, (A − k) // 2). Putting back removed squares that do not part two
pieces adds at most one square to a piece each: some s ≤ k removals, each of which parts two pieces,
leave no piece larger than r + (k − s). `fragments` decides exactly whether such removals exist.
"""

from __future__ import annotations

import time

import numpy as np

from chokepoint.solvers.network.exact import CLOSED, FOUND, Goal, advance_exact, new_view
from chokepoint.solvers.network.frontier import REGIONS, States, Sweep, advance
from chokepoint.solvers.network.kernels import Piece, Scratch, one_move
from chokepoint.solvers.network.order import build_sweep, core_of, sweep_order, whole_of

CAPACITY = 300_000  # states of a layer
MAX_SQUARES = 4000  # finding what hangs where takes time in proportion to the square of this


def new_layers(length: int) -> tuple[States, States]:
    """Room for two layers of states with rows of this length."""
    cost = np.zeros((2, CAPACITY), dtype=np.uint8)
    rows = np.zeros((2, CAPACITY, length), dtype=np.uint16)
    return States(rows[0], cost[0]), States(rows[1], cost[1])


def fragments(p: Piece, k: int, room: int, s: Scratch, deadline: float) -> bool | None:
    """Whether k removals can leave pieces of at most `room` only; None if that took too long."""
    core = core_of(p, room, s)
    if core is None:
        return True
    sweep = build_sweep(core, sweep_order(core))
    if sweep is None:
        return None
    width = sweep.room.shape[1]
    layers = new_layers(2 * width + 1)
    table = np.empty(1 << 20, dtype=np.int32)
    row = np.zeros(5 * width + 8, dtype=np.uint16)
    sizes, parent = np.zeros((2, width + REGIONS), dtype=np.int32)
    count = 1
    for step in range(len(sweep.slot)):
        if time.perf_counter() > deadline:
            return None
        before, after = layers[step % 2], layers[1 - step % 2]
        args = (sweep, step, k, room, before, count, after, width, table, row, sizes, parent)
        count = advance(*args)
        if count == -1:
            return None
        if count <= 0:
            return count == -2
    return True


def winnable(p: Piece, k: int, m: int, sweep: Sweep, deadline: float) -> bool | None:
    """Whether k removals can win with a remembered piece of m squares; None if it took too long."""
    width = sweep.room.shape[1]
    layers = new_layers(4 * width + 4)
    table = np.empty(1 << 20, dtype=np.int32)
    row = np.zeros(4 * width + 4, dtype=np.uint16)
    view = new_view(width)
    count = 1
    for step in range(len(sweep.slot)):
        if time.perf_counter() > deadline:
            return None
        before, after = layers[step % 2], layers[1 - step % 2]
        count = advance_exact(sweep, step, Goal(k, m), before, count, after, table, row, view)
        if count <= 0:
            return None if count < 0 else False
    won = FOUND | CLOSED
    return bool(np.any(layers[len(sweep.slot) % 2].rows[:count, -4] & won == won))


def enough(p: Piece, k: int, s: Scratch, deadline: float) -> bool | None:
    """Whether k moves could be enough: False is a proof that they are not."""
    n = len(p.indptr) - 1
    if k == 1:
        return one_move(p, s)
    if n > MAX_SQUARES:
        return None
    half = (n - k) // 2
    answer = fragments(p, k, max(p.best, half), s, deadline)
    if answer is not True or half <= p.best:
        return answer
    if p.best > 0 and fragments(p, k, p.best, s, deadline) is not False:
        return True
    whole = whole_of(p)
    sweep = build_sweep(whole, sweep_order(whole))
    if sweep is None:
        return None
    low, high = p.best + 1, half  # the least m for which pieces of at most m can be had
    while low < high:
        middle = (low + high) // 2
        if fragments(p, k, middle, s, deadline) is False:
            low = middle + 1
        else:
            high = middle
    for m in range(half, low - 1, -1):
        answer = winnable(p, k, m, sweep, deadline)
        if answer is not False:
            return answer
    return False
