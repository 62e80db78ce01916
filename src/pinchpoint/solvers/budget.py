"""How much a solver may do: work, which every machine counts alike, and seconds.

Work decides what is found: a solver that stops after so much of it returns the same plan on any
machine, busy or idle. Seconds are for people who wait. The unit of work is what took about a second
on one core when the prices of the steps were measured (`benchmarks/work.py`).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from pinchpoint.checks import amount
from pinchpoint.types import Bytes

DEFAULT_SECONDS = 10.0  # where neither work nor seconds are given
STEPS = 1_000_000  # in a unit of work, so that a step is about a microsecond


class Budget:
    """What may still be spent on one position, or on a part of it."""

    def __init__(self, seconds: float = math.inf, work: float = math.inf) -> None:
        self.deadline = time.perf_counter() + seconds
        self._spent = [0.0]  # steps; a list, because the parts of a budget share it
        self._last = work * STEPS

    def spend(self, steps: float) -> None:
        """Count work that is done, or that is about to be done."""
        self._spent[0] += steps

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to spend."""
        return self._spent[0] >= self._last or time.perf_counter() > self.deadline

    def affords(self, steps: float) -> bool:
        """Whether so many steps, of a microsecond each, are left."""
        ends = time.perf_counter() + steps / STEPS
        return self._spent[0] + steps <= self._last and ends <= self.deadline

    @property
    def seconds_left(self) -> float:
        """The seconds that are left, 0 or more; infinity if only work counts."""
        return max(self.deadline - time.perf_counter(), 0.0)

    @property
    def steps_left(self) -> float:
        """The steps that are left, 0 or more; infinity if only seconds count."""
        return max(self._last - self._spent[0], 0.0)

    @contextmanager
    def alarm(self, least: float = 0.0) -> Iterator[Bytes]:  # [1]
        """Give compiled kernels a clock: a flag that becomes 1 when no seconds are left.

        It stays 0 for at least `least` seconds. If only work counts, or after so many seconds that
        no clock goes that far, it always does.
        """
        rings = np.zeros(1, dtype=np.uint8)
        if self.seconds_left > threading.TIMEOUT_MAX:
            yield rings
            return
        timer = threading.Timer(max(self.seconds_left, least), rings.fill, [1])
        timer.daemon = True
        timer.start()
        try:
            yield rings
        finally:
            timer.cancel()

    def part(self, share: float) -> Budget:
        """Return a share of what is left; what it spends, this budget has spent too."""
        part = Budget(self.seconds_left * share if share else 0.0)
        part._spent = self._spent
        part._last = self._spent[0] + (self.steps_left * share if share else 0.0)
        return part


def check_limits(time_limit: float | None, work: float | None) -> tuple[float, float]:
    """Return the seconds and the work for each position; infinity for what is not limited."""
    if time_limit is None and work is None:
        return DEFAULT_SECONDS, math.inf
    return (
        math.inf if time_limit is None else amount(time_limit, "the time limit"),
        math.inf if work is None else amount(work, "the work"),
    )
