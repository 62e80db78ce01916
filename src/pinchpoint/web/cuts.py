"""The cut of a finished game: the squares along which it parts the board.

Cheapest first: an attacked square counts less than a blocked one, and no open square is crossed. So
the cut is a minimum vertex cut of the whole board, found as a maximum flow. On a square lattice the
squares of such a cut touch each other by sides or corners, as a wall does.
"""

from __future__ import annotations

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.state import ATTACKED, BLOCKED
from pinchpoint.graph.node_cuts import NodeCut
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Ints

WITHOUT = ("noodle",)  # modes in which loops are opened and nothing has to be parted
PRICES = {ATTACKED: 1, BLOCKED: 2}
MOST_PIECES = 12  # that are walled in one by one


def cut_of(games: Games) -> list[int]:
    """Return the squares of the cut; none before the game is over, or where nothing is parted."""
    mode, topology = games.mode, games.topology
    if not games.done[0] or mode.name in WITHOUT:
        return []
    status = games.status[0]
    cut = np.zeros(topology.n, dtype=bool)
    for first, last in _sides(games):
        cut |= separator(topology, status, first, last)
    return [int(square) for square in np.flatnonzero(cut)]


def _sides(games: Games) -> list[tuple[Ints, Ints]]:
    """Return the pairs of sets of squares that the cut has to part."""
    terminals = games.mode.terminal_sets(games.topology)
    if terminals:
        return terminals
    labels = games.labels[0]
    names, sizes = np.unique(labels[labels >= 0], return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    by_size = [np.flatnonzero(labels == name).astype(np.int32) for name in names[order]]
    if games.mode.name == "shatter":  # every piece has to be small, not only the largest
        everything = np.flatnonzero(labels >= 0).astype(np.int32)
        walled = by_size[:MOST_PIECES] if len(by_size) > 1 else []
        return [(piece, np.setdiff1d(everything, piece)) for piece in walled]
    return [(by_size[0], by_size[1])] if len(by_size) > 1 else []


def separator(topology: Topology, status: Array, first: Ints, last: Ints) -> Bools:
    """Return a cheapest set of squares that are not open and part `first` from `last`."""
    n = topology.n
    prices = np.full(n, 4 * n)  # no cut comes to as much, so none crosses an open square
    for state, price in PRICES.items():
        prices[status == state] = price
    squares = np.arange(n)
    sides = np.isin(squares, first), np.isin(squares, last)
    everywhere = np.ones(n, dtype=bool)
    cut = NodeCut(topology.indptr, topology.indices, everywhere, *sides, prices)
    return np.isin(squares, cut.nodes())
