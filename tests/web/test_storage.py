"""What visitors may store, what is deleted when, and rooms that one visitor cannot take over."""

from __future__ import annotations

from typing import Any

import pytest
from playing import consent, move, new_game, play_out, random_board, step
from sqlalchemy import delete, func, select, update

from pinchpoint.cli.main import main
from pinchpoint.web import games as game_module
from pinchpoint.web import storage as module
from pinchpoint.web.db.schema import boards, games, players, rooms, solutions
from pinchpoint.web.db.store import Store, insert_new, now
from pinchpoint.web.limits import RateLimit
from pinchpoint.web.storage import DAY, clean


def count(store: Store, table: Any) -> int:
    with store.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_an_address_has_a_daily_budget(client: Any, context: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(context.storage, "_storing", RateLimit(0.001, 10_000))
    game = new_game(client)
    room = {"title": "Large", "boards": [random_board(seed=s) for s in range(30)]}
    before = count(context.store, boards)
    assert client.post("/api/rooms", json=room).status_code == 429
    assert count(context.store, boards) == before
    codes = set()
    for _ in range(40):
        answer = step(client, game, "restart")
        codes.add(answer.status_code)
        game = answer.json() if answer.status_code == 200 else game
    assert codes == {200, 429}


def test_a_full_database_takes_nothing_new(client: Any, context: Any, monkeypatch: Any) -> None:
    game = new_game(client)
    monkeypatch.setattr(context.storage, "_max_bytes", 1000)
    context.storage.measure()
    for path, body in (
        ("/api/games", {"board": random_board()}),
        ("/api/rooms", {"title": "R", "boards": [random_board()]}),
        ("/api/me/consent", {"agree": True}),
    ):
        answer = client.post(path, json=body)
        assert answer.status_code == 507
        assert "no room left" in answer.json()["detail"]
    assert move(client, game, game["status"].index("1")).status_code == 200  # games go on
    monkeypatch.undo()
    context.storage.measure()
    new_game(client)


def test_a_game_has_an_end_of_its_log(client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(game_module, "MAX_EVENTS", 3)
    game = new_game(client)
    for _ in range(3):
        game = step(client, game, "restart").json()
    assert step(client, game, "restart").status_code == 409


def test_what_nothing_uses_is_deleted(client: Any, context: Any, monkeypatch: Any) -> None:
    store = context.store
    kept = new_game(client, random_board(seed=901))
    lost = new_game(client, random_board(seed=902))
    in_room = random_board(seed=903)
    client.post("/api/rooms", json={"title": "R", "boards": [in_room]})
    with store.write() as connection:
        connection.execute(delete(games).where(games.c.id == lost["id"]))
        old = now() - 2 * DAY
        connection.execute(update(boards).values(created=old))
        connection.execute(update(rooms).values(created=old))
    clean(store, boards=now() - DAY)
    ids = context.store.read()
    with ids as connection:
        left = set(connection.execute(select(boards.c.id)).scalars())
    assert kept["board"] in left
    assert new_game(client, in_room)["board"] in left
    assert lost["board"] not in left
    new_game(client, random_board(seed=902))  # the board is stored anew


def test_solutions_are_bounded(context: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MAX_SOLUTIONS", 5)
    values = {"value": 1, "bound": 1, "moves": "[0]", "seconds": 1.0}
    with context.store.write() as connection:
        for k in range(12):
            insert_new(connection, solutions, position=f"test{k}", at=now() + 1000 + k, **values)
    clean(context.store)
    with context.store.read() as connection:
        left = set(connection.execute(select(solutions.c.position)).scalars())
    assert left == {f"test{k}" for k in range(7, 12)}
    with context.store.write() as connection:
        connection.execute(solutions.delete())


def test_the_command_that_cleans(client: Any, context: Any, database: str, capsys: Any) -> None:
    consent(client)
    old, new = (play_out(client, new_game(client, random_board("flow", 6))) for _ in range(2))
    with context.store.write() as connection:
        connection.execute(
            update(games).where(games.c.id == old["id"]).values(updated=now() - 20 * DAY)
        )
    assert main(["games", "clean", "--database", database, "--older-than", "10"]) == 0
    assert "deleted 1 games" in capsys.readouterr().out
    assert client.get(f"/api/games/{old['id']}").status_code == 404
    assert client.get(f"/api/games/{new['id']}").status_code == 200
    assert main(["games", "clean", "--database", database]) == 2
    assert main(["games", "clean", "--database", database, "--older-than", "-1"]) == 2


def test_players_who_played_nothing_are_forgotten(client: Any, context: Any) -> None:
    consent(client)
    with context.store.write() as connection:
        connection.execute(update(players).values(created=now() - 2 * DAY))
    before = count(context.store, players)
    assert clean(context.store, rooms=now() - DAY)["players"] >= 1
    assert count(context.store, players) < before
    assert client.get("/api/me").json()["consented"] is False


# -- rooms -----------------------------------------------------------------------------------


@pytest.fixture
def room(client: Any) -> Any:
    return client.post("/api/rooms", json={"title": "R", "boards": [random_board()]}).json()


def join(client: Any, room: Any, name: str = "Ada") -> Any:
    return client.post(f"/api/rooms/{room['code']}/members", json={"name": name, "agree": True})


def test_one_address_cannot_fill_a_room(
    browser: Any, context: Any, room: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(context, "join_limit", RateLimit(0.001, 40))
    codes = [join(browser(), room, f"P{k}").status_code for k in range(45)]
    assert codes == [201] * 40 + [429] * 5


def test_codes_of_rooms_cannot_be_guessed(
    browser: Any, context: Any, room: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(context, "guess_limit", RateLimit(0.001, 30))
    pupil = browser()
    assert join(pupil, room).status_code == 201
    stranger = browser()
    codes = [stranger.get(f"/api/rooms/AAAA{k}").status_code for k in range(22, 60)]
    assert codes == [404] * 30 + [429] * 8
    # Even a right code tells nothing any more, but those who are in the room are not disturbed.
    assert stranger.get(f"/api/rooms/{room['code']}").status_code == 429
    assert pupil.get(f"/api/rooms/{room['code']}").status_code == 200


def test_the_teacher_locks_and_removes(browser: Any, client: Any, room: Any) -> None:
    url, key = f"/api/rooms/{room['code']}", {"x-room-key": room["key"]}
    ada, troll = browser(), browser()
    assert join(ada, room, "Ada").status_code == 201
    assert join(troll, room, "Troll").status_code == 201
    play_out(troll, new_game(troll, {"kind": "room", "room": room["code"], "number": 0}))
    wrong = {"x-room-key": "no"}
    assert ada.put(f"{url}/lock", json={"locked": True}, headers=wrong).status_code == 403
    assert client.put(f"{url}/lock", json={"locked": True}, headers=key).status_code == 200
    assert join(browser(), room).status_code == 409
    assert join(ada, room).status_code == 201  # she is in already
    shown = client.get(f"{url}/results", headers=key).json()
    assert shown["locked"]
    ids = {row["name"]: row["member"] for row in shown["rows"]}
    assert ada.delete(f"{url}/members/{ids['Troll']}", headers=wrong).status_code == 403
    assert client.delete(f"{url}/members/{ids['Troll']}", headers=key).status_code == 204
    assert client.delete(f"{url}/members/{ids['Troll']}", headers=key).status_code == 404
    rows = client.get(f"{url}/results", headers=key).json()["rows"]
    assert [row["name"] for row in rows] == ["Ada"]
    again = {"kind": "room", "room": room["code"], "number": 0}
    assert troll.post("/api/games", json={"board": again}).status_code == 403
    assert join(troll, room).status_code == 409
    assert client.put(f"{url}/lock", json={"locked": False}, headers=key).status_code == 200
    assert join(troll, room).status_code == 201
