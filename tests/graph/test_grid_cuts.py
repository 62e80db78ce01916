"""Curves across the board, against the obvious: Dijkstra, and polygons square by square."""

import heapq
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage

from pinchpoint.errors import InputError
from pinchpoint.graph.grid_cuts import (
    ABOVE,
    COST,
    FAR,
    GATES,
    LEAST,
    MOST,
    ROWS,
    SIDES,
    find_grid_cuts,
    find_ways,
    weigh,
)
from pinchpoint.graph.lattices import lattice

Board = npt.NDArray[np.bool_]
Square = tuple[int, int]


def neighbours(square: Square, shape: tuple[int, int]) -> list[Square]:
    """Return the squares that touch by a side or a corner."""
    y, x = square
    around = [(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    return [(r, c) for r, c in around if 0 <= r < shape[0] and 0 <= c < shape[1]]


def border(shape: tuple[int, int], side: int) -> list[Square]:
    """Return the squares of a side: top, left, bottom, right."""
    height, width = shape
    lines = [
        [(0, x) for x in range(width)],
        [(y, 0) for y in range(height)],
        [(height - 1, x) for x in range(width)],
        [(y, width - 1) for y in range(height)],
    ]
    return lines[side]


def dijkstra(active: Board, starts: list[Square]) -> npt.NDArray[np.int64]:
    """Return the cost of the cheapest way from any of the squares to each square."""
    cost = np.full(active.shape, FAR)
    queue = [(int(active[square]), square) for square in starts]
    heapq.heapify(queue)
    while queue:
        so_far, square = heapq.heappop(queue)
        if so_far < cost[square]:
            cost[square] = so_far
            for near in neighbours(square, active.shape):
                heapq.heappush(queue, (so_far + int(active[near]), near))
    return cost


boards = arrays.arrays(
    np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.booleans()
)


@settings(deadline=None)  # the first call compiles
@given(boards)
def test_ways_from_each_side_are_the_cheapest(active: Board) -> None:
    found = find_grid_cuts(active.reshape(1, -1), np.zeros(1, np.int32), (), lattice(*active.shape))
    for side in range(SIDES):
        expected = np.where(active, dijkstra(active, border(active.shape, side)), 0)
        assert np.array_equal(found.ways[0, side].reshape(active.shape), expected)


def searched(active: Board) -> npt.NDArray[np.int32]:
    """Return the scratch of the searches from all gates."""
    scratch = np.zeros((ROWS, active.size), dtype=np.int32)
    flat, width = active.ravel(), active.shape[1]
    links = lattice(*active.shape)
    count = weigh(flat, links.indptr, links.indices, width, scratch)
    for side in range(SIDES):
        for part in range(GATES):
            find_ways(flat, width, side, part, count, scratch)
    return scratch


@settings(deadline=None)
@given(boards)
def test_what_counts_is_what_reaches_the_border_or_the_largest_piece(active: Board) -> None:
    labels, _ = ndimage.label(active)
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    counts = np.isin(labels, rim[rim > 0])
    if not counts.any():
        counts = largest_piece(active)
    above = 2 * counts.cumsum(axis=0) - counts
    assert np.array_equal(searched(active)[ABOVE].reshape(active.shape), above)


def test_closed_rings_around_pieces_are_not_followed() -> None:
    """A ring around an island adds nothing to a sum, however often a way goes round it."""
    active = np.zeros((9, 9), dtype=np.bool_)
    active[:, 8] = True
    without = searched(active)
    active[3:5, 3:5] = True
    island = searched(active)
    closed = ~active.ravel()
    assert np.array_equal(island[LEAST:, closed], without[LEAST:, closed])


def largest_piece(opened: Board) -> Board:
    labels, count = ndimage.label(opened)
    largest: Board = labels == np.bincount(labels[labels > 0], minlength=2).argmax()
    return largest if count else opened


def gate_squares(shape: tuple[int, int], gate: int) -> list[Square]:
    """Return the squares of a gate."""
    side, part = divmod(gate, GATES)
    line = border(shape, side)
    return line[part * len(line) // GATES : (part + 1) * len(line) // GATES]


def begins(active: Board, square: Square, side: int) -> int:
    """Return the sum with which a way from this side begins, in quarters."""
    y, x = square
    half = int(active[square])
    above = 2 * int(active[:y, x].sum()) + half
    left = 4 * int(active[:, :x].sum()) + 2 * int(active[:, x].sum())
    return [0, above, left, -above][side]


@settings(deadline=None, max_examples=30)
@given(arrays.arrays(np.bool_, st.tuples(st.integers(1, 3), st.integers(1, 3))))
def test_sums_are_the_extremes_of_all_cheapest_ways(opened: Board) -> None:
    """By trying all ways; a single square inside, with a closed ring around it, is left out."""
    active = largest_piece(opened)
    if active.sum() == active[1:-1, 1:-1].sum():
        return
    scratch = searched(active)
    above = scratch[ABOVE].reshape(active.shape)
    for gate in range(SIDES * GATES):
        cost = scratch[COST + gate].reshape(active.shape)
        found: dict[Square, set[int]] = {}
        stack = [
            ([square], begins(active, square, gate // GATES))
            for square in gate_squares(active.shape, gate)
        ]
        while stack:
            way, total = stack.pop()
            here = way[-1]
            if sum(int(active[square]) for square in way) > cost[here]:
                continue
            found.setdefault(here, set()).add(total)
            for near in neighbours(here, active.shape):
                if near not in way:
                    step = (near[1] - here[1]) * (above[here] + above[near])
                    stack.append(([*way, near], total + int(step)))
        for square, totals in found.items():
            for rows, extreme in ((LEAST, min), (MOST, max)):
                assert scratch[rows + gate].reshape(active.shape)[square] == extreme(totals)


def way_back(
    active: Board, cost: npt.NDArray[np.int32], total: npt.NDArray[np.int32],
    above: npt.NDArray[np.int32], square: Square, gate: int,
) -> list[Square]:  # fmt: skip
    """Return a way from the square to the gate that has these costs and sums."""
    seen = {square}
    stack = [[square]]
    starts = {
        start: begins(active, start, gate // GATES) for start in gate_squares(active.shape, gate)
    }
    while stack:
        way = stack.pop()
        here = way[-1]
        if cost[here] == int(active[here]) and starts.get(here) == total[here]:
            return way
        for near in neighbours(here, active.shape):
            step = (here[1] - near[1]) * (above[near] + above[here])
            if (
                near not in seen
                and cost[near] == cost[here] - active[here]
                and total[near] == total[here] - step
            ):
                seen.add(near)
                stack.append([*way, near])
    raise AssertionError("there is no way with these sums")


def round_the_top(square: Square, side: int, shape: tuple[int, int]) -> list[Square]:
    """Return points outside the board, from a square on its border to above the board."""
    height, width = shape
    y, x = square
    above_left, above_right = (-1, -1), (-1, width)
    return [
        [(-1, x)],
        [(y, -1), above_left],
        [(height, x), (height, -1), above_left],
        [(y, width), above_right],
    ][side]


def inside(corners: list[Square], shape: tuple[int, int]) -> Board:
    """Tell which squares lie in the polygon: a ray to the right meets its edges an odd time."""
    found = np.zeros(shape, dtype=np.bool_)
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    for (y, x), (to_y, to_x) in zip(corners, corners[1:] + corners[:1], strict=True):
        if y != to_y:
            meets = (y > rows) != (to_y > rows)
            found ^= meets & (columns < x + (rows - y) * (to_x - x) / (to_y - y))
    return found


def crosses_itself(first: list[Square], second: list[Square]) -> bool:
    """Tell whether two slanting steps of the ways cross between squares."""
    steps = [
        (one, two)
        for way in (first, second)
        for one, two in map(sorted, pairwise(way))
        if one[0] != two[0] and one[1] != two[1]
    ]
    return any(((y, to_x), (to_y, x)) in steps for (y, x), (to_y, to_x) in steps)


@pytest.mark.parametrize("p", [0.6, 0.8, 1.0])
def test_sums_tell_what_curves_cut_off(p: float) -> None:
    rng = np.random.default_rng(round(100 * p))
    errors = []
    for shape in [(8, 8), (9, 6), (12, 13)]:
        active = largest_piece(rng.random(shape) < p)
        scratch = searched(active)
        above = scratch[ABOVE].reshape(shape)
        ways = {}
        squares = list(map(tuple, np.argwhere(active)))
        sums = LEAST if p < 0.9 else MOST
        for gate in range(SIDES * GATES):
            cost, total = scratch[COST + gate].reshape(shape), scratch[sums + gate].reshape(shape)
            for square in squares if gate_squares(shape, gate) else []:
                ways[gate, square] = way_back(active, cost, total, above, square, gate)
        for square in squares:
            for one in range(SIDES * GATES):
                for two in range(one):
                    if (one, square) not in ways or (two, square) not in ways:
                        continue
                    first, second = ways[one, square], ways[two, square]
                    curve = {*first, *second}
                    if len(curve) < len(first) + len(second) - 1 or crosses_itself(first, second):
                        continue
                    corners = [
                        *first, *round_the_top(first[-1], one // GATES, shape),
                        *reversed(round_the_top(second[-1], two // GATES, shape)),
                        *reversed(second[1:]),
                    ]  # fmt: skip
                    on_curve = np.zeros(shape, dtype=np.bool_)
                    on_curve[tuple(np.array(sorted(curve)).T)] = True
                    enclosed = (inside(corners, shape) & active & ~on_curve).sum()
                    moves = (active & on_curve).sum()
                    index = square[0] * shape[1] + square[1]
                    assert moves == scratch[COST + one, index] + scratch[COST + two, index] - 1
                    quarters = abs(int(scratch[sums + one, index] - scratch[sums + two, index]))
                    errors.append(quarters - (4 * enclosed + 2 * moves))
    # Squares on a curve count as a half on average, not each of them.
    assert len(errors) > 1000
    assert np.abs(errors).max() <= 8  # two squares
    assert np.abs(errors).mean() < 2


def test_other_boards_are_refused() -> None:
    torus = lattice(6, 6, periodic="both")
    with pytest.raises(InputError, match="planar square grid"):
        find_grid_cuts(np.ones((1, 36), np.bool_), np.zeros(1, np.int32), (1.0,), torus)
