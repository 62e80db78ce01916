"""Each mended weakness of the server, the database and the cookie has its test here."""

from __future__ import annotations

import csv
import io
import json
import logging
import sqlite3
import threading
from typing import Any

import pytest
from playing import consent, move, new_game, random_board
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from pinchpoint.web import limits
from pinchpoint.web.context import ServerSettings
from pinchpoint.web.db.schema import games, members
from pinchpoint.web.db.store import Store
from pinchpoint.web.limits import RateLimit, Unavailable
from pinchpoint.web.logs import OnceAMinute
from pinchpoint.web.routes.rooms import _harmless
from pinchpoint.web.security import Guard

NO_GAME = "0" * 32


# -- odd requests ----------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://[", "http://]", "[", "http://[::1", "\\", "://"])
def test_an_origin_that_is_no_address(client: Any, origin: str) -> None:
    answer = client.post("/api/games", json={"board": random_board()}, headers={"origin": origin})
    assert answer.status_code == 403


@pytest.mark.parametrize("day", ["0001-01-01", "0001-01-02", "9999-12-31", "2026-01-01"])
def test_the_first_and_last_days_of_the_calendar(client: Any, day: str) -> None:
    days = client.get("/api/daily", params={"before": day})
    assert days.status_code == 200
    assert (days.json() == []) == (day <= "2026-01-01")


@pytest.mark.parametrize("K", [10**400, -(10**400), 10**4000, 1e300])
def test_numbers_of_hundreds_of_digits(client: Any, K: Any) -> None:
    answer = client.post("/api/games", json={"board": random_board("noodle", 6, options={"K": K})})
    assert answer.status_code == 422
    assert answer.json()["detail"]


@pytest.mark.parametrize("wrong", ["%00", "a%00b", "x" * 60_000, "ABC", "0" * 31, "0" * 31 + "G"])
def test_ids_are_checked_before_anything_else(client: Any, wrong: str) -> None:
    for method, path in (
        ("GET", f"/api/games/{wrong}"),
        ("GET", f"/api/games/{wrong}/par"),
        ("GET", f"/api/games/{wrong}/picture.gif"),
        ("POST", f"/api/games/{wrong}/moves"),
    ):
        body = {"turn": 0, "ply": 0, "square": 0} if method == "POST" else None
        answer = client.request(method, path, json=body)
        assert answer.status_code == 422, path
        assert "id of a game" in answer.json()["detail"]
    nul = wrong.replace("%00", "\x00")
    for path, body in (
        ("/api/games", {"board": {"kind": "again", "game": nul}}),
        ("/api/me/consent", {"agree": True, "game": nul}),
    ):
        assert client.post(path, json=body).status_code == 422


@pytest.mark.parametrize("wild", ["1e999", "-1e999", "NaN", "Infinity"])
def test_numbers_out_of_range(client: Any, wild: str) -> None:
    headers = {"content-type": "application/json"}
    for field in ("p", "height", "seed"):
        board = random_board("noodle", 6, options={}) | {field: "?"}
        body = json.dumps({"board": board}).replace('"?"', wild)
        answer = client.post("/api/games", content=body, headers=headers)
        assert answer.status_code in (400, 422), field
    body = json.dumps({"board": random_board("noodle", 6, options={"K": "?"})}).replace('"?"', wild)
    assert client.post("/api/games", content=body, headers=headers).status_code in (400, 422)


def test_half_a_character_as_the_name_of_a_field(client: Any) -> None:
    body = b'{"board": {"kind": "random"}, "\\ud800": 1}'
    headers = {"content-type": "application/json"}
    answer = client.post("/api/games", content=body, headers=headers)
    assert 400 <= answer.status_code < 500


def test_answers_of_the_api_are_kept_nowhere(client: Any) -> None:
    for path in ("/api/about", f"/api/games/{NO_GAME}", "/api/nothing"):
        assert client.get(path).headers["cache-control"] == "no-store"


# -- the address of a request ------------------------------------------------------------------


