"""Games: a batch of running games over one topology. The one place where a game advances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from pinchpoint.checks import whole_number, whole_numbers
from pinchpoint.errors import IllegalMove, InputError
from pinchpoint.game import kernels
from pinchpoint.game.boards import Boards, make_boards, open_squares
from pinchpoint.game.judge import Judge
from pinchpoint.game.modes.base import SIZE, Component, Mode
from pinchpoint.game.state import (
    ACTIVE,
    ALIVE,
    ATTACKED,
    BLOCKED,
    COUNT,
    IDS,
    INACTIVE,
    MEMORY,
    STATE_NAMES,
    State,
    blank_state,
    make_graph,
    make_scratch,
)
from pinchpoint.graph.topology import Topology
from pinchpoint.rng import check_seed
from pinchpoint.types import Array, Bools, Bytes, Floats, Ints, Rows, Squares

AnyArray = TypeVar("AnyArray", bound=Array)


class Batch(ABC):
    """What games, duels and restorations share: rows of one mode on one topology."""

    judge: Judge

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def take(self, rows: npt.ArrayLike) -> Self:
        """Return independent copies of these rows; a row may be taken more than once."""

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.take(np.arange(len(self)))

    @property
    def mode(self) -> Mode:
        return self.judge.mode

    @property
    def topology(self) -> Topology:
        return self.judge.topology

    def _name_square(self, square: int) -> str:
        shape = self.topology.image_shape
        return f"square {square if shape is None else divmod(square, shape[1])}"


class Games(Batch):
    """B games of one mode, advanced together or in part; a single game is a batch of one.

    One thread may use them. Games that several threads need are copied, one for each.
    """

    def __init__(
        self,
        boards: Boards | npt.ArrayLike,
        mode: str | Mode | None = None,
        topology: Topology | None = None,
    ) -> None:
        """Lay boards, in another mode than theirs if one is named.

        In place of `Boards` an array with a mode will do: [B, h, w] or [h, w] of the square
        lattice, or [B, N] or [N] with a topology; 1 is open and 0 blocked (see `make_boards`).
        """
        given = as_boards(boards, mode, topology)
        self.judge = Judge(given.mode, given.topology)
        self._graph = make_graph(given.topology, self.judge.nodes)
        self._scratch = make_scratch(given.topology)
        self._state = blank_state(len(given), given.topology, self.judge.columns)
        if self._out_of_reach().any():
            self.protect(np.full(len(given), -1))
        # The same number and seed give the same random moves in whatever batch the game is.
        self.numbers = given.numbers
        self._lay(np.arange(len(given)), given.laid)

    # -- what the games look like ------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._state.status)

    @property
    def status(self) -> Bytes:  # [B, N]  0 blocked, 1 active, 2 inactive, 3 attacked
        return read_only(self._state.status)

    @property
    def boards(self) -> Bytes:  # [B, h, w]  the status of every square of a lattice
        return self.status.reshape(len(self), *self.topology.lattice_shape())

    @property
    def active(self) -> Bools:  # [B, N]  what the rule says
        return np.equal(self._state.status, ACTIVE)

    @property
    def legal(self) -> Bools:  # [B, N]  what may be attacked
        return self.active & ~self.protected if self._state.protected.shape[1] else self.active

    @property
    def protected(self) -> Bools:  # [B, N]  True = out of the attack's reach, now and later
        if not self._state.protected.shape[1]:
            return np.zeros(self._state.status.shape, dtype=np.bool_)
        return np.equal(self._state.protected, 1)

    @property
    def laid(self) -> Bools:  # [B, N]  True = was open when the board was laid
        return np.not_equal(self._state.status, BLOCKED)

    def as_laid(self) -> Boards:
        """Return the boards as they were laid, in the mode's simplest form."""
        return make_boards(self.laid, self.mode, self.topology, self.numbers)

    @property
    def labels(self) -> Ints:  # [B, N]  component id of an open square, -1 elsewhere
        return read_only(self._state.label)

    @property
    def memory(self) -> Ints:  # [B]
        """What the mode remembers: in network the largest second piece, in shatter the size W."""
        return self._counter(MEMORY)

    @property
    def best(self) -> Ints:  # [B]
        """The same by its name in the rules of network."""
        return self.memory

    @property
    def active_counts(self) -> Ints:  # [B]
        return self._counter(ALIVE)

    @property
    def done(self) -> Bools:  # [B]  nothing may be attacked
        if self._state.protected.shape[1]:
            return np.logical_not(self.legal.any(axis=1))
        return np.equal(self._counter(ALIVE), 0)

    @property
    def compiled(self) -> bool:
        """Whether the rule is compiled; others are asked in Python, piece by piece."""
        return self.mode.compiled

    @property
    def monotone(self) -> bool:
        """Whether every piece of an inactive component would be inactive too."""
        return self.mode.monotone(self.topology)

    @property
    def move_counts(self) -> Ints:  # [B]
        return self._counter(COUNT)

    @property
    def scores(self) -> Floats:  # [B]  the costs of the squares attacked so far, added up
        scores: Floats = np.equal(self._state.status, ATTACKED) @ self.topology.costs
        return scores

    def history(self, row: int = 0) -> list[int]:
        """Return the squares attacked so far in one game."""
        row = row_number(row, len(self))
        moves: list[int] = self._state.moves[row, : self._state.counters[row, COUNT]].tolist()
        return moves

    def components(self, row: int = 0) -> list[Component]:
        """Return the pieces of one game, by ascending id."""
        row = row_number(row, len(self))
        sizes = self._state.pieces[row, : self._state.counters[row, IDS], SIZE]
        return [self._component(row, int(c)) for c in np.flatnonzero(sizes)]

    # -- what can be done with them ----------------------------------------------------------

    def play(self, squares: npt.ArrayLike) -> None:
        """Attack one square in each game; -1 leaves a game alone.

        For a single game a plain number will do, and (row, col) on a lattice. If any of the moves
        is illegal, IllegalMove is raised and no game has changed.
        """
        chosen = one_square_each(squares, len(self), self.topology)
        bad = self._attack(np.arange(len(self)), chosen)
        if bad >= 0:
            raise IllegalMove(self._why_illegal(bad, int(chosen[bad])))

    def follow(self, plans: Squares) -> Bools:  # [B, K] -> [B, K]
        """Play whole plans, one a game; -1 is no move. Return which moves were made.

        A square that is not active when its turn comes is skipped.
        """
        planned = _one_plan_each(plans, len(self), self.topology)
        made = np.zeros(planned.shape, dtype=np.bool_)
        if self.compiled:
            kernels.follow(self._state, self._graph, self.judge.rule, self._scratch, planned, made)
            return made
        rows = np.arange(len(self))
        for k, squares in enumerate(planned.T):
            made[:, k] = (squares >= 0) & self.legal[rows, squares]
            self._attack(rows, np.where(made[:, k], squares, -1))
        return made

    def play_randomly(self, seed: int) -> None:
        """Play every game to its end by uniformly random moves."""
        check_seed(seed)
        if self.compiled:
            engine = self._state, self._graph, self.judge.rule, self._scratch
            kernels.play_randomly(*engine, seed, self.numbers)
        else:
            while not self.done.all():
                self.play(self.random_squares(seed))

    def random_squares(self, seed: int) -> Squares:  # [B]
        """Return a uniformly random legal square for each game, -1 where the game is over."""
        check_seed(seed)
        squares = np.empty(len(self), dtype=np.int64)
        kernels.random_squares(self._state, seed, self.numbers, squares)
        return squares

    def undo(self, rows: npt.ArrayLike | None = None) -> None:
        """Take back the last move of these games (all by default); no moves, no change."""
        for row in row_numbers(rows, len(self)):
            self._replay(row, max(int(self._state.counters[row, COUNT]) - 1, 0))

    def redo(self, rows: npt.ArrayLike | None = None) -> None:
        """Play again the moves last taken back, one in each game; nothing to redo, no change."""
        chosen = row_numbers(rows, len(self))
        counts = self._state.counters[chosen, COUNT]
        coming = self._state.moves[chosen, counts]
        chosen, counts, coming = (array[coming >= 0] for array in (chosen, counts, coming))
        later = self._state.moves[chosen, counts + 1]
        self._attack(chosen, coming.astype(np.int64))
        self._state.moves[chosen, counts + 1] = later  # a new move forgets what a redo does not

    def protect(self, squares: Squares) -> None:  # [B]
        """Put one square of each game out of the attack's reach for good; -1 for none."""
        if not self._state.protected.shape[1]:
            protected = np.tile(self._out_of_reach(), (len(self), 1))
            self._state = self._state._replace(protected=protected)
        rows = np.flatnonzero(squares >= 0)
        self._state.protected[rows, squares[rows]] = 1

    def reset(self, rows: npt.ArrayLike, boards: npt.ArrayLike) -> None:
        """Lay new boards in these rows."""
        chosen = row_numbers(rows, len(self))
        opened = open_squares(boards, self.topology)
        if len(opened) != len(chosen):
            raise InputError(f"{len(opened)} boards were given for {len(chosen)} rows")
        if self._state.protected.shape[1]:
            self._state.protected[chosen] = self._out_of_reach()
        self._lay(chosen, opened)

    def take(self, rows: npt.ArrayLike) -> Games:
        """Return independent copies of these games; a row may be taken more than once."""
        chosen = row_numbers(rows, len(self))
        other = object.__new__(Games)
        other.judge, other._graph = self.judge, self._graph
        other._scratch = make_scratch(self.topology)
        other._state = State._make(array[chosen] for array in self._state)
        other.numbers = self.numbers[chosen]
        return other

    # -- inside ------------------------------------------------------------------------------

    def _out_of_reach(self) -> Bytes:  # [N]
        """Return 1 where no game on this topology allows an attack."""
        attackable = self.topology.attackable
        reach = np.ones(self.topology.n, dtype=np.bool_) if attackable is None else attackable
        return np.logical_not(reach).astype(np.uint8)

    def _counter(self, column: int) -> Ints:  # [B]
        counter: Ints = self._state.counters[:, column]
        return read_only(counter)

    def _lay(self, rows: Rows, opened: Bools | Bytes) -> None:
        self._state.status[rows] = np.where(opened, ACTIVE, BLOCKED)
        self._state.moves[rows] = -1
        memory = self.judge.first_memory(opened)
        kernels.lay(self._state, self._graph, self.judge.rule, self._scratch, rows, memory)
        if not self.compiled:
            for row in rows:
                self._settle(int(row), range(int(self._state.counters[row, IDS])))

    def _replay(self, row: int, length: int) -> None:
        """Put a game back to what it was after its first `length` moves; the rest can be redone."""
        moves = self._state.moves[row].copy()
        self._lay(np.array([row]), self.laid[[row]])
        self._attack(np.full(length, row), moves[:length].astype(np.int64))
        self._state.moves[row] = moves

    def _attack(self, rows: Rows, squares: Squares) -> int:
        """Make moves one after another, each in its row, -1 for none; return -1.

        If a move is illegal now, make none of them and return its place.
        """
        engine = self._state, self._graph, self.judge.rule, self._scratch
        if self.compiled:
            return int(kernels.play(*engine, rows, squares))
        bad = int(kernels.first_illegal(self._state, rows, squares))
        for i in np.flatnonzero((squares >= 0) & (bad < 0)):
            row, one = int(rows[i]), slice(i, i + 1)
            kernels.play(*engine, rows[one], squares[one])
            if self.mode.remembers:
                touched: Sequence[int] = range(int(self._state.counters[row, IDS]))
            else:
                labels = self._state.label[row, self.topology.neighbours(int(squares[i]))]
                touched = np.unique(labels[labels >= 0]).tolist()
            self._settle(row, touched)
        return bad

    def _settle(self, row: int, ids: Sequence[int]) -> None:
        """Ask a mode written in Python about these components, and repaint what has changed."""
        ids = [c for c in ids if self._state.pieces[row, c, SIZE] > 0]
        components = [self._component(row, c) for c in ids]
        memory = int(self._state.counters[row, MEMORY])
        active, self._state.counters[row, MEMORY] = self.judge.settle(components, memory)
        status = self._state.status[row]
        for component, is_active in zip(components, active, strict=True):
            colour = ACTIVE if is_active else INACTIVE
            start = int(component.squares[0])
            if status[start] != colour:
                kernels.paint(self._state, self._graph, self._scratch, row, start, colour)

    def _component(self, row: int, c: int) -> Component:
        label = self._state.label[row]
        return self.judge.component(self._state.pieces[row, c], lambda: np.flatnonzero(label == c))

    def _why_illegal(self, row: int, square: int) -> str:
        if not 0 <= square < self.topology.n:
            return f"square {square} is not on the board; squares are 0 to {self.topology.n - 1}"
        where, kind = self._name_square(square), STATE_NAMES[self._state.status[row, square]]
        game = f" of game {row}" if len(self) > 1 else ""
        if self.done[row]:
            return f"{where}{game} cannot be attacked: the game is over"
        if kind == "active":
            return f"{where}{game} is protected"
        return f"{where}{game} is {kind}; only active squares can be attacked"


