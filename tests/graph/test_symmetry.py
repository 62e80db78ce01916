"""The symmetries of the square."""

from __future__ import annotations

import numpy as np
import pytest

from pinchpoint.graph.topology import moved_squares, transform


def test_there_are_eight_and_they_differ() -> None:
    board = np.arange(9).reshape(3, 3)
    images = {transform(board, k).tobytes() for k in range(8)}
    assert len(images) == 8
    assert np.array_equal(transform(board, 0), board)


def test_they_are_the_turns_and_mirrors() -> None:
    board = np.arange(16).reshape(4, 4)
    turns = [np.rot90(side, k) for side in (board, board.T) for k in range(4)]
    assert {turn.tobytes() for turn in turns} == {transform(board, k).tobytes() for k in range(8)}


@pytest.mark.parametrize("k", range(8))
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 3), (3, 5)])
def test_squares_move_with_the_board(k: int, shape: tuple[int, int]) -> None:
    board = np.random.default_rng(k).random(shape)
    moved = moved_squares(*shape, k)
    assert sorted(moved.tolist()) == list(range(board.size))
    assert np.array_equal(transform(board, k).ravel()[moved], board.ravel())


@pytest.mark.parametrize("k", range(8))
def test_batches_are_transformed_board_by_board(k: int) -> None:
    boards = np.random.default_rng(0).random((5, 2, 4, 4))
    whole = transform(boards, k)
    assert all(
        np.array_equal(whole[i, j], transform(boards[i, j], k)) for i in range(5) for j in range(2)
    )


@pytest.mark.parametrize("k", range(8))
def test_neighbours_stay_neighbours(k: int) -> None:
    from pinchpoint.graph.lattices import lattice

    height, width = 3, 5
    turned = lattice(*transform(np.empty((height, width)), k).shape)
    moved = moved_squares(height, width, k)
    for a, b in lattice(height, width).edges():
        assert moved[b] in turned.neighbours(int(moved[a]))
