"""The checker: true solutions pass, and every kind of false claim is found."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from small_positions import PATIENCE, play_a_little

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode, mode_from_function
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.solution import Solution

CASES = [
    ("network", {}),
    ("flow", {}),
    ("flow", {"axis": "horizontal"}),
    ("flow", {"axis": "both"}),
    ("noodle", {}),
    ("noodle", {"inclusive": True}),
    ("noodle", {"K": 1.5}),
]


def tampered(solution: Solution, **changes) -> Solution:
    """The solution with a changed certificate."""
    certificate = copy.deepcopy(solution.certificate)
    for key, change in changes.items():
        certificate[key] = change(certificate[key]) if callable(change) else change
    return replace(solution, certificate=certificate)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_solutions_pass_and_broken_ones_do_not(name, options):
    mode = get_mode(name, **options)
    rng = np.random.default_rng(1)
    for board in sample_boards(mode, size=6, p=(0.6, 1.0), count=12, seed=1):
        games = play_a_little(Games(board, mode), rng)
        (solution,) = solve(games, PATIENCE if "K" not in options else 0.2)
        verdict = check_solution(solution, games)
        assert verdict.ok, verdict.reason
        assert verdict.verified <= solution.bound
        if games.done[0]:
            continue
        assert verdict.verified >= 1
        plan = list(solution.moves)
        outside = int(np.flatnonzero(~games.legal[0])[0]) if not games.legal[0].all() else -1
        for moves in (plan[:-1], [*plan, plan[0]], [outside, *plan]):
            assert not check_solution(Solution.of(moves, 0, solution.certificate, 0.0), games)


def test_a_checked_solution_survives_json():
    games = Games(sample_boards("noodle", size=8, p=0.8, count=1, seed=2), "noodle")
    (solution,) = solve(games, PATIENCE)
    again = Solution.from_record(json.loads(json.dumps(solution.record())))
    assert again == solution
    assert check_solution(again, games)


def test_flow_is_verified_to_the_last_move():
    for axis in ("vertical", "horizontal", "both"):
        mode = get_mode("flow", axis=axis)
        games = Games(sample_boards(mode, size=12, p=0.8, count=10, seed=3), mode)
        for row, solution in enumerate(solve(games)):
            assert check_solution(solution, games, row).verified == solution.value


def test_false_paths_are_found():
    games = Games(np.ones((4, 4)), "flow")
    (solution,) = solve(games)

    def claims(paths):
        return check_solution(tampered(solution, paths={"vertical": paths}), games)

    columns = [[col, col + 4, col + 8, col + 12] for col in range(4)]
    assert claims(columns).verified == 4
    assert claims(columns[:2]).verified == 2
    assert not claims([columns[0], columns[0]])  # the same squares twice
    assert not claims([columns[0][:3]])  # does not arrive
    assert not claims([[0, 12]])  # squares that do not touch
    blocked = np.ones((4, 4))
    blocked[1, 1] = 0
    games = Games(blocked, "flow")
    (solution,) = solve(games)
    assert not check_solution(tampered(solution, paths={"vertical": [columns[1]]}), games)


def test_false_weights_are_found():
    games = Games(np.ones((5, 5)), "noodle")
    (solution,) = solve(games, PATIENCE)
    assert check_solution(solution, games).verified == solution.value

    def heavier(items):
        return [[*item[:-1], item[-1] * 1.01] for item in items]

    assert not check_solution(tampered(solution, edges=heavier), games)
    assert not check_solution(
        tampered(solution, edges=heavier, nodes=heavier, cycles=heavier), games
    )
    assert not check_solution(tampered(solution, cycles=[[[0, 1, 6], 0.1]]), games)  # not closed
    assert not check_solution(tampered(solution, edges=[[0, 7, 0.0]]), games)  # no edge
    assert not check_solution(tampered(solution, cycles_allowed=1), games)
    assert not check_solution(tampered(solution, nodes=[[0, -1.0]]), games)


def test_a_bound_beyond_the_optimum_is_refuted_when_proven_anew():
    rng = np.random.default_rng(4)
    for name, options in CASES:
        mode = get_mode(name, **options)
        board = rng.random((4, 4)) < 0.95
        games = Games(board, mode)
        (solution,) = solve(games, PATIENCE if "K" not in options else 0.5)
        extra = next(int(s) for s in np.flatnonzero(games.legal[0]) if s not in solution.moves)
        longer = [extra, *solution.moves]
        wasteful = Solution.of(longer, len(longer), solution.certificate, 0.0)
        if check_solution(Solution.of(longer, 0, {}, 0.0), games):  # legal, a move too long
            assert not check_solution(wasteful, games, reprove=PATIENCE), (name, options)
        assert check_solution(solution, games, reprove=PATIENCE).verified >= solution.bound


def test_an_unverified_bound_is_called_the_solvers_word():
    games = Games(sample_boards("network", size=6, p=0.9, count=1, seed=5), "network")
    (solution,) = solve(games, PATIENCE)
    assert solution.bound > 1
    assert "solver's word" in check_solution(solution, games).reason


def test_modes_of_ones_own_are_checked_too():
    mode = mode_from_function(lambda component: component.size > 3, name="crumbs")()
    games = Games(sample_boards(mode, size=4, p=0.8, count=4, seed=6), mode)
    for row, solution in enumerate(solve(games, 2.0)):
        assert check_solution(solution, games, row)
        assert not check_solution(Solution.of(solution.moves[:-1], 0, {}, 0.0), games, row)


def test_wrong_rows_and_records_are_refused():
    games = Games(np.ones((3, 3)), "flow")
    (solution,) = solve(games)
    with pytest.raises(InputError):
        check_solution(solution, games, row=1)
    with pytest.raises(InputError):
        Solution.from_record({"value": 1, "bound": 1, "proven": True})
    dear = Solution.from_record({"value": 2, "bound": 1, "proven": False, "moves": [3]})
    assert "cost 1, the solution says 2" in check_solution(dear, games).reason
    with pytest.raises(InputError):
        Solution.from_record({"value": 1, "bound": 2, "proven": False, "moves": [3]})
    with pytest.raises(InputError):
        Solution.from_record({"value": 1, "bound": 1, "proven": True, "moves": ["x"]})
