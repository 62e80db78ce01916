"""Servers and databases for the tests of the web."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for machine.py and the modes that tests add

from browsing import Visitor
from machine import chromium, postgresql, serving
from playwright.sync_api import sync_playwright

from pinchpoint.web.app import create_app
from pinchpoint.web.context import ServerSettings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database(request: Any, tmp_path_factory: Any) -> str:
    """Return a database; the tests that use it run on SQLite and on PostgreSQL."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return str(tmp_path_factory.mktemp("db") / "games.sqlite3")


@pytest.fixture(scope="session")
def app(database: str) -> Any:
    settings = ServerSettings(
        database=database,
        hosts=("testserver",),
        rate_limits=False,
        warm=False,
        workers=1,
        modes=("ring_mode:Heavy",),
    )
    return create_app(settings)


@pytest.fixture(scope="session")
def running(app: Any) -> Iterator[Any]:
    """Return the application, started once for each database."""
    with TestClient(app, raise_server_exceptions=False) as first:
        app.state.portal = first.portal
        yield app


@pytest.fixture
def browser(running: Any) -> Callable[[], Any]:
    """Return a function that makes browsers without cookies."""

    def make() -> Any:
        made = TestClient(running, raise_server_exceptions=False)
        made.portal = running.state.portal  # all share one event loop, as in a server
        return made

    return make


@pytest.fixture
def client(browser: Callable[[], Any]) -> Any:
    return browser()


@pytest.fixture
def context(running: Any) -> Any:
    return running.state.context


@pytest.fixture(scope="session")
def served(tmp_path_factory: Any) -> Iterator[str]:
    """Return the address of a server in a process of its own, without rate limits."""
    database = str(tmp_path_factory.mktemp("served") / "games.sqlite3")
    options = ("--no-rate-limits", "--mode", "ring_mode:Heavy")
    with serving(database, *options, program=("brief_solvers.py",)) as (url, _):
        yield url


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(engine: Any, served: str) -> Iterator[Callable[..., Visitor]]:
    """Return a function that makes visitors; at the end none may have recorded an error."""
    made: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        made.append(Visitor(engine, served, **options))
        return made[-1]

    yield make
    for visitor in made:
        visitor.close()
