"""What is learned from: targets by hand, n-step returns by a loop, symmetries, pruned games."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from oracles.brute import fewest_moves
from torch import nn

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.plans import (
    cheapest_of,
    draw,
    plan_lengths,
    play_all,
    prune,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ATTACKED
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import moved_squares, transform
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.learners.bellman import (
    BellmanLearner,
    double_q_target,
    n_step_experiences,
)
from pinchpoint.learning.learners.hindsight import HindsightLearner, double_q, shuffled
from pinchpoint.learning.learners.plans import SHARPNESS, PlansConfig, PlansLearner
from pinchpoint.learning.nets import Output, QNet, make_net, mask_illegal
from pinchpoint.learning.observation import observe
from pinchpoint.learning.presets import FAST, PAPER, Q
from pinchpoint.learning.replay import pack, pack_bits, unpack, unpack_bits
from pinchpoint.learning.self_play import (
    epsilon_greedy,
    good_squares,
    positions_of,
    q_targets,
    some_of_each,
    squares_to_learn,
    start_midgame,
)

OURS = [name for name in MODES if ":" not in name]  # without those that other tests add


class TableNet(QNet):
    """A network whose Q does not depend on the board but for what is legal."""

    def __init__(self, values: list[float]) -> None:
        super().__init__("states")
        self.table = nn.Parameter(torch.tensor(values))

    def forward(self, boards: torch.Tensor) -> Output:
        q = mask_illegal(self.table.expand(len(boards), -1), boards)
        return Output(q, q.amax(1), q)


def random_plans(games: Games, seed: int) -> np.ndarray:
    return play_all(games, lambda running, rows: running.random_squares(seed))


def test_double_q_target_by_hand() -> None:
    online = TableNet([-3.0, -1.0, -2.0, -9.0])
    target = TableNet([-5.0, -7.0, -4.0, -6.0])
    active, inactive = 1, 2
    status = [[active] * 4, [active, inactive, active, active], [inactive] * 4]
    after = observe("states", np.array(status, np.uint8), lattice(2, 2))
    # The online network likes square 1 best, and square 2 where 1 is not legal; the target network
    # says what they are worth; a board that is over is worth nothing.
    got = double_q_target(online, target, after, torch.tensor([-1.0, -1.0, -1.0]))
    assert got.tolist() == [-1.0 - 7.0, -1.0 - 4.0, -1.0]


def test_the_loss_is_the_squared_distance_to_the_target() -> None:
    online = TableNet([-3.0, -1.0, -2.0, -9.0])
    learner = BellmanLearner(PAPER, get_mode("network"), online, online)
    learner.target = TableNet([-5.0, -7.0, -4.0, -6.0])
    batch: dict[str, Any] = {
        "board": pack(np.array([[1, 1, 1, 1]], np.uint8)),
        "square": np.array([3], np.int32),
        "next_board": pack(np.array([[1, 1, 1, 3]], np.uint8)),
        "reward": np.array([-1], np.float32),
    }
    loss, _ = learner.loss(batch, 2, symmetry=0)
    assert loss.item() == pytest.approx((-9.0 - (-1.0 - 7.0)) ** 2)


@pytest.mark.parametrize("n_step", [1, 2, 3, 50])
def test_n_step_returns_against_a_loop(n_step: int) -> None:
    games = Games(sample_boards("flow", (4, 5), 0.8, 8, seed=1), "flow")
    plans = random_plans(games, 2)
    got = n_step_experiences(games, plans, n_step)
    expected = []
    for row in range(len(games)):
        moves = [int(s) for s in plans[row] if s >= 0]
        game = games.take([row])
        states = [game.status[0].copy()]
        for square in moves:
            game.play(square)
            states.append(game.status[0].copy())
        for i, square in enumerate(moves):
            end = min(i + n_step, len(moves))
            expected.append((states[i].tolist(), square, states[end].tolist(), i - end))
    columns = (
        unpack(got["board"], 20).tolist(),
        got["square"].tolist(),
        unpack(got["next_board"], 20).tolist(),
        got["reward"].tolist(),
    )
    assert sorted(zip(*columns, strict=True)) == sorted(expected)


def test_epsilon_falls_linearly_and_stays() -> None:
    assert [PAPER.epsilon(s) for s in (0, 100_000, 10**6)] == pytest.approx([1.0, 0.05, 0.05])
    assert PAPER.epsilon(50_000) == pytest.approx((1 + 0.05) / 2)


@pytest.mark.parametrize("mode", OURS)
def test_symmetries_carry_the_whole_game_along(mode: str) -> None:
    """Board and move, mapped alike, give the mapped board after the move."""
    rule = get_mode(mode)
    games = Games(sample_boards(rule, 6, 0.75, 20, seed=4), rule)
    for k in rule.symmetries:
        here = games.copy()
        there = Games(transform(games.boards != 0, k), rule)
        moved = moved_squares(6, 6, k)
        while not here.done.all():
            squares = here.random_squares(9)
            here.play(squares)
            there.play(np.where(squares >= 0, moved[squares], -1))
            assert np.array_equal(transform(here.boards, k), there.boards)


@pytest.mark.parametrize("learner", ["bellman", "plans"])
def test_a_symmetry_changes_the_picture_and_not_the_loss_of_a_symmetric_network(
    learner: str,
) -> None:
    class Symmetric(QNet):  # judges a square by its row of neighbours, whatever the direction
        def __init__(self) -> None:
            super().__init__("states")
            self.weight = nn.Parameter(torch.ones(1))

        def forward(self, boards: torch.Tensor) -> Output:
            near = nn.functional.avg_pool2d(boards[:, 1:2], 3, 1, 1)[:, 0].flatten(1)
            q = mask_illegal(-self.weight * near, boards)
            return Output(q, q.amax(1), q)

    mode, net = get_mode("network"), Symmetric()
    made = {"bellman": BellmanLearner, "plans": PlansLearner}[learner](
        {"bellman": PAPER, "plans": FAST}[learner], mode, net, net
    )
    games = Games(sample_boards(mode, 5, 0.8, 16, seed=5), mode)
    plans = random_plans(games, 3)
    batch = (
        n_step_experiences(games, plans, 1)
        if learner == "bellman"
        else states_with_plans(games, prune(games, plans))
    )
    losses = [made.loss(batch, 5, k)[0].item() for k in range(8)]
    assert losses == pytest.approx([losses[0]] * 8, rel=1e-5)


@pytest.mark.parametrize("mode", OURS)
def test_pruned_plans_finish_and_are_minimal(mode: str) -> None:
    games = Games(sample_boards(mode, 7, 0.8, 30, seed=6), mode)
    raw = random_plans(games, 1)
    for rng in (None, np.random.default_rng(0)):
        kept = prune(games, raw, rng)
        copies = games.copy()
        assert copies.follow(kept).sum() == plan_lengths(kept).sum()  # every move was legal
        assert copies.done.all()
        assert set(map(tuple, np.argwhere(kept >= 0))) <= set(map(tuple, np.argwhere(raw >= 0)))
        for row in range(0, len(games), 5):
            for k in np.flatnonzero(kept[row] >= 0):
                without = kept[[row]].copy()
                without[0, k] = -1
                one = games.take([row])
                one.follow(without)
                assert not one.done[0]


@pytest.mark.parametrize("mode", OURS)
def test_good_squares_are_those_that_can_come_first(mode: str) -> None:
    games = Games(sample_boards(mode, 6, 0.8, 10, seed=7), mode)
    plans = prune(games, random_plans(games, 1))
    states = states_with_plans(games, plans)
    expected = []
    for row in range(len(games)):
        game, left = games.take([row]), [int(s) for s in plans[row] if s >= 0]
        while left:
            good = [s for s in left if finishes(game, [s, *(t for t in left if t != s)])]
            expected.append((game.status[0].tolist(), sorted(good), len(left)))
            game.play(left.pop(0))
    got = zip(
        unpack(states["board"], 36).tolist(),
        [np.flatnonzero(mask).tolist() for mask in unpack_bits(states["known"], 36)],
        states["moves"].tolist(),
        strict=True,
    )
    assert sorted(got) == sorted(expected)
    if games.monotone:
        assert all(len(good) == moves for _, good, moves in expected)


def states_with_plans(games: Games, plans: np.ndarray) -> dict[str, Any]:
    """Every position of these games; of its squares, the next one is learned and another one."""
    here, to_come = positions_of(games, plans)
    known = good_squares(here, to_come)
    moves = plan_lengths(to_come).astype(np.float32)
    squares = np.stack([known.argmax(1), here.legal.argmax(1)], axis=1)
    return {
        "board": pack(here.status),
        "squares": squares.astype(np.int32),
        "goals": np.stack([-moves, -moves - 0.5], axis=1),
        "known": pack_bits(known),
        "moves": moves,
    }


def finishes(game: Games, squares: list[int]) -> bool:
    """Whether the moves end the game, in this order, passing over squares that have gone quiet."""
    copy = game.copy()
    for square in squares:
        if copy.legal[0, square]:
            copy.play(square)
    return bool(copy.done[0])


def begun(net: QNet, laid: Games, share: float) -> Games:
    rng, evaluator = np.random.default_rng(2), net
    return start_midgame(laid, evaluator, lambda on, rows: draw(on, evaluator, rng), share, rng)


def test_games_begun_in_the_middle_are_legal_and_go_on() -> None:
    torch.manual_seed(1)
    net = make_net("told", 8, 1)
    laid = Games(sample_boards("flow", 8, 0.75, 40, seed=3), "flow")
    stayed = begun(net, laid, 0.0)
    assert np.array_equal(stayed.status, laid.status[~laid.done])

    games = begun(net, laid, 0.5)
    assert len(games) == (~laid.done).sum()
    assert not games.done.any()
    assert (games.move_counts == 0).any()
    assert games.move_counts.max() >= 2
    assert not laid.move_counts.any()
    again = begun(net, laid, 0.5)
    assert np.array_equal(games.status, again.status)


def test_games_that_should_have_been_over_are_begun_late() -> None:
    """Who expects the end soon is shown later moves than who expects it never."""
    torch.manual_seed(1)
    net = make_net("told", 8, 1)
    laid = Games(sample_boards("flow", 8, 0.75, 200, seed=3), "flow")
    moves = []
    for expected in (3.0, 1000.0):
        with torch.no_grad():
            net.local_value.weight.zero_()
            net.local_value.bias.zero_()
            net.board_value[-1].weight.zero_()
            net.board_value[-1].bias.fill_(expected)
        games = begun(net, laid, 1.0)
        moves.append((games.move_counts >= 3).mean())
    assert moves[0] > moves[1]


def plans_on_small_boards(mode: str, rng: np.random.Generator) -> tuple[Games, np.ndarray]:
    """Positions of games that an untrained network plays and polish shortens, and moves to come."""
    laid = Games(sample_boards(mode, (3, 4), 0.85, 24, seed=8), mode)
    torch.manual_seed(0)
    evaluator = make_net("raw", 8, 1)
    explore = epsilon_greedy(evaluator, 0.5, rng)
    games = start_midgame(laid, evaluator, explore, 0.5, rng)
    plans = shuffled(games, cheapest_of(games, explore, 2, 20, rng), rng)
    ends = games.copy()
    ends.follow(plans)
    assert ends.done.all()
    return positions_of(games, plans)


@pytest.mark.parametrize("mode", OURS)
def test_positions_on_the_way_of_plans_by_a_loop(mode: str) -> None:
    games = Games(sample_boards(mode, 5, 0.8, 10, seed=2), mode)
    plans = prune(games, random_plans(games, 1))
    here, to_come = positions_of(games, plans)
    expected = []
    for row in range(len(games)):
        game, left = games.take([row]), [int(s) for s in plans[row] if s >= 0]
        while left:
            expected.append((game.status[0].tolist(), int(game.memory[0]), list(left)))
            game.play(left.pop(0))
    left = [[int(s) for s in plan if s >= 0] for plan in to_come]
    got = zip(here.status.tolist(), here.memory.tolist(), left, strict=True)
    assert sorted(got) == sorted(expected)


@pytest.mark.parametrize("mode", OURS)
def test_returns_known_in_hindsight_never_exceed_the_true_q(mode: str) -> None:
    """A known return is a game that was really played: brute force can only do better."""
    rng = np.random.default_rng(3)
    here, to_come = plans_on_small_boards(mode, rng)
    known = good_squares(here, to_come)
    squares = squares_to_learn(here, known, rng.random(known.shape), 3, 0.5, rng)
    steps = rng.integers(1, 4, squares.shape)
    truth = np.stack([exact_q(here.take([row])) for row in range(len(here))])
    chosen = np.take_along_axis(truth, squares, axis=1)

    def nothing(games: Games) -> np.ndarray:
        return np.full(len(games), -np.inf)

    achieved = q_targets(here, to_come, squares, steps, 20, nothing, rng)
    assert (achieved <= chosen).all()
    assert (achieved[:, 0] >= -plan_lengths(to_come)).all()  # the first square is of the plan
    assert (-plan_lengths(to_come)[:, None] <= np.where(known, truth, 0)).all()
    assert known.any(axis=1).all()
    assert len(here) > 25


@pytest.mark.parametrize("mode", OURS)
def test_true_values_make_true_targets(mode: str) -> None:
    """Bellman's equation: with the exact value of the next board, the target of one move is Q."""
    rng = np.random.default_rng(4)
    here, to_come = plans_on_small_boards(mode, rng)
    squares = squares_to_learn(
        here, good_squares(here, to_come), rng.random((len(here), 12)), 3, 0, rng
    )

    def exact(games: Games) -> np.ndarray:
        return -np.array([fewest_moves(games, row) for row in range(len(games))])

    truth = np.stack([exact_q(here.take([row])) for row in range(len(here))])
    chosen = np.take_along_axis(truth, squares, axis=1)
    one = q_targets(here, to_come, squares, np.ones_like(squares), 5, exact, rng)
    assert np.array_equal(one, chosen)
    more = q_targets(here, to_come, squares, np.full_like(squares, 3), 5, exact, rng)
    assert (more <= chosen).all()  # moves of a plan that is not the best can only lose


