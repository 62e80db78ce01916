"""The order in which the checker sweeps a piece, square by square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Neighbours = dict[int, list[int]]  # of a connected piece
Places = tuple[int, ...]

STARTS = 8  # orders that are compared


@dataclass(frozen=True)
class Step:
    """One square of a sweep.

    The front are the squares behind that have a neighbour ahead; before the step they are at places
    0, 1, …, and the square itself comes after them.
    """

    square: int
    near: Places  # places of its neighbours behind
    stay: Places  # places that are on the front afterwards too, in their new order
    leave: Places  # places that are not
    ahead: Places  # number of squares in each region ahead
    touch: tuple[Places, ...]  # regions that each square of the new front touches


def plan_sweep(neighbours: Neighbours) -> list[Step]:
    """The steps of the sweep with the shortest fronts among a few."""
    squares = sorted(neighbours)
    starts = squares[:: max(1, (len(squares) - 1) // (STARTS - 1))]
    orders = [squares, *(follow_short_fronts(neighbours, start) for start in starts)]
    # The work grows with the number of fronts, and that by a factor with their length.
    return steps_of(
        neighbours,
        min(orders, key=lambda order: sum(2.0**n for n in front_lengths(neighbours, order))),
    )


def follow_short_fronts(neighbours: Neighbours, start: int) -> list[int]:
    """From one square on, always the next one that leaves the front shortest."""
    ahead = {square: len(others) for square, others in neighbours.items()}
    order: dict[int, None] = {}
    reached = {start: None}

    def growth(square: int) -> int:
        freed = sum(other in order and ahead[other] == 1 for other in neighbours[square])
        return (ahead[square] > 0) - freed

    while reached:
        square = min(reached, key=growth)
        del reached[square]
        order[square] = None
        for other in neighbours[square]:
            ahead[other] -= 1
            if other not in order:
                reached[other] = None
    return list(order)


def front_lengths(neighbours: Neighbours, order: Sequence[int]) -> list[int]:
    """The length of the front after each step."""
    place = {square: i for i, square in enumerate(order)}
    changes = [0] * (len(order) + 1)
    for square, others in neighbours.items():
        last = max((place[other] for other in others), default=-1)
        if last > place[square]:
            changes[place[square]] += 1
            changes[last] -= 1
    lengths, length = [], 0
    for change in changes[:-1]:
        length += change
        lengths.append(length)
    return lengths


def steps_of(neighbours: Neighbours, order: Sequence[int]) -> list[Step]:
    place = {square: i for i, square in enumerate(order)}
    front: list[int] = []
    steps = []
    for i, square in enumerate(order):
        near = tuple(front.index(other) for other in neighbours[square] if place[other] < i)
        front.append(square)
        open_ended = [any(place[other] > i for other in neighbours[held]) for held in front]
        stay = tuple(k for k, yes in enumerate(open_ended) if yes)
        leave = tuple(k for k, yes in enumerate(open_ended) if not yes)
        front = [front[k] for k in stay]
        steps.append(
            Step(square, near, stay, leave, *look_ahead(neighbours, order[i + 1 :], front))
        )
    return steps


def look_ahead(
    neighbours: Neighbours, coming: Sequence[int], front: Sequence[int]
) -> tuple[Places, tuple[Places, ...]]:
    """Sizes of the regions of coming squares, and those that each square of the front touches."""
    left = set(coming)
    region: dict[int, int] = {}
    sizes: list[int] = []
    for start in coming:
        if start not in left:
            continue
        left.remove(start)
        stack, before = [start], len(region)
        while stack:
            square = stack.pop()
            region[square] = len(sizes)
            fresh = left.intersection(neighbours[square])
            left -= fresh
            stack += fresh
        sizes.append(len(region) - before)
    touch = tuple(
        tuple({region[other] for other in neighbours[square] if other in region})
        for square in front
    )
    return tuple(sizes), touch
