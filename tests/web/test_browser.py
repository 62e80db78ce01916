"""Whole games in a real browser: by mouse, by keyboard, by touch; and every view."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import WAIT, Visitor
from machine import chromium, node_modules
from playwright.sync_api import expect, sync_playwright

MODES = ["network", "flow", "noodle"]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(engine: Any, served: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; at the end none of them may have noticed an error."""
    made: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        made.append(Visitor(engine, served, **options))
        return made[-1]

    yield make
    for visitor in made:
        visitor.close()


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
    assert box["width"] >= 24
    assert box["height"] >= 24
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Larger").click()
    assert visitor.square(0).bounding_box()["width"] > box["width"]
    page.get_by_label("Whole board").click()
    board = page.locator("#game-board").bounding_box()
    assert board["width"] <= 360
    moves = visitor.play_out("tap")
    expect(page.locator("h1")).to_contain_text(f"{moves} move")


def test_undo_redo_and_restart(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("noodle", 8, 95)
    page, start = visitor.page, visitor.status()
    visitor.square(start.index("1")).click()
    visitor.wait_moves(1)
    after = visitor.status()
    page.click("#undo")
    visitor.wait_moves(0)
    assert visitor.status() == start
    page.keyboard.press("r")
    visitor.wait_moves(1)
    assert visitor.status() == after
    page.click("#restart")
    visitor.wait_moves(0)
    assert "2 undos" in visitor.counts()
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
    page.select_option("#adviser", "solver")
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
    expect(page.locator("h1")).to_contain_text("Par: nobody can do better")


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


def test_daily_boards_consent_and_deletion(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("daily")
    page.wait_for_selector(".day")
    visitor.shot("daily")
    page.locator(".day.today a", has_text="Flow").click()
    page.wait_for_selector("#play-daily")
    page.click("#play-daily")
    page.wait_for_selector("#game-board")
    assert visitor.context.cookies() == []
    moves = visitor.play_out()
    page.click("#consent-more")
    visitor.shot("consent")
    page.click("#agree")
    page.locator("#agree").wait_for(state="detached")
    assert len(visitor.context.cookies()) == 1
    visitor.open("stats")
    page.wait_for_selector(".tiles")
    page.get_by_label("Name in the tables").fill("Grace")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_contain_text("Grace")
    visitor.shot("stats")
    day = page.evaluate("() => new Date().toISOString().slice(0, 10)")
    visitor.open(f"daily/{day}/flow")
    row = page.locator("tr.mine")
    expect(row).to_contain_text("Grace (you)")
    expect(row.locator("td").nth(2)).to_have_text(str(moves))
    visitor.shot("day")
    visitor.open("stats")
    page.click("#delete")
    page.click("#delete-now")
    expect(page.locator("#open-consent")).to_be_visible()
    assert visitor.context.cookies() == []
    visitor.open(f"daily/{day}/flow")
    page.wait_for_selector(".card")
    expect(page.locator(".page")).not_to_contain_text("Grace")


def test_a_class(visit: Callable[..., Visitor]) -> None:
    teacher, pupil = visit(), visit(**PHONE)
    page = teacher.open("class")
    page.get_by_label("Title").fill("Physics")
    page.get_by_label("Mode").select_option("flow")
    page.get_by_label("Size").fill("6")
    page.get_by_label("Boards").fill("2")
    teacher.shot("class")
    page.get_by_role("button", name="Make the room").click()
    code = page.inner_text("#room-code")
    pupil.open("class")
    pupil.page.get_by_label("Code").fill(code.lower())
    pupil.page.get_by_role("button", name="Enter").click()
    pupil.page.get_by_label("Your name").fill("Niels")
    pupil.page.click("#join")
    pupil.page.wait_for_selector(".room-boards")
    pupil.shot("room")
    pupil.page.locator(".room-boards button").first.click()
    pupil.page.wait_for_selector("#game-board")
    moves = pupil.play_out("tap")
    cell = page.locator("tr", has_text="Niels").locator("td.done b")
    expect(cell).to_have_text(str(moves), timeout=WAIT)
    teacher.shot("results")
    with page.expect_download() as download:
        page.click("#download")
    assert "Niels" in download.value.path().read_text()


@pytest.mark.parametrize("mode", MODES)
def test_the_lesson(visit: Callable[..., Visitor], mode: str) -> None:
    visitor = visit(lesson_seen=False)
    page = visitor.page
    page.goto(visitor.url)  # a first visit begins with the lesson
    page.locator("#lesson-text").wait_for()
    if mode != "network":
        page.get_by_role("button", name=mode.capitalize()).click()
        page.locator(f'button[aria-pressed="true"]:text-is("{mode.capitalize()}")').wait_for()
    page.wait_for_selector("#game-board")
    if mode == "network":
        visitor.shot("lesson")
    for _ in range(8):
        if page.locator("#lesson-done").count():
            break
        said = page.inner_text("#lesson-text")
        if page.locator("#undo").count():
            page.click("#undo")
        else:
            marked = page.locator(".ring.hint")
            wrong = page.locator("#game-board .cell.s1").first
            if marked.count():
                box = marked.bounding_box()
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            else:
                wrong.click()
        expect(page.locator("#lesson-text")).not_to_have_text(said)
    page.click("#lesson-done")
    page.wait_for_selector("#start")
    assert visitor.storage()["lessonSeen"]


def test_pasted_boards_and_refusals(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open()
    page.get_by_text("Paste or load a board").click()
    for text, says in (("o?o\nooo", "unknown symbol"), ("oo\no", "row 2"), ("", "nothing to play")):
        page.get_by_label("Board or link").fill(text)
        page.get_by_role("button", name="Play this board").click()
        expect(page.locator(".notice.error")).to_contain_text(says)
    page.get_by_label("Board or link").fill("ooo\no#o\nooo")
    page.get_by_role("button", name="Play this board").click()
    page.wait_for_selector("#game-board")
    assert visitor.status() == "111101111"
    visitor.open("board/nonsense")
    expect(page.locator(".notice.error")).to_contain_text("does not hold a board")


def test_looks(visit: Callable[..., Visitor]) -> None:
    visitor = visit(color_scheme="dark")
    visitor.new_game("network", 6, 90)
    page = visitor.page
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#settings")
    for _ in range(8):  # the focus does not leave the window
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.closest('#dialog') !== null")
    visitor.shot("settings")
    page.select_option("#theme", "light")
    assert page.evaluate(ground) != dark
    page.select_option("#palette", "clear")
    page.keyboard.press("Escape")
    visitor.square(visitor.status().index("1")).click()
    visitor.wait_moves(1)
    attacked = page.locator("#game-board .s3 .mark")
    assert attacked.count() == 1
    visitor.shot("clear")
    assert visitor.storage()["palette"] == "clear"
    move = "() => getComputedStyle(document.querySelector('.cell rect')).transitionDuration"
    assert page.evaluate(move) != "0s"
    still = visit(reduced_motion="reduce")
    still.new_game("network", 6, 90)
    assert still.page.evaluate(move) == "0s"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_problem(visit: Callable[..., Visitor], scheme: str) -> None:
    axe = (node_modules() / "axe-core" / "axe.min.js").read_text()
    visitor = visit(color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page

    def check(view: str) -> None:
        page.evaluate(f"() => {{ {axe} }}")
        found = page.evaluate("() => axe.run(document)")["violations"]
        grave = [v for v in found if v["impact"] in ("serious", "critical")]
        told = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in grave]
        assert told == [], view

    for path in ("", "daily", "daily/2026-05-05/flow", "stats", "class", "lesson", "privacy"):
        visitor.open(path)
        page.wait_for_selector("h1, #game-board")
        page.wait_for_load_state("networkidle")
        check(path)
        if scheme == "dark":
            visitor.shot(f"dark-{path.split('/')[0] or 'home'}")
    visitor.new_game("flow", 8, 80, 5)
    check("game")
    page.click("#settings")
    check("settings")
    page.keyboard.press("Escape")
    visitor.play_out()
    check("after")
