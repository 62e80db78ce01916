"""Prove independently that so many moves are not enough in network mode.

A game of k moves removes k nodes from the active piece. It is over because no piece that is left
is larger than the remembered size t. That is the size remembered at the start, or else two pieces
of t nodes or more were there at once, when the *early* removals had been made and the *late* ones
had not. The proof has to show that there are no such removals and t.

A sweep takes the nodes in some order and keeps each, removes it late or removes it early. All that
matters of the nodes behind is the *front*, those with a neighbour ahead: which of them are joined
as pieces (kept nodes) and as parts (kept or removed late), and how large these are. Of two ways to
the same front, one that has removed no more, has no larger piece and no smaller part is at least as
good, and the other one is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pinchpoint.solvers.fronts import front_lengths, grow_order

Neighbours = dict[int, list[int]]  # of a connected piece
Places = tuple[int, ...]

STARTS = 8  # orders that are compared
LARGEST = 2000  # nodes; beyond, a proof in Python is out of reach

KEPT, LATE, EARLY = range(3)  # what becomes of a node
Removed = tuple[Any, int, int] | None  # those removed before, a node, LATE or EARLY

# A place of the front holds the number of its group (piece or part) from 1 on, or 0; or, below 0, a
# removed node that touches nothing yet, one group behind the front, or group g on it (−2 − g).
Labels = tuple[int, ...]
Sizes = tuple[int, ...]  # of groups 1, 2, …
NOTHING, BEHIND = -1, -2


class OutOfTime(Exception):
    """The proof takes longer than it may."""


@dataclass(frozen=True)
class ProofGoal:
    """Up to `moves` removals that leave no piece over `most`; early on, two parts of `least`."""

    moves: int
    most: int
    least: int  # 0: parts do not matter
    # Only removals that part two pieces (early ones: two parts). All others could be put back, and
    # each makes a piece larger by one at most: pieces may be larger by the removals not made.
    tidy: bool

    def excess(self, cost: int) -> int:
        """Return by how much a piece may be larger than `most`."""
        return self.moves - cost if self.tidy else 0


class Front(NamedTuple):
    """What the nodes of the front are."""

    pieces: Labels  # below 0: removed late
    parts: Labels  # below 0: removed early; empty if parts do not matter


class Way(NamedTuple):
    """A way to get to a front."""

    cost: int  # nodes removed
    over: int  # by how much a piece is larger than it should be, at most
    found: int  # large parts behind the front, up to 2
    pieces: Sizes
    parts: Sizes  # up to the size that they need
    removed: Removed


def prove_bound(
    neighbours: Neighbours, best: int, bound: int, deadline: float
) -> tuple[int, list[int] | None]:
    """Return the bound that is proven when time is up, and a play with fewer moves than `bound`.

    `neighbours` is the active piece, `best` the remembered size. The play may name nodes that are
    cut off by then, which are skipped; it is None if there is no such play or if it was not found.
    """
    if len(neighbours) > LARGEST:
        return min(bound, 1), None
    steps = plan_sweep(neighbours)
    for moves in range(1, bound):
        try:
            found = winning_play(steps, best, moves, deadline)
        except OutOfTime:
            return moves, None
        if found is not None:
            return moves, found
    return bound, None


def winning_play(steps: Sequence[Step], best: int, moves: int, deadline: float) -> list[int] | None:
    """Find so many nodes in an order that ends the game; None if there are none.

    Fewer must not be enough. Then neither of two pieces of t nodes or more loses more than what
    it has above t, so 2 t + moves is no more than all nodes.
    """
    half = (len(steps) - moves) // 2
    if reach(steps, ProofGoal(moves, max(best, half), 0, tidy=True), deadline) is None:
        return None
    found = reach(steps, ProofGoal(moves, best, 0, tidy=False), deadline)
    if found is not None:
        return found
    ranges = [(best + 1, half)]  # of t: what cannot be done for a whole range need not be split up
    while ranges:
        low, high = ranges.pop()
        if low > high or reach(steps, ProofGoal(moves, high, low, tidy=True), deadline) is None:
            continue
        if low < high:
            middle = (low + high) // 2
            ranges += [(low, middle), (middle + 1, high)]
            continue
        found = reach(steps, ProofGoal(moves, low, low, tidy=False), deadline)
        if found is not None:
            return found
    return None


def reach(steps: Sequence[Step], goal: ProofGoal, deadline: float) -> list[int] | None:
    """Find removals that reach the goal, the early ones first; None if there are none."""
    layer: dict[Front, list[Way]] = {Front((), ()): [Way(0, 0, 0, (), (), None)]}
    for step in steps:
        following: dict[Front, list[Way]] = {}
        for front, ways in layer.items():
            if time.perf_counter() > deadline:
                raise OutOfTime
            for way in ways:
                for after, onward in choices(step, goal, front, way):
                    if onward.cost + onward.over < goal.moves:
                        keep_best(following.setdefault(after, []), onward)
                    elif settles(step, goal, after, onward):  # nothing more can be removed
                        return in_order(onward.removed)
        layer = following
    for ways in layer.values():
        for way in ways:
            if not goal.least or way.found == 2:
                return in_order(way.removed)
    return None


def in_order(removed: Removed) -> list[int]:
    """Return the nodes of a way, the early ones first."""
    nodes = []
    while removed is not None:
        removed, node, when = removed
        nodes.append((when != EARLY, node))
    return [node for _, node in sorted(nodes)]


def keep_best(ways: list[Way], new: Way) -> None:
    """Add a way unless another one is as good; drop those that are not needed any more."""
    if not any(as_good(way, new) for way in ways):
        ways[:] = [way for way in ways if not as_good(new, way)]
        ways.append(new)


def as_good(a: Way, b: Way) -> bool:
    """Whether way a can stand in for way b."""
    return (
        a.cost <= b.cost
        and a.over <= b.over
        and a.found >= b.found
        and all(map(int.__le__, a.pieces, b.pieces))
        and all(map(int.__ge__, a.parts, b.parts))
    )


def choices(step: Step, goal: ProofGoal, front: Front, way: Way) -> Iterator[tuple[Front, Way]]:
    """Keep the node of this step, remove it late or remove it early, where that may lead on."""
    for choice in (KEPT, LATE, EARLY) if goal.least else (KEPT, LATE):
        cost = way.cost + (choice != KEPT)
        waits = goal.tidy and choice == LATE
        pieces = with_node(step, front.pieces, way.pieces, choice == KEPT, waits)
        if pieces is None:
            continue
        over = max(way.over, pieces.joined - goal.most)
        if cost + over > goal.moves or over > goal.excess(cost):
            continue
        parts = NO_GROUPS
        if goal.least:
            waits = goal.tidy and choice == EARLY
            after = with_node(step, front.parts, way.parts, choice != EARLY, waits)
            if after is None:
                continue
            parts = after
        found = min(2, way.found + sum(size >= goal.least for size in parts.left))
        removed = (way.removed, step.node, choice) if choice != KEPT else way.removed
        capped = tuple(min(size, goal.least) for size in parts.sizes)
        onward = Way(cost, over, found, pieces.sizes, capped, removed)
        yield Front(pieces.labels, parts.labels), onward


class Groups(NamedTuple):
    """The groups of a front after a step."""

    labels: Labels
    sizes: Sizes
    joined: int  # size of the group that the node is in, 0 if it is in none
    left: Sizes  # sizes of the groups that are behind the front now


NO_GROUPS = Groups((), (), 0, ())


def with_node(step: Step, labels: Labels, sizes: Sizes, joins: bool, waits: bool) -> Groups | None:
    """Return the groups after the node joined them, or not; None if a removal parts nothing.

    A node that does not join may have to wait until it is seen to touch two groups.
    """
    touched = {labels[i] for i in step.near if labels[i] > 0}
    number = len(sizes) + 1 if joins else 0
    if joins:
        places = joined_labels(labels, step.near, touched, number)
        sizes = (*sizes, 1 + sum(sizes[g - 1] for g in touched))
    else:
        alone = NOTHING if not touched else BEHIND - min(touched)
        places = [*labels, alone if waits and len(touched) < 2 else 0]
    if any(places[i] < 0 for i in step.leave):
        return None
    numbers: dict[int, int] = {}  # new numbers, in the order of the front
    for i in step.stay:
        if places[i] > 0:
            numbers.setdefault(places[i], len(numbers) + 1)
    return Groups(
        tuple(renumbered(places[i], numbers) for i in step.stay),
        tuple(sizes[g - 1] for g in numbers),
        sizes[-1] if joins else 0,
        tuple(sizes[g - 1] for g in {*places} - {*numbers} if g > 0),
    )


def joined_labels(labels: Labels, near: Labels, touched: set[int], number: int) -> list[int]:
    """Return the labels when a node joins those it touches to group `number`; its own is last."""
    waiting = {BEHIND - g for g in touched}
    places = [number if x in touched else BEHIND - number if x in waiting else x for x in labels]
    for i in near:
        if places[i] < 0:  # a removed node sees that it touches this group, and maybe another
            places[i] = BEHIND - number if places[i] in (NOTHING, BEHIND - number) else 0
    return [*places, number]


def renumbered(place: int, numbers: dict[int, int]) -> int:
    """Return a label with the new number of its group; a group without one is behind."""
    if place > 0:
        return numbers[place]
    if place < BEHIND:
        return BEHIND - numbers.get(BEHIND - place, 0)
    return place


def settles(step: Step, goal: ProofGoal, front: Front, way: Way) -> bool:
    """Whether the goal is reached if all nodes ahead are kept."""
    pieces = put_together(step, front.pieces, way.pieces)
    if max(pieces, default=0) > goal.most + goal.excess(way.cost):
        return False
    parts = put_together(step, front.parts, way.parts) if goal.least else []
    return not goal.least or way.found + sum(size >= goal.least for size in parts) >= 2


def put_together(step: Step, labels: Labels, sizes: Sizes) -> list[int]:
    """Return the sizes of the groups, joined by the regions ahead that they touch."""
    parent = list(range(len(sizes) + len(step.ahead)))  # groups, then regions
    total = [*sizes, *step.ahead]

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for label, regions in zip(labels, step.touch, strict=True):
        for region in regions if label > 0 else ():
            a, b = root(label - 1), root(len(sizes) + region)
            if a != b:
                parent[b] = a
                total[a] += total[b]
    return [size for i, size in enumerate(total) if parent[i] == i]


# -- the order of the nodes ------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One node of a sweep.

    The front are the nodes behind that have a neighbour ahead; before the step they are at places
    0, 1, …, and the node itself comes after them.
    """

    node: int
    near: Places  # places of its neighbours behind
    stay: Places  # places that are on the front afterwards too, in their new order
    leave: Places  # places that are not
    ahead: Places  # number of nodes in each region ahead
    touch: tuple[Places, ...]  # regions that each node of the new front touches


