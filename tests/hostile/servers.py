"""Servers for tests that kill them, forked from a process that has imported everything before.

A server has done nothing when it is forked, so it is like a new one, but it is there in a moment.
None is left running.

    python tests/hostile/servers.py DATABASE

reads a line for each server that is wanted, and answers with its process and its port.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pinchpoint.game.modes.table import MODES
from pinchpoint.web.app import create_app, listen, serve
from pinchpoint.web.context import ServerSettings, warm_up


@contextmanager
def servers(database: str) -> Iterator[Callable[[], tuple[int, str]]]:
    """Yield a function that starts a server on the database; it returns process and address."""
    command = [sys.executable, __file__, database]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, bufsize=1, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def start() -> tuple[int, str]:
            print("start", file=process.stdin)
            pid, port = map(int, process.stdout.readline().split())
            return pid, f"http://127.0.0.1:{port}"

        try:
            yield start
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # and all servers that it has forked


def fork_server(database: str) -> None:
    """Fork a server, and print its process and its port."""
    listening = listen("127.0.0.1", 0)
    pid = os.fork()
    if pid == 0:
        settings = ServerSettings(database=database, rate_limits=False, workers=1, warm=False)
        os._exit(0 if serve(create_app(settings), listening) else 1)
    print(pid, listening.getsockname()[1], flush=True)
    listening.close()


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody has to wait for those that were killed
    for mode in MODES.values():
        warm_up(mode())
    for _ in sys.stdin:
        fork_server(sys.argv[1])