def addresses_seen(behind_proxy: bool, forwarded: str) -> str:
    """Return the address that limits go by when this header comes from 127.0.0.1."""
    guard = Guard(None, ["*"], behind_proxy)  # type: ignore[arg-type]
    scope = {"client": ("127.0.0.1", 5), "path": "/api/about", "scheme": "http"}
    return guard._request_of(scope, {"x-forwarded-for": forwarded}, None).client.address  # type: ignore[arg-type]


def test_forwarded_addresses_are_believed_behind_a_proxy_only() -> None:
    assert addresses_seen(False, "1.2.3.4") == "127.0.0.1"
    assert addresses_seen(True, "1.2.3.4") == "1.2.3.4"
    # What the visitor sent stands before what our proxy added.
    assert addresses_seen(True, "6.6.6.6, 1.2.3.4") == "1.2.3.4"
    assert addresses_seen(True, "6.6.6.6, 2001:db8::7") == "2001:db8::/64"


def test_a_forged_address_does_not_escape_the_limits(
    client: Any, context: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(context, "creation_limit", RateLimit(a_second=0.001, burst=1))
    codes = []
    for number in range(3):
        headers = {"x-forwarded-for": f"10.0.0.{number}"}
        made = client.post("/api/games", json={"board": random_board()}, headers=headers)
        codes.append(made.status_code)
    assert codes == [201, 429, 429]


def test_a_limit_keeps_short_keys_only() -> None:
    limit = RateLimit(a_second=1, burst=1)
    for number in range(50):
        limit.take(f"{number}" + "x" * 60_000)
    assert max(map(len, limit._buckets)) <= limits.MAX_KEY
    for number in range(11_000):
        limit.take(f"{number}")
    assert len(limit._buckets) <= 10_000


def test_the_cookie_can_be_for_https_only(client: Any, context: Any, monkeypatch: Any) -> None:
    plain = client.post("/api/me/consent", json={"agree": True}).headers["set-cookie"].lower()
    assert "secure" not in plain
    client.cookies.clear()
    monkeypatch.setattr(context, "settings", ServerSettings(secure_cookie=True))
    header = client.post("/api/me/consent", json={"agree": True}).headers["set-cookie"].lower()
    assert "secure" in header
    assert header.startswith("__host-")
    assert client.get("/api/about").headers.get("strict-transport-security") is None


def test_behind_a_proxy_with_https(client: Any, app: Any, monkeypatch: Any) -> None:
    guard = app.middleware_stack
    while not isinstance(guard, Guard):
        guard = guard.app
    monkeypatch.setattr(guard, "_behind_proxy", True)
    headers = {"x-forwarded-for": "9.9.9.9", "x-forwarded-proto": "https"}
    answer = client.post("/api/me/consent", json={"agree": True}, headers=headers)
    assert answer.headers["set-cookie"].startswith("__Host-")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    token = answer.headers["set-cookie"].split(";")[0]
    assert client.get("/api/me", headers=headers | {"cookie": token}).json()["consented"]


# -- the database ----------------------------------------------------------------------------


def test_deleting_oneself_while_games_are_made(browser: Any) -> None:
    """No request of such a race fails on the server, and nothing is left of the player."""
    codes: list[tuple[str, int]] = []
    for _ in range(5):
        client = browser()
        consent(client)
        cookies = dict(client.cookies)
        game = new_game(client)

        def create(cookies: Any = cookies) -> None:
            for seed in range(4):
                mine = browser()
                mine.cookies.update(cookies)
                made = mine.post("/api/games", json={"board": random_board(seed=seed)})
                codes.append(("create", made.status_code))

        def play(cookies: Any = cookies, game: Any = game) -> None:
            mine = browser()
            mine.cookies.update(cookies)
            codes.append(("move", move(mine, game, game["status"].index("1")).status_code))

        threads = [threading.Thread(target=work) for work in (create, create, play)]
        for thread in threads:
            thread.start()
        codes.append(("delete", client.delete("/api/me").status_code))
        for thread in threads:
            thread.join()
    assert {code for what, code in codes if what == "delete"} == {200}
    assert {code for what, code in codes if what == "create"} <= {201, 409}
    assert {code for what, code in codes if what == "move"} <= {200, 403, 404, 409}


def test_a_game_of_the_lesson_cannot_be_adopted(client: Any, context: Any) -> None:
    board = {"kind": "text", "mode": "flow", "rows": ["ooo"] * 3}
    lesson = new_game(client, board | {"lesson": True})
    usual = new_game(client, board)
    for game in (lesson, usual):
        client.post("/api/me/consent", json={"agree": True, "game": game["id"]})
    query = select(games.c.id).where(
        games.c.id.in_([lesson["id"], usual["id"]]) & games.c.player_id.is_not(None)
    )
    with context.store.read() as connection:
        assert connection.execute(query).scalars().all() == [usual["id"]]


def test_a_database_file_that_was_deleted_or_replaced(tmp_path: Any, caplog: Any) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(f"sqlite:///{path}")
    path.rename(tmp_path / "elsewhere")
    for replaced in (False, True):
        if replaced:
            sqlite3.connect(path).close()
            path.touch()
        with pytest.raises(Unavailable, match="lost its database"), store.write():
            pass
    assert "deleted or replaced" in caplog.text
    store.close()


def test_parameters_of_statements_stay_out_of_logs(context: Any) -> None:
    row = {"room": "NOROOM", "player_id": "secret-player", "name": "secret name", "joined": 0}

    def insert_wrongly() -> None:
        with context.store.write() as connection:
            connection.execute(insert(members).values(**row))

    with pytest.raises(IntegrityError) as error:
        insert_wrongly()
    assert "secret name" not in str(error.value)


def test_the_path_of_a_failed_request_stays_out_of_logs(
    client: Any, context: Any, monkeypatch: Any, caplog: Any
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(context.games, "find", fail)
    caplog.handler.filters.clear()  # a server that ran in this process has quieted it for good
    game = "0123456789abcdef" * 2
    assert client.get(f"/api/games/{game}").status_code == 500
    assert "/api/games/{game_id}" in caplog.text
    assert game not in caplog.text


def test_a_database_that_is_gone_or_full(client: Any, context: Any, monkeypatch: Any) -> None:
    from sqlalchemy.exc import OperationalError

    for reason, status in (("the server went away", 503), ("database or disk is full", 507)):

        def fail(*_: Any, reason: str = reason) -> None:
            raise OperationalError("SELECT", {}, Exception(reason))

        monkeypatch.setattr(context.games, "find", fail)
        answer = client.get(f"/api/games/{NO_GAME}")
        assert answer.status_code == status
        assert answer.json()["detail"]


# -- tables for spreadsheets -----------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["=1+1", "a;=1+1", "＝1+1", "a；＝cmd", "@x", "﹢1", "a, =b", '"=1', "; ;=x", "-2", "'=1"],
)
def test_no_cell_begins_a_formula(name: str) -> None:
    import unicodedata

    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerow([_harmless(name), 1])
    for separator in ",;":
        for row in csv.reader(io.StringIO(text.getvalue()), delimiter=separator):
            for cell in row:
                parts = unicodedata.normalize("NFKC", cell).replace(",", ";").split(";")
                assert not any(
                    part.strip(" \"'")[:1] in tuple("=+-@") and not part.strip(' "').startswith("'")
                    for part in parts
                    if part
                )
    assert _harmless("Ada-Lovelace = x") == "Ada-Lovelace = x"


# -- logs ------------------------------------------------------------------------------------


def test_lines_that_are_alike_are_logged_once_a_minute() -> None:
    shown: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            shown.append(record.getMessage())

    logger = logging.getLogger("pinchpoint.test.flood")
    handler = Handler()
    often = OnceAMinute(seconds=60)
    handler.addFilter(often)
    logger.addHandler(handler)
    for number in range(1000):
        logger.warning("connection %d was too slow", number)
    logger.warning("something else")
    assert shown == ["connection 0 was too slow", "something else"]
    often._seconds = 0
    logger.warning("connection %d was too slow", 1000)
    assert shown[-1] == "connection 1000 was too slow (and 999 more like this one)"
