"""Child processes that never outlive the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from pinchpoint.checks import whole_number
from pinchpoint.errors import InputError

INTERVAL = 0.5  # seconds between two checks of the parent
_watched: set[int] = set()  # the parents of this process that are checked


def end_with(parent: int) -> None:
    """In a child: end this process soon after `parent` has, however that ended.

    A parent that is killed cannot stop its children. Ctrl-C, which a terminal sends to all of them,
    is left to the parent. Further calls do nothing.
    """
    if parent in _watched or parent == os.getpid():
        return
    _watched.add(parent)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(INTERVAL)
    os._exit(1)


class WorkerPool(ProcessPoolExecutor):
    """Processes that end with this one, and at once when the work in them is given up."""

    def __init__(self, workers: int) -> None:
        # Fresh processes: a copy of this one could hold locks of threads that it does not have.
        context = multiprocessing.get_context("spawn")
        super().__init__(workers, context, initializer=_prepare, initargs=(os.getpid(),))

    def __exit__(self, kind: type[BaseException] | None, *about: Any) -> bool | None:
        if kind is not None:  # Ctrl-C, or an error in one part: nobody waits for the others
            for process in list((self._processes or {}).values()):
                process.kill()
        return super().__exit__(kind, *about)


def worker_pool(workers: int) -> WorkerPool:
    """Start processes for several calls (of `solve`, say): starting them takes seconds."""
    check_workers(workers)
    return WorkerPool(workers)


def check_workers(workers: int) -> None:
    """Raise InputError unless the number of workers is 1 or more."""
    if whole_number(workers, "the number of workers") < 1:
        raise InputError(f"the number of workers is {workers}; it must be 1 or more")


def _prepare(parent: int) -> None:
    end_with(parent)
    os.environ["OMP_NUM_THREADS"] = "1"