def test_tried_squares_are_legal_and_the_best_come_second() -> None:
    rng = np.random.default_rng(1)
    here, to_come = plans_on_small_boards("network", rng)
    known, q = good_squares(here, to_come), rng.random((len(here), 12))
    squares = squares_to_learn(here, known, q, 2, 0.0, rng)
    assert squares.shape == (len(here), 4)
    assert np.take_along_axis(here.legal, squares, axis=1).all()
    assert np.take_along_axis(known, squares[:, :1], axis=1).all()
    assert np.array_equal(squares[:, 1], np.where(here.legal, q, -1).argmax(axis=1))
    surprising = squares_to_learn(here, known, q, 2, 1.0, rng)
    assert (surprising[:, 1] != squares[:, 1]).any()


def exact_q(game: Games) -> np.ndarray:
    """Q of every square by brute force, minus infinity where it is illegal."""
    q = np.full(game.topology.n, -np.inf)
    for square in np.flatnonzero(game.legal[0]):
        after = game.copy()
        after.play(int(square))
        q[square] = -1 - fewest_moves(after)
    return q


def test_the_value_of_a_board_by_double_q() -> None:
    def evaluator(values: list[float]) -> QNet:
        return TableNet(values)

    games = Games(np.array([[[1, 1], [1, 1]], [[1, 0], [0, 1]], [[1, 1], [0, 1]]]), "flow")
    games.play(np.array([-1, -1, 1]))  # the second is over when laid, the third after this move
    chooser, valuer = evaluator([-3.0, -1.0, -2.0, -9.0]), evaluator([-5.0, -7.0, -4.0, -6.0])
    assert double_q(chooser, valuer, games).tolist() == [-7.0, 0.0, 0.0]
    too_high = evaluator([3.0, 7.0, 4.0, 6.0])
    assert double_q(chooser, too_high, games).tolist() == [-1.0, 0.0, 0.0]


