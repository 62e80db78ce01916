"""Any mode on any board: the best plan that search on the engine finds, and a bound.

Two greedy plans come first, pruned of what they do not need. Then all positions that can be reached
in one move, in two, … are looked at, as far as memory and time go: if none of them is over, more
moves are needed, and a small position is solved exactly. What time is left goes to tearing a part
out of the best plan and finishing it anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from chokepoint.game import BoardMode, Games, Network, prune
from chokepoint.solvers.solution import Solution

SEED = 7  # the same position always gets the same plan, if the time is not what ends the search
CANDIDATES = 256  # moves that a greedy step compares
BATCH = 512  # positions that are played on between two looks at the clock
MEMORY = 400_000_000  # bytes that the positions of an exhaustive level may take
BYTES_A_NODE = 60  # of a game on the engine, roughly
PRUNING = 3e-5  # seconds that pruning a plan takes, times the square of its length


def solve_by_search(games: Games, time_limit: float) -> list[Solution]:
    """The best plan found for every position, with a bound."""
    return [
        search_position(games, row, time_limit, simple_bound(games, row))
        for row in range(len(games))
    ]


def simple_bound(games: Games, row: int) -> int:
    """One move, or one in each active piece where pieces are judged by themselves."""
    if games.done[row]:
        return 0
    if isinstance(games.mode, BoardMode | Network):
        return 1
    return len(np.unique(games.labels[row][games.legal[row]]))


def search_position(games: Games, row: int, time_limit: float, bound: int) -> Solution:
    """The best plan found for one position; `bound` is one that is known already."""
    start = time.perf_counter()
    search = Search(games.take([row]), bound, start + time_limit)
    if not games.done[row]:
        search.run()
    certificate = {"kind": "search", "exhausted": search.exhausted, "simple": bound}
    return Solution.of(search.plan, search.bound, certificate, time.perf_counter() - start)


class Search:
    """The best plan from one position so far, and the proven bound."""

    def __init__(self, root: Games, bound: int, deadline: float) -> None:
        self.root, self.bound, self.deadline = root, bound, deadline
        self.rng = np.random.default_rng(SEED)
        self.edges = root.topology.edges()
        self.room = max(MEMORY // (BYTES_A_NODE * root.topology.n), 1)  # games kept at a time
        self.plan: list[int] = []
        self.exhausted = 0  # no play of so many moves ends the game

    @property
    def late(self) -> bool:
        return time.perf_counter() > self.deadline

    def run(self) -> None:
        self.plan = self.pruned(self.finish_by_degree(self.root.copy()))
        greedy = self.pruned(self.finish(self.root.copy(), CANDIDATES))
        self.plan = min(self.plan, greedy, key=len)
        self.exhaust()
        while len(self.plan) > self.bound and not self.late:
            self.mend()

    def finish_by_degree(self, game: Games) -> list[int]:
        """Play to the end at once: each move hits the most neighbours that were not hit before."""
        played = len(self.root.history())
        ends = self.edges[game.legal[0][self.edges].all(axis=1)]
        degree = np.bincount(ends.ravel(), minlength=game.topology.n)
        while not game.done[0] and not self.late:
            square = int(np.where(game.legal[0], degree, -1).argmax())
            game.play(square)
            degree[game.topology.neighbours(square)] -= 1
        game.play_randomly(SEED)  # time is up: any play ends the game
        return game.history()[played:]

    def finish(self, game: Games, candidates: int) -> list[int]:
        """Play on greedily to the end: each move leaves the least active squares and edges."""
        played = len(self.root.history())
        few = min(candidates, self.room)
        while not game.done[0] and not self.late:
            squares = np.flatnonzero(game.legal[0])
            if len(squares) > few:
                squares = self.rng.choice(squares, few, replace=False)
            tried = game.take(np.zeros(len(squares), dtype=np.intp))
            tried.play(squares)
            game.play(int(squares[self.active_parts(tried).argmin()]))
        game.play_randomly(SEED)
        return game.history()[played:]

    def active_parts(self, games: Games) -> npt.NDArray[np.int64]:  # [B]
        legal = games.legal
        joined = legal[:, self.edges[:, 0]] & legal[:, self.edges[:, 1]]
        counts: npt.NDArray[np.int64] = legal.sum(axis=1) + joined.sum(axis=1)
        return counts

    def pruned(self, plan: list[int]) -> list[int]:
        if time.perf_counter() + PRUNING * len(plan) ** 2 > self.deadline:
            return plan
        kept = prune(self.root, np.array([plan], dtype=np.int64))[0]
        return [int(s) for s in kept[kept >= 0]]

    def exhaust(self) -> None:
        """Look at all positions after one move, two, …: raises the bound, may find the best."""
        level, depth = [self.root.copy()], 0
        while depth + 1 < len(self.plan) and not self.late:
            following: list[Games] = []
            seen: set[bytes] = set()
            for after in self.children(level):
                over = np.flatnonzero(after.done)
                if len(over):
                    self.plan = after.history(int(over[0]))[len(self.root.history()) :]
                    self.bound = depth + 1
                    return
                following.append(after.take(first_seen(after, seen)))
                if self.late or len(seen) > self.room:
                    return
            level, depth = following, depth + 1
            self.exhausted = depth
            self.bound = max(self.bound, depth + 1)

    def children(self, level: list[Games]) -> Iterator[Games]:
        """The positions one move later, a batch at a time."""
        for games in level:
            rows, squares = np.nonzero(games.legal)
            for start in range(0, len(rows), BATCH):
                batch = slice(start, start + BATCH)
                after = games.take(rows[batch])
                after.play(squares[batch])
                yield after

    def mend(self) -> None:
        """Tear a random part out of the best plan, finish greedily, keep what is no worse."""
        size = len(self.plan)
        torn = self.rng.integers(1, max(size // 2, 1) + 1)
        kept = np.sort(self.rng.permutation(size)[torn:])
        game = self.root.copy()
        game.follow(np.array(self.plan, dtype=np.int64)[kept][None])
        plan = self.pruned(self.finish(game, CANDIDATES // 8))
        if len(plan) <= size:
            self.plan = plan


def first_seen(games: Games, seen: set[bytes]) -> list[int]:
    """The rows of positions that were not seen before; they are now."""
    memory = games.best.astype("<i4")[:, None].view(np.uint8)
    keys = np.concatenate([games.status, memory], axis=1)
    rows = []
    for row, key in enumerate(keys):
        name = key.tobytes()
        if name not in seen:
            seen.add(name)
            rows.append(row)
    return rows
