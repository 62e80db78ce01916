"""What a server is started with, and the limits it holds its visitors to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# Sizes of what a visitor may send. Each is checked before anything is stored.
MIN_SIDE, MAX_SIDE = 5, 40  # squares a side of a random board
MAX_BODY = 64 * 1024  # bytes
MAX_NAME = 24  # characters
MAX_TITLE = 80
MAX_ROOM_BOARDS = 30
MAX_ROOM_MEMBERS = 200
MAX_THINK = 24 * 3600 * 1000  # milliseconds
DAY = 24 * 3600 * 1000  # milliseconds
UNCONSENTED_KEPT = DAY  # how long a game without consent is kept after its last move


@dataclass(frozen=True)
class Settings:
    """How one server runs."""

    database: str = ""  # SQLAlchemy URL, or a path of a SQLite file; empty: in the data folder
    modes: tuple[str, ...] = ()  # custom modes, package.module:Name
    workers: int = 2  # processes for solvers and agents
    warm: bool = True  # start these processes at once
    rate_limits: bool = True
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")  # names in the address; * for any
    solve_seconds: tuple[float, ...] = (2.0, 20.0)  # time for par: first try, second try

    def database_url(self) -> str:
        """The URL of the database, its folder made where needed."""
        if "://" in self.database:
            url = self.database
            for short in ("postgresql://", "postgres://"):
                if url.startswith(short):  # the driver that we install
                    url = "postgresql+psycopg://" + url.removeprefix(short)
            return url
        path = Path(self.database) if self.database else data_folder() / "games.sqlite3"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return f"sqlite:///{path}"


def data_folder() -> Path:
    """Where the user's data live (XDG_DATA_HOME, or ~/.local/share)."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "chokepoint"
