"""The 8 symmetries of a square board, applied to boards and to squares alike.

Symmetry k is made of three bits: 1 transposes, 2 then flips the rows, 4 then flips the columns.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])


def transform(boards: Array, k: int) -> Array:  # [..., h, w]
    """The boards under symmetry k (a view)."""
    if k & 1:
        boards = boards.swapaxes(-1, -2)
    if k & 2:
        boards = boards[..., ::-1, :]  # type: ignore[assignment]
    if k & 4:
        boards = boards[..., ::-1]  # type: ignore[assignment]
    return boards


def moved_squares(height: int, width: int, k: int) -> npt.NDArray[np.int64]:  # [N]
    """For each square of a board, its number on the transformed board."""
    origin = transform(np.arange(height * width).reshape(height, width), k).ravel()
    moved = np.empty_like(origin)
    moved[origin] = np.arange(height * width)
    return moved
