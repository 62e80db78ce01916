"""Budgets: work counts the same whatever the clock says, and seconds stop a solver as well."""

import itertools
import math
import time

import numpy as np
import pytest

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.budget import STEPS, Budget
from pinchpoint.solvers.dispatch import solve

MODES = {
    "network": (get_mode("network"), 14),
    "flow, two axes": (get_mode("flow", axis="both"), 6),
    "noodle": (get_mode("noodle"), 14),
    "noodle by search": (get_mode("noodle", K=2.3), 8),
    "shatter": (get_mode("shatter"), 12),
}


def found(mode, size: int, work: float) -> list[tuple]:
    lattice = {"lattice": "triangular"} if mode.name == "flow" else {}
    games = Games(sample_boards(mode, size, 0.85, 2, seed=4, **lattice))
    return [(s.moves, s.bound, s.certificate) for s in solve(games, work=work)]


@pytest.mark.parametrize("name", MODES)
def test_the_clock_changes_nothing(name, monkeypatch):
    """The same is found where hours pass between any two looks at the clock."""
    for work in (0.0, 0.05):
        usual = found(*MODES[name], work)
        with monkeypatch.context() as patch:
            clock = itertools.count(0, 10_000)
            patch.setattr(time, "perf_counter", lambda: float(next(clock)))  # noqa: B023
            assert found(*MODES[name], work) == usual


@pytest.mark.parametrize("mode", ["network", "noodle"])
def test_more_work_finds_more(mode):
    games = Games(sample_boards(mode, 14, 0.85, 3, seed=4), mode)
    little, much = (solve(games, work=work) for work in (0.0, 0.5))
    for less, more in zip(little, much, strict=True):
        assert less.bound <= more.bound <= more.value <= less.value
    assert any(less.bound < more.bound for less, more in zip(little, much, strict=True))


def test_a_part_spends_what_the_whole_has():
    budget = Budget(work=1.0)
    first = budget.part(0.25)
    first.spend(STEPS / 4)
    assert first.is_over
    assert not budget.is_over
    assert budget.steps_left == 0.75 * STEPS
    rest = budget.part(1.0)
    assert rest.affords(0.75 * STEPS)
    assert not rest.affords(0.76 * STEPS)
    budget.spend(STEPS)
    assert rest.is_over
    assert budget.part(0.0).is_over
    assert Budget(seconds=0.0).is_over
    assert Budget().part(0.0).is_over
    assert Budget().seconds_left == Budget().part(0.5).seconds_left == math.inf


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("seconds", [1e9, 1e12, 1e300, math.inf])
def test_an_alarm_that_is_far_away_does_not_ring(seconds: float):
    with Budget(seconds).alarm() as late:
        time.sleep(0.05)
        assert not late[0]


def test_an_alarm_rings_when_time_is_up():
    with Budget(0.05).alarm() as late:
        while not late[0]:
            time.sleep(0.01)
    with Budget(0.0).alarm(least=5.0) as late:
        time.sleep(0.05)
        assert not late[0]


def test_bad_limits_are_explained():
    games = Games(np.ones((3, 3)), "noodle")
    for work in (-1.0, math.nan, math.inf):
        with pytest.raises(InputError, match="the work is"):
            solve(games, work=work)
