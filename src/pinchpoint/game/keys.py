"""Keys of boards and positions: the same in every process, and in the files that hold them.

Par files and results know a board by `board_key`; databases and caches know a position by its
`position_key`. Both are stored, so the bytes that they are made of must not change.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.state import ATTACKED, BLOCKED
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Rows


def board_key(mode: Mode, laid: Array, topology: Topology | None = None) -> str:
    """Return the key of a board in a mode: [h, w] of a square grid, or [N] with its topology."""
    graph = tuple(laid.shape) if topology is None else _graph_name(topology)
    rule = json.dumps([mode.reference, mode.options(), graph], sort_keys=True)
    digest = hashlib.sha256(rule.encode() + np.packbits(laid.astype(np.bool_)).tobytes())
    return digest.hexdigest()[:24]


def position_key(games: Games, row: int = 0) -> str:
    """Return the key of one position; see `position_keys`."""
    return position_keys(games, np.array([row]))[0]


def position_keys(games: Games, rows: Rows) -> list[str]:
    """Return a key for all that matters from here on, whichever way a game came here."""
    options = json.dumps(games.mode.options(), sort_keys=True)
    rule = f"{games.mode.reference}\n{options}\n{_graph_name(games.topology)}\n"
    context = hashlib.blake2b(rule.encode(), digest_size=16)
    # An attacked square is as good as a blocked one.
    status = np.where(games.status[rows] == ATTACKED, BLOCKED, games.status[rows])
    keys = []
    for nodes, memory in zip(status.astype(np.uint8), games.memory[rows], strict=True):
        key = context.copy()
        key.update(f"{int(memory)}\n".encode() + nodes.tobytes())
        keys.append(key.hexdigest())
    return keys


def _graph_name(topology: Topology) -> tuple[int, ...] | str:
    """Return the shape of a square grid, and the fingerprint of a graph elsewhere."""
    if topology.grid is not None and topology.unit_costs:
        return topology.grid
    return topology.fingerprint
