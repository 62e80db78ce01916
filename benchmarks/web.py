"""Measure the web game under load: many players at once, and a server that is killed meanwhile.

    python benchmarks/web.py                  # one player; 200 players for 60 s; ten kills; page
    python benchmarks/web.py --seconds 10 --kills 2
    python benchmarks/web.py --only-page      # what a player feels, with Debian's Chromium

Prints one JSON object: moves a second, times to an answer, errors, lost moves, the time from a
click to its paint, and the time to the par of a flow board while network boards are refined. A move
is lost if the server answered it and the database does not have it afterwards.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import tyro
from sqlalchemy import select

from pinchpoint.web.db.schema import events
from pinchpoint.web.db.store import Store, database_url
from pinchpoint.web.games import Line


@dataclass(frozen=True)
class Options:
    players: int = 200
    """Number of players at once."""
    seconds: float = 60.0
    """How long they play."""
    think: float = 1.0
    """Mean seconds that a player thinks before a move; 0 for as fast as answers come."""
    size: int = 20
    """Squares a side."""
    kills: int = 10
    """How often the server is then killed under load."""
    database: str = ""
    """A database URL; by default a SQLite file in a temporary folder."""
    seed: int = 1
    """Seed of boards, moves and pauses."""
    only_page: bool = False
    """Leave out the load and the kills."""
    chromium: str = "/usr/bin/chromium"
    """The browser in which clicks are timed."""


@dataclass
class Tally:
    """What the players observed."""

    seconds: list[float] = field(default_factory=list)  # to the answer of each move
    errors: list[str] = field(default_factory=list)
    acknowledged: dict[str, list[int]] = field(default_factory=dict)  # moves by game


class Server:
    """`pinchpoint serve` as a process."""

    def __init__(self, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url, self._database = f"http://127.0.0.1:{self.port}", database

    def start(self) -> None:
        program = [sys.executable, "-m", "pinchpoint.cli", "serve", "--no-rate-limits"]
        arguments = ["--port", str(self.port), "--database", self._database]
        self._process = subprocess.Popen([*program, *arguments], stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                httpx.get(f"{self.url}/api/about", timeout=5).raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)


class Connection:
    """A connection that is kept open, with only as much of HTTP as this benchmark needs.

    The players share the machine with the server, so a full HTTP client would slow the server down.
    """

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Connection:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Return the status and the JSON of the answer; raise OSError or EOFError if none comes."""
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        self._writer.write(head.encode() + data)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.split("content-length: ")[1].split("\r\n")[0])
        return int(answer[9:12]), json.loads(await self._reader.readexactly(length))


async def play(line: Connection, number: int, options: Options, tally: Tally, until: float) -> None:
    """Play random legal moves, game after game."""
    rng = np.random.default_rng([options.seed, number])
    mode = ("network", "flow", "noodle")[number % 3]
    while time.monotonic() < until:
        board = {"kind": "random", "mode": mode, "height": options.size, "width": options.size}
        board |= {"p": 0.8, "seed": int(rng.integers(2**31))}
        status, game = await line.post("/api/games", {"board": board})
        if status != 201:
            tally.errors.append(str(game))
            return
        tally.acknowledged[game["id"]] = []
        while not game["done"] and time.monotonic() < until:
            if options.think:
                await asyncio.sleep(float(rng.exponential(options.think)))
            active = [i for i, s in enumerate(game["status"]) if s == "1"]
            body = {"turn": game["turn"], "ply": game["ply"], "square": int(rng.choice(active))}
            began = time.perf_counter()
            status, game = await line.post(f"/api/games/{game['id']}/moves", body)
            tally.seconds.append(time.perf_counter() - began)
            if status != 200:
                tally.errors.append(str(game))
                return
            tally.acknowledged[game["id"]] = game["moves"]


