"""Logs that nobody can flood: of lines that are alike, one a minute."""

from __future__ import annotations

import logging
import time
from threading import Lock

from cachetools import LRUCache

ALIKE = 80  # characters that two messages must share at their beginning


class OnceAMinute(logging.Filter):
    """Lets the first of many lines that are alike through, and later says how many there were."""

    def __init__(self, seconds: float = 60.0) -> None:
        super().__init__()
        self._seconds = seconds
        # For each kind of line: when one was let through, and how many were left out since.
        self._seen: LRUCache[tuple[str, str], tuple[float, int]] = LRUCache(256)
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.name, str(record.msg)[:ALIKE]
        now = time.monotonic()
        with self._lock:
            since, left_out = self._seen.get(kind, (float("-inf"), 0))
            if now - since < self._seconds:
                self._seen[kind] = since, left_out + 1
                return False
            self._seen[kind] = now, 0
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more like this one)"
            record.args = None
        return True


def quiet_logs() -> None:
    """Filter the lines of all handlers of this process."""
    for handler in logging.getLogger().handlers:
        if not any(isinstance(one, OnceAMinute) for one in handler.filters):
            handler.addFilter(OnceAMinute())
