"""Exact programs for small games with costs: every play, in rational numbers.

They know the rules as docs/rules.md has them and nothing of the package: a set of nodes is a
number, one bit a node, and costs are fractions.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

Rule = Callable[["ExactGame", list[int], int], tuple[list[bool], int]]


@dataclass
class ExactGame:
    """A board or graph with costs and a rule.

    A rule takes the pieces and what is remembered. It returns which pieces are active, and what is
    remembered from now on.
    """

    around: list[int]  # by node: the set of its neighbours
    costs: list[Fraction]
    rule: Rule
    sides: list[tuple[int, int]] = field(default_factory=list)  # pairs of terminals (flow)
    faces: list[int] = field(default_factory=list)  # by node (noodle)
    judged: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def pieces(self, opened: int) -> Iterator[int]:
        while opened:
            piece, new = 0, opened & -opened
            while new:
                piece |= new
                touched = 0
                for v in nodes_of(new):
                    touched |= self.around[v]
                new = touched & opened & ~piece
            yield piece
            opened &= ~piece

    def judge(self, opened: int, memory: int) -> tuple[int, int]:
        """Return the active nodes and what is remembered."""
        if (opened, memory) not in self.judged:
            pieces = list(self.pieces(opened))
            verdicts, after = self.rule(self, pieces, memory)
            active = sum(p for p, verdict in zip(pieces, verdicts, strict=True) if verdict)
            self.judged[opened, memory] = active, after
        return self.judged[opened, memory]

    def cost(self, nodes: list[int] | tuple[int, ...]) -> Fraction:
        return sum((self.costs[v] for v in nodes), Fraction(0))

    def plays_to_the_end(self, opened: int, memory: int, moves: tuple[int, ...]) -> bool:
        """Whether each move attacks an active node, and the last one ends the game."""
        active, memory = self.judge(opened, memory)
        for v in moves:
            if not active >> v & 1:
                return False
            opened &= ~(1 << v)
            active, memory = self.judge(opened, memory)
        return not active

    def least(self, opened: int, memory: int) -> Fraction:
        """Return what the cheapest play costs."""
        numbers = itertools.count()
        queue = [(Fraction(0), next(numbers), opened, memory)]
        seen = set()
        while True:
            paid, _, opened, memory = heapq.heappop(queue)
            active, memory = self.judge(opened, memory)
            if not active:
                return paid
            for v in nodes_of(active):
                left = opened & ~(1 << v)
                if (left, memory) not in seen:
                    seen.add((left, memory))
                    heapq.heappush(queue, (paid + self.costs[v], next(numbers), left, memory))

    def best_moves(self, opened: int, memory: int) -> set[int]:
        """Return the first moves of the cheapest plays."""
        best = self.least(opened, memory)
        active, memory = self.judge(opened, memory)
        return {
            v
            for v in nodes_of(active)
            if self.costs[v] + self.least(opened & ~(1 << v), memory) == best
        }


def network(game: ExactGame, pieces: list[int], memory: int) -> tuple[list[bool], int]:
    sizes = [piece.bit_count() for piece in pieces]
    memory = max([memory, *sorted(sizes)[:-1]])
    return [size > memory for size in sizes], memory


def flow(game: ExactGame, pieces: list[int], memory: int) -> tuple[list[bool], int]:
    return [any(p & a and p & b for a, b in game.sides) for p in pieces], memory


def shatter(size: int) -> Rule:
    return lambda game, pieces, memory: ([p.bit_count() > size for p in pieces], memory)


def noodle(k: Fraction, inclusive: bool) -> Rule:
    def rule(game: ExactGame, pieces: list[int], memory: int) -> tuple[list[bool], int]:
        verdicts = []
        for piece in pieces:
            inside = sum((game.around[v] & piece).bit_count() for v in nodes_of(piece))
            faces = sum(game.faces[v] for v in nodes_of(piece)) - inside
            worth = Fraction(faces, piece.bit_count())
            verdicts.append(worth < k or (worth == k and not inclusive))
        return verdicts, memory

    return rule


def nodes_of(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def bits_of(nodes: object) -> int:
    return sum(1 << int(v) for v in nodes)  # type: ignore[attr-defined]
