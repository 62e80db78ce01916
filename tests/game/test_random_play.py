"""Random play: the known means, and the same games for every batch."""

from __future__ import annotations

import numpy as np
import pytest

from pinchpoint.errors import InputError
from pinchpoint.game.boards import make_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.sampling import sample_boards

MEANS = {  # of random play on 20 × 20, 300 boards a point: flow, network, noodle (inclusive)
    0.60: (13.1, 17.2, 50.9),
    0.65: (22.2, 30.2, 68.2),
    0.70: (34.3, 45.9, 86.9),
    0.75: (54.7, 67.0, 106.8),
    0.80: (76.5, 86.3, 126.2),
    0.85: (93.7, 107.0, 146.3),
    0.90: (113.3, 125.6, 166.1),
    0.95: (132.6, 147.1, 186.8),
    1.00: (154.9, 166.3, 206.5),
}
TABLE_BOARDS = 300
RULES = {"flow": 0, "network": 1, "noodle": 2}


def random_lengths(mode: Mode, size: int, p: float, count: int, seed: int) -> np.ndarray:
    games = Games(sample_boards(mode, size, p, count, seed), mode)
    games.play_randomly(seed)
    assert games.done.all()
    return games.move_counts


def assert_mean(lengths: np.ndarray, known: float, known_boards: int) -> None:
    """Within four standard errors, those of the known mean included, and its rounding."""
    error = lengths.std() * np.sqrt(1 / len(lengths) + 1 / known_boards)
    assert abs(lengths.mean() - known) < 4 * error + 0.05


@pytest.mark.parametrize("p", MEANS)
@pytest.mark.parametrize("name", RULES)
def test_known_means_of_random_play(name: str, p: float) -> None:
    mode = get_mode("noodle", inclusive=True) if name == "noodle" else get_mode(name)
    lengths = random_lengths(mode, 20, p, 1500, seed=11)
    assert_mean(lengths, MEANS[p][RULES[name]], TABLE_BOARDS)


@pytest.mark.parametrize(
    ("size", "p", "known", "boards"),
    [(10, 0.6, 16.6, 30), (10, 0.7, 24.2, 30), (20, 0.6, 75.7, 6), (20, 0.65, 89.2, 6)],
)
def test_known_means_of_strict_noodle(size: int, p: float, known: float, boards: int) -> None:
    assert_mean(random_lengths(get_mode("noodle"), size, p, 1000, seed=12), known, boards)


# -- same seed, same games -------------------------------------------------------------------


@pytest.mark.parametrize("name", MODES)
def test_a_batch_plays_as_single_games_do(name: str) -> None:
    boards = sample_boards(name, (7, 9), 0.8, 40, seed=5)
    batch = Games(boards)
    batch.play_randomly(seed=3)
    for number, board in enumerate(boards):
        single = Games(board)
        while not single.done[0]:
            single.play(single.random_squares(seed=3))
        assert single.history() == batch.history(number)
        assert np.array_equal(single.status[0], batch.status[number])


@pytest.mark.parametrize("name", MODES)
def test_order_and_size_of_the_batch_do_not_matter(name: str) -> None:
    boards = sample_boards(name, 8, 0.8, 30, seed=5)
    whole = Games(boards)
    whole.play_randomly(seed=3)
    order = np.random.default_rng(0).permutation(30)
    for part in (order[:1], order[1:8], order[8:]):
        some = Games(boards[part])
        some.play_randomly(seed=3)
        assert [some.history(i) for i in range(len(part))] == [whole.history(b) for b in part]


def test_moves_are_those_of_every_machine() -> None:
    """Written down once: a change of these is a change of all published seeds."""
    games = Games(np.ones((5, 5)), "network")
    games.play_randomly(seed=2024)
    other = Games(make_boards(np.ones((5, 5)), "network", numbers=[1]))
    other.play_randomly(seed=2024)
    assert (games.history()[:6], other.history()[:6]) == (
        [5, 24, 23, 21, 1, 3],
        [18, 19, 23, 2, 17, 7],
    )


def test_each_seed_and_each_game_has_moves_of_its_own() -> None:
    games = Games(np.ones((50, 20, 20)), "network")
    first, second = games.random_squares(seed=1), games.random_squares(seed=2)
    assert len(set(first.tolist())) > 40
    assert (first != second).mean() > 0.9


def test_random_squares_are_uniform_over_the_active_ones() -> None:
    board = np.zeros((20, 20), dtype=np.uint8)
    board[:2, :3] = 1  # 6 of 400: guesses fail now and then, and the count takes over
    games = Games(np.repeat(board[None], 6000, axis=0), "network")
    counts = np.bincount(games.random_squares(seed=4), minlength=400)
    assert np.flatnonzero(counts).tolist() == [0, 1, 2, 20, 21, 22]
    assert np.abs(counts[counts > 0] - 1000).max() < 5 * np.sqrt(1000)


def test_random_squares_of_finished_games() -> None:
    games = Games([[1, 0, 1]], "network")
    assert games.done[0]
    assert games.random_squares(seed=1).tolist() == [-1]


def test_numbers_must_fit_the_boards() -> None:
    with pytest.raises(InputError):
        make_boards(np.ones((3, 2, 2)), "flow", numbers=[1, 2])
