"""Every board of up to 3 × 4 squares, every move in every position: fast = slow.

Positions are (laid, open, best). Many boards of a shape advance together, one move at a time; a
position that several orders of moves lead to is compared each time and played on from once. The
slow side is asked once for each set of open squares (and, in network mode, each best).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from oracles import reference

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.state import ACTIVE

Ints = npt.NDArray[np.int64]
AT_ONCE = 128  # boards played on together, for the sake of memory

SHAPES = [(height, width) for height in (1, 2, 3) for width in (1, 2, 3, 4)]
RULES: dict[str, tuple[Mode, Callable[[int, int], reference.Judge]]] = {
    "network": (get_mode("network"), lambda h, w: reference.network),
    "flow": (get_mode("flow"), lambda h, w: reference.flow(reference.sides(h, w, "vertical"))),
    "noodle": (get_mode("noodle"), lambda h, w: reference.noodle([4] * (h * w))),
    "noodle inclusive": (
        get_mode("noodle", inclusive=True),
        lambda h, w: reference.noodle([4] * (h * w), inclusive=True),
    ),
}
# Pairs of a position and a legal move in it: the test has gone through all of them.
MOVES = {"network": 965_093, "flow": 411_290, "noodle": 178_083, "noodle inclusive": 35_379}


class Oracle:
    """The slow rule: from open squares (as bits) and best to active squares and the new best."""

    def __init__(self, height: int, width: int, judge: reference.Judge) -> None:
        self.neighbours = reference.lattice_neighbours(height, width)
        self.judge = judge
        self.known: dict[tuple[int, int], tuple[int, int]] = {}

    def ask(self, opened: int, best: int) -> tuple[int, int]:
        if (opened, best) not in self.known:
            nodes = [node for node in range(len(self.neighbours)) if opened >> node & 1]
            game = reference.SlowGame(self.neighbours, nodes, self.judge)
            game.best = best
            game.settle()
            active = sum(1 << node for node in game.active)
            self.known[opened, best] = active, game.best
        return self.known[opened, best]

    def ask_all(self, opened: Ints, best: Ints) -> tuple[Ints, Ints]:
        keys, back = np.unique(np.stack([opened, best], axis=1), axis=0, return_inverse=True)
        answers = np.array([self.ask(int(o), int(b)) for o, b in keys]).reshape(-1, 2)
        return answers[back.ravel(), 0], answers[back.ravel(), 1]


def bits(mask: npt.NDArray[np.bool_]) -> Ints:  # [B, N] -> [B]
    return mask @ (1 << np.arange(mask.shape[1]))


def compare(games: Games, opened: Ints, best: Ints, oracle: Oracle) -> None:
    """The games lie as the slow rule says, given the open squares and the best before."""
    active, new_best = oracle.ask_all(opened, best)
    status = games.status
    assert np.array_equal(bits(status == ACTIVE), active)
    assert np.array_equal(bits((status == 1) | (status == 2)), opened)
    if games.mode.name == "network":
        assert np.array_equal(games.memory, new_best)


def play_everything(mode: Mode, oracle: Oracle, boards: npt.NDArray[np.uint8]) -> int:
    """Compare all positions that follow from these boards; the number of moves played."""
    games = Games(boards, mode)
    compare(games, bits(games.laid), np.zeros(len(games), dtype=np.int64), oracle)
    moves = 0
    while len(games):
        rows, squares = np.nonzero(games.legal)
        before, games = games.memory[rows].astype(np.int64), games.take(rows)
        games.play(squares)
        opened = bits((games.status == 1) | (games.status == 2))
        compare(games, opened, before, oracle)
        position = (bits(games.laid) << 40) | (opened << 20) | games.memory
        games = games.take(np.unique(position, return_index=True)[1])
        moves += len(rows)
    return moves


@pytest.mark.parametrize("rule", RULES)
def test_every_game_on_every_small_board(rule: str) -> None:
    mode, make_judge = RULES[rule]
    moves = 0
    for height, width in SHAPES:
        oracle = Oracle(height, width, make_judge(height, width))
        n = height * width
        numbers = np.arange(2**n)
        boards = (numbers[:, None] >> np.arange(n) & 1).astype(np.uint8).reshape(-1, height, width)
        for i in range(0, len(boards), AT_ONCE):
            moves += play_everything(mode, oracle, boards[i : i + AT_ONCE])
    assert moves == MOVES[rule]
