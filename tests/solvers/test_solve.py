"""`solve` for every mode there is, those of one's own included, and its limits."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from oracles.brute import fewest_moves
from small_positions import PATIENCE, lattice_positions, play_out

import pinchpoint
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import BoardMode, ComponentMode
from pinchpoint.game.modes.table import MODES, get_mode, mode_from_function
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.topology import from_edges
from pinchpoint.solvers.any_mode import solve_by_search
from pinchpoint.solvers.dispatch import (
    SOLVERS,
    optimal_squares,
    solve,
    solved_at_once,
)


@dataclass(frozen=True)
class Boxes(ComponentMode):
    """Active while a piece is three squares tall or broad."""

    name: ClassVar[str] = "boxes"
    description: ClassVar[str] = "Cut every piece into boxes of 2 × 2."

    def is_active(self, component):
        return max(component.box) > 2


@dataclass(frozen=True)
class Halves(BoardMode):
    """Active while a piece has more than half of the squares of the largest piece ever."""

    name: ClassVar[str] = "halves"
    description: ClassVar[str] = "Halve the largest piece."

    def settle(self, components, memory):
        memory = max([memory, *(component.size for component in components)])
        return [2 * component.size > memory for component in components], memory


def test_the_table_has_a_solver_for_every_built_in_mode():
    assert set(SOLVERS) == {name for name, mode in MODES.items() if mode.path is None}
    assert pinchpoint.solve is solve


@pytest.mark.parametrize("mode", [*sorted(SOLVERS), Boxes(), Halves()])
def test_any_position_gets_a_plan_that_ends_it_and_a_bound(mode):
    games = Games(sample_boards(mode, size=6, p=(0.5, 1.0), count=6, seed=1), mode)
    random = games.copy()
    random.play_randomly(seed=1)
    for row, solution in enumerate(solve(games, time_limit=1.0)):
        play_out(games, row, solution.moves)
        assert 1 <= solution.bound <= solution.value <= random.move_counts[row]
        assert solution.proven == (solution.bound == solution.value)
    over = solve(random, time_limit=1.0)
    assert all((s.moves, s.bound, s.proven) == ((), 0, True) for s in over)


@pytest.mark.parametrize("mode", [Boxes(), Halves()])
def test_modes_of_ones_own_have_the_value_of_brute_force(mode):
    for games in lattice_positions(mode, 150, seed=2, most_open=10):
        (solution,) = solve(games, PATIENCE)
        assert solution.value == solution.bound == fewest_moves(games)
        play_out(games, 0, solution.moves)


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_search_alone_has_the_value_of_brute_force(name):
    for games in lattice_positions(get_mode(name), 150, seed=3):
        (solution,) = solve_by_search(games, PATIENCE)
        assert solution.value == solution.bound == fewest_moves(games)
        play_out(games, 0, solution.moves)


def test_search_mends_its_plans():
    """On boards too large to exhaust, where the optimum is known otherwise, it comes close."""
    games = Games(sample_boards("noodle", size=8, p=0.9, count=3, seed=4), "noodle")
    for row, best in enumerate(solve(games, PATIENCE)):
        (found,) = solve_by_search(games.take([row]), 3.0)
        assert found.bound <= best.value <= found.value <= best.value + 3


def test_workers_share_the_work_and_change_nothing():
    games = Games(sample_boards("noodle", size=8, p=0.75, count=5, seed=5), "noodle")
    alone, shared = solve(games, PATIENCE), solve(games, PATIENCE, workers=2)
    assert [s.moves for s in alone] == [s.moves for s in shared]


def test_only_our_flow_is_solved_at_once():
    assert [name for name in SOLVERS if solved_at_once(get_mode(name))] == ["flow"]
    namesake = mode_from_function(lambda component: component.size > 2, name="flow")
    assert not solved_at_once(namesake())


def test_no_games_no_solutions():
    for name in SOLVERS:
        assert solve(Games(np.zeros((0, 4, 4)), name)) == []
        assert solve(Games(np.zeros((0, 4, 4)), name), workers=3) == []


def test_silly_input_gets_a_clear_answer():
    games = Games(np.ones((3, 3)), "flow")
    for limit in (-1.0, math.nan, math.inf):
        with pytest.raises(InputError, match="time limit"):
            solve(games, time_limit=limit)
    with pytest.raises(InputError, match="workers"):
        solve(games, workers=0)
    with pytest.raises(InputError, match="flow mode only"):
        optimal_squares(Games(np.ones((3, 3)), "noodle"))
    with pytest.raises(InputError, match="needs terminals"):
        solve(Games(np.ones((1, 2)), "flow", from_edges([(0, 1)])))
    for K in (0, -1, math.inf):
        with pytest.raises(InputError, match="greater than 0"):
            get_mode("noodle", K=K)
    for mode in (*SOLVERS, Boxes()):
        (solution,) = solve(Games(np.ones((5, 5)), mode), time_limit=0)
        assert 1 <= solution.bound <= solution.value
