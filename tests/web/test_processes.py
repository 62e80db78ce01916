"""Servers as processes: two on one database, stopped, and started wrongly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import httpx
import pytest
from machine import free_port, serving
from playing import move, new_game, random_board, step


def test_two_servers_on_one_database(database: str) -> None:
    options = ("--no-rate-limits", "--mode", "ring_mode:Heavy", "--workers", "1")
    with (
        serving(database, *options) as (one, _),
        serving(database, *options) as (two, _),
        httpx.Client(base_url=one, timeout=60) as first,
        httpx.Client(base_url=two, timeout=60) as second,
    ):
        game = new_game(first, random_board("noodle", 8, 0.9))
        for turn in range(10):  # by turns
            client = (first, second)[turn % 2]
            game = move(client, game, game["status"].index("1")).json()
            assert game["turn"] == turn + 1
        assert first.get(f"/api/games/{game['id']}").json() == game
        squares = [i for i, s in enumerate(game["status"]) if s == "1"][:6]
        codes: list[int] = []
        threads = [
            threading.Thread(target=lambda c=c, s=s: codes.append(move(c, game, s).status_code))
            for c, s in zip((first, second) * 3, squares, strict=False)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(codes) == [200, 409, 409, 409, 409, 409]
        after = second.get(f"/api/games/{game['id']}").json()
        assert after["turn"] == 11
        assert step(first, after, "undo").json()["moves"] == game["moves"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda each: each.name)
def test_no_worker_outlives_the_server(number: signal.Signals, tmp_path: Any) -> None:
    with serving(str(tmp_path / "games.sqlite3")) as (url, process):
        with httpx.Client(base_url=url) as client:
            game = new_game(client)
            move(client, game, game["status"].index("1"))
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        assert children
        process.send_signal(number)
        assert process.wait(timeout=30) in ((0, 130) if number == signal.SIGINT else (-9,))
    end = time.monotonic() + 20
    while left := [child for child in children if os.path.exists(f"/proc/{child}")]:
        assert time.monotonic() < end, left
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--port", "70000"], "0 to 65535"),
        (["--mode", "nowhere:Mode"], "cannot import"),
        (["--mode", "chess"], "there is no mode"),
        (["--database", "nonsense://x"], "cannot open the database"),
        (["--workers", "0"], "1 to 16"),
    ],
)
def test_started_wrongly(options: list[str], says: str, tmp_path: Any) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    port = [] if "--port" in options else ["--port", str(free_port())]
    program = [sys.executable, "-m", "pinchpoint.cli", "serve", *port, *options]
    done = subprocess.run(
        program, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["games", "stats"]])
def test_a_library_that_is_missing(command: list[str]) -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; from pinchpoint.cli.main import main; "
    code += f"sys.exit(main({command}))"
    program = [sys.executable, "-c", code]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"{command[0]} needs sqlalchemy: pip install 'pinchpoint[web]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken(tmp_path: Any) -> None:
    with serving(str(tmp_path / "games.sqlite3"), "--workers", "1") as (url, _):
        port = url.rsplit(":", 1)[1]
        program = [sys.executable, "-m", "pinchpoint.cli", "serve", "--port", port]
        environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
        done = subprocess.run(
            program, capture_output=True, text=True, env=environment, timeout=60, check=False
        )
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "already" in done.stderr
