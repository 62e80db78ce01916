"""A network and a learner of one's own, from a file outside the package."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pinchpoint.agents.registry import get_agent
from pinchpoint.cli.main import main
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_learner.py"
WORDS = (
    "train --out run --preset paper --mode flow --learner my_learning:MovesLeft --games 3 "
    "--network my_learning:Smooth --network-options steps=2 --sees cuts --channels 4 --depth 1 "
    "--sizes 5 --updates 6 --batch 4 --validation-games 1 --checkpoint-every 3 --threads 1"
)


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the user's file in it."""
    shutil.copy(EXAMPLE, tmp_path / "my_learning.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_learning", raising=False)
    return tmp_path


def test_an_own_network_and_learner_train_resume_and_play(outside: Path, capsys: Any) -> None:
    assert main(WORDS.split()) == 0
    card = json.loads((outside / "run/agent.json").read_text())
    assert (card["config"]["games"], card["config"]["network_options"]) == (3, ["steps=2"])
    assert card["games"] >= 3
    # The command on the card gives the same weights again.
    assert main([*card["command"].split()[1:], "--out", "again"]) == 0
    weights = [(outside / run / "agent.safetensors").read_bytes() for run in ("run", "again")]
    assert weights[0] == weights[1]

    agent: Any = get_agent("weights:run/agent.safetensors:my_learning:Smooth")
    assert agent.net.steps == 2
    assert agent.net.sees == "cuts"
    games = Games(sample_boards("flow", 6, 0.9, 3, seed=1))
    assert np.take_along_axis(games.legal, agent.act(games)[:, None], axis=1).all()

    resume = ["train", "--out", "run", "--resume", "--updates", "8"]
    typed = ["--learner", "my_learning:MovesLeft", "--network", "my_learning:Smooth"]
    assert main([*resume, *typed]) == 0
    assert json.loads((outside / "run/agent.json").read_text())["updates"] == 8


def test_a_file_names_no_code(outside: Path, capsys: Any) -> None:
    assert main(WORDS.split()) == 0
    resume = ["train", "--out", "run", "--resume"]
    assert main([*resume, "--network", "my_learning:Smooth"]) == 2
    assert "say so: --learner" in capsys.readouterr().err
    assert main([*resume, "--learner", "my_learning:MovesLeft"]) == 2
    assert "say so: --network" in capsys.readouterr().err
    with pytest.raises(InputError, match="say so: weights:PATH"):
        get_agent("weights:run/agent.safetensors")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--learner my_learning:Smooth", "must be a subclass of Learner"),
        ("--learner nobody", "there is no learner 'nobody'"),
        ("--network my_learning:MovesLeft", "must be a subclass of QNet"),
        ("--network my_learning:Smooth --network-options width=3", "cannot be made"),
        ("--network raw --network-options steps=2", "takes no options"),
        ("--network raw --sees cuts", "leave out the other"),
    ],
)
def test_what_is_none_is_one_sentence(words: str, message: str, outside: Path, capsys: Any) -> None:
    assert main(["train", "--out", "run", "--preset", "paper", *words.split()]) == 2
    assert message in capsys.readouterr().err
