"""Noodle: exact where the rule counts cycles, by search with a bound elsewhere.

With 4 faces a square and K = 2 a piece is inactive exactly when it is a tree, inclusive: when it
has at most one cycle. The same holds on any graph whose nodes all have K + 2 faces. The fewest
moves are then a minimum decycling (`decycle`). For other K search finds a plan, counting a bound.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any, cast

import numpy as np

from chokepoint.game import ACTIVE, Games, Noodle
from chokepoint.solvers.noodle.cores import find_cores
from chokepoint.solvers.noodle.decycle import Decycling, compile_kernels, decycle
from chokepoint.solvers.noodle.packing import fewest
from chokepoint.solvers.search import search_position
from chokepoint.solvers.solution import Solution

LARGEST_CERTIFICATE = 20_000  # edges; a larger board is certified by counting alone


def solve_noodle(games: Games, time_limit: float) -> list[Solution]:
    """The optimum of every position, or the best found in time with a bound."""
    solutions = []
    for row in range(len(games)):
        if counts_cycles(games, row):
            compile_kernels()
            solutions.append(_decycle_position(games, row, time_limit))
        else:
            bound = counting_bound(games, row)
            solutions.append(search_position(games, row, time_limit, bound))
    return solutions


def counts_cycles(games: Games, row: int) -> bool:
    """Whether the rule for the active squares is: no cycle (inclusive: at most one) in a piece."""
    faces = games.topology.faces[games.status[row] == ACTIVE]
    return bool(np.all(faces == cast(Noodle, games.mode).K + 2))


def counting_bound(games: Games, row: int) -> int:
    """Moves that each active piece needs at least, whatever K is.

    A piece is inactive when 2 E < Σ (faces − K). Removing a square takes its degree from E and its
    own faces − K from the sum; the squares that take most first, that many moves are needed.
    """
    mode, topology = cast(Noodle, games.mode), games.topology
    active = games.status[row] == ACTIVE
    source = np.repeat(np.arange(topology.n), topology.degree)
    inside = active[source] & active[topology.indices]
    degree = np.bincount(source[inside], minlength=topology.n)
    worth = topology.faces - mode.K
    # It must come below 0, unless inclusive: by one unit of the fraction that K is.
    fraction = Fraction(mode.K).limit_denominator(1000)
    simple = float(fraction) == mode.K
    beyond = 1 / fraction.denominator if simple and not mode.inclusive else 0.0
    total = 0
    for label in np.unique(games.labels[row][active]):
        piece = games.labels[row] == label
        excess = float(degree[piece].sum() - worth[piece].sum())  # 2 E − Σ (faces − K)
        total += fewest(2 * degree[piece] - worth[piece], excess + beyond - 1e-9)
    return max(total, 1 if active.any() else 0)


def _decycle_position(games: Games, row: int, time_limit: float) -> Solution:
    """Every core by itself, the small ones first; each gets its share of the time that is left."""
    start = time.perf_counter()
    mode, topology = cast(Noodle, games.mode), games.topology
    active = games.status[row] == ACTIVE
    cores = find_cores(topology.indptr, topology.indices, active, mode.inclusive)
    cores.sort(key=lambda core: len(core.nodes))
    squares = sum(len(core.nodes) for core in cores)
    parts = []
    for core in cores:
        left = max(start + time_limit - time.perf_counter(), 0.0)
        share = time.perf_counter() + left * len(core.nodes) / squares
        parts.append(decycle(core, mode.inclusive, share))
        squares -= len(core.nodes)
    # A smallest set can be played in any order: without the others, each square is on a cycle.
    moves = sorted(square for part in parts for square in part.removed)
    bound = sum(part.bound for part in parts)
    certificate = _certificate(parts, mode.inclusive)
    return Solution.of(moves, bound, certificate, time.perf_counter() - start)


def _certificate(parts: list[Decycling], inclusive: bool) -> dict[str, Any]:
    """The weights of the packings, in the board's own numbers."""
    certificate: dict[str, Any] = {"kind": "decycling", "cycles_allowed": int(inclusive)}
    if sum(len(part.packing.edges) for part in parts) > LARGEST_CERTIFICATE:
        return certificate
    edges, nodes, cycles = [], [], []
    for part in parts:
        name = part.core.nodes
        for (a, b), weight in zip(part.packing.edges, part.packing.edge, strict=True):
            if weight > 0:
                edges.append([int(name[a]), int(name[b]), float(weight)])
        for v in np.flatnonzero(part.packing.node):
            nodes.append([int(name[v]), float(part.packing.node[v])])
        for cycle, weight in zip(part.packing.cycles, part.packing.cycle, strict=True):
            if weight > 0:
                cycles.append([name[cycle].tolist(), float(weight)])
    return certificate | {"edges": edges, "nodes": nodes, "cycles": cycles}
