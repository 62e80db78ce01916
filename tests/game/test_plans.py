"""Whole plans in one go against the same moves one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from cases import graph_case, lattice_case
from hypothesis import given, settings
from hypothesis import strategies as st
from stand_ins import Large

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import (
    BoardMode,
    Component,
    Mode,
)
from pinchpoint.game.plans import Plans, plan_lengths, prune
from pinchpoint.types import Bools


@dataclass(frozen=True)
class SlowNetwork(BoardMode):
    """A mode in Python that looks at all pieces and remembers."""

    name: ClassVar[str] = "slow_network"
    description: ClassVar[str] = "Network mode, written in Python."

    def settle(self, components: Sequence[Component], memory: int) -> tuple[list[bool], int]:
        sizes = sorted(component.size for component in components)
        memory = max([memory, *sizes[-2:-1]])
        return [component.size > memory for component in components], memory


def step_by_step(games: Games, plans: Plans) -> Bools:
    """`follow`, with an ordinary move for every square that is active when its turn comes."""
    made = np.zeros(plans.shape, dtype=np.bool_)
    for k in range(plans.shape[1]):
        squares = plans[:, k].copy()
        for row, square in enumerate(squares):
            made[row, k] = square >= 0 and games.status[row, square] == 1
        games.play(np.where(made[:, k], squares, -1))
    return made


def prune_step_by_step(games: Games, plan: Sequence[int]) -> list[int]:
    """`prune`, for one game and in the most obvious way."""

    def moves_made(squares: Sequence[int]) -> tuple[list[int], bool]:
        game = games.copy()
        made = step_by_step(game, np.array([squares], dtype=np.int64).reshape(1, -1))[0]
        return [square for square, yes in zip(squares, made, strict=True) if yes], game.done[0]

    kept, before = moves_made(plan)[0], None
    while kept != before:
        before = kept
        for square in before:
            if square in kept:
                shorter, over = moves_made([other for other in kept if other != square])
                kept = shorter if over else kept
    return kept


def random_games(seed: int) -> Games:
    """Games of any mode on a lattice or a graph, some after a few moves; some of them over."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 9, size=2).tolist()
    case = lattice_case(rng, height, width) if rng.random() < 0.6 else graph_case(rng)
    own: list[Mode] = [Large(), SlowNetwork()]
    mode = own[rng.integers(2)] if rng.random() < 0.3 else case.mode
    games = Games(case.opened, mode, case.topology)
    for _ in range(rng.integers(3)):
        games.play(games.random_squares(seed))
    return games


def finishing_plans(games: Games, seed: int) -> Plans:
    played = games.copy()
    played.play_randomly(seed)
    moves = [played.history(row)[count:] for row, count in enumerate(games.move_counts)]
    plans = np.full((len(games), max(map(len, moves), default=0)), -1, dtype=np.int64)
    for plan, squares in zip(plans, moves, strict=True):
        plan[: len(squares)] = squares
    return plans


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**31), length=st.integers(0, 60))
def test_a_whole_plan_is_its_moves_one_by_one(seed: int, length: int) -> None:
    games = random_games(seed)
    # Any squares at all: blocked, cut off, attacked twice, and no move.
    plans = np.random.default_rng(seed).integers(-1, games.topology.n, (len(games), length))
    fast, slow = games.copy(), games.copy()
    made = fast.follow(plans)
    np.testing.assert_array_equal(made, step_by_step(slow, plans))
    np.testing.assert_array_equal(fast.move_counts - games.move_counts, made.sum(axis=1))
    for mine, other in zip(fast._state, slow._state, strict=True):
        np.testing.assert_array_equal(mine, other)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**31))
def test_pruning_is_trying_without_each_move(seed: int) -> None:
    games = random_games(seed)
    plans = finishing_plans(games, seed)
    before = games.copy()
    kept = prune(games, plans)
    for mine, other in zip(games._state, before._state, strict=True):
        np.testing.assert_array_equal(mine, other)  # only copies were played
    for row in range(len(games)):
        expected = prune_step_by_step(games.take([row]), [int(s) for s in plans[row] if s >= 0])
        assert [int(s) for s in kept[row] if s >= 0] == expected


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
def test_pruning_in_random_order_leaves_a_minimal_plan(mode: str) -> None:
    games = Games(np.ones((3, 7, 7)), mode)
    plans = prune(games, finishing_plans(games, 5), np.random.default_rng(5))
    ended = games.copy()
    assert ended.follow(plans).sum() == plan_lengths(plans).sum()
    assert ended.done.all()
    for row, column in zip(*np.nonzero(plans >= 0), strict=True):
        trial = plans[[row]]
        trial[0, column] = -1
        game = games.take([row])
        game.follow(trial)
        assert not game.done[0]


@pytest.mark.parametrize(
    ("plans", "message"),
    [
        (np.zeros((2, 3), dtype=np.int64), "1 games need as many plans"),
        (np.zeros(3, dtype=np.int64), "1 games need as many plans"),
        (np.zeros((1, 3)), "whole numbers"),
        (np.array([[0, 4]]), "squares are 0 to 3"),
        (np.array([[-2, 0]]), "squares are 0 to 3"),
    ],
)
def test_plans_that_make_no_sense(plans: Plans, message: str) -> None:
    games = Games(np.ones((2, 2)), "network")
    with pytest.raises(InputError, match=message):
        games.follow(plans)
    assert games.move_counts[0] == 0
