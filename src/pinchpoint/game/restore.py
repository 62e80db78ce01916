"""Restoring: the board starts broken, and a move reopens a blocked node until a piece is active."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pinchpoint.compiled import kernel
from pinchpoint.errors import IllegalMove
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import (
    Batch,
    as_boards,
    first_outside,
    one_square_each,
    row_number,
    row_numbers,
)
from pinchpoint.game.growth import (
    CLOSED,
    Forest,
    Ground,
    Growth,
    add_to,
    board_of,
)
from pinchpoint.game.judge import Judge
from pinchpoint.game.modes.base import Mode, Rule
from pinchpoint.game.state import ACTIVE, BLOCKED, INACTIVE
from pinchpoint.graph.topology import Topology
from pinchpoint.rng import check_seed, random_square, stream
from pinchpoint.types import Bools, Bytes, Floats, Ints, Longs, Squares


class Restorations(Batch):
    """B boards of one mode that are restored, together or in part.

    The game is over as soon as a component is active, or when nothing is left to reopen.
    """

    def __init__(
        self,
        boards: Boards | npt.ArrayLike,
        mode: str | Mode | None = None,
        topology: Topology | None = None,
    ) -> None:
        """Lay boards as `Games` does; the mode must not remember what was cut off."""
        given = as_boards(boards, mode, topology)
        self.laid: Bools = given.laid.astype(np.bool_)  # [B, N]
        self.numbers = given.numbers
        self.judge = Judge(given.mode, given.topology)
        self._growth = Growth(self.judge, self.laid)
        self._moves = np.full(self.laid.shape, -1, dtype=np.int32)  # in order, then -1
        self._made = np.zeros(len(given), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.laid)

    @property
    def status(self) -> Bytes:  # [B, N]  0 blocked, 1 active, 2 inactive
        opened = np.where(self._growth.active, ACTIVE, INACTIVE)
        return np.where(self._growth.open, opened, BLOCKED).astype(np.uint8)

    @property
    def active(self) -> Bools:  # [B, N]  what the rule says
        return self._growth.active

    @property
    def legal(self) -> Bools:  # [B, N]  what may be reopened
        return np.logical_not(self._growth.open) & np.logical_not(self.done)[:, None]

    @property
    def done(self) -> Bools:  # [B]
        return (self._growth.active_pieces > 0) | self._growth.open.all(axis=1)

    @property
    def move_counts(self) -> Ints:  # [B]
        return self._made.copy()

    @property
    def scores(self) -> Floats:  # [B]  the costs of the nodes reopened so far, added up
        scores: Floats = (self._growth.open & ~self.laid) @ self.topology.costs
        return scores

    def history(self, row: int = 0) -> list[int]:
        """Return the squares reopened so far in one game."""
        row = row_number(row, len(self))
        moves: list[int] = self._moves[row, : self._made[row]].tolist()
        return moves

    def play(self, squares: npt.ArrayLike) -> None:
        """Reopen one square in each game; -1 leaves a game alone.

        For a single game a plain number will do, and (row, col) on a lattice. If any of the moves
        is illegal, IllegalMove is raised and no game has changed.
        """
        chosen = one_square_each(squares, len(self), self.topology)
        bad = first_outside(chosen, self.legal)
        if bad >= 0:
            game = f" of game {bad}" if len(self) > 1 else ""
            why = "the game is over" if self.done[bad] else "only blocked squares are reopened"
            raise IllegalMove(f"square {chosen[bad]}{game} cannot be reopened: {why}")
        self._growth.add(chosen)
        rows = np.flatnonzero(chosen >= 0)
        self._moves[rows, self._made[rows]] = chosen[rows]
        self._made[rows] += 1

    def play_randomly(self, seed: int) -> None:
        """Play every game to its end by uniformly random moves."""
        check_seed(seed)
        if not self.mode.compiled:
            while not self.done.all():
                self.play(self.random_squares(seed))
            return
        growth = self._growth
        engine = growth._forest, growth._ground, self.judge.rule
        restore_randomly(*engine, self._moves, self._made, seed, self.numbers)

    def random_squares(self, seed: int) -> Squares:  # [B]
        """Return a uniformly random legal square for each game, -1 where the game is over."""
        check_seed(seed)
        squares = np.empty(len(self), dtype=np.int64)
        random_blocked(self._growth._forest, self._made, seed, self.numbers, squares)
        return squares

    def undo(self, rows: npt.ArrayLike | None = None) -> None:
        """Take back the last move of these games (all by default); no moves, no change."""
        chosen = row_numbers(rows, len(self))
        chosen = chosen[self._made[chosen] > 0]
        self._made[chosen] -= 1
        opened = self._growth.open[chosen]
        opened[np.arange(len(chosen)), self._moves[chosen, self._made[chosen]]] = False
        self._moves[chosen, self._made[chosen]] = -1
        self._growth.lay(chosen, opened)

    def take(self, rows: npt.ArrayLike) -> Restorations:
        """Return independent copies of these games; a row may be taken more than once."""
        chosen = row_numbers(rows, len(self))
        other = object.__new__(Restorations)
        other.judge = self.judge
        other.laid, other.numbers = self.laid[chosen], self.numbers[chosen]
        other._growth = self._growth.take(chosen)
        other._moves, other._made = self._moves[chosen], self._made[chosen]
        return other


@kernel
def random_blocked(forest: Forest, made: Ints, seed: int, numbers: Longs, out: Squares) -> None:
    """Write a random node to reopen for each game, -1 where it is over."""
    for b in range(len(out)):
        parent, closed = forest.parent[b], 0
        for v in range(len(parent)):
            closed += parent[v] == CLOSED
        out[b] = -1
        if forest.counts[b] == 0 and closed > 0:
            out[b] = random_square(parent, CLOSED, closed, stream(seed, numbers[b], made[b]))


@kernel
def restore_randomly(
    forest: Forest, ground: Ground, rule: Rule, moves: Ints, made: Ints, seed: int, numbers: Longs
) -> None:
    """Play every game to its end with the moves that `random_blocked` would choose."""
    for b in range(len(made)):
        board, closed = board_of(forest, b), 0
        for v in range(len(board.parent)):
            closed += board.parent[v] == CLOSED
        while board.counts[0] == 0 and closed > 0:
            x = stream(seed, numbers[b], made[b])
            s = random_square(board.parent, CLOSED, closed, x)
            add_to(board, ground, rule, s)
            moves[b, made[b]] = s
            made[b] += 1
            closed -= 1
