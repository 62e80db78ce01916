"""Playing in a real browser: first sight, quick clicks, lost connections, the end, links, races."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from browsing import LAPTOP, PHONE, WAIT, Visitor
from playwright.sync_api import Page, Route, expect

SIZES = pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
MOVES = re.compile(r"/api/games/\w+/moves$")


@SIZES
def test_play_at_first_sight(visit: Callable[..., Visitor], size: Any) -> None:
    visitor = visit(**size)
    page, asked, sizes = visitor.page, list[str](), list[int]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfinished", lambda r: sizes.append(r.sizes()["responseBodySize"]))
    page.goto(visitor.url)
    page.wait_for_selector("#game-board")
    page.wait_for_load_state("networkidle")
    assert len(asked) <= 15, asked
    assert sum(sizes) <= 100_000
    for control in ("#goal", "#legend", "#game-board", "#undo", "#daily-card .chips"):
        assert visitor.in_view(control), control
    assert page.inner_text("#goal").count(".") == 1  # one sentence
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    visitor.shot("home")
    while visitor.page.locator("#next-level").count() == 0:
        active = page.locator("#game-board .s1")
        if active.count():
            active.nth(active.count() // 2).click()
            visitor.answered()
        else:
            page.wait_for_selector("#next-level")
    expect(page.locator("#idea")).to_contain_text("par 1")
    assert visitor.storage()["stars"]["1"] >= 1
    page.click("#next-level")
    expect(page.locator(".level")).to_contain_text("2. ")


def test_clicks_are_painted_at_once_and_sent_in_turn(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("noodle", 8, 95)
    page, held, free = visitor.page, list[Any](), list[bool]()
    page.route(MOVES, lambda route: route.continue_() if free else held.append(route))
    squares = [i for i, s in enumerate(visitor.status()) if s == "1"][:3]
    for square in squares:
        visitor.square(square).click()
    assert all(visitor.status()[square] == "3" for square in squares)
    assert visitor.moves() == 3
    assert page.get_attribute("#game-board", "aria-busy") == "true"
    assert len(held) == 1  # the others wait for it
    free.append(True)
    held[0].continue_()
    visitor.answered()
    page.reload()
    page.wait_for_selector("#game-board")
    assert visitor.moves() == 3


def test_a_lost_connection_is_named_and_mended(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("noodle", 8, 95)
    page, silent = visitor.page, []

    def silence(route: Any) -> None:
        silent.append(route)  # never answered

    page.route(MOVES, silence)
    square = visitor.status().index("1")
    visitor.square(square).click()
    assert visitor.status()[square] == "3"
    expect(page.locator(".reconnecting")).to_be_visible(timeout=10_000)
    page.unroute(MOVES)
    expect(page.locator(".reconnecting")).to_be_hidden(timeout=20_000)
    visitor.answered()
    assert visitor.moves() == 1


def test_without_a_connection_every_view_says_so_and_goes_on_later(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit()
    page, banner = visitor.open("daily"), visitor.page.locator(".reconnecting")
    page.wait_for_selector(".day")
    visitor.new_game("flow", 8)
    visitor.context.set_offline(True)
    visitor.square(visitor.status().index("1")).click()
    expect(banner).to_contain_text("Your moves are kept", timeout=5_000)
    page.evaluate(
        """() => { history.pushState(null, "", "/daily/2026-05-05/flow");
                   dispatchEvent(new PopStateEvent("popstate")); }"""
    )
    expect(page.locator("main")).to_contain_text("One moment")
    expect(banner).to_be_visible()
    page.locator("nav").get_by_text("Class").click()  # its code has not been fetched yet
    expect(page.locator("main")).to_contain_text("could not be loaded")
    page.go_back()
    visitor.context.set_offline(False)
    expect(page.locator("#everybody")).to_be_visible(timeout=20_000)
    expect(banner).to_be_hidden(timeout=20_000)
    page.go_back()
    visitor.answered()
    assert visitor.moves() == 1
    visitor.problems.clear()  # modules and pictures that could not be fetched


def test_a_click_that_does_nothing_says_why(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("network", 8, 70)
    visitor.square(visitor.status().index("0")).click()
    expect(visitor.page.locator(".notice.shown")).to_contain_text("blocked")
    assert visitor.moves() == 0


# Notes when each part of the end is first on the page; a busy test process would miss some.
NOTE = """() => {
  window.noted = {};
  const note = (what) => { window.noted[what] ??= performance.now(); };
  new MutationObserver(() => {
    const line = document.querySelector('#game-board.cut .cut-line');
    if (line) note(`line ${line.getAttribute('d')}`);
    const counted = document.querySelector('.finale .counted');
    if (counted) note(counted.textContent);
    if (document.querySelector('.trio')) note('analysis');
  }).observe(document.body, {
    childList: true, subtree: true, attributes: true, characterData: true});
}"""


def test_the_end_is_played_out(visit: Callable[..., Visitor]) -> None:
    visitor = visit(reduced_motion="no-preference")
    page = narrow_board(visitor)
    expect(page.locator("#par")).to_have_text("1", timeout=WAIT)
    page.evaluate(NOTE)
    visitor.square(4).click()
    page.wait_for_selector(".trio", timeout=WAIT)
    expect(page.locator("h1")).to_contain_text("1 move")
    noted = page.evaluate("() => window.noted")
    (line,) = (what for what in noted if what.startswith("line"))
    # Over the blocked squares to both sides, and out.
    for part in ("M5 15L15 15", "M15 15L25 15", "M5 15l-5 0", "M25 15l5 0"):
        assert part in line
    assert noted["Cut in 1, par 1"] < noted["analysis"] - 700
    assert noted[line] < noted["analysis"] - 1000  # ms for which the board shows the cut


def test_the_goal_can_be_seen(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.new_game("flow", 6, 90)
    assert page.locator(".stream").count() >= 1
    while page.locator("#game-board .s1").count():
        page.locator("#game-board .s1").first.click()
        visitor.answered()
        if page.locator(".trio").count():
            break
    assert page.locator(".stream").count() == 0
    visitor.new_game("noodle", 6, 90)
    before = int(page.inner_text("#progress").split()[0])
    assert page.locator(".loops").count() == 1
    visitor.square(visitor.status().index("1", 14)).click()
    visitor.answered()
    assert int(page.inner_text("#progress").split()[0]) < before
    visitor.new_game("network", 6, 90)
    expect(page.locator(".balance")).to_have_attribute("aria-label", re.compile("Largest piece"))


def narrow_board(visitor: Visitor) -> Page:
    """Play a board of flow with one choke point, square 4, which cuts off six squares."""
    page = visitor.open("new")
    page.get_by_label("Board or link").fill("ooo\n#o#\nooo")
    page.locator(".mode-card", has_text="Flow").click()
    page.get_by_role("button", name="Play this board").click()
    page.wait_for_selector("#game-board")
    return page


def test_what_an_attack_would_cut_off(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = narrow_board(visitor)
    page.check("#preview")
    expect(page.locator("#counts")).to_contain_text("1 peek")
    visitor.square(4).hover()
    expect(page.locator("#game-board .doomed")).to_have_count(6)
    visitor.square(0).hover()
    expect(page.locator("#game-board .doomed")).to_have_count(0)


def test_a_finger_that_rests_looks_and_does_not_attack(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    page = narrow_board(visitor)
    page.check("#preview")
    expect(page.locator("#counts")).to_contain_text("1 peek")
    visitor.square(4).scroll_into_view_if_needed()
    box = visitor.square(4).bounding_box()
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = visitor.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    expect(page.locator("#game-board .doomed")).to_have_count(6)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#game-board .doomed")).to_have_count(0)
    assert visitor.moves() == 0
    visitor.square(4).tap()
    visitor.wait_moves(1)


@SIZES
def test_links_back_and_games_of_others(visit: Callable[..., Visitor], size: Any) -> None:
    visitor = visit()
    visitor.new_game("flow", 6, 80)
    page = visitor.page
    read = "async () => (await fetch('/api' + location.pathname.replace('game', 'games'))).json()"
    code = page.evaluate(read)["code"]
    address = page.url
    other = visit(**size)
    start = other.open("privacy").url
    other.page.goto(f"{visitor.url}/board/{code}")
    other.page.wait_for_selector("#game-board")
    expect(other.page.locator("#goal")).to_contain_text("stop the water")
    for shown in ("#goal", "#legend", "#game-board"):  # a newcomer sees what is what
        assert other.in_view(shown), shown
    other.page.go_back()
    other.page.wait_for_url(start)
    other.page.goto(address)  # a copied address of a running game
    other.page.wait_for_selector("#read-only")
    other.square(other.status().index("1")).click()
    assert other.moves() == 0
    other.page.click("#play-myself")
    other.page.wait_for_selector("#undo")
    visitor.page.goto(f"{visitor.url}/#/game/{address.rpartition('/')[2]}")  # links of old
    visitor.page.wait_for_selector("#undo")
    assert visitor.page.url == address


def seeded(page: Page, seed: int) -> None:
    """Give the boards that the page asks for this seed."""

    def add(route: Route) -> None:
        asked = route.request.post_data_json
        asked["board"]["seed"] = seed
        route.continue_(post_data=asked)

    page.route("**/api/games", add)


def start_race(visitor: Visitor) -> None:
    page = visitor.open("race")
    page.locator(".mode-card", has_text="Flow").click()
    page.get_by_label("Size").fill("6")
    page.click("#rival-greedy")
    visitor.shot("race")
    seeded(page, 5)  # a board that takes several moves
    page.click("#start-race")
    page.wait_for_selector("#rival-board")
    for control in ("#game-board", "#rival-board"):
        assert visitor.in_view(control)


@SIZES
def test_the_buttons_that_start_a_game_are_in_view(
    visit: Callable[..., Visitor], size: Any
) -> None:
    visitor = visit(**size)

    def as_installed(route: Route) -> None:
        """Leave out the mode that the tests add."""
        answer = route.fetch()
        first = answer.json()
        first["about"]["modes"] = [m for m in first["about"]["modes"] if not m["custom"]]
        route.fulfill(response=answer, json=first)

    visitor.page.route("**/api/start", as_installed)
    for path, button in (("race", "#start-race"), ("new", "#start")):
        visitor.open(path)
        visitor.page.wait_for_selector(button)
        assert visitor.in_view(button), path


@SIZES
def test_a_race(visit: Callable[..., Visitor], size: Any) -> None:
    visitor = visit(**size)
    start_race(visitor)
    page = visitor.page
    assert page.locator("#undo, #hint").count() == 0
    visitor.square(visitor.status().index("1")).click()
    expect(page.locator("#rival-moves")).to_have_text("1 move", timeout=WAIT)
    visitor.play_out()
    result = page.locator("#race-result")
    expect(result).to_contain_text(re.compile(r"You \d+, Student \d+"), timeout=WAIT)
    visitor.shot("race-result")
    mine, theirs = map(int, re.findall(r"\d+", result.inner_text())[:2])
    visitor.open("stats")
    won = "1 of 1 won" if mine < theirs else "0 of 1 won"
    expect(page.locator("#ladder")).to_contain_text(won)


def test_a_rival_whose_moves_come_late(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.page
    rival = re.compile(r"/api/games/\w+/rival$")
    page.route(rival, lambda route: route.abort())
    start_race(visitor)
    start = visitor.status()
    visitor.square(start.index("1")).click()
    visitor.answered()
    expect(page.locator("#rival-moves")).to_have_text("thinking …")
    assert visitor.status("rival-board") == start  # not the player's moves
    page.unroute(rival)
    expect(page.locator("#rival-moves")).to_have_text("1 move", timeout=WAIT)
    assert visitor.status("rival-board").count("3") == 1


def test_the_campaign(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("campaign")
    expect(page.locator(".level-card .thumbnail")).to_have_count(40)
    page.click("#level-3")
    page.wait_for_selector("#game-board")
    expect(page.locator("h1")).to_contain_text("level 3")
    visitor.play_out()
    visitor.open("campaign")
    expect(page.locator("#level-3 .stars")).to_have_attribute("aria-label", re.compile(r"\d star"))
    visitor.shot("campaign")


def test_the_hint_where_par_is_proven_is_the_solvers(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 8, 85)
    page = visitor.page
    expect(page.locator("#par")).to_have_text(re.compile(r"\d"), timeout=WAIT)
    par = int(page.inner_text("#par"))
    for _ in range(par):
        expect(page.locator("#ask-solver")).to_have_attribute("aria-checked", "true")
        page.click("#hint")
        box = page.locator(".ring.hint").bounding_box(timeout=WAIT)
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        visitor.answered()
    page.wait_for_selector(".trio", timeout=WAIT)
    expect(page.locator("h1")).to_contain_text(f"{par} move")


def test_arrow_keys_work_on_arrival(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.new_game("flow", 6, 100)
    page = visitor.page
    page.reload()
    page.wait_for_selector("#game-board")
    page.wait_for_function("() => document.activeElement.dataset?.square === '0'")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.square") == "1"
    page.keyboard.press("Space")
    visitor.wait_moves(1)


@pytest.mark.parametrize("side", [20, 40])
def test_a_large_board_on_a_phone(visit: Callable[..., Visitor], side: int) -> None:
    visitor = visit(**PHONE)
    visitor.new_game("flow", side, 62, 2)
    assert visitor.in_view("#game-board")
    assert visitor.in_view(".zoom")
    assert visitor.in_view("#undo")


def test_help_is_within_reach_on_a_phone(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    visitor.new_game("flow", 10, 80, 3)
    for control in ("#goal", "#game-board", "#undo", "#hint"):
        assert visitor.in_view(control), control


def test_the_question_about_consent_covers_nothing(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    visitor.new_game("flow", 5, 60, 3)
    visitor.play_out("tap")
    page = visitor.page
    page.wait_for_selector(".consent-bar")
    for _ in range(2):  # also when the page is scrolled
        # Both at once: the page may still be scrolling.
        bar, replay = page.evaluate(
            """() => [".consent-bar", ".compare"].map(
                (name) => document.querySelector(name).getBoundingClientRect().toJSON())"""
        )
        assert bar["bottom"] <= replay["top"]
        page.mouse.wheel(0, 300)
