"""Rules of thumb from the literature on dismantling networks: each move by a score of the squares.

All look at the graph of the active squares, and take the lowest index among equals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.agents import centrality
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.types import Bools, Squares

Scores = npt.NDArray[Any]  # [B, N]  the higher, the sooner attacked; only active squares count
MOST_SQUARES = 4_000_000  # in a batch of trial moves


@dataclass(frozen=True)
class ScoreAgent:
    """Attacks the active square with the highest score, recomputed after every move."""

    name: str
    score: Callable[[Games], Scores]

    def act(self, games: Games) -> Squares:
        scores = self.score(games)
        if not games.topology.unit_costs:  # the most for the money
            scores = np.where(scores > 0, scores / games.topology.costs, scores)
        return highest(scores, games.legal)


def highest(scores: Scores, legal: Bools) -> Squares:  # [B]
    """The legal square with the highest score in each game, -1 where there is none.

    Scores that differ by rounding alone are equal: the choice must not depend on the machine.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    allowed = np.where(legal, scores.astype(np.float64), -np.inf)
    top = allowed.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # -inf - -inf, where nothing is legal
        close = allowed >= top - 1e-9 * np.abs(top)
    return np.where(legal.any(axis=1), (close & legal).argmax(axis=1), -1)


def degree(games: Games) -> Scores:
    """Most active neighbours (Albert, Jeong & Barabási, Nature 406, 2000)."""
    return centrality.degrees(games)


def betweenness(games: Games) -> Scores:
    """Most shortest paths (Freeman, Sociometry 40, 1977; attacked so by Holme et al., Phys. Rev. E
    65, 2002), by Brandes' algorithm (J. Math. Sociol. 25, 2001)."""
    return centrality.betweenness(games)


def collective_influence(radius: int) -> Callable[[Games], Scores]:
    """Collective influence (Morone & Makse, Nature 524, 2015)."""
    return lambda games: centrality.collective_influence(games, radius)


def core_degree(games: Games) -> Scores:
    """CoreHD: highest degree in the 2-core (Zdeborová, Zhang & Zhou, Sci. Rep. 6, 2016).

    When no core is left, as there: break the largest tree where its largest part becomes smallest.
    """
    inside = centrality.core_degrees(games)
    whole, largest, _ = centrality.pieces_left(games)
    n = games.topology.n + 1.0
    # Below 0, so that core squares come first; by size of the tree, then by what it leaves.
    breaking = (whole - n) * n - largest
    return np.where(inside > 0, inside, breaking)


def articulation(games: Games) -> Scores:
    """The articulation point that cuts off most (Tian et al., Nat. Commun. 8, 2017).

    Without any: highest degree.
    """
    whole, largest, second = centrality.pieces_left(games)
    return np.where(second > 0, games.topology.n * (whole - largest), centrality.degrees(games))


def largest_drop(games: Games) -> Scores:
    """The move after which the fewest squares are active: one step of look-ahead in the engine."""
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
    _, _, second = centrality.pieces_left(games)
    worth = games.legal & (second > 0)
    sides = [side for pair in games.mode.terminal_sets(games.topology) for side in pair]
    terminals = np.zeros(games.topology.n, dtype=np.int64)
    for k, side in enumerate(sides):
        terminals[side] |= 1 << k
    rows, squares = np.nonzero(games.legal & (second == 0))
    like = np.stack(
        [
            rows,
            games.labels[rows, squares],
            centrality.degrees(games)[rows, squares],
            games.topology.faces[squares],
            terminals[squares],
        ]
    )
    _, first = np.unique(like, axis=1, return_index=True)
    worth[rows[first], squares[first]] = True
    return worth


SCORES: dict[str, Callable[[Games], Scores]] = {
    "degree": degree,
    "betweenness": betweenness,
    "corehd": core_degree,
    "articulation": articulation,
    "greedy": largest_drop,
}


def make(name: str, seed: int) -> ScoreAgent:
    """Make the agent of that name in `SCORES`."""
    return ScoreAgent(name, SCORES[name])


def make_ci(argument: str, seed: int) -> ScoreAgent:
    """Make collective influence with the radius after the colon, 2 by default."""
    text = argument or "2"
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise InputError(f"ci has no radius {text!r}; give a whole number from 1, for example ci:3")
    return ScoreAgent(f"ci:{int(text)}", collective_influence(int(text)))
