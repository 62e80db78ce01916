"""The database: where it is, and how it is opened, brought up to date, read and written."""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import alembic.command
import alembic.config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Insert, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DatabaseError

from pinchpoint.errors import InputError
from pinchpoint.web.limits import Unavailable

log = logging.getLogger(__name__)

CONNECTIONS = 40  # one for each thread that answers requests
PATIENCE = 30  # seconds that a SQLite database may be locked by others
DAMAGE = (DatabaseError, UnicodeDecodeError)  # the latter from SQLite's own messages
MAX_VALUE = 2**26  # bytes of one value in a SQLite file
MIGRATION_LOCK = 7_266_111  # any number, the same in every process


def database_url(database: str) -> str:
    """Return the SQLAlchemy URL of a database given by URL or file; make its folder if needed.

    An empty name stands for a file in the user's data folder.
    """
    if "://" in database:
        for short in ("postgresql://", "postgres://"):
            if database.startswith(short):  # name the driver that the extra `web` installs
                return "postgresql+psycopg://" + database.removeprefix(short)
        return database
    path = Path(database) if database else default_database()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot open the database {path}: {error.strerror or error}") from None
    return f"sqlite:///{path}"


def default_database() -> Path:
    """Return the database in the folder of the user's data (XDG_DATA_HOME, or ~/.local/share).

    The package was called Chokepoint before: a database of that time goes on being used.
    """
    home = os.environ.get("XDG_DATA_HOME")
    data = Path(home) if home else Path.home() / ".local" / "share"
    usual, earlier = (data / name / "games.sqlite3" for name in ("pinchpoint", "chokepoint"))
    return earlier if earlier.exists() and not usual.exists() else usual


def now() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Return a random id that cannot be guessed."""
    return secrets.token_hex(16)


def hash_secret(secret: str) -> str:
    """Return the hash by which the database recognises a cookie or a key without holding it."""
    return sha256(secret.encode()).hexdigest()


@contextmanager
def opened_store(database: str) -> Iterator[Store]:
    """Open a database for a command; whatever is wrong with it is one sentence."""
    if database and "://" not in database and not Path(database).exists():
        raise InputError(f"there is no database {database}")
    url = database_url(database)
    store = Store(url)
    try:
        yield store
    except DAMAGE as error:
        raise _failed("read", url, error) from None
    finally:
        store.close()


def _failed(what: str, url: str, error: Exception) -> InputError:
    head, at, tail = url.rpartition("@")
    address = f"{head.split('://')[0]}://…@{tail}" if at else url  # without the password
    reason = str(getattr(error, "orig", error)).strip().splitlines() or [type(error).__name__]
    return InputError(f"cannot {what} the database {address}: {reason[0]}")


class Store:
    """One database, SQLite or PostgreSQL, used by many threads and perhaps many processes."""

    def __init__(self, url: str) -> None:
        try:
            self.engine = _engine(url)
        except (ArgumentError, *DAMAGE, ModuleNotFoundError) as error:
            raise _failed("open", url, error) from None
        try:
            self.is_sqlite = self.engine.dialect.name == "sqlite"
            # SQLite allows one writer at a time. Threads queue at this lock, where waiting costs
            # nothing; only other processes are waited for inside the database.
            self._writer: AbstractContextManager[Any] = Lock() if self.is_sqlite else nullcontext()
            self._file: str | None = None
            self._identity: tuple[int, int] | None = None
            self._check_schema()
            self.migrate()
            if self.is_sqlite:
                self._file = str(self.engine.url.database)
                self._identity = _identity(self._file)
        except (*DAMAGE, CommandError) as error:
            self.close()  # at once, and not when somebody collects the garbage
            raise _failed("open", url, error) from None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that only reads."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed when the block ends, and undone if it raises."""
        self.check_file()
        with self._writer, self.engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                yield connection

    def check_file(self) -> None:
        """Refuse to go on with a SQLite file that was deleted or replaced while it was open.

        The system lets us write into such a file, but nobody can ever read it again.
        """
        if self._file is not None and _identity(self._file) != self._identity:
            log.error(
                "the database file %s was deleted or replaced; restart the server", self._file
            )
            raise Unavailable("the server has lost its database; whoever runs it has to restart it")

    def _check_schema(self) -> None:
        """Refuse a SQLite file that brings SQL of its own, which would run when we read it."""
        if not self.is_sqlite:
            return
        own = text("SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')")
        with self.read() as connection:
            name = connection.execute(own).scalar()
        if name is not None:
            self.close()
            raise InputError(
                f"cannot open the database {self.engine.url.database}: it has a view or a trigger "
                f"{name!r}, and ours have none"
            )

    def migrate(self) -> None:
        """Bring the tables up to date; of several processes one does it while the others wait."""
        config = alembic.config.Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.write() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, "head")

    def check_integrity(self) -> str:
        """Return "ok" or what is wrong with a SQLite file; PostgreSQL checks itself."""
        if not self.is_sqlite:
            return "ok"
        with self.read() as connection:
            return str(connection.execute(text("PRAGMA integrity_check")).scalar())

    def forget_deleted(self) -> None:
        """Remove deleted rows from the write-ahead log too."""
        if self.is_sqlite:
            with self.engine.connect().execution_options(
                isolation_level="AUTOCOMMIT"
            ) as connection:
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))

    def compact(self) -> None:
        """Give back to the system what a SQLite file no longer needs; PostgreSQL does so itself."""
        if self.is_sqlite:
            connection = self.engine.raw_connection()  # SQLAlchemy would begin a transaction
            connection.cursor().execute("VACUUM")
            connection.close()

    def close(self) -> None:
        self.engine.dispose()


def insert_new(connection: Connection, table: Table, **values: Any) -> None:
    """Insert a row unless one with its key is there already."""
    dialects: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
    statement: Insert = dialects[connection.dialect.name](table).values(**values)
    connection.execute(statement.on_conflict_do_nothing())  # type: ignore[attr-defined]


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(
            url,
            pool_size=10,
            max_overflow=CONNECTIONS - 10,
            pool_pre_ping=True,
            hide_parameters=True,  # they are personal data, which have no place in logs
        )
    if url in ("sqlite://", "sqlite:///:memory:"):
        raise InputError("a database in memory cannot be shared between threads; give a file")
    engine = create_engine(
        url, pool_size=CONNECTIONS, connect_args={"timeout": PATIENCE}, hide_parameters=True
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # _begin_sqlite begins the transactions
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    # A commit in the write-ahead log survives the death of the process; the log is merged into
    # the file later. secure_delete overwrites what is deleted.
    _turn_on_log(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _turn_on_log(connection: Any) -> None:
    """Turn on the write-ahead log; SQLite itself does not wait for others who do the same."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: two readers that both turn into writers would deadlock.
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells a file from another one at the same path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
