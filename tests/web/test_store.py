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
from sqlalchemy import create_engine, insert, inspect, text

from pinchpoint.errors import InputError
from pinchpoint.game.keys import position_key
from pinchpoint.web.db import store as store_module
from pinchpoint.web.db.schema import metadata, rooms
from pinchpoint.web.db.store import Store, database_url
from pinchpoint.web.puzzles import Catalogue, Positions, Puzzle


def test_migrations_make_the_tables_of_the_code(context: Any) -> None:
    with context.store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    context.store.migrate()  # up to date: nothing to do


def test_migrations_go_down_and_up_again(tmp_path: Any) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    downgraded(store, "base")
    with store.read() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    store.migrate()
    assert store.check_integrity() == "ok"
    store.close()


def downgraded(store: Store, revision: str) -> None:
    config = alembic.config.Config()
    folder = Path(store_module.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    with store.write() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, revision)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_of_the_first_version_is_upgraded_and_loses_nothing(
    kind: str, tmp_path: Any, request: Any
) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    if kind == "postgresql":
        url = database_url(own_database(request.getfixturevalue("postgres_url")))
    store = Store(url)
    downgraded(store, "0001")
    old = {
        "players": [{"id": p, "token_hash": p, "consent_version": 1, "created": 1} for p in "ab"],
        "boards": [
            {
                "id": "x",
                "mode": "flow",
                "options": "{}",
                "height": 1,
                "width": 1,
                "cells": "1",
                "created": 1,
            }
        ],
        "games": [
            old_game("1", "a", 10),
            old_game("2", "a", 20),
            old_game("3", "b", 15),
            old_game("4", None, 5),
            old_game("5", None, 6),
        ],
        "events": [
            {"game_id": "1", "turn": 0, "kind": "move", "ply": 0, "square": 0, "at": 11},
        ],
        "rooms": [{"code": "R", "key_hash": "k", "title": "T", "boards": "[]", "created": 1}],
    }
    with store.write() as connection:
        for name, rows in old.items():
            for row in rows:
                columns = ", ".join(f'"{column}"' for column in row)
                values = ", ".join(f":{column}" for column in row)
                connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), row)
    store.migrate()
    with store.read() as connection:
        for name, rows in old.items():
            found = connection.execute(text(f"SELECT * FROM {name}")).mappings().all()
            for row in rows:
                assert any(row.items() <= dict(now).items() for now in found), (name, row)
            assert len(found) == len(rows)
        first = dict(connection.execute(text('SELECT id, "first" FROM games')).all())
        assert {k: bool(v) for k, v in first.items()} == {
            "1": True,
            "2": False,
            "3": True,
            "4": True,
            "5": True,
        }
        assert "takeover" in connection.execute(text("SELECT allowed FROM rooms")).scalar_one()
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


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


def own_database(server: str) -> str:
    """Make an empty database on the server and return its URL."""
    engine = create_engine(database_url(server), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE upgraded"))
    engine.dispose()
    return server.rpartition("/")[0] + "/upgraded"


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
