"""Par, hints, heat maps, lines to watch, moves by agents, and the analysis after the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from oracles.brute import BruteForce
from playing import move, new_game, play_out, random_board

from pinchpoint.game.keys import position_key
from pinchpoint.solvers.dispatch import optimal_squares, solve
from pinchpoint.web.advisers import weights_hash
from pinchpoint.web.fair_queue import Job
from pinchpoint.web.solving import KnownSolution
from pinchpoint.web.workers import TimeUp


def wait_for_par(client: Any, game: Any, final: bool = False) -> Any:
    end = time.monotonic() + 150
    while time.monotonic() < end:
        par = client.get(f"/api/games/{game['id']}/par").json()
        if par["value"] is not None and not (final and par["pending"]):
            return par
        time.sleep(0.02)
    raise AssertionError("par did not come")


def ask(client: Any, game: Any, what: str, agent: str = "solver") -> Any:
    return client.post(
        f"/api/games/{game['id']}/{what}", json={"turn": game["turn"], "agent": agent}
    )


@pytest.fixture
def game(client: Any) -> Iterator[Any]:
    made = new_game(client, random_board("flow", 8, 0.8, 5))
    wait_for_par(client, made)
    return made


def test_par_is_that_of_the_solver(client: Any, context: Any, game: Any) -> None:
    truth = solve(context.games.puzzle(game["board"]).games())[0]
    par = wait_for_par(client, game, final=True)
    assert par == {"value": truth.value, "bound": truth.value, "proven": True, "pending": False}


def test_par_of_a_mode_of_ones_own(client: Any, context: Any) -> None:
    game = new_game(client, {"kind": "text", "mode": "heavy", "rows": ["oooo", "o#oo", "oooo"]})
    par = wait_for_par(client, game, final=True)
    fewest = BruteForce(context.games.puzzle(game["board"]).games()).fewest_moves()
    assert (par["value"], par["proven"]) == (fewest, True)
    assert game["status"][ask(client, game, "hint").json()["square"]] == "1"


def test_hints_and_maps_are_optimal_and_counted(client: Any, context: Any, game: Any) -> None:
    best = optimal_squares(context.games.puzzle(game["board"]).games())[0]
    hint = ask(client, game, "hint").json()
    assert best[hint["square"]]
    assert (hint["game"]["hints"], hint["game"]["turn"]) == (1, 1)
    again = ask(client, game, "hint").json()  # the same turn: not counted twice
    assert again == hint
    values = ask(client, hint["game"], "values").json()
    par = wait_for_par(client, game)["value"]
    for square, value in enumerate(values["values"]):
        legal = game["status"][square] == "1"
        assert value == (None if not legal else -par if best[square] else -par - 1)
    assert best[values["best"]]
    assert values["game"]["peeks"] == 1
    log = context.games.events(game["id"])
    assert [(e["kind"], e["agent"], e["square"]) for e in log] == [
        ("hint", "solver", hint["square"]),
        ("peek", "solver", None),
    ]


def test_watching_leaves_the_game_alone(client: Any, game: Any) -> None:
    shown = ask(client, game, "watch").json()
    assert shown["game"]["status"] == game["status"]
    film = shown["film"]
    assert film["start"] == game["status"]
    assert film["done"]
    squares = list(film["start"])
    for frame in film["frames"]:
        for square, status in frame["changes"]:
            squares[square] = str(status)
    assert "1" not in squares  # the film, patched together, ends as a game does
    assert squares.count("3") == len(film["frames"]) == wait_for_par(client, game)["value"]


def test_an_agent_plays_the_game_itself(client: Any, context: Any, game: Any) -> None:
    first = ask(client, game, "agent").json()
    assert ask(client, game, "agent").json() == first  # sent again: harmless
    while not first["done"]:
        first = ask(client, first, "agent").json()
    assert first["agent_moves"] == first["ply"] == wait_for_par(client, game)["value"]
    assert {e["agent"] for e in context.games.events(game["id"])} == {"solver"}
    assert ask(client, first, "agent").status_code == 409
    assert ask(client, first, "hint").status_code == 409


def test_baselines_can_be_asked(client: Any) -> None:
    game = new_game(client, random_board("network", 6))
    agents = {m["name"]: m["agents"] for m in client.get("/api/about").json()["modes"]}["network"]
    simple = next(a["name"] for a in agents if a["kind"] == "baseline")
    square = ask(client, game, "hint", simple).json()["square"]
    assert game["status"][square] == "1"
    assert ask(client, game, "values", simple).status_code in (409, 422)


def test_who_cannot_be_asked(client: Any, game: Any) -> None:
    for agent in ("nobody", "human", "os:system", "weights:/etc/passwd", "../network"):
        assert ask(client, game, "hint", agent).status_code == 404
    assert ask(client, game | {"turn": 5}, "hint").status_code == 409
    assert client.get(f"/api/games/{game['id']}/analysis").status_code == 409
    assert client.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
def test_learned_agents(client: Any, context: Any, mode: str) -> None:
    if weights_hash(mode) is None:
        pytest.skip(f"no weights are shipped for {mode}")
    game = new_game(client, random_board(mode, 9))
    agents = {m["name"]: m["agents"] for m in client.get("/api/about").json()["modes"]}[mode]
    assert (agents[0]["name"], agents[0]["kind"]) == (mode, "learned")
    found = ask(client, game, "values", mode).json()
    for square, value in enumerate(found["values"]):
        assert (value is not None) == (game["status"][square] == "1")
    known = [v for v in found["values"] if v is not None]
    assert found["values"][found["best"]] == max(known)
    assert ask(client, found["game"], "hint", mode).json()["square"] == found["best"]
    (peek, _) = context.games.events(game["id"])
    assert (peek["agent"], peek["weights"]) == (mode, weights_hash(mode))


def test_the_analysis_adds_up(client: Any, context: Any) -> None:
    game = play_out(client, new_game(client, random_board("flow", 8, 0.8, 5)))
    end = time.monotonic() + 150
    while (found := client.get(f"/api/games/{game['id']}/analysis").json())["pending"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    moves, par = found["moves"], found["par"]
    assert par["proven"]
    assert [m["square"] for m in moves] == game["moves"]
    assert all(m["certain"] for m in moves)
    assert sum(m["cost"] for m in moves) == game["ply"] - par["value"]
    puzzle = context.games.puzzle(game["board"])
    for k, judged in enumerate(moves):
        position = context.positions.at(puzzle, game["moves"][:k])
        best = optimal_squares(position)[0]
        assert judged["cost"] == int(not best[judged["square"]])
        if judged["cost"]:
            assert best[judged["better"]]
    assert len(found["optimum"]["frames"]) == par["value"]
    assert found["agent"]["done"]


def test_what_a_plan_says_about_its_positions(client: Any, context: Any, game: Any) -> None:
    wait_for_par(client, game, final=True)
    puzzle = context.games.puzzle(game["board"])
    par, _ = context.solutions.ask(puzzle, ())
    position = context.positions.at(puzzle, par.moves[:1])
    follow_up = context.solutions.find(position_key(position))
    assert (follow_up.value, follow_up.bound) == (par.value - 1, par.value - 1)


def test_only_better_pars_are_kept(context: Any) -> None:
    key = f"test{time.monotonic_ns():x}"[:32]
    for given, kept in (
        (KnownSolution(tuple(range(9)), 9, 3, 1.0), (9, 3)),
        (KnownSolution(tuple(range(10)), 10, 5, 1.0), (9, 5)),
        (KnownSolution(tuple(range(7)), 7, 2, 2.0), (7, 5)),
        (KnownSolution(tuple(range(8)), 8, 1, 9.0), (7, 5)),
    ):
        context.solutions.keep({key: given})
        known = context.solutions.find(key)
        assert (known.value, known.bound, len(known.moves)) == (*kept, kept[0])


def test_a_solver_that_fails_leaves_the_page_alive(
    client: Any, context: Any, monkeypatch: Any
) -> None:
    def fail(*_: Any, **__: Any) -> Job:
        broken = Job("key", "solve", {}, 5.0)
        broken.answer.set_exception(TimeUp("no answer was found within 5 s"))
        return broken

    monkeypatch.setattr(context.pool, "submit", fail)
    game = new_game(client, random_board("network", 7, 0.9, 77))
    assert client.get(f"/api/games/{game['id']}/par").json()["value"] is None
    assert ask(client, game, "hint").status_code == 422
    assert move(client, game, game["status"].index("1")).status_code == 200


def test_slow_agents_are_not_offered_on_large_boards(client: Any) -> None:
    large = new_game(client, random_board("network", 40))
    small = new_game(client, random_board("network", 8))
    offered = {m["name"]: m["agents"] for m in client.get("/api/about").json()["modes"]}
    (search,) = [agent for agent in offered["network"] if agent["name"] == "search"]
    assert 64 < search["max_squares"] < 1600
    refused = ask(client, large, "hint", "search")
    assert refused.status_code == 409
    assert "too long on 40 × 40" in refused.json()["detail"]
    assert ask(client, small | {"turn": 9}, "hint", "search").status_code == 409  # found, too early


def test_moves_do_not_wait_for_analyses(
    client: Any, browser: Any, context: Any, monkeypatch: Any
) -> None:
    game = play_out(client, new_game(client, random_board("flow", 6, 0.9, 3)))
    address = f"/api/games/{game['id']}/analysis"
    assert client.get(address).status_code == 200
    over, look_up = threading.Event(), context.advice._along
    entered: list[int] = []

    def slowly(*arguments: Any) -> Any:
        entered.append(1)
        over.wait(60)
        return look_up(*arguments)

    monkeypatch.setattr(context.advice, "_along", slowly)
    asking = [threading.Thread(target=browser().get, args=(address,)) for _ in range(45)]
    for thread in asking:
        thread.start()
    while not entered:
        time.sleep(0.01)
    time.sleep(0.5)  # for all others
    moved: list[int] = []

    def play() -> None:
        other = new_game(client)
        moved.append(move(client, other, other["status"].index("1")).status_code)

    player = threading.Thread(target=play)
    player.start()
    player.join(30)
    answered = list(moved)  # while the analyses still wait
    over.set()
    for thread in (*asking, player):
        thread.join()
    assert answered == [200]


def test_pictures_are_drawn_once(client: Any, context: Any, monkeypatch: Any) -> None:
    game = play_out(client, new_game(client, random_board("flow", 9, seed=4)))
    first = client.get(f"/api/games/{game['id']}/picture.gif")
    assert first.content.startswith(b"GIF89a")

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing has to be drawn again")

    monkeypatch.setattr(context.pool, "submit", fail)
    assert client.get(f"/api/games/{game['id']}/picture.gif").content == first.content


def test_a_long_game_has_a_short_picture() -> None:
    import io

    from PIL import Image

    from pinchpoint.web import tasks
    from pinchpoint.web.puzzles import Catalogue, Puzzle

    puzzle = Puzzle.from_rows(Catalogue().make("noodle", {}), ["o" * 40] * 40)
    games = puzzle.games()
    while not games.done[0]:
        games.play(int(games.legal[0].argmax()))
    moves = games.history(0)
    assert len(moves) > tasks.GIF_FRAMES
    data = tasks.draw_gif(puzzle.boards, moves, "clear")
    film: Any = Image.open(io.BytesIO(data))
    assert 1 < film.n_frames <= tasks.GIF_FRAMES + 1
