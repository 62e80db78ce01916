"""The page: its files, addresses and previews; whose game it is; campaign, races, help."""

from __future__ import annotations

import gzip
import re
from typing import Any

import numpy as np
import pytest
from oracles.brute import fewest_moves
from playing import move, new_game, play_out, random_board, step

from pinchpoint import Games
from pinchpoint.game.boards import parse_rows
from pinchpoint.game.palette import PALETTES
from pinchpoint.solvers.dispatch import solve
from pinchpoint.web.campaign import levels
from pinchpoint.web.limits import CAMPAIGN_BOARDS
from pinchpoint.web.page import FIRST, STATIC

SECRET, OTHER = {"x-browser-secret": "a" * 32}, {"x-browser-secret": "b" * 32}


def file_address(client: Any, name: str) -> str:
    return re.search(r"/v/\w+/", client.get("/").text)[0] + name


def test_files_are_compressed_and_kept_for_good(client: Any) -> None:
    address = file_address(client, "js/main.js")
    assert address in client.get("/").text
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.content == (STATIC / "js" / "main.js").read_bytes()
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    again = client.get(address, headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    # A page from before the server was renewed still finds its files, but does not keep them.
    old = client.get("/v/0123/js/main.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert client.get("/v/0123/js/nothing.js").status_code == 404
    assert client.get("/v/0123/../app.py").status_code == 404


def test_a_first_visit_is_small(client: Any) -> None:
    """What the first view asks for: the page, its styles and modules, two answers of the API."""
    names = ("page.css", *FIRST)
    sizes = [len(gzip.compress(client.get("/").content))]
    for name in names:
        answer = client.get(file_address(client, name), headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200, name
        assert answer.headers["content-encoding"] == "gzip", name
        sizes.append(len(gzip.compress(answer.content)))
    assert sum(sizes) < 80_000
    assert len(sizes) + 2 <= 15


def test_every_module_that_the_first_view_imports_is_asked_for_at_once() -> None:
    wanted, seen = {"js/main.js"}, set()
    while wanted - seen:
        name = (wanted - seen).pop()
        seen.add(name)
        for target in re.findall(
            r'^import .*?from "(.*?)";', (STATIC / name).read_text(), re.M | re.S
        ):
            wanted.add(str((STATIC / name).parent.joinpath(target).resolve().relative_to(STATIC)))
    assert seen == set(FIRST)


def test_addresses_of_the_page(client: Any) -> None:
    for path in ("", "daily", "game/x", "board/x", "class/ABCDEF", "campaign"):
        assert client.get(f"/{path}").status_code == 200, path
    lost = client.get("/no/such/page")
    assert lost.status_code == 404
    assert "<div id=" in lost.text  # the page itself says so, kindly
    for path, kind in (
        ("sw.js", "text/javascript"),
        ("icon.svg", "image/svg+xml"),
        ("offline.html", "text/html"),
        ("manifest.webmanifest", "application/manifest+json"),
    ):
        headers = client.get(f"/{path}").headers
        assert headers["cache-control"] == "no-cache"
        assert headers["content-type"].startswith(kind)


def test_links_have_a_preview(client: Any) -> None:
    code = new_game(client)["code"]
    for path, title in (
        (f"board/{code}", "flow, 8 × 8"),
        ("daily/2026-05-05/noodle", "noodle of 2026-05-05"),
    ):
        text = client.get(f"/{path}").text
        found = dict(re.findall(r'<meta property="([\w:]+)" content="(.*?)">', text))
        assert title in found["og:title"]
        assert found["og:url"] == f"http://testserver/{path}"
        picture = client.get(found["og:image"].removeprefix("http://testserver"))
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
    for path in ("board/nonsense", "daily/2026-05-05/chess", "daily/tomorrow/flow"):
        assert "picture.png" not in client.get(f"/{path}").text
    assert client.get("/api/links/nonsense/picture.png").status_code == 422
    nasty = client.get('/daily/"><script>alert(1)</script>/x').text
    assert "<script>alert" not in nasty


def test_the_page_has_the_colours_of_the_pictures(client: Any) -> None:
    css = client.get(file_address(client, "page.css")).text
    for name, palette in PALETTES.items():
        block = re.search(rf':root\[data-palette="{name}"\] {{(.*?)}}', css)[1]
        assert f"--active: {palette.active};" in block
        assert f"--attacked: {palette.attacked};" in block
    for path in (STATIC / "css").glob("*.css"):
        assert not re.search(r"--(active|inactive|attacked|blocked):", path.read_text()), path


# -- whose game it is ---------------------------------------------------------------------------


def test_only_the_browser_that_began_a_game_moves_in_it(client: Any, browser: Any) -> None:
    client.headers.update(SECRET)
    game = new_game(client)
    square = game["status"].index("1")
    other = browser()
    for headers in ({}, OTHER):
        seen = other.get(f"/api/games/{game['id']}", headers=headers).json()
        assert (seen["status"], seen["yours"]) == (game["status"], False)
        body = {"turn": 0, "ply": 0, "square": square}
        refused = other.post(f"/api/games/{game['id']}/moves", json=body, headers=headers)
        assert refused.status_code == 403
        again = {"board": {"kind": "again", "game": game["id"]}}
        assert other.post("/api/games", json=again, headers=headers).status_code == 403
    assert game["yours"]
    assert move(client, game, square).json()["ply"] == 1
    # Consent does not hand it to anybody else either.
    other.post("/api/me/consent", json={"agree": True, "game": game["id"]}, headers=OTHER)
    assert not client.get(f"/api/games/{game['id']}").json()["mine"]
    free = new_game(browser())  # begun without a secret: whoever knows its id may play on
    assert free["yours"]
    assert move(browser(), free, free["status"].index("1")).status_code == 200


# -- campaign, race, outlook ---------------------------------------------------------------------


def test_the_campaign(client: Any) -> None:
    listed = client.get("/api/campaign").json()
    assert [level["number"] for level in listed] == list(range(1, CAMPAIGN_BOARDS + 1))
    assert len({level["title"] for level in listed}) == CAMPAIGN_BOARDS
    assert len({(level.mode, level.rows) for level in levels()}) == CAMPAIGN_BOARDS
    game = new_game(client, {"kind": "campaign", "number": 7})
    assert game["origin"]["title"] == listed[6]["title"]
    par = client.get(f"/api/games/{game['id']}/par").json()
    assert par == {
        "value": listed[6]["par"],
        "bound": par["value"],
        "proven": True,
        "pending": False,
    }
    for number in (0, CAMPAIGN_BOARDS + 1):
        board = {"kind": "campaign", "number": number}
        assert client.post("/api/games", json={"board": board}).status_code == 422


@pytest.mark.parametrize("number", [1, 2, 3, 6, 8, 10, 13, 16, 18, 24])
def test_par_of_the_campaign_is_proven(number: int) -> None:
    """The others are solved again by docs/make_campaign.py --check."""
    level = levels()[number - 1]
    games = Games(parse_rows(level.rows), level.mode)
    found = solve(games, time_limit=20)[0]
    assert found.value == found.bound == level.par
    if len(level.rows) == 5:
        assert fewest_moves(games) == level.par


def test_a_race(client: Any) -> None:
    body = {"board": random_board("flow", 7), "rival": "degree"}
    game = client.post("/api/games", json=body).json()
    url = f"/api/games/{game['id']}"
    start = client.get(f"{url}/rival").json()
    assert (start["film"]["frames"], start["total"]) == ([], None)
    assert start["film"]["start"] == game["status"]
    game = move(client, game, game["status"].index("1")).json()
    if not game["done"]:
        assert len(client.get(f"{url}/rival").json()["film"]["frames"]) == 1
    assert step(client, game, "undo").status_code == 409
    ask = {"turn": game["turn"], "agent": "degree"}
    assert client.post(f"{url}/hint", json=ask).status_code == 409
    play_out(client, game)
    end = client.get(f"{url}/rival").json()
    assert end["film"]["done"]
    assert end["total"] == len(end["film"]["frames"]) > 0
    assert client.get(f"/api/games/{new_game(client)['id']}/rival").status_code == 404
    daily = {"kind": "daily", "mode": "flow", "day": "2026-02-02"}
    assert client.post("/api/games", json={"board": daily, "rival": "degree"}).status_code == 409
    body["rival"] = "nobody"
    assert client.post("/api/games", json=body).status_code == 404


@pytest.mark.parametrize("mode", ["network", "flow", "noodle", "heavy"])
def test_the_outlook_is_what_would_happen(client: Any, context: Any, mode: str) -> None:
    game = new_game(client, random_board(mode, 6, 0.7, 5))
    answer = client.post(f"/api/games/{game['id']}/outlook", json={"turn": 0}).json()
    assert answer["game"]["peeks"] == 1
    before = context.positions.at(context.games.find(game["id"]).puzzle, ())
    expected = {}
    for square in np.flatnonzero(before.legal[0]):
        after = before.copy()
        after.play(int(square))
        lost = np.flatnonzero((before.status[0] == 1) & (after.status[0] == 2)).tolist()
        if lost:
            expected[str(square)] = lost
    assert answer["cuts"] == expected
    large = new_game(client, random_board(mode, 21))
    assert client.post(f"/api/games/{large['id']}/outlook", json={"turn": 0}).status_code == 409


def test_a_teacher_switches_help_off(client: Any, browser: Any) -> None:
    room = {"title": "R", "boards": [random_board("flow", 5)], "allowed": ["hint"]}
    made = client.post("/api/rooms", json=room).json()
    pupil = browser()
    pupil.post(f"/api/rooms/{made['code']}/members", json={"name": "P", "agree": True})
    game = new_game(pupil, {"kind": "room", "room": made["code"], "number": 0})
    assert game["allowed"] == ["hint"]
    assert game["origin"]["boards"] == 1
    url = f"/api/games/{game['id']}"
    for path, agent, status in (
        ("hint", "solver", 403),
        ("watch", "degree", 403),
        ("agent", "degree", 403),
        ("hint", "degree", 200),
    ):
        answer = pupil.post(f"{url}/{path}", json={"turn": 0, "agent": agent})
        assert answer.status_code == status, path
    assert pupil.get(f"/api/rooms/{made['code']}").json()["allowed"] == ["hint"]
    results = client.get(f"/api/rooms/{made['code']}/results", headers={"x-room-key": made["key"]})
    assert results.json()["allowed"] == ["hint"]
    assert all(not a.startswith("127.") for a in results.json()["addresses"])