def loss_parts(
    goals: list[float], learner: Learner | None = None
) -> tuple[float, dict[str, float]]:
    """The loss of one position of four squares with Q of -3, -1, -2 and -9; it takes 2 moves."""
    net = TableNet([-3.0, -1.0, -2.0, -9.0])
    mode = get_mode("network")
    made = learner or HindsightLearner(replace(Q, huber=False, choice_weight=4.0), mode, net, net)
    batch: dict[str, Any] = {
        "board": pack(np.array([[1, 1, 1, 1]], np.uint8)),
        "squares": np.array([[3, 1, 0][: len(goals)]], np.int32),
        "goals": np.array([goals], np.float32),
        "known": pack_bits(np.array([[True, True, False, False]])),
        "moves": np.array([2], np.float32),
    }
    loss, parts = made.loss(batch, 2, symmetry=0)
    return loss.item(), parts


def test_the_loss_tells_the_value_of_a_position_from_the_choice_of_a_square() -> None:
    loss, parts = loss_parts([-8.0, -7.0])
    # The squares 3 and 1 are 1 too low and 6 too high: 2.5 too high on average, 3.5 apart from it.
    assert parts["value"] == pytest.approx(2.5**2 / 1.2)
    assert parts["choice"] == pytest.approx(3.5**2)
    # 0 and 1 are known to be worth -2: with the common error, 4.5 - 1 and 4.5 - 3 too low.
    assert parts["known"] == pytest.approx((3.5**2 + 1.5**2) / 2)
    assert loss == pytest.approx(parts["value"] + 4 * (parts["choice"] + parts["known"]))


