"""The request that is being answered, and the client that sent it.

The guard notes it for each request before anything else happens. Limits and queues look it up here,
so that a route cannot forget to pass it on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address


@dataclass(frozen=True)
class Client:
    """A browser at an address. Many browsers may share one address, as in a school."""

    address: str
    visitor: str  # its cookie or its game, hashed or checked; what one browser keeps


NOBODY = Client("", "")  # work that no visitor asked for


async def _never() -> None:
    await asyncio.Event().wait()


@dataclass(frozen=True)
class CurrentRequest:
    """A client with a request under way."""

    client: Client
    disconnected: Callable[[], Awaitable[None]] = _never  # returns when the visitor has hung up
    secure: bool = False  # the browser reached us, or the proxy in front, by HTTPS


_current: ContextVar[CurrentRequest | None] = ContextVar("current_request", default=None)


def current_request() -> CurrentRequest:
    """Return the request that this code answers; outside of requests its client is nobody."""
    return _current.get() or CurrentRequest(NOBODY)


def set_current_request(who: CurrentRequest) -> None:
    """Note the request, for everything that is done to answer it."""
    _current.set(who)


def network_of(address: str) -> str:
    """Return what limits go by: an IPv4 address, or the first 64 bits of an IPv6 address.

    A household has 2**64 addresses of IPv6, so limits for each of them would limit nobody.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)
