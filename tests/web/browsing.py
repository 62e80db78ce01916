"""A visitor with a browser, who records every error and every request to another server."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

WAIT = 90_000  # ms; the first question to a solver may have to compile its kernels
MODES = ["network", "flow", "noodle", "shatter"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1366, "height": 768}}
SHOTS = os.environ.get("PINCHPOINT_SCREENSHOTS")  # a folder, to look at every view


class Visitor:
    """One browser window with its own cookies and storage."""

    def __init__(self, chromium: Any, url: str, **options: Any) -> None:
        self.url, self.problems = url, list[str]()
        self.under_way = set[Any]()  # requests without an answer yet
        options.setdefault("viewport", {"width": 1280, "height": 860})
        options.setdefault("reduced_motion", "reduce")  # nothing to wait for
        self.context = chromium.new_context(base_url=url, **options)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._request)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._ended)

    def _console(self, message: Any) -> None:
        expected = "Failed to load resource" in message.text  # a refusal that the page shows itself
        if message.type in ("error", "warning") and not expected:
            self.problems.append(message.text)

    def _request(self, request: Any) -> None:
        self.under_way.add(request)
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.problems.append(f"a request to {request.url}")

    def _ended(self, request: Any) -> None:
        self.under_way.discard(request)

    def close(self) -> None:
        self.context.close()
        assert self.problems == []

    # -- going places ----------------------------------------------------------------------------

    def open(self, path: str = "") -> Page:
        self.page.goto(f"{self.url}/{path}")
        self.page.wait_for_selector("main > *")
        return self.page

    def settled(self) -> None:
        """Wait until every request has been answered and the page has drawn what came."""
        end = time.monotonic() + WAIT / 1000
        while True:
            self.page.evaluate(
                "() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))"
            )
            if not self.under_way:
                return
            assert time.monotonic() < end, self.under_way

    def new_game(self, mode: str, size: int = 8, p: int = 80, seed: int = 1) -> None:
        self.open("new")
        self.page.locator(".mode-card", has_text=mode.capitalize()).first.click()
        self.page.get_by_label("Size").fill(str(size))
        self.page.get_by_label("Density").fill(str(p))
        self.page.click("#more summary")
        self.page.get_by_label("Seed").fill(str(seed))
        self.page.click("#start")
        self.page.wait_for_selector("#game-board")

    def in_view(self, selector: str) -> bool:
        """Return whether all of an element is inside the window."""
        box = self.page.locator(selector).first.bounding_box()
        size = self.page.viewport_size
        assert box is not None
        assert size is not None
        return bool(
            box["x"] >= -1
            and box["y"] >= -1
            and box["x"] + box["width"] <= size["width"] + 1
            and box["y"] + box["height"] <= size["height"] + 1
        )

    # -- what is on the board ----------------------------------------------------------------------

    def status(self, board: str = "game-board") -> str:
        """Return the states of the squares as the page shows them."""
        script = "cells => cells.map(c => c.getAttribute('class').match(/s(\\d)/)[1]).join('')"
        return str(self.page.locator(f"#{board} .cell").evaluate_all(script))

    def width(self) -> int:
        return int(self.page.get_attribute("#game-board", "aria-colcount") or 0)

    def square(self, number: int) -> Any:
        return self.page.locator(f'#game-board [data-square="{number}"]')

    def answered(self) -> None:
        """Wait until the server has answered every move."""
        self.page.locator(".trio, #game-board:not([aria-busy])").first.wait_for()

    def moves(self) -> int:
        return int(self.page.inner_text("#moves"))

    def counts(self) -> str:
        return self.page.inner_text("#counts")

    def wait_moves(self, number: int) -> None:
        self.page.locator("#moves", has_text=re.compile(f"^{number}$")).wait_for()

    def play_out(self, how: str = "click") -> int:
        """Attack squares in the middle until nothing is active; return the number of moves."""
        played = 0
        while True:
            self.page.locator(".trio, #game-board").first.wait_for()
            if self.page.locator("#game-board").count() == 0:
                return played
            active = [i for i, s in enumerate(self.status()) if s == "1"]
            if not active:
                self.page.wait_for_selector(".trio", timeout=WAIT)
                return played
            target = self.square(active[len(active) // 2])
            getattr(target, how)()
            played += 1
            self.answered()

    def shot(self, name: str) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)

    def storage(self) -> Any:
        text = self.page.evaluate("() => localStorage.getItem('pinchpoint.settings')")
        return json.loads(text or "{}")
