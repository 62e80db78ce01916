"""Every other view in a real browser: daily boards, class, lesson, looks; and accessibility."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browsing import LAPTOP, MODES, PHONE, WAIT, Visitor
from machine import node_modules
from playwright.sync_api import expect


def test_daily_boards_consent_and_deletion(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("daily")
    page.wait_for_selector(".day")
    visitor.shot("daily")
    page.locator(".day.today a", has_text="Flow").click()
    page.wait_for_selector("#play-daily")
    expect(page.locator("#goal")).to_contain_text("stop the water")
    assert page.inner_text("#goal").count(".") == 1  # one sentence
    expect(page.locator(".legend")).to_contain_text("cut off")
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
    page.locator(".notice.shown").wait_for(state="detached")  # what was typed outlives a redraw
    expect(page.get_by_label("Name in the tables")).to_have_value("Grace")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_contain_text("Grace")
    visitor.shot("stats")
    day = page.evaluate("() => new Date().toISOString().slice(0, 10)")
    page = visitor.open()
    expect(page.locator(".streak")).to_contain_text("one day")
    expect(page.locator(".button.played")).to_have_text(f"Flow {moves} ✓")
    visitor.shot("home")
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
    page.get_by_label("Boards").fill("1")
    page.click("#add-boards")
    page.get_by_label("Mode").select_option("noodle")
    page.get_by_label("Boards").fill("2")
    page.click("#add-boards")
    page.get_by_label("share link").fill("nonsense")
    page.click("#add-link")
    expect(page.locator(".notice.error")).to_contain_text("does not hold a board")
    page.get_by_label("Remove board 3").click()
    expect(page.locator(".board-list li")).to_have_count(2)
    teacher.shot("class")
    page.get_by_role("button", name="Make the room with 2 boards").click()
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
    pupil.page.click("#new")  # on to the next board
    expect(pupil.page.locator("h1")).to_contain_text("board 2")
    pupil.open(f"class/{code}")
    expect(pupil.page.locator(".room-boards li").first).to_contain_text(f"{moves} move")
    expect(pupil.page.locator(".room-boards li").nth(1)).to_contain_text("Noodle")
    cell = page.locator("tr", has_text="Niels").locator("td.done b")
    expect(cell).to_have_text(str(moves), timeout=WAIT)
    teacher.shot("results")
    with page.expect_download() as download:
        page.click("#download")
    assert "Niels" in download.value.path().read_text()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("mode", MODES)
def test_the_lesson(visit: Callable[..., Visitor], mode: str, size: Any) -> None:
    visitor = visit(**size)
    page = visitor.open(f"lesson/{mode}")
    page.wait_for_selector("#game-board")
    visitor.shot(f"lesson-{mode}")
    for _ in range(8):
        assert visitor.in_view("#lesson-text")
        assert visitor.in_view("#game-board")
        if page.locator("#lesson-done").count():
            break
        said = page.inner_text("#lesson-text")
        if page.locator("#undo").count():
            assert visitor.in_view("#undo")
            if size is PHONE:
                page.tap("#undo")
            else:
                page.keyboard.press("u")
        else:
            marked = page.locator(".ring.hint")
            if marked.count():
                box = marked.bounding_box()
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            else:
                page.locator("#game-board .cell.s1").first.click()
        expect(page.locator("#lesson-text")).not_to_have_text(said)
        visitor.answered()
    assert visitor.in_view("#lesson-done")
    page.click("#lesson-done")
    page.wait_for_selector("#daily-card")


def test_the_lesson_says_what_joins_squares(visit: Callable[..., Visitor]) -> None:
    page = visit().open("lesson/network")
    expect(page.locator("#lesson-text")).to_contain_text("by their sides, never by their corners")


def test_pasted_boards_and_refusals(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("new")
    for text, says in (("o?o\nooo", "unknown symbol"), ("oo\no", "row 2"), ("", "nothing to play")):
        page.get_by_label("Board or link").fill(text)
        page.get_by_role("button", name="Play this board").click()
        expect(page.locator(".notice.error")).to_contain_text(says)
    page.get_by_label("Board or link").fill("ooo\no#o\nooo")
    page.get_by_role("button", name="Play this board").click()
    page.wait_for_selector("#game-board")
    assert visitor.status() == "111101111"
    visitor.open("board/nonsense")
    expect(page.locator(".lost")).to_contain_text("does not hold a board")


def test_looks(visit: Callable[..., Visitor]) -> None:
    visitor = visit(color_scheme="dark", reduced_motion="no-preference")
    visitor.new_game("network", 6, 90)
    page = visitor.page
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#settings")
    page.wait_for_function("() => document.activeElement.closest('#dialog') !== null")
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


PAGES = ["", "new", "daily", "daily/2026-05-05/flow", "campaign", "race", "stats", "class"]
PAGES += ["lesson", "laboratory", "privacy", "no/such/page", "offline.html"]


# In the dark only colours are different: what axe finds besides is the same in both schemes.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_accessibility_problem(visit: Callable[..., Visitor], scheme: str) -> None:
    axe = (node_modules() / "axe-core" / "axe.min.js").read_text()
    visitor = visit(color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if scheme == "dark":
        options["runOnly"] = COLOURS

    def check(view: str) -> None:
        page.evaluate(f"() => {{ {axe} }}")
        found = page.evaluate("(options) => axe.run(document, options)", options)["violations"]
        faults = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found]
        assert faults == [], view

    for path in PAGES:
        visitor.open(path)
        page.wait_for_selector("h1, #game-board")
        visitor.settled()
        check(path)
        if scheme == "dark":
            visitor.shot(f"dark-{path.split('/')[0] or 'home'}")
    visitor.new_game("flow", 8, 80, 5)
    check("game")
    with page.expect_response("**/api/rooms"):
        visitor.open("class")
        page.get_by_label("Title").fill("R")
        page.get_by_role("button", name="Make the room").click()
    page.wait_for_selector("#qr")
    check("teacher")
    visitor.open(f"class/{page.inner_text('#room-code')}")
    page.wait_for_selector("#join")
    check("pupil")
    visitor.open("race")
    page.click("#start-race")
    page.wait_for_selector("#rival-board")
    check("race")
    visitor.new_game("flow", 8, 80, 5)
    page.click("#settings")
    check("settings")
    page.keyboard.press("Escape")
    visitor.play_out()
    check("after")
