"""While somebody attacks the server, another player goes on playing.

The long run also bounds the time of that player's moves and the memory of server and workers.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from attacks import ATTACKS
from machine import serving
from playing import move, new_game, play_out, random_board

PLAYER = "127.0.0.3"
MOST_MEMORY = 1.5e9  # bytes
CALM = pytest.mark.full  # a measurement to compare with
MOST_LOG = 20_000  # bytes
SLOWEST = 0.150  # seconds: 95 of 100 moves are quicker


def browser(url: str) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=PLAYER)
    return httpx.Client(base_url=url, transport=transport, timeout=60)


def memory(pid: int) -> int:
    """Return the bytes that a process and its children hold."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    pages = 0
    for one in (str(pid), *children):
        try:
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except OSError:
            continue  # it has ended
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="module")
def target(tmp_path_factory: Any) -> Iterator[tuple[str, int, str]]:
    """Return a server without rate limits, its process, and a finished game on a large board."""
    folder = tmp_path_factory.mktemp("target")
    with serving(str(folder / "games.sqlite3"), "--no-rate-limits") as (url, process):
        with browser(url) as client:
            game = play_out(client, new_game(client, random_board("flow", 40, 0.9)))
        yield url, process.pid, game["id"]
    assert process.stderr is not None
    assert len(process.stderr.read()) < MOST_LOG


def play_during(url: str, moves: int, pid: int) -> tuple[list[float], int]:
    """Play, and return the seconds of each move and the most memory that the server held."""
    seconds, held = [], 0
    with browser(url) as client:
        game = new_game(client, random_board("noodle", 20, 0.9))
        for _ in range(moves):
            if game["done"]:
                game = new_game(client, random_board("noodle", 20, 0.9))
            began = time.perf_counter()
            answer = move(client, game, game["status"].index("1"))
            seconds.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer.text
            game = answer.json()
            held = max(held, memory(pid))
            time.sleep(0.05)
    return seconds, held


@pytest.mark.parametrize(
    ("moves", "length"), [(8, 4), pytest.param(300, 40, marks=pytest.mark.full)]
)
@pytest.mark.parametrize(
    "attack", [pytest.param(name, marks=CALM if name == "nobody" else ()) for name in ATTACKS]
)
def test_another_player_goes_on(
    target: tuple[str, int, str], attack: str, moves: int, length: int
) -> None:
    url, pid, game = target
    script = str(Path(__file__).parent / "attacks.py")
    command = [sys.executable, script, attack, url, str(length), game]
    attacking = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(2)
    try:
        seconds, held = play_during(url, moves, pid)
        statuses = attacking.communicate(timeout=120)[0]
    finally:
        attacking.kill()
    p50, p95 = np.percentile(seconds, [50, 95])
    print(
        f"\n{attack}: {len(seconds)} moves, p50 {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, "
        f"most memory {held / 1e6:.0f} MB; statuses {statuses.strip()}"
    )
    assert max(ast.literal_eval(statuses)) < 500
    assert held <= MOST_MEMORY
    if moves >= 100:  # times mean something in the long run only
        assert p95 <= SLOWEST
