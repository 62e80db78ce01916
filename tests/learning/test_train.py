"""Whole runs: a game small enough to solve, killed runs, damaged files, several processes."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tyro
from forked import started
from safetensors.torch import load_file

from pinchpoint.cli.main import main
from pinchpoint.cli.train import Options, default_options
from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.plans import plan_lengths
from pinchpoint.game.sampling import sample_boards
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.learners.bellman import BellmanConfig
from pinchpoint.learning.learners.table import config_from_json, with_learner
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.presets import FAST, PAPER, PRESETS, Q, command_of
from pinchpoint.learning.self_play import greedy_plans
from pinchpoint.learning.train import Run, TrainingFailed, train_agent
from pinchpoint.solvers.dispatch import solve

# The memory is so small that it is soon full, and each experience is used so seldom that games are
# played between the updates, before and after every checkpoint.
TINY = replace(
    FAST, channels=8, depth=2, sizes=(4, 5), updates=(30, 30), batch=16, replay=60, boards=8,
    tries=2, swaps=20, replay_ratio=4.0, validate_every=20, validation_games=4, checkpoint_every=10,
    threads=1, device="cpu",
)  # fmt: skip
TINY_Q = replace(
    Q, channels=8, depth=2, sizes=(4,), updates=(40,), batch=16, replay=60, boards=8, swaps=20,
    replay_ratio=4.0, validate_every=20, validation_games=4, checkpoint_every=10, threads=1,
    device="cpu",
)  # fmt: skip
TINY_PAPER = replace(
    PAPER, channels=8, depth=2, sizes=(4,), updates=(60,), batch=16, replay=500, rollout_every=10,
    target_every=15, anneal=40, validate_every=20, validation_games=4, checkpoint_every=10,
    threads=1, device="cpu",
)  # fmt: skip


def all_boards(size: int, mode: str) -> Games:
    """Every board of that size that is not over when laid."""
    numbers = np.arange(2 ** (size * size))[:, None] >> np.arange(size * size) & 1
    boards = numbers.reshape(-1, size, size)
    return Games(boards[~Games(boards, mode).done], mode)


@cache
def solved_boards(size: int, mode: str) -> tuple[Games, np.ndarray]:
    """Every board of that size, and the fewest moves that end it."""
    games = all_boards(size, mode)
    return games, fewest_moves(games)


def fewest_moves(games: Games) -> np.ndarray:
    """The optimum of each game by trying every move, each position once."""
    known: dict[tuple[bytes, int], int] = {}

    def solve(game: Games) -> int:
        if game.done[0]:
            return 0
        key = (game.status.tobytes(), int(game.memory[0]))
        if key not in known:
            costs = []
            for square in np.flatnonzero(game.legal[0]):
                after = game.copy()
                after.play(int(square))
                costs.append(1 + solve(after))
            known[key] = min(costs)
        return known[key]

    return np.array([solve(games.take([row])) for row in range(len(games))])


def near_optimal(net: QNet, size: int, mode: str) -> bool:
    """Whether greedy play has come 85 % of the way from random play to the optimum."""
    games, fewest = solved_boards(size, mode)
    played = plan_lengths(greedy_plans(net, games)).mean()
    at_random = games.copy()
    at_random.play_randomly(seed=1)
    optimum = fewest.mean()
    return bool(played < optimum + 0.15 * (at_random.move_counts.mean() - optimum))


def test_the_learner_finds_optimal_play_on_every_board_of_3_by_3(tmp_path: Path) -> None:
    mode = "network"  # the hardest of the three
    config = replace(
        FAST, mode=mode, channels=16, depth=2, sizes=(3,), updates=(260,), batch=64,
        learning_rate=0.02, boards=128, tries=2, swaps=20, p_low=0.3, replay=20_000,
        replay_ratio=8.0, validate_every=10_000, checkpoint_every=10_000, threads=1, device="cpu",
        seed=1,
    )  # fmt: skip
    run = train_agent(config, get_mode(mode), tmp_path / "run")
    games, fewest = solved_boards(3, mode)
    played = plan_lengths(greedy_plans(run.learner.player, games))
    assert np.array_equal(played, fewest)


SMALL_Q = replace(
    Q, channels=16, depth=2, sizes=(3,), updates=(300,), batch=64, p_low=0.3, anneal=100, swaps=30,
    replay_ratio=8.0, learning_rate=0.02, validate_every=10_000, checkpoint_every=10_000, threads=1,
    device="cpu", seed=1,
)  # fmt: skip


@pytest.mark.parametrize(("mode", "updates"), [("network", 500), ("flow", 150)])
def test_q_learning_finds_optimal_play_on_every_board_of_3_by_3(
    mode: str, updates: int, tmp_path: Path
) -> None:
    config = replace(SMALL_Q, mode=mode, updates=(updates,))
    run = train_agent(config, get_mode(mode), tmp_path / "run")
    games, fewest = solved_boards(3, mode)
    played = plan_lengths(greedy_plans(run.learner.player, games))
    assert np.array_equal(played, fewest)


def test_q_learning_finds_optimal_play_in_flow_on_5_by_5(tmp_path: Path) -> None:
    mode = get_mode("flow")
    config = replace(SMALL_Q, mode="flow", sizes=(5,), updates=(700,))
    run = train_agent(config, mode, tmp_path / "run")
    boards = [
        sample_boards(mode, 5, p, 200, seed=990_001).squares for p in (0.5, 0.6, 0.7, 0.8, 0.9)
    ]
    games = Games(np.concatenate(boards), mode)
    played = plan_lengths(greedy_plans(run.learner.player, games))
    assert np.array_equal(played, [each.value for each in solve(games)])


def test_bellman_learns_too(tmp_path: Path) -> None:
    config = replace(
        TINY_PAPER, mode="flow", sizes=(3,), updates=(500,), batch=64, replay=5000, anneal=300,
        rollout_every=10, target_every=25, channels=16, learning_rate=3e-3, validate_every=10**6,
        checkpoint_every=10**6,
    )  # fmt: skip
    run = train_agent(config, get_mode("flow"), tmp_path / "run")
    assert near_optimal(run.net, 3, "flow")


def arguments(config: TrainConfig, out: Path) -> list[str]:
    """The command line of a config: every field is an option."""
    words = ["train", "--out", str(out), "--preset", "paper", "--learner", config.learner]
    defaults = with_learner(PAPER, config.learner).to_json()
    for name, value in config.to_json().items():
        if value == defaults[name]:
            continue
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [flag]
        else:
            words += [flag, *map(str, value)] if isinstance(value, tuple) else [flag, str(value)]
    return words


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[TrainConfig], Run]:
    """Return a function that trains to the end, once for all tests that ask for a config."""

    @cache
    def train(config: TrainConfig) -> Run:
        return train_agent(config, get_mode(config.mode), tmp_path_factory.mktemp("whole"))

    return train


def weights(run: Run) -> dict[str, Any]:
    return run.learner.player.state_dict()


@pytest.mark.parametrize("config", [TINY, TINY_Q, TINY_PAPER], ids=["fast", "q", "paper"])
def test_a_run_killed_by_sigkill_goes_on_as_if_nothing_had_happened(
    config: TrainConfig, whole: Callable[[TrainConfig], Run], tmp_path: Path
) -> None:
    expected = weights(whole(config))
    out = tmp_path / "killed"
    process = started(arguments(config, out), tmp_path)
    deadline = time.monotonic() + 300
    while not list(out.glob("checkpoint-0-*.json")) and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL, "it was over before"
    assert list(out.glob("checkpoint-0-*.json")), "the run wrote no checkpoint"
    assert main(["train", "--out", str(out), "--resume"]) == 0
    resumed = load_file(out / "agent.safetensors")
    assert resumed.keys() == expected.keys()
    for name, tensor in expected.items():
        assert np.array_equal(tensor.numpy(), resumed[name].numpy()), name


def test_earlier_sizes_are_revisited_now_and_then(tmp_path: Path) -> None:
    config = replace(TINY, updates=(20, 80), revisit=0.25)
    run = train_agent(config, get_mode("network"), tmp_path / "some")
    assert sum(run.used.values()) == 100 * config.batch
    assert 20 + 5 < run.used[4] / config.batch < 20 + 40  # 20 of the 80 are expected
    never = train_agent(replace(config, revisit=0.0), get_mode("network"), tmp_path / "never")
    assert never.used == {4: 20 * config.batch, 5: 80 * config.batch}
    assert list(never.replays) == [5]


def test_a_damaged_checkpoint_gives_way_to_the_one_before(
    whole: Callable[[TrainConfig], Run], tmp_path: Path
) -> None:
    out = tmp_path / "damaged"
    shutil.copytree(whole(TINY).out, out)
    newest = sorted(out.glob("checkpoint-0-*.safetensors"))[-1]
    blob = bytearray(newest.read_bytes())
    blob[len(blob) // 2] ^= 1
    newest.write_bytes(blob)
    steps: list[int] = []
    with pytest.warns(PinchpointWarning, match="damaged"):
        run = train_agent(
            TINY, get_mode("network"), out, resume=True, progress=lambda run: steps.append(run.step)
        )
    assert steps == list(range(51, 61))  # those after the checkpoint before
    expected = weights(whole(TINY))
    for name, tensor in weights(run).items():
        assert np.array_equal(tensor.numpy(), expected[name].numpy()), name


def test_not_a_number_stops_the_run_and_keeps_the_last_good_weights(tmp_path: Path) -> None:
    out = tmp_path / "run"
    config = replace(TINY, learning_rate=1e30, clip=0.0, checkpoint_every=1)
    with pytest.raises(TrainingFailed, match="the loss is"):
        train_agent(config, get_mode("network"), out)
    kept = load_file(out / "agent.safetensors")
    assert list(out.glob("checkpoint-0-*.json"))
    assert kept
    assert main(arguments(config, tmp_path / "again")) == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_saves_and_ends_cleanly(number: signal.Signals, code: int, tmp_path: Path) -> None:
    out = tmp_path / "run"
    config = replace(TINY, updates=(30, 10**6), checkpoint_every=10**6)
    process = started(arguments(config, out), tmp_path)
    deadline = time.monotonic() + 300
    while not (out / "log.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.pid is not None
    os.kill(process.pid, number)
    process.join(60)
    printed, errors = ((tmp_path / name).read_text() for name in ("stdout", "stderr"))
    assert process.exitcode == code, errors
    assert "go on with" in errors
    assert "Traceback" not in errors
    assert "the agent is" in printed
    assert list(out.glob("checkpoint-0-*.json"))


def test_two_processes_train_one_network(tmp_path: Path) -> None:
    out = tmp_path / "both"
    words = arguments(replace(TINY, updates=(10, 10)), out)
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    finished = subprocess.run(
        [*command, "-m", "pinchpoint.cli", *words], env=environment, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr[-2000:]
    states = [load_file(sorted(out.glob(f"checkpoint-{r}-*.safetensors"))[-1]) for r in (0, 1)]
    for name in (name for name in states[0] if name.startswith("net.")):
        assert np.array_equal(states[0][name].numpy(), states[1][name].numpy()), name
    # They have played different boards.
    boards = [{row.tobytes() for row in s["replay.5.board"].numpy()} for s in states]
    assert len(boards[0] & boards[1]) < 0.5 * len(boards[0])


@pytest.mark.parametrize("config", [TINY, TINY_Q, TINY_PAPER], ids=["fast", "q", "paper"])
def test_no_board_is_played_by_two_processes(
    config: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    for rank in range(3):
        run = Run(config, get_mode("network"), tmp_path)
        run.rank, run.world = rank, 3
        play, size = run.learner.play, run.learner.round_boards

        def note(
            step: int, n: int, start: int, rng: Any, play: Any = play, size: int = size
        ) -> Any:
            played.extend(range(start, start + size))
            return play(step, n, start, rng)

        monkeypatch.setattr(run.learner, "play", note)
        for _ in range(4):
            run._play(4)
        assert run.boards == 4 * size
    assert len(set(played)) == len(played)
    assert sorted(played) == list(range(len(played)))


def test_the_log_and_the_card_tell_the_run(whole: Callable[[TrainConfig], Run]) -> None:
    out = whole(TINY).out
    rows = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == [20, 40, 60]
    assert [row["size"] for row in rows] == [4, 5, 5]
    assert all(set(row["validation"]) == {"0.6", "0.7", "0.8", "0.9"} for row in rows)
    card = json.loads((out / "agent.json").read_text())
    assert config_from_json(card["config"]) == TINY
    assert card["mode"] == "network"
    assert card["updates"] == 60
    assert card["command"] == command_of(TINY)
    assert card["curve"] == rows


HINDSIGHT: Any = with_learner(FAST, "hindsight")


@pytest.mark.parametrize(
    "config",
    [
        FAST,
        replace(FAST, mode="noodle", rule=("K=3", "inclusive=true"), symmetries=False, seed=4),
        replace(PAPER, sizes=(5, 6), updates=(10, 20), learning_rate=3e-4, huber=True),
        replace(HINDSIGHT, network="raw", n_step=3, boards=16),
    ],
)
def test_the_command_of_a_config_gives_that_config(config: TrainConfig) -> None:
    words = [*command_of(config).split()[2:], "--out", "folder"]
    read = tyro.cli(Options, args=words, default=default_options(words))
    assert read.config == config


@pytest.mark.parametrize("preset", PRESETS.values())
def test_a_learner_starts_from_its_own_preset_and_has_its_own_options(
    preset: TrainConfig, capsys: Any
) -> None:
    words = ["--learner", preset.learner]
    assert default_options(words).config == preset
    assert main(["train", *words, "--help"]) == 0
    options = set(re.findall(r"--(?:no-)?([a-z-]+)", capsys.readouterr().out))
    known = {name.replace("_", "-") for each in PRESETS.values() for name in each.to_json()}
    assert options & known == {name.replace("_", "-") for name in preset.to_json()}


def test_another_learner_keeps_the_settings_that_both_have() -> None:
    config: Any = with_learner(Q, "bellman")
    assert (config.learner, config.n_step, config.channels) == ("bellman", 5, 32)
    assert config.rollout_every == PAPER.rollout_every


def test_cards_of_old_have_the_settings_of_all_learners() -> None:
    everything = {k: v for each in PRESETS.values() for k, v in each.to_json().items()}
    old = {**everything, **Q.to_json(), "network": "raw"}
    del old["sees"], old["network_options"]
    assert config_from_json(old) == Q
    with pytest.raises(InputError, match="unknown settings: speed"):
        config_from_json({**old, "speed": 3})


def test_the_papers_table_is_the_default() -> None:
    config = BellmanConfig()
    assert (config.depth, config.channels, config.replay) == (10, 64, 10**6)
    assert (config.rollout_every, config.rollout_games) == (1000, 10)
    assert (config.epsilon_start, config.epsilon_end, config.anneal) == (1.0, 0.05, 10**5)
    assert (config.batch, config.updates, config.target_every) == (128, (10**6,), 1000)
    assert (config.sizes, config.p_low, config.p_high) == ((20,), 0.5, 1.0)
    assert (config.learner, config.network, config.sees) == ("bellman", "plain", "states")
    assert (config.n_step, config.huber, config.symmetries, config.clip) == (1, False, False, 0.0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mode", "chess"], "there is no mode 'chess'"),
        (["--preset", "quick"], "choose from paper, fast"),
        (["--network", "other"], "choose from plain, residual"),
        (["--sizes", "10", "20", "--updates", "5"], "must be as many"),
        (["--batch", "0"], "batch is 0"),
        (["--p-low", "0.9", "--p-high", "0.5"], "no range"),
        (["--seed", "-1"], "the seed is -1"),
        (["--device", "tpu9"], "there is no device"),
        (["--init", "nowhere.safetensors"], "cannot read"),
        (["--resume"], "holds no run to resume"),
    ],
)
def test_bad_input(words: list[str], message: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["train", "--out", str(tmp_path / "run"), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    config = replace(TINY, updates=(10, 0))
    train_agent(config, get_mode("network"), tmp_path)
    with pytest.raises(InputError, match="--resume"):
        train_agent(config, get_mode("network"), tmp_path)


def test_the_curriculum_changes_size(tmp_path: Path) -> None:
    run = Run(TINY, get_mode("network"), tmp_path)
    assert [run.size(step) for step in (0, 29, 30, 59, 60)] == [4, 4, 5, 5, 5]
