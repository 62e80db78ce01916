"""Growth: boards on which nodes open, pieces merge, and the rule of a mode is asked again.

The opposite of an attack. Pieces are kept by union-find: each is a tree of nodes, and its root has
its numbers. So a node costs little more than a look at its neighbours, however large the pieces
are that it joins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pinchpoint.compiled import inlined, inlined_source, kernel, outer_kernel
from pinchpoint.errors import InputError
from pinchpoint.game.judge import Judge, Nodes, add_edges, add_node, is_active
from pinchpoint.game.modes.base import SIZE, Component, Rule
from pinchpoint.graph.algorithms import find_root
from pinchpoint.types import Bools, Bytes, Ints, Longs, Rows, Squares

CLOSED = -1


class Forest(NamedTuple):
    """A row for each board."""

    parent: Ints  # [B, N]  the next node on the way to the root of the piece; a root's is itself
    following: Ints  # [B, N]  the next node of the same piece, in a circle
    pieces: Ints  # [B, N, 3 + T]  the numbers of a piece, by its root
    active: Bytes  # [B, N]  1 where a piece is active, by its root
    counts: Ints  # [B]  active pieces
    memory: Longs  # [B]  of the mode


class Board(NamedTuple):
    """One row of a `Forest`."""

    parent: Ints  # [N]
    following: Ints  # [N]
    pieces: Ints  # [N, 3 + T]
    active: Bytes  # [N]
    counts: Ints  # [1]
    memory: int


class Ground(NamedTuple):
    """The graph under the boards, and scratch space for the piece that a node would join."""

    indptr: Ints  # [N + 1]
    indices: Ints  # [2 E]
    nodes: Nodes
    piece: Ints  # [3 + T]  its numbers
    roots: Ints  # [D]  the roots of the pieces that would merge; D is the largest degree
    found: Bytes  # [N]  1 at these roots while they are collected, 0 elsewhere


class Growth:
    """Boards of one mode on which nodes open, together or in part.

    The mode has to judge each component by itself: one that remembers cannot say what a larger
    piece would be.
    """

    def __init__(
        self, judge: Judge, opened: npt.ArrayLike, memory: npt.ArrayLike | None = None
    ) -> None:
        """Lay boards [B, N] of open and closed nodes.

        `memory` [B] is what the mode knows of the boards; by default, what it would know if they
        were laid like this.
        """
        if judge.mode.remembers:
            raise InputError(
                f"mode {judge.mode.name} remembers what was cut off; no pieces grow in it"
            )
        self.judge = judge
        laid = np.asarray(opened, dtype=np.bool_)
        known = judge.first_memory(laid) if memory is None else np.array(memory)
        self._forest = make_forest(len(laid), laid.shape[1], judge.columns, known)
        self._ground = make_ground(judge)
        self.lay(np.arange(len(laid)), laid)

    def __len__(self) -> int:
        return len(self._forest.parent)

    @property
    def open(self) -> Bools:  # [B, N]
        return np.not_equal(self._forest.parent, CLOSED)

    @property
    def active(self) -> Bools:  # [B, N]  what the rule says
        return active_nodes(self._forest)

    @property
    def active_pieces(self) -> Ints:  # [B]  their number
        return self._forest.counts.copy()

    def take(self, rows: Rows) -> Growth:
        """Return independent copies of these boards; a row may be taken more than once."""
        other = object.__new__(Growth)
        other.judge, other._ground = self.judge, make_ground(self.judge)
        other._forest = Forest._make(array[rows] for array in self._forest)
        return other

    def lay(self, rows: Rows, opened: Bools) -> None:
        """Lay new boards in these rows, of which the mode knows the same."""
        judge = self.judge
        lay(self._forest, self._ground, judge.rule, rows, opened, judge.mode.compiled)
        if judge.mode.compiled:
            return
        for row in rows.tolist():
            parent, active = self._forest.parent[row], self._forest.active[row]
            for root in np.flatnonzero(parent == np.arange(len(parent))).tolist():
                piece = self._component(row, self._forest.pieces[row, root], [root])
                active[root] = self._asked(row, piece)
            self._forest.counts[row] = active.sum()

    def joined(self, row: int, node: int) -> Component:
        """Return the piece that a closed node would join."""
        count = join_in(self._forest, self._ground, row, node)
        roots = self._ground.roots[:count].tolist()
        return self._component(row, self._ground.piece.copy(), roots, node)

    def add(self, nodes: Squares) -> None:  # [B]
        """Open a closed node of each board; -1 for none."""
        self._grow(nodes[:, None], always=True)

    def add_unless_active(self, nodes: Squares) -> Bools:  # [B, K] -> [B, K]
        """Open closed nodes one after another, but not where the piece would be active; -1 is none.

        Return which were opened.
        """
        return self._grow(nodes, always=False)

    # -- inside ------------------------------------------------------------------------------

    def _grow(self, nodes: Squares, always: bool) -> Bools:  # [B, K] -> [B, K]
        opened = np.zeros(nodes.shape, dtype=np.bool_)
        if self.judge.mode.compiled:
            grow(self._forest, self._ground, self.judge.rule, nodes, always, opened)
            return opened
        for row, k in np.argwhere(nodes >= 0).tolist():
            node = int(nodes[row, k])
            piece = self.joined(row, node)
            active = self._asked(row, piece)
            opened[row, k] = always or not active
            if opened[row, k]:
                merge_in(self._forest, self._ground, row, node, active)
        return opened

    def _asked(self, row: int, piece: Component) -> bool:
        """Ask a mode written in Python."""
        return bool(self.judge.settle([piece], int(self._forest.memory[row]))[0][0])

    def _component(
        self, row: int, numbers: Ints, roots: list[int], node: int | None = None
    ) -> Component:
        """Return the piece of these roots, and of one node more, as modes in Python see it."""
        following = self._forest.following[row]

        def find_squares() -> Rows:
            squares = [] if node is None else [node]
            for root in roots:
                squares.append(root)
                while following[squares[-1]] != root:
                    squares.append(int(following[squares[-1]]))
            return np.sort(np.array(squares, dtype=np.intp))

        return self.judge.component(numbers, find_squares)


def without_spare(judge: Judge, removed: Ints | Rows) -> Rows:
    """Return the removed nodes of a graph without those that can stay open, asked in this order.

    A node can stay where it leaves the piece that it joins inactive.
    """
    opened = np.ones((1, judge.topology.n), dtype=np.bool_)
    opened[0, removed] = False
    stay = Growth(judge, opened).add_unless_active(removed[None].astype(np.int64))[0]
    needed: Rows = removed[~stay].astype(np.intp)
    return needed


def make_forest(boards: int, n: int, columns: int, memory: Longs) -> Forest:
    return Forest(
        parent=np.full((boards, n), CLOSED, dtype=np.int32),
        following=np.zeros((boards, n), dtype=np.int32),
        pieces=np.zeros((boards, n, columns), dtype=np.int32),
        active=np.zeros((boards, n), dtype=np.uint8),
        counts=np.zeros(boards, dtype=np.int32),
        memory=memory.astype(np.int64),
    )


def make_ground(judge: Judge) -> Ground:
    t = judge.topology
    return Ground(
        t.indptr,
        t.indices,
        judge.nodes,
        piece=np.zeros(judge.columns, dtype=np.int32),
        roots=np.zeros(int(t.degree.max()), dtype=np.int32),
        found=np.zeros(t.n, dtype=np.uint8),
    )


# -- kernels -------------------------------------------------------------------------------------


@inlined_source
def board_of(forest: Forest, b: int) -> Board:
    """Return the views of one board."""
    return Board(
        forest.parent[b],
        forest.following[b],
        forest.pieces[b],
        forest.active[b],
        forest.counts[b : b + 1],
        forest.memory[b],
    )


@inlined
def join(board: Board, ground: Ground, v: int) -> int:
    """Work out the piece that a closed node would join; return how many pieces that merges.

    Its numbers are written to `ground.piece`, the roots of the pieces to `ground.roots`.
    """
    piece, roots, found = ground.piece, ground.roots, ground.found
    piece[:] = 0
    add_node(piece, ground.nodes, v)
    edges = count = 0
    for k in range(ground.indptr[v], ground.indptr[v + 1]):
        u = ground.indices[k]
        if board.parent[u] != CLOSED:
            edges += 1
            root = find_root(board.parent, u)
            if found[root] == 0:
                found[root] = 1
                roots[count] = root
                count += 1
    for i in range(count):
        found[roots[i]] = 0
        for column in range(len(piece)):
            piece[column] += board.pieces[roots[i], column]
    add_edges(piece, edges)
    return count


@inlined
def merge(board: Board, ground: Ground, v: int, merged: int, active: bool) -> None:
    """Open a node: the pieces that `join` has found become one, active or not."""
    following, largest = board.following, v
    board.parent[v] = following[v] = v
    for i in range(merged):
        root = ground.roots[i]
        board.counts[0] -= board.active[root]
        # Two circles become one when two of their nodes swap what follows.
        following[v], following[root] = following[root], following[v]
        if largest == v or board.pieces[root, SIZE] > board.pieces[largest, SIZE]:
            largest = root
    board.parent[v] = largest
    for i in range(merged):
        board.parent[ground.roots[i]] = largest
    for column in range(len(ground.piece)):
        board.pieces[largest, column] = ground.piece[column]
    board.active[largest] = active
    board.counts[0] += active


@kernel
def lay(
    forest: Forest, ground: Ground, rule: Rule, rows: Rows, opened: Bools, compiled: bool
) -> None:
    """Lay boards in these rows; judge their pieces, if the rule is compiled."""
    for i in range(len(rows)):
        board = board_of(forest, rows[i])
        board.parent[:] = CLOSED
        board.active[:] = 0
        board.counts[0] = 0
        for v in range(opened.shape[1]):
            if opened[i, v]:
                merge(board, ground, v, join(board, ground, v), False)
        for v in range(opened.shape[1]):
            if board.parent[v] == v and compiled and is_active(board.pieces[v], rule, board.memory):
                board.active[v] = 1
                board.counts[0] += 1


@inlined
def add_to(board: Board, ground: Ground, rule: Rule, v: int) -> None:
    """Open a closed node."""
    merged = join(board, ground, v)
    merge(board, ground, v, merged, is_active(ground.piece, rule, board.memory))


@kernel
def grow(
    forest: Forest, ground: Ground, rule: Rule, nodes: Squares, always: bool, opened: Bools
) -> None:
    """Open nodes one after another, always or where the piece will be inactive; -1 is none."""
    for b in range(len(nodes)):
        board = board_of(forest, b)
        for k in range(nodes.shape[1]):
            v = nodes[b, k]
            if v >= 0:
                merged = join(board, ground, v)
                active = is_active(ground.piece, rule, board.memory)
                opened[b, k] = always or not active
                if opened[b, k]:
                    merge(board, ground, v, merged, active)


@kernel
def join_in(forest: Forest, ground: Ground, b: int, v: int) -> int:
    """Do as `join`, for Python."""
    return join(board_of(forest, b), ground, v)


@kernel
def merge_in(forest: Forest, ground: Ground, b: int, v: int, active: bool) -> None:
    """Do as `merge`, for Python."""
    board = board_of(forest, b)
    merge(board, ground, v, join(board, ground, v), active)


@outer_kernel
def active_nodes(forest: Forest) -> Bools:  # [B, N]
    """Return which nodes lie in an active piece."""
    out: Bools = np.zeros(forest.parent.shape, np.bool_)
    for b in range(len(out)):
        for v in range(out.shape[1]):
            if forest.parent[b, v] != CLOSED:
                out[b, v] = forest.active[b, find_root(forest.parent[b], v)] != 0
    return out
