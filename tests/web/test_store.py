"""The database: its migrations, and what holds when two servers use one."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, inspect, text

from chokepoint.errors import InputError
from chokepoint.web.db.schema import metadata, rooms
from chokepoint.web.db.store import Store, database_url
from chokepoint.web.puzzles import Catalogue, Positions, Puzzle, position_key


def test_migrations_make_the_tables_of_the_code(context: Any) -> None:
    with context.store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    context.store.migrate()  # up to date: nothing to do


def test_migrations_go_down_and_up_again(tmp_path: Any) -> None:
    import alembic.command
    import alembic.config

    from chokepoint.web.db import store as module

    store = Store(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    config = alembic.config.Config()
    folder = str(module.Path(module.__file__).parent / "migrations")
    config.set_main_option("script_location", folder)
    with store.write() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "base")
    with store.read() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    store.migrate()
    assert store.check_integrity() == "ok"
    store.close()


def test_many_processes_may_start_at_once(tmp_path: Any) -> None:
    errors: list[Exception] = []

    def start() -> None:
        try:
            Store(f"sqlite:///{tmp_path / 'x.sqlite3'}").close()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
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
