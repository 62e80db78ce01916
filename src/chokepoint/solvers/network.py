"""Network: the best play that annealing finds, and a proven lower bound.

Only the active component and the remembered size `best` matter. Upper bound: separators annealed
from many starts (`network_anneal`), each played out, trimmed and pruned. Lower bound: an exact
sweep shows that k removals are not enough, for k = 1, 2, … (`network_bound`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from chokepoint.engine import Games
from chokepoint.errors import InputError
from chokepoint.solvers.network_anneal import anneal
from chokepoint.solvers.network_bound import enough
from chokepoint.solvers.network_kernels import Piece, Scratch, new_scratch
from chokepoint.solvers.solution import Solution
from chokepoint.topology import Bools, Ints, Topology, lattice

Effort = Literal["fast", "thorough"]
SEED = 20  # of the annealing; the same position always gets the same plan


@dataclass(frozen=True)
class Plan:
    """How much annealing, and how many removals at most the sweep may try to refute."""

    runs: int
    steps: int
    hot: float = 0.5  # temperatures, in squares
    cold: float = 0.15
    price: float = 0.3  # of a square too many in a group, in squares removed
    refute: int = 1_000_000


EFFORTS: dict[Effort, Plan] = {
    "fast": Plan(runs=8, steps=100_000, refute=1),
    "thorough": Plan(runs=24, steps=200_000),
}


def solve_network(games: Games, time_limit: float, effort: Effort = "thorough") -> list[Solution]:
    """Solve every position of a batch, each within the time limit."""
    return [
        solve_position(
            games.topology, games.labels[row] >= 0, games.legal[row], int(games.best[row]),
            time_limit, effort,
        )
        for row in range(len(games))
    ]  # fmt: skip


def solve_position(
    topology: Topology,
    open_mask: Bools,  # [N]  attacked squares are not open
    active_mask: Bools,  # [N]
    best: int,
    time_limit: float = 10.0,
    effort: Effort = "thorough",
) -> Solution:
    """Solve one position. The plan is played in the order given and ends the game."""
    if effort not in EFFORTS:
        raise InputError(f"the effort is {effort!r}; it can be {' or '.join(EFFORTS)}")
    if np.any(active_mask & ~open_mask):
        raise InputError("an active square is not open; active squares are open ones")
    compile_kernels()
    start = time.perf_counter()
    squares = np.flatnonzero(active_mask).astype(np.int32)
    if len(squares) <= best:
        return Solution.of([], 0, {"kind": "network", "method": "over"}, 0.0)
    piece = compact(topology, squares, best)
    plan = EFFORTS[effort]
    scratch = new_scratch(len(squares), SEED)
    moves = search(piece, plan, scratch, start + 0.5 * time_limit)
    bound = refute(piece, len(moves), plan, scratch, start + time_limit)
    certificate = {
        "kind": "network",
        "method": "frontier sweep",
        "active": len(squares),
        "best": best,
        "refuted": bound - 1,  # the sweep showed that this many moves are not enough
    }
    seconds = time.perf_counter() - start
    return Solution.of(squares[moves].tolist(), bound, certificate, seconds)


@cache
def compile_kernels() -> None:
    """Run every kernel once, so that compiling them is not taken off a position's time."""
    row = lattice(1, 7)
    piece = compact(row, np.arange(row.n, dtype=np.int32), 0)
    scratch = new_scratch(row.n, SEED)
    search(piece, Plan(runs=1, steps=10), scratch, 0.0)
    enough(piece, 1, scratch, math.inf)


def compact(topology: Topology, squares: Ints, best: int) -> Piece:
    """The component as a graph of its own, its squares renumbered in ascending order."""
    number = np.full(topology.n, -1, dtype=np.int32)
    number[squares] = np.arange(len(squares), dtype=np.int32)
    source = np.repeat(np.arange(topology.n), topology.degree)
    inside = (number[source] >= 0) & (number[topology.indices] >= 0)
    indptr = np.zeros(len(squares) + 1, dtype=np.int32)
    counts = np.bincount(number[source[inside]], minlength=len(squares))
    np.cumsum(counts, out=indptr[1:])
    return Piece(indptr, number[topology.indices[inside]], best)


def search(piece: Piece, plan: Plan, scratch: Scratch, deadline: float) -> Ints:
    """The best moves found by annealing from several starts, in playable order."""
    n = len(piece.indptr) - 1
    result = np.zeros(n, dtype=np.int32)
    if n == 1:
        return result
    groups = np.zeros(4, dtype=np.int32)
    random = np.array([SEED], dtype=np.uint64)
    value = n + 1
    steps = min(plan.steps, 1000 * n)
    for run in range(plan.runs):
        if run > 0 and (value == 1 or time.perf_counter() > deadline):
            break
        value = anneal(
            piece, steps, plan.hot, plan.cold, plan.price, value - 1, groups, random,
            scratch, result,
        )  # fmt: skip
    return result[:value]


def refute(piece: Piece, value: int, plan: Plan, scratch: Scratch, deadline: float) -> int:
    """The largest proven bound: one more than the number of moves shown not to be enough."""
    bound = 1
    while bound < value and bound <= plan.refute:
        if enough(piece, bound, scratch, deadline) is not False:
            break
        bound += 1
    return bound
