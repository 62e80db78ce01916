"""Keys of boards and positions: stored in files and databases, so they must stay what they are."""

from dataclasses import replace

import numpy as np

from pinchpoint.game.boards import make_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.keys import position_key, position_keys
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import from_edges

BOARD = np.array([[1, 1, 0], [1, 1, 1]], dtype=np.uint8)


def test_keys_that_were_stored_are_found_again() -> None:
    both = get_mode("flow", axis="both")
    assert make_boards(BOARD, "noodle").keys == ["56fec7654f73b8d82b2a64b8"]
    assert make_boards(BOARD, both).keys == ["be68f3defc12ddf908894c97"]
    games = Games(BOARD, both)
    assert position_key(games) == "21c4d8573f610d55a3a7188a26d2dc20"
    games.play(0)
    assert position_key(games) == "50d78b5f91e9d54862bb00a4279491a6"


def test_a_board_has_one_key_however_it_is_given() -> None:
    flat = BOARD.ravel().astype(bool)
    [key] = make_boards(BOARD, "flow").keys
    assert make_boards(flat, "flow", lattice(2, 3)).keys == [key]
    assert make_boards(flat, "flow", lattice(3, 2)).keys != [key]
    both = make_boards(np.stack([np.ones((2, 3)), BOARD]), "flow")
    assert both.keys[1] == key
    assert both[[1]].keys == [key]


def test_positions_count_and_the_ways_to_them_do_not() -> None:
    one, two = Games(np.ones((3, 4)), "network"), Games(np.ones((3, 4)), "network")
    for squares, game in (([0, 5], one), ([5, 0], two)):
        for square in squares:
            assert position_key(game) != position_key(Games(np.ones((3, 4)), "noodle"))
            game.play(square)
    assert position_key(one) == position_key(two)
    laid = np.ones((3, 4))
    laid[0, 0] = laid[1, 1] = 0  # an attacked square is as good as a blocked one
    assert position_key(one) == position_key(Games(laid, "network"))


def test_positions_differ_in_what_is_protected() -> None:
    games = Games(np.ones((2, 3, 4)), "flow")
    games.protect(np.array([5, -1]))
    keys = position_keys(games, np.arange(2))
    assert keys[0] != keys[1] == position_key(Games(np.ones((3, 4)), "flow"))
    board = lattice(2, 2)
    others = [board, replace(board, attackable=np.arange(4) > 0)]
    others.append(replace(board, weights=np.arange(4, dtype=np.int32)))
    assert len({position_key(Games(np.ones((1, 4)), "flow", other)) for other in others}) == 3


def test_graphs_of_one_size_have_keys_of_their_own() -> None:
    ring = from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    path = from_edges([(0, 1), (1, 2), (2, 3)])
    keys = {position_key(Games(np.ones((1, 4)), "network", graph)) for graph in (ring, path)}
    keys |= {make_boards(np.ones(4), "network", graph).keys[0] for graph in (ring, path)}
    assert len(keys) == 4


def test_rows_of_a_batch_have_the_keys_of_their_games() -> None:
    games = Games(np.random.default_rng(1).random((5, 3, 3)) < 0.8, "network")
    rows = np.array([3, 0])
    assert position_keys(games, rows) == [position_key(games.take([row])) for row in rows]
