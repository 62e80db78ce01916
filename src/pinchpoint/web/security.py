"""Checks that every request passes first, and the safety headers of every answer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.exceptions import HTTPException

from pinchpoint.web.current_request import Client, CurrentRequest, network_of, set_current_request
from pinchpoint.web.limits import MAX_BODY

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
NO_STORE = (b"cache-control", b"no-store")  # answers of the API are for one visitor and one moment
TOO_LARGE = f"the request is too large; at most {MAX_BODY // 1024} KiB are allowed"
READING = ("GET", "HEAD", "OPTIONS")
GAME = re.compile(r"^/api/games/([0-9a-f]{32})(?:/|$)")


class Guard:
    """Checks host, origin, type and size of a request; adds the safety headers to the answer.

    `behind_proxy` says that one proxy of ours stands in front: then the client's address is the
    last one in X-Forwarded-For, which that proxy added. Otherwise the header is ignored.
    """

    def __init__(self, app: App, hosts: Sequence[str], behind_proxy: bool = False) -> None:
        self._app, self._hosts, self._behind_proxy = app, frozenset(hosts), behind_proxy

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        started = False
        api = scope["path"].startswith("/api/")
        limited = _limited(receive)
        who = self._request_of(scope, headers, limited)

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                given = list(message.get("headers", ()))
                if api and not any(name.lower() == NO_STORE[0] for name, _ in given):
                    given.append(NO_STORE)
                if who.secure:
                    given.append(HTTPS_ONLY)
                message["headers"] = [*given, *HEADERS]
            await send(message)

        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await _answer(send_with_headers, *refusal)
            return
        set_current_request(who)
        try:
            await self._app(scope, limited, send_with_headers)
        except Exception:  # the log gets the details, the visitor does not
            # Not the address itself: whoever knows the id of a game can look at it.
            route = getattr(scope.get("route"), "path_format", "an unknown address")
            log.exception("a request to %s failed", route)
            if not started:
                await _answer(send_with_headers, 500, "something went wrong on the server")

    def _request_of(
        self, scope: Message, headers: dict[str, str], receive: Receive
    ) -> CurrentRequest:
        address = scope["client"][0] if scope.get("client") else ""
        secure = scope.get("scheme") == "https"
        if self._behind_proxy:
            address = headers.get("x-forwarded-for", address).rpartition(",")[2].strip()
            secure = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip() == "https"
        game = GAME.match(scope["path"])
        cookie = headers.get("cookie")
        visitor = sha256(cookie.encode()).hexdigest() if cookie else game[1] if game else ""

        async def disconnected() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        return CurrentRequest(Client(network_of(address), visitor), disconnected, secure)

    def _refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return the status and sentence of a refusal, or None if the request may pass."""
        host = headers.get("host", "")
        name = getattr(_split(f"//{host}"), "hostname", None)
        # DNS rebinding: a page elsewhere could point its own name to this machine and read answers.
        if "*" not in self._hosts and name not in self._hosts:
            return 400, "this server does not answer to that host name"
        if method in READING:
            return None
        origin = headers.get("origin")
        if origin is not None and getattr(_split(origin), "netloc", None) != host:
            return 403, "this request comes from another site; only this page may write"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this request comes from another site; only this page may write"
        length = headers.get("content-length", "0")
        if not length.isdigit() or len(length) > 9 or int(length) > MAX_BODY:
            return 413, TOO_LARGE
        has_body = int(length) > 0 or "transfer-encoding" in headers
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        if has_body and kind != "application/json":
            return 415, "the body must be JSON with the content type application/json"
        return None


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, None if it is not one."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _limited(receive: Receive) -> Receive:
    """Wrap `receive` so that it stops at the largest body that is allowed."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MAX_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return counted


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"detail": sentence}).encode()
    kind = (b"content-type", b"application/json")
    size = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [kind, size]})
    await send({"type": "http.response.body", "body": body})
