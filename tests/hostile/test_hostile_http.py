"""Random requests never make the server fail: no answer is 500 or above."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fuzz import change
from machine import serving
from playing import consent, new_game, random_board

RAW = [b"", b"{", b"[" * 5000, b"\xff", b"null", b"1e999", b'{"a":' * 500, b"NaN", b'"\\ud800"']


@pytest.fixture(scope="module")
def target(tmp_path_factory: Any) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("target")
    options = ("--no-rate-limits", "--workers", "1")
    with serving(str(folder / "games.sqlite3"), *options) as (url, _):
        yield url


def good_requests(client: httpx.Client) -> list[tuple[str, str, Any]]:
    """Return a request of each kind that has a body, all of them right."""
    game = new_game(client, random_board("flow", 6))
    room = client.post("/api/rooms", json={"title": "R", "boards": [random_board()]}).json()
    url, class_room = f"/api/games/{game['id']}", f"/api/rooms/{room['code']}"
    boards: list[Any] = [
        random_board("network", 6, options={}),
        {"kind": "daily", "mode": "flow", "day": "2026-02-01"},
        {"kind": "link", "code": game["code"]},
        {"kind": "text", "mode": "noodle", "options": {"K": 2.5}, "rows": ["ooo"] * 3},
        {"kind": "room", "room": room["code"], "number": 0},
        {"kind": "again", "game": game["id"]},
    ]
    requests: list[tuple[str, str, Any]] = [("POST", "/api/games", {"board": b}) for b in boards]
    requests.append(("POST", "/api/rooms", {"title": "T", "boards": boards[:2]}))
    for what in ("undo", "redo", "restart"):
        requests.append(("POST", f"{url}/{what}", {"turn": 0, "think_ms": 5}))
    requests.append(("POST", f"{url}/moves", {"turn": 0, "ply": 0, "square": 1, "think_ms": 5}))
    requests.append(("POST", f"{url}/hint", {"turn": 0, "agent": "degree"}))
    requests.append(("POST", "/api/me/consent", {"agree": True, "game": game["id"]}))
    requests.append(("PUT", "/api/me/name", {"name": "Ada"}))
    requests.append(("POST", f"{class_room}/members", {"name": "Ada", "agree": True}))
    requests.append(("PUT", f"{class_room}/lock", {"locked": False}))
    return requests


@pytest.mark.parametrize("count", [300, pytest.param(50_000, marks=pytest.mark.full)])
def test_random_bodies(target: str, count: int) -> None:
    rng = random.Random(18)
    codes: Counter[int] = Counter()
    with httpx.Client(base_url=target, timeout=120) as client:
        consent(client)
        requests = good_requests(client)
        for number in range(count):
            method, path, body = rng.choice(requests)
            spoiled = json.dumps(change(body, rng)).encode()
            data = rng.choice(RAW) if rng.random() < 0.05 else spoiled
            if rng.random() < 0.05:
                head, _, tail = path.rpartition("/")
                path = f"{head}/{rng.choice(['%00', 'x' * 300, '..', '%ff', tail + '%20'])}"
            headers = {"content-type": "application/json"}
            answer = client.request(method, path, content=data, headers=headers)
            codes[answer.status_code] += 1
            sent = f"request {number}: {method} {path[:80]} {data[:200]!r} {answer.text[:200]}"
            assert answer.status_code < 500, sent
            if answer.status_code >= 400 and answer.status_code != 405:
                assert "\n" not in answer.json()["detail"], sent
        assert client.get("/api/about").status_code == 200
    print(f"\n{count} random bodies: {dict(sorted(codes.items()))}")
    assert codes[422] > count // 20
    assert sum(codes[code] for code in (200, 201)) > 0
