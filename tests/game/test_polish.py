"""Polished plans: they finish, are never longer, and get to the optimum where that is known."""

import networkx as nx
import numpy as np
import pytest

from pinchpoint.game.engine import Games
from pinchpoint.game.plans import (
    Plans,
    _swapped,
    plan_lengths,
    plans_from_lists,
    polish,
    without_gaps,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.readers import from_networkx
from pinchpoint.solvers.dispatch import solve


def random_plans(games: Games) -> Plans:
    played = games.copy()
    played.play_randomly(3)
    return plans_from_lists([played.history(i) for i in range(len(games))])


def finishes(games: Games, plans: Plans) -> bool:
    ended = games.copy()
    made = ended.follow(plans)
    return bool(ended.done.all()) and made.sum() == plan_lengths(plans).sum()


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
@pytest.mark.parametrize("size", [(6, 9), (12, 12)])
def test_plans_go_on_finishing_and_never_get_longer(mode: str, size: tuple[int, int]) -> None:
    games = Games(sample_boards(mode, size, 0.8, 20, seed=4), mode)
    plans = random_plans(games)
    rng = np.random.default_rng(5)
    for _ in range(10):
        before = plan_lengths(plans)
        plans = polish(games, plans, 40, rng)
        assert finishes(games, plans)
        assert (plan_lengths(plans) <= before).all()
    assert not games.move_counts.any()


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
def test_small_boards_come_close_to_the_optimum(mode: str) -> None:
    games = Games(sample_boards(mode, 6, 0.8, 30, seed=1), mode)
    par = np.array([each.value for each in solve(games)])
    before = plan_lengths(random_plans(games))
    after = plan_lengths(polish(games, random_plans(games), 3000, np.random.default_rng(1)))
    assert (after >= par).all()
    assert (after - par).mean() < 0.1 * (before - par).mean()


def test_the_same_seed_gives_the_same_plans() -> None:
    games = Games(sample_boards("noodle", 10, 0.7, 5, seed=2), "noodle")
    one, two = (polish(games, random_plans(games), 200, np.random.default_rng(7)) for _ in "12")
    assert np.array_equal(one, two)


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
def test_a_plan_is_changed_by_each_trial_that_is_no_longer(mode: str) -> None:
    """Here each trial is played by itself, in a game of its own."""
    games = Games(sample_boards(mode, 10, 0.75, 12, seed=3), mode)
    plans, rng = without_gaps(random_plans(games)), np.random.default_rng(8)
    expected = plans.copy()
    for _ in range(150):
        trial, worth = _swapped(
            expected, plan_lengths(expected), games.status == ACTIVE, games.topology, rng
        )
        for row in np.flatnonzero(worth):
            game = games.take([row])
            made = trial[row][game.follow(trial[row][None])[0]]
            if game.done[0] and len(made) <= plan_lengths(expected)[row]:
                expected[row] = -1
                expected[row, : len(made)] = made
    polished = polish(games, plans, 150, np.random.default_rng(8))
    assert np.array_equal(polished, without_gaps(expected))


def test_it_works_on_graphs_and_on_games_that_are_over() -> None:
    topology = from_networkx(nx.random_regular_graph(3, 30, seed=1))
    games = Games(np.ones((4, 30), dtype=bool), "network", topology)
    plans = random_plans(games)
    polished = polish(games, plans, 500, np.random.default_rng(2))
    assert finishes(games, polished)
    assert plan_lengths(polished).sum() < plan_lengths(plans).sum()
    games.follow(plans)
    assert polish(games, np.zeros((4, 0), dtype=np.int64), 10, np.random.default_rng(2)).size == 0
    idle = np.full((4, 2), -1)
    assert polish(games, idle, 10, np.random.default_rng(2)).size == 0
