"""What visitors may send: limits of size and speed, clean names, and the refusals."""

from __future__ import annotations

import time
import unicodedata
from threading import Lock

from cachetools import LRUCache

from pinchpoint.errors import InputError

# Each limit is checked before anything is stored.
MIN_SIDE, MAX_SIDE = 5, 40  # squares a side of a random board
MAX_BODY = 64 * 1024  # bytes
MAX_NAME = 24  # characters
MAX_TITLE = 80  # characters
MAX_ROOM_BOARDS = 30
CAMPAIGN_BOARDS = 40
MAX_ROOM_MEMBERS = 200
MAX_NUMBER = 10**9  # in the options of a mode
MAX_KEY = 100  # characters of what a limit goes by
MAX_EVENTS = 10_000  # of one game; the longest play on the largest board has 1,600 moves
MAX_THINK = 24 * 3600 * 1000  # milliseconds


class Refusal(InputError):
    """A request that is refused; the message is one sentence for the visitor."""

    status = 422


class NotFound(Refusal):
    """The request names something that does not exist."""

    status = 404


class Forbidden(Refusal):
    """The visitor may not do this."""

    status = 403


class Conflict(Refusal):
    """The request does not fit the state of the game, for example a wrong turn or ply."""

    status = 409


class Busy(Refusal):
    """Too much is asked for at once; the same request may be granted later."""

    status = 429


FULL = "the server has no room left to store this; old games have to be deleted there first"


class Full(Refusal):
    """Nothing more can be stored."""

    status = 507


class Unavailable(Refusal):
    """The server cannot do this now, through no fault of the visitor's."""

    status = 503


class RateLimit:
    """Limits the requests of each visitor to a number a second, with room for a burst."""

    def __init__(
        self, a_second: float, burst: int, enabled: bool = True, says: str | None = None
    ) -> None:
        """Make a limit; `says` is the sentence for whoever goes past it."""
        self._rate, self._burst, self._enabled = a_second, burst, enabled
        self._says = says or (
            f"that was too fast; at most {a_second:g} such requests a second are let in"
        )
        # For each visitor: the requests left, and the time at which they were counted.
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(10_000)
        self._lock = Lock()

    def take(self, who: str, amount: float = 1) -> None:
        """Count a request, which may weigh more than one, or raise Busy."""
        if not self._enabled:
            return
        with self._lock:
            left, at = self._left(who)
            granted = left >= amount
            self._buckets[who[:MAX_KEY]] = (left - amount if granted else left, at)
        if not granted:
            raise Busy(self._says)

    def check(self, who: str) -> None:
        """Raise Busy if the visitor has no request left; count nothing."""
        with self._lock:
            if self._enabled and self._left(who)[0] < 1:
                raise Busy(self._says)

    def _left(self, who: str) -> tuple[float, float]:
        at = time.monotonic()
        left, since = self._buckets.get(who[:MAX_KEY], (float(self._burst), at))
        return min(self._burst, left + (at - since) * self._rate), at


def clean_text(text: str, longest: int, what: str) -> str:
    """Return the text without control characters and needless blanks; refuse an empty or long one.

    `what` names the text in the refusal.
    """
    if len(text) > 4 * longest:
        raise InputError(f"{what} has {len(text)} characters; at most {longest} are allowed")
    plain = unicodedata.normalize("NFC", text)
    # Cc control, Cf invisible or direction-changing, Cs/Co/Cn no characters, Zl/Zp line breaks
    kept = (" " if unicodedata.category(c)[0] in "CZ" else c for c in plain)
    tidy = " ".join("".join(kept).split())
    if len(tidy) > longest:
        raise InputError(f"{what} has {len(tidy)} characters; at most {longest} are allowed")
    if not tidy:
        raise InputError(f"{what} is empty; give 1 to {longest} visible characters")
    return tidy
