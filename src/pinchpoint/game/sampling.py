"""Random boards by p and seed, and named sets of them: the same ones on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pinchpoint.checks import one_of, real_number, whole_number
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards, join_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.graph.topology import Topology
from pinchpoint.rng import check_seed, draw_boards
from pinchpoint.types import Bools

Size = int | tuple[int, int]
Density = float | tuple[float, float]

MAX_DRAWS = 2000  # boards drawn for one that is not over when laid
MAX_SQUARES = 2**29  # of all boards sampled at once
AT_ONCE = 2**22  # squares of the boards that are laid together: games hold many times the memory


def sample_boards(
    mode: str | Mode,
    size: Size = 20,
    p: Density = 0.8,
    count: int = 1,
    seed: int = 0,
    start: int = 0,
    lattice: str = "square",
    periodic: str = "none",
) -> Boards:
    """Draw random boards that are not over when laid; board i is the same whatever the count.

    p is one density or a range to draw each board's own from. Boards `start` to `start + count - 1`
    of the seed's endless sequence are returned.
    """
    topology = make_lattice(*board_shape(size), lattice, periodic)
    return sample_on(topology, mode, p, count, seed, start)


def sample_on(
    topology: Topology,
    mode: str | Mode,
    p: Density,
    count: int,
    seed: int,
    start: int = 0,
) -> Boards:
    """Do as `sample_boards`, on any topology."""
    count, start = whole_number(count, "the count"), whole_number(start, "the start")
    if count * topology.n > MAX_SQUARES:
        raise InputError(f"{count} boards of {topology.n} squares do not fit; sample them in parts")
    step = max(1, AT_ONCE // topology.n)
    parts = [
        _draw(topology, mode, p, min(step, count - done), seed, start + done)[1]
        for done in range(0, max(count, 1), step)
    ]
    return join_boards(parts)


def sample_games(
    topology: Topology, mode: str | Mode, p: Density, count: int, seed: int, start: int = 0
) -> Games:
    """Return games on the boards of `sample_on`, each of which is laid only once."""
    return _draw(topology, mode, p, count, seed, start)[0]


def _draw(
    topology: Topology, mode: str | Mode, p: Density, count: int, seed: int, start: int
) -> tuple[Games, Boards]:
    """Draw boards and lay them; draw those that are over again until none is."""
    low, high = density_range(p)
    check_seed(seed)
    count, start = whole_number(count, "the count"), whole_number(start, "the start")
    if count < 0 or not 0 <= start < 2**62:
        raise InputError(f"cannot sample {count} boards from number {start} on; both must be ≥ 0")
    numbers = np.arange(start, start + count)
    laid, densities = np.zeros((count, topology.n), dtype=np.uint8), np.zeros(count)
    boards = Boards(get_mode(mode), topology, laid, numbers, densities, seed)
    draw_boards(laid, seed, numbers, 0, low, high, densities)
    games = Games(boards)
    for attempt in range(1, MAX_DRAWS):
        over = np.flatnonzero(games.done)
        if not len(over):
            return games, boards
        drawn, drawn_p = laid[over], densities[over]
        draw_boards(drawn, seed, numbers[over], attempt, low, high, drawn_p)
        laid[over], densities[over] = drawn, drawn_p
        games.reset(over, drawn)
    if not games.done.any():
        return games, boards
    raise InputError(
        f"mode {boards.mode.name}, p = {p}: no board of this size was unfinished in {MAX_DRAWS} "
        "draws; choose a larger p or a larger board"
    )


def over_when_laid(boards: Boards) -> Bools:  # [B]
    """Return which boards have nothing to attack; the games are laid in parts, to save memory."""
    step = max(1, AT_ONCE // boards.topology.n)
    parts = [Games(boards[i : i + step]).done for i in range(0, len(boards), step)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


# -- named sets ------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardSet:
    """What `sample_boards` draws boards from: with the same settings, the same boards."""

    mode: str | Mode
    size: Size
    p: Density
    count: int
    seed: int


# Seeds of the named sets are far from those that people type, so that nobody trains on them.
SETS: dict[str, BoardSet] = {
    f"{purpose}-{mode}-{size}": BoardSet(mode, size, p, count, seed)
    for mode in ("network", "flow", "noodle")
    for size in (10, 20)
    for purpose, p, count, seed in (
        ("validation", (0.6, 1.0), 200, 710_001),
        ("test", (0.6, 1.0), 1000, 720_001),
    )
}


def board_set(name: str) -> BoardSet:
    """Return the settings of a named set."""
    one_of(name, SETS, "board set")
    return SETS[name]


def board_shape(size: Size) -> tuple[int, int]:
    """Return (height, width) of a size given as one number or two."""
    if isinstance(size, int | np.integer):
        return whole_number(size, "the size"), whole_number(size, "the size")
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise InputError(f"the size is {size!r}; give one side (20) or height and width (10, 30)")
    return whole_number(size[0], "the height"), whole_number(size[1], "the width")


def density_range(p: Density) -> tuple[float, float]:
    """Return (low, high) of a density given as one number or two."""
    ends = list(p) if isinstance(p, tuple | list) else [p, p]
    if len(ends) != 2:
        raise InputError(f"p is {p!r}; give one density (0.8) or the two ends of a range (0.5, 1)")
    low, high = (real_number(end, "p") for end in ends)
    if not 0 <= low <= high <= 1:
        raise InputError(f"p is {p}; it must lie between 0 and 1, and a range must ascend")
    return low, high