async def crowd(port: int, options: Options, seconds: float, killed: bool = False) -> Tally:
    """Let all players play at once; if the server is `killed`, a missing answer is no error."""
    tally = Tally()
    until = time.monotonic() + seconds

    async def one(number: int) -> None:
        try:
            async with Connection(port) as line:
                await play(line, number, options, tally, until)
        except (OSError, EOFError) as error:
            if not killed:
                tally.errors.append(repr(error))

    await asyncio.gather(*(one(number) for number in range(options.players)))
    return tally


def lost_moves(database: str, tallies: list[Tally]) -> tuple[int, str]:
    """Count answered moves that the database does not have, and check its integrity."""
    store = Store(database_url(database))
    lost = 0
    with store.read() as connection:
        for tally in tallies:
            for game, moves in tally.acknowledged.items():
                query = select(events).where(events.c.game_id == game).order_by(events.c.turn)
                line = Line.of(connection.execute(query).mappings().all())
                stored = list(line.moves[: len(moves)])
                lost += sum(a != b for a, b in zip(moves, stored, strict=False))
                lost += len(moves) - len(stored)
    verdict = store.check_integrity()
    store.close()
    return lost, verdict


def measure_alone(server: Server, options: Options) -> dict[str, Any]:
    """Measure moves and heat maps of the mode's own network with a single player."""
    server.start()
    moves, maps = list[float](), list[float]()
    with httpx.Client(base_url=server.url, timeout=120) as client:
        offered = client.get("/api/about").json()["modes"]
        learned = [m["name"] for m in offered if m["agents"][0]["kind"] == "learned"]
        mode = learned[0] if learned else "network"
        board = {"kind": "random", "mode": mode, "height": options.size, "width": options.size}
        board |= {"p": 0.8, "seed": options.seed}
        game: Any = client.post("/api/games", json={"board": board}).json()
        url = f"/api/games/{game['id']}"
        while not game["done"] and len(moves) < 60:
            square = game["status"].index("1")
            body = {"turn": game["turn"], "ply": game["ply"], "square": square}
            began = time.perf_counter()
            game = client.post(f"{url}/moves", json=body).json()
            moves.append(time.perf_counter() - began)
            if learned and not game["done"]:
                began = time.perf_counter()
                body = {"turn": game["turn"], "agent": mode}
                game = client.post(f"{url}/values", json=body).json()["game"]
                maps.append(time.perf_counter() - began)
    server.stop()
    return {
        "mode": mode,
        "moves": len(moves),
        "move_median_ms": round(float(np.median(moves)) * 1000, 1),
        # The first one includes the time to load the network.
        "map_median_ms": round(float(np.median(maps[1:])) * 1000, 1) if maps else None,
    }


def measure_load(server: Server, options: Options) -> tuple[dict[str, Any], Tally]:
    """Measure many players at once."""
    server.start()
    began = time.monotonic()
    tally = asyncio.run(crowd(server.port, options, options.seconds))
    took = time.monotonic() - began
    server.stop()
    p50, p95, p99 = (float(np.percentile(tally.seconds, q)) * 1000 for q in (50, 95, 99))
    return {
        "players": options.players,
        "think_seconds": options.think,
        "seconds": round(took, 1),
        "moves": len(tally.seconds),
        "moves_a_second": round(len(tally.seconds) / took, 1),
        "p50_ms": round(p50, 1),
        "p95_ms": round(p95, 1),
        "p99_ms": round(p99, 1),
        "errors": len(tally.errors),
        "first_errors": tally.errors[:3],
    }, tally


async def crowd_and_kill(server: Server, options: Options, wait: float) -> Tally:
    """Kill the server after `wait` seconds of play."""
    playing = asyncio.create_task(crowd(server.port, options, wait + 30, killed=True))
    await asyncio.sleep(wait)
    server.kill()
    return await playing


