"""The oracle itself: against plain recursion on the slow reference game, and what is known."""

import numpy as np
import pytest
from oracles import reference
from oracles.brute import BruteForce, fewest_moves
from small_positions import lattice_positions

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode, mode_from_function


def fewest_by_recursion(game: reference.SlowGame) -> int:
    if game.done:
        return 0
    best = len(game.open)
    for node in sorted(game.active):
        game.play(node)
        best = min(best, 1 + fewest_by_recursion(game))
        game.undo()
    return best


def rules(height: int, width: int):
    faces = [4] * (height * width)
    yield get_mode("network"), reference.network
    for axis in ("vertical", "horizontal", "both"):
        judge = reference.flow(reference.sides(height, width, axis))
        yield get_mode("flow", axis=axis), judge
    for options in ({}, {"inclusive": True}, {"K": 1.5}, {"K": 3.0, "inclusive": True}):
        yield get_mode("noodle", **options), reference.noodle(faces, **options)


def test_brute_force_agrees_with_plain_recursion_in_every_mode():
    rng = np.random.default_rng(1)
    values = set()
    for _ in range(12):
        height, width = rng.integers(1, 5, 2)
        board = rng.random((height, width)) < 0.8
        board.ravel()[np.flatnonzero(board)[6:]] = False  # six open squares: 720 games at most
        around = reference.lattice_neighbours(int(height), int(width))
        for mode, judge in rules(int(height), int(width)):
            slow = reference.SlowGame(around, np.flatnonzero(board).tolist(), judge)
            value = fewest_moves(Games(board, mode))
            assert value == fewest_by_recursion(slow), (board, mode)
            values.add((mode.name, value))
    assert len(values) > 8  # of different lengths in the modes


def test_values_that_can_be_seen():
    full = np.ones((3, 3))
    assert fewest_moves(Games(full, "flow")) == 3
    assert fewest_moves(Games(full, get_mode("flow", axis="both"))) == 3  # a diagonal
    assert fewest_moves(Games(full, "noodle")) == 2
    assert fewest_moves(Games(np.ones((1, 5)), "network")) == 1
    assert BruteForce(Games(np.ones((1, 5)), "network")).optimal_first_moves() == {2}
    ring = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    assert fewest_moves(Games(ring, "noodle")) == 1
    assert fewest_moves(Games(ring, get_mode("noodle", inclusive=True))) == 0
    assert (
        BruteForce(Games(ring, get_mode("noodle", inclusive=True))).optimal_first_moves() == set()
    )


def test_a_mode_from_a_function_is_judged_by_it():
    mode = mode_from_function(lambda component: component.size > 2, name="crumbs")()
    assert fewest_moves(Games(np.ones((1, 5)), mode)) == 1
    assert fewest_moves(Games(np.ones((1, 6)), mode)) == 2


@pytest.mark.parametrize("name", ["flow", "noodle"])
def test_every_legal_move_costs_nothing_or_one_move(name):
    for games in lattice_positions(get_mode(name), 60, seed=3, most_open=12):
        value = fewest_moves(games)
        best = BruteForce(games).optimal_first_moves()
        for square in np.flatnonzero(games.legal[0]):
            after = games.copy()
            after.play(int(square))
            assert fewest_moves(after) == (value - 1 if square in best else value)


def test_too_many_squares_are_refused():
    with pytest.raises(InputError, match="up to 24"):
        BruteForce(Games(np.ones((5, 5)), "flow"))
