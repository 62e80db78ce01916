"""The terminal game: what the keys do, and a real one played through a pseudo-terminal."""

import itertools
import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pinchpoint.cli.terminal import Table, _of_256, _window
from pinchpoint.game.boards import make_boards
from pinchpoint.game.record import read_records, replay

BOARD = make_boards([[1, 1, 0], [1, 1, 1]], "flow")


def table() -> Table:
    return Table(itertools.repeat(replace(BOARD, seed=4)))


def press(game: Table, keys: str) -> Table:
    for key in keys.split():
        game.press(key)
    return game


def test_the_cursor_stays_on_the_board() -> None:
    game = table()
    assert (game.row, game.col) == (1, 1)
    press(game, "up up up left left left left")
    assert (game.row, game.col) == (0, 0)
    press(game, "down down right right right")
    assert (game.row, game.col) == (1, 2)


def test_attack_undo_redo() -> None:
    game = press(table(), "space")
    assert game.games.history() == [4]
    assert game.headline() == "flow: 1 moves, 3 squares active"
    press(game, "u")
    assert game.games.history() == []
    press(game, "r r")
    assert game.games.history() == [4]
    press(game, "space")
    assert game.message == "square (1, 1) is attacked; only active squares can be attacked"
    press(game, "up x")
    assert game.message == ""


def test_finished_games_are_kept_when_left() -> None:
    game = press(table(), "space n")  # left unfinished
    assert game.records == []
    press(game, "space left space")
    assert game.headline() == "flow: over after 2 moves"
    press(game, "up space")
    assert "the game is over" in game.message
    press(game, "u r n up left space down right space q")
    assert not game.open
    assert [record.moves for record in game.records] == [[[1, 1], [1, 0]], [[0, 0], [1, 1]]]
    assert {(record.agent, record.boards.seed) for record in game.records} == {("human", 4)}


def test_large_boards_are_shown_around_the_cursor() -> None:
    assert _window(3, 10, 20) == range(10)
    assert _window(0, 100, 20) == range(20)
    assert _window(50, 100, 20) == range(40, 60)
    assert _window(99, 100, 20) == range(80, 100)


def test_colours_of_terminals() -> None:
    assert _of_256("#000000") == 16
    assert _of_256("#ff0000") == 196
    assert _of_256("#26262b") == 235  # a dark grey, to be seen on black


class Screen:
    """A program in a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pinchpoint.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def wait_for(self, text: str, seconds: float = 120) -> None:
        """Read until the text is on the screen; only what is new counts."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} never came: {self.seen!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    raw = os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    assert text in self.seen, self.seen
                    return
                self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]", "", raw)
        self.seen = self.seen.split(text, 1)[1]

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_game_in_a_real_terminal(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    (tmp_path / "board.txt").write_text("oo#\nooo\n")
    given = ["--boards", str(tmp_path / "board.txt"), "--mode", "flow", "--out", str(out)]
    screen = Screen("play", *given)
    screen.wait_for("flow: 0 moves, 5 squares active")
    screen.type(b"  ")  # the same square twice
    screen.wait_for("square (1, 1) is attacked; only active squares can be attacked")
    screen.type(b"\x1bOD q")  # to the left, as terminals send it, attack and quit
    screen.wait_for(f"wrote 1 game to {out}")
    assert screen.process.wait(30) == 0
    (record,) = read_records(out)
    assert replay(record).history() == [4, 3]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_that_goes_away_ends_the_game(tmp_path: Path) -> None:
    screen = Screen("play", "--mode", "flow", "--size", "3", "--out", str(tmp_path / "games.jsonl"))
    screen.wait_for("flow: 0 moves")
    os.close(screen.master)
    screen.process.wait(30)
