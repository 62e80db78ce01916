"""A server that is killed, a full disk, or a database that restarts costs no acknowledged move."""

from __future__ import annotations

import os
import random
import resource
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from machine import postgresql, postgresql_server, wait_until
from playing import move, new_game, random_board
from servers import servers
from sqlalchemy import select

from pinchpoint.web.db.schema import events
from pinchpoint.web.db.store import Store, database_url
from pinchpoint.web.games import Line

PLAYERS = 4


class Playing:
    """Players who go on until the server is gone or they are stopped.

    They keep the statuses that they get, and the moves of their games that were acknowledged.
    """

    def __init__(self, url: str, size: int, acknowledged: dict[str, list[int]]) -> None:
        self.url, self.size, self.acknowledged = url, size, acknowledged
        self.over = threading.Event()
        self.codes: Counter[int] = Counter()
        self.threads = [threading.Thread(target=self.play) for _ in range(PLAYERS)]
        for thread in self.threads:
            thread.start()

    def play(self) -> None:
        try:
            with httpx.Client(base_url=self.url, timeout=60) as client:
                while not self.over.is_set():
                    self.play_game(client)
        except httpx.HTTPError:
            return

    def play_game(self, client: httpx.Client) -> None:
        game = new_game(client, random_board("noodle", self.size, 0.9))
        while not game["done"] and not self.over.is_set():
            answer = move(client, game, game["status"].index("1"))
            if answer.status_code == 200:
                game = answer.json()
                self.acknowledged[game["id"]] = game["moves"]
            else:
                time.sleep(0.05)
                again = client.get(f"/api/games/{game['id']}")
                game = again.json() if again.status_code == 200 else game
            self.codes[answer.status_code] += 1

    def wait_for(self, true: Callable[[Counter[int]], bool]) -> None:
        """Wait until something holds of the statuses that came from now on."""
        before = self.codes.copy()
        end = time.monotonic() + 60
        while not true(self.codes - before):
            assert time.monotonic() < end, self.codes
            time.sleep(0.01)

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()


def lost_moves(database: str, acknowledged: dict[str, list[int]]) -> int:
    store = Store(database_url(database))
    assert store.check_integrity() == "ok"
    lost = 0
    with store.read() as connection:
        for game, moves in acknowledged.items():
            query = select(events).where(events.c.game_id == game).order_by(events.c.turn)
            line = Line.of(connection.execute(query).mappings().all())
            lost += len(moves) - sum(
                a == b for a, b in zip(moves, line.moves[: len(moves)], strict=False)
            )
            assert len(line.moves) <= len(moves) + 1  # one answer may not have arrived
    store.close()
    return lost


@pytest.mark.parametrize("kills", [1, pytest.param(200, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kills_lose_nothing(kind: str, kills: int, tmp_path: Path) -> None:
    if kind == "postgresql":
        with postgresql() as url:
            kill_again_and_again(url, kills)
    else:
        kill_again_and_again(str(tmp_path / "games.sqlite3"), kills)


def kill_again_and_again(database: str, kills: int) -> None:
    rng = random.Random(kills)
    acknowledged: dict[str, list[int]] = {}
    with servers(database) as start:
        for _ in range(kills):
            pid, url = start()
            wait_until(lambda url=url: httpx.get(f"{url}/api/about"), 300)
            people = Playing(url, 20, acknowledged)
            people.wait_for(lambda codes: codes[200] >= 20)
            time.sleep(rng.random() / 2)
            os.kill(pid, signal.SIGKILL)
            people.stop()
    lost = lost_moves(database, acknowledged)
    print(
        f"\n{kills} kills: {sum(map(len, acknowledged.values()))} moves acknowledged, {lost} lost"
    )
    assert lost == 0


@contextmanager
def playing(database: str) -> Iterator[tuple[Playing, int]]:
    """Let people play on a database; at the end every move that was acknowledged is there."""
    with servers(database) as start:
        pid, url = start()
        wait_until(lambda: httpx.get(f"{url}/api/about"), 300)
        people = Playing(url, 40, {})
        try:
            yield people, pid
        finally:
            people.stop()
    assert lost_moves(database, people.acknowledged) == 0
    assert set(people.codes) <= {200, 409, 503, 507}  # 409: the refused move was stored after all


def test_a_full_disk(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with playing(str(database)) as (people, pid):
        people.wait_for(lambda codes: codes[200] >= 10)
        largest = max(file.stat().st_size for file in tmp_path.iterdir())
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, -1))
        people.wait_for(lambda codes: codes[503] + codes[507] >= 10)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        people.wait_for(lambda codes: codes[200] >= 10)


def test_a_database_that_restarts() -> None:
    with postgresql_server() as (database, restart), playing(database) as (people, _):
        for _ in range(2):
            people.wait_for(lambda codes: codes[200] >= 10)
            restart()
        people.wait_for(lambda codes: codes[200] >= 10)
