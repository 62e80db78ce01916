"""How true Q is: exact values against brute force, and the error of agents that are known."""

import numpy as np
import pytest
from oracles.brute import fewest_moves
from stand_ins import Rater

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.study.true_q import (
    POSITIONS,
    SETTINGS,
    TrueQ,
    exact_q,
    load_truth,
    q_error,
    sample_positions,
    write_truth,
)


class Truthful:
    """Shows the exact Q, shifted and with regrets that are stretched."""

    def __init__(self, q: np.ndarray, shift: float = 0.0, stretch: float = 1.0) -> None:
        best = q.max(axis=1, keepdims=True)
        self.q = best + shift - stretch * (best - q)

    def q_values(self, games: Games) -> np.ndarray:
        return self.q.astype(np.float32)


@pytest.mark.parametrize("mode", SETTINGS)
def test_exact_q_is_that_of_brute_force(mode: str) -> None:
    games = Games(sample_boards(mode, 4, 0.8, 6, seed=3), mode)
    got = exact_q(games)
    for row in range(len(games)):
        for square in range(games.topology.n):
            if not games.legal[row, square]:
                assert got[row, square] == -np.inf
                continue
            after = games.take([row])
            after.play(square)
            assert got[row, square] == -1 - fewest_moves(after)


def test_the_error_of_agents_that_are_known() -> None:
    games = Games(sample_boards("flow", 6, 0.8, 20, seed=1), "flow")
    truth = TrueQ(games, exact_q(games))
    legal = np.isfinite(truth.q)
    right = q_error(Truthful(truth.q), truth)
    assert (right.error, right.bias) == (0, 0)
    assert right.regret == {0: 0, 1: 1}
    assert right.squares == legal.sum()
    high = q_error(Truthful(truth.q, shift=0.5), truth)
    assert (high.error, high.bias) == pytest.approx((0.5, 0.5))
    assert high.regret == {0: 0, 1: 1}
    shy = q_error(Truthful(truth.q, stretch=0.25), truth)
    assert shy.regret == pytest.approx({0: 0, 1: 0.25})
    wasteful = (truth.q.max(axis=1, keepdims=True) - truth.q)[legal].mean()
    assert shy.bias == pytest.approx(0.75 * wasteful)


@pytest.mark.parametrize("mode", SETTINGS)
def test_the_positions_in_the_package_are_those_that_the_command_samples(mode: str) -> None:
    truth, sampled = load_truth(mode), sample_positions(mode)
    assert len(truth.games) == POSITIONS
    assert np.array_equal(truth.games.status, sampled.status)
    assert np.array_equal(np.isfinite(truth.q), sampled.legal)
    # In flow and noodle a move costs 1 at most, in network hardly ever more than 2.
    regret = (truth.q.max(axis=1, keepdims=True) - truth.q)[sampled.legal]
    assert set(np.unique(regret)) <= ({0, 1, 2, 3} if mode == "network" else {0, 1})
    few = sampled.take([0])
    assert np.array_equal(exact_q(few)[0], truth.q[0])


def test_solved_positions_survive_a_file(tmp_path) -> None:
    games = sample_positions("flow", 3)
    write_truth(tmp_path / "truth.npz", {"flow": TrueQ(games, exact_q(games))})
    again = load_truth("flow", tmp_path / "truth.npz")
    assert np.array_equal(again.games.status, games.status)
    assert np.array_equal(again.q, exact_q(games))


def test_a_mode_without_solved_positions_is_refused() -> None:
    with pytest.raises(InputError):
        load_truth("shatter")


def test_an_agent_that_rates_squares_has_an_error() -> None:
    assert q_error(Rater(), load_truth("flow")).error > 1
