"""What moves cut off, against the obvious: take the squares out and label what is left."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.graph.lattices import lattice
from pinchpoint.learning.observation import COST, PRICES, UNIT, WAY, across, observe, structure
from pinchpoint.learning.pair_cuts import (
    FIRST,
    LEVEL,
    SECOND,
    SQUARE,
    join_neighbors,
    list_joints,
    make_scratch,
    note_pair_cuts,
)

Board = npt.NDArray[np.bool_]


def sizes(there: Board) -> list[int]:
    """Sizes of the pieces, largest first, and two noughts."""
    labels, _ = ndimage.label(there)
    return [*sorted(np.bincount(labels.ravel())[1:].tolist(), reverse=True), 0, 0]


def without(piece: Board, *squares: int) -> Board:
    rest = piece.copy()
    rest.flat[list(squares)] = False
    return rest


def pair_cuts(piece: Board) -> npt.NDArray[np.int32]:
    off = np.zeros(piece.size, dtype=np.int32)
    squares = np.flatnonzero(piece).astype(np.int32)
    note_pair_cuts(squares, piece.shape[1], make_scratch(*piece.shape), off)
    return off


def pair_cuts_pair_by_pair(piece: Board) -> npt.NDArray[np.int32]:
    """Look at every two joints, with no thought of which are opposite each other."""
    scratch, off = make_scratch(*piece.shape), np.zeros(piece.size, dtype=np.int32)
    squares, width = np.flatnonzero(piece).astype(np.int32), piece.shape[1]
    note_pair_cuts(squares, width, scratch, off)  # finds clusters and touches
    joints, _ = list_joints(squares, width, scratch)
    off[:] = 0
    for one, two in combinations(scratch[[FIRST, SECOND, SQUARE, LEVEL], :joints].T.tolist(), 2):
        if one[:2] == two[:2] and one[2] != two[2]:
            enclosed = (one[3] - two[3] - 1) % len(squares)
            for v in (one[2], two[2]):
                off[v] = max(off[v], min(enclosed, len(squares) - 2 - enclosed))
    join_neighbors(squares, width, scratch, off)
    return off


def largest_piece(opened: Board) -> Board:
    labels, _ = ndimage.label(opened)
    found: Board = labels == np.bincount(labels[labels > 0]).argmax()
    return found


def expected(status: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    active = status == ACTIVE
    best = sizes(status == INACTIVE)[0]
    labels, count = ndimage.label(active)
    planes = np.zeros((9, status.size))
    for piece in (labels == k + 1 for k in range(count)):
        total = piece.sum()
        with_another = pair_cuts(piece)
        for v in np.flatnonzero(piece):
            largest, other = sizes(without(piece, v))[:2]
            planes[0:4, v] = told(total, total - 1 - largest, largest - max(other, best))
            off = with_another[v]
            planes[4:8, v] = told(total, off, max(total - 2 - off, 0) - max(off, best))
    planes[8] = core(active).ravel()
    return planes.reshape(9, *status.shape)


def told(total: int, off: int, lead: int) -> list[float]:
    log_lead = np.copysign(np.log(1 + abs(lead)), lead)
    return [np.log(1 + off) / UNIT, off / total, log_lead / UNIT, lead / total]


def core(active: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    cross = ndimage.generate_binary_structure(2, 1).astype(int)
    left = active.copy()
    while True:
        touching = ndimage.convolve(left.astype(int), cross, mode="constant") - 1
        loose = left & (touching <= 1)
        if not loose.any():
            return left
        left &= ~loose


LINE = ((1, 9), 1.0)
BOARDS = [((7, 5), 0.7), ((12, 12), 0.65)]


@pytest.mark.parametrize(
    ("mode", "shape", "p"),
    # A line is all surface: in noodle there is nothing to play.
    [(mode, *board) for mode in ("network", "flow", "noodle") for board in BOARDS]
    + [("network", *LINE), ("flow", *LINE)],
)
def test_planes_tell_what_a_move_cuts_off(mode: str, shape: tuple[int, int], p: float) -> None:
    games = Games(sample_boards(mode, shape, p, 8, seed=5), mode)
    while not games.done.all():
        planes = structure(games.status, lattice(*shape))
        for board, seen in zip(games.status, planes, strict=True):
            assert np.allclose(seen, expected(board.reshape(shape)), atol=1e-5)
        games.play(games.random_squares(3))


@given(arrays.arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6)), fill=st.nothing()))
def test_pairs_cut_off_what_is_no_longer_joined_without_them(opened: Board) -> None:
    """At least what a pair cuts off of which neither cuts alone, and no more than any pair does."""
    piece = largest_piece(opened | (np.arange(opened.size).reshape(opened.shape) == 0))
    squares = np.flatnonzero(piece)
    alone = {v for v in squares if sizes(without(piece, v))[1]}
    least, most = np.zeros((2, piece.size), dtype=int)
    for pair in combinations(squares, 2):
        largest, second = sizes(without(piece, *pair))[:2]
        for v in pair:
            most[v] = max(most[v], len(squares) - 2 - largest)
            if not alone & set(pair):
                least[v] = max(least[v], second)
    off = pair_cuts(piece)
    assert (least <= off).all()
    assert (off <= most).all()


@pytest.mark.parametrize("p", [0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0])
@pytest.mark.parametrize("shape", [(2, 3), (5, 4), (9, 9), (4, 30), (20, 20)])
def test_the_best_pairs_are_found_without_a_look_at_every_pair(
    shape: tuple[int, int], p: float
) -> None:
    rng = np.random.default_rng(17)
    for _ in range(20):
        piece = largest_piece((rng.random(shape) < p) | (np.arange(shape[1]) == 0))
        np.testing.assert_array_equal(pair_cuts(piece), pair_cuts_pair_by_pair(piece))


@pytest.mark.parametrize("side", [9, 14, 26])
def test_many_squares_between_the_same_two_clusters(side: int) -> None:
    """Two combs with their teeth in each other: one inside, one from the rim."""
    piece = np.ones((side, side), dtype=np.bool_)
    piece[2:-2:4, 2:-2] = piece[2:-2, 2] = False
    piece[4:-3:4, 4:] = False
    np.testing.assert_array_equal(pair_cuts(piece), pair_cuts_pair_by_pair(piece))


def test_a_ring_is_cut_best_at_opposite_places() -> None:
    ring = np.ones((5, 5), dtype=np.bool_)
    ring[1:4, 1:4] = False
    assert pair_cuts(ring)[ring.ravel()].tolist() == [7] * 16


def test_what_moves_cut_off_needs_the_planar_grid() -> None:
    torus = lattice(6, 6, periodic="both")
    games = Games(sample_boards("network", 6, 0.8, 2, seed=1).laid, "network", torus)
    assert observe("states", games.status, torus).shape == (2, 4, 6, 6)
    with pytest.raises(InputError, match="planar square grid"):
        observe("cuts", games.status, torus)


def test_curves_through_a_bridge_leave_nothing_to_do() -> None:
    rows = np.ones((7, 15), dtype=np.uint8)
    rows[:, 7] = 0
    rows[3, 7] = 1  # a wall with a gap, halfway
    games = Games(rows[None], "network")
    planes = across(games.status, games.topology)[0]
    prices = len(PRICES)
    costs, worse, ways = planes[:prices], planes[prices : 2 * prices], planes[2 * prices :]
    assert np.allclose(costs[:, 3, 7], np.log1p(1) / COST)
    assert (worse[:, 3, 7] == 0).all()
    others = rows.astype(bool)
    others[3, 7] = False
    assert (worse[:, others] > 0).all()
    assert (planes[:, ~rows.astype(bool)] == 0).all()
    assert np.allclose(ways[:, 3, 7] * WAY, [1, 8, 1, 8])  # through the wall for nothing


def test_curves_of_a_board_that_is_over_are_nothing() -> None:
    over = Games(np.zeros((2, 5, 5), dtype=np.uint8), "network")
    assert not across(over.status, over.topology).any()
