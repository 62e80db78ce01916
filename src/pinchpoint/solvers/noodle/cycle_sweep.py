"""A bounded sweep: the fewest nodes to remove so that no cycle is left (or at most one a piece).

The nodes are decided one after the other: keep or remove. All that matters for the rest is the
front, the decided nodes that still have an undecided neighbour: which of them are kept, and which
of those are joined. States with the same front are merged, and the cheapest survives. A state is
dropped when its cost and the part of a `CyclePacking` that still lies ahead of it reach the best
solution known. If a layer grows too wide, the sweep lets the least promising states go and
remembers only their bound: a narrow sweep is a beam search with an honest lower bound, a wide one
is a proof.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pinchpoint.compiled import kernel
from pinchpoint.graph.algorithms import Subgraph
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.fronts import front_lengths, grow_order
from pinchpoint.solvers.noodle.cycle_packing import CyclePacking
from pinchpoint.types import Bools, Floats, Ints, Longs

CYCLE = np.uint16(0x8000)  # on the label of a piece that has its one cycle already
NEW = np.uint16(0x7FFF)  # label of the piece around the node just kept, until it is renamed

PLAN_NODE = 35.0  # price of planning a sweep, for each node
LAYER, STATE_SLOT = 40.0, 0.027  # prices of a layer, and of each slot of each of its states

Labels = npt.NDArray[np.uint16]  # [.., F]  by slot of the front: 0 removed or empty, else a piece
Layer = tuple[Labels, Ints, Floats, Ints]  # states, their costs, bounds, and where they come from


# -- the order in which a sweep decides the nodes ------------------------------------------------


def narrow_order(core: Subgraph) -> Ints:
    """Return an order in which few nodes have decided and undecided neighbours at once."""
    orders = [np.arange(len(core.nodes), dtype=np.int32)]
    start = 0
    for _ in range(4):  # each from the far end of the one before
        orders.append(grow_order(core.indptr, core.indices, start, True))
        start = int(orders[-1][-1])
    return min(orders, key=lambda order: _front_cost(core, order))


def _front_cost(core: Subgraph, order: Ints) -> float:
    """Estimate, on a logarithmic scale, how many states a sweep in this order has."""
    lengths = front_lengths(core.indptr, core.indices, order)
    return float(np.logaddexp.reduce(0.5 * lengths))


# -- what each step of a sweep does --------------------------------------------------------------


class Steps(NamedTuple):
    """What each step of the sweep does to the front, and what the packing promises after it."""

    slot: Ints  # [n]  place in the front of the node decided
    removable: Bools  # [n]
    near_at: Ints  # [n + 1]  slots of its decided neighbours: near[near_at[i]:near_at[i + 1]]
    near: Ints
    free_at: Ints  # [n + 1]  slots of the nodes that leave the front
    free: Ints
    ahead: Floats  # [n]  bound of the undecided part alone
    pull: Floats  # [n, F]  weights of edges from a slot into the undecided part
    hold: Floats  # [n, F]  the largest of them
    ring_at: Ints  # [n + 1]  weighted cycles of which only nodes of the front are decided
    ring: Ints  # ring[ring_at[i]:ring_at[i + 1]], each with a weight and the slots of those nodes
    ring_weight: Floats
    ring_slot_at: Ints
    ring_slot: Ints


def plan_steps(indptr: Ints, indices: Ints, order: Ints, packing: CyclePacking) -> Steps:
    """Give every node a slot in the front for as long as it is there, and place the weights."""
    n = len(order)
    when = np.empty(n, dtype=np.int64)
    when[order] = np.arange(n)
    gone = np.array([when[indices[indptr[v] : indptr[v + 1]]].max(initial=0) for v in range(n)])
    gone = np.maximum(gone, when)
    degree = np.diff(indptr)
    slot = np.zeros(n, dtype=np.int64)
    near: list[list[int]] = []
    free: list[list[int]] = []
    idle: list[int] = []
    slots = 0
    for i, v in enumerate(order):
        slot[v] = idle.pop() if idle else slots
        slots = max(slots, int(slot[v]) + 1)
        around = [u for u in indices[indptr[v] : indptr[v + 1]] if when[u] < i]
        near.append([int(slot[u]) for u in around])
        free.append([int(slot[u]) for u in [*around, v] if gone[u] == i])
        idle += free[-1]
    # A node of degree 2 is never better than the end of its chain; a bare ring has no such end.
    removable = degree[order] > 2
    removable[0] |= not removable.any()
    ring_at, ring, ring_weight, ring_slot_at, ring_slot = _rings(when, gone, slot, packing)
    return Steps(
        slot[order].astype(np.int32),
        removable,
        *_flat(near),
        *_flat(free),
        _bound_ahead(when, packing),
        *_pulls(when, slot, slots, packing),
        ring_at,
        ring,
        ring_weight,
        ring_slot_at,
        ring_slot,
    )


def _pulls(when: Longs, slot: Longs, slots: int, packing: CyclePacking) -> tuple[Floats, Floats]:
    """Return, for each step and slot, the sum and the largest of the weights that lead ahead."""
    pull, hold = np.zeros((len(when), slots)), np.zeros((len(when), slots))
    for (a, b), weight in zip(packing.edges, packing.edge, strict=True):
        early, late = (a, b) if when[a] < when[b] else (b, a)
        waiting = slice(when[early], when[late])
        pull[waiting, slot[early]] += weight
        hold[waiting, slot[early]] = np.maximum(hold[waiting, slot[early]], weight)
    return pull, hold


def _bound_ahead(when: Longs, packing: CyclePacking) -> Floats:  # [n]
    """Return, after each step, the bound of the weights that lie wholly in the undecided part."""
    n = len(when)
    from_here = np.zeros(n + 1)  # what counts as long as step i has not been taken
    np.add.at(from_here, when[packing.edges].min(axis=1), packing.edge)
    np.add.at(from_here, when, -packing.node)
    for cycle, weight in zip(packing.cycles, packing.cycle, strict=True):
        from_here[when[cycle].min()] += weight
    return np.cumsum(from_here[::-1])[::-1][1:].copy()


def _rings(
    when: Longs, gone: Longs, slot: Longs, packing: CyclePacking
) -> tuple[Ints, Ints, Floats, Ints, Ints]:
    """List, for each step, the partly decided cycles whose decided nodes are all in the front."""
    parts: list[list[int]] = []
    weights, begins, ends = [], [], []
    for cycle, weight in zip(packing.cycles, packing.cycle, strict=True):
        if weight <= 0:
            continue
        inside = cycle[np.argsort(when[cycle])]
        until = np.minimum(when[inside[1:]], np.minimum.accumulate(gone[inside[:-1]]))
        for j in np.flatnonzero(until > when[inside[:-1]]):
            parts.append([int(s) for s in slot[inside[: j + 1]]])
            weights.append(float(weight))
            begins.append(int(when[inside[j]]))
            ends.append(int(until[j]))
    lengths = np.array(ends, dtype=np.int64) - np.array(begins, dtype=np.int64)
    ring = np.repeat(np.arange(len(parts), dtype=np.int32), lengths)
    step = np.arange(len(ring)) - np.repeat(np.cumsum(lengths) - lengths - begins, lengths)
    at = np.concatenate([[0], np.cumsum(np.bincount(step.astype(np.int64), minlength=len(when)))])
    by_step = ring[np.argsort(step, kind="stable")]
    return at.astype(np.int32), by_step, np.array(weights), *_flat(parts)


def _flat(lists: list[list[int]]) -> tuple[Ints, Ints]:
    starts = np.cumsum([0] + [len(part) for part in lists]).astype(np.int32)
    return starts, np.array([x for part in lists for x in part], dtype=np.int32)


# -- the sweep ------------------------------------------------------------------------------------


@kernel
def keep_node(row: Labels, near: Ints, slot: int, inclusive: bool) -> bool:
    """Join the kept node with its neighbours' pieces; False if that makes a cycle too many."""
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
    """Return what the packing proves about the undecided nodes, given the front after step i."""
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
    """Decide node i in every state; return the number of states that come out."""
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
            elif not keep_node(row, near, steps.slot[i], inclusive):
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


class CycleSweep:
    """Sweeps over one connected graph in one order."""

    def __init__(
        self, indptr: Ints, indices: Ints, order: Ints, packing: CyclePacking, inclusive: bool
    ) -> None:
        self.order, self.inclusive = order, inclusive
        self.steps = plan_steps(indptr, indices, order, packing)

    def run(self, width: int, limit: int, budget: Budget) -> tuple[list[int] | None, float]:
        """Look for a solution of fewer than `limit` nodes with `width` states at a time.

        Also return what a solution that was let go unseen costs at least, infinity if none was.
        """
        noise = np.random.default_rng(width)  # decides among equals, the same way every time
        slots = self.steps.pull.shape[1]
        states, costs = np.zeros((1, slots), np.uint16), np.zeros(1, np.int32)
        room = (np.empty(slots, np.uint16), np.empty(slots + 1, np.uint16), np.empty(slots + 1))
        origins, lost = [], math.inf
        for i in range(len(self.order)):
            budget.spend(LAYER + STATE_SLOT * len(states) * slots)
            if budget.is_over:
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
