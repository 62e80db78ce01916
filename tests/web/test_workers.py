"""The worker pool: limits, sharing, order, and workers that die."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from chokepoint.errors import InputError
from chokepoint.web import workers as module
from chokepoint.web.limits import Busy
from chokepoint.web.workers import Pool, TimeUp, WorkerDied

TASKS = "slow_tasks:TASKS"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(1, waiting=3, tasks=TASKS)
    yield made
    made.close()


def ask(
    pool: Pool, task: str, limit: float = 5, key: str | None = None, **arguments: object
) -> object:
    return pool.submit(key or f"{task}{arguments}", task, dict(arguments), limit).result(timeout=60)


def test_answers_and_refusals(pool: Pool) -> None:
    assert ask(pool, "add", a=1, b=2) == 3
    with pytest.raises(InputError, match="not like that"):
        ask(pool, "refuse")
    with pytest.raises(InputError, match="ZeroDivisionError") as error:
        ask(pool, "fail")
    assert "secret" not in str(error.value)


def test_a_job_that_overruns_is_killed(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
    monkeypatch.setattr(module, "FIRST_SECONDS", 0)
    worker = ask(pool, "pid")
    with pytest.raises(TimeUp):
        ask(pool, "sleep", limit=0.2, seconds=60)
    assert ask(pool, "pid", key="again") != worker
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(worker)), 0)


def test_a_worker_that_dies_is_replaced(pool: Pool) -> None:
    with pytest.raises(WorkerDied):
        ask(pool, "die")
    assert ask(pool, "add", a=2, b=2) == 4


def test_what_waits_is_bounded_shared_and_ordered(pool: Pool) -> None:
    ask(pool, "add", a=0, b=0)  # the worker is ready
    first = pool.submit("s", "sleep", {"seconds": 0.5}, 5)
    assert pool.submit("s", "sleep", {"seconds": 0.5}, 5) is first
    assert pool.is_known("s")
    time.sleep(0.3)  # it runs now, and does not wait any more
    finished: list[str] = []
    for key, urgent in (("later", False), ("sooner", True), ("raised", False)):
        job = pool.submit(key, "add", {"a": 1, "b": 1}, 5, urgent)
        job.add_done_callback(lambda _, key=key: finished.append(key))  # type: ignore[misc]
    pool.submit("raised", "add", {"a": 1, "b": 1}, 5, urgent=True)
    with pytest.raises(Busy):
        pool.submit("one too many", "add", {"a": 1, "b": 1}, 5)
    last = pool.submit("later", "add", {"a": 1, "b": 1}, 5)
    last.result(timeout=20)
    assert finished == ["sooner", "raised", "later"]


def test_the_number_of_workers() -> None:
    with pytest.raises(InputError, match="1 to 16"):
        Pool(0)
