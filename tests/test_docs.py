"""Every command and every block of README.md and the documentation runs.

Each page runs in a folder of its own, from top to bottom: the commands of its `sh` blocks, those in
its text (`pinchpoint solve board.txt --mode flow`), and its `python` blocks. Commands run as they
are written, with the options of SMALLER behind them, so that they are quick.
"""

import os
import re
import shlex
import shutil
import signal
import tomllib
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pytest

import pinchpoint.paper.experiments
import pinchpoint.paper.figures.gallery
from pinchpoint.cli.main import COMMANDS, main
from pinchpoint.game.boards import write_boards

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON_ELSEWHERE = {"README.md", "objectives.md"}  # in test_readme.py, tests/game/test_modes.py

# Options behind those of the page: the last one counts. They make a command quick; none of them
# may stand in for something that the page shows, such as a list of agents or densities.
SMALLER = {
    "compare": "--size 6 --games 2 --jobs 1",
    "evaluate": "--size 6 --games 2 --par-work 0.1 --jobs 1",
    "reproduce": "--jobs 1",
    "serve": "--port 0 --workers 1",
    "train": "--sizes 4 --updates 1 --channels 4 --depth 1 --replay 20 --batch 4"
    " --validation-games 1 --threads 1",
}
SMALLER_ROUNDS = {  # of training, by preset: learners have settings of their own
    "paper": "--rollout-games 2",
    "graph": "--boards 16",
    "fast": "--boards 16 --tries 1 --swaps 0",
}


def given_board(folder: Path) -> None:
    write_boards(folder / "board.txt", [np.ones((3, 3))])


def given_games(folder: Path) -> None:
    shutil.copy(ROOT / "tests" / "golden" / "games.jsonl", folder)


GIVEN = {  # files a page takes for granted
    "README.md": given_board,
    "evaluation.md": given_games,
}

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SPAN = re.compile(r"`(pinchpoint\s[^`]+)`")


def steps(page: str) -> Iterator[tuple[str, str]]:
    """Yield (language, text) of the blocks of a page, and ("sh", command) of commands in text."""
    end = 0
    for block in FENCE.finditer(page):
        yield from commands_in_text(page[end : block.start()])
        yield block[1], block[2]
        end = block.end()
    yield from commands_in_text(page[end:])


def commands_in_text(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands with arguments; `pinchpoint play` alone names a command, if it is one."""
    for command in SPAN.findall(text):
        _, name, *arguments = command.split()
        assert name in (*COMMANDS, "COMMAND"), command
        if name in COMMANDS and arguments:
            yield "sh", " ".join(command.split())


@pytest.fixture
def small_world(tmp_path: Path, monkeypatch) -> Iterator[Path]:
    """A folder to work in, its own data folder, and a reproduction of the smallest scale."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    tiny = replace(
        pinchpoint.paper.experiments.QUICK,
        games=2,
        ps=(0.7, 0.8),
        par_work=0.1,
        search="search:2",
        search_games=1,
        scaling={"flow": {4: 2}},
        probe_games=1,
        size=6,
    )
    monkeypatch.setattr(pinchpoint.paper.experiments, "QUICK", tiny)
    monkeypatch.setattr(pinchpoint.paper.experiments, "FULL", tiny)
    # Pictures take most of the time, and have tests of their own.
    monkeypatch.setattr(pinchpoint.paper.figures.gallery, "draw_all", lambda *_: None)
    monkeypatch.setattr("pinchpoint.cli.bench.SETTINGS", ((6, 20),))
    monkeypatch.setattr(webbrowser, "open", play_and_stop)
    # Whoever starts the tests in the background may have switched Ctrl-C off for them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield tmp_path
    signal.signal(signal.SIGINT, before)


def play_and_stop(url: str) -> None:
    """Be the browser that `serve --open` opens: look at the page, play a game, press Ctrl-C."""
    try:
        transport = httpx.HTTPTransport(retries=9)  # a loaded machine may take long to start
        with httpx.Client(base_url=url, transport=transport, timeout=60) as client:
            assert "<html" in client.get("/").text
            assert client.post("/api/me/consent", json={"agree": True}).status_code == 201
            board = {"kind": "random", "mode": "flow", "height": 5, "width": 5, "p": 0.8, "seed": 1}
            game = client.post("/api/games", json={"board": board}).json()
            while not game["done"]:
                move = {"turn": game["turn"], "ply": game["ply"]}
                move["square"] = game["status"].index("1")
                game = client.post(f"/api/games/{game['id']}/moves", json=move).json()
    finally:
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_and_command_runs(page: Path, small_world: Path, capsys) -> None:
    names: dict[str, object] = {}
    printed = ""
    GIVEN.get(page.name, lambda folder: None)(small_world)
    for language, text in steps(page.read_text(encoding="utf-8")):
        if language == "sh":
            for line in text.replace("\\\n", " ").splitlines():
                run_line(line, capsys)
        elif language == "python" and page.name not in PYTHON_ELSEWHERE:
            capsys.readouterr()  # what commands printed before
            exec(compile(text, page.name, "exec"), names)
            printed = capsys.readouterr().out
        elif language == "text":
            assert printed == text  # what the block before it prints
        else:
            assert language in ("", "python")
            assert not re.search(r"^(pinchpoint|make|pip|cd) ", text, re.M), "commands are sh"


def run_line(line: str, capsys) -> None:
    """Run one line of a block; every program that a page names is known here."""
    program, *arguments = shlex.split(line, comments=True)
    if program == "pinchpoint":
        run_command(line, arguments, capsys)
    elif program == "cd":
        os.chdir(arguments[0])
    elif program == "make":
        [target] = arguments
        assert re.search(rf"^\.PHONY:.* {target}\b", (ROOT / "Makefile").read_text(), re.M), line
    elif program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        [name] = re.fullmatch(r"pinchpoint\[(\w+)\]", arguments[-1]).groups()
        assert name in extras["optional-dependencies"], line
    else:
        pytest.fail(f"nobody knows how to test {line!r}")


def run_command(line: str, arguments: list[str], capsys) -> None:
    command = arguments[0]
    capsys.readouterr()
    smaller = SMALLER.get(command, "").split()
    if command == "train" and "--learner" not in arguments:
        preset = arguments[arguments.index("--preset") + 1] if "--preset" in arguments else "fast"
        smaller += SMALLER_ROUNDS[preset].split()
    code = main([*arguments, *smaller])
    output = capsys.readouterr()
    if command == "serve":
        assert "Pinchpoint is served on http://127.0.0.1:" in output.err
        assert code == 130, output.err  # the browser pressed Ctrl-C, and nothing else ended it
    else:
        assert code == 0, f"{line}: {output.err}"


def test_every_command_is_shown_somewhere() -> None:
    """A command that no page shows would not be run here."""
    shown = {
        word
        for page in PAGES
        for language, text in steps(page.read_text(encoding="utf-8"))
        if language == "sh"
        for word in re.findall(r"^pinchpoint (\w+)", text, re.M)
    }
    assert shown == set(COMMANDS)
