"""Attacks on a server of the tests, each as a process of its own.

    python tests/hostile/attacks.py pictures http://127.0.0.1:8000 20 GAME

Attackers come from 127.0.0.2. An attack goes on for so many seconds and prints how often each
status came. GAME is a finished game on a large board.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

ATTACKER = "127.0.0.2"
Get = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


async def flood(url: str, seconds: float, at_once: int, ask: Get) -> Counter[int]:
    """Keep so many requests under way until the time is over."""
    codes: Counter[int] = Counter()
    end = time.monotonic() + seconds
    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER, limits=httpx.Limits(
        max_connections=at_once + 5))  # fmt: skip
    async with httpx.AsyncClient(base_url=url, transport=transport, timeout=120) as client:

        async def one(number: int) -> None:
            while time.monotonic() < end:
                try:
                    answer = await asyncio.wait_for(ask(client, number), end - time.monotonic())
                    codes[answer.status_code] += 1
                    if answer.status_code == 429:
                        await asyncio.sleep(0.05)
                except (TimeoutError, httpx.HTTPError):
                    codes[0] += 1

        await asyncio.gather(*(one(number) for number in range(at_once)))
    return codes


async def pictures(url: str, seconds: float, game: str) -> Counter[int]:
    """Ask for 45 moving pictures at once, in both palettes."""

    def ask(client: httpx.AsyncClient, number: int) -> Awaitable[httpx.Response]:
        palette = ("classic", "clear")[number % 2]
        return client.get(f"/api/games/{game}/picture.gif?palette={palette}")

    return await flood(url, seconds, 45, ask)


async def analyses(url: str, seconds: float, game: str) -> Counter[int]:
    """Ask for 40 analyses at once."""
    return await flood(
        url, seconds, 40, lambda client, _: client.get(f"/api/games/{game}/analysis")
    )


async def questions(url: str, seconds: float, game: str) -> Counter[int]:
    """Ask solver and agents on 60 new large boards at once, again and again."""

    async def ask(client: httpx.AsyncClient, number: int) -> httpx.Response:
        board = {"kind": "random", "mode": "network", "height": 40, "width": 40, "p": 0.9}
        made = await client.post("/api/games", json={"board": board})
        if made.status_code != 201:
            return made
        what, agent = (("watch", "betweenness"), ("hint", "solver"), ("hint", "search"))[number % 3]
        body = {"turn": 0, "agent": agent}
        return await client.post(f"/api/games/{made.json()['id']}/{what}", json=body)

    return await flood(url, seconds, 60, ask)


async def half_open(url: str, seconds: float, game: str) -> Counter[int]:
    """Keep 1,400 connections open that never send a whole request."""
    port = int(url.rsplit(":", 1)[1])
    codes: Counter[int] = Counter()
    end = time.monotonic() + seconds

    async def one(number: int) -> None:
        while time.monotonic() < end:
            try:
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(ATTACKER, 0)
                )
                codes[1] += 1
                writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
                await asyncio.wait_for(reader.read(), max(end - time.monotonic(), 0.01))
                writer.close()
            except (TimeoutError, OSError):
                codes[0] += 1
            await asyncio.sleep(1)

    await asyncio.gather(*(one(number) for number in range(1400)))
    return codes


async def nobody(url: str, seconds: float, game: str) -> Counter[int]:
    """Do nothing, so that one sees what the machine does by itself."""
    await asyncio.sleep(seconds)
    return Counter({200: 0})


ATTACKS: dict[str, Any] = {
    "nobody": nobody,
    "pictures": pictures,
    "analyses": analyses,
    "questions": questions,
    "half_open": half_open,
}

if __name__ == "__main__":
    name, address, length, game_id = sys.argv[1:]
    print(dict(asyncio.run(ATTACKS[name](address, float(length), game_id))))