def test_goals_are_no_further_apart_than_a_network_can_say() -> None:
    assert loss_parts([-20.0, -3.0]) == loss_parts([-5.0, -3.0])
    assert loss_parts([-20.0, -3.0]) != loss_parts([-4.5, -3.0])


def test_polished_games_are_imitated_and_q_is_fitted() -> None:
    _, fitted = loss_parts([-8.0, -7.0])
    config = PlansConfig(value_weight=0.25, choice_weight=4.0)
    net = TableNet([-3.0, -1.0, -2.0, -9.0])
    loss, parts = loss_parts([-8.0, -7.0], PlansLearner(config, get_mode("network"), net, net))
    # The table's preferences are its Q: 0 and 1 are the squares of the game.
    preference = SHARPNESS * np.array([-3.0, -1.0, -2.0, -9.0])
    chances = np.exp(preference) / np.exp(preference).sum()
    assert parts["policy"] == pytest.approx(-np.log(chances[:2]).mean(), rel=1e-5)
    assert parts == {**fitted, "policy": parts["policy"]}
    wanted = parts["policy"] + 0.25 * parts["value"] + 4 * (parts["choice"] + parts["known"])
    assert loss == pytest.approx(wanted)


@pytest.mark.parametrize("mode", ["network", "flow"])
def test_goals_of_polished_games_are_returns_that_they_achieve(mode: str) -> None:
    """Never above the true Q, and mostly equal to it on boards this small."""
    torch.manual_seed(1)
    net = make_net("told", 4, 1)
    config = replace(FAST, mode=mode, network="told", sizes=(4,), updates=(1,), boards=8, tries=4)
    learner = PlansLearner(config, get_mode(mode), net, net)
    met = learner.play(0, 4, 0, np.random.default_rng(1))
    boards = unpack(met["board"], 16)
    same = 0.0
    for board, squares, goals in zip(boards, met["squares"], met["goals"], strict=True):
        game = Games((board > 0).reshape(1, 4, 4), mode)
        for attacked in np.flatnonzero(board == ATTACKED):
            game.play(int(attacked) if game.legal[0, attacked] else -1)
        if not np.array_equal(game.status[0], board):
            continue  # the memory of the game depends on the order of its moves
        truth = exact_q(game)[squares]
        assert np.isfinite(goals).all()
        assert (goals <= truth).all()
        same += (goals == truth).mean()
    assert same > 0.8 * len(boards)


def test_a_few_positions_of_each_game_are_drawn() -> None:
    owner = np.repeat([0, 2, 5], [3, 1, 7])
    rng = np.random.default_rng(1)
    seen = np.zeros(len(owner), dtype=int)
    for _ in range(200):
        some = some_of_each(owner, 2, rng)
        assert np.bincount(owner[some], minlength=6).tolist() == [2, 0, 1, 0, 0, 2]
        assert len({*some.tolist()}) == len(some)
        seen[some] += 1
    assert seen[3] == 200  # the only one of its game
    assert seen[:3].min() > 100  # 133 expected
    assert seen[4:].min() > 30  # 57 expected
