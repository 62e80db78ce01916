"""`Games` as its users see it: copies, undo, resets, single games, and mistakes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cases import graph_case
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from oracles import reference

from pinchpoint.errors import IllegalMove, InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.growth import Growth
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import from_edges
from pinchpoint.solvers.dispatch import solve

HEIGHT, WIDTH = 3, 4
N = HEIGHT * WIDTH
JUDGES = {
    "network": reference.network,
    "flow": reference.flow(reference.sides(HEIGHT, WIDTH, "vertical")),
    "noodle": reference.noodle([4] * N),
}
boards = st.lists(st.sampled_from([0, 1, 1, 1]), min_size=N, max_size=N)
rows = st.lists(st.booleans(), min_size=8, max_size=8)


class Editing(RuleBasedStateMachine):
    """Plays, takes back, plays again, copies and resets games; the slow games are played anew."""

    @initialize(name=st.sampled_from(sorted(JUDGES)), laid=st.lists(boards, min_size=1, max_size=3))
    def lay(self, name: str, laid: list[list[int]]) -> None:
        self.name = name
        self.laid = [list(board) for board in laid]
        self.moves: list[list[int]] = [[] for _ in laid]
        self.undone: list[list[int]] = [[] for _ in laid]
        self.games = Games(np.array(laid), name, lattice(HEIGHT, WIDTH))

    def slow(self, row: int) -> reference.SlowGame:
        opened = [node for node in range(N) if self.laid[row][node]]
        neighbours = reference.lattice_neighbours(HEIGHT, WIDTH)
        game = reference.SlowGame(neighbours, opened, JUDGES[self.name])
        for square in self.moves[row]:
            game.play(square)
        return game

    @rule(which=rows, choice=st.integers(0, 10**6))
    def play(self, which: list[bool], choice: int) -> None:
        squares = np.full(len(self.laid), -1)
        for row in range(len(self.laid)):
            legal = np.flatnonzero(self.games.legal[row])
            if which[row] and len(legal):
                squares[row] = legal[choice % len(legal)]
                self.moves[row].append(int(squares[row]))
                self.undone[row].clear()
        self.games.play(squares)

    @rule(which=rows)
    def undo(self, which: list[bool]) -> None:
        self.games.undo(which[: len(self.laid)])
        for row in np.flatnonzero(which[: len(self.laid)]):
            if self.moves[row]:
                self.undone[row].append(self.moves[row].pop())

    @rule(which=rows)
    def redo(self, which: list[bool]) -> None:
        self.games.redo(np.flatnonzero(which[: len(self.laid)]))
        for row in np.flatnonzero(which[: len(self.laid)]):
            if self.undone[row]:
                self.moves[row].append(self.undone[row].pop())

    @rule(board=boards, choice=st.integers(0, 100))
    def reset(self, board: list[int], choice: int) -> None:
        row = choice % len(self.laid)
        self.games.reset([row], np.array(board))
        self.laid[row], self.moves[row], self.undone[row] = list(board), [], []

    @precondition(lambda self: len(self.laid) < 8)
    @rule(choices=st.lists(st.integers(0, 100), min_size=1, max_size=4))
    def take(self, choices: list[int]) -> None:
        chosen = [choice % len(self.laid) for choice in choices]
        before, kept = self.games, self.games.status.copy()
        self.games = before.take(chosen)
        self.laid = [list(self.laid[row]) for row in chosen]
        self.moves = [list(self.moves[row]) for row in chosen]
        self.undone = [list(self.undone[row]) for row in chosen]
        if not before.done.all():
            before.play(before.random_squares(seed=1))  # must not show in what was taken
            assert not np.array_equal(before.status, kept)

    @rule(square=st.integers(-3, N + 2), choice=st.integers(0, 100))
    def attack_what_may_not_be_attacked(self, square: int, choice: int) -> None:
        row = choice % len(self.laid)
        if square == -1 or (0 <= square < N and self.games.legal[row, square]):
            return
        squares = self.games.random_squares(seed=choice)
        squares[row] = square
        with pytest.raises(IllegalMove):
            self.games.play(squares)

    @invariant()
    def same(self) -> None:
        for row in range(len(self.laid)):
            game = self.slow(row)
            assert self.games.status[row].tolist() == game.status()
            assert self.games.history(row) == self.moves[row]
            assert self.name != "network" or self.games.memory[row] == game.best
            pieces = [component.squares.tolist() for component in self.games.components(row)]
            assert sorted(pieces) == sorted(sorted(piece) for piece in game.pieces)


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_a_new_move_forgets_what_could_be_redone() -> None:
    games = Games(np.ones((2, 4, 4)), "network")
    for squares in ([0, 0], [1, 1], [2, 2]):
        games.play(squares)
    games.undo()
    games.undo()
    games.play([-1, 5])
    games.redo()
    games.redo()
    games.redo()
    assert [games.history(0), games.history(1)] == [[0, 1, 2], [0, 5]]


# -- single games ----------------------------------------------------------------------------


def test_a_single_game_in_many_ways() -> None:
    board = np.array([[1, 1, 1], [1, 0, 1]])
    for given in (board, board.astype(bool), board.tolist(), board[None], board.astype(float)):
        games = Games(given, "noodle")
        assert len(games) == 1
        assert games.done.tolist() == [True]  # a path has no loop
    full = np.ones((2, 3))
    for square in (1, np.int32(1), (0, 1), [1], np.array([1]), [0, 1]):
        games = Games(full, "network")
        games.play(square)
        assert games.history() == [1]
        assert games.boards[0].tolist() == [[1, 3, 1], [1, 1, 1]]


def test_what_a_game_shows_cannot_be_written() -> None:
    games = Games(np.ones((2, 2, 2)), "network")
    for shown in (games.status, games.labels, games.memory, games.move_counts, games.boards):
        with pytest.raises(ValueError, match="read-only"):
            shown[...] = 0


def test_what_a_game_shows_goes_with_it() -> None:
    games = Games(np.ones((3, 3)), "network")
    status = games.status
    games.play(4)
    assert status[0, 4] == 3


def test_full_boards_have_their_known_lengths() -> None:
    flow = Games(np.ones((20, 20)), "flow")
    for col in range(20):
        assert not flow.done[0]
        flow.play((7, col))
    assert flow.done[0]
    network = Games(np.ones((20, 20)), "network")
    for i in range(20):
        assert not network.done[0]
        network.play((i, 19 - i))
    assert network.done[0]
    assert network.memory[0] == 190


def test_two_largest_pieces_of_one_size_end_the_network_game() -> None:
    assert Games([[1, 1, 0, 1, 1]], "network").done[0]
    games = Games([[1, 1, 1, 1, 1]], "network")
    games.play(2)
    assert games.done[0]
    assert games.memory[0] == 2


def test_best_never_falls() -> None:
    games = Games([[1, 1, 1, 1, 1, 1, 1, 0, 1, 1]], "network")
    assert games.memory[0] == 2
    games.play(3)  # 3 and 3 and 2
    assert games.memory[0] == 3
    assert games.done[0]


def test_all_games_blocked_are_over() -> None:
    for name in MODES:
        games = Games(np.zeros((2, 3, 3)), name)
        assert games.done.all()
        assert (games.labels == -1).all()
        assert games.components() == []


def test_no_games_at_all() -> None:
    games = Games(np.ones((0, 3, 3)), "flow")
    games.play(np.zeros(0, dtype=int))
    games.play_randomly(seed=1)
    assert len(games.copy()) == 0


def test_large_boards() -> None:
    games = Games(np.ones((1000, 1000)), "flow")
    for col in range(0, 1000, 7):
        games.play((500, col))
    assert games.active_counts[0] == 1_000_000 - 143


def test_games_take_little_memory() -> None:
    games = Games(sample_boards("flow", 20, 0.8, 4096, seed=1), "flow")
    assert sum(array.nbytes for array in games._state) < 100e6


def test_nodes_that_cannot_be_attacked() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        case = graph_case(rng)
        attackable = rng.random(case.topology.n) < 0.7
        graph = replace(case.topology, attackable=attackable)
        games, free = Games(case.opened, case.mode, graph), case.fast()
        assert np.array_equal(games.active, free.active)
        assert np.array_equal(games.legal, free.active & attackable)
        if (games.active & ~attackable).any():
            row, node = np.argwhere(games.active & ~attackable)[0]
            squares = np.where(np.arange(len(games)) == row, node, -1)
            with pytest.raises(IllegalMove):
                games.play(squares)
            assert not games.follow(squares[:, None]).any()
        random = games.copy()
        while not games.done.all():
            squares = games.random_squares(seed=1)
            assert np.array_equal(squares >= 0, ~games.done)
            games.play(squares)
            free.play(squares)
            assert np.array_equal(games.status, free.status)
        assert not games.legal.any()
        random.play_randomly(seed=1)
        assert np.array_equal(games.status, random.status)


def test_nodes_count_as_much_as_they_weigh() -> None:
    rng = np.random.default_rng(4)
    for share in (0.1, 0.3, 0.5) * 10:
        case = graph_case(rng)
        weights = rng.integers(0, 4, case.topology.n).astype(np.int32)
        graph = replace(case.topology, weights=weights)

        def heavy(game: reference.SlowGame, pieces: reference.Pieces, w: Any = weights) -> list:
            limit = max(1, round(10 * share) * int(w[list(game.laid)].sum()) // 10)  # noqa: B023
            return [int(w[piece].sum()) > limit for piece in pieces]

        rows = [np.flatnonzero(row).tolist() for row in case.opened]
        slow = [reference.SlowGame(case.neighbours, row, heavy) for row in rows]
        games = Games(case.opened, get_mode("shatter", share=share), graph)
        while True:
            opened = games.labels >= 0
            growth = Growth(games.judge, opened, games.memory)
            assert growth.active.tolist() == games.active.tolist()
            assert games.status.tolist() == [game.status() for game in slow]
            if games.done.all():
                break
            squares = games.random_squares(seed=1)
            games.play(squares)
            for game, square in zip(slow, squares.tolist(), strict=True):
                if square >= 0:
                    game.play(square)
    with pytest.raises(InputError):
        Games(np.ones((1, graph.n)), "network", graph)
    with pytest.raises(InputError):
        solve(games)


# -- mistakes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("square", "message"),
    [
        (3, "square (0, 3) is blocked; only active squares can be attacked"),
        (4, "square (0, 4) is inactive; only active squares can be attacked"),
        (0, "square (0, 0) is attacked; only active squares can be attacked"),
        (10, "square 10 is not on the board; squares are 0 to 9"),
        (-2, "square -2 is not on the board"),
        ((2, 0), "rows are 0 to 1 and columns 0 to 4"),
    ],
)
def test_illegal_moves_say_why_and_change_nothing(square: Any, message: str) -> None:
    games = Games([[1, 1, 1, 0, 1], [1, 1, 0, 0, 1]], "network")
    games.play(0)
    before = games.copy()
    with pytest.raises(InputError, match=re.escape(message)):
        games.play(square)
    assert np.array_equal(games.status, before.status)
    assert games.history() == [0]


def test_one_illegal_move_stops_the_whole_batch() -> None:
    games = Games(np.ones((3, 2, 2)), "network")
    games.play([0, 1, -1])
    with pytest.raises(IllegalMove):
        games.play([1, 1, 1])
    assert games.move_counts.tolist() == [1, 1, 0]


def test_a_finished_game_takes_no_moves() -> None:
    games = Games([[1, 0, 1]], "network")
    assert games.done[0]
    with pytest.raises(IllegalMove):
        games.play(0)
    games.play(-1)


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        ([0], "2 games need as many squares"),
        ([0, 0, 0], "2 games need as many squares"),
        ([[0, 0]], "2 games need as many squares"),
        (1, "2 games need as many squares"),
        ([0.0, 1.0], "whole numbers"),
        (["a", "b"], "whole numbers"),
        ([True, False], "whole numbers"),
    ],
)
def test_squares_must_fit_the_games(squares: Any, message: str) -> None:
    games = Games(np.ones((2, 3, 3)), "network")
    with pytest.raises(InputError, match=message):
        games.play(squares)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.ones(9), "give [h, w] or [B, h, w]"),
        (np.ones((1, 1, 3, 3)), "give [h, w] or [B, h, w]"),
        (np.full((3, 3), 2), "1 for open and 0 for blocked"),
        (np.full((3, 3), 0.5), "1 for open and 0 for blocked"),
        (np.full((3, 3), np.nan), "1 for open and 0 for blocked"),
        (np.array([["o", "#"]]), "1 for open and 0 for blocked"),
        (np.ones((0, 5)), "1 to 1000 squares a side"),
        (np.ones((1, 1001)), "1 to 1000 squares a side"),
        ([[1, 1], [1]], "rows of one length"),
    ],
)
def test_boards_must_be_boards(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Games(given, "network")


def test_boards_must_fit_the_topology() -> None:
    path = from_edges([(0, 1), (1, 2)])
    assert len(Games([1, 1, 1], "network", path)) == 1
    with pytest.raises(InputError):
        Games(np.ones((2, 4)), "network", path)
    with pytest.raises(InputError):
        Games(np.ones((3, 2)), "network", lattice(2, 3))
    with pytest.raises(InputError):
        _ = Games([1, 1, 1], "network", path).boards


@pytest.mark.parametrize("rows", [[2], [-1], [0.5], [[0, 1]], ["a"], [True, False, True]])
def test_rows_must_be_games(rows: Any) -> None:
    games = Games(np.ones((2, 3, 3)), "network")
    for change in (games.undo, games.redo, games.take):
        with pytest.raises(InputError):
            change(rows)
    with pytest.raises(InputError):
        games.reset(rows, np.ones((1, 3, 3)))


def test_a_reset_needs_a_board_for_each_row() -> None:
    games = Games(np.ones((2, 3, 3)), "network")
    with pytest.raises(InputError):
        games.reset([0, 1], np.ones((3, 3)))
    with pytest.raises(InputError):
        games.reset([0], np.ones((3, 4)))
    assert (games.status == ACTIVE).all()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "one"])
def test_seeds_must_be_seeds(seed: Any) -> None:
    games = Games(np.ones((2, 3, 3)), "network")
    with pytest.raises(InputError):
        games.random_squares(seed)
    with pytest.raises(InputError):
        games.play_randomly(seed)
