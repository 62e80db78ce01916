"""What the compiled loops work on: the running games, the graph under them, and scratch paper."""

from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import inlined_source
from pinchpoint.game.judge import Nodes
from pinchpoint.graph.planar import ring_table, side_table
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bytes, Ints

BLOCKED, ACTIVE, INACTIVE, ATTACKED = range(4)
STATE_NAMES = ("blocked", "active", "inactive", "attacked")

# Columns of `counters`: active squares, moves played, component ids given out, and what the mode
# remembers (in network the largest second piece so far, in shatter the size W).
ALIVE, COUNT, IDS, MEMORY = range(4)


class State(NamedTuple):
    """A row for each game.

    Component ids are never reused within a game: each keeps at least one square of its own to the
    end, so there are at most N of them.
    """

    status: Bytes  # [B, N]  BLOCKED, ACTIVE, INACTIVE or ATTACKED
    label: Ints  # [B, N]  component id of an open square, -1 elsewhere
    hole: Ints  # [B, N + 1]  see pinchpoint.graph.planar; [B, 0] without a planar grid
    pieces: Ints  # [B, N, 3 + T]  by component: squares, pairs of neighbours, faces, contacts
    counters: Ints  # [B, 4]
    moves: Ints  # [B, N + 1]  the squares attacked in order, then what redo would play, then -1
    protected: Bytes  # [B, N]  1 where no attack is allowed; [B, 0] if it is everywhere


class Game(NamedTuple):
    """One row of a `State`."""

    status: Bytes  # [N]
    label: Ints  # [N]
    hole: Ints  # [N + 1]
    pieces: Ints  # [N, 3 + T]
    counters: Ints  # [4]
    moves: Ints  # [N + 1]
    protected: Bytes  # [N] or [0]


class Graph(NamedTuple):
    indptr: Ints  # [N + 1]
    indices: Ints  # [2 E]
    nodes: Nodes
    ring: Ints  # [N, 8] on a planar grid, else [0, 8]; see pinchpoint.graph.planar
    sides: Bytes  # [256, 10]


class Scratch(NamedTuple):
    queue: Ints  # [N + 1]  nodes found by a search, from the front; by its rival, from the back
    start: Ints  # [D]  a node of each part; D is the largest degree, at least 4
    root: Ints  # [4]  see pinchpoint.graph.planar
    joined: Ints  # [4]


def blank_state(games: int, topology: Topology, columns: int) -> State:
    def ints(*shape: int) -> Ints:
        return np.zeros((games, *shape), dtype=np.int32)

    n = topology.n
    return State(
        status=np.zeros((games, n), dtype=np.uint8),
        label=ints(n),
        hole=ints(n + 1 if topology.grid else 0),
        pieces=ints(n, columns),
        counters=ints(4),
        moves=ints(n + 1),
        protected=np.zeros((games, 0), dtype=np.uint8),
    )


def make_graph(topology: Topology, nodes: Nodes) -> Graph:
    ring = ring_table(*topology.grid) if topology.grid else np.zeros((0, 8), dtype=np.int32)
    return Graph(topology.indptr, topology.indices, nodes, ring, side_table())


def make_scratch(topology: Topology) -> Scratch:
    most = max(int(topology.degree.max()), 4)
    lengths = (topology.n + 1, most, 4, 4)
    return Scratch(*(np.zeros(length, dtype=np.int32) for length in lengths))


@inlined_source
def game_of(state: State, b: int) -> Game:
    """Return the views of one game."""
    return Game(
        state.status[b],
        state.label[b],
        state.hole[b],
        state.pieces[b],
        state.counters[b],
        state.moves[b],
        state.protected[b],
    )
