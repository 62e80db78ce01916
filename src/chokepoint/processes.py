"""Child processes that never outlive the process that started them."""

from __future__ import annotations

import os
import signal
import threading
import time

INTERVAL = 0.5  # seconds between two looks at the parent
_watched: set[int] = set()  # the parents of this process that are looked at


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
