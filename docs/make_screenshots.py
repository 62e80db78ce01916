"""Take the pictures of the page for docs/web.md from a running server, with Debian's Chromium.

    pinchpoint serve --port 8000 --database new.sqlite3 &
    python docs/make_screenshots.py --url http://127.0.0.1:8000

Each is a PNG file with 256 colours in docs/images.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro
from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent / "images"
LAPTOP = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WAIT = 120_000  # ms
PLAY = """async (board) => {
  const headers = {"content-type": "application/json",
    "x-browser-secret": sessionStorage.getItem("pinchpoint.secret")};
  const answer = await fetch("/api/games", {method: "POST", headers, body: JSON.stringify(board)});
  return (await answer.json()).id; }"""


@dataclass(frozen=True)
class Options:
    url: str = "http://127.0.0.1:8000"
    """A server with an empty database."""
    chromium: str = "/usr/bin/chromium"
    """The browser."""


def random_board(mode: str, side: int, p: float, seed: int = 3) -> dict[str, Any]:
    return {"kind": "random", "mode": mode, "height": side, "width": side, "p": p, "seed": seed}


class Camera:
    """A browser that goes places and takes pictures."""

    def __init__(self, browser: Any, url: str) -> None:
        self._browser, self._url = browser, url

    def take(
        self,
        name: str,
        path: str,
        ready: str,
        then: Callable[[Any], None] | None = None,
        game: dict[str, Any] | None = None,
        **look: Any,
    ) -> None:
        """Open an address, or a new game, wait for an element, do something, take the picture."""
        context = self._browser.new_context(**(LAPTOP | look))
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.goto(f"{self._url}/{path}")
        if game is not None:
            page.wait_for_selector("#game-board")
            page.goto(f"{self._url}/game/{page.evaluate(PLAY, game)}")
        page.wait_for_selector(ready)
        if then is not None:
            then(page)
        page.wait_for_timeout(700)
        # Colours of small things count as much as those of large ones.
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4)
        picture.save(IMAGES / f"page-{name}.png", optimize=True)
        print(f"page-{name}.png: {(IMAGES / f'page-{name}.png').stat().st_size // 1024} kB")
        context.close()


def attack(page: Any, count: int) -> None:
    for _ in range(count):
        active = page.locator("#game-board:not([aria-busy]) .s1")
        active.first.wait_for()
        active.nth(active.count() // 2).click()
        page.wait_for_selector("#game-board:not([aria-busy])")


def play_on(page: Any, count: int) -> None:
    """Make some moves, and wait until par is known and a rival has moved as often."""
    attack(page, count)
    page.locator("#par", has_text=re.compile(r"\d")).wait_for()
    page.locator("#rival-moves", has_text="thinking").wait_for(state="detached")


def finish(page: Any) -> None:
    """Let the solver finish the game, and wait for the analysis."""
    play_on(page, 2)
    page.click("#ask-solver")
    page.click("#agent")
    page.wait_for_selector(".trio")
    page.wait_for_selector("#film-optimum")


def make_room(page: Any) -> None:
    page.get_by_label("Title").fill("Physics, Monday morning")
    page.get_by_role("button", name="Make the room").click()
    page.wait_for_selector("#qr")


def main(options: Options) -> None:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--headless"]
        browser = playwright.chromium.launch(executable_path=options.chromium, args=arguments)
        camera = Camera(browser, options.url)
        camera.take("home", "", "#game-board")
        camera.take("home-phone", "", "#game-board", color_scheme="dark", **PHONE)
        flow = {"board": random_board("flow", 12, 0.8)}
        camera.take("flow", "", "#game-board", lambda page: play_on(page, 2), flow)
        noodle = {"board": random_board("noodle", 9, 0.7)}
        camera.take(
            "noodle", "", "#game-board", lambda page: play_on(page, 1), noodle, color_scheme="dark"
        )
        network = {"board": random_board("network", 10, 0.75), "rival": "network"}
        camera.take("race", "", "#rival-board", lambda page: play_on(page, 3), network)
        camera.take("after", "", "#game-board", finish, {"board": random_board("flow", 14, 0.8)})
        camera.take("day", "daily/2026-05-05/network", "#everybody")
        camera.take("campaign", "campaign", ".level-card")
        camera.take("lesson", "lesson/network", "#game-board", None, None, **PHONE)
        camera.take("class", "class", "#add-boards", make_room)
        browser.close()


if __name__ == "__main__":
    main(tyro.cli(Options, description=__doc__))
