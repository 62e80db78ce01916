"""The web application: routes, errors, the page, and what happens at start and stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy import delete, select
from starlette.exceptions import HTTPException

import chokepoint
from chokepoint.errors import InputError
from chokepoint.web.context import Context
from chokepoint.web.db.store import CONNECTIONS, now
from chokepoint.web.db.tables import events, games
from chokepoint.web.routes import (
    advice,
    boards,
    pictures,
    players,
    rooms,
)
from chokepoint.web.routes import (
    games as game_routes,
)
from chokepoint.web.security import Guard
from chokepoint.web.settings import UNCONSENTED_KEPT
from chokepoint.web.views import Problem

log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"
CLEANING_SECONDS = 600
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in (
        (400, "The request cannot be understood."),
        (403, "Not for this visitor."),
        (404, "There is no such thing."),
        (409, "It does not fit the state of the game."),
        (413, "Too large."),
        (415, "Not JSON."),
        (422, "Something in it is not allowed."),
        (429, "Too fast, or too much at once."),
    )
}


def create_app(context: Context) -> FastAPI:
    """The application of one server process; it closes the context when it stops."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.context = context
        anyio.to_thread.current_default_thread_limiter().total_tokens = CONNECTIONS
        cleaning = asyncio.create_task(_clean_now_and_then(context))
        yield
        cleaning.cancel()
        await asyncio.to_thread(context.close)

    app = FastAPI(
        title="Chokepoint",
        version=chokepoint.__version__,
        description="Play percolation-like games; the server owns the rules and the state.",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=REFUSALS,
    )
    for module in (game_routes, advice, boards, pictures, players, rooms):
        app.include_router(module.router)
    app.add_exception_handler(InputError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_api_route("/api/{rest:path}", _no_such, methods=METHODS, include_in_schema=False)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    app.add_middleware(Guard, hosts=context.settings.hosts)
    return app


# -- errors: always one sentence, never a stack trace -----------------------------------------


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status_code=getattr(error, "status", 422))


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return JSONResponse({"detail": "the body is not valid JSON"}, status_code=400)
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    message = str(first["msg"])
    sentence = f"{where}: {message[:1].lower()}{message[1:]}"
    return JSONResponse({"detail": sentence[:500]}, status_code=422)


async def _no_such(request: Request) -> JSONResponse:
    """An address of the API that does not exist, or not with this method.

    Without it the page's own files would be looked through for it.
    """
    allowed: set[str] = set()
    for path, operations in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
            allowed |= {method.upper() for method in operations}
    if not allowed:
        return JSONResponse({"detail": "there is no such address"}, status_code=404)
    methods = ", ".join(sorted(allowed))
    sentence = f"this address only takes {methods}"
    return JSONResponse({"detail": sentence}, status_code=405, headers={"allow": methods})


async def _plain(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse(
        {"detail": str(error.detail)}, status_code=error.status_code, headers=error.headers
    )


# -- what was never meant to be kept -----------------------------------------------------------


async def _clean_now_and_then(context: Context) -> None:
    while True:
        try:
            await asyncio.to_thread(forget_unconsented, context)
        except Exception:
            log.exception("old games could not be deleted")
        await asyncio.sleep(CLEANING_SECONDS)


def forget_unconsented(context: Context) -> None:
    """Delete games without consent that nobody has touched for a day."""
    old = games.c.player_id.is_(None) & (games.c.updated < now() - UNCONSENTED_KEPT)
    ids = select(games.c.id).where(old)
    with context.store.write() as connection:
        connection.execute(delete(events).where(events.c.game_id.in_(ids)))
        connection.execute(delete(games).where(old))
