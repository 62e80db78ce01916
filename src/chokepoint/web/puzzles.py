"""A board with its mode: its id, its share code, and the positions that play leads to."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from chokepoint.errors import InputError
from chokepoint.game import BUILT_IN, Games, Mode, get_mode, parse_rows, text_rows
from chokepoint.web.settings import MAX_SIDE

CODE_VERSION = 1


class Catalogue:
    """The modes that this server offers, by the name a visitor sees.

    A visitor's word is only ever looked up here: it never reaches an import.
    """

    def __init__(self, custom: Sequence[str] = ()) -> None:
        self.kinds = dict(BUILT_IN)
        for path in custom:
            kind = type(get_mode(path))
            if kind.name in self.kinds:
                raise InputError(f"{path}: there is already a mode called {kind.name!r}")
            self.kinds[kind.name] = kind

    def make(self, name: str, options: dict[str, Any]) -> Mode:
        if name not in self.kinds:
            raise InputError(f"there is no mode {name!r} here; choose from {', '.join(self.kinds)}")
        for key, value in options.items():
            if not isinstance(value, str | int | float | bool):
                raise InputError(f"option {key!r} must be text, a number, true or false")
        return get_mode(self.kinds[name].path or name, **options)

    def from_reference(self, reference: str, options: dict[str, Any]) -> Mode:
        """A mode as the database has it; one that this server was not started with is refused."""
        for name, kind in self.kinds.items():
            if (kind.path or name) == reference:
                return self.make(name, options)
        raise InputError(f"this server was not started with the mode {reference!r}")


@dataclass(frozen=True)
class Layout:
    """A mode and the squares that are open before the first move."""

    mode: Mode
    height: int
    width: int
    cells: str  # a 1 for each open square, row by row

    @staticmethod
    def from_open(mode: Mode, opened: npt.NDArray[Any]) -> Layout:  # [h, w]
        height, width = opened.shape
        if max(height, width) > MAX_SIDE:
            raise InputError(
                f"the board has {height} × {width} squares; at most {MAX_SIDE} × {MAX_SIDE} "
                "can be played here"
            )
        cells = "".join("1" if square else "0" for square in opened.ravel())
        layout = Layout(mode, int(height), int(width), cells)
        if layout.games().done[0]:
            raise InputError(
                f"this board is over before the first move in mode {mode.name}; "
                "choose one with an active piece"
            )
        return layout

    @staticmethod
    def from_rows(mode: Mode, rows: Sequence[str]) -> Layout:
        if len(rows) > MAX_SIDE or any(len(row) > MAX_SIDE for row in rows):
            widest = max((len(row) for row in rows), default=0)
            raise InputError(
                f"the board has {len(rows)} rows of up to {widest} squares; "
                f"at most {MAX_SIDE} × {MAX_SIDE} can be played here"
            )
        return Layout.from_open(mode, parse_rows(rows))

    @cached_property
    def options_json(self) -> str:
        return json.dumps(self.mode.options(), sort_keys=True, separators=(",", ":"))

    @cached_property
    def id(self) -> str:
        text = f"{self.mode.reference}\n{self.options_json}\n{self.height}\n{self.cells}"
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def opened(self) -> npt.NDArray[np.uint8]:  # [h, w]
        flat = np.frombuffer(self.cells.encode(), dtype=np.uint8) - ord("0")
        return flat.reshape(self.height, self.width)

    def games(self) -> Games:
        return Games(self.opened(), self.mode)

    def rows(self) -> list[str]:
        """The board as text, as files and pastes have it: # blocked, o open."""
        return text_rows(self.opened())

    @cached_property
    def code(self) -> str:
        """All of the board in a link: it opens on any server that has the mode."""
        head = json.dumps([self.mode.name, self.mode.options()], separators=(",", ":")).encode()
        bits = np.packbits(self.opened().ravel()).tobytes()
        body = bytes([CODE_VERSION, self.height, self.width, len(head)]) + head + bits
        raw = body + zlib.crc32(body).to_bytes(4, "big")
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_code(code: str, catalogue: Catalogue) -> Layout:
    """The board in a share link; whatever is not exactly what `code` writes is refused."""
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
    return Layout.from_open(catalogue.make(name, options), opened)


class Positions:
    """Games after some moves, the latest ones kept: a move then costs one move, not a replay.

    What is kept is a function of board and moves alone, so it never goes stale, whatever other
    processes do to the database. The games it hands out must not be played on; copy them.
    """

    def __init__(self, size: int = 1024) -> None:
        self._size = size
        self._kept: OrderedDict[tuple[str, tuple[int, ...]], Games] = OrderedDict()
        self._lock = Lock()

    def at(self, layout: Layout, moves: Sequence[int]) -> Games:
        """The game after these moves; an illegal one raises IllegalMove."""
        wanted = tuple(moves)
        games = self._find(layout.id, wanted)
        if games is not None:
            return games
        known = len(wanted) - 1
        start = self._find(layout.id, wanted[:known]) if wanted else None
        games = layout.games() if start is None else start.copy()
        for square in wanted if start is None else wanted[known:]:
            games.play(square)
        with self._lock:
            self._kept[layout.id, wanted] = games
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return games

    def _find(self, board: str, moves: tuple[int, ...]) -> Games | None:
        with self._lock:
            games = self._kept.get((board, moves))
            if games is not None:
                self._kept.move_to_end((board, moves))
            return games


def position_key(games: Games) -> str:
    """A name for what matters from here on, whichever way the game came here."""
    head = f"{games.mode.reference}\n{json.dumps(games.mode.options(), sort_keys=True)}\n"
    head += f"{games.topology.shape}\n{int(games.best[0])}\n"
    # An attacked square is as good as a blocked one.
    status = np.where(games.status[0] == 3, 0, games.status[0])
    return blake2b(head.encode() + status.tobytes(), digest_size=16).hexdigest()


def status_text(games: Games) -> str:
    """The state of every square, a digit each: 0 blocked, 1 active, 2 inactive, 3 attacked."""
    return str((games.status[0] + ord("0")).astype(np.uint8).tobytes(), "ascii")