def read_only(array: AnyArray) -> AnyArray:
    view = array.view()
    view.flags.writeable = False
    return view


# -- what callers give: checked, and in the form that the kernels take --------------------------


def as_boards(
    given: Boards | npt.ArrayLike, mode: str | Mode | None, topology: Topology | None
) -> Boards:
    if isinstance(given, Boards):
        if topology is not None:
            raise InputError("boards have their topology; leave it out")
        return given if mode is None else given.in_mode(mode)
    if mode is None:
        raise InputError("an array of boards needs a mode: Games(array, mode)")
    return make_boards(given, mode, topology)


def one_square_each(squares: npt.ArrayLike, games: int, topology: Topology) -> Squares:  # [B]
    """Return a square for each game; a single game also takes (row, col)."""
    given = whole_numbers(squares, "squares")
    if games == 1 and given.shape == (2,) and topology.image_shape is not None:
        given = np.array([topology.square(int(given[0]), int(given[1]))])
    given = np.atleast_1d(given)
    if given.shape != (games,):
        raise InputError(f"{games} games need as many squares; got {given.shape}")
    return given


def first_outside(squares: Squares, allowed: Bools) -> int:  # [B], [B, N]
    """Return the place of the first move that is not among those allowed, or -1."""
    inside = (squares >= 0) & (squares < allowed.shape[1])
    fine = allowed[np.arange(len(squares)), np.where(inside, squares, 0)] & inside
    bad = np.flatnonzero(~fine & (squares != -1))
    return int(bad[0]) if len(bad) else -1


