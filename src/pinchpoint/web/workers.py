"""Worker processes for solvers, agents and pictures, so that a move never waits for them.

A job that overruns its time limit is killed with its process, and so is a long one that nobody
waits for any more. Two requests for the same job share one run. `fair_queue` says whose turn it is.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.web.current_request import current_request
from pinchpoint.web.fair_queue import TOO_MUCH, Dropped, FairQueue, Job, Rank
from pinchpoint.web.limits import Busy

START_SECONDS = 240.0  # for a process to get ready; on a new machine it compiles kernels
TASKS = "pinchpoint.web.tasks"
GRACE_SECONDS = 1.5  # past its limit, for a job that keeps its own time
WAITING = 64  # jobs in the queue
MEMORY = 1_000_000_000  # bytes of data that a process may hold
LEASE_SECONDS = 8.0  # that a job is kept after it was last asked for; the page asks every 4 s
WORTH_STOPPING = 5.0  # seconds that a job must have left: a new process costs some as well
EXPECTED = {True: 0.3, False: 4.0}  # seconds, by `quick`, of a task not seen before
Rehearsal = Sequence[tuple[str, dict[str, Any]]]  # tasks with their arguments


class TimeUp(InputError):
    """A job that overran its time limit and was stopped."""


class WorkerDied(InputError):
    """A job whose process ended before the job did."""


class Pool:
    """Worker processes with a thread for each. The first of several does quick jobs only."""

    def __init__(
        self,
        workers: int = 2,
        waiting: int = WAITING,
        tasks: str = TASKS,
        rehearsal: Rehearsal = (),
        warm: bool = True,
    ) -> None:
        """Start the threads; with `warm` the processes too, which else start with their first job.

        `tasks` is a module that the processes import. Its `TASKS` are functions by name, and its
        `get_ready` loads and compiles what a job needs, before the job's own time begins. The
        processes get ready for the jobs of `rehearsal` when they start.
        """
        if not 1 <= workers <= 16:
            raise InputError(f"{workers} workers were asked for; 1 to 16 are allowed")
        self._closing = False
        self._start = partial(Worker, tasks, rehearsal, lambda: self._closing)
        self._warm = warm
        self._queue = FairQueue(waiting)
        self._known: dict[str, Job] = {}  # waiting or running, by key
        self._expected: dict[str, float] = {}  # mean seconds, by task
        self._changed = threading.Condition()
        self._workers = [
            threading.Thread(target=self._run_worker, args=(i == 0 and workers > 1,), daemon=True)
            for i in range(workers)
        ]
        for thread in self._workers:
            thread.start()

    def submit(
        self,
        key: str,
        task: str,
        arguments: dict[str, Any],
        limit: float,
        rank: Rank = Rank.ASKED,
        quick: bool = True,
    ) -> Job:
        """Queue a job for whoever is asking; the same job has the same `key`.

        It is dropped when nobody has asked for it, or called its `want`, for some seconds.
        """
        client = current_request().client
        with self._changed:
            job = self._known.get(key)
            if job is None:
                if self._closing:
                    raise Busy("the server is stopping")
                job = Job(key, task, arguments, limit, rank, quick, client)
                job.wanted_until = time.monotonic() + LEASE_SECONDS
                job.expected = self._expected.get(task, EXPECTED[quick])
                self._drop(self._queue.remove_unwanted())
                loser = self._queue.push(job)
                if loser is job:
                    raise Busy(TOO_MUCH)
                self._known[key] = job
                self._drop([loser] if loser else [])
                self._changed.notify_all()
            else:
                job.want(LEASE_SECONDS)
                if rank < job.rank:
                    job.rank, job.quick = rank, job.quick or quick
                    self._changed.notify_all()
                self._queue.share(job, client)
        return job

    def is_known(self, key: str) -> bool:
        """Return whether the job waits or runs."""
        with self._changed:
            return key in self._known

    def close(self) -> None:
        """Stop the processes; jobs that wait are dropped."""
        with self._changed:
            self._closing = True
            self._drop(self._queue.clear())
            self._changed.notify_all()
        for thread in self._workers:
            thread.join(timeout=5)

    def _drop(self, jobs: list[Job]) -> None:
        for job in jobs:
            self._known.pop(job.key, None)
            job.answer.set_exception(Dropped(TOO_MUCH))

    # -- one thread for each worker ----------------------------------------------------------

    def _run_worker(self, quick_only: bool) -> None:
        worker = self._start() if self._warm else None
        try:
            while (job := self._next(quick_only)) is not None:
                worker = worker or self._start()
                self._run(worker, job)
        finally:
            if worker is not None:
                worker.stop()

    def _run(self, worker: Worker, job: Job) -> None:
        failure: Exception | None = None
        result: Any = None
        worker.wait_until_ready()
        began = time.monotonic()
        try:
            result = worker.run(job)
        except Exception as error:
            failure = error
        took = time.monotonic() - began
        with self._changed:
            usual = self._expected.get(job.task, took)
            self._expected[job.task] = 0.7 * usual + 0.3 * took
            # The expected time was charged when the job was taken out of the queue.
            self._queue.usage.charge(job.client, took - job.expected)
        if failure is not None:
            job.answer.set_exception(failure)
        else:
            job.answer.set_result(result)
        with self._changed:  # only now, so that a new request finds the stored answer
            self._known.pop(job.key, None)

    def _next(self, quick_only: bool) -> Job | None:
        """Wait for a job; None ends the thread."""
        with self._changed:
            while not self._closing:
                self._drop(self._queue.remove_unwanted())
                job = self._queue.pop(lambda job: job.quick or not quick_only)
                if job is not None:
                    self._queue.usage.charge(job.client, job.expected)
                    return job
                self._changed.wait()
            return None


class Worker:
    """A process that does one job at a time."""

    def __init__(self, tasks: str, rehearsal: Rehearsal, closing: Callable[[], bool]) -> None:
        """Start the process; waiting for it ends when `closing` says so."""
        self._tasks, self._rehearsal, self._closing = tasks, rehearsal, closing
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        arguments = theirs, self._tasks, os.getpid()
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        with suppress(OSError):  # a process that has died is found out when an answer is awaited
            self._connection.send(self._rehearsal)
        self._ready = False

    def wait_until_ready(self) -> None:
        """Wait until the process is ready for jobs; start a new one if it dies."""
        for last_try in (False, True):
            try:
                if not self._ready:
                    self._receive(START_SECONDS)  # it sends "ready"
                    self._ready = True
                return
            except (EOFError, OSError, TimeUp):
                if last_try or self._closing():
                    return  # the job will fail
                self._restart()

    def run(self, job: Job) -> Any:
        """Do the job and return its answer; kill the process when the time limit is over."""
        try:
            self._hand_over(job)
            ok, value = self._receive(job.limit + GRACE_SECONDS, lambda: job.wanted)
        except TimeUp:
            if not self._closing():
                self._restart()
            if not job.wanted:
                raise Dropped("nobody waited for the answer any more") from None
            raise TimeUp(f"no answer was found within {job.limit:g} s") from None
        except (EOFError, OSError):
            self._restart()
            raise WorkerDied("the calculation ended unexpectedly") from None
        if not ok:
            raise InputError(value)
        return value

    def _hand_over(self, job: Job) -> None:
        """Send the job to the process, to a new one if the old one died while it was idle."""
        for last_try in (False, True):
            try:
                self.wait_until_ready()
                self._connection.send((job.task, job.arguments))
                self._receive(START_SECONDS)  # it sends "begun"
                return
            except (EOFError, OSError):
                if last_try:
                    raise
                self._restart()

    def _receive(self, seconds: float, wanted: Callable[[], bool] = lambda: True) -> Any:
        """Wait for a message, or raise TimeUp: too late, not wanted any more, or closing."""
        end = time.monotonic() + seconds
        while not self._connection.poll(0.2):
            left = end - time.monotonic()
            if self._closing() or left < 0 or (left > WORTH_STOPPING and not wanted()):
                raise TimeUp
        return self._connection.recv()

    def _restart(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


def _work(connection: Connection, tasks_module: str, server: int) -> None:
    """Do jobs until the connection is closed: the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.nice(max(5 - os.nice(0), 0))  # the server's own process comes first
    with suppress(OSError, ValueError):  # not every system has this limit
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    threading.Thread(target=_exit_after, args=(server,), daemon=True).start()
    module = importlib.import_module(tasks_module)
    try:
        rehearsal: Rehearsal = connection.recv()  # only now: boards need NumPy, and memory
    except EOFError:
        return
    for task, arguments in rehearsal:
        module.get_ready(task, arguments)
    connection.send("ready")
    while True:
        try:
            task, arguments = connection.recv()
            module.get_ready(task, arguments)
            connection.send("begun")
        except EOFError:
            return
        try:
            answer = True, module.TASKS[task](**arguments)
        except InputError as error:
            answer = False, str(error)
        except Exception as error:  # a bug in an agent must not take the worker down
            answer = False, f"the calculation failed: {type(error).__name__}"
        connection.send(answer)


def _exit_after(parent: int) -> None:
    """Exit when the parent process is gone: a server that is killed cannot stop its workers."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
