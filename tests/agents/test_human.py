"""The agent that plays what a file holds."""

import json
from pathlib import Path

import numpy as np
import pytest

from pinchpoint.agents.registry import get_agent, play_out
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.record import record_of, write_records
from pinchpoint.game.sampling import sample_boards


def recorded(path: Path, mode: str, boards: Boards) -> Games:
    games = Games(boards, mode)
    games.play_randomly(seed=5)
    write_records(path, [record_of(games, row) for row in range(len(games))])
    return games


def test_it_plays_the_same_games_again_in_any_order(tmp_path: Path) -> None:
    boards = sample_boards("flow", (5, 6), (0.6, 1.0), 12, seed=1)
    played = recorded(tmp_path / "a.jsonl", "flow", boards)
    agent = get_agent(f"human:{tmp_path / 'a.jsonl'}")
    order = np.array([7, 3, 3, 0, 11])
    games = Games(boards[order], "flow")
    play_out(agent, games)
    assert [games.history(i) for i in range(5)] == [played.history(row) for row in order]
    assert agent.act(games).tolist() == [-1] * 5


def test_what_the_file_does_not_hold_is_an_error(tmp_path: Path) -> None:
    boards = sample_boards("flow", 4, 1.0, 1, seed=1)
    played = recorded(tmp_path / "a.jsonl", "flow", boards)
    agent = get_agent(f"human:{tmp_path / 'a.jsonl'}")
    with pytest.raises(InputError):
        agent.act(Games(boards, "network"))
    other = boards.squares.copy()
    other[0, 2, 2] = 0
    with pytest.raises(InputError):
        agent.act(Games(other, "flow"))
    astray = Games(boards, "flow")
    astray.play(next(s for s in range(16) if s != played.history()[0]))
    with pytest.raises(InputError):
        agent.act(astray)


def test_an_unfinished_game_ends_with_its_moves(tmp_path: Path) -> None:
    line = {"mode": "flow", "options": {}, "laid": ["oo", "oo"], "moves": [[0, 0]]}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    games = Games(np.ones((2, 2)), "flow")
    with pytest.raises(InputError):
        play_out(get_agent(f"human:{tmp_path / 'a.jsonl'}"), games)
    assert games.history() == [0]


def test_wrong_files(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        get_agent("human")
    line = {"mode": "flow", "options": {}, "laid": ["oo", "oo"], "moves": [[0, 5]]}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    with pytest.raises(InputError):
        get_agent(f"human:{tmp_path / 'a.jsonl'}")
