"""The queue in front of the worker processes: fair to every client, quick jobs first.

Whoever has used the least time of late goes first, address by address and then visitor by visitor.
When the queue is full, the client with the most jobs in it loses its newest one. A job that nobody
has asked for again within its lease is dropped: its visitor has left.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from cachetools import LRUCache

from pinchpoint.web.current_request import NOBODY, Client
from pinchpoint.web.limits import Busy

HALF_LIFE = 60.0  # seconds after which half of the time that a client used is forgotten
TOO_MUCH = "the server has too much to work out just now; try again in a minute"


class Dropped(Busy):
    """A job that was taken out of the queue before its answer was found."""


class Rank(IntEnum):
    """How much a visitor needs the answer."""

    ASKED = 0  # a visitor asked and waits
    SHOWN = 1  # the page shows it as soon as it is there
    REFINED = 2  # something better in the place of what is shown already


# A job goes behind jobs of clients that have used so many seconds less.
HANDICAP = {Rank.ASKED: 0.0, Rank.SHOWN: 1.0, Rank.REFINED: 10.0}


@dataclass(eq=False)
class Job:
    """A task with its arguments, and the client that its time is charged to."""

    key: str
    task: str
    arguments: dict[str, Any]
    limit: float  # seconds
    rank: Rank = Rank.ASKED
    quick: bool = True  # takes about a second at most
    client: Client = NOBODY
    wanted_until: float = float("inf")  # by the monotonic clock
    expected: float = 0.0  # seconds
    number: int = 0  # in order of arrival
    answer: Future[Any] = field(default_factory=Future)

    def want(self, seconds: float) -> None:
        """Keep the job for that many seconds more."""
        self.wanted_until = max(self.wanted_until, time.monotonic() + seconds)

    @property
    def wanted(self) -> bool:
        return time.monotonic() <= self.wanted_until


class Usage:
    """The seconds that each address and each visitor used of late; old ones count less and less."""

    def __init__(self) -> None:
        self._used: LRUCache[str | Client, tuple[float, float]] = LRUCache(10_000)

    def of(self, who: str | Client) -> float:
        seconds, since = self._used.get(who, (0.0, 0.0))
        age = time.monotonic() - since
        return float(seconds * 0.5 ** (age / HALF_LIFE)) if seconds else 0.0

    def charge(self, client: Client, seconds: float) -> None:
        if client == NOBODY:
            return
        for who in (client.address, client):
            self._used[who] = (self.of(who) + seconds, time.monotonic())


class FairQueue:
    """Jobs that wait. The pool guards it with its lock."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._jobs: list[Job] = []
        self._numbers = itertools.count()
        self.usage = Usage()

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def push(self, job: Job) -> Job | None:
        """Queue a job; return the one that lost its place to it, which may be the job itself."""
        job.number = next(self._numbers)
        self._jobs.append(job)
        if len(self._jobs) <= self._places:
            return None
        loser = self._loser()
        self._jobs.remove(loser)
        return loser

    def _loser(self) -> Job:
        """Return the newest and least needed job of the client that has the most."""
        by_address = Counter(job.client.address for job in self._jobs)
        by_client = Counter(job.client for job in self._jobs)
        return max(
            self._jobs,
            key=lambda job: (
                by_address[job.client.address],
                by_client[job.client],
                job.rank,
                job.number,
            ),
        )

    def share(self, job: Job, client: Client) -> None:
        """Charge the job to this client instead, if that brings it to its turn sooner."""
        if self.usage.of(client.address) < self.usage.of(job.client.address):
            job.client = client

    def pop(self, may_run: Callable[[Job], bool]) -> Job | None:
        """Take out the job whose turn it is, of those that may run."""
        chosen = [job for job in self._jobs if may_run(job)]
        if not chosen:
            return None
        of = self.usage.of
        first = min(chosen, key=lambda job: (of(job.client.address) + cost(job), job.number))
        neighbours = [job for job in chosen if job.client.address == first.client.address]
        turn = min(neighbours, key=lambda job: (of(job.client) + cost(job), job.number))
        self._jobs.remove(turn)
        return turn

    def remove_unwanted(self) -> list[Job]:
        """Take out the jobs of visitors who have left."""
        unwanted = [job for job in self._jobs if not job.wanted]
        self._jobs = [job for job in self._jobs if job.wanted]
        return unwanted

    def clear(self) -> list[Job]:
        """Take out all jobs."""
        jobs, self._jobs = self._jobs, []
        return jobs


def cost(job: Job) -> float:
    return HANDICAP[job.rank] + job.expected
