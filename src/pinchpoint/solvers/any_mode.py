"""Solve any mode on any board by search on the engine: the best plan found, and a bound.

Two greedy plans come first, without the moves that they do not need. Then all positions that can be
reached in one move, in two, … are looked at, as far as memory and budget go: if none of them is
over, more moves are needed. This solves small positions exactly. What is left of the budget goes to
tearing a part out of the best plan and finishing it anew.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator, Sequence

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.growth import Growth
from pinchpoint.game.plans import plans_from_lists, prune
from pinchpoint.game.state import BLOCKED
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.solution import Solution
from pinchpoint.types import Array, Bools, Longs, Rows

SEED = 7  # the same position always gets the same plan, if seconds are not what ends the search
CANDIDATES = 256  # moves that a greedy step compares
BATCH = 512  # positions that are played on between two looks at the clock
MEMORY = 400_000_000  # bytes that the positions of an exhaustive level may take
BYTES_A_NODE = 60  # of a game on the engine, roughly
TRIAL, TRIAL_MOVE = 150.0, 1.6  # prices of trying a plan without one of its moves, and of each move
LARGE, END_NODE = 20_000, 17.0  # nodes of a large game, and the price of each to end it at once
CALL, GAME, NODE = 100.0, 1.0, 0.02  # prices of a batch of moves, of each game and each node in it


def solve_by_search(games: Games, time_limit: float, work: float = math.inf) -> list[Solution]:
    """Return the best plan found for every position, with a bound."""
    solutions = []
    for row in range(len(games)):
        budget = Budget(time_limit, work)
        solutions.append(search_position(games, row, budget, simple_bound(games, row)))
    return solutions


def simple_bound(games: Games, row: int) -> int:
    """Return the cheapest node, or that of each active piece where pieces are judged alone."""
    if games.done[row]:
        return 0
    active = games.active[row]
    amounts, labels = games.topology.whole_costs.amounts[active], games.labels[row][active]
    if games.mode.remembers:
        return int(amounts.min())
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return int(np.minimum.reduceat(amounts[order], starts).sum())


def search_position(
    games: Games, row: int, budget: Budget, bound: int, known: Sequence[int] = ()
) -> Solution:
    """Return the best plan found for one position.

    `bound` is a lower bound that is known, in units of the costs, and `known` a plan that ends the
    game, if there is one.
    """
    start = time.perf_counter()
    search = PlanSearch(games.take([row]), bound, budget)
    search.run(known)
    costs = games.topology.whole_costs
    certificate = {
        "kind": "search",
        "exhausted": costs.number(search.exhausted),
        "simple": costs.number(bound),
    }
    seconds = time.perf_counter() - start
    return Solution.of(search.plan, search.bound, certificate, seconds, costs)


class PlanSearch:
    """The best plan from one position so far, and the proven bound."""

    def __init__(self, root: Games, bound: int, budget: Budget) -> None:
        self.root, self.bound, self.budget = root, bound, budget
        self.rng = np.random.default_rng(SEED)
        self.edges = root.topology.edges()
        self.room = max(MEMORY // (BYTES_A_NODE * root.topology.n), 1)  # games kept at a time
        self.plan: list[int] = []
        self.exhausted = 0  # no play that costs so much ends the game
        self.costs = root.topology.costs
        self.price = root.topology.whole_costs.of

    def pay(self, games: int) -> None:
        """Count one move in so many games."""
        self.budget.spend(CALL + games * (GAME + NODE * self.root.topology.n))

    @property
    def has_time(self) -> bool:
        """Whether there is time for another move: to end a large game at once takes long too."""
        n = self.root.topology.n
        return not self.budget.is_over and (n <= LARGE or self.budget.affords(END_NODE * n))

    def run(self, known: Sequence[int]) -> None:
        """Improve plan and bound until they meet or the budget is spent."""
        if self.root.done[0]:
            return
        self.plan = self.pruned(self.finish_by_degree(self.root.copy()))
        plans = [self.plan, *([self.pruned(list(known))] if known else [])]
        if self.has_time:
            plans.insert(1, self.pruned(self.finish(self.root.copy(), CANDIDATES)))
        self.plan = min(plans, key=self.price)
        self.exhaust()
        while self.bound < self.price(self.plan) and not self.budget.is_over:
            self.mend()

    def finish_by_degree(self, game: Games) -> list[int]:
        """Play to the end fast: attack the node with the most neighbours not yet attacked."""
        played = len(self.root.history())
        ends = self.edges[game.active[0][self.edges].all(axis=1)]
        degree = np.bincount(ends.ravel(), minlength=game.topology.n)
        while not game.done[0] and self.has_time:
            self.pay(1)
            node = int(np.where(game.legal[0], degree / self.costs, -1).argmax())
            game.play(node)
            degree[game.topology.neighbours(node)] -= 1
        return game.history()[played:] + end_at_once(game)

    def finish(self, game: Games, candidates: int) -> list[int]:
        """Play on greedily to the end: each move leaves the fewest active nodes and edges."""
        played = len(self.root.history())
        few = min(candidates, self.room)
        while not game.done[0] and self.has_time:
            nodes = np.flatnonzero(game.legal[0])
            if len(nodes) > few:
                nodes = self.rng.choice(nodes, few, replace=False)
            self.pay(len(nodes))
            tried = game.take(np.zeros(len(nodes), dtype=np.intp))
            tried.play(nodes)
            gain = self.active_parts(game)[0] - self.active_parts(tried)
            game.play(int(nodes[(gain / self.costs[nodes]).argmax()]))
        return game.history()[played:] + end_at_once(game)

    def active_parts(self, games: Games) -> Longs:  # [B]
        """Count the active nodes and the edges between them."""
        active = games.active
        joined = active[:, self.edges[:, 0]] & active[:, self.edges[:, 1]]
        counts: Longs = active.sum(axis=1) + joined.sum(axis=1)
        return counts

    def pruned(self, plan: list[int]) -> list[int]:
        """Return the plan without moves that it does not need, if the budget allows."""
        price = len(plan) * (TRIAL + TRIAL_MOVE * len(plan))
        if not self.budget.affords(price):
            return plan
        self.budget.spend(price)
        return without_spare(self.root, plan)

    def exhaust(self) -> None:
        """Look at all positions in the order of what the way to them costs (Dijkstra).

        Raise the bound as far as that goes, and maybe find the best plan. Positions that differ by
        less than the cheapest node come together: none of them comes after another.
        """
        played = len(self.root.history())
        amounts = self.root.topology.whole_costs.amounts
        least = int(amounts[self.root.status[0] != BLOCKED].min())
        layers = {0: [(self.root.copy(), np.zeros(1, dtype=amounts.dtype))]}
        order, seen = [0], set[bytes]()
        while order and not self.budget.is_over:
            layer = layers.pop(heapq.heappop(order))
            spent, best = min(int(paid.min()) for _, paid in layer), self.price(self.plan)
            if spent + least >= best:
                order.clear()
                break
            self.exhausted, self.bound = spent, max(self.bound, spent + least)
            for after, paid in self.children(layer):
                cheapest = int(np.where(after.done, paid, best).argmin())
                if after.done[cheapest] and paid[cheapest] < best:
                    self.plan, best = after.history(cheapest)[played:], int(paid[cheapest])
                    if best <= spent + least:
                        self.bound = best
                        return
                rows = first_seen(after, ~after.done & (paid + least < best), seen)
                keys = paid[rows] // least
                for key in np.unique(keys).tolist():
                    if key not in layers:
                        heapq.heappush(order, key)
                    alike = rows[keys == key]
                    layers.setdefault(key, []).append((after.take(alike), paid[alike]))
                if self.budget.is_over or len(seen) > self.room:
                    return
        if not order:
            self.bound = self.price(self.plan)

    def children(self, layer: list[tuple[Games, Array]]) -> Iterator[tuple[Games, Array]]:
        """Yield the positions one move later and what they cost, a batch at a time."""
        amounts = self.root.topology.whole_costs.amounts
        for games, paid in layer:
            rows, nodes = np.nonzero(games.legal)
            for start in range(0, len(rows), BATCH):
                batch = slice(start, start + BATCH)
                self.pay(len(rows[batch]))
                after = games.take(rows[batch])
                after.play(nodes[batch])
                yield after, paid[rows[batch]] + amounts[nodes[batch]]

    def mend(self) -> None:
        """Tear a random part out of the best plan, finish greedily, keep the result if no worse."""
        size = len(self.plan)
        torn = self.rng.integers(1, max(size // 2, 1) + 1)
        kept = np.sort(self.rng.permutation(size)[torn:])
        self.pay(size)
        game = self.root.copy()
        game.follow(np.array(self.plan, dtype=np.int64)[kept][None])
        plan = self.pruned(self.finish(game, CANDIDATES // 8))
        if self.price(plan) <= self.price(self.plan):
            self.plan = plan


def end_at_once(game: Games) -> list[int]:
    """Return moves that end a game: any will do, as nothing is left to spend."""
    if game.done[0]:
        return []
    costs, degree = game.topology.costs, game.topology.degree
    if game.monotone and not game.mode.remembers:
        # Without all active nodes it is over, and without those that can stay; good ones go.
        nodes = np.flatnonzero(game.active[0])
        nodes = nodes[np.argsort(degree[nodes] / costs[nodes], kind="stable")]
        opened = game.labels >= 0
        opened[0, nodes] = False
        growth = Growth(game.judge, opened, game.memory)
        stay = growth.add_unless_active(nodes[None].astype(np.int64))[0]
        return [int(node) for node in nodes[~stay]]
    played = len(game.history())
    game.follow(np.argsort(-degree / costs, kind="stable")[None])
    game.play_randomly(SEED)
    return game.history()[played:]


def without_spare(game: Games, plan: list[int]) -> list[int]:
    """Return a plan for one position without the moves that it does not need."""
    kept = prune(game, plans_from_lists([plan]))[0]
    return [int(s) for s in kept[kept >= 0]]


def first_seen(games: Games, useful: Bools, seen: set[bytes]) -> Rows:
    """Return the rows of useful positions that were not seen before, and add them to `seen`."""
    memory = games.memory.astype("<i4")[:, None].view(np.uint8)
    keys = np.concatenate([games.status, memory], axis=1)
    rows = []
    for row in np.flatnonzero(useful):
        name = keys[row].tobytes()
        if name not in seen:
            seen.add(name)
            rows.append(row)
    return np.array(rows, dtype=np.intp)
