"""A disk that is full, or a database that restarts, costs no move that was acknowledged."""

from __future__ import annotations

import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from machine import postgresql_server, wait_until
from playing import move, new_game, random_board
from servers import servers
from test_hostile_kills import lost_moves

PLAYERS = 3


class Playing:
    """Players who go on, whatever they are told: the statuses they got, the moves acknowledged."""

    def __init__(self, url: str) -> None:
        self.url, self.over = url, threading.Event()
        self.codes: Counter[int] = Counter()
        self.acknowledged: dict[str, list[int]] = {}
        self.threads = [threading.Thread(target=self.play) for _ in range(PLAYERS)]

    def play(self) -> None:
        with httpx.Client(base_url=self.url, timeout=60) as client:
            game = new_game(client, random_board("noodle", 40, 0.9))
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


@contextmanager
def playing(database: str) -> Iterator[tuple[Playing, int]]:
    """Let people play on a database; at the end every move that was acknowledged is there."""
    with servers(database) as start:
        pid, url = start()
        wait_until(lambda: httpx.get(f"{url}/api/about"), 300)
        people = Playing(url)
        for thread in people.threads:
            thread.start()
        try:
            yield people, pid
        finally:
            people.over.set()
            for thread in people.threads:
                thread.join()
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
