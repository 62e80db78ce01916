"""Games through the API: what the server says is what the engine says."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playing import move, new_game, play_out, random_board, step

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards

MODES = ["network", "flow", "noodle", "shatter", "heavy"]


def text(games: Games) -> str:
    return "".join(str(int(s)) for s in games.status[0])


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_game_agrees_with_the_engine(client: Any, mode: str) -> None:
    game = new_game(client, random_board(mode, 9, 0.75, 4))
    reference = "ring_mode:Heavy" if mode == "heavy" else mode
    engine = Games(sample_boards(get_mode(reference), 9, 0.75, 1, 4), get_mode(reference))
    rng = np.random.default_rng(0)
    while not game["done"]:
        assert game["status"] == text(engine)
        square = int(rng.choice(np.flatnonzero(engine.legal[0])))
        engine.play(square)
        game = move(client, game, square).json()
    assert game["status"] == text(engine)
    assert game["moves"] == engine.history(0)
    assert engine.done[0]


def test_undo_redo_restart(client: Any) -> None:
    game = new_game(client, random_board("network", 8, 0.9))
    start = game["status"]
    first, second = [i for i, s in enumerate(start) if s == "1"][:2]
    one = move(client, game, first).json()
    two = move(client, one, second).json()
    back = step(client, two, "undo").json()
    assert (back["status"], back["moves"], back["undos"]) == (one["status"], [first], 1)
    forth = step(client, back, "redo").json()
    assert (forth["status"], forth["moves"], forth["can_redo"]) == (
        two["status"],
        [first, second],
        False,
    )
    begun = step(client, forth, "restart").json()
    assert (begun["status"], begun["moves"], begun["undos"]) == (start, [], 2)
    assert step(client, begun, "undo").status_code == 409
    other = move(client, step(client, begun, "redo").json(), second + 1).json()
    assert other["moves"] == [first, second + 1]
    assert not other["can_redo"]
    assert step(client, other, "redo").status_code == 409


def test_a_repeated_request_is_harmless(client: Any, context: Any) -> None:
    game = new_game(client)
    square = game["status"].index("1")
    once, again = move(client, game, square), move(client, game, square)
    assert once.json() == again.json()
    later = move(client, once.json(), once.json()["status"].index("1")).json()
    assert move(client, game, square).json() == later
    assert [e["turn"] for e in context.games.events(game["id"])] == [0, 1]
    assert move(client, game, square + 1).status_code == 409


def test_bad_moves_change_nothing(client: Any, context: Any) -> None:
    game = new_game(client)
    legal, blocked = game["status"].index("1"), game["status"].index("0")
    url = f"/api/games/{game['id']}/moves"
    for body, status in (
        ({"turn": 0, "ply": 0, "square": blocked}, 422),
        ({"turn": 0, "ply": 0, "square": 64}, 422),
        ({"turn": 0, "ply": 0, "square": -1}, 422),
        ({"turn": 0, "ply": 1, "square": legal}, 409),
        ({"turn": 3, "ply": 0, "square": legal}, 409),
        ({"turn": 0, "ply": 0, "square": "1"}, 422),
        ({"turn": 0, "ply": 0, "square": legal, "rules": 1}, 422),
        ({"turn": 0, "ply": 0}, 422),
        ([], 422),
    ):
        answer = client.post(url, json=body)
        assert answer.status_code == status, (body, answer.text)
        assert answer.json()["detail"]
    assert (
        client.post(
            f"/api/games/{'0' * 32}/moves", json={"turn": 0, "ply": 0, "square": 1}
        ).status_code
        == 404
    )
    assert client.get(f"/api/games/{game['id']}").json() == game
    assert context.games.events(game["id"]) == []


def test_a_finished_game_is_final(client: Any) -> None:
    game = play_out(client, new_game(client, random_board(size=5)))
    for kind in ("undo", "redo", "restart"):
        assert step(client, game, kind).status_code == 409
    assert move(client, game, 0).status_code == 409
    other = new_game(client, {"kind": "again", "game": game["id"]})
    assert (other["board"], other["ply"], other["done"]) == (game["board"], 0, False)


def test_what_is_stored_of_a_move(client: Any, context: Any) -> None:
    game = new_game(client)
    square = game["status"].index("1")
    after = move(client, game, square, think_ms=1234).json()
    step(client, after, "undo")
    first, second = context.games.events(game["id"])
    assert (first["kind"], first["square"], first["ply"], first["think_ms"]) == (
        "move",
        square,
        0,
        1234,
    )
    assert (second["kind"], second["ply"]) == ("undo", 1)
    assert first["at"] <= second["at"]


def test_of_moves_sent_at_once_one_is_played(client: Any, context: Any) -> None:
    game = new_game(client, random_board("noodle", 10, 1.0))
    squares = [i for i, s in enumerate(game["status"]) if s == "1"][:8]
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda s=s: answers.append(move(client, game, s).status_code))
        for s in squares
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * 7
    assert len(context.games.events(game["id"])) == 1


def test_boards_from_text_and_links(client: Any) -> None:
    rows = ["oo#oo", "oo#oo", "#o##o", "oo#oo", "oo#oo"]
    game = new_game(
        client, {"kind": "text", "mode": "flow", "options": {"axis": "vertical"}, "rows": rows}
    )
    link = client.get(f"/api/links/{game['code']}").json()
    assert link == {"mode": "flow", "options": {}, "height": 5, "width": 5, "rows": rows}
    again = new_game(client, {"kind": "link", "code": game["code"]})
    assert (again["board"], again["status"]) == (game["board"], game["status"])
    assert again["id"] != game["id"]


def test_options_of_modes(client: Any) -> None:
    both = new_game(client, random_board("flow", options={"axis": "both"}))
    assert both["options"] == {"axis": "both"}
    assert new_game(client, random_board("noodle", options={"K": 2.5}))["options"] == {"K": 2.5}
    for options in ({"axis": "diagonal"}, {"nonsense": 1}, {"terminals": [[1], [2]]}):
        assert (
            client.post(
                "/api/games", json={"board": random_board("flow", options=options)}
            ).status_code
            == 422
        )


def test_the_custom_mode_is_offered(client: Any) -> None:
    modes = {mode["name"]: mode for mode in client.get("/api/about").json()["modes"]}
    assert list(modes) == MODES
    assert modes["heavy"]["custom"]
    assert "heavy pieces" in modes["heavy"]["description"]
    assert modes["heavy"]["options"] == [{"name": "limit", "default": 6, "choices": []}]
    game = play_out(client, new_game(client, random_board("heavy", options={"limit": 9})))
    assert game["options"] == {"limit": 9}


def test_seeds_make_boards(client: Any) -> None:
    one, two = new_game(client, random_board(seed=5)), new_game(client, random_board(seed=5))
    assert one["board"] == two["board"]
    fresh = random_board()
    del fresh["seed"]
    assert new_game(client, fresh)["origin"]["seed"] != new_game(client, fresh)["origin"]["seed"]


def test_pictures(client: Any) -> None:
    game = play_out(client, new_game(client))
    for kind, head in (("png", b"\x89PNG"), ("gif", b"GIF8")):
        for palette in ("classic", "clear"):
            answer = client.get(f"/api/games/{game['id']}/picture.{kind}?palette={palette}")
            assert answer.status_code == 200
            assert answer.content.startswith(head)
            wide = Image.open(io.BytesIO(answer.content)).width
            assert wide >= 1000 if kind == "png" else wide <= 480
    assert client.get(f"/api/games/{game['id']}/picture.png?palette=x").status_code == 422


def test_origin_is_kept(client: Any, context: Any) -> None:
    game = new_game(client, random_board(seed=9))
    stored = context.games.find(game["id"]).row["origin"]
    assert json.loads(stored) == {"kind": "random", "p": 0.8, "seed": 9}
