"""Boards on which nodes open, against the slow reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from cases import Case, graph_case, lattice_case
from oracles import reference

from pinchpoint.errors import InputError
from pinchpoint.game.growth import Growth
from pinchpoint.game.judge import Judge
from pinchpoint.game.modes.base import Component, ComponentMode, Mode
from pinchpoint.graph.lattices import LATTICES, lattice


@dataclass(frozen=True)
class Long(ComponentMode):
    """A mode in Python that looks at the squares of a piece."""

    name: ClassVar[str] = "long"
    description: ClassVar[str] = "A piece is active if its node numbers lie more than 9 apart."

    def is_active(self, component: Component) -> bool:
        return int(np.ptp(component.squares)) > 9


def long(game: reference.SlowGame, pieces: reference.Pieces) -> list[bool]:
    return [max(piece) - min(piece) > 9 for piece in pieces]


def grow_both(case: Case, mode: Mode, judge: reference.Judge, rng: np.random.Generator) -> int:
    """Open nodes in random order in both, comparing after each; return their number."""
    fast = Growth(Judge(mode, case.topology), case.opened)
    slow = [
        reference.SlowGame(case.neighbours, np.flatnonzero(row).tolist(), judge)
        for row in case.opened
    ]
    opened = 0
    while True:
        assert fast.open.tolist() == [
            [node in game.open for node in range(case.topology.n)] for game in slow
        ]
        assert fast.active.tolist() == [
            [node in game.active for node in range(case.topology.n)] for game in slow
        ]
        active = [sum(piece[0] in game.active for piece in game.pieces) for game in slow]
        assert fast.active_pieces.tolist() == active
        nodes = np.full(len(slow), -1)
        for row, game in enumerate(slow):
            closed = sorted(set(range(case.topology.n)) - game.open)
            if closed and rng.random() < 0.9:  # some boards wait
                nodes[row] = rng.choice(closed)
        if not (nodes >= 0).any():
            return opened
        row = int(rng.choice(np.flatnonzero(nodes >= 0)))
        joined = fast.joined(row, int(nodes[row])).squares.tolist()
        added = None
        if rng.random() < 0.5:
            fast.add(nodes)
        else:  # the same in two steps
            added = fast.add_unless_active(nodes[:, None])[:, 0]
            fast = fast.take(np.arange(len(fast)))
            fast.add(np.where(added, -1, nodes))
        for game, node in zip(slow, nodes.tolist(), strict=True):
            if node >= 0:
                game.open.add(node)
                game.settle()
                opened += 1
        if added is not None:
            inactive = [
                node >= 0 and node not in game.active
                for game, node in zip(slow, nodes.tolist(), strict=True)
            ]
            assert added.tolist() == inactive
        assert joined == sorted(next(p for p in slow[row].pieces if nodes[row] in p))


@pytest.mark.parametrize("rule", ["flow", "noodle", "shatter"])
@pytest.mark.parametrize("kind", LATTICES)
def test_growing_equals_the_slow_reference_on_lattices(kind: str, rule: str) -> None:
    rng = np.random.default_rng([3, list(LATTICES).index(kind)])
    opened = 0
    while opened < 3_000:
        height, width = rng.integers(1, 10, size=2).tolist()
        case = lattice_case(rng, height, width, 3, kind, "none", rule)
        opened += grow_both(case, case.mode, case.judge, rng)


def test_growing_equals_the_slow_reference_on_graphs() -> None:
    rng = np.random.default_rng(4)
    opened = 0
    while opened < 10_000:
        case = graph_case(rng)
        if not case.mode.remembers:
            opened += grow_both(case, case.mode, case.judge, rng)


def test_a_mode_in_python_is_asked_about_the_piece() -> None:
    rng = np.random.default_rng(5)
    opened = 0
    while opened < 1_000:
        opened += grow_both(lattice_case(rng, 5, 6), Long(), long, rng)


def test_no_pieces_grow_in_a_mode_that_remembers() -> None:
    with pytest.raises(InputError):
        Growth(Judge("network", lattice(3, 3)), np.ones((1, 9)))
