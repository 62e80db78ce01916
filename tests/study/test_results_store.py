"""The store of an evaluation: what went in comes out, whatever stops the program."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pinchpoint.errors import InputError
from pinchpoint.solvers.solution import BestPlay
from pinchpoint.study.store import FORMAT, NAME, Played, Store

GAMES = [Played((3, 1, 2), 7, 0.25), Played((), 0, 0.0)]
PARS = {"a": BestPlay((1, 2), 2, 1, 0.5), "b": BestPlay((4,), 0.75, 0.75, 0.1)}


def test_what_went_in_comes_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "folder")
    assert store.games("me", ["a", "b"], [0, 1]) == [None, None]
    assert store.pars(["a"], 1.0) == {}
    assert not list(tmp_path.iterdir())  # looking makes nothing
    store.add_games("me", ["a", "b"], [0, 1], GAMES)
    store.add_pars(PARS, 1.0)
    again = Store(tmp_path / "new" / "folder")
    assert again.games("me", ["b", "c", "a"], [1, 1, 0]) == [GAMES[1], None, GAMES[0]]
    assert again.games("you", ["a"], [0]) == again.games("me", ["a"], [1]) == [None]
    assert again.pars(["b", "a", "c"], 1.0) == PARS
    assert again.pars(["a"], 2.0) == {}  # with other work it is another par
    assert type(again.pars(["a"], 1.0)["a"].value) is int
    assert [path.name for path in again.folder.iterdir()] == [NAME]


def test_the_first_result_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add_pars(PARS, 1.0)
    store.add_pars({"a": BestPlay((9,), 1, 1, 0.1)}, 1.0)
    assert store.pars(["a"], 1.0)["a"] == PARS["a"]


def test_several_programs_write_to_one_folder(tmp_path: Path) -> None:
    def write(number: int) -> None:
        store = Store(tmp_path)
        for batch in range(10):
            boards = [f"{number} {batch} {i}" for i in range(5)]
            store.add_games("me", boards, range(5), [GAMES[0]] * 5)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    with sqlite3.connect(tmp_path / NAME) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (4 * 10 * 5,)


WRITER = """
import itertools, sys
from pinchpoint.study.store import Played, Store
store = Store(sys.argv[1])
for batch in itertools.count():
    boards = [f"{batch} {i}" for i in range(50)]
    store.add_games("me", boards, range(50), [Played((1, 2, 3), 4, 0.5)] * 50)
    print(batch, flush=True)
"""


@pytest.mark.parametrize("batches", [0, 1, 7])
def test_a_killed_program_leaves_whole_batches(tmp_path: Path, batches: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        for _ in range(batches):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    store = Store(tmp_path)
    whole = 0
    while all(store.games("me", [f"{whole} {i}" for i in range(50)], range(50))):
        whole += 1
    assert whole >= batches
    assert store.games("me", [f"{whole} {i}" for i in range(50)], range(50)) == [None] * 50
    store.add_games("me", ["next"], [0], GAMES[:1])
    assert store.games("me", ["next"], [0]) == GAMES[:1]


def test_a_file_without_tables_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()  # killed before the first batch
    store = Store(tmp_path)
    assert store.pars(["a"], 1.0) == {}
    store.add_pars(PARS, 1.0)
    assert Store(tmp_path).pars(["a", "b"], 1.0) == PARS


@pytest.mark.parametrize("kept", ["parts", "par.jsonl", "evaluation.json"])
def test_a_folder_of_an_earlier_version_is_refused(tmp_path: Path, kept: str) -> None:
    (tmp_path / kept).mkdir()
    with pytest.raises(InputError):
        Store(tmp_path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).add_pars(PARS, 1.0)
    change(tmp_path, f"UPDATE about SET format = {FORMAT + 1}, version = '0.0.7'")
    with pytest.raises(InputError):
        Store(tmp_path)


def change(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / NAME) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    "column",
    ["moves = 'x'", "moves = x'010203'", "moves = x'ffffffff'", "moves = NULL", "seconds = -1",
     "seconds = 9e999", "seconds = NULL"],
)  # fmt: skip
@pytest.mark.parametrize("table", ["games", "pars"])
def test_rows_that_cannot_be_results_are_damage(tmp_path: Path, table: str, column: str) -> None:
    store = Store(tmp_path)
    store.add_games("me", ["a"], [0], GAMES[:1])
    store.add_pars(PARS, 1.0)
    change(tmp_path, f"UPDATE {table} SET {column}")
    with pytest.raises(InputError):
        _ = store.games("me", ["a"], [0]) if table == "games" else store.pars(["a"], 1.0)


@pytest.mark.parametrize("content", [b"nonsense", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_database_is_damage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(InputError):
        Store(tmp_path)
    assert (tmp_path / NAME).read_bytes() == content
