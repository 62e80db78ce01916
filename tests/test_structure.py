"""What each move cuts off, against the obvious: take the square out and label what is left."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy import ndimage

from chokepoint.boards import sample_boards
from chokepoint.engine import ACTIVE, INACTIVE, Games
from chokepoint.structure import UNIT, structure


def sizes(there: npt.NDArray[np.bool_]) -> list[int]:
    """Sizes of the pieces, largest first, and two noughts."""
    labels, _ = ndimage.label(there)
    return [*sorted(np.bincount(labels.ravel())[1:].tolist(), reverse=True), 0, 0]


def expected(status: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    active = status == ACTIVE
    best = sizes(status == INACTIVE)[0]
    labels, _ = ndimage.label(active)
    planes = np.zeros((5, *status.shape))
    for square in zip(*np.nonzero(active), strict=True):
        rest = labels == labels[square]
        total = rest.sum()
        rest[square] = False
        largest, other = sizes(rest)[:2]
        off, lead = total - 1 - largest, largest - max(other, best)
        planes[(slice(4), *square)] = (
            np.log(1 + off) / UNIT,
            off / total,
            np.copysign(np.log(1 + abs(lead)) / UNIT, lead),
            lead / total,
        )
    planes[4] = core(active)
    return planes


def core(active: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    cross = ndimage.generate_binary_structure(2, 1).astype(int)
    left = active.copy()
    while True:
        touching = ndimage.convolve(left.astype(int), cross, mode="constant") - 1
        loose = left & (touching <= 1)
        if not loose.any():
            return left
        left &= ~loose


@pytest.mark.parametrize("mode", ["network", "flow", "noodle"])
@pytest.mark.parametrize(("shape", "p"), [((7, 5), 0.7), ((12, 12), 0.65), ((1, 9), 1.0)])
def test_planes_tell_what_a_move_cuts_off(mode: str, shape: tuple[int, int], p: float) -> None:
    if mode == "noodle" and shape[0] == 1:
        pytest.skip("a line has no cycle")
    games = Games(sample_boards(mode, shape, p, 8, seed=5), mode)
    while not games.done.all():
        planes = structure(games.status, *shape)
        for board, seen in zip(games.status, planes, strict=True):
            assert np.allclose(seen, expected(board.reshape(shape)), atol=1e-5)
        games.play(games.random_squares(3))
