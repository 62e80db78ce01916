"""Duels and restorations once more, in plain Python and the most obvious way.

After every move all components are found anew and judged anew (`reference.SlowGame`).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable

from oracles import reference


class SlowDuel:
    def __init__(
        self,
        neighbours: reference.Neighbours,
        opened: Iterable[int],
        judge: reference.Judge,
        guards: int,
        first: str,
        monotone: bool,
    ) -> None:
        self.game = reference.SlowGame(neighbours, opened, judge)
        self.guards, self.monotone = guards, monotone
        self.guarded: set[int] = set()
        self.moves: list[int] = []
        self.side, self.left = first, guards if first == "guard" else 1
        self.result = self.judge()

    def judge(self) -> str:
        if not self.game.active:
            return "broken"
        free = self.game.active - self.guarded
        if not free:
            return "held"
        if self.monotone:
            rest = reference.SlowGame(self.game.neighbours, self.game.laid, self.game.judge)
            rest.best, rest.open = self.game.best, self.game.open - free
            rest.settle()
            if rest.active:
                return "held"
        return "running"

    def legal(self) -> list[int]:
        return sorted(self.game.active - self.guarded) if self.result == "running" else []

    def play(self, node: int) -> None:
        assert node in self.legal()
        self.moves.append(node)
        if self.side == "attack":
            self.game.play(node)
        else:
            self.guarded.add(node)
        self.left -= 1
        if self.left == 0:
            self.side = "guard" if self.side == "attack" else "attack"
            self.left = self.guards if self.side == "guard" else 1
        self.result = self.judge()


def fewest_attacks(duel: SlowDuel, known: dict[tuple[object, ...], float]) -> float:
    """Return the attacks that break the board under best play of both, infinity if it is held."""
    if duel.result != "running":
        return 0 if duel.result == "broken" else math.inf
    guarded = frozenset(duel.guarded)
    key = frozenset(duel.game.open), guarded, duel.game.best, duel.side, duel.left
    if key not in known:
        values = []
        for node in duel.legal():
            after = copy.copy(duel)
            after.game, after.guarded = copy.copy(duel.game), set(duel.guarded)
            after.game.open, after.game.moves = set(duel.game.open), list(duel.game.moves)
            after.moves = list(duel.moves)
            after.play(node)
            values.append((duel.side == "attack") + fewest_attacks(after, known))
        known[key] = min(values) if duel.side == "attack" else max(values)
    return known[key]


class SlowRestoration:
    def __init__(
        self, neighbours: reference.Neighbours, opened: Iterable[int], judge: reference.Judge
    ) -> None:
        self.game = reference.SlowGame(neighbours, opened, judge)

    def legal(self) -> list[int]:
        if self.game.active:
            return []
        return sorted(set(range(len(self.game.neighbours))) - self.game.open)

    def play(self, node: int) -> None:
        assert node in self.legal()
        self.game.open.add(node)
        self.game.settle()

    def status(self) -> list[int]:
        return [
            reference.ACTIVE
            if node in self.game.active
            else reference.INACTIVE
            if node in self.game.open
            else reference.BLOCKED
            for node in range(len(self.game.neighbours))
        ]
