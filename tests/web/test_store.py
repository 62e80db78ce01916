"""The database: its migrations, its transactions, and the ids and codes that are stored."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, delete, insert, select, text
from sqlalchemy.exc import IntegrityError

from pinchpoint.errors import InputError
from pinchpoint.game.keys import position_key
from pinchpoint.web.db import store as store_module
from pinchpoint.web.db.schema import (
    boards,
    events,
    games,
    members,
    metadata,
    rooms,
    seen_solutions,
)
from pinchpoint.web.db.store import Store, database_url
from pinchpoint.web.puzzles import Catalogue, Positions, Puzzle


def test_migrations_make_the_tables_of_the_code(context: Any) -> None:
    with context.store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    context.store.migrate()  # up to date: nothing to do


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_of_the_first_version_is_upgraded_and_loses_nothing(
    kind: str, tmp_path: Any, request: Any
) -> None:
    url = new_database(kind, "first", tmp_path, request)
    old = {
        "players": [{"id": p, "token_hash": p, "consent_version": 1, "created": 1} for p in "ab"],
        "boards": [OLD_BOARD],
        "games": [
            old_game("1", "a", 10),
            old_game("2", "a", 20),
            old_game("3", "b", 15),
            old_game("4", None, 5),
            old_game("5", None, 6),
        ],
        "events": [{"game_id": "1", "turn": 0, "kind": "move", "ply": 0, "square": 0, "at": 11}],
        "rooms": [{"code": "R", "key_hash": "k", "title": "T", "boards": "[]", "created": 1}],
        "members": [{"room": "R", "player_id": "a", "name": "A", "joined": 2}],
    }
    store = upgraded(url, "0001", old)
    with store.read() as connection:
        first = dict(connection.execute(text('SELECT id, "first" FROM games')).all())
        assert {k: bool(v) for k, v in first.items()} == {
            "1": True,
            "2": False,
            "3": True,
            "4": True,
            "5": True,
        }
        assert "takeover" in connection.execute(text("SELECT allowed FROM rooms")).scalar_one()
    store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_cascades_come_to_a_database_that_has_none(kind: str, tmp_path: Any, request: Any) -> None:
    url = new_database(kind, "third", tmp_path, request)
    old = {
        "players": [{"id": "a", "token_hash": "a", "consent_version": 1, "created": 1}],
        "boards": [OLD_BOARD],
        "games": [old_game("1", "a", 10), old_game("2", "a", 20)],
        "events": [
            {"game_id": game, "turn": turn, "kind": "move", "ply": 0, "square": 0, "at": 11}
            for game in "12"
            for turn in range(3)
        ],
        "rooms": [{"code": "R", "key_hash": "k", "title": "T", "boards": "[]", "created": 1}],
        "members": [{"room": "R", "player_id": "a", "name": "A", "joined": 2}],
        "looks": [{"board_id": "x", "looker": "a", "at": 7}],
    }
    store = upgraded(url, "0003", old)
    with store.write() as connection:
        seen = connection.execute(select(seen_solutions)).all()
        assert [tuple(row) for row in seen] == [("x", "a", 7)]
        connection.execute(delete(games).where(games.c.id == "1"))
        connection.execute(delete(rooms))
        left = connection.execute(select(events.c.game_id)).scalars().all()
        assert left == ["2"] * 3
        assert connection.execute(select(members)).all() == []
        connection.execute(delete(games))
        connection.execute(delete(boards))
        assert connection.execute(select(seen_solutions)).all() == []
    with pytest.raises(IntegrityError), store.write() as connection:  # references are still checked
        connection.execute(insert(members).values(room="R", player_id="a", name="A", joined=2))
    store.close()


OLD_BOARD = {
    "id": "x",
    "mode": "flow",
    "options": "{}",
    "height": 1,
    "width": 1,
    "cells": "1",
    "created": 1,
}


def new_database(kind: str, name: str, folder: Path, request: Any) -> str:
    if kind == "postgresql":
        return database_url(own_database(request.getfixturevalue("postgres_url"), name))
    return f"sqlite:///{folder / 'old.sqlite3'}"


def upgraded(url: str, revision: str, old: dict[str, list[dict[str, Any]]]) -> Store:
    """Make a database of an earlier version, bring it up to date, and see that nothing is lost."""
    config = alembic.config.Config()
    folder = Path(store_module.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    engine = create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, revision)
        for name, rows in old.items():
            for row in rows:
                columns = ", ".join(f'"{column}"' for column in row)
                values = ", ".join(f":{column}" for column in row)
                connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), row)
    engine.dispose()
    store = Store(url)
    with store.read() as connection:
        for name, rows in old.items():
            if name == "looks":  # which has another name since
                continue
            found = connection.execute(text(f"SELECT * FROM {name}")).mappings().all()
            for row in rows:
                assert any(row.items() <= dict(now).items() for now in found), (name, row)
            assert len(found) == len(rows)
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    return store


def old_game(name: str, player: str | None, created: int) -> dict[str, Any]:
    counts = dict.fromkeys(("hints", "peeks", "undos", "agent_moves"), 0)
    return {
        "id": name,
        "board_id": "x",
        "player_id": player,
        "origin": "{}",
        "version": "0",
        "created": created,
        "updated": created,
        "turn": 1,
        "line": "[0]",
        "ply": 1,
        "done": True,
    } | counts


def own_database(server: str, name: str) -> str:
    """Make an empty database on the server and return its URL."""
    engine = create_engine(database_url(server), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.rpartition("/")[0] + f"/{name}"


def test_many_processes_may_start_at_once(tmp_path: Any) -> None:
    errors: list[Exception] = []

    def start(number: int) -> None:
        try:
            Store(f"sqlite:///{tmp_path / f'{number}.sqlite3'}").close()
        except Exception as error:
            errors.append(error)

    for number in range(10):
        threads = [threading.Thread(target=start, args=(number,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def test_a_transaction_that_fails_leaves_nothing(context: Any) -> None:
    row = {"code": "TEST00", "key_hash": "", "title": "", "boards": "[]", "created": 0}

    def fail_half_way() -> None:
        with context.store.write() as connection:
            connection.execute(insert(rooms).values(**row))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    with context.store.read() as connection:
        found = connection.execute(text("SELECT 1 FROM rooms WHERE code = 'TEST00'")).first()
    assert found is None


@pytest.mark.parametrize(
    "database",
    ["sqlite:///:memory:", "/proc/nothing/games.sqlite3", "mysql://u:secret@h/d", "nonsense://x"],
)
def test_databases_that_cannot_be_opened(database: str) -> None:
    with pytest.raises((InputError, OSError)) as error:
        Store(database_url(database))
    assert "secret" not in str(error.value)


def test_urls() -> None:
    assert database_url("postgresql://u@h/d") == "postgresql+psycopg://u@h/d"


def test_a_database_of_the_earlier_name_goes_on_being_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    usual = tmp_path / "pinchpoint" / "games.sqlite3"
    assert database_url("") == f"sqlite:///{usual}"
    earlier = tmp_path / "chokepoint" / "games.sqlite3"
    earlier.parent.mkdir()
    earlier.touch()
    assert database_url("") == f"sqlite:///{earlier}"
    usual.touch()
    assert database_url("") == f"sqlite:///{usual}"


def test_positions_do_not_depend_on_what_is_kept() -> None:
    puzzle = Puzzle.from_rows(Catalogue().make("network", {}), ["ooooo"] * 5)
    small, fresh = Positions(size=2), Positions()
    moves: list[int] = []
    for square in (12, 7, 2, 17):
        moves.append(square)
        assert (small.at(puzzle, moves).status == fresh.at(puzzle, moves).status).all()
    assert small.at(puzzle, [12]).history(0) == [12]
    assert position_key(fresh.at(puzzle, [7, 12])) == position_key(fresh.at(puzzle, [12, 7]))
    assert position_key(fresh.at(puzzle, [7, 12])) != position_key(fresh.at(puzzle, [12, 2]))


def test_codes_hold_any_board() -> None:
    catalogue = Catalogue(("ring_mode:Heavy",))
    for rows, mode, options in (
        (["ooo", "o#o", "ooo"], "noodle", {"inclusive": False, "K": 3.0}),
        (["o" * 40] * 40, "flow", {"axis": "both"}),
        (["oooooooooo"], "heavy", {}),
    ):
        puzzle = Puzzle.from_rows(catalogue.make(mode, options), rows)
        again = Puzzle.from_code(puzzle.code, catalogue)
        assert (again.id, again.rows(), again.mode) == (puzzle.id, rows, puzzle.mode)


ROWS = ["oooooo", "oo#ooo", "oooooo", "ooo#oo"]


@pytest.mark.parametrize(
    ("mode", "options", "board", "code", "start", "after"),
    [
        (
            "network",
            {},
            "c86d362c827a6bbeee766f786279d425",
            "AQQGDlsibmV0d29yayIse31d_3_7zxSqQg",
            "ad0a0be42bc14106c1698be3805d854f",
            "413d23fa99e1b11eea3792e4faaa6e76",
        ),
        (
            "flow",
            {"axis": "both"},
            "d96b4b6a46f4f7d7c955eb57ba0a247b",
            "AQQGGFsiZmxvdyIseyJheGlzIjoiYm90aCJ9Xf9_-0vk3Ts",
            "aea93b636f1835f164689f6669369fb0",
            "612ab8d999b87470b4fb761fcd854fce",
        ),
        (
            "noodle",
            {"K": 2.5},
            "1b5fd292167762fda275c918217c7c65",
            "AQQGFFsibm9vZGxlIix7IksiOjIuNX1d_3_7FoSaLQ",
            "607a0b0957038736113fbf5b3cf57185",
            "e8074e938a77511ddb57802c78df6355",
        ),
    ],
)
def test_what_databases_and_links_hold_never_changes(
    mode: str, options: Any, board: str, code: str, start: str, after: str
) -> None:
    """Ids of boards, share codes, and keys of positions before and after an attack on square 7."""
    puzzle = Puzzle.from_rows(Catalogue().make(mode, options), ROWS)
    assert (puzzle.id, puzzle.code) == (board, code)
    positions = Positions()
    keys = [position_key(positions.at(puzzle, moves)) for moves in ((), (7,))]
    assert keys == [start, after]
