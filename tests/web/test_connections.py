"""Connections that are slow, half-open or too many are closed, and others are served."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn

from pinchpoint.web.connections import ConnectionLimits, bounded_protocol

LIMITS = ConnectionLimits(most=20, header=0.5, body=0.5, reading=0.5, idle=30)
ANSWER = b"x" * 30_000_000


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Read the body, then answer: /large with 30 MB."""
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    body = ANSWER if scope["path"] == "/large" else b"ok"
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(echo, http=bounded_protocol(LIMITS), lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield int(listening.getsockname()[1])
    server.should_exit = True
    thread.join()


def closed(one: socket.socket) -> bool:
    """Return whether the server closes the connection within 20 s."""
    one.settimeout(20)
    try:
        while one.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: x\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nab",
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HT",  # a whole request, then half a one
    ],
)
def test_a_request_that_does_not_arrive(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(sent)
        assert closed(one)


def test_a_request_that_arrives_drop_by_drop(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(b"GET / HTTP/1.1\r\n")
        one.settimeout(0.1)
        end = time.monotonic() + 20
        while True:
            assert time.monotonic() < end
            try:
                one.sendall(b"x: y\r\n")
                if one.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break


def test_an_answer_that_is_not_read(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
        time.sleep(2)
        one.settimeout(20)
        got = 0
        try:
            while data := one.recv(1 << 20):
                got += len(data)
        except OSError:
            pass
        assert got < len(ANSWER)


def test_a_thoughtful_player_keeps_the_connection(port: int) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        assert client.post("/", content=b"x").text == "ok"
        time.sleep(1.2)  # longer than a header or a body may take
        assert client.post("/", content=b"x").text == "ok"


def test_too_many_connections_close_the_idle_ones(port: int) -> None:
    player = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20)
    assert player.get("/").text == "ok"
    crowd = []
    for _ in range(60):
        crowd.append(socket.create_connection(("127.0.0.1", port)))
    assert player.get("/").text == "ok"
    for one in crowd:
        one.close()
    player.close()
