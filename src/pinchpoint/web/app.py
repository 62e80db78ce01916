"""The web application: routes, errors and the page, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator
from typing import Any

import anyio.to_thread
import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import IntegrityError, OperationalError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import pinchpoint
from pinchpoint.errors import InputError
from pinchpoint.web.connections import BACKLOG, ConnectionLimits, bounded_protocol
from pinchpoint.web.context import Context, ServerSettings
from pinchpoint.web.db.store import CONNECTIONS
from pinchpoint.web.limits import FULL
from pinchpoint.web.logs import quiet_logs
from pinchpoint.web.messages import PATTERNS, Problem
from pinchpoint.web.page import Page
from pinchpoint.web.routes import about, advice, daily, moves, pictures, players, rooms
from pinchpoint.web.security import Guard

log = logging.getLogger(__name__)

CLEANING_SECONDS = 600
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in (
        (400, "The request cannot be understood."),
        (403, "This visitor may not do this."),
        (404, "There is no such thing."),
        (409, "The request does not fit the state of the game."),
        (413, "The request is too large."),
        (415, "The body is not JSON."),
        (422, "Something in the request is not allowed."),
        (429, "The requests come too fast, or ask for too much at once."),
        (503, "The database does not answer."),
        (507, "There is no room left to store anything."),
    )
}


def create_app(settings: ServerSettings) -> FastAPI:
    """Make the application of one server process; it frees what it uses when it stops."""
    context = Context(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.context = context
        anyio.to_thread.current_default_thread_limiter().total_tokens = CONNECTIONS
        cleaning = asyncio.create_task(_clean_regularly(context))
        yield
        cleaning.cancel()
        await asyncio.to_thread(context.close)

    app = FastAPI(
        title="Pinchpoint",
        version=pinchpoint.__version__,
        description="Play percolation-like games; the server owns the rules and the state.",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        responses=REFUSALS,
    )
    for module in (moves, advice, about, daily, pictures, players, rooms):
        app.include_router(module.router)
    app.add_exception_handler(InputError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(IntegrityError, _race_lost)
    app.add_exception_handler(OperationalError, _database_failed)
    # The page takes what no route matches. Were it a route itself, the router would send it
    # requests that match a route of the API but for the method, instead of answering 405.
    # Only the page is compressed; what the API answers is small and partly secret.
    app.router.default = GZipMiddleware(Page(context.catalogue))
    app.add_middleware(Guard, hosts=settings.hosts, behind_proxy=settings.behind_proxy)
    return app


async def _clean_regularly(context: Context) -> None:
    while True:
        try:
            await asyncio.to_thread(context.games.forget_unconsented)
            await asyncio.to_thread(context.storage.clean)
        except Exception:
            log.exception("old games could not be deleted")
        await asyncio.sleep(CLEANING_SECONDS)


# -- errors: always one sentence, never a stack trace -----------------------------------------


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status_code=getattr(error, "status", 422))


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return JSONResponse({"detail": "the body is not valid JSON"}, status_code=400)
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    pattern = first.get("ctx", {}).get("pattern")
    if pattern in PATTERNS:
        sentence = f"{where} must be {PATTERNS[pattern]}"
    else:
        message = str(first["msg"])
        sentence = f"{where}: {message[:1].lower()}{message[1:]}"
    # A name in the body may hold line breaks, invisible signs and half a character.
    printable = "".join(sign if sign.isprintable() else "?" for sign in sentence[:500])
    return JSONResponse({"detail": printable}, status_code=422)


async def _race_lost(_request: Request, _error: Exception) -> JSONResponse:
    """Answer a request that needed a row which another request deleted or wrote at that moment."""
    sentence = "something that this request needs has just been deleted or changed; try again"
    return JSONResponse({"detail": sentence}, status_code=409)


async def _database_failed(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, OperationalError)
    reason = str(error.orig).splitlines()[0] if str(error.orig) else "no reason given"
    log.error("the database refused a request: %s", reason)
    if "full" in reason or "No space" in reason:
        return JSONResponse({"detail": FULL}, status_code=507)
    return JSONResponse(
        {"detail": "the database does not answer; try again in a minute"}, status_code=503
    )


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405 and "Allow" in headers:
        # The router names the methods of the first route that has the path; there may be more.
        path = getattr(request.scope.get("route"), "path_format", None)
        operations = request.app.openapi()["paths"].get(path, {})
        methods = {method.upper() for method in operations}
        headers["Allow"] = ", ".join(sorted(methods)) or headers["Allow"]
    return JSONResponse(
        {"detail": str(error.detail)}, status_code=error.status_code, headers=headers
    )


# -- running it -------------------------------------------------------------------------------


def listen(host: str, port: int) -> socket.socket:
    """Open a socket on that address, or say in one sentence why that is impossible."""
    if not 0 <= port <= 65535:
        raise InputError(f"the port is {port}; it must be 0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only if the protocol is given. With it an answer takes
    # 40 ms longer.
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


def serve(app: FastAPI, listening: socket.socket, limits: ConnectionLimits | None = None) -> bool:
    """Serve the application until it is interrupted; return whether it ever started."""
    limits = limits or ConnectionLimits()
    quiet_logs()
    config = uvicorn.Config(
        app,
        http=bounded_protocol(limits),
        ws="none",
        log_config=None,  # uvicorn's lines go where all others go
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard reads them, if it may
        backlog=BACKLOG,
        timeout_keep_alive=limits.idle,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    return server.started
