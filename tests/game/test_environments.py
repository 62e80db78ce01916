"""The environments: Gymnasium's checker, the rules they add to the game, a batch = single ones."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import pinchpoint
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.environments import PinchpointEnv, PinchpointVectorEnv
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ACTIVE

NAMES = ["pinchpoint/Network-v0", "pinchpoint/Flow-v0", "pinchpoint/Noodle-v0"]


def random_actions(mask, rng):
    """A uniformly random legal square a row; square 0 where there is none."""
    return np.argmax(mask * (1 + rng.random(mask.shape)), axis=-1)


# -- Gymnasium -------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["import pinchpoint, gymnasium", "import gymnasium, pinchpoint"])
def test_importing_the_package_is_enough(order: str) -> None:
    code = f"{order}; import sys; assert 'numba' not in sys.modules; "
    code += (
        "print(gymnasium.make('pinchpoint/Flow-v0', size=4, axis='both').reset(seed=1)[0].shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("(4, 4, 4)\n", "")


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pinchpoint._register_environments()
    assert gymnasium.registry == before
    assert set(pinchpoint._ENVIRONMENTS) <= set(before)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "arguments",
    [{}, {"observation": "board"}, {"size": (3, 5), "p": (0.6, 1.0), "render_mode": "ansi"}],
)
def test_the_checker_has_no_complaint(name: str, arguments: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, **{"render_mode": "rgb_array"} | arguments).unwrapped)


def test_options_reach_the_rule() -> None:
    env: Any = gymnasium.make("pinchpoint/Noodle-v0", K=2.5, inclusive=True).unwrapped
    assert env.vector.mode == get_mode("noodle", K=2.5, inclusive=True)
    env = gymnasium.make("pinchpoint/Custom-v0", mode="network", size=(3, 4))
    assert env.observation_space.shape == (4, 3, 4)
    assert env.action_space.n == 12
    env = gymnasium.make("pinchpoint/Shatter-v0", size=4, share=0.2).unwrapped
    assert env.vector.mode == get_mode("shatter", share=0.2)


def test_an_option_with_the_name_of_an_argument_comes_with_the_mode() -> None:
    """`size` is that of the board; shatter's own size is told by giving the mode itself."""
    arguments = {"mode": get_mode("shatter", size=5), "size": (3, 4)}
    single: Any = gymnasium.make("pinchpoint/Shatter-v0", **arguments).unwrapped
    vector = gymnasium.make_vec("pinchpoint/Shatter-v0", num_envs=2, **arguments)
    for env in (single.vector, vector):
        assert env.mode == get_mode("shatter", size=5)
        assert env.topology.n == 12


