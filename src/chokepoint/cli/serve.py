"""Play in the browser: serve the game, its agents and solvers on this machine."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass

import tyro

from chokepoint.cli.progress import spinner
from chokepoint.errors import InputError


@dataclass(frozen=True)
class Options:
    host: str = "127.0.0.1"
    """The address to listen on; others than this machine can only play if you change it."""
    port: int = 8000
    """The port to listen on."""
    database: str = ""
    """A file (SQLite) or a URL (postgresql://user@host/name); by default in your data folder."""
    mode: tyro.conf.UseAppendAction[tuple[tuple[str, ...], ...]] = ()
    """Modes of your own to offer besides the built-in ones, as package.module:Name; may be given
    several times."""
    workers: int = 2
    """Processes for solvers and agents."""
    allow_host: tuple[str, ...] = ()
    """Further names that the server answers to (as in the address line); * for any."""
    open: bool = False
    """Open the page in a browser."""
    no_rate_limits: bool = False
    """Do not limit how fast anyone may ask."""


def run(options: Options) -> int | None:
    try:
        import uvicorn

        from chokepoint.web.app import create_app
        from chokepoint.web.context import Context
        from chokepoint.web.settings import Settings
    except ModuleNotFoundError as error:
        raise InputError(
            f"the web game needs {error.name}; install it with pip install 'chokepoint[web]'"
        ) from None
    if not 0 <= options.port <= 65535:
        raise InputError(f"the port is {options.port}; it must be 0 to 65535")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    own = "localhost" if options.host in ("127.0.0.1", "::1") else options.host
    settings = Settings(
        database=options.database,
        modes=tuple(name for names in options.mode for name in names),
        workers=options.workers,
        rate_limits=not options.no_rate_limits,
        hosts=("127.0.0.1", "localhost", "::1", own, *options.allow_host),
    )
    listening = listen(options.host, options.port)
    with spinner("Getting the game ready (longer before the first run) …"):
        app = create_app(Context(settings))
    shown = f"[{options.host}]" if ":" in options.host else options.host
    url = f"http://{shown}:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=75,  # players think longer than the usual 5 s
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    if options.open:
        threading.Timer(1.5, webbrowser.open, (url,)).start()
    print(f"Chokepoint is served on {url} (Ctrl-C stops it)", file=sys.stderr, flush=True)
    server.run(sockets=[listening])
    return 0 if server.started else 1


def listen(host: str, port: int) -> socket.socket:
    """A socket on that address, or one sentence why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would not switch off Nagle's algorithm: 40 ms for every answer.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise InputError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; "
            "choose another --host or --port"
        ) from None
    return made
