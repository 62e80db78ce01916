"""Duels and restorations against the golden games and the slow references."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import Case, graph_case, lattice_case
from oracles import reference
from oracles.duels import SlowDuel, SlowRestoration, fewest_attacks
from stand_ins import Large

from pinchpoint.errors import IllegalMove, InputError
from pinchpoint.game.boards import parse_rows, text_rows
from pinchpoint.game.duel import ATTACK, GUARD, Duels
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.restore import Restorations
from pinchpoint.graph.lattices import LATTICES, lattice

GOLDEN = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden" / "duels.jsonl").read_text().splitlines()
]


def text(games: Any) -> list[str]:
    """One board as in the golden files; guarded squares are capital letters."""
    shape = games.topology.lattice_shape()
    rows = text_rows(games.status[0].reshape(shape))
    if isinstance(games, Restorations):
        return rows
    safe = games.guarded[0].reshape(shape)
    return [
        "".join(c.upper() if s else c for c, s in zip(row, line, strict=True))
        for row, line in zip(rows, safe, strict=True)
    ]


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_golden_duel(number: int) -> None:
    record = GOLDEN[number]
    laid = parse_rows(record["laid"])
    mode = get_mode(record["mode"], **record["options"])
    topology = lattice(laid.shape[0], laid.shape[1], record["lattice"])
    games: Any
    if record["task"] == "duel":
        options = {"guards": record["guards"], "first": record["first"]}
        games = Duels(laid.reshape(1, -1), mode, topology, **options)
    else:
        games = Restorations(laid.reshape(1, -1), mode, topology)
    assert text(games) == record["settled"]
    for move, after in zip(record["moves"], record["after"], strict=True):
        assert not games.done[0]
        games.play(move)
        assert text(games) == after
    assert games.done[0]
    assert games.history() == [topology.square(*move) for move in record["moves"]]
    if record["task"] == "duel":
        assert record["result"] == ("broken" if games.broken[0] else "held")
        attacks = int((games.status[0] == 3).sum())
        assert attacks == record["attacks"]
        assert games.scores[0] == (attacks if games.broken[0] else laid.sum() + 1)
    else:
        assert games.scores[0] == len(record["moves"])


def test_golden_duels_are_all_there() -> None:
    assert Counter(record["task"] for record in GOLDEN) == {"duel": 48, "restore": 36}


# -- fast = slow -----------------------------------------------------------------------------


def duel_both(case: Case, rng: np.random.Generator) -> int:
    """Play duels in both engines, comparing after every move; return the number of moves."""
    guards, first = int(rng.integers(1, 4)), str(rng.choice(["attack", "guard"]))
    monotone = case.mode.monotone(case.topology)
    fast = Duels(case.opened, case.mode, case.topology, guards, first)
    slow = [
        SlowDuel(case.neighbours, np.flatnonzero(row).tolist(), case.judge, guards, first, monotone)
        for row in case.opened
    ]
    random = fast.copy()
    moves = 0
    while True:
        assert fast.status.tolist() == [duel.game.status() for duel in slow]
        running = [duel.result == "running" for duel in slow]
        assert fast.done.tolist() == [not goes_on for goes_on in running]
        assert fast.held.tolist() == [duel.result == "held" for duel in slow]
        assert fast.broken.tolist() == [duel.result == "broken" for duel in slow]
        for row, duel in enumerate(slow):
            assert np.flatnonzero(fast.legal[row]).tolist() == duel.legal()
            assert set(np.flatnonzero(fast.guarded[row]).tolist()) == duel.guarded
            assert fast.history(row) == duel.moves
            side = ATTACK if duel.side == "attack" else GUARD
            assert fast.to_move[row] == (side if running[row] else -1)
            assert fast.moves_left[row] == (duel.left if running[row] else 0)
        if fast.done.all():
            break
        squares = fast.random_squares(seed=7)
        assert np.array_equal(squares >= 0, running)
        waiting = fast.copy()
        fast.play(squares)
        for duel, square in zip(slow, squares.tolist(), strict=True):
            if square >= 0:
                duel.play(square)
                moves += 1
        if rng.random() < 0.05:
            back = fast.take(np.flatnonzero(running))
            back.undo()
            assert np.array_equal(back.status, waiting.status[running])
            assert np.array_equal(back.guarded, waiting.guarded[running])
            assert np.array_equal(back.to_move, waiting.to_move[running])
            back.play(squares[running])
            assert np.array_equal(back.status, fast.status[running])
            assert np.array_equal(back.done, fast.done[running])
    random.play_randomly(seed=7)
    assert [random.history(row) for row in range(len(slow))] == [duel.moves for duel in slow]
    assert np.array_equal(random.status, fast.status)
    costs = case.topology.costs
    for row, duel in enumerate(slow):
        paid = sum(costs[node] for node in duel.moves if node not in duel.guarded)
        worst = costs[sorted(duel.game.laid)].sum() + 1
        assert fast.scores[row] == pytest.approx(worst if duel.result == "held" else paid)
    return moves


@pytest.mark.parametrize("count", [3_000, pytest.param(40_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", LATTICES)
def test_duels_equal_the_slow_reference_on_lattices(kind: str, count: int) -> None:
    rng = np.random.default_rng([1, list(LATTICES).index(kind)])
    moves = 0
    while moves < count:
        height, width = rng.integers(1, 9, size=2).tolist()
        moves += duel_both(lattice_case(rng, height, width, 3, kind), rng)


def test_duels_equal_the_slow_reference_on_graphs() -> None:
    rng = np.random.default_rng(2)
    moves = 0
    while moves < 4_000:
        moves += duel_both(graph_case(rng, 3), rng)


def judge_of(rule: str, side: int) -> reference.Judge:
    if rule == "flow":
        return reference.flow(reference.sides(side, side, "vertical"))
    return reference.noodle([4] * side**2) if rule == "noodle" else reference.shatter(4, None)


@pytest.mark.parametrize(
    ("kind", "side", "guards", "rule", "first", "value"),
    [
        ("square", 2, 1, "flow", "attack", 2),
        ("square", 2, 1, "flow", "guard", 2),
        ("square", 3, 1, "flow", "attack", 3),
        ("square", 3, 1, "flow", "guard", 3),
        ("square", 3, 1, "noodle", "attack", 2),
        ("square", 3, 1, "noodle", "guard", 3),
        ("square", 3, 2, "flow", "attack", math.inf),
        ("square", 3, 2, "flow", "guard", math.inf),
        ("square", 3, 2, "noodle", "attack", 2),
        ("square", 3, 2, "noodle", "guard", math.inf),
        ("square", 3, 2, "shatter", "attack", 3),
        ("square", 3, 2, "shatter", "guard", math.inf),
        ("triangular", 2, 1, "flow", "attack", 2),
        ("triangular", 2, 1, "flow", "guard", math.inf),
        ("triangular", 3, 1, "flow", "attack", 3),
        ("triangular", 3, 1, "flow", "guard", math.inf),
    ],
)
def test_the_reference_has_the_known_values_of_full_boards(
    kind: str, side: int, guards: int, rule: str, first: str, value: float
) -> None:
    neighbours = reference.lattice_neighbours(side, side, kind)
    duel = SlowDuel(neighbours, range(side**2), judge_of(rule, side), guards, first, True)
    assert fewest_attacks(duel, {}) == value


def restore_both(case: Case, rng: np.random.Generator) -> int:
    fast = Restorations(case.opened, case.mode, case.topology)
    slow = [
        SlowRestoration(case.neighbours, np.flatnonzero(row).tolist(), case.judge)
        for row in case.opened
    ]
    random, moves = fast.copy(), 0
    while True:
        assert fast.status.tolist() == [game.status() for game in slow]
        for row, game in enumerate(slow):
            assert np.flatnonzero(fast.legal[row]).tolist() == game.legal()
        assert fast.done.tolist() == [not game.legal() for game in slow]
        if fast.done.all():
            break
        before, squares = fast.status, fast.random_squares(seed=3)
        fast.play(squares)
        for game, square in zip(slow, squares.tolist(), strict=True):
            if square >= 0:
                game.play(square)
                moves += 1
        if rng.random() < 0.05:
            back = fast.copy()
            back.undo(squares >= 0)
            assert np.array_equal(back.status, before)
            back.play(squares)
            assert np.array_equal(back.status, fast.status)
    random.play_randomly(seed=3)
    assert np.array_equal(random.status, fast.status)
    for row in range(len(slow)):
        assert random.history(row) == fast.history(row)
        assert fast.scores[row] == pytest.approx(case.topology.costs[fast.history(row)].sum())
    return moves


@pytest.mark.parametrize("count", [6_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_restorations_equal_the_slow_reference(count: int) -> None:
    rng = np.random.default_rng(5)
    moves = 0
    while moves < count:
        height, width = rng.integers(1, 9, size=2).tolist()
        kind = str(rng.choice(list(LATTICES)))
        on_lattice = rng.random() < 0.7
        case = lattice_case(rng, height, width, 3, kind) if on_lattice else graph_case(rng, 3)
        if not case.mode.remembers:
            moves += restore_both(case, rng)


# -- modes in Python, coins, mistakes ----------------------------------------------------------


def test_a_mode_in_python_plays_like_its_compiled_twin() -> None:
    rng = np.random.default_rng(6)
    boards = rng.random((6, 5, 6)) < 0.8
    kinds: list[tuple[Any, dict[str, int]]] = [(Duels, {"guards": 2}), (Restorations, {})]
    for kind, options in kinds:
        laid = boards if kind is Duels else boards & (rng.random(boards.shape) < 0.4)
        mine = kind(laid, Large(), **options)
        twin = kind(laid, get_mode("shatter", size=5), **options)
        for games in (mine, twin):
            games.play_randomly(seed=1)
        assert np.array_equal(mine.status, twin.status)
        assert np.array_equal(mine.scores, twin.scores)


def test_a_fair_coin_says_who_moves() -> None:
    duels = Duels(np.ones((200, 6, 6)), "flow", turns="coin", seed=4)
    same = Duels(np.ones((200, 6, 6)), "flow", turns="coin", seed=4)
    sides = []
    while not duels.done.all():
        assert (duels.moves_left == np.where(duels.done, 0, 1)).all()
        sides += duels.to_move[~duels.done].tolist()
        duels.play(duels.random_squares(seed=1))
    assert abs(np.mean(sides) - 0.5) < 4 / np.sqrt(len(sides))
    same.play_randomly(seed=1)
    assert np.array_equal(duels.status, same.status)


def test_hex_on_a_full_triangular_board_has_a_winner_and_no_draw() -> None:
    duels = Duels(np.ones((50, 49)), "flow", lattice(7, 7, "triangular"))
    duels.play_randomly(seed=2)
    assert (duels.broken ^ duels.held).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"guards": 0}, "guards is 0"),
        ({"first": "me"}, "first is 'me'"),
        ({"turns": "dice"}, "turns is 'dice'"),
        ({"turns": "coin", "guards": 2}, "each side makes one move"),
        ({"turns": "coin", "seed": -1}, "the seed is -1"),
    ],
)
def test_duels_that_there_are_not(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Duels(np.ones((3, 3)), "flow", **options)


def test_illegal_moves_say_why_and_change_nothing() -> None:
    duels = Duels([[1, 1, 0], [1, 1, 1], [1, 1, 1]], "flow")
    duels.play((0, 0))
    duels.play((1, 1))
    for square, why in (
        ((0, 0), "is attacked"),
        ((1, 1), "is guarded already"),
        ((0, 2), "is blocked"),
        (9, "is not on the board"),
    ):
        before = duels.status.copy()
        with pytest.raises(IllegalMove, match=why):
            duels.play(square)
        assert np.array_equal(duels.status, before)
        assert duels.move_counts[0] == 2
    restored = Restorations([[0, 1], [0, 1], [0, 0]], "flow")
    with pytest.raises(IllegalMove):
        restored.play((0, 1))
    restored.play((2, 1))
    with pytest.raises(IllegalMove):
        restored.play((0, 0))
    with pytest.raises(InputError):
        Restorations(np.zeros((3, 3)), "network")
