"""Polish: shorten finished plans by swapping their moves for squares nearby, on the exact engine.

Which cut to make is a matter of judgement; whether the same cut can be had for a move less is
soon found by trying. Each trial drops a move of a plan, or two, and adds a square a few steps
away. Whatever still finishes the game is kept, shorter or not: plans of equal length lead away from
those that no single swap improves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chokepoint.game.engine import ACTIVE, Games, Squares
from chokepoint.game.plans import Plans, plan_lengths, without_gaps
from chokepoint.graph.topology import Bools, Topology

STEPS = 3  # a new square is at most so many steps from the one that was dropped
PAIRS = 0.25  # share of the trials that drop two moves

Rows = npt.NDArray[np.intp]


def polish(games: Games, plans: Plans, trials: int, rng: np.random.Generator) -> Plans:
    """The plans after so many trials each; they finish their games as before, never longer."""
    plans = without_gaps(plans)
    if not plans.shape[1]:
        return plans
    active = games.status == ACTIVE
    lengths = plan_lengths(plans)
    for _ in range(trials):
        trial, worth = _swapped(plans, lengths, active, games.topology, rng)
        ends = games.copy()
        made = ends.follow(trial)
        count = made.sum(axis=1)
        better = np.flatnonzero(worth & ends.done & (count <= lengths))
        if len(better):
            moves = np.where(made[better], trial[better], -1)
            order = np.argsort(moves < 0, axis=1, kind="stable")
            plans[better] = np.take_along_axis(moves, order, axis=1)[:, : plans.shape[1]]
            lengths[better] = count[better]
    return without_gaps(plans)


def _swapped(
    plans: Plans, lengths: Squares, active: Bools, topology: Topology, rng: np.random.Generator
) -> tuple[Plans, Bools]:
    """Each plan with one or two moves dropped and one added; and whether that is worth a try."""
    rows = np.arange(len(plans))
    place = (rng.random(len(plans)) * lengths).astype(np.intp)
    dropped = plans[rows, place]
    added = _near(dropped, topology, rng)
    worth = (lengths > 0) & (added != dropped) & active[rows, added]
    trial = np.concatenate([plans, np.full((len(plans), 1), -1)], axis=1)
    trial[rows, place] = -1
    pairs = np.flatnonzero((rng.random(len(plans)) < PAIRS) & (lengths > 2))
    trial[pairs, _nearest_other(plans[pairs], place[pairs], topology, rng)] = -1
    # The new move comes in the place of the old one or last: in network mode it can matter.
    last = rng.random(len(plans)) < 0.5
    trial[rows, np.where(last, plans.shape[1], place)] = added
    return trial, worth


def _near(squares: Squares, topology: Topology, rng: np.random.Generator) -> Squares:
    """A random walk of up to `STEPS` steps from each square, over blocked squares too."""
    steps = rng.integers(1, STEPS + 1, size=len(squares))
    near = np.maximum(squares, 0)
    for k in range(STEPS):
        degree = topology.degree[near]
        turn = (rng.random(len(near)) * degree).astype(np.intp)
        goes = (steps > k) & (degree > 0)
        here = topology.indptr[near[goes]] + turn[goes]
        near[goes] = topology.indices[here]
    return near


def _nearest_other(plans: Plans, place: Rows, topology: Topology, rng: np.random.Generator) -> Rows:
    """A move of each plan that lies near the one at `place`; on a graph, any other."""
    distance = rng.random(plans.shape)
    if topology.shape is not None:
        row, column = np.divmod(plans, topology.shape[1])
        here = np.arange(len(plans)), place
        distance += np.maximum(
            np.abs(row - row[here][:, None]), np.abs(column - column[here][:, None])
        )
    distance[plans < 0] = np.inf
    distance[np.arange(len(plans)), place] = np.inf
    nearest: Rows = distance.argmin(axis=1)
    return nearest
