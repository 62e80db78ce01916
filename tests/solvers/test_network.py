"""The network solver against a brute-force oracle and the engine."""

import csv
from pathlib import Path

import numpy as np
import pytest
from amounts import few_or_many
from oracles import reference
from oracles.brute import fewest_moves
from small_positions import PATIENCE, lattice_positions, play_out, random_graph

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.network import solve as network_solver
from pinchpoint.solvers.network.anneal import new_scratch, one_move
from pinchpoint.solvers.network.solve import (
    NetworkSearch,
    may_suffice,
    piece_of,
    solve_network,
)


def check_against_brute_force(games):
    (solution,) = solve_network(games, PATIENCE)
    assert solution.value == fewest_moves(games), games.status[0]
    assert solution.proven, games.status[0]
    play_out(games, 0, solution.moves)


@few_or_many(300, 1000)
def test_small_boards_have_the_value_of_brute_force(count):
    remembered = 0
    for games in lattice_positions(get_mode("network"), count, seed=1):
        check_against_brute_force(games)
        remembered += games.memory[0] > 0
    assert remembered > 0.2 * count


@few_or_many(300, 3000)
def test_the_sweeps_alone_tell_how_many_moves_are_enough(count):
    refuted = 0
    for games in lattice_positions(get_mode("network"), count, seed=8):
        squares, best = np.flatnonzero(games.legal[0]), int(games.memory[0])
        if len(squares) < 11:
            continue  # one or two moves are nearly always enough
        truth = fewest_moves(games)
        piece, scratch = piece_of(games.topology, squares, best), new_scratch(len(squares), 1)
        for k in range(1, truth + 1):
            assert may_suffice(piece, k, scratch, {}, Budget()) is (k == truth), (
                games.status[0],
                k,
            )
        refuted += truth > 2
    assert refuted > 0.05 * count


def test_small_graphs_have_the_value_of_brute_force():
    rng = np.random.default_rng(2)
    for _ in range(100):
        graph = random_graph(rng, 11)
        check_against_brute_force(Games(np.ones((1, graph.n)), "network", graph))


def test_the_bound_never_exceeds_a_game_that_was_found_on_larger_boards():
    games = Games(sample_boards("network", size=6, p=(0.5, 1.0), count=30, seed=3), "network")
    for row, solution in enumerate(solve_network(games, PATIENCE)):
        play_out(games, row, solution.moves)
        assert solution.proven
        squares = np.flatnonzero(games.legal[row])
        piece = piece_of(games.topology, squares, int(games.memory[row]))
        # with room enough the sweeps must see the very game that was found
        scratch = new_scratch(len(squares), 1)
        assert may_suffice(piece, solution.value, scratch, {}, Budget()) is True


def test_full_board_takes_a_diagonal():
    games = Games(np.ones((20, 20)), "network")
    (solution,) = solve_network(games, 0.0, effort="fast")
    assert solution.value == 20
    play_out(games, 0, solution.moves)


def test_eight_by_eight_is_proven():
    games = Games(sample_boards("network", size=8, p=(0.5, 1.0), count=10, seed=4), "network")
    for row, solution in enumerate(solve_network(games, PATIENCE)):
        play_out(games, row, solution.moves)
        assert solution.proven


@pytest.mark.parametrize("effort", ["fast", "thorough"])
def test_no_time_still_gives_a_plan_and_a_true_bound(effort):
    games = Games(sample_boards("network", size=12, p=0.7, count=5, seed=5), "network")
    for row, solution in enumerate(solve_network(games, 0.0, effort=effort)):
        play_out(games, row, solution.moves)
        assert 1 <= solution.bound <= solution.value


def test_large_board():
    games = Games(sample_boards("network", size=(60, 120), p=0.75, count=1, seed=6), "network")
    (solution,) = solve_network(games, 0.0, effort="fast")
    play_out(games, 0, solution.moves)
    assert solution.value <= 60


def test_without_time_for_a_first_plan_the_game_is_played_by_degree(monkeypatch):
    """As on graphs of 100,000 nodes, where annealing may not find a game within the limit."""
    monkeypatch.setattr(network_solver, "FIRST_PLAN", 0.0)
    monkeypatch.setattr(NetworkSearch, "anneal", lambda *args: None)
    for p, seed in ((0.7, 1), (1.0, 2)):
        games = Games(sample_boards("network", size=12, p=p, count=1, seed=seed), "network")
        games.play(games.random_squares(3))  # goes on from the middle of a game
        (solution,) = solve_network(games, 0.0)
        play_out(games, 0, solution.moves)
        assert solution.bound < solution.value


def test_annealing_stops_when_it_is_late():
    games = Games(sample_boards("network", size=30, p=0.8, count=1, seed=1), "network")
    piece = piece_of(games.topology, np.flatnonzero(games.legal[0]), 0)
    stop = np.ones(1, dtype=np.uint8)
    search = NetworkSearch(piece, Budget(), stop)
    search.anneal(1, 10**12, Budget())  # would go on for days
    assert search.value == search.n + 1
    stop[0] = 0
    search.anneal(1, 1000, Budget())
    assert search.value <= search.n


def test_a_position_in_which_the_game_is_over_needs_no_moves():
    (solution,) = solve_network(Games(np.array([[1, 0, 1]]), "network"), 1.0)
    assert (solution.moves, solution.bound, solution.proven) == ((), 0, True)


def test_wrong_input():
    with pytest.raises(InputError, match="effort"):
        solve_network(Games(np.ones((2, 2)), "network"), 1.0, effort="hard")


def test_one_move_is_enough_exactly_if_some_square_ends_the_game():
    rng, neighbours = np.random.default_rng(7), reference.lattice_neighbours(6, 6)
    for _ in range(200):
        board = rng.random((6, 6)) < rng.uniform(0.5, 1.0)
        slow = reference.SlowGame(neighbours, np.flatnonzero(board), reference.network)
        if slow.done:
            continue
        ends = []
        for square in sorted(slow.active):
            slow.play(square)
            ends.append(slow.done)
            slow.undo()
        games = Games(board, "network")
        squares = np.flatnonzero(games.legal[0])
        piece = piece_of(games.topology, squares, int(games.memory[0]))
        assert one_move(piece, new_scratch(len(squares), 1)) == any(ends)


def test_best_known_games_of_the_docs_are_legal_and_end():
    boards = sample_boards("network", 20, 0.8, 100, seed=800).squares
    neighbours = reference.lattice_neighbours(20, 20)
    path = Path(__file__).parents[2] / "docs" / "measured" / "best-known.csv"
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["board"]) for row in rows] == list(range(100))
    for board, row in zip(boards, rows, strict=True):
        game = reference.SlowGame(neighbours, np.flatnonzero(board), reference.network)
        for square in map(int, row["squares"].split()):
            game.play(square)  # which must be active
        assert game.done
        assert int(row["bound"]) <= int(row["moves"]) == len(game.moves)
