"""The proof of network bounds by the checker: against brute force, and against false claims."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest
from amounts import few_or_many
from oracles.brute import fewest_moves as brute_force
from small_positions import PATIENCE, lattice_positions, play_a_little, random_graph

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.network import Network
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.check.network import LARGEST, plan_sweep, prove_bound
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.solution import Solution


def active_piece(games):
    """Neighbours of each active square among the active ones."""
    active = np.flatnonzero(games.active[0]).tolist()
    return {v: [u for u in games.topology.neighbours(v).tolist() if u in active] for v in active}


def assert_same_as_brute_force(games):
    """One move less than the optimum is refuted, and the optimum itself is found and wins."""
    optimum, best = brute_force(games), int(games.memory[0])
    assert prove_bound(active_piece(games), best, optimum, math.inf) == (optimum, None)
    proven, play = prove_bound(active_piece(games), best, optimum + 1, math.inf)
    assert proven == optimum
    game = games.copy()
    for square in play:
        if game.legal[0, square]:
            game.play(square)
    assert game.done[0]
    assert game.move_counts[0] - games.move_counts[0] == optimum


@few_or_many(120, 300)
def test_small_boards_have_the_value_of_brute_force(count):
    remembered = 0
    for games in lattice_positions(Network(), count, seed=1):
        if not games.done[0]:
            assert_same_as_brute_force(games)
            remembered += games.memory[0] > 0
    assert remembered > 0.13 * count


@few_or_many(40, 80)
def test_small_graphs_have_the_value_of_brute_force(count):
    rng = np.random.default_rng(2)
    for _ in range(count):
        graph = random_graph(rng, 12)
        games = play_a_little(Games(np.ones((1, graph.n)), "network", graph), rng)
        if not games.done[0]:
            assert_same_as_brute_force(games)


@pytest.mark.parametrize(("size", "p", "count"), [(7, 0.8, 4), (20, 0.62, 3)])
def test_proven_bounds_of_larger_boards_are_verified(size, p, count):
    games = Games(sample_boards("network", size, p, count, seed=1), "network")
    for row, solution in enumerate(solve(games, PATIENCE)):
        verdict = check_solution(solution, games, row, reprove=PATIENCE)
        assert verdict.ok
        assert verdict.bound == "verified"
        assert verdict.verified == solution.bound == solution.value


def test_a_bound_that_is_too_high_is_wrong():
    games = Games(sample_boards("network", 7, 0.8, 4, seed=3), "network")
    played = games.copy()
    played.play_randomly(seed=1)
    for row, solution in enumerate(solve(games, PATIENCE)):
        moves = played.history(row)  # a game like any other, called the shortest
        assert len(moves) > solution.value
        certificate = {**solution.certificate, "refuted": len(moves) - 1}
        boast = Solution.of(moves, len(moves), certificate, 0.0)
        assert check_solution(boast, games, row).bound == "not verified"
        verdict = check_solution(boast, games, row, reprove=PATIENCE)
        assert not verdict
        assert verdict.bound == "wrong"
        assert f"{solution.value} moves are enough" in verdict.reason


@pytest.mark.parametrize("key", ["active", "best", "refuted"])
def test_a_certificate_of_another_position_is_wrong(key):
    games = Games(sample_boards("network", 7, 0.8, 1, seed=3), "network")
    (solution,) = solve(games, PATIENCE)
    certificate = {**solution.certificate, key: solution.certificate[key] + 1}
    verdict = check_solution(replace(solution, certificate=certificate), games)
    assert not verdict
    assert verdict.bound == "wrong"
    assert key in verdict.reason


def test_without_time_the_bound_is_not_verified():
    games = Games(sample_boards("network", 7, 0.9, 1, seed=3), "network")
    (solution,) = solve(games, PATIENCE)
    for seconds in (0.0, 1e-9):
        verdict = check_solution(solution, games, reprove=seconds)
        assert verdict.ok  # the moves are right, and nothing was found to be wrong
        assert verdict.bound == verdict.record()["bound"] == "not verified"
        assert verdict.verified < solution.bound
        assert f"the bound {solution.bound} was not verified" in verdict.reason


def test_a_piece_too_large_for_a_proof_is_left_alone():
    path = {v: [u for u in (v - 1, v + 1) if 0 <= u <= LARGEST] for v in range(LARGEST + 1)}
    assert prove_bound(path, 0, 5, time.perf_counter() + PATIENCE) == (1, None)


def test_a_sweep_has_every_square_once_and_knows_what_is_ahead():
    games = Games(sample_boards("network", 9, 0.7, 1, seed=4), "network")
    neighbours = active_piece(games)
    steps = plan_sweep(neighbours)
    order = [step.node for step in steps]
    assert sorted(order) == sorted(neighbours)
    for number, step in enumerate(steps, 1):
        ahead = set(order[number:])
        front = [node for node in order[:number] if ahead & set(neighbours[node])]
        assert len(step.stay) == len(front)
        assert sum(step.ahead) == len(order) - number
        assert len(step.touch) == len(step.stay)
