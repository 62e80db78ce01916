"""What a network is shown of a board: made here, from the status of the squares and the topology.

`states` is the one-hot status alone, as in the paper. `cuts` adds what convolutions cannot count:
how much each move and each pair of moves would cut off, and what lies on cycles. A network that
sees this plays the end of a game, where one square decides, far better than one that has to guess.
`curves` also adds what curves across the board cost and cut off, which decides the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.compiled import inlined, kernel
from pinchpoint.errors import InputError
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.graph.algorithms import (
    DFS_EDGE,
    DFS_ORDER,
    DFS_ROWS,
    DFS_SEEN,
    LARGEST,
    SECOND,
    articulation_search,
    flood,
    strip_leaves,
)
from pinchpoint.graph.grid_cuts import find_grid_cuts
from pinchpoint.graph.topology import Topology
from pinchpoint.learning.pair_cuts import make_scratch, note_pair_cuts
from pinchpoint.types import Bytes, Ints

Planes = npt.NDArray[np.float32]

STATES = 4  # blocked, active, inactive, attacked
PLANES = 9  # see `describe`
UNIT = 4.0  # log(1 + 54 squares)

# Of curves: prices of what they leave to do, from sparse boards to full ones, and units of planes.
PRICES = (0.2, 0.4, 0.7, 1.1, 1.7)
SIDES = 4
CURVE_PLANES = 2 * len(PRICES) + SIDES
MOST_WORSE = 4.0  # moves; squares that are worse than that are not told apart
COST, WAY = 2.0, 8.0  # units of costs and their logarithms, and of ways

STACK, OFF = DFS_ROWS, DFS_ROWS + 1  # rows of scratch beyond the notes of the search


@dataclass(frozen=True)
class Observation:
    """One way to show boards to a network."""

    channels: int
    show: Callable[[Bytes, Topology], Tensor]  # status [B, N] -> [B, channels, h, w]


def observe(kind: str, status: Bytes, topology: Topology) -> Tensor:  # [B, C, h, w]
    """Return status boards [B, N] as a network sees them, in channels_last.

    The first four channels are the states, one-hot, whatever follows them.
    """
    return OBSERVATIONS[kind].show(status, topology)


def show_states(status: Bytes, topology: Topology) -> Tensor:  # [B, 4, h, w]
    """Return the one-hot status of every square."""
    height, width = topology.lattice_shape()
    codes = torch.as_tensor(np.asarray(status, dtype=np.int64)).reshape(-1, height, width)
    planes = F.one_hot(codes, STATES).to(torch.float32)  # [B, h, w, 4]: channels_last already
    return planes.permute(0, 3, 1, 2)


def show_cuts(status: Bytes, topology: Topology) -> Tensor:  # [B, 4 + PLANES, h, w]
    """Return the one-hot status and what each move would cut off."""
    planes = torch.from_numpy(structure(status, topology))
    both = torch.cat([show_states(status, topology), planes], 1)
    return both.contiguous(memory_format=torch.channels_last)


def show_curves(status: Bytes, topology: Topology) -> Tensor:  # [B, all of them, h, w]
    """Return the one-hot status, what each move would cut off, and what curves would."""
    planes = torch.from_numpy(across(status, topology))
    return torch.cat([show_cuts(status, topology), planes], 1).contiguous(
        memory_format=torch.channels_last
    )


OBSERVATIONS: dict[str, Observation] = {
    "states": Observation(STATES, show_states),
    "cuts": Observation(STATES + PLANES, show_cuts),
    "curves": Observation(STATES + PLANES + CURVE_PLANES, show_curves),
}


def structure(status: Bytes, topology: Topology) -> Planes:  # [B, PLANES, h, w]
    """Return what moves cut off and what lies on cycles, for status boards [B, N]."""
    height, width = planar(topology)
    planes = np.zeros((len(status), PLANES, topology.n), dtype=np.float32)
    scratch = np.empty((OFF + 1, topology.n), dtype=np.int32)
    for_pairs = make_scratch(height, width)
    status = np.ascontiguousarray(status)
    describe(status, topology.indptr, topology.indices, width, scratch, for_pairs, planes)
    return planes.reshape(len(status), PLANES, height, width)


def planar(topology: Topology) -> tuple[int, int]:
    """Return height and width of a board on which cuts can be counted."""
    if topology.grid is None:  # pairs of moves are counted along the holes of a planar board
        raise InputError(
            "what moves cut off is counted on the planar square grid only (grid); "
            "on other boards take an agent that sees raw boards"
        )
    return topology.grid


def across(status: Bytes, topology: Topology) -> Planes:  # [B, CURVE_PLANES, h, w]
    """Return what curves across the board cost, for status boards [B, N].

    First for each price the cost of the cheapest curve through a square (log), then by how much
    that is more than through the best square (moves), last the cheapest way from each side (moves).
    """
    height, width = planar(topology)
    active = status == ACTIVE
    scratch = np.empty((OFF + 1, topology.n), dtype=np.int32)
    allowed = np.array(
        [largest_inactive(board, topology.indptr, topology.indices, scratch) for board in status],
        dtype=np.int32,
    )
    found = find_grid_cuts(active, allowed, PRICES, topology)
    there = active[:, None]
    least = found.costs.min(axis=2, keepdims=True, where=there, initial=np.inf)
    worse = np.where(there, np.minimum(found.costs - least, MOST_WORSE), 0.0)
    planes = [np.log1p(found.costs) / COST, worse / COST, found.ways / WAY]
    shape = len(status), CURVE_PLANES, height, width
    return np.concatenate(planes, axis=1, dtype=np.float32).reshape(shape)


@kernel
def describe(
    status: Bytes,
    indptr: Ints,
    indices: Ints,
    width: int,
    scratch: Ints,
    for_pairs: Ints,
    planes: Planes,
) -> None:
    """Fill the planes of each board; they are 0 where a square is not active.

    0, 1: the squares cut off from the largest piece if this one goes (log, share of the component)
    2, 3: by how many squares that piece would still lead over the next (log, share)
    4 to 7: the same if this square goes and the one that cuts off most together with it
    8: whether the square lies on a cycle or between cycles
    """
    for b in range(len(status)):
        best = largest_inactive(status[b], indptr, indices, scratch)
        scratch[DFS_SEEN] = 0
        for root in range(len(indptr) - 1):
            if status[b, root] == ACTIVE and scratch[DFS_SEEN, root] == 0:
                size = articulation_search(indptr, indices, status[b], ACTIVE, root, scratch)
                piece = scratch[DFS_ORDER, :size]
                note_pair_cuts(piece, width, for_pairs, scratch[OFF])
                for v in piece:
                    largest, other = scratch[LARGEST, v], scratch[SECOND, v]
                    fill(planes[b, 0:4, v], size, size - 1 - largest, largest - max(other, best))
                    off = scratch[OFF, v]
                    fill(planes[b, 4:8, v], size, off, max(size - 2 - off, 0) - max(off, best))
        core = planes[b, 8]
        for v in range(len(core)):
            core[v] = status[b, v] == ACTIVE
        strip_leaves(indptr, indices, core, scratch[DFS_EDGE], scratch[STACK])


@inlined
def fill(planes: Planes, size: int, off: int, lead: int) -> None:
    planes[0] = math.log(1.0 + off) / UNIT
    planes[1] = off / size
    planes[2] = math.copysign(math.log(1.0 + abs(lead)) / UNIT, lead)
    planes[3] = lead / size


@kernel
def largest_inactive(status: Bytes, indptr: Ints, indices: Ints, scratch: Ints) -> int:
    """Return the size of the largest inactive component."""
    colour, stack = scratch[DFS_SEEN], scratch[STACK]
    for v in range(len(colour)):
        colour[v] = status[v] == INACTIVE
    best = 0
    for root in range(len(colour)):
        if colour[root] == 1:
            best = max(best, flood(indptr, indices, root, 1, 0, colour, stack))
    return best
