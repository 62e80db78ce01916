"""Duels: an attack takes nodes away while a guard makes others safe, on one board.

The attack moves in `Games`. The guarded nodes are a `Growth` of their own, which begins empty: in a
monotone mode the board is held as soon as they alone are active. A duel adds whose turn it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pinchpoint.checks import whole_number
from pinchpoint.compiled import inlined, kernel
from pinchpoint.errors import IllegalMove, InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import (
    Batch,
    Games,
    as_boards,
    first_outside,
    one_square_each,
    row_number,
    row_numbers,
)
from pinchpoint.game.growth import (
    Forest,
    Ground,
    Growth,
    add_to,
    board_of,
    make_forest,
    make_ground,
)
from pinchpoint.game.kernels import attack, random_unprotected
from pinchpoint.game.modes.base import Mode, Rule
from pinchpoint.game.state import (
    ACTIVE,
    ALIVE,
    STATE_NAMES,
    Game,
    Graph,
    Scratch,
    State,
    game_of,
)
from pinchpoint.graph.topology import Topology
from pinchpoint.rng import GAMMA, below, check_seed, mix, stream
from pinchpoint.types import Bools, Bytes, Floats, Ints, Longs, Squares

ATTACK, GUARD = range(2)
SIDES = ("attack", "guard")
RUNNING, BROKEN, HELD = range(3)

# Columns of `turns`: who moves, how many moves are left before the other one does, how many were
# made, and the result.
SIDE, LEFT, MADE, RESULT = range(4)
NO_COIN = -1


class Course(NamedTuple):
    """How the duels of a batch go."""

    turns: Ints  # [B, 4]
    moves: Ints  # [B, N]  the squares attacked and guarded, in order, then -1
    numbers: Longs  # [B]  of the boards
    first: int  # ATTACK or GUARD
    guards: int  # moves of the guard in a turn
    coin: int  # the seed of the coin that says who moves, or NO_COIN


class Duels(Batch):
    """B duels on boards of one mode, advanced together or in part.

    `guards` is the number of nodes that the guard makes safe in a turn, `first` who begins. With
    `turns="coin"` a fair coin, drawn from `seed`, says before every move who makes it.
    """

    def __init__(
        self,
        boards: Boards | npt.ArrayLike,
        mode: str | Mode | None = None,
        topology: Topology | None = None,
        guards: int = 1,
        first: str = "attack",
        turns: str = "alternate",
        seed: int = 0,
    ) -> None:
        """Lay boards as `Games` does."""
        if whole_number(guards, "guards") < 1:
            raise InputError(f"guards is {guards}; the guard makes one node safe a turn, or more")
        if first not in SIDES:
            raise InputError(f"first is {first!r}; choose from {', '.join(SIDES)}")
        if turns not in ("alternate", "coin"):
            raise InputError(f"turns is {turns!r}; choose from alternate, coin")
        if turns == "coin" and guards != 1:
            raise InputError("where a coin says who moves, each side makes one move; leave guards")
        check_seed(seed)
        given = as_boards(boards, mode, topology)
        self._games = Games(given)
        self.judge = self._games.judge
        self._games.protect(np.full(len(given), -1))
        self._course = Course(
            turns=np.zeros((len(given), 4), dtype=np.int32),
            moves=np.full((len(given), given.topology.n), -1, dtype=np.int32),
            numbers=given.numbers,
            first=SIDES.index(first),
            guards=int(guards),
            coin=int(seed) if turns == "coin" else NO_COIN,
        )
        self._safe: Growth | None = None  # the guarded nodes, where they can hold the board
        if self._games.monotone and not self.mode.remembers:
            safe = self._games.laid & self._games.protected
            self._safe = Growth(self.judge, safe, self._games.memory)
        begin(self._games._state, self._forest, self._course)

    # -- what the duels look like --------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._games)

    @property
    def status(self) -> Bytes:  # [B, N]  0 blocked, 1 active, 2 inactive, 3 attacked
        return self._games.status

    @property
    def guarded(self) -> Bools:  # [B, N]  open and safe from attacks
        return self._games.laid & self._games.protected

    @property
    def active(self) -> Bools:  # [B, N]  what the rule says
        return self._games.active

    @property
    def legal(self) -> Bools:  # [B, N]  what may be attacked or guarded, whoever moves
        return self._games.legal & np.logical_not(self.done)[:, None]

    @property
    def done(self) -> Bools:  # [B]
        return np.not_equal(self._course.turns[:, RESULT], RUNNING)

    @property
    def broken(self) -> Bools:  # [B]  no node is active any more
        return np.equal(self._course.turns[:, RESULT], BROKEN)

    @property
    def held(self) -> Bools:  # [B]  the attack can no longer break the board
        return np.equal(self._course.turns[:, RESULT], HELD)

    @property
    def to_move(self) -> Ints:  # [B]
        """Who moves, ATTACK or GUARD; -1 where the duel is over."""
        return np.where(self.done, -1, self._course.turns[:, SIDE]).astype(np.int32)

    @property
    def moves_left(self) -> Ints:  # [B]
        """How many moves the side to move still has in this turn; 0 where the duel is over."""
        return np.where(self.done, 0, self._course.turns[:, LEFT]).astype(np.int32)

    @property
    def move_counts(self) -> Ints:  # [B]  of both sides
        return self._course.turns[:, MADE].copy()

    @property
    def scores(self) -> Floats:  # [B]
        """The costs of the attacked nodes; where the board is held, those of all nodes and 1."""
        worst: Floats = self._games.laid @ self.topology.costs + 1
        return np.where(self.held, worst, self._games.scores)

    def history(self, row: int = 0) -> list[int]:
        """Return the squares attacked and guarded so far in one duel."""
        row = row_number(row, len(self))
        moves: list[int] = self._course.moves[row, : self._course.turns[row, MADE]].tolist()
        return moves

    # -- what can be done with them ------------------------------------------------------------

    def play(self, squares: npt.ArrayLike) -> None:
        """Make a move of the side to move in each duel; -1 leaves a duel alone.

        For a single duel a plain number will do, and (row, col) on a lattice. If any of the moves
        is illegal, IllegalMove is raised and no duel has changed.
        """
        chosen = one_square_each(squares, len(self), self.topology)
        bad = first_outside(chosen, self.legal)
        if bad >= 0:
            raise IllegalMove(self._why_illegal(bad, int(chosen[bad])))
        attacks = self._course.turns[:, SIDE] == ATTACK
        self._games.play(np.where(attacks, chosen, -1))
        guarded = np.where(attacks, -1, chosen)
        self._games.protect(guarded)
        if self._safe is not None:
            self._safe.add(guarded)
        after_moves(self._games._state, self._forest, self._course, chosen)

    def play_randomly(self, seed: int) -> None:
        """Play every duel to its end by uniformly random moves of both sides."""
        check_seed(seed)
        if not self.mode.compiled:
            while not self.done.all():
                self.play(self.random_squares(seed))
            return
        games = self._games
        engine = games._state, games._graph, self.judge.rule, games._scratch
        ground = make_ground(self.judge)
        play_duels_randomly(*engine, self._forest, ground, self._course, seed)

    def random_squares(self, seed: int) -> Squares:  # [B]
        """Return a uniformly random legal square for each duel, -1 where it is over."""
        check_seed(seed)
        squares = np.empty(len(self), dtype=np.int64)
        random_duel_squares(self._games._state, self._course, seed, squares)
        return squares

    def undo(self, rows: npt.ArrayLike | None = None) -> None:
        """Take back the last move of these duels (all by default); no moves, no change."""
        for row in row_numbers(rows, len(self)):
            moves = self.history(row)[:-1]
            again = self.take([row])
            again._restart()
            for square in moves:
                again.play(square)
            for mine, other in zip(self._arrays(), again._arrays(), strict=True):
                mine[row] = other[0]

    def take(self, rows: npt.ArrayLike) -> Duels:
        """Return independent copies of these duels; a row may be taken more than once."""
        chosen = row_numbers(rows, len(self))
        other = object.__new__(Duels)
        other.judge = self.judge
        other._games = self._games.take(chosen)
        other._safe = None if self._safe is None else self._safe.take(chosen)
        turns, moves, numbers, *rest = self._course
        other._course = Course(turns[chosen], moves[chosen], numbers[chosen], *rest)
        return other

    # -- inside ------------------------------------------------------------------------------

    @property
    def _forest(self) -> Forest:
        """The guarded nodes as kernels take them; without nodes if they cannot hold the board."""
        if self._safe is not None:
            return self._safe._forest
        return make_forest(len(self), 0, self.judge.columns, np.zeros(len(self), dtype=np.int64))

    def _restart(self) -> None:
        rows = np.arange(len(self))
        self._games.reset(rows, self._games.laid)
        if self._safe is not None:
            self._safe.lay(rows, self.guarded)
        begin(self._games._state, self._forest, self._course)

    def _arrays(self) -> tuple[npt.NDArray[np.generic], ...]:
        """Return all arrays with a row for each duel."""
        safe = () if self._safe is None else self._safe._forest
        return (*self._games._state, *safe, self._course.turns, self._course.moves)

    def _why_illegal(self, row: int, square: int) -> str:
        if not 0 <= square < self.topology.n:
            return f"square {square} is not on the board; squares are 0 to {self.topology.n - 1}"
        where = self._name_square(square) + (f" of duel {row}" if len(self) > 1 else "")
        if self.done[row]:
            return f"no move is left on {where}: the duel is over"
        kind = STATE_NAMES[self.status[row, square]]
        kind = "guarded already" if kind == "active" else kind
        return f"{where} is {kind}; only active squares that are not guarded can be chosen"


# -- kernels -------------------------------------------------------------------------------------


@inlined
def next_turn(course: Course, b: int) -> None:
    """Say who makes the next move of a duel."""
    turn = course.turns[b]
    if course.coin != NO_COIN:
        x = stream(course.coin, course.numbers[b], turn[MADE]) + GAMMA
        turn[SIDE], turn[LEFT] = below(mix(x), 2), 1
    elif turn[LEFT] > 1:
        turn[LEFT] -= 1
    else:
        turn[SIDE] = GUARD if turn[SIDE] == ATTACK else ATTACK
        turn[LEFT] = course.guards if turn[SIDE] == GUARD else 1


@inlined
def result(game: Game, safe_and_active: int) -> int:
    """Return whether a board is broken or held by now."""
    if game.counters[ALIVE] == 0:
        return BROKEN
    if safe_and_active > 0:
        return HELD
    for s in range(len(game.status)):
        if game.status[s] == ACTIVE and game.protected[s] == 0:
            return RUNNING
    return HELD


@inlined
def note_move(game: Game, safe_and_active: int, course: Course, b: int, s: int) -> None:
    """Note a move that was made: who moves next, and whether the duel is over."""
    turn = course.turns[b]
    course.moves[b, turn[MADE]] = s
    turn[MADE] += 1
    next_turn(course, b)
    turn[RESULT] = result(game, safe_and_active)


@kernel
def begin(state: State, forest: Forest, course: Course) -> None:
    """Begin all duels on boards that are laid."""
    for b in range(len(course.turns)):
        turn = course.turns[b]
        course.moves[b, :] = -1
        turn[MADE] = turn[LEFT] = 0
        turn[SIDE] = ATTACK if course.first == GUARD else GUARD  # as if the other had just moved
        next_turn(course, b)
        turn[RESULT] = result(game_of(state, b), forest.counts[b])


@kernel
def after_moves(state: State, forest: Forest, course: Course, squares: Squares) -> None:
    """Note the moves made; -1 for none."""
    for b in range(len(squares)):
        if squares[b] >= 0:
            note_move(game_of(state, b), forest.counts[b], course, b, squares[b])


@kernel
def random_duel_squares(state: State, course: Course, seed: int, out: Squares) -> None:
    """Write a random legal square for each duel, -1 where it is over."""
    for b in range(len(out)):
        out[b] = -1
        if course.turns[b, RESULT] == RUNNING:
            x = stream(seed, course.numbers[b], course.turns[b, MADE])
            out[b] = random_unprotected(state.status[b], state.protected[b], x)


@kernel
def play_duels_randomly(
    state: State,
    graph: Graph,
    rule: Rule,
    scratch: Scratch,
    forest: Forest,
    ground: Ground,
    course: Course,
    seed: int,
) -> None:
    """Play every duel to its end with the moves that `random_duel_squares` would choose."""
    for b in range(len(course.turns)):
        game, safe, turn = game_of(state, b), board_of(forest, b), course.turns[b]
        while turn[RESULT] == RUNNING:
            x = stream(seed, course.numbers[b], turn[MADE])
            s = random_unprotected(game.status, game.protected, x)
            if turn[SIDE] == ATTACK:
                attack(game, graph, rule, scratch, s)
            else:
                game.protected[s] = 1
                if len(safe.parent) > 0:
                    add_to(safe, ground, rule, s)
            note_move(game, safe.counts[0], course, b, s)
