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

from chokepoint.errors import InputError
from chokepoint.game import Games
from chokepoint.graph import Topology, lattice
from chokepoint.solvers.network.anneal import anneal
from chokepoint.solvers.network.bound import enough
from chokepoint.solvers.network.kernels import Piece, new_scratch
from chokepoint.solvers.solution import Solution
from chokepoint.types import Bools, Ints

Effort = Literal["fast", "thorough"]
SEED = 20  # of the annealing: the same position gets the same plan, given the time


@dataclass(frozen=True)
class Plan:
    """How much to do."""

    first: int  # annealing runs before the first attempt at a proof
    more: int  # runs after it, if that fell short
    steps: int  # of a run
    refute: int = 1_000_000  # number of moves up to which to try a proof that they are not enough


EFFORTS: dict[Effort, Plan] = {
    "fast": Plan(first=8, more=0, steps=100_000, refute=1),
    "thorough": Plan(first=6, more=20, steps=200_000),
}
HOT, COLD = 0.5, 0.15  # temperatures, in squares removed
PRICE = 0.3  # of a square too many in a group, in squares removed


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
    search = Search(compact(topology, squares, best), start + time_limit)
    bound = search.run(EFFORTS[effort], start + 0.4 * time_limit)
    certificate = {
        "kind": "network",
        "method": "frontier sweep",
        "active": len(squares),
        "best": best,
        "refuted": bound - 1,  # the sweep showed that this many moves are not enough
    }
    seconds = time.perf_counter() - start
    return Solution.of(squares[search.moves].tolist(), bound, certificate, seconds)


@cache
def compile_kernels() -> None:
    """Run every kernel once, so that compiling them is not taken off a position's time."""
    row = lattice(1, 7)
    piece = compact(row, np.arange(row.n, dtype=np.int32), 0)
    search = Search(piece, math.inf)
    search.anneal(1, 10, math.inf)
    enough(piece, 2, search.scratch, math.inf)  # goes through both sweeps


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


class Search:
    """The best moves found so far from a position, and the proven bound."""

    def __init__(self, piece: Piece, deadline: float) -> None:
        self.piece, self.deadline = piece, deadline
        self.n = len(piece.indptr) - 1
        self.scratch = new_scratch(self.n, SEED)
        self.random = np.array([SEED], dtype=np.uint64)
        self.result = np.zeros(self.n, dtype=np.int32)
        self.value = self.n + 1
        self.bound = 1

    @property
    def moves(self) -> Ints:
        """In playable order."""
        return self.result[: self.value]

    def run(self, plan: Plan, half_time: float) -> int:
        """Anneal and refute in turn until the plan or the time is over; the bound."""
        self.anneal(plan.first, plan.steps, half_time)
        self.refute(plan.refute, half_time)
        if self.bound < self.value:
            self.anneal(plan.more, plan.steps, self.deadline)
            self.refute(plan.refute, self.deadline)
        return self.bound

    def anneal(self, runs: int, steps: int, deadline: float) -> None:
        """Anneal from several starts, at least one if there are no moves yet."""
        if self.n == 1:
            self.value = 1
        groups = np.zeros(4, dtype=np.int32)
        steps = min(steps, 1000 * self.n)  # a small board needs no more
        for _ in range(runs):
            late = time.perf_counter() > deadline and self.value <= self.n
            if late or self.value == self.bound:
                break
            self.value = anneal(
                self.piece, steps, HOT, COLD, PRICE, self.value - 1, groups, self.random,
                self.scratch, self.result,
            )  # fmt: skip

    def refute(self, most: int, deadline: float) -> None:
        """Raise the bound: show that one move is not enough, nor two, …"""
        while self.bound < self.value and self.bound <= most:
            if enough(self.piece, self.bound, self.scratch, deadline) is not False:
                break
            self.bound += 1
