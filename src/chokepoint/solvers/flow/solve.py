"""Flow, exact: the fewest moves are a smallest cut between the terminals.

On a lattice a cut between two opposite sides is a cheapest curve of squares between the other two
(`curves`); for axis both it is a cheapest tree that reaches all four sides. On a graph, and between
terminals of the user's own, disjoint paths find it (`maxflow`), as many as the cut has nodes.
"""

from __future__ import annotations

import time
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from chokepoint.game import ACTIVE, Flow, Games
from chokepoint.solvers.flow.curves import cut_boards, downward_paths
from chokepoint.solvers.flow.maxflow import Cut
from chokepoint.solvers.solution import Solution
from chokepoint.types import Bools, Bytes, Ints

CHUNK = 1 << 22  # squares in a batch of boards: bounds the memory of the answer


def solve_flow(games: Games, time_limit: float) -> list[Solution]:
    """The optimum of every position. Only a large graph can run out of time."""
    if not _is_plain(games):
        return [_solve_graph(games, row, time_limit) for row in range(len(games))]
    solutions = []
    for rows in _chunks(games):
        start = time.perf_counter()
        values, moves, _ = cut_lattice(games, rows)
        plans = [moves[i, : values[i]].tolist() for i in range(len(values))]
        proofs = [_lattice_certificate(games, row, p) for row, p in zip(rows, plans, strict=True)]
        seconds = (time.perf_counter() - start) / len(rows)
        solutions += [
            Solution.of(plan, len(plan), proof, seconds)
            for plan, proof in zip(plans, proofs, strict=True)
        ]
    return solutions


def optimal_squares(games: Games) -> Bools:  # [B, N]
    """All optimal moves of each position: the squares that lie on some smallest cut."""
    if _is_plain(games):
        parts = [cut_lattice(games, rows)[2] for rows in _chunks(games)]
        return np.concatenate([np.zeros((0, games.topology.n), dtype=np.bool_), *parts])
    cuts = [_graph_cut(games, row).on_some_cut() for row in range(len(games))]
    return np.array(cuts, dtype=np.bool_).reshape(len(games), games.topology.n)


def cut_lattice(games: Games, rows: npt.NDArray[np.intp]) -> tuple[Ints, Ints, Bools]:
    """For each row the size of a smallest cut, its squares (then -1), and all optimal moves."""
    height, width = games.topology.lattice_shape()
    ends, sides = curve_ends(cast(Flow, games.mode).axis, height, width)
    return cut_boards(games.status[rows], ends, sides, (height, width))


def curve_ends(axis: str, height: int, width: int) -> tuple[Bytes, int]:
    """The sides that a curve has to reach: bit k of a square is set if it lies on side k."""
    ends = np.zeros((height, width), dtype=np.uint8)
    sides = 0
    if axis in ("vertical", "both"):  # a curve from left to right
        ends[:, 0] |= 1
        ends[:, -1] |= 2
        sides = 2
    if axis in ("horizontal", "both"):
        ends[0] |= np.uint8(1 << sides)
        ends[-1] |= np.uint8(2 << sides)
        sides += 2
    return ends.ravel(), sides


def lattice_paths(active: Bools, axis: str) -> list[list[int]]:
    """As many disjoint paths from side to side (not both) as there can be on a lattice [h, w]."""
    square = np.arange(active.size, dtype=np.int32).reshape(active.shape)
    if axis == "horizontal":
        active, square = active.T, square.T
    names = square.ravel()
    return [names[path].tolist() for path in downward_paths(active)]


def _lattice_certificate(games: Games, row: int, plan: list[int]) -> dict[str, Any]:
    """The cut and the disjoint paths; axis both has paths of each axis, which may be fewer."""
    axis = cast(Flow, games.mode).axis
    active = games.status[row].reshape(games.topology.lattice_shape()) == ACTIVE
    axes = ("vertical", "horizontal") if axis == "both" else (axis,)
    paths = {name: lattice_paths(active, name) for name in axes}
    if axis != "both" and len(paths[axis]) != len(plan):
        raise AssertionError(f"a cut of {len(plan)} squares faces {len(paths[axis])} paths")
    return {"kind": "flow", "cut": plan, "paths": paths}


def _solve_graph(games: Games, row: int, time_limit: float) -> Solution:
    start = time.perf_counter()
    cut = _graph_cut(games, row, start + time_limit)
    paths = cut.paths()
    plan = cut.nodes()[None].astype(np.int64)
    moves = plan[games.take([row]).follow(plan)].tolist()  # a whole side may be more than needed
    certificate = {"kind": "flow", "cut": moves, "paths": {"terminals": paths}}
    return Solution.of(moves, len(paths), certificate, time.perf_counter() - start)


def _graph_cut(games: Games, row: int, deadline: float | None = None) -> Cut:
    topology = games.topology
    ((first, last),) = games.mode.terminal_sets(topology)
    ends = np.zeros((2, topology.n), dtype=np.bool_)
    ends[0, first] = ends[1, last] = True
    active = games.status[row] == ACTIVE
    # A first path is always looked for, so that a position with a move to make has a bound of 1.
    begun = iter((False,))

    def out_of_time() -> bool:
        late = deadline is not None and time.perf_counter() > deadline
        return next(begun, late)

    return Cut(topology.indptr, topology.indices, active, ends[0], ends[1], out_of_time)


def _is_plain(games: Games) -> bool:
    """Whether the terminals are sides of a lattice."""
    return games.topology.shape is not None and cast(Flow, games.mode).terminals is None


def _chunks(games: Games) -> list[npt.NDArray[np.intp]]:
    size = max(CHUNK // games.topology.n, 1)
    return [np.arange(k, min(k + size, len(games))) for k in range(0, len(games), size)]