def measure_kills(server: Server, options: Options) -> tuple[dict[str, Any], list[Tally]]:
    """Kill the server again and again while many players play."""
    tallies = []
    rng = np.random.default_rng(options.seed)
    busy = Options(
        players=min(options.players, 50), think=0.05, size=options.size, seed=options.seed
    )
    for _ in range(options.kills):
        server.start()
        wait = 2 + float(rng.random())
        tallies.append(asyncio.run(crowd_and_kill(server, busy, wait)))
    moves = sum(len(m) for tally in tallies for m in tally.acknowledged.values())
    return {"kills": options.kills, "acknowledged_moves": moves}, tallies


LATENCY = 200  # ms, simulated
# From the moment of the click to the frame in which the square has its new colour.
TIME_A_CLICK = """async (square) => {
  const cell = document.querySelector(`#game-board [data-square="${square}"]`);
  const began = performance.now();
  cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  while (!cell.classList.contains("s3")) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began; }"""


def measure_clicks(server: Server, options: Options) -> dict[str, Any]:
    """Measure the time from a click to its paint at 20 × 20, with a slow network simulated."""
    from playwright.sync_api import sync_playwright

    server.start()
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(f"{server.url}/new")
        page.locator(".mode-card", has_text="Noodle").click()
        page.get_by_label("Size").fill(str(options.size))
        page.get_by_label("Density").fill("80")
        page.click("#start")
        page.wait_for_selector("#game-board")
        slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": -1})
        for _ in range(30):
            script = "nodes => nodes.map(n => Number(n.dataset.square))"
            active = page.locator("#game-board .s1").evaluate_all(script)
            times.append(page.evaluate(TIME_A_CLICK, active[len(active) // 2]))
            page.wait_for_selector("#game-board:not([aria-busy])")
        browser.close()
    server.stop()
    return {
        "latency_ms": LATENCY,
        "clicks": len(times),
        "click_to_paint_median_ms": round(float(np.median(times)), 1),
        "click_to_paint_p95_ms": round(float(np.percentile(times, 95)), 1),
    }


def measure_par(server: Server, options: Options) -> dict[str, Any]:
    """Measure the time to a flow board's par while ten network boards are being refined."""
    server.start()
    times = []
    with httpx.Client(base_url=server.url, timeout=120) as client:

        def begin(mode: str, seed: int) -> str:
            board = {"kind": "random", "mode": mode, "height": options.size, "width": options.size}
            board |= {"p": 0.8, "seed": seed}
            made = client.post("/api/games", json={"board": board})
            return f"/api/games/{made.json()['id']}/par"

        def wait_for(address: str) -> float:
            began = time.perf_counter()
            while client.get(address).json()["value"] is None:
                time.sleep(0.02)
            return time.perf_counter() - began

        wait_for(begin("flow", options.seed))  # the first one loads the solver
        network = [begin("network", options.seed + i) for i in range(10)]
        for i in range(1, 6):
            for address in network:
                client.get(address)  # as ten pages do
            times.append(wait_for(begin("flow", options.seed + i)))
    server.stop()
    return {
        "flow_boards": len(times),
        "network_boards_refined": len(network),
        "par_s": [round(each, 2) for each in times],
    }


def main(options: Options) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or str(Path(folder) / "games.sqlite3")
        server = Server(database)
        page = {"click": measure_clicks(server, options), "par": measure_par(server, options)}
        if options.only_page:
            print(json.dumps({"cpus": os.cpu_count(), "page": page}, indent=1))
            return
        alone = measure_alone(server, options)
        load, tally = measure_load(server, options)
        load["lost_moves"], load["integrity"] = lost_moves(database, [tally])
        kills, tallies = measure_kills(server, options)
        kills["lost_moves"], kills["integrity"] = lost_moves(database, tallies)
        found = {"alone": alone, "load": load, "kill_9": kills, "page": page}
        print(json.dumps({"cpus": os.cpu_count()} | found, indent=1))


if __name__ == "__main__":
    main(tyro.cli(Options, description=__doc__))
