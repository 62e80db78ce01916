"""The worker pool: limits, sharing, order, fairness, and workers that die."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchpoint.errors import InputError
from pinchpoint.web import workers as module
from pinchpoint.web.current_request import Client, CurrentRequest, network_of, set_current_request
from pinchpoint.web.fair_queue import Dropped, FairQueue, Job, Rank
from pinchpoint.web.limits import Busy
from pinchpoint.web.workers import Pool, TimeUp, WorkerDied

TASKS = "slow_tasks"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(1, waiting=3, tasks=TASKS)
    yield made
    made.close()


def ask(
    pool: Pool, task: str, limit: float = 5, key: str | None = None, **arguments: object
) -> object:
    job = pool.submit(key or f"{task}{arguments}", task, dict(arguments), limit)
    job.want(60)
    return job.answer.result(timeout=60)


def wait_until(true: Any) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_answers_and_refusals(pool: Pool) -> None:
    assert ask(pool, "add", a=1, b=2) == 3
    with pytest.raises(InputError, match="not like that"):
        ask(pool, "refuse")
    with pytest.raises(InputError, match="ZeroDivisionError") as error:
        ask(pool, "fail")
    assert "secret" not in str(error.value)


def test_a_job_that_overruns_is_killed(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
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


def test_a_worker_that_died_idle_costs_nobody_anything(pool: Pool) -> None:
    first = int(str(ask(pool, "pid", key="before")))
    os.kill(first, signal.SIGKILL)
    assert ask(pool, "add", a=3, b=3) == 6


def test_a_first_job_has_no_more_time_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
    pool = Pool(1, tasks=TASKS)
    began = time.monotonic()
    for _ in range(2):  # neither the first one nor the next
        with pytest.raises(TimeUp):
            ask(pool, "sleep", limit=0.2, seconds=30)
    assert time.monotonic() - began < 25
    pool.close()


def test_a_process_gets_ready_when_it_starts_and_before_jobs(tmp_path: Any) -> None:
    notes = tmp_path / "notes"
    rehearsal = [("note", {"path": str(notes)})]
    pool = Pool(1, tasks=TASKS, rehearsal=rehearsal, warm=False)
    for word in ("one", "two"):
        ask(pool, "note", path=str(notes), word=word)
    with pytest.raises(WorkerDied):
        ask(pool, "die")
    ask(pool, "note", path=str(notes), word="three")
    assert notes.read_text().split() == [
        "ready",
        "ready",
        "one",
        "ready",
        "two",
        "ready",
        "ready",
        "three",
    ]
    pool.close()


def test_what_waits_is_shared_and_ordered(pool: Pool) -> None:
    ask(pool, "add", a=0, b=0)  # the worker is ready
    first = pool.submit("s", "sleep", {"seconds": 0.5}, 5)
    assert pool.submit("s", "sleep", {"seconds": 0.5}, 5) is first
    assert pool.is_known("s")
    wait_until(lambda: len(pool._queue) == 0)  # it runs now, and does not wait any more
    finished: list[str] = []
    ranks = {"later": Rank.REFINED, "sooner": Rank.SHOWN, "raised": Rank.REFINED}
    for key, rank in ranks.items():
        job = pool.submit(key, "add", {"a": 1, "b": 1}, 5, rank)
        job.answer.add_done_callback(lambda _, key=key: finished.append(key))  # type: ignore[misc]
    pool.submit("raised", "add", {"a": 1, "b": 1}, 5, Rank.ASKED)
    with pytest.raises(Busy):
        pool.submit("one too many", "add", {"a": 1, "b": 1}, 5, Rank.REFINED)
    last = pool.submit("later", "add", {"a": 1, "b": 1}, 5, Rank.REFINED)
    last.answer.result(timeout=20)
    assert finished == ["raised", "sooner", "later"]


def test_a_job_that_nobody_waits_for_is_dropped_and_stopped(pool: Pool) -> None:
    ask(pool, "add", a=0, b=1)
    running = pool.submit("running", "sleep", {"seconds": 60}, 60)
    wait_until(lambda: len(pool._queue) == 0)
    waiting = pool.submit("waiting", "add", {"a": 1, "b": 5}, 5)
    for job in (running, waiting):  # both were asked for long ago
        job.wanted_until = time.monotonic()
    with pytest.raises(Dropped):
        running.answer.result(timeout=30)
    with pytest.raises(Dropped):
        waiting.answer.result(timeout=30)
    assert ask(pool, "add", a=1, b=6) == 7


def test_a_long_job_leaves_a_process_for_quick_ones() -> None:
    pool = Pool(2, tasks=TASKS)
    for number in range(3):
        job = pool.submit(f"long {number}", "sleep", {"seconds": 60}, 90, quick=False)
        job.want(60)
    wait_until(lambda: len(pool._queue) == 2)
    time.sleep(0.5)
    assert len(pool._queue) == 2  # the second process does not take any
    assert ask(pool, "add", a=1, b=1) == 2
    pool.close()


def test_a_job_may_not_hold_all_the_memory(pool: Pool) -> None:
    with pytest.raises(InputError, match="MemoryError"):
        ask(pool, "hold", limit=30, size=2_000_000_000)


# -- the queue alone -------------------------------------------------------------------------


def job_of(address: str, visitor: str = "", rank: Rank = Rank.ASKED, key: str = "") -> Job:
    return Job(key, "add", {}, 1.0, rank, client=Client(address, visitor), expected=1.0)


def take(queue: FairQueue) -> Job:
    job = queue.pop(lambda _: True)
    assert job is not None
    queue.usage.charge(job.client, job.expected)
    return job


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=40))
def test_nobody_waits_for_more_than_one_job_of_each_other_client(addresses: list[str]) -> None:
    """A queue by turns is the reference: no client is served twice while another one waits."""
    queue = FairQueue(100)
    for number, address in enumerate(addresses):
        queue.push(job_of(address, key=str(number)))
    served: list[str] = []
    left = list(addresses)
    while left:
        address = take(queue).client.address
        fewest = min(served.count(other) for other in left)
        assert served.count(address) == fewest
        served.append(address)
        left.remove(address)


@given(st.lists(st.sampled_from("aaaab"), max_size=60), st.integers(1, 10))
def test_a_full_queue_takes_from_whoever_has_most(addresses: list[str], places: int) -> None:
    queue = FairQueue(places)
    for address in addresses:
        before = [job.client.address for job in queue]
        loser = queue.push(job_of(address))
        if len(before) < places:
            assert loser is None
        else:
            assert loser is not None
            counts = [*before, address]
            assert counts.count(loser.client.address) == max(counts.count("a"), counts.count("b"))
    assert len(queue) <= places


def test_visitors_of_one_address_take_turns() -> None:
    queue = FairQueue(100)
    for _ in range(3):
        queue.push(job_of("school", "greedy"))
    queue.push(job_of("school", "patient"))
    assert [take(queue).client.visitor for _ in range(4)].index("patient") == 1


def test_a_shared_job_goes_by_the_client_that_used_less() -> None:
    queue = FairQueue(10)
    queue.usage.charge(Client("greedy", ""), 100)
    shared = job_of("greedy", key="daily")
    queue.push(shared)
    queue.share(shared, Client("patient", ""))
    queue.push(job_of("another"))
    assert take(queue) is shared


def test_addresses_that_count_as_one() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:2") == "2001:db8::/64"
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert len(network_of("x" * 60_000)) == 64


def test_whoever_asks_is_noted_in_threads_of_the_request() -> None:
    seen: list[Job] = []
    pool = Pool(1, tasks=TASKS, warm=False)

    def request() -> None:
        set_current_request(CurrentRequest(Client("1.2.3.4", "x")))
        seen.append(pool.submit("mine", "add", {"a": 1, "b": 1}, 5))

    thread = threading.Thread(target=request)
    thread.start()
    thread.join()
    assert seen[0].client == Client("1.2.3.4", "x")
    pool.close()


def test_the_number_of_workers() -> None:
    with pytest.raises(InputError, match="1 to 16"):
        Pool(0)