def plan_sweep(neighbours: Neighbours) -> list[Step]:
    """Return the steps of the sweep with the shortest fronts among a few."""
    nodes = sorted(neighbours)
    place = {node: i for i, node in enumerate(nodes)}
    indptr = np.cumsum([0, *(len(neighbours[v]) for v in nodes)]).astype(np.int32)
    indices = np.array([place[u] for v in nodes for u in neighbours[v]], dtype=np.int32)
    starts = range(0, len(nodes), max(1, (len(nodes) - 1) // (STARTS - 1)))
    orders = [np.arange(len(nodes), dtype=np.int32)]
    orders += [grow_order(indptr, indices, start, False) for start in starts]
    # The work grows with the number of fronts, and that by a factor with their length.
    best = min(orders, key=lambda order: np.sum(2.0 ** front_lengths(indptr, indices, order)))
    return steps_of(neighbours, [nodes[i] for i in best])


def steps_of(neighbours: Neighbours, order: Sequence[int]) -> list[Step]:
    """Return the steps of a sweep in this order."""
    place = {node: i for i, node in enumerate(order)}
    front: list[int] = []
    steps = []
    for i, node in enumerate(order):
        near = tuple(front.index(other) for other in neighbours[node] if place[other] < i)
        front.append(node)
        open_ended = [any(place[other] > i for other in neighbours[held]) for held in front]
        stay = tuple(k for k, yes in enumerate(open_ended) if yes)
        leave = tuple(k for k, yes in enumerate(open_ended) if not yes)
        front = [front[k] for k in stay]
        steps.append(Step(node, near, stay, leave, *look_ahead(neighbours, order[i + 1 :], front)))
    return steps


def look_ahead(
    neighbours: Neighbours, coming: Sequence[int], front: Sequence[int]
) -> tuple[Places, tuple[Places, ...]]:
    """Return the sizes of the regions ahead, and which of them each node of the front touches."""
    left = set(coming)
    region: dict[int, int] = {}
    sizes: list[int] = []
    for start in coming:
        if start not in left:
            continue
        left.remove(start)
        stack, before = [start], len(region)
        while stack:
            node = stack.pop()
            region[node] = len(sizes)
            fresh = left.intersection(neighbours[node])
            left -= fresh
            stack += fresh
        sizes.append(len(region) - before)
    touch = tuple(
        tuple({region[other] for other in neighbours[node] if other in region}) for node in front
    )
    return tuple(sizes), touch
