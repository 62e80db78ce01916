"""Puzzles: a board with its mode, its id and share code; daily puzzles; positions in play."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np
from cachetools import LRUCache

from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards, make_boards, parse_rows, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import BUILT_IN, get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.web.campaign import levels
from pinchpoint.web.limits import MAX_NUMBER, MAX_SIDE
from pinchpoint.web.messages import (
    CampaignBoard,
    DailyBoard,
    LinkedBoard,
    RandomBoard,
    TextBoard,
)
from pinchpoint.web.origins import (
    CampaignOrigin,
    DailyOrigin,
    LessonOrigin,
    LinkOrigin,
    Origin,
    RandomOrigin,
    TextOrigin,
)

CODE_VERSION = 1
FIRST_DAY = date(2026, 1, 1)
# Size and density of the daily puzzles, Monday first: small on Mondays, large at weekends.
WEEK = ((8, 0.85), (9, 0.8), (10, 0.8), (11, 0.75), (12, 0.8), (14, 0.75), (16, 0.8))


class Catalogue:
    """The modes that this server offers, by the names that visitors see.

    A name from a visitor is only ever looked up here; it never reaches an import.
    """

    def __init__(self, custom: Sequence[str] = ()) -> None:
        self.kinds = dict(BUILT_IN)
        for path in custom:
            kind = type(get_mode(path))
            if kind.name in self.kinds:
                raise InputError(f"{path}: there is already a mode called {kind.name!r}")
            self.kinds[kind.name] = kind

    def make(self, name: str, options: dict[str, Any]) -> Mode:
        """Return the mode of that name with these options."""
        if name not in self.kinds:
            raise InputError(f"there is no mode {name!r} here; choose from {', '.join(self.kinds)}")
        for key, value in options.items():
            if not isinstance(value, str | int | float | bool):
                raise InputError(f"option {key!r} must be text, a number, true or false")
            if isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
                raise InputError(f"option {key!r} must be from -{MAX_NUMBER} to {MAX_NUMBER}")
        return get_mode(self.kinds[name].path or name, **options)

    def from_reference(self, reference: str, options: dict[str, Any]) -> Mode:
        """Return a mode that the database names; refuse one that this server does not offer."""
        for name, kind in self.kinds.items():
            if (kind.path or name) == reference:
                return self.make(name, options)
        raise InputError(f"this server was not started with the mode {reference!r}")


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A board with its mode, and the names by which links and databases know it."""

    boards: Boards  # of length 1, on the square lattice

    @staticmethod
    def of(boards: Boards) -> Puzzle:
        """Make a puzzle of a board; refuse one that is too large or over."""
        puzzle = Puzzle(boards)
        if max(puzzle.height, puzzle.width) > MAX_SIDE:
            raise InputError(
                f"the board has {puzzle.height} × {puzzle.width} squares; at most "
                f"{MAX_SIDE} × {MAX_SIDE} can be played here"
            )
        if puzzle.games().done[0]:
            raise InputError(
                f"this board is over before the first move in mode {puzzle.mode.name}; "
                "choose one with an active piece"
            )
        return puzzle

    @staticmethod
    def from_cells(mode: Mode, height: int, width: int, cells: str) -> Puzzle:
        """Return a puzzle that was stored."""
        opened = np.frombuffer(cells.encode(), dtype=np.uint8) - ord("0")
        return Puzzle(make_boards(opened.reshape(height, width), mode))

    @staticmethod
    def from_rows(mode: Mode, rows: Sequence[str]) -> Puzzle:
        """Make a puzzle of the rows of a text board."""
        if len(rows) > MAX_SIDE or any(len(row) > MAX_SIDE for row in rows):
            widest = max((len(row) for row in rows), default=0)
            raise InputError(
                f"the board has {len(rows)} rows of up to {widest} squares; "
                f"at most {MAX_SIDE} × {MAX_SIDE} can be played here"
            )
        return Puzzle.of(make_boards(parse_rows(rows), mode))

    @staticmethod
    def from_code(code: str, catalogue: Catalogue) -> Puzzle:
        """Read a share code; refuse anything that `code` does not write."""
        wrong = InputError("this link does not hold a board; it may have been cut short or changed")
        try:
            raw = base64.urlsafe_b64decode(code.encode("ascii") + b"=" * (-len(code) % 4))
        except (UnicodeEncodeError, binascii.Error, ValueError):
            raise wrong from None
        body, check = raw[:-4], raw[-4:]
        if len(raw) < 9 or zlib.crc32(body).to_bytes(4, "big") != check:
            raise wrong
        version, height, width, length = body[:4]
        if version != CODE_VERSION or not (1 <= height <= MAX_SIDE and 1 <= width <= MAX_SIDE):
            raise wrong
        bits = np.frombuffer(body[4 + length :], dtype=np.uint8)
        if len(bits) != -(-height * width // 8):
            raise wrong
        try:
            name, options = json.loads(body[4 : 4 + length])
        except (ValueError, TypeError):
            raise wrong from None
        if not isinstance(name, str) or not isinstance(options, dict):
            raise wrong
        opened = np.unpackbits(bits, count=height * width).reshape(height, width)
        return Puzzle.of(make_boards(opened, catalogue.make(name, options)))

    @property
    def mode(self) -> Mode:
        return self.boards.mode

    @property
    def height(self) -> int:
        return self.boards.topology.lattice_shape()[0]

    @property
    def width(self) -> int:
        return self.boards.topology.lattice_shape()[1]

    @cached_property
    def cells(self) -> str:
        """A 1 for each open square and a 0 for every other, row by row."""
        return str((self.boards.laid[0] + ord("0")).astype(np.uint8).tobytes(), "ascii")

    @cached_property
    def code(self) -> str:
        """The whole puzzle as text for a link, which opens on any server that has the mode."""
        head = json.dumps([self.mode.name, self.mode.options()], separators=(",", ":")).encode()
        bits = np.packbits(self.boards.laid[0]).tobytes()
        body = bytes([CODE_VERSION, self.height, self.width, len(head)]) + head + bits
        raw = body + zlib.crc32(body).to_bytes(4, "big")
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    @cached_property
    def id(self) -> str:
        """A hash of mode, options and board. Databases hold it, so it must never change."""
        text = f"{self.mode.reference}\n{self.options_json}\n{self.height}\n{self.cells}"
        return blake2b(text.encode(), digest_size=16).hexdigest()

    @cached_property
    def options_json(self) -> str:
        return json.dumps(self.mode.options(), sort_keys=True, separators=(",", ":"))

    def games(self) -> Games:
        """Return a new game on this board."""
        return Games(self.boards)

    def rows(self) -> list[str]:
        """Return the board as the rows of a text board: # blocked, o open."""
        return text_rows(self.boards.squares[0])


def tiny_board(mode: Mode) -> Boards | None:
    """Return a small full board, for worker processes to get ready with.

    None if the mode, which may be a user's own, has no unfinished game on it.
    """
    try:
        return Puzzle.from_rows(mode, ["ooooo"] * 5).boards
    except InputError:
        return None


def choose_puzzle(
    catalogue: Catalogue,
    choice: RandomBoard | DailyBoard | LinkedBoard | TextBoard | CampaignBoard,
) -> tuple[Puzzle, Origin]:
    """Return the puzzle that a visitor chose, and the origin of its game."""
    if isinstance(choice, RandomBoard):
        mode = catalogue.make(choice.mode, choice.options)
        seed = secrets.randbelow(2**31) if choice.seed is None else choice.seed
        board = sample_boards(mode, (choice.height, choice.width), choice.p, 1, seed)
        return Puzzle.of(board), RandomOrigin(p=choice.p, seed=seed)
    if isinstance(choice, DailyBoard):
        day = parse_day(choice.day)
        puzzle = daily_puzzle(day, catalogue.make(choice.mode, {}))
        return puzzle, DailyOrigin(day=str(day))
    if isinstance(choice, LinkedBoard):
        return Puzzle.from_code(choice.code, catalogue), LinkOrigin()
    if isinstance(choice, CampaignBoard):
        level = levels()[choice.number - 1]
        origin = CampaignOrigin(**level.model_dump(include={"number", "title", "idea", "par"}))
        return Puzzle.from_rows(catalogue.make(level.mode, {}), level.rows), origin
    mode = catalogue.make(choice.mode, choice.options)
    return Puzzle.from_rows(mode, choice.rows), LessonOrigin() if choice.lesson else TextOrigin()


# -- daily puzzles ---------------------------------------------------------------------------


def today() -> date:
    return datetime.now(UTC).date()


def parse_date(text: str) -> date:
    """Read any day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is no date; write it like 2026-01-31") from None


def parse_day(text: str) -> date:
    """Read a day that has a daily puzzle: from the first one up to today."""
    day = parse_date(text)
    if not FIRST_DAY <= day <= today():
        raise InputError(f"there is no board for {day}; days go from {FIRST_DAY} to {today()}")
    return day


@lru_cache(maxsize=256)
def daily_puzzle(day: date, mode: Mode) -> Puzzle:
    """Return the puzzle of that day in that mode; it is the same on every server."""
    size, p = WEEK[day.weekday()]
    digest = blake2b(f"{day} {mode.name}".encode(), digest_size=7).digest()
    board = sample_boards(mode, size, p, 1, int.from_bytes(digest, "big"))
    return Puzzle.of(board)


def archive(count: int, before: date | None = None) -> list[date]:
    """Return days that have daily puzzles, the newest first."""
    if before is not None and before <= FIRST_DAY:
        return []
    last = min(before - timedelta(days=1), today()) if before else today()
    days = max((last - FIRST_DAY).days + 1, 0)
    return [last - timedelta(days=i) for i in range(min(count, days))]


# -- positions -------------------------------------------------------------------------------


class Positions:
    """Puzzles after some moves. The latest ones are kept, so that a move needs no replay.

    A position depends on puzzle and moves alone. It never goes stale, whatever other processes
    write to the database. Copy the games that this hands out before you play on.
    """

    def __init__(self, size: int = 1024) -> None:
        self._kept: LRUCache[tuple[str, tuple[int, ...]], Games] = LRUCache(size)
        self._lock = Lock()

    def at(self, puzzle: Puzzle, moves: Sequence[int]) -> Games:
        """Return the game after these moves; an illegal one raises IllegalMove."""
        wanted = tuple(moves)
        with self._lock:
            games = self._kept.get((puzzle.id, wanted))
            start = self._kept.get((puzzle.id, wanted[:-1])) if wanted else None
        if games is not None:
            return games
        games = puzzle.games() if start is None else start.copy()
        for square in wanted if start is None else wanted[-1:]:
            games.play(square)
        with self._lock:
            self._kept[puzzle.id, wanted] = games
        return games


def status_text(games: Games) -> str:
    """Return a digit for each square: 0 blocked, 1 active, 2 inactive, 3 attacked."""
    return str((games.status[0] + ord("0")).astype(np.uint8).tobytes(), "ascii")
