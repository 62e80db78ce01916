"""Everything stops when told: no process outlives its command, however that ends."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinchpoint.cli.main import main
from pinchpoint.game.boards import write_boards
from pinchpoint.game.sampling import sample_boards
from pinchpoint.study.rows import read_rows
from pinchpoint.study.store import NAME

PATIENCE = 300.0  # seconds for processes to start on a machine that does other things too
LONG = 120.0  # seconds, far less than the work that the workers have
CODES = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}


def descendants(pid: int) -> set[int]:
    """Return the processes under this one."""
    found: set[int] = set()
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for word in (task / "children").read_text().split():
                found |= {int(word), *descendants(int(word))}
    return found


def runs(pid: int) -> bool:
    """Return whether a process is there and has not ended; what nobody has waited for has."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def heed_ctrl_c() -> None:
    """Undo what a shell does to the programs that it runs in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def started(words: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command in a folder, and leave nothing of it behind."""
    command = [sys.executable, "-m", "pinchpoint.cli", *words]
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, preexec_fn=heed_ctrl_c
        )
    try:
        yield process
    finally:
        for pid in descendants(process.pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()


def workers_at_work(process: subprocess.Popen[bytes], count: int) -> set[int]:
    """Wait until so many workers have used some processor time; return all processes below."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        children = descendants(process.pid)
        if sum(seconds_used(pid) > 3.0 for pid in children) >= count:
            return children
        time.sleep(0.2)
    raise AssertionError("the workers did not start")


def seconds_used(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


COMMANDS = {
    "solve": "solve boards.npz --mode noodle --time-limit 600 --workers 2",
    "evaluate": "evaluate --agents search:64 --modes noodle --size 40 --p 0.7 --games 600 --jobs 2",
    "reproduce": "reproduce --jobs 2",
}


@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
@pytest.mark.parametrize(
    "command", ["solve", "evaluate", pytest.param("reproduce", marks=pytest.mark.full)]
)
def test_workers_end_with_their_parent(
    command: str, number: signal.Signals, tmp_path: Path
) -> None:
    write_boards(tmp_path / "boards.npz", sample_boards("noodle", 40, 0.75, 4, seed=1))
    with started(COMMANDS[command].split(), tmp_path) as process:
        children = workers_at_work(process, 2)
        process.send_signal(number)  # to the parent alone
        assert process.wait(LONG) == CODES[number]
        ended = time.monotonic()
        while any(map(runs, children)) and time.monotonic() < ended + LONG:
            time.sleep(0.05)
        print(f"\n{command}, {number.name}: all ended in {time.monotonic() - ended:.1f} s")
        assert not [pid for pid in children if runs(pid)], "workers are left"
    assert b"Traceback" not in (tmp_path / "output").read_bytes()
    assert not list(tmp_path.rglob("*.part"))


def games_in(folder: Path) -> int:
    """Return how many games an evaluation has stored."""
    try:
        with closing(sqlite3.connect(f"file:{folder / NAME}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # there is no file, or no table yet
        return 0


def test_an_evaluation_that_is_killed_gives_the_rows_of_one_that_is_not(tmp_path: Path) -> None:
    words = ["evaluate", "--agents", "random", "corehd", "--modes", "network", "--size", "12"]
    words += ["--p", "0.7", "0.8", "--games", "300", "--par-work", "0"]
    assert main([*words, "--jobs", "1", "--out", str(tmp_path / "whole")]) == 0
    whole = read_rows(tmp_path / "whole").drop(columns="seconds")
    assert np.all(whole["steps"] > 0)
    for number in (signal.SIGTERM, signal.SIGKILL):
        out = tmp_path / number.name
        with started([*words, "--jobs", "2", "--out", str(out)], tmp_path) as process:
            end = time.monotonic() + PATIENCE
            while process.poll() is None and time.monotonic() < end:
                if games_in(out):
                    break
                time.sleep(0.005)
            process.send_signal(number)
        assert games_in(out), "nothing was played"
        assert main([*words, "--jobs", "1", "--out", str(out)]) == 0
        again = read_rows(out).drop(columns="seconds")
        pd.testing.assert_frame_equal(whole, again)
