"""Whole games in a real browser: by mouse, by keyboard, by touch; help, and what comes after."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable

import pytest
from browsing import MODES, PHONE, WAIT, Visitor
from playwright.sync_api import expect


@pytest.mark.parametrize("mode", [*MODES, "heavy"])
def test_a_whole_game_by_mouse(visit: Callable[..., Visitor], mode: str) -> None:
    visitor = visit()
    visitor.new_game(mode, 7)
    before = visitor.status()
    blocked = before.find("0")
    if blocked >= 0:  # nothing happens
        visitor.square(blocked).click()
        assert visitor.moves() == 0
    moves = visitor.play_out()
    expect(visitor.page.locator("h1")).to_contain_text(f"{moves} move")


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_game_by_keyboard(visit: Callable[..., Visitor], mode: str) -> None:
    visitor = visit()
    visitor.new_game(mode, 5, 80, 3)
    page = visitor.page
    at = visitor.status().index("1")
    visitor.square(at).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    for move in range(1, 26):
        target = visitor.status().find("1")
        if target < 0:
            break
        width = visitor.width()
        for key, steps in (
            ("ArrowDown", target // width - at // width),
            ("ArrowRight", target % width - at % width),
        ):
            back = {"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}[key]
            for _ in range(abs(steps)):
                page.keyboard.press(key if steps > 0 else back)
        at = target
        assert page.evaluate("() => document.activeElement.dataset.square") == str(target)
        page.keyboard.press("Space")
        page.locator(f'.trio, .cell.s3[data-square="{target}"]').first.wait_for()
        visitor.answered()
        expect(page.locator("#said")).to_contain_text("Attacked row")
        # In one look: after the last move the board may give way to the analysis at any time.
        shown = page.evaluate("() => document.querySelector('#moves')?.innerText ?? null")
        if shown is None:
            break
        assert int(shown) == move
    page.wait_for_selector(".trio", timeout=WAIT)
    expect(page.locator("#said")).to_contain_text("The game is over")


def test_a_whole_game_on_a_phone(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    visitor.new_game("flow", 20, 62, 2)
    page = visitor.page
    box = visitor.square(0).bounding_box()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert visitor.in_view("#game-board")  # the whole board, and the buttons that bring it nearer
    assert visitor.in_view(".zoom")
    page.get_by_label("Larger").click()
    assert visitor.square(0).bounding_box()["width"] > box["width"]
    page.get_by_label("Whole board").click()
    assert visitor.in_view("#game-board")
    moves = visitor.play_out("tap")
    expect(page.locator("h1")).to_contain_text(f"{moves} move")


def test_undo_redo_and_restart(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("noodle", 8, 95)
    page, start = visitor.page, visitor.status()
    visitor.square(start.index("1")).click()
    visitor.wait_moves(1)
    visitor.answered()
    after = visitor.status()
    page.click("#undo")
    visitor.wait_moves(0)
    assert visitor.status() == start
    page.keyboard.press("r")  # perhaps before the server has answered
    visitor.wait_moves(1)
    assert visitor.status() == after
    page.click("#restart")
    visitor.wait_moves(0)
    expect(page.locator("#counts")).to_contain_text("2 undos")
    page.click("#redo")
    visitor.wait_moves(1)
    page.reload()
    page.wait_for_selector("#game-board")
    assert visitor.status() == after


def test_hints_maps_watching_and_an_agent(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 8, 85)
    page = visitor.page
    page.locator("#par", has_text=re.compile(r"\d")).wait_for(timeout=WAIT)
    par = int(page.inner_text("#par"))
    page.click("#ask-solver")
    page.click("#hint")
    page.locator(".ring.hint").wait_for(timeout=WAIT)
    page.click("#heat")
    page.locator(".heat").first.wait_for(timeout=WAIT)
    visitor.shot("map")
    start = visitor.status()
    page.click("#watch")
    page.wait_for_selector("#watch-board", timeout=WAIT)
    page.locator(".watch-bar", has_text=f"move {par} of {par}").wait_for()
    visitor.shot("watch")
    page.click("#return")
    assert visitor.status() == start
    assert "1 hint · 2 peeks" in visitor.counts()
    page.click("#agent")
    page.wait_for_selector(".trio", timeout=WAIT)
    expect(page.locator(".hero")).to_contain_text(f"{par} moves by agents")
    expect(page.locator("h1")).to_contain_text("Played by an agent")


def test_what_comes_after_a_game(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 8, 80, 5)
    page = visitor.page
    moves = visitor.play_out()
    expect(page.locator("#film-optimum")).to_be_visible(timeout=WAIT)
    expect(page.locator(".hero")).to_contain_text("proven")
    expect(page.locator(".chart circle")).to_have_count(moves + 1, timeout=WAIT)
    over = moves - int(re.search(r"Par (\d+)", page.inner_text(".hero"))[1])
    total = sum(int(n) for n in re.findall(r"cost \+(\d)", page.inner_text(".page")))
    assert total == over  # the costs of the moves add up to the moves lost
    costly = page.locator(".costs li").count()
    assert costly > 0
    expect(page.locator("#film-you .ring.costly")).to_have_count(costly)  # marked on the board
    page.locator(".chart .hit").nth(1).click()
    expect(page.locator("#film-you .s3")).to_have_count(1)
    page.locator(".replay input").fill("0")
    expect(page.locator("#film-you .s3")).to_have_count(0)
    page.click("#replay")
    expect(page.locator("#film-you .s3")).to_have_count(moves, timeout=WAIT)
    page.click("#share")
    text = page.evaluate("() => navigator.clipboard.readText()")
    assert f"{moves} moves (par {moves - over})" in text
    assert "🟩" in text
    page.click("#link")
    link = page.evaluate("() => navigator.clipboard.readText()")
    for kind, head in (("png", b"\x89PNG"), ("gif", b"GIF8")):
        address = page.get_attribute(f"#picture-{kind}", "href")
        assert urllib.request.urlopen(visitor.url + address).read().startswith(head)
    visitor.shot("after")
    board = page.locator("#film-you .s0").count()
    other = visit()
    other.page.goto(link)
    other.page.wait_for_selector("#game-board")
    assert other.status().count("0") == board
    assert link in text
