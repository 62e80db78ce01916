"""The daily boards: a function of the date and the mode alone, the same on every server."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b

from chokepoint.errors import InputError
from chokepoint.game import Mode, sample_boards
from chokepoint.web.layout import Layout

FIRST_DAY = date(2026, 1, 1)
# Monday is small and the weekend large: size and density for each day of the week.
WEEK = ((8, 0.85), (9, 0.8), (10, 0.8), (11, 0.75), (12, 0.8), (14, 0.75), (16, 0.8))


def today() -> date:
    return datetime.now(UTC).date()


def parse_day(text: str) -> date:
    """A day that has a daily board: not before the first one, not after today."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is no date; write it like 2026-01-31") from None
    if not FIRST_DAY <= day <= today():
        raise InputError(f"there is no board for {day}; days go from {FIRST_DAY} to {today()}")
    return day


def daily_layout(day: date, mode: Mode) -> Layout:
    """The board of that day in that mode."""
    size, p = WEEK[day.weekday()]
    digest = blake2b(f"{day} {mode.name}".encode(), digest_size=7).digest()
    board = sample_boards(mode, size, p, 1, int.from_bytes(digest, "big"))[0]
    return Layout.from_open(mode, board)


def archive(count: int, before: date | None = None) -> list[date]:
    """Days with boards, the newest first."""
    last = min(before - timedelta(days=1), today()) if before else today()
    days = max((last - FIRST_DAY).days + 1, 0)
    return [last - timedelta(days=i) for i in range(min(count, days))]
