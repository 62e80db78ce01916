"""Every solver on every lattice has the value of brute force, and the checker agrees."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from oracles.brute import BruteForce, fewest_moves
from small_positions import PATIENCE, play_a_little, play_out

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import LATTICES, PERIODIC, lattice
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import SOLVERS, optimal_squares, solve

KINDS = list(product(LATTICES, PERIODIC))
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "network": [{}],
    "flow": [{"axis": axis} for axis in ("vertical", "horizontal", "both")],
    "noodle": [{}, {"inclusive": True}],
    "shatter": [{"size": 1}, {"size": 3}, {"share": 0.3}],
}
RULES = [(name, options) for name in OPTIONS for options in OPTIONS[name]]
OPEN = 12  # nodes of a random position: brute force has to try all games
COUNTS = [8, pytest.param(50, marks=pytest.mark.full)]  # random positions


def small_lattices(kind: str, periodic: str) -> Iterator[Topology]:
    """All lattices of this kind up to 4 × 4."""
    for height, width in product(range(1, 5), repeat=2):
        try:
            yield lattice(height, width, kind, periodic)
        except InputError:
            continue  # too small, or of an odd size, to be periodic


def positions(mode: Mode, kind: str, periodic: str, count: int) -> Iterator[Games]:
    """Random positions on small lattices, some in progress."""
    rng = np.random.default_rng(16)
    lattices = list(small_lattices(kind, periodic))
    assert lattices
    while count:
        topology = lattices[rng.integers(len(lattices))]
        opened = rng.random((1, topology.n)) < rng.uniform(0.5, 1.0)
        if opened.sum() <= OPEN:
            count -= 1
            yield play_a_little(Games(opened, mode, topology), rng)


def is_playable(mode: Mode, kind: str, periodic: str) -> bool:
    """Whether the lattice has what the mode needs: flow needs open sides along its axis."""
    axis = mode.options().get("axis", "vertical")
    wanted = {"vertical", "horizontal"} if axis == "both" else {axis}
    return mode.name != "flow" or bool(wanted & set(lattice(4, 4, kind, periodic).sides))


def test_every_solver_and_every_lattice_is_here():
    assert set(OPTIONS) == set(SOLVERS)
    assert {kind for kind, _ in KINDS} == set(LATTICES)
    playable = [k for k in KINDS if is_playable(get_mode("flow"), *k)]
    assert {periodic for _, periodic in playable} == {"none", "columns"}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("kind", "periodic"), KINDS)
@pytest.mark.parametrize(("name", "options"), RULES)
def test_small_boards_have_the_value_of_brute_force(name, options, kind, periodic, count):
    mode = get_mode(name, **options)
    if not is_playable(mode, kind, periodic):
        with pytest.raises(InputError, match="needs open sides"):
            next(positions(mode, kind, periodic, 1))
        return
    values = []
    for games in positions(mode, kind, periodic, count):
        (solution,) = solve(games, PATIENCE)
        assert solution.value == solution.bound == fewest_moves(games), games.status
        play_out(games, 0, solution.moves)
        verdict = check_solution(solution, games, reprove=PATIENCE)
        assert verdict, verdict.reason
        assert verdict.verified == solution.value
        values.append(solution.value)
    assert max(values) >= 2 or name == "noodle"


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("kind", "periodic"), KINDS)
@pytest.mark.parametrize("axis", ["vertical", "horizontal"])
def test_all_optimal_moves_of_flow_are_those_of_brute_force(axis, kind, periodic, count):
    mode = get_mode("flow", axis=axis)
    if is_playable(mode, kind, periodic):
        for games in positions(mode, kind, periodic, count):
            found = set(np.flatnonzero(optimal_squares(games)[0]).tolist())
            assert found == BruteForce(games).optimal_first_moves()


def test_all_optimal_moves_of_two_axes_need_a_grid():
    mode = get_mode("flow", axis="both")
    games = Games(np.ones((1, 9)), mode, lattice(3, 3, "triangular"))
    with pytest.raises(InputError, match="planar square grid"):
        optimal_squares(games)


def full_boards():
    """Yield a mode, a lattice and its side; triangles across borders take long."""
    for name, (kind, periodic) in product(("network", "noodle"), KINDS):
        is_long = name == "noodle" and kind == "triangular" and periodic != "none"
        if is_long:
            yield name, kind, periodic, 3
        yield pytest.param(name, kind, periodic, 4, marks=pytest.mark.full if is_long else ())


@pytest.mark.parametrize(("name", "kind", "periodic", "side"), list(full_boards()))
def test_full_boards_are_proven(name, kind, periodic, side):
    topology = lattice(side, side, kind, periodic)
    games = Games(np.ones((1, topology.n)), name, topology)
    (solution,) = solve(games, PATIENCE)
    play_out(games, 0, solution.moves)
    assert solution.proven
    assert check_solution(solution, games, reprove=PATIENCE).verified == solution.value


def test_annealing_alone_would_miss_the_best_game_on_a_triangular_torus():
    topology = lattice(4, 4, "triangular", "both")
    games = Games(np.ones((1, topology.n)), "network", topology)
    assert fewest_moves(games) == 8
    assert solve(games, PATIENCE)[0].value == 8
