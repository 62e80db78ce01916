"""Bad requests are answered with one sentence and leave nothing behind."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playing import consent, move, new_game, random_board
from sqlalchemy import func, select

from pinchpoint.web.db.schema import metadata
from pinchpoint.web.limits import MAX_BODY, Busy, RateLimit

JSON = {"content-type": "application/json"}


def sizes(context: Any) -> dict[str, int]:
    with context.store.read() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
            if name != "solutions"
        }


def big(rows: int, width: int) -> Any:
    return {"kind": "text", "mode": "flow", "rows": ["o" * width] * rows}


@pytest.mark.parametrize(
    ("board", "says"),
    [
        (random_board(size=41), "40"),
        (random_board(size=4), "5"),
        (random_board(p=1.5), "1"),
        (random_board(p=float(0)), "larger p"),
        (random_board(seed=-1), "0"),
        (random_board(mode="chess"), "network, flow, noodle, shatter"),
        (random_board(mode="os:system"), "network, flow, noodle, shatter"),
        (big(41, 41), "40 × 40"),
        (big(41, 3), "40 × 40"),
        (big(0, 0), "empty"),
        ({"kind": "text", "mode": "flow", "rows": ["oo", "o"]}, "row 2"),
        ({"kind": "text", "mode": "flow", "rows": ["o?", "oo"]}, "'?'"),
        ({"kind": "text", "mode": "flow", "rows": ["##", "##"]}, "over before the first move"),
        ({"kind": "link", "code": "AAAA"}, "does not hold a board"),
        ({"kind": "link", "code": "ü" * 40}, "does not hold a board"),
        ({"kind": "daily", "mode": "flow", "day": "2026-02-30"}, "no date"),
        ({"kind": "daily", "mode": "flow", "day": "2999-01-01"}, "no board for"),
        ({"kind": "daily", "mode": "flow", "day": "tomorrow"}, "day"),
        ({"kind": "again", "game": "0" * 32}, "no such game"),
        ({"kind": "room", "room": "ABCDEF", "number": 0}, "no room"),
        ({"kind": "path", "path": "/etc/passwd"}, "kind"),
        ({}, "kind"),
        (None, "board"),
    ],
)
def test_bad_boards(client: Any, context: Any, board: Any, says: str) -> None:
    before = sizes(context)
    answer = client.post("/api/games", json={"board": board})
    assert 400 <= answer.status_code < 500
    detail = answer.json()["detail"]
    assert says in detail
    assert "Traceback" not in detail
    assert "\n" not in detail
    assert sizes(context) == before


def test_links_that_were_changed(client: Any) -> None:
    code = new_game(client)["code"]
    for wrong in (code[:-1], code[1:], code + "A", code.swapcase(), "", "%00", "x" * 5000):
        answer = client.get(f"/api/links/{wrong}")
        assert 400 <= answer.status_code < 500, wrong
        assert answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", JSON, 400),
        (b"\xff\xfe", JSON, 400),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"a=b", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {}, 415),
        (b'{"board":"' + b"x" * MAX_BODY + b'"}', JSON, 413),
        (b"[" * 30_000, JSON, 400),
        (b"", JSON, 422),
    ],
)
def test_bad_bodies(client: Any, context: Any, body: bytes, headers: Any, status: int) -> None:
    before = sizes(context)
    answer = client.post("/api/games", content=body, headers=headers)
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert sizes(context) == before


def test_a_stream_that_never_ends_is_cut(client: Any) -> None:
    def endless() -> Any:
        for _ in range(1000):
            yield b"x" * 1024

    assert client.post("/api/games", content=endless(), headers=JSON).status_code == 413


def test_names(client: Any, context: Any) -> None:
    assert client.put("/api/me/name", json={"name": "Ada"}).status_code == 403
    consent(client)
    before = sizes(context)
    for bad in ("x" * 10_000, "x" * 25, "", " \t ", "\u200b\u202e", 7, ["a"]):
        assert client.put("/api/me/name", json={"name": bad}).status_code == 422
    assert client.get("/api/me").json()["name"] is None
    assert sizes(context) == before
    tidy = client.put("/api/me/name", json={"name": " A\x00d\u202ea  L "}).json()
    assert tidy["name"] == "A d a L"
    assert (
        client.put("/api/me/name", json={"name": "<b>Zoë</b> 数"}).json()["name"] == "<b>Zoë</b> 数"
    )


def test_requests_from_other_sites(client: Any, context: Any) -> None:
    before = sizes(context)
    body = {"board": random_board()}
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert client.post("/api/games", json=body, headers=headers).status_code == 403
    assert client.get("/api/about", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/api/about", headers={"host": "[::"}).status_code == 400
    assert sizes(context) == before
    assert (
        client.post("/api/games", json=body, headers={"origin": "http://testserver"}).status_code
        == 201
    )


def test_the_headers_of_every_answer(client: Any) -> None:
    for path in ("/", "/sw.js", "/api/about", "/api/nothing", "/no/such/file"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_has_no_inline_script_and_names_no_other_server() -> None:
    from pinchpoint.web.page import STATIC

    for path in STATIC.rglob("*"):
        if path.suffix not in (".html", ".js", ".css", ".svg"):
            continue
        text = path.read_text()
        urls = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`]*", text))
        # Names of namespaces look like addresses, but nothing is fetched from there.
        elsewhere = {u for u in urls if not re.match(r"(http:)?//www\.w3\.org/(19|20)\d\d/", u)}
        assert elsewhere == set(), path
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text)


def test_addresses_that_are_not_there(client: Any) -> None:
    for method in ("GET", "POST", "PATCH"):
        for path in ("/api/nothing", "/api/about/", "/api/links/a/b"):
            answer = client.request(method, path, follow_redirects=False)
            assert answer.status_code == 404
            assert answer.json() == {"detail": "there is no such address"}


def test_methods_that_an_address_does_not_take(client: Any) -> None:
    for method, path, allowed in (
        ("PATCH", "/api/me", "DELETE, GET"),
        ("GET", "/api/games", "POST"),
        ("PUT", "/api/games/abc/moves", "POST"),
        ("HEAD", "/api/about", "GET"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    assert client.head("/").status_code == 200
    assert client.post("/").status_code == 405


def test_files_outside_the_page_are_not_served(client: Any) -> None:
    for path in ("/../server.py", "/%2e%2e/server.py", "/js/..%2f..%2fserver.py", "//etc/passwd"):
        assert client.get(path).status_code in (400, 404)


def test_another_players_game(browser: Any, client: Any) -> None:
    consent(client)
    game = new_game(client)
    square = game["status"].index("1")
    stranger = browser()
    assert stranger.get(f"/api/games/{game['id']}").status_code == 200  # who has the id may look
    assert move(stranger, game, square).status_code == 403
    consent(stranger)
    assert move(stranger, game, square).status_code == 403
    assert (
        stranger.post(
            "/api/games", json={"board": {"kind": "again", "game": game["id"]}}
        ).status_code
        == 403
    )
    assert (
        stranger.post("/api/me/consent", json={"agree": True, "game": game["id"]}).status_code
        == 201
    )
    assert move(stranger, game, square).status_code == 403
    assert move(client, game, square).status_code == 200


def test_the_cookie(client: Any) -> None:
    assert "set-cookie" not in client.get("/").headers
    new_game(client)
    assert not client.cookies
    header = client.post("/api/me/consent", json={"agree": True}).headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=strict" in header
    assert client.post("/api/me/consent", json={"agree": False}).status_code == 422


def test_errors_of_the_server_show_nothing(client: Any, context: Any, monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(context.games, "find", fail)
    answer = client.get(f"/api/games/{'0' * 32}")
    assert answer.status_code == 500
    assert answer.json() == {"detail": "something went wrong on the server"}
    assert "content-security-policy" in answer.headers


def test_who_is_too_fast_is_told_so(client: Any, context: Any, monkeypatch: Any) -> None:
    for name in ("creation_limit", "move_limit", "question_limit"):
        monkeypatch.setattr(context, name, RateLimit(a_second=0.001, burst=1))
    game = new_game(client)
    square = game["status"].index("1")
    assert client.post("/api/games", json={"board": random_board()}).status_code == 429
    assert move(client, game, square).status_code == 200
    refused = move(client, game, square)
    assert refused.status_code == 429
    assert "too fast" in refused.json()["detail"]


def test_rate_limits() -> None:
    limit = RateLimit(a_second=0.001, burst=3)
    for _ in range(3):
        limit.take("a")
    limit.take("b")
    with pytest.raises(Busy):
        limit.take("a")
    limit = RateLimit(a_second=1000, burst=1)
    for _ in range(3):  # what was used up comes back
        limit.take("a")
        time.sleep(0.01)
    free = RateLimit(a_second=0.001, burst=1, enabled=False)
    for _ in range(9):
        free.take("a")
