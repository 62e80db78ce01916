"""The agents in the box: they load, they play, and their cards tell the truth."""

import json
import math
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import tyro
from safetensors.torch import save_file

from pinchpoint import get_agent, load_agent
from pinchpoint.agents.registry import play_out
from pinchpoint.cli.main import main
from pinchpoint.cli.train import Options, default_options
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.topology import from_edges
from pinchpoint.learning.learners.table import config_from_json
from pinchpoint.learning.weights import load_card, shipped
from pinchpoint.study.true_q import TrueQ, load_truth, q_error

Q_LEARNED = ("network-q", "flow-q", "noodle-q")
AGENTS = ("network", "flow", "noodle", *Q_LEARNED)


def own_mode(name: str) -> str:
    return "shatter" if name == "graph" else name.removesuffix("-q")


def test_one_for_each_mode() -> None:
    assert set(shipped()) == {*AGENTS, "graph"}
    for name, path in shipped().items():
        card = load_card(path.with_suffix(".json"))
        assert get_mode(card.mode, **card.options) == get_mode(own_mode(name))
        assert path.stat().st_size <= 3_000_000
        assert config_from_json(card.config).mode == own_mode(name)
        assert card.command
        assert card.curve


@pytest.mark.parametrize("name", Q_LEARNED)
def test_q_learned_agents_see_raw_boards(name: str) -> None:
    agent = load_agent(name)
    assert agent.net.sees == "states"
    assert agent.card.config["learner"] == "hindsight"


@pytest.mark.parametrize("name", [*AGENTS, "graph"])
def test_the_command_on_the_card_gives_its_settings(name: str) -> None:
    agent = load_agent(name)
    assert "--init" not in agent.card.command
    words = [*agent.card.command.split()[2:], "--out", "folder"]
    options = tyro.cli(Options, args=words, default=default_options(words))
    assert options.config == config_from_json(agent.card.config)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("mode", MODES)
def test_they_finish_every_game_on_any_rectangle(name: str, mode: str) -> None:
    agent = load_agent(name)
    for size in ((2, 2), (4, 9), (12, 12)):
        games = Games(sample_boards(mode, size, 0.9, 4, seed=8), mode)
        q = agent.q_values(games)
        assert np.array_equal(np.isfinite(q), games.legal)
        assert np.array_equal(agent.act(games), q.argmax(1))
        play_out(agent, games)
        assert games.done.all()


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("more", [1, pytest.param(10, marks=pytest.mark.full)])
@pytest.mark.parametrize(("size", "p", "count"), [(10, 0.7, 60), (10, 0.9, 60), (20, 0.65, 12)])
def test_the_card_tells_the_truth(name: str, size: int, p: float, count: int, more: int) -> None:
    """A fresh sample has the mean of the card within four standard errors."""
    agent, count = load_agent(name), more * count
    [row] = [r for r in agent.card.table if r["size"] == size and r["p"] == p]
    games = Games(sample_boards(own_mode(name), size, p, count, seed=555), own_mode(name))
    play_out(agent, games)
    moves = games.move_counts
    error = math.sqrt(moves.var() / count + row["sd"] ** 2 / row["games"])
    assert abs(moves.mean() - row["mean"]) < 4 * error


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("size", [40, pytest.param(80, marks=pytest.mark.full)])
def test_games_on_large_boards_end_and_are_legal(name: str, size: int) -> None:
    mode = own_mode(name)
    p = 0.6 if mode == "noodle" else 0.8
    games = Games(sample_boards(mode, size, p, 1, seed=9), mode)
    play_out(load_agent(name), games)  # the engine refuses illegal moves
    assert games.done.all()
    moves = games.history(0)
    assert len({*moves}) == len(moves)
    replayed = Games(games.laid.reshape(1, size, size), mode)
    for square in moves:
        assert replayed.legal[0, square]
        replayed.play(int(square))
    assert replayed.done.all()


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("network-q", 0.5),
        ("flow-q", 0.3),
        ("noodle-q", 0.3),
        ("network", 0.4),
        ("flow", 0.25),
        ("noodle", 0.25),
    ],
)
def test_q_is_near_the_exact_values(name: str, most: float) -> None:
    """On 40 solved positions, so that the error may be a little above what all 200 have."""
    truth = load_truth(own_mode(name))
    some = np.arange(0, len(truth.q), 5)
    found = q_error(load_agent(name), TrueQ(truth.games.take(some), truth.q[some]))
    assert found.positions == 40
    assert found.error < 1.2 * most
    assert abs(found.bias) < most
    assert found.regret[0] < found.regret[1]


def test_they_are_agents_like_any_other(tmp_path: Path) -> None:
    games = Games(sample_boards("flow", 8, 0.8, 3, seed=1), "flow")
    by_name = get_agent("flow").act(games)
    copy = tmp_path / "mine.safetensors"
    shutil.copy(shipped()["flow"], copy)
    shutil.copy(shipped()["flow"].with_suffix(".json"), copy.with_suffix(".json"))
    assert np.array_equal(get_agent(f"weights:{copy}").act(games), by_name)
    assert np.array_equal(load_agent(copy).act(games), by_name)
    games.play(by_name)
    over = Games(np.zeros((2, 3, 3), dtype=np.uint8), "flow")
    assert load_agent("flow").act(over).tolist() == [-1, -1]


def test_the_list_of_agents(capsys: Any) -> None:
    assert main(["agents"]) == 0
    printed = capsys.readouterr().out
    for name in AGENTS:
        assert f"{name}: trained on {own_mode(name)}" in printed
    assert main(["agents", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    cards = {line["name"]: line["card"] for line in lines if line["card"]}
    assert cards["flow"] == asdict(load_agent("flow").card)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError):
        load_agent("chess")


def copied(tmp_path: Path) -> Path:
    path = tmp_path / "agent.safetensors"
    shutil.copy(shipped()["flow"], path)
    shutil.copy(shipped()["flow"].with_suffix(".json"), path.with_suffix(".json"))
    return path


def test_damaged_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = copied(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError):
        load_agent(path)
    path.write_bytes(b"PK\x03\x04 this is something else")
    with pytest.raises(InputError):
        load_agent(path)
    save_file({"stem.weight": torch.zeros(3, 3)}, path)
    with pytest.raises(InputError):
        load_agent(path)
    path.unlink()
    with pytest.raises(InputError):
        load_agent(path)


def test_a_card_that_is_none_is_refused(tmp_path: Path) -> None:
    path = copied(tmp_path)
    path.with_suffix(".json").write_text("[]")
    with pytest.raises(InputError):
        load_agent(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(InputError):
        load_agent(path)


def test_a_card_has_a_leak_or_none_at_all(tmp_path: Path) -> None:
    path = copied(tmp_path)
    card = json.loads(path.with_suffix(".json").read_text())
    games = Games(sample_boards("flow", 8, 0.8, 4, seed=3), "flow")
    q = []
    for leak in (0.0, 0.5):
        card["config"]["leak"] = leak
        path.with_suffix(".json").write_text(json.dumps(card))
        q.append(load_agent(path).q_values(games))
    assert not np.allclose(*q)
    for leak in (-0.1, 2, "much"):
        card["config"]["leak"] = leak
        path.with_suffix(".json").write_text(json.dumps(card))
        with pytest.raises(InputError):
            load_agent(path)


def test_graphs_are_not_for_them() -> None:
    ring = from_edges([(i, (i + 1) % 6) for i in range(6)])
    games = Games(np.ones((1, 6), dtype=np.uint8), "network", ring)
    with pytest.raises(InputError):
        load_agent("network").act(games)
