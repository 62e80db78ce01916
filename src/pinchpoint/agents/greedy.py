"""One step of look-ahead in the engine: the move after which the fewest squares are active."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.game.engine import Games
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import parts_without, subgraph
from pinchpoint.types import Bools, Squares

Scores = npt.NDArray[Any]  # [B, N]  the higher, the sooner attacked; only active squares count
MOST_SQUARES = 4_000_000  # in a batch of trial moves


@dataclass(frozen=True)
class GreedyAgent:
    """Attack the square that leaves the fewest active squares, the lowest index among equals."""

    name: str = "greedy"

    def act(self, games: Games) -> Squares:
        scores = largest_drop(games)
        if not games.topology.unit_costs:  # the most for the money
            scores = np.where(scores > 0, scores / games.topology.costs, scores)
        return highest(scores, games.legal)


def highest(scores: Scores, legal: Bools) -> Squares:  # [B]
    """Return the legal square with the highest score in each game, -1 where there is none.

    Scores that differ by rounding alone are equal: the choice must not depend on the machine.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    allowed = np.where(legal, scores.astype(np.float64), -np.inf)
    top = allowed.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # -inf - -inf, where nothing is legal
        close = allowed >= top - 1e-9 * np.abs(top)
    return np.where(legal.any(axis=1), (close & legal).argmax(axis=1), -1)


def largest_drop(games: Games) -> Scores:
    """Return minus the number of squares that are active after each move."""
    worst = games.topology.n + 1  # more than can be left
    left = np.full((len(games), games.topology.n), worst, dtype=np.int32)
    rows, squares = np.nonzero(_worth_trying(games))
    chunk = max(1, MOST_SQUARES // games.topology.n)
    for start in range(0, len(rows), chunk):
        part = slice(start, start + chunk)
        trials = games.take(rows[part])
        trials.play(squares[part])
        left[rows[part], squares[part]] = trials.active_counts
    return -left


def _worth_trying(games: Games) -> Bools:  # [B, N]
    """Mark the squares to try: the first of those that must lead to the same.

    Without an articulation point, what is left of a component is one piece. The modes built in
    judge it by size, edges, faces and contacts, and those follow from the component and from the
    square's degree, faces and terminals.
    """
    if not games.compiled:
        return games.legal
    t = games.topology
    terminals = np.zeros(t.n, dtype=np.int64)
    for k, side in enumerate(side for pair in games.mode.terminal_sets(t) for side in pair):
        terminals[side] |= 1 << k
    worth = np.zeros_like(games.legal)
    for row in range(len(games)):
        nodes = np.flatnonzero(games.status[row] == ACTIVE)
        part = subgraph(t.indptr, t.indices, nodes)
        _, _, second = parts_without(part.indptr, part.indices)
        alike = np.stack(
            [games.labels[row, nodes], np.diff(part.indptr), t.faces[nodes], terminals[nodes]]
        )
        alike[:, second > 0] = -1 - np.flatnonzero(second > 0)  # each tried by itself
        _, first = np.unique(alike, axis=1, return_index=True)
        worth[row, nodes[first]] = True
    return worth & games.legal


def make(argument: str, seed: int) -> GreedyAgent:
    return GreedyAgent()
