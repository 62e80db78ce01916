"""What callers give to the engine: checked, and in the form that the kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from chokepoint.errors import InputError
from chokepoint.graph.topology import Bools, Squares, Topology


def as_array(boards: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        return np.asarray(boards)
    except ValueError:
        raise InputError("a board needs rows of one length, and all boards one size") from None


def open_mask(boards: npt.NDArray[Any], topology: Topology) -> Bools:  # [B, N]
    """Boards of 0 and 1 in any accepted shape, as a row of True/False for each game."""
    shape = topology.shape
    as_lattice = shape is not None and boards.ndim in (2, 3) and boards.shape[-2:] == shape
    as_nodes = boards.ndim in (1, 2) and boards.shape[-1] == topology.n
    if not (as_lattice or as_nodes):
        expected = f"{topology.n} nodes" if shape is None else f"{shape[0]} × {shape[1]} squares"
        raise InputError(f"boards have shape {boards.shape}; this topology has {expected}")
    if boards.dtype != np.bool_ and not np.isin(boards, (0, 1)).all():
        raise InputError("a board holds 1 for open and 0 for blocked, and nothing else")
    return boards.reshape(-1, topology.n).astype(np.bool_)


def game_names(names: npt.ArrayLike | None, count: int) -> npt.NDArray[np.int64]:
    given = np.arange(count) if names is None else np.asarray(names)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise InputError(f"names must be {count} whole numbers, one for each game")
    return given.astype(np.int64)


def one_square_each(squares: npt.ArrayLike, games: int, topology: Topology) -> Squares:  # [B]
    """A square for each game; a single game also takes (row, col)."""
    given = np.asarray(squares)
    if games == 1 and given.shape == (2,) and topology.shape is not None:
        given = np.array([topology.square(int(given[0]), int(given[1]))])
    given = np.atleast_1d(given)
    if given.shape != (games,):
        raise InputError(f"{games} games need as many squares; got {given.shape}")
    if given.dtype.kind not in "iu":
        raise InputError(f"squares are whole numbers; got {given.dtype}")
    return given.astype(np.int64)


def one_plan_each(plans: Squares, games: int, topology: Topology) -> Squares:  # [B, K]
    """A row of squares for each game."""
    if plans.ndim != 2 or len(plans) != games:
        raise InputError(f"{games} games need as many plans; got {plans.shape}")
    if plans.dtype.kind not in "iu":
        raise InputError(f"squares are whole numbers; got {plans.dtype}")
    if plans.size and not -1 <= plans.min() <= plans.max() < topology.n:
        raise InputError(
            f"a plan names squares {plans.min()} to {plans.max()}; "
            f"squares are 0 to {topology.n - 1}, and -1 for no move"
        )
    return np.ascontiguousarray(plans, dtype=np.int64)


def row_numbers(rows: npt.ArrayLike | None, games: int) -> npt.NDArray[np.intp]:
    """Rows of a batch, all by default."""
    if rows is None:
        return np.arange(games)
    chosen = np.atleast_1d(np.asarray(rows))
    if chosen.dtype == np.bool_ and chosen.shape == (games,):
        return np.flatnonzero(chosen)
    if chosen.size and (chosen.dtype.kind not in "iu" or chosen.ndim != 1):
        raise InputError("rows are numbers of games, or one True/False for each game")
    if chosen.size and (chosen.min() < 0 or chosen.max() >= games):
        raise InputError(f"there is no game {chosen.max()}; games are 0 to {games - 1}")
    return chosen.astype(np.intp)
