"""Shortcuts to play through the API."""

from __future__ import annotations

from typing import Any


def random_board(
    mode: str = "flow", size: int = 8, p: float = 0.8, seed: int = 1, **more: Any
) -> Any:
    return {
        "kind": "random",
        "mode": mode,
        "height": size,
        "width": size,
        "p": p,
        "seed": seed,
    } | more


def new_game(client: Any, board: Any = None) -> Any:
    response = client.post("/api/games", json={"board": board or random_board()})
    assert response.status_code == 201, response.text
    return response.json()


def move(client: Any, game: Any, square: int, **more: Any) -> Any:
    body = {"turn": game["turn"], "ply": game["ply"], "square": square} | more
    return client.post(f"/api/games/{game['id']}/moves", json=body)


def step(client: Any, game: Any, kind: str) -> Any:
    return client.post(f"/api/games/{game['id']}/{kind}", json={"turn": game["turn"]})


def play_out(client: Any, game: Any) -> Any:
    """Attack the first active square until the game is over."""
    while not game["done"]:
        response = move(client, game, game["status"].index("1"), think_ms=12)
        assert response.status_code == 200, response.text
        game = response.json()
    return game


def consent(client: Any, name: str | None = None) -> None:
    assert client.post("/api/me/consent", json={"agree": True}).status_code == 201
    if name:
        assert client.put("/api/me/name", json={"name": name}).status_code == 200
