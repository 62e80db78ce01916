"""Around the game, in a real browser: kind pages, titles, sharing, offline, sounds, the class."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from browsing import PHONE, WAIT, Visitor
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("no/such/page", "no such page"),
        ("daily/2020-01-01/flow", "no board for"),
        ("daily/2026-02-30/flow", "no date"),
        ("daily/2026-02-03/chess", "no mode"),
        ("class/WRONG1", "no room"),
        ("class/WRONG1/key", "does not open"),
        ("game/" + 32 * "0", "no such game"),
        ("game/nothing", "the id of a game"),
        ("board/nothing", "does not hold a board"),
    ],
)
def test_bad_addresses_get_a_kind_page(visit: Callable[..., Visitor], path: str, says: str) -> None:
    page = visit().open(path)
    expect(page.locator(".lost")).to_contain_text(re.compile(says, re.I))
    expect(page.locator(".lost a").first).to_be_visible()


def test_titles_of_tabs(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    for path, title in (
        ("", "find the choke point"),
        ("daily", "Daily boards"),
        ("daily/2026-05-05/flow", "Flow of 2026-05-05"),
        ("campaign", "Campaign"),
        ("no/such/page", "Nothing here"),
    ):
        visitor.open(path)
        expect(visitor.page).to_have_title(re.compile(title))
    visitor.new_game("noodle", 7)
    expect(visitor.page).to_have_title(re.compile("Noodle 7 × 7"))


def test_sharing_on_a_phone_and_the_daily_address(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    page = visitor.page
    page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    visitor.open("daily/2026-05-04/flow")
    page.click("#play-daily")
    page.wait_for_selector("#game-board")
    visitor.play_out("tap")
    page.tap("#share")
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("() => window.shared")
    assert shared["url"] == f"{visitor.url}/daily/2026-05-04/flow"
    assert "flow daily 2026-05-04" in shared["text"]
    newcomer = visit()
    newcomer.page.goto(shared["url"])
    expect(newcomer.page.locator(".play-day")).to_contain_text("first attempt counts")
    for shown in ("#goal", ".legend", "#play-daily"):
        assert newcomer.in_view(shown), shown
    expect(newcomer.page.locator("#everybody")).to_be_visible()
    expect(newcomer.page.locator(".legend")).to_be_visible()
    page.click("#scores")  # the player's own page of that day
    expect(page.locator("#play-daily")).to_contain_text("Practise")


def test_the_page_without_a_server(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 5, 60, 3)
    visitor.play_out()
    page = visitor.open()  # after a first game the page prepares for being offline
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)
    page.goto(f"{visitor.url}/daily")
    expect(page.locator("h1")).to_contain_text("cannot be reached")
    visitor.context.set_offline(False)
    manifest = page.evaluate("async () => (await fetch('/manifest.webmanifest')).json()")
    assert manifest["display"] == "standalone"
    visitor.problems.clear()  # the lost connection is what this test is about


def test_sounds_only_when_wanted(visit: Callable[..., Visitor]) -> None:
    visitor = visit(reduced_motion="no-preference")
    page, tones = visitor.page, "() => window.tones"
    page.add_init_script(
        """window.tones = 0;
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
          window.tones += 1; return make.call(this); };"""
    )
    visitor.new_game("noodle", 8, 95)
    visitor.square(visitor.status().index("1")).click()
    visitor.answered()
    assert page.evaluate(tones) == 0
    page.click("#settings")
    page.check("#set-sound")
    page.keyboard.press("Escape")
    visitor.square(visitor.status().index("1")).click()
    page.wait_for_function("() => window.tones > 0")
    still = visit(reduced_motion="reduce")
    still.page.add_init_script(
        # Settings that the page kept while it was called Chokepoint are read still.
        """localStorage.setItem('chokepoint.settings', '{"sound": true, "theme": "dark"}');
        window.AudioContext = function () { throw new Error("a sound"); };"""
    )
    still.new_game("noodle", 8, 95)
    assert still.page.evaluate("document.documentElement.dataset.theme") == "dark"
    still.square(still.status().index("1")).click()
    still.answered()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_vibration_on_phones(visit: Callable[..., Visitor], motion: str) -> None:
    visitor = visit(**PHONE, reduced_motion=motion)
    page = visitor.page
    page.add_init_script("window.felt = 0; navigator.vibrate = () => { window.felt += 1; };")
    visitor.new_game("noodle", 8, 95)
    visitor.square(visitor.status().index("1")).tap()
    visitor.answered()
    assert page.evaluate("() => window.felt") == (1 if motion == "no-preference" else 0)


def test_a_room_with_switches(visit: Callable[..., Visitor]) -> None:
    teacher, pupil = visit(), visit()
    page = teacher.open("class")
    page.get_by_label("Title").fill("Class 9")
    page.get_by_label("Mode").select_option("flow")
    page.get_by_label("Size").fill("5")
    page.get_by_label("Boards").fill("1")
    page.uncheck("#allow-solver")
    page.uncheck("#allow-takeover")
    page.get_by_role("button", name="Make the room").click()
    code = page.inner_text("#room-code")
    expect(page.locator("#qr")).to_be_visible()
    expect(page.locator("#only-here")).to_contain_text("no other machine")  # it is 127.0.0.1
    expect(page.locator("#room-link")).to_contain_text(f"/class/{code}")
    assert not page.inner_text("#room-link").startswith("127.") or not addresses(page)
    teacher.shot("teacher")
    room = "**/api/rooms/*/results"
    page.route(room, lambda route: route.abort())  # the table says so, and mends itself
    expect(page.locator("#live")).to_contain_text("reconnecting", timeout=20_000)
    page.unroute(room)
    expect(page.locator("#live")).to_have_text("live", timeout=20_000)
    pupil.open(f"class/{code}")
    pupil.page.get_by_label("Your name").fill("Lise")
    pupil.page.click("#join")
    expect(page.locator("table")).to_contain_text("Lise", timeout=WAIT)
    pupil.page.locator(".room-boards button").first.click()
    pupil.page.wait_for_selector("#hint")
    assert pupil.page.locator("#ask-solver, #watch, #agent").count() == 0
    page.click("#lock")
    expect(page.locator("#locked")).to_be_visible()
    late = visit()
    late.open(f"class/{code}")
    late.page.get_by_label("Your name").fill("Max")
    late.page.click("#join")
    expect(late.page.get_by_text("The room is locked")).to_be_visible()
    page.get_by_role("button", name="Remove Lise").click()
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("table")).to_contain_text("Lise")
    page.get_by_role("button", name="Remove Lise").click()
    teacher.shot("teacher-remove")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("table")).not_to_contain_text("Lise")
    page.click("#lock")
    late.page.click("#join")
    expect(page.locator("table")).to_contain_text("Max", timeout=WAIT)


def test_the_key_of_a_room_never_reaches_the_server_in_an_address(
    visit: Callable[..., Visitor],
) -> None:
    teacher = visit()
    page = teacher.open("class")
    page.get_by_label("Title").fill("Class 9")
    page.get_by_role("button", name="Make the room").click()
    page.wait_for_selector("#room-code")
    path, key = page.url.split("#")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector("#room-code")
    assert asked
    assert not any(key in url.split("#")[0] for url in asked)
    page.goto(f"{path}/{key}")  # as such addresses once were
    page.wait_for_selector("#room-code")
    assert page.url == f"{path}#{key}"


def addresses(page: Any) -> Any:
    """Return the addresses that the server told the page of."""
    key = page.url.rsplit("/", 1)[1].split("#")
    script = """async ([code, key]) => {
      const answer = await fetch(`/api/rooms/${code}/results`, {headers: {"x-room-key": key}});
      return (await answer.json()).addresses; }"""
    return page.evaluate(script, key)


def test_the_laboratory(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("laboratory")
    page.get_by_label("Mode").select_option("flow")
    page.click("#lab-corehd")
    visitor.new_game("flow", 6, 90)
    expect(page.locator("#ask-corehd")).to_have_attribute("aria-checked", "true")
    assert page.locator(".cast button").count() == 4  # three characters, and the chosen one


def test_usual_boards_of_noodle_are_small(visit: Callable[..., Visitor]) -> None:
    page = visit().open("new")
    page.locator(".mode-card", has_text="Noodle").click()
    page.get_by_role("button", name="Huge").click()
    assert int(page.get_by_label("Size").input_value()) <= 12
    page.click("#more summary")
    expect(page.locator(".option").first).to_contain_text(re.compile("loop|free sides"))


def test_statistics_appear_with_consent(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 5, 60, 3)
    visitor.play_out()
    page = visitor.page
    page.click('a[href="/stats"]')
    page.click("#open-consent")
    page.click("#agree")
    expect(page.locator(".tile b").first).to_have_text("1")
