"""Play in the browser: serve the game, its agents and solvers on this machine."""

from __future__ import annotations

import logging
import sys
import threading
import webbrowser
from dataclasses import dataclass

import tyro

from pinchpoint.cli.progress import spinner


@dataclass(frozen=True)
class Options:
    host: str = "127.0.0.1"
    """The address to listen on; only this machine can play unless you change it."""
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
    behind_proxy: bool = False
    """One proxy of yours stands in front: believe the address that it adds to X-Forwarded-For."""
    secure_cookie: bool = False
    """Let browsers send the player's cookie by HTTPS only."""
    max_gigabytes: float = 10.0
    """The size of the database beyond which nothing new is stored."""
    open: bool = False
    """Open the page in a browser."""
    no_rate_limits: bool = False
    """Do not limit how fast visitors may ask."""


def run(options: Options) -> int | None:
    from pinchpoint.web.app import create_app, listen, serve  # FastAPI, a database
    from pinchpoint.web.context import ServerSettings

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    own = "localhost" if options.host in ("127.0.0.1", "::1") else options.host
    settings = ServerSettings(
        database=options.database,
        modes=tuple(name for names in options.mode for name in names),
        workers=options.workers,
        rate_limits=not options.no_rate_limits,
        behind_proxy=options.behind_proxy,
        secure_cookie=options.secure_cookie,
        max_gigabytes=options.max_gigabytes,
        hosts=("127.0.0.1", "localhost", "::1", own, *options.allow_host),
    )
    listening = listen(options.host, options.port)
    with spinner("Getting the game ready (longer before the first run) …"):
        app = create_app(settings)
    shown = f"[{options.host}]" if ":" in options.host else options.host
    url = f"http://{shown}:{listening.getsockname()[1]}"
    if options.open:
        threading.Timer(1.5, webbrowser.open, (url,)).start()
    print(f"Pinchpoint is served on {url} (Ctrl-C stops it)", file=sys.stderr, flush=True)
    return 0 if serve(app, listening) else 1
