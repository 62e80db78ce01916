"""What each step of a sweep does: slots of the front, and what a packing promises after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chokepoint.solvers.noodle.packing import Packing
from chokepoint.types import Bools, Floats, Ints

Times = npt.NDArray[np.int64]  # [n]  by node


class Steps(NamedTuple):
    """What each step of the sweep does to the front, and what the packing promises after it."""

    slot: Ints  # [n]  place in the front of the square decided
    removable: Bools  # [n]
    near_at: Ints  # [n + 1]  slots of its decided neighbours: near[near_at[i]:near_at[i + 1]]
    near: Ints
    free_at: Ints  # [n + 1]  slots of the squares that leave the front
    free: Ints
    ahead: Floats  # [n]  bound of the undecided part alone
    pull: Floats  # [n, F]  weights of edges from a slot into the undecided part
    hold: Floats  # [n, F]  the largest of them
    ring_at: Ints  # [n + 1]  weighted cycles of which only squares of the front are decided
    ring: Ints  # ring[ring_at[i]:ring_at[i + 1]], each with a weight and the slots of those squares
    ring_weight: Floats
    ring_slot_at: Ints
    ring_slot: Ints


def plan_steps(indptr: Ints, indices: Ints, order: Ints, packing: Packing) -> Steps:
    """Give every square a slot in the front for as long as it is there, and place the weights."""
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
    pull, hold = _pulls(when, slot, slots, packing)
    # A square of degree 2 is never better than the end of its chain; a bare ring has no such end.
    removable = degree[order] > 2
    removable[0] |= not removable.any()
    near_at, near_slots = _flat(near)
    free_at, free_slots = _flat(free)
    ring_at, ring, ring_weight, ring_slot_at, ring_slot = _rings(when, gone, slot, packing)
    return Steps(
        slot=slot[order].astype(np.int32),
        removable=removable,
        near_at=near_at,
        near=near_slots,
        free_at=free_at,
        free=free_slots,
        ahead=_bound_ahead(when, packing),
        pull=pull,
        hold=hold,
        ring_at=ring_at,
        ring=ring,
        ring_weight=ring_weight,
        ring_slot_at=ring_slot_at,
        ring_slot=ring_slot,
    )


def _pulls(when: Times, slot: Times, slots: int, packing: Packing) -> tuple[Floats, Floats]:
    """For each step and slot the sum and the largest of the weights that lead ahead."""
    pull, hold = np.zeros((len(when), slots)), np.zeros((len(when), slots))
    for (a, b), weight in zip(packing.edges, packing.edge, strict=True):
        early, late = (a, b) if when[a] < when[b] else (b, a)
        waiting = slice(when[early], when[late])
        pull[waiting, slot[early]] += weight
        hold[waiting, slot[early]] = np.maximum(hold[waiting, slot[early]], weight)
    return pull, hold


def _bound_ahead(when: Times, packing: Packing) -> Floats:  # [n]
    """After each step, the bound of the weights that lie wholly in the undecided part."""
    n = len(when)
    from_here = np.zeros(n + 1)  # what counts as long as step i has not been taken
    np.add.at(from_here, when[packing.edges].min(axis=1), packing.edge)
    np.add.at(from_here, when, -packing.node)
    for cycle, weight in zip(packing.cycles, packing.cycle, strict=True):
        from_here[when[cycle].min()] += weight
    return np.cumsum(from_here[::-1])[::-1][1:].copy()


def _rings(
    when: Times, gone: Times, slot: Times, packing: Packing
) -> tuple[Ints, Ints, Floats, Ints, Ints]:
    """For each step the cycles, partly decided, whose decided squares are all in the front."""
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
