"""Solve network: the best play that annealing finds, and a proven lower bound.

Only the active component and the remembered size `best` matter; any graph will do. Upper bound:
separators are annealed from many starts (`anneal`), each played out and rid of moves that it does
not need. Lower bound: exact sweeps show that k removals are not enough, for k = 1, 2, …
(`removals`). On small positions where the two do not meet, all games are tried.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.order.scores import degree_order
from pinchpoint.solvers.any_mode import search_position
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.network.anneal import ActivePiece, Scratch, anneal, new_scratch, one_move
from pinchpoint.solvers.network.removals import Goal, can_reach, tidy_goal
from pinchpoint.solvers.network.sweep import Orders
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Bytes, Ints, Rows

SEED = 20  # of the annealing: the same position gets the same plan, given the time
HOT, COLD = 0.5, 0.15  # temperatures, in nodes removed
PRICE = 0.3  # of a node too many in a group, in nodes removed
SMALL = 24  # nodes; up to here all games are tried where annealing and sweeps do not meet
FIRST_SHARE = 0.4  # of the budget goes to the first attempt
ANNEAL_STEP, NODE = 0.06, 0.008  # prices of a step of the annealing and of a node visited
FIRST_PLAN = 5.0  # seconds that the first plan may take, even if the limit is less
LARGEST_SWEPT = 4000  # nodes; finding what hangs where takes time in proportion to their square


@dataclass(frozen=True)
class Effort:
    """How much to do."""

    first: int  # annealing runs before the first attempt at a proof
    more: int  # runs after it, if that fell short
    steps: int  # of a run
    refute: int = 1_000_000  # number of moves up to which to try a proof that they are not enough


EffortName = Literal["fast", "thorough"]
EFFORTS: dict[EffortName, Effort] = {
    "fast": Effort(first=8, more=0, steps=100_000, refute=1),
    "thorough": Effort(first=6, more=20, steps=200_000),
}


def solve_network(
    games: Games, time_limit: float, work: float = math.inf, effort: EffortName = "thorough"
) -> list[Solution]:
    """Solve every position of a batch, each within the time limit and the work."""
    if effort not in EFFORTS:
        raise InputError(f"the effort is {effort!r}; it can be {' or '.join(EFFORTS)}")
    solutions = []
    for row in range(len(games)):
        budget = Budget(time_limit, work)
        solution = _solve_position(games, row, budget, EFFORTS[effort])
        if not solution.proven and effort == "thorough" and games.active_counts[row] <= SMALL:
            solution = _try_all_games(games, row, solution, budget)
        solutions.append(solution)
    return solutions


def _solve_position(games: Games, row: int, budget: Budget, effort: Effort) -> Solution:
    """Solve one position. The plan is played in the order given and ends the game."""
    start = time.perf_counter()
    nodes, best = np.flatnonzero(games.active[row]), int(games.memory[row])
    if not len(nodes):
        return Solution.of([], 0, {"kind": "network", "method": "over"}, 0.0)
    with budget.alarm(least=FIRST_PLAN) as stop:
        search = NetworkSearch(piece_of(games.topology, nodes, best), budget, stop)
        bound = search.run(effort)
    found = search.value <= len(nodes)
    moves = nodes[search.moves].tolist() if found else plan_by_degree(games.take([row]))
    certificate = {
        "kind": "network",
        "method": "frontier sweep",
        "active": len(nodes),
        "best": best,
        "refuted": bound - 1,  # the sweep showed that this many moves are not enough
    }
    return Solution.of(moves, bound, certificate, time.perf_counter() - start)


def plan_by_degree(game: Games) -> list[int]:
    """Return a game that is found at once: by degree, on graphs for which nothing else has time."""
    t, played = game.topology, len(game.history())
    order = degree_order(t.indptr, t.indices, np.zeros(t.n), t.costs)
    game.follow(order[None].astype(np.int64))
    return game.history()[played:]


def _try_all_games(games: Games, row: int, found: Solution, budget: Budget) -> Solution:
    """Improve the solution of a small position by search, which looks at all games in turn."""
    better = search_position(games, row, budget, int(found.bound), found.moves)
    certificate = {**found.certificate, "refuted": better.bound - 1}
    if better.bound > found.bound:
        certificate["method"] = "all games"
    return Solution.of(better.moves, int(better.bound), certificate, found.seconds + better.seconds)


def piece_of(topology: Topology, nodes: Rows, best: int) -> ActivePiece:
    """Return the component of these nodes as a graph of its own."""
    part = subgraph(topology.indptr, topology.indices, nodes)
    return ActivePiece(part.indptr, part.indices, best)


class NetworkSearch:
    """The best moves found so far from a position, and the proven bound."""

    def __init__(self, piece: ActivePiece, budget: Budget, stop: Bytes | None = None) -> None:
        self.piece, self.budget = piece, budget
        self.n = len(piece.indptr) - 1
        self.scratch = new_scratch(self.n, SEED, stop)
        self.result = np.zeros(self.n, dtype=np.int32)
        self.orders: Orders = {}
        self.value = self.n + 1
        self.bound = 1

    @property
    def moves(self) -> Ints:
        """The moves in an order in which they can be played."""
        return self.result[: self.value]

    def run(self, effort: Effort) -> int:
        """Anneal and refute in turn until the effort is made or spent; return the bound."""
        first = self.budget.part(FIRST_SHARE)
        self.anneal(effort.first, effort.steps, first)
        self.refute(effort.refute, first)
        if self.bound < self.value:
            self.anneal(effort.more, effort.steps, self.budget)
            self.refute(effort.refute, self.budget)
        return self.bound

    def anneal(self, runs: int, steps: int, budget: Budget) -> None:
        """Anneal from several starts, at least one if there are no moves yet."""
        if self.n == 1:
            self.value = 1
        steps = min(steps, 1000 * self.n)  # a small component needs no more
        for _ in range(runs):
            over = budget.is_over and self.value <= self.n
            if over or self.scratch.stop[0] or self.value == self.bound:
                break
            self.value = anneal(
                self.piece, steps, HOT, COLD, PRICE, self.value - 1, self.scratch, self.result
            )
            budget.spend(ANNEAL_STEP * steps + NODE * int(self.scratch.work[0]))
            self.scratch.work[0] = 0

    def refute(self, most: int, budget: Budget) -> None:
        """Raise the bound: show that one move is not enough, nor two, …"""
        while self.bound < self.value and self.bound <= most:
            if may_suffice(self.piece, self.bound, self.scratch, self.orders, budget) is not False:
                break
            self.bound += 1


def may_suffice(p: ActivePiece, k: int, s: Scratch, orders: Orders, budget: Budget) -> bool | None:
    """Tell whether k moves may be enough: False is a proof that they are not, None no answer."""
    n = len(p.indptr) - 1
    if k == 1:
        return one_move(p, s)
    if n > LARGEST_SWEPT:
        return None
    half = (n - k) // 2  # two pieces of t nodes lose no more than what they have above t
    answer = can_reach(p, tidy_goal(k, max(p.best, half)), orders, budget)
    if answer is not True:
        return answer
    answer = can_reach(p, Goal(k, p.best), orders, budget)
    if answer is not False:
        return answer
    ranges = [(p.best + 1, half)]  # of t: what cannot be done for a whole range is not split up
    while ranges:
        low, high = ranges.pop()
        if low > high:
            continue
        answer = can_reach(p, tidy_goal(k, high, low), orders, budget)
        if answer is True and low < high:
            middle = (low + high) // 2
            ranges += [(low, middle), (middle + 1, high)]
            continue
        if answer is True:
            answer = can_reach(p, Goal(k, low, low), orders, budget)
        if answer is not False:
            return answer
    return False
