"""Room on the disk: what each address and all visitors may store, and what is deleted when.

Sizes are rough figures of what a row takes with its indexes; the limits are far above what people
need and far below what fills a disk.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

from sqlalchemy import Connection, delete, or_, select, text

from pinchpoint.errors import InputError
from pinchpoint.web.current_request import current_request
from pinchpoint.web.db.schema import boards, games, members, players, rooms, solutions
from pinchpoint.web.db.store import Store, now, opened_store
from pinchpoint.web.limits import FULL, Full, RateLimit

log = logging.getLogger(__name__)

BYTES = {"board": 2500, "game": 1000, "event": 250, "player": 400, "room": 800, "member": 300}
DAILY_BYTES = 50_000_000  # for each address: some 10,000 games
DAY = 24 * 3600 * 1000  # milliseconds
BOARDS_KEPT = DAY  # boards of no game and no room
ROOMS_KEPT = 400 * DAY  # rooms in which nobody plays, and players who have played nothing
MAX_SOLUTIONS = 200_000  # the newest; others are worked out again when they are asked for
AT_ONCE = 2000  # rows that are deleted in one transaction: players wait for it


class Storage:
    """Counts what visitors store, refuses what is too much, and deletes what is old."""

    def __init__(self, store: Store, max_bytes: float, limited: bool = True) -> None:
        self._store, self._max_bytes = store, max_bytes
        says = "this address has stored as much as it may in a day; try again tomorrow"
        self._storing = RateLimit(DAILY_BYTES / 86_400, DAILY_BYTES, limited, says)
        self._full = False
        self.measure()

    def charge(self, what: str, count: int = 1) -> None:
        """Charge rows to whoever is asking; refuse the visitor who stores too much."""
        self._storing.take(current_request().client.address, BYTES[what] * count)

    def check_room(self) -> None:
        """Refuse anything new while the database is as large as it may get."""
        if self._full:
            raise Full(FULL)

    def measure(self) -> int:
        """Return the bytes that the database takes, and note whether that is too much."""
        size = database_bytes(self._store)
        if size > self._max_bytes and not self._full:
            log.error("the database has %d MB, which is all that it may have", size // 1_000_000)
        self._full = size > self._max_bytes
        return size

    def clean(self) -> None:
        """Delete what nobody will ask for again; games of players who consented stay."""
        clean(self._store, rooms=now() - ROOMS_KEPT, boards=now() - BOARDS_KEPT)
        self.measure()


def database_bytes(store: Store) -> int:
    """Return the size of the data; space in a SQLite file that is free again does not count."""
    with store.read() as connection:
        if not store.is_sqlite:
            size = connection.execute(text("SELECT pg_database_size(current_database())"))
            return int(size.scalar_one())
        pages, free, size_of_page = (
            int(connection.execute(text(f"PRAGMA {name}")).scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size_of_page


# -- deleting --------------------------------------------------------------------------------


def clean(
    store: Store, games: int = 0, rooms: int = 0, boards: int = 0, solutions: int = 0
) -> dict[str, int]:
    """Delete old games, then rooms, players and boards that nothing uses any more.

    What was there before these times, in milliseconds since 1970, is old; 0 keeps it all. Return
    how many of each were deleted.
    """
    gone = {}
    for name, delete_some, before in (
        ("games", _old_games, games),
        ("rooms", _old_rooms, rooms),
        ("players", _idle_players, rooms),
        ("boards", _unused_boards, boards),
        ("solutions", _old_solutions, solutions),
    ):
        gone[name] = 0
        while count := _some(store, delete_some, before):
            gone[name] += count
    return gone


def _some(store: Store, step: Callable[[Connection, int], int], before: int) -> int:
    with store.write() as connection:
        return step(connection, before)


def _old_games(connection: Connection, before: int) -> int:
    old = games.c.updated < before
    some = select(games.c.id).where(old).limit(AT_ONCE)
    # The condition again: a game may have gone on since it was selected.
    return int(connection.execute(delete(games).where(old & games.c.id.in_(some))).rowcount)


def _old_rooms(connection: Connection, before: int) -> int:
    played = select(games.c.id).where((games.c.room == rooms.c.code) & (games.c.updated >= before))
    query = select(rooms.c.code).where((rooms.c.created < before) & ~played.exists())
    old = rooms.c.code.in_(query.limit(AT_ONCE))
    return int(connection.execute(delete(rooms).where(old)).rowcount)


def _idle_players(connection: Connection, before: int) -> int:
    plays = select(games.c.id).where(games.c.player_id == players.c.id)
    joined = select(members.c.room).where(members.c.player_id == players.c.id)
    idle = (players.c.created < before) & ~plays.exists() & ~joined.exists()
    return int(connection.execute(delete(players).where(idle)).rowcount)


def _unused_boards(connection: Connection, before: int) -> int:
    used = select(games.c.id).where(games.c.board_id == boards.c.id)
    query = select(boards.c.id).where((boards.c.created < before) & ~used.exists())
    unused = set(connection.execute(query.limit(AT_ONCE)).scalars())
    if unused:
        for listed in connection.execute(select(rooms.c.boards)).scalars():
            unused.difference_update(json.loads(listed))
    for start in range(0, len(unused), 500):
        some = sorted(unused)[start : start + 500]
        connection.execute(delete(boards).where(boards.c.id.in_(some)))
    return len(unused)


def _old_solutions(connection: Connection, before: int) -> int:
    at = solutions.c.at
    newest = select(at).order_by(at.desc()).offset(MAX_SOLUTIONS).limit(1)
    surplus = connection.execute(newest).scalar()
    old = or_(at < before, at <= (surplus if surplus is not None else -1))
    return int(connection.execute(delete(solutions).where(old)).rowcount)


def clean_database(database: str, days: float) -> tuple[dict[str, int], int, int]:
    """Delete what is older than so many days, for `pinchpoint games clean`.

    Return what was deleted, and the bytes of the database before and afterwards.
    """
    if days < 0:
        raise InputError(f"--older-than is {days:g}; it must be 0 days or more")
    with opened_store(database) as store:
        size = database_bytes(store)
        before = now() - int(days * DAY)
        gone = clean(store, before, before, before, before)
        store.compact()
        return gone, size, database_bytes(store)
