"""Brute force for tiny boards: try all games, by the rule of the mode in Python and nothing else.

The solvers are tested against it. It takes any mode on any board and knows two tricks only: a set
of squares is a number, one bit a square, and no position is looked at twice.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Component

MOST_SQUARES = 24  # open ones; beyond, there are too many games


class BruteForce:
    """The fewest moves from one position of a game, and which first moves are optimal."""

    def __init__(self, games: Games, row: int = 0) -> None:
        status = games.status[row]
        self.topology, self.mode = games.topology, games.mode
        self.start = _bits(np.flatnonzero((status == 1) | (status == 2)))
        self.active = _bits(np.flatnonzero(status == 1))
        self.memory = int(games.memory[row])
        if self.start.bit_count() > MOST_SQUARES:
            raise InputError(
                f"{self.start.bit_count()} squares are open; brute force takes up to {MOST_SQUARES}"
            )
        nodes = range(games.topology.n)
        self.around = [_bits(games.topology.neighbours(node)) for node in nodes]
        pairs = games.mode.terminal_sets(games.topology)
        self.sides = [_bits(side) for pair in pairs for side in pair]
        self.known: dict[tuple[int, int, int], bool] = {}
        self.components: dict[int, Component] = {}

    def fewest_moves(self) -> int:
        """Return the smallest number of moves that ends the game."""
        moves = 0
        while not self.can_end(self.start, self.active, self.memory, moves):
            moves += 1
        return moves

    def optimal_first_moves(self) -> set[int]:
        """Return the squares with which a shortest game can begin; none if the game is over."""
        rest = self.fewest_moves() - 1
        return {
            square
            for square, opened, active, memory in self.moves(self.start, self.active, self.memory)
            if rest >= 0 and self.can_end(opened, active, memory, rest)
        }

    def can_end(self, opened: int, active: int, memory: int, moves: int) -> bool:
        """Whether the game can be ended in this many moves or fewer."""
        if not active:
            return True
        if moves == 0:
            return False
        key = (opened, memory, moves)
        if key not in self.known:
            self.known[key] = any(
                self.can_end(left, still_active, remembered, moves - 1)
                for _, left, still_active, remembered in self.moves(opened, active, memory)
            )
        return self.known[key]

    def moves(self, opened: int, active: int, memory: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield every legal move, with what is open, active and remembered after it."""
        for square in _squares(active):
            left = opened & ~(1 << square)
            yield square, left, *self.judge(left, memory)

    def judge(self, opened: int, memory: int) -> tuple[int, int]:
        """Return the active squares, and what is remembered from now on."""
        pieces = list(self.pieces(opened))
        components = [self.component(piece) for piece in pieces]
        verdicts, memory = self.mode.settle(components, memory)
        return sum(piece for piece, active in zip(pieces, verdicts, strict=True) if active), memory

    def pieces(self, opened: int) -> Iterator[int]:
        """Yield the connected pieces of a set of squares."""
        while opened:
            piece, new = 0, opened & -opened
            while new:
                piece |= new
                touched = 0
                for square in _squares(new):
                    touched |= self.around[square]
                new = touched & opened & ~piece
            yield piece
            opened &= ~piece

    def component(self, piece: int) -> Component:
        """Return a piece as modes see it."""
        if piece not in self.components:
            squares = list(_squares(piece))
            inside = sum((self.around[square] & piece).bit_count() for square in squares)
            self.components[piece] = Component(
                topology=self.topology,
                size=len(squares),
                edges=inside // 2,
                faces=sum(int(self.topology.faces[square]) for square in squares) - inside,
                contacts=tuple((piece & side).bit_count() for side in self.sides),
                find_squares=lambda: np.array(squares, dtype=np.intp),
            )
        return self.components[piece]


def fewest_moves(games: Games, row: int = 0) -> int:
    """Return the fewest moves from one position, by trying all games."""
    return BruteForce(games, row).fewest_moves()


def _bits(squares: object) -> int:
    return sum(1 << int(square) for square in np.asarray(squares).ravel())


def _squares(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