def test_a_mode_of_ones_own(monkeypatch) -> None:
    """A user's rule through both environments: the boards, the ends and the masks are its own."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    arguments = {"mode": "half_span:half_span", "size": 6, "p": 0.8}
    check_env(gymnasium.make("pinchpoint/Custom-v0", **arguments).unwrapped)
    vector = gymnasium.make_vec("pinchpoint/Custom-v0", num_envs=4, **arguments)
    seen, info = vector.reset(seed=1)
    games, rng = Games(seen[:, 0] == 0, "half_span:half_span"), np.random.default_rng(1)
    over = np.zeros(4, dtype=bool)
    while not over.any():
        squares = random_actions(info["action_mask"], rng)
        games.play(squares)
        seen, _, over, _, info = vector.step(squares)
        assert np.array_equal(seen[:, 1], games.boards == ACTIVE)
        assert np.array_equal(over, games.done)


# -- one game --------------------------------------------------------------------------------


def test_a_game_is_the_engines_game() -> None:
    env = gymnasium.make("pinchpoint/Network-v0", size=6, p=0.8)
    rng = np.random.default_rng(1)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        games = Games(seen[0] == 0, "network")  # channel 0 is blocked
        terminated = False
        while not terminated:
            for state in range(4):
                assert np.array_equal(seen[state], games.boards[0] == state)
            assert np.array_equal(info["action_mask"], games.legal[0])
            assert np.array_equal(env.get_wrapper_attr("action_masks")(), games.legal[0])
            square = random_actions(info["action_mask"], rng)
            games.play(square)
            seen, reward, terminated, truncated, info = env.step(square)
            assert (reward, terminated, truncated) == (-1.0, bool(games.done[0]), False)
            assert info["illegal"] is False


def test_same_seed_same_boards() -> None:
    def boards(seed: int) -> list:
        env = PinchpointEnv("flow", size=8, p=(0.5, 0.9))
        first = env.reset(seed=seed)[0]
        return [first, *(env.reset()[0] for _ in range(100))]  # more than one block of them

    once, again, other = boards(3), boards(3), boards(4)
    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)
    assert len({board.tobytes() for board in once}) > 90


def test_an_illegal_action_costs_one_and_changes_nothing() -> None:
    env = PinchpointEnv("flow", boards=[[1, 0], [1, 1]], observation="board", illegal_limit=3)
    seen, _ = env.reset(seed=1)
    for number in (1, 2, 3):
        again, reward, terminated, truncated, info = env.step(1)  # blocked
        assert np.array_equal(seen, again)
        assert (reward, terminated, truncated) == (-1.0, False, number == 3)
        assert info["illegal"] is True
    env.reset()
    assert env.step(1)[3] is False  # the count begins anew
    *_, terminated, truncated, info = env.step(0)
    assert (terminated, truncated, info["illegal"]) == (True, False, False)


def test_a_board_of_ones_own_can_be_laid() -> None:
    boards = sample_boards("flow", 4, 0.7, 10, seed=1).squares
    env = PinchpointEnv("flow", boards=boards, observation="board")
    for number in (0, 7):
        assert np.array_equal(env.reset(options={"board": number})[0] > 0, boards[number])
    drawn = {env.reset()[0].tobytes() for _ in range(100)}
    assert len(drawn) == 10
    own = np.ones((4, 4), dtype=int)
    assert np.array_equal(env.reset(options={"board": own})[0], own * ACTIVE)
    for bad in (10, -1, np.ones((3, 3)), np.zeros((4, 4)), np.full((4, 4), 2)):
        with pytest.raises(InputError):
            env.reset(options={"board": bad})
    assert env.games is not None
    assert np.array_equal(env.games.boards[0], own * ACTIVE)  # the game goes on as it was


def test_pictures() -> None:
    env = gymnasium.make("pinchpoint/Flow-v0", size=(3, 5), p=1.0, render_mode="ansi")
    env.reset(seed=1)
    env.step(7)
    assert env.render() == "ooooo\noo*oo\nooooo"
    env = gymnasium.make("pinchpoint/Flow-v0", size=(3, 5), render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (72, 120, 3)


WRONG = [
    {"mode": "flows"},
    {"axis": "up"},
    *({"size": size} for size in (0, 10**9)),
    *({"p": p} for p in (1.5, (0.9, 0.5))),
    {"observation": "pixels"},
    {"illegal_limit": 0},
    {"render_mode": "human"},
    *({"boards": boards} for boards in ([1, 0], [[2, 0], [1, 1]], [[0, 0], [0, 0]])),
]


@pytest.mark.parametrize("arguments", WRONG, ids=str)
@pytest.mark.parametrize("kind", [PinchpointEnv, PinchpointVectorEnv])
def test_wrong_arguments(kind: type, arguments: dict) -> None:
    with pytest.raises(InputError):
        kind(**arguments)


def test_wrong_calls() -> None:
    env, vector = PinchpointEnv(size=3, p=1.0), PinchpointVectorEnv(2, size=3, p=1.0)
    with pytest.raises(InputError):
        env.step(0)
    with pytest.raises(InputError):
        vector.step([0, 0])
    env.reset()
    vector.reset()
    for action in (-1, 9, 0.5, [0], "a"):
        with pytest.raises(InputError):
            env.step(action)
    for actions in (0, [0], [0, 9], [-1, 0], [0.0, 1.0], [[0, 1]]):
        with pytest.raises(InputError):
            vector.step(actions)
    with pytest.raises(InputError):
        PinchpointVectorEnv(0)


# -- many games ------------------------------------------------------------------------------


def test_the_vector_environment_is_native() -> None:
    env = gymnasium.make_vec("pinchpoint/Network-v0", num_envs=1024, size=20, p=0.8)
    assert isinstance(env, PinchpointVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert seen.shape == (1024, 4, 20, 20)
    assert info["action_mask"].shape == (1024, 400)
    assert env.games is not None
    assert len(env.games) == 1024


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("observation", ["one-hot", "board"])
def test_a_batch_is_as_many_single_ones(name: str, observation: str) -> None:
    """Row by row the same as Gymnasium's loop over single environments, given the same boards."""
    arguments = {"size": (4, 5), "observation": observation, "illegal_limit": 2}
    vector: Any = gymnasium.make_vec(name, num_envs=12, p=(0.7, 1.0), **arguments)
    singles = [gymnasium.make(name, **arguments) for _ in range(12)]
    rng = np.random.default_rng(5)
    _, info = vector.reset(seed=9)
    ended = np.ones(12, dtype=bool)  # so that the loop lays the first boards of the single ones
    vector._ended[:] = True
    finished = cut_short = 0
    for _ in range(80):
        squares = random_actions(info["action_mask"], rng)
        wild = rng.random(12) < 0.1
        squares[wild] = rng.integers(20, size=wild.sum())
        seen, rewards, terminated, truncated, info = vector.step(squares)
        for row, env in enumerate(singles):
            if ended[row]:  # this step has laid it anew
                board = seen[row][0] == 0 if observation == "one-hot" else seen[row] > 0
                expected = (*env.reset(options={"board": board}), 0.0, False, False)
            else:
                single, reward, over, cut, more = env.step(squares[row])
                expected = (single, more, reward, over, cut)
            assert np.array_equal(seen[row], expected[0])
            assert np.array_equal(info["action_mask"][row], expected[1]["action_mask"])
            assert info["illegal"][row] == expected[1]["illegal"]
            assert (rewards[row], terminated[row], truncated[row]) == expected[2:]
        ended = terminated | truncated
        finished, cut_short = finished + terminated.sum(), cut_short + truncated.sum()
    assert finished > 12
    assert cut_short > 0


