"""The engine against the golden games, against the slow reference, and against itself."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import reference
from cases import Case, graph_case, lattice_case

from chokepoint.game import Games, get_mode, parse_rows, text_rows

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


def assert_same(fast: Games, slow: list[reference.SlowGame]) -> None:
    assert fast.status.tolist() == [game.status() for game in slow]
    assert fast.done.tolist() == [game.done for game in slow]
    assert fast.active_counts.tolist() == [len(game.active) for game in slow]
    assert fast.move_counts.tolist() == [len(game.moves) for game in slow]
    if fast.mode.name == "network":
        assert fast.best.tolist() == [game.best for game in slow]


def assert_same_pieces(case: Case, fast: Games, row: int, slow: reference.SlowGame) -> None:
    """Labels part the open squares into the components, and the counts of each are right."""
    components = fast.components(row)
    assert sorted(sorted(piece) for piece in slow.pieces) == sorted(
        component.squares.tolist() for component in components
    )
    assert np.flatnonzero(fast.labels[row] >= 0).tolist() == sorted(slow.open)
    terminals = [side for pair in case.mode.terminal_sets(case.topology) for side in pair]
    for component in components:
        inside = set(component.squares.tolist())
        ends = sum(other in inside for node in inside for other in case.neighbours[node])
        assert component.size == len(inside)
        assert component.edges == ends // 2
        assert component.faces == sum(case.node_faces[node] for node in inside) - ends
        assert component.contacts == tuple(len(inside & set(side.tolist())) for side in terminals)


def play_both(case: Case, rng: np.random.Generator) -> int:
    """Play a case to its end in both engines, comparing after every move; the number of moves."""
    fast, slow = case.fast(), case.slow()
    assert_same(fast, slow)
    moves = 0
    while not fast.done.all():
        squares = np.full(len(slow), -1)
        for row, game in enumerate(slow):
            if game.active and rng.random() < 0.95:  # some games wait
                squares[row] = rng.choice(sorted(game.active))
                game.play(int(squares[row]))
                moves += 1
        fast.play(squares)
        assert_same(fast, slow)
        row = int(rng.integers(len(slow)))
        if rng.random() < 0.1:
            assert_same_pieces(case, fast, row, slow[row])
        if rng.random() < 0.01:
            before = fast.status.copy()
            fast.undo([row])
            slow[row].undo()
            assert_same(fast, slow)
            if rng.random() < 0.5 and squares[row] >= 0:
                fast.redo([row])
                slow[row].play(int(squares[row]))
                assert np.array_equal(fast.status, before)
                assert_same(fast, slow)
    for row, game in enumerate(slow):
        assert_same_pieces(case, fast, row, game)
        assert fast.history(row) == game.moves
    return moves


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


def test_fast_equals_slow_on_graphs() -> None:
    rng = np.random.default_rng(3)
    moves = 0
    while moves < 40_000:
        moves += play_both(graph_case(rng), rng)
