"""Fewest squares to remove so that no cycle is left (or at most one a piece): a bounded sweep.

The squares are decided one after the other, keep or remove. What matters for the rest is only the
front: the squares decided that still have an undecided neighbour; which of them are kept, and which
of those are joined. States with the same front are merged, the cheapest survives. A state is
dropped when what it has cost and the part of a `Packing` that still lies ahead of it reach the best
solution known. If a layer grows too wide, the least promising states are let go and remembered only
by their bound: a narrow sweep is a beam search with an honest lower bound, a wide one is a proof.
"""

from __future__ import annotations

import math
import time

import numpy as np
import numpy.typing as npt

from chokepoint.compiled import kernel
from chokepoint.solvers.noodle.packing import Packing
from chokepoint.solvers.noodle.sweep_steps import Steps, plan_steps
from chokepoint.types import Floats, Ints

CYCLE = np.uint16(0x8000)  # on the label of a piece that has its one cycle already
NEW = np.uint16(0x7FFF)  # label of the piece around the square just kept, until it is renamed

Labels = npt.NDArray[np.uint16]  # [.., F]  by slot of the front: 0 removed or empty, else a piece
Layer = tuple[Labels, Ints, Floats, Ints]  # states, their costs, bounds, and where they come from


@kernel
def keep_square(row: Labels, near: Ints, slot: int, inclusive: bool) -> bool:
    """Join the kept square with its neighbours' pieces; False if that makes a cycle too many."""
    cycle = False
    for s in near:
        label = row[s]
        if label == 0:
            continue
        if (label & NEW) == NEW or (label & CYCLE) != 0:
            if cycle or not inclusive:
                return False
            cycle = True
        if (label & NEW) != NEW:
            for j in range(len(row)):
                if row[j] == label:
                    row[j] = NEW
    row[slot] = NEW
    if cycle:
        for j in range(len(row)):
            if row[j] == NEW:
                row[j] = NEW | CYCLE
    return True


@kernel
def rename(row: Labels, names: Labels) -> tuple[int, np.uint64]:
    """Number the pieces in the order of their slots, so that equal fronts look equal."""
    pieces = 0
    names[:] = 0
    fingerprint = np.uint64(1469598103934665603)
    for j in range(len(row)):
        label = row[j]
        if label != 0:
            old = np.int64(label & NEW)
            if old == np.int64(NEW):
                old = np.int64(0)  # no other piece has it
            if names[old] == 0:
                pieces += 1
                names[old] = pieces
            row[j] = names[old] | (label & CYCLE)
        fingerprint = (fingerprint ^ np.uint64(row[j])) * np.uint64(1099511628211)
    return pieces, fingerprint ^ (fingerprint >> np.uint64(29))


@kernel
def promise(steps: Steps, i: int, row: Labels, pieces: int, largest: Floats) -> float:
    """What the packing proves about the undecided squares, given the front after step i."""
    bound = steps.ahead[i]
    for k in range(1, pieces + 1):
        largest[k] = 0.0
    for j in range(len(row)):
        if row[j] != 0:
            bound += steps.pull[i, j]
            # A piece can still be given one edge, unless its cycle has used that up.
            if (row[j] & CYCLE) == 0:
                largest[row[j]] = max(largest[row[j]], steps.hold[i, j])
    for k in range(1, pieces + 1):
        bound -= largest[k]
    for k in steps.ring[steps.ring_at[i] : steps.ring_at[i + 1]]:
        whole = True
        for j in steps.ring_slot[steps.ring_slot_at[k] : steps.ring_slot_at[k + 1]]:
            if row[j] == 0:
                whole = False
                break
        if whole:
            bound += steps.ring_weight[k]
    return float(bound)


@kernel
def expand(
    steps: Steps,
    i: int,
    inclusive: bool,
    limit: int,
    states: Labels,
    costs: Ints,
    out: Layer,
    table: Ints,
    room: tuple[Labels, Labels, Floats],
) -> int:
    """Decide square i in every state; return the number of states that come out."""
    new_states, new_costs, bounds, origin = out
    row, names, largest = room
    near = steps.near[steps.near_at[i] : steps.near_at[i + 1]]
    free = steps.free[steps.free_at[i] : steps.free_at[i + 1]]
    mask = np.uint64(len(table) - 1)
    table[:] = -1
    count = 0
    for k in range(len(states)):
        remove_too = steps.removable[i]
        for removed in range(2):
            for j in range(len(row)):
                row[j] = states[k, j]
            if removed and not remove_too:
                continue
            if removed:
                row[steps.slot[i]] = 0
            elif not keep_square(row, near, steps.slot[i], inclusive):
                remove_too = True  # else a narrow sweep could come to a dead end
                continue
            for j in free:
                row[j] = 0
            cost = costs[k] + removed
            pieces, fingerprint = rename(row, names)
            bound = cost + promise(steps, i, row, pieces, largest)
            if bound > limit - 1 + 1e-6:
                continue
            place = fingerprint & mask
            while table[place] >= 0:
                same = table[place]
                equal = True
                for j in range(len(row)):
                    if new_states[same, j] != row[j]:
                        equal = False
                        break
                if equal:
                    break
                place = (place + np.uint64(1)) & mask
            at = table[place]
            if at < 0:
                at = table[place] = count
                for j in range(len(row)):
                    new_states[at, j] = row[j]
                count += 1
            elif new_costs[at] <= cost:
                continue
            new_costs[at], bounds[at], origin[at] = cost, bound, 2 * k + removed
    return count


class Sweep:
    """Sweeps over one connected graph in one order."""

    def __init__(
        self, indptr: Ints, indices: Ints, order: Ints, packing: Packing, inclusive: bool
    ) -> None:
        self.order, self.inclusive = order, inclusive
        self.steps = plan_steps(indptr, indices, order, packing)

    def run(self, width: int, limit: int, deadline: float) -> tuple[list[int] | None, float]:
        """Look for a solution of fewer than `limit` squares with `width` states at a time.

        Also returns what a solution that was let go unseen costs at least, infinity if none was.
        """
        noise = np.random.default_rng(width)  # among equals, let go of any; the same every time
        slots = self.steps.pull.shape[1]
        states, costs = np.zeros((1, slots), np.uint16), np.zeros(1, np.int32)
        room = (np.empty(slots, np.uint16), np.empty(slots + 1, np.uint16), np.empty(slots + 1))
        origins, lost = [], math.inf
        for i in range(len(self.order)):
            if time.perf_counter() > deadline:
                return None, 0.0
            size = 2 * len(states)
            out = (
                np.empty((size, slots), np.uint16),
                np.empty(size, np.int32),
                np.empty(size),
                np.empty(size, np.int32),
            )
            table = np.empty(1 << (2 * size).bit_length(), np.int32)
            count = expand(self.steps, i, self.inclusive, limit, states, costs, out, table, room)
            keep = np.arange(count)
            if count > width:
                keep = np.argpartition(out[2][:count] + 1e-3 * noise.random(count), width)
                lost = min(lost, float(out[2][keep[width:]].min()))
                keep = keep[:width]
            states, costs = out[0][keep], out[1][keep]
            origins.append(out[3][keep])
            if count == 0:
                return None, lost
        return self._trace(origins, int(costs.argmin())), lost

    def _trace(self, origins: list[Ints], at: int) -> list[int]:
        removed = []
        for i in range(len(self.order) - 1, -1, -1):
            origin = int(origins[i][at])
            if origin % 2:
                removed.append(int(self.order[i]))
            at = origin // 2
        return removed