def test_rows_start_anew_on_boards_of_their_own() -> None:
    def boards(seed: int) -> list:
        env = PinchpointVectorEnv(8, "flow", size=6, p=0.7, observation="board")
        seen, info = env.reset(seed=seed)
        rng, laid = np.random.default_rng(0), [*(seen > 0)]
        for _ in range(200):
            seen, rewards, *_, info = env.step(random_actions(info["action_mask"], rng))
            laid += [*(seen[rewards == 0] > 0)]
        return laid

    once, again, other = boards(1), boards(1), boards(2)
    assert np.array_equal(once, again)
    assert not np.array_equal(once[:8], other[:8])
    assert len(once) > 150  # more than were drawn at first
    assert len({board.tobytes() for board in once}) > 0.9 * len(once)


def test_what_was_returned_stays_as_it_was() -> None:
    env = PinchpointVectorEnv(4, size=4, p=1.0, observation="board")
    seen, info = env.reset(seed=1)
    kept, mask = seen.copy(), info["action_mask"].copy()
    env.step([0, 1, 2, 3])
    assert np.array_equal(seen, kept)
    assert np.array_equal(info["action_mask"], mask)


def test_pictures_of_all_rows() -> None:
    env = gymnasium.make_vec("pinchpoint/Flow-v0", num_envs=3, size=2, p=1.0, render_mode="ansi")
    env.reset(seed=1)
    env.step(np.array([0, 1, 2]))
    assert env.render() == ("*o\noo", "o*\noo", "oo\n*o")


# -- learning --------------------------------------------------------------------------------


def test_maskable_ppo_learns_through_the_public_interface() -> None:
    """sb3-contrib takes the environment as it is, and its masks keep every action legal."""
    from sb3_contrib import MaskablePPO

    boards = np.ones((1, 3, 3), dtype=np.uint8)
    env = gymnasium.make("pinchpoint/Flow-v0", boards=boards)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, seed=1, learning_rate=3e-3)
    model.learn(total_timesteps=256)
    seen, info = env.reset(seed=1)
    moves, terminated = 0, False
    while not terminated:
        action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
        seen, _, terminated, _, info = env.step(int(action))
        assert not info["illegal"]
        moves += 1
    assert 3 <= moves <= 9  # 3 is the fewest, a row; 9 squares there are