def _one_plan_each(given: npt.ArrayLike, games: int, topology: Topology) -> Squares:  # [B, K]
    """Return a row of squares for each game."""
    plans = whole_numbers(given, "squares")
    if plans.ndim != 2 or len(plans) != games:
        raise InputError(f"{games} games need as many plans; got {plans.shape}")
    if plans.size and not -1 <= plans.min() <= plans.max() < topology.n:
        raise InputError(
            f"a plan names squares {plans.min()} to {plans.max()}; "
            f"squares are 0 to {topology.n - 1}, and -1 for no move"
        )
    return np.ascontiguousarray(plans)


def row_numbers(rows: npt.ArrayLike | None, games: int) -> Rows:
    """Return the numbers of rows of a batch, all by default."""
    if rows is None:
        return np.arange(games)
    try:
        given = np.asarray(rows)
        if given.dtype == np.bool_ and given.shape == (games,):
            return np.flatnonzero(given)
        chosen = np.atleast_1d(whole_numbers(given, "rows"))
    except (ValueError, TypeError, OverflowError):  # an InputError is a ValueError
        chosen = np.zeros((0, 0), dtype=np.int64)
    if chosen.ndim != 1:
        raise InputError("rows are numbers of games, or one True/False for each game")
    if chosen.size and (chosen.min() < 0 or chosen.max() >= games):
        wrong = chosen.min() if chosen.min() < 0 else chosen.max()
        raise InputError(f"there is no game {wrong}; games are 0 to {games - 1}")
    return chosen.astype(np.intp)


def row_number(row: int, games: int) -> int:
    number = whole_number(row, "the number of a game")
    if not -games <= number < games:
        raise InputError(f"there is no game {number}; games are 0 to {games - 1}")
    return number
