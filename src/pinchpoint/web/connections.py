"""Bounds on connections: how many may be open, and how long a request may take to arrive.

uvicorn has no such bounds of its own, so anybody could hold the server with half-sent requests.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pinchpoint.web.current_request import network_of

log = logging.getLogger(__name__)

SPARE_FILES = 400  # open files that are left for the database, the workers and new connections
BACKLOG = 128  # connections that the system accepts before we see them


@dataclass(frozen=True)
class ConnectionLimits:
    """What a connection may take."""

    most: int = 1000  # open at once
    header: float = 10.0  # seconds until the header of a request has arrived
    body: float = 20.0  # seconds until its body has arrived
    reading: float = 30.0  # seconds that a client may stop reading an answer
    idle: int = 75  # seconds between two requests: players think longer than the usual 5 s


def allowed_connections(wanted: int) -> int:
    """Return how many connections the system lets us have open, at most as many as wanted."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = wanted + SPARE_FILES
    if soft < need:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(need, hard), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(min(wanted, soft - SPARE_FILES), 16)


def bounded_protocol(limits: ConnectionLimits) -> type[H11Protocol]:
    """Return uvicorn's protocol with these limits, shared by all connections made with it."""
    most = allowed_connections(limits.most)
    opened: set[Bounded] = set()

    class Bounded(H11Protocol):
        """A connection that is closed when its client is too slow, or when there are too many."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._timers: dict[str, asyncio.TimerHandle] = {}
            self.address = network_of(self.client[0] if self.client else "")
            self.served = False  # whether it has sent a whole request
            self.active_at = self.loop.time()
            opened.add(self)
            self._limit("arrive", limits.header)
            if len(opened) > most:
                log.warning("there were more than %d connections; some were closed", most)
                _least_useful(opened).transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            opened.discard(self)
            for name in list(self._timers):
                self._unlimit(name)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self.active_at = self.loop.time()
            super().data_received(data)
            self._watch_request()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch_request()  # the next request may have arrived in part

        def pause_writing(self) -> None:
            super().pause_writing()
            self._limit("read", limits.reading)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._unlimit("read")

        @property
        def waiting(self) -> bool:
            """Whether a whole request waits for its answer."""
            return self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)

        def _watch_request(self) -> None:
            state = self.conn.their_state
            if state is h11.SEND_BODY:
                self._unlimit("arrive")
                self._limit("body", limits.body)
            elif state is h11.IDLE and self.conn.trailing_data[0]:
                self._unlimit("body")
                self._limit("arrive", limits.header)
            else:  # a whole request, or none at all: uvicorn closes idle connections itself
                self.served = True
                self._unlimit("arrive")
                self._unlimit("body")

        def _limit(self, name: str, seconds: float) -> None:
            """Close the connection after so many seconds, unless `_unlimit` is called before."""
            if name not in self._timers and not self.transport.is_closing():
                self._timers[name] = self.loop.call_later(seconds, self._too_slow)

        def _unlimit(self, name: str) -> None:
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()

        def _too_slow(self) -> None:
            log.warning("a connection was closed: its client was too slow")
            self.transport.abort()

    return Bounded


def _least_useful(opened: set[Any]) -> Any:
    """Return the connection to close: of the address that has the most, the longest idle one.

    Connections that never sent a whole request go first, those that wait for an answer last.
    """
    counts = Counter(one.address for one in opened)

    def usefulness(one: Any) -> tuple[int, bool, bool, float]:
        return -counts[one.address], one.waiting, one.served, one.active_at

    return min(opened, key=usefulness)
