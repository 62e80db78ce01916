"""The engine against the golden games, against the slow reference, and against itself."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from cases import graph_case, lattice_case, play_both

from pinchpoint.game.boards import parse_rows, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode

GOLDEN = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden" / "games.jsonl").read_text().splitlines()
]


# -- golden games ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_golden_game(number: int) -> None:
    record = GOLDEN[number]
    games = Games(parse_rows(record["laid"]), get_mode(record["mode"], **record["options"]))
    assert text_rows(games.boards[0]) == record["settled"]
    for move, after in zip(record["moves"], record["after"], strict=True):
        assert not games.done[0]
        games.play(move)
        assert text_rows(games.boards[0]) == after
    assert games.done[0]
    assert games.move_counts[0] == len(record["moves"]) == games.scores[0]


def test_golden_games_are_all_there() -> None:
    assert Counter(record["mode"] for record in GOLDEN) == {"network": 30, "flow": 30, "noodle": 30}
    assert {record["options"].get("inclusive") for record in GOLDEN[60:]} == {False, True}


# -- fast = slow -----------------------------------------------------------------------------


def test_fast_equals_slow_on_rectangles() -> None:
    rng = np.random.default_rng(1)
    moves = 0
    while moves < 60_000:
        height, width = rng.integers(1, 16, size=2).tolist()
        moves += play_both(lattice_case(rng, height, width), rng)


@pytest.mark.parametrize("shape", [(1, 60), (60, 1), (2, 45), (3, 30), (40, 4), (24, 24), (30, 20)])
def test_fast_equals_slow_on_thin_and_large_boards(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    moves = 0
    while moves < 1_000:
        moves += play_both(lattice_case(rng, *shape, games=2), rng)


@pytest.mark.parametrize("seed", [3, 4])
def test_fast_equals_slow_on_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    moves = 0
    while moves < 50_000:
        moves += play_both(graph_case(rng), rng)
