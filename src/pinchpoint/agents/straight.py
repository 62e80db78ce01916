"""The cheapest straight cut: what people do who have not met the game before."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from pinchpoint.agents.planned import PlannedAgent
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import plans_from_lists
from pinchpoint.graph.topology import Topology

Line = npt.NDArray[np.intp]  # squares in order

MOST_SQUARES = 4_000_000  # in a batch of trial games


def make(argument: str, seed: int) -> PlannedAgent:
    """Attack a whole line of the board, the one that makes most squares inactive for each move.

    Lines are the rows, columns and diagonals of a lattice. On a graph they are the levels of
    breadth-first searches from either terminal, or else from a node at the end of a longest way:
    the level structures of nested dissection (George, SIAM J. Numer. Anal. 10, 1973).
    """
    return PlannedAgent("straight", lambda games: [cheapest(games, b) for b in range(len(games))])


def cheapest(games: Games, row: int) -> list[int]:
    """Return the squares of the line with the fewest moves for each square that falls inactive."""
    lines = straight_lines(games, row)
    before = int(games.active_counts[row])
    prices = []
    chunk = max(1, MOST_SQUARES // games.topology.n)
    for start in range(0, len(lines), chunk):
        part = lines[start : start + chunk]
        trials = games.take(np.full(len(part), row))
        moves = trials.follow(plans_from_lists(part)).sum(axis=1)
        prices.append(moves / (before - trials.active_counts))
    # The first among equals, and prices are equal to within rounding.
    price = np.concatenate(prices)
    return [int(s) for s in lines[int(np.argmax(price <= price.min() + 1e-9))]]


def straight_lines(games: Games, row: int) -> list[Line]:
    """Return the active squares of each line that has any."""
    legal = games.legal[row]
    if games.topology.grid is not None:
        levels = [line[legal[line]] for line in lattice_lines(*games.topology.grid)]
    else:
        levels = graph_lines(games, row)
    return [line for line in levels if len(line)]


def lattice_lines(height: int, width: int) -> list[Line]:
    """Return the rows, columns, and diagonals downward and upward."""
    squares = np.arange(height * width).reshape(height, width)
    shifts = range(1 - height, width)
    return [
        *squares,
        *squares.T,
        *(squares.diagonal(k) for k in shifts),
        *(squares[::-1].diagonal(k) for k in shifts),
    ]


def graph_lines(games: Games, row: int) -> list[Line]:
    """Return squares at the same distance from a terminal, or else from an outermost square."""
    t, active = games.topology, games.active[row]
    sources = [side[active[side]] for pair in games.mode.terminal_sets(t) for side in pair]
    if not sources:
        labels = games.labels[row]
        for c in np.unique(labels[active]):
            inside = np.flatnonzero(labels == c)
            distance = distances(t, active, inside[:1])
            sources.append(inside[[np.argmax(distance[inside])]])
    lines = []
    for source in sources:
        distance = distances(t, active, source)
        lines += [np.flatnonzero(distance == d) for d in range(int(distance.max()) + 1)]
    return lines


def distances(
    t: Topology, active: npt.NDArray[np.bool_], source: Line
) -> npt.NDArray[np.int64]:  # [N]
    """Return the steps from the nearest source over active squares, -1 where there is no way."""
    origin = np.repeat(np.arange(t.n), t.degree)
    kept = active[origin] & active[t.indices]
    # One node more, joined to every source, so that one search starts from all of them.
    rows = np.concatenate([origin[kept], np.full(len(source), t.n)])
    cols = np.concatenate([t.indices[kept], source])
    graph = sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=(t.n + 1, t.n + 1))
    found = csgraph.shortest_path(graph, unweighted=True, indices=t.n)[: t.n]
    return np.where(np.isfinite(found), found - 1, -1).astype(np.int64)
