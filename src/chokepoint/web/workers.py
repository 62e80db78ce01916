"""Worker processes for solvers and agents, so that a move never waits for them.

A job that overruns its time limit is killed with its process. Two requests for the same job share
one run. The queue is bounded: a job that finds it full is refused with `Busy`.
"""

from __future__ import annotations

import heapq
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from chokepoint.errors import InputError
from chokepoint.web.limits import Busy

START_SECONDS = 120.0  # for a new process to import what it needs
# The first job of a kind may have to compile kernels or load weights, once on each machine. If it
# were killed half-way, the next one would start from the beginning and never get done either.
FIRST_SECONDS = 120.0
TASKS = "chokepoint.web.tasks:TASKS"
GRACE_SECONDS = 1.5  # past its limit, for a job that keeps its own time


class TimeUp(InputError):
    """A job that overran its time limit and was stopped."""


class WorkerDied(InputError):
    """A job whose process ended before the job did."""


@dataclass(order=True)
class Job:
    """A task with its arguments; jobs run in the order of rank and number."""

    rank: int  # 0 if a visitor waits for it, 1 for work in the background
    number: int
    key: str = field(compare=False)
    task: str = field(compare=False)
    arguments: dict[str, Any] = field(compare=False)
    limit: float = field(compare=False)  # seconds
    kind: str = field(compare=False)  # jobs of one kind use the same compiled code
    answer: Future[Any] = field(compare=False, default_factory=Future)


class Pool:
    """Worker processes with a thread for each. The first of several does urgent jobs only."""

    def __init__(
        self, workers: int = 2, waiting: int = 64, tasks: str = TASKS, warm: bool = True
    ) -> None:
        """Start the threads; with `warm` the processes too, which else start with their first job.

        `tasks` is the path of a table of functions by name, which the processes import.
        """
        if not 1 <= workers <= 16:
            raise InputError(f"{workers} workers were asked for; 1 to 16 are allowed")
        self._waiting = waiting
        self._tasks, self._warm = tasks, warm
        self._jobs: list[Job] = []
        self._known: dict[str, Job] = {}  # waiting or running, by key
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closing = False
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
        urgent: bool = False,
        kind: str = "",
    ) -> Future[Any]:
        """Queue a job and return its future answer; the same job has the same `key`."""
        with self._changed:
            job = self._known.get(key)
            if job is not None:
                if urgent and job.rank > 0:
                    job.rank = 0
                    heapq.heapify(self._jobs)
                return job.answer
            if self._closing or len(self._jobs) >= self._waiting:
                raise Busy("the server has too much to work out just now; try again in a minute")
            rank = 0 if urgent else 1
            job = Job(rank, next(self._numbers), key, task, arguments, limit, kind or task)
            self._known[key] = job
            heapq.heappush(self._jobs, job)
            self._changed.notify_all()
            return job.answer

    def is_known(self, key: str) -> bool:
        """Return whether the job waits or runs."""
        with self._changed:
            return key in self._known

    def close(self) -> None:
        """Stop the processes; jobs that wait are cancelled."""
        with self._changed:
            self._closing = True
            for job in self._jobs:
                job.answer.cancel()
            self._jobs.clear()
            self._known.clear()
            self._changed.notify_all()
        for thread in self._workers:
            thread.join(timeout=5)

    # -- one thread for each worker ----------------------------------------------------------

    def _run_worker(self, urgent_only: bool) -> None:
        worker = Worker(self._tasks) if self._warm else None
        try:
            while (job := self._next(urgent_only)) is not None:
                worker = worker or Worker(self._tasks)
                failure: Exception | None = None
                result: Any = None
                try:
                    result = worker.run(job, lambda: self._closing)
                except Exception as error:
                    failure = error
                if failure is not None:
                    job.answer.set_exception(failure)
                elif not job.answer.cancelled():
                    job.answer.set_result(result)
                with self._changed:  # only now, so that a new request finds the stored answer
                    self._known.pop(job.key, None)
        finally:
            if worker is not None:
                worker.stop()

    def _next(self, urgent_only: bool) -> Job | None:
        with self._changed:
            while not self._closing:
                if self._jobs and (not urgent_only or self._jobs[0].rank == 0):
                    return heapq.heappop(self._jobs)
                self._changed.wait()
            return None


class Worker:
    """A process that does one job at a time."""

    def __init__(self, tasks: str) -> None:
        self._tasks = tasks
        self._done: set[str] = set()  # kinds of jobs that need no first run any more
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._tasks), daemon=True)
        self._process.start()
        theirs.close()
        self._ready = False

    def run(self, job: Job, closing: Callable[[], bool]) -> Any:
        """Do the job and return its answer; kill the process when the time limit is over."""
        try:
            if not self._ready:
                self._receive(START_SECONDS, closing)  # the process sends that it is ready
                self._ready = True
            self._connection.send((job.task, job.arguments))
            first = 0.0 if job.kind in self._done else FIRST_SECONDS
            ok, value = self._receive(job.limit + first + GRACE_SECONDS, closing)
            self._done.add(job.kind)
        except TimeUp:
            if not closing():
                self._restart()
            raise TimeUp(f"no answer was found within {job.limit:g} s") from None
        except (EOFError, OSError):
            self._restart()
            raise WorkerDied("the calculation ended unexpectedly") from None
        if not ok:
            raise InputError(value)
        return value

    def _receive(self, seconds: float, closing: Callable[[], bool]) -> Any:
        end = time.monotonic() + seconds
        while not self._connection.poll(0.2):
            if closing() or time.monotonic() > end:
                raise TimeUp
        return self._connection.recv()

    def _restart(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


def _work(connection: Connection, tasks_path: str) -> None:
    """Do jobs until the connection is closed: the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.nice(5)  # the server's own process comes first
    threading.Thread(target=_exit_after, args=(os.getppid(),), daemon=True).start()
    from chokepoint.plugins import load_object

    tasks: dict[str, Callable[..., Any]] = load_object(tasks_path)
    connection.send("ready")
    while True:
        try:
            task, arguments = connection.recv()
        except EOFError:
            return
        try:
            answer = True, tasks[task](**arguments)
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
