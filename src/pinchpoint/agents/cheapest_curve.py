"""The cheapest curve across the board: a rule of thumb for the square lattice, with no learning.

Networks can be shown such curves, too; this is what they are worth without learning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pinchpoint.agents.greedy import highest
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.grid_cuts import find_grid_cuts
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Squares

# A curve costs more where boards are more open, and so does what it leaves to do: the price of that
# is 1 / (FULL + SPARSE × the share of closed squares).
FULL, SPARSE = 0.8, 5.5


@dataclass(frozen=True)
class CurveAgent:
    """Attack a square on the cheapest curve, counted with what it leaves to do."""

    name: str = "curves"

    def check_topology(self, topology: Topology) -> None:
        """Raise InputError where there are no curves from border to border."""
        if topology.grid is None:
            raise InputError("agent 'curves' plays the planar square grid only")

    def act(self, games: Games) -> Squares:
        squares = np.full(len(games), -1, dtype=np.int64)
        for row in np.flatnonzero(~games.done):
            price = 1 / (FULL + SPARSE * float(np.mean(~games.laid[row])))
            active, allowed = games.active[[row]], games.memory[[row]].astype(np.int32)
            found = find_grid_cuts(active, allowed, (price,), games.topology)
            squares[[row]] = highest(-found.costs[:, 0], games.legal[[row]])
        return squares


def make(argument: str, seed: int) -> CurveAgent:
    return CurveAgent()
