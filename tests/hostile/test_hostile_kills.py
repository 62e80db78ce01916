"""A server that is killed under load, again and again, loses no move that it acknowledged."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from typing import Any

import httpx
import pytest
from machine import postgresql, wait_until
from playing import move, new_game, random_board
from servers import servers
from sqlalchemy import select

from pinchpoint.web.db.schema import events
from pinchpoint.web.db.store import Store, database_url
from pinchpoint.web.games import Line


def play(url: str, acknowledged: dict[str, list[int]]) -> None:
    """Play until the server is gone, and note the moves that it answered."""
    try:
        with httpx.Client(base_url=url, timeout=30) as client:
            while True:
                game = new_game(client, random_board("noodle", 20, 0.9))
                acknowledged[game["id"]] = []
                while not game["done"]:
                    game = move(client, game, game["status"].index("1")).json()
                    acknowledged[game["id"]] = game["moves"]
    except httpx.HTTPError:
        return


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
def test_kills_lose_nothing(kind: str, kills: int, tmp_path: Any) -> None:
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
            threads = [threading.Thread(target=play, args=(url, acknowledged)) for _ in range(4)]
            before = count(acknowledged)
            for thread in threads:
                thread.start()
            end = time.monotonic() + 60
            while count(acknowledged) < before + 20:
                assert time.monotonic() < end
                time.sleep(0.02)
            time.sleep(rng.random() / 2)
            os.kill(pid, signal.SIGKILL)
            for thread in threads:
                thread.join()
    lost = lost_moves(database, acknowledged)
    print(f"\n{kills} kills: {count(acknowledged)} moves acknowledged, {lost} lost")
    assert lost == 0


def count(acknowledged: dict[str, list[int]]) -> int:
    return sum(map(len, list(acknowledged.values())))
