"""Keys of positions: the same in every process, and in the databases and caches that hold them.

They are stored, so the bytes that they are made of must not change. A board that is laid has a key
too, by which pars and results know it: `Boards.keys`.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from pinchpoint.game.boards import graph_name
from pinchpoint.game.engine import Games
from pinchpoint.game.state import ACTIVE, ATTACKED, BLOCKED
from pinchpoint.types import Rows

PROTECTED = 4  # stands for an active square that cannot be attacked, beside the four states


def position_key(games: Games, row: int = 0) -> str:
    """Return the key of one position; see `position_keys`."""
    return position_keys(games, np.array([row]))[0]


def position_keys(games: Games, rows: Rows) -> list[str]:
    """Return a key for all that matters from here on, whichever way a game came here."""
    options = json.dumps(games.mode.options(), sort_keys=True)
    rule = f"{games.mode.reference}\n{options}\n{graph_name(games.topology)}\n"
    context = hashlib.blake2b(rule.encode(), digest_size=16)
    # An attacked square is as good as a blocked one.
    status = np.where(games.status[rows] == ATTACKED, BLOCKED, games.status[rows])
    status = np.where((status == ACTIVE) & games.protected[rows], PROTECTED, status)
    keys = []
    for nodes, memory in zip(status.astype(np.uint8), games.memory[rows], strict=True):
        key = context.copy()
        key.update(f"{int(memory)}\n".encode() + nodes.tobytes())
        keys.append(key.hexdigest())
    return keys
