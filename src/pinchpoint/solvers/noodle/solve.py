"""Solve noodle: exactly where the rule counts cycles, elsewhere by search with a bound.

Where every node has K + 2 faces, a piece is inactive exactly when it is a tree, inclusive: when it
has at most one cycle. That is so on every lattice at the default K, and on some graphs. The fewest
moves are then a minimum decycling (`decycle`). Elsewhere search finds a plan and counting a bound.
"""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any, cast

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.state import ACTIVE
from pinchpoint.solvers.any_mode import search_position
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.noodle.cycle_packing import fewest
from pinchpoint.solvers.noodle.decycle import Decycling, decycle, find_cores
from pinchpoint.solvers.solution import Solution

LARGEST_CERTIFICATE = 20_000  # edges; a larger position is certified by counting alone


def solve_noodle(games: Games, time_limit: float, work: float = math.inf) -> list[Solution]:
    """Return the optimum of every position, or the best found within the limits with a bound."""
    solutions = []
    for row in range(len(games)):
        if counts_cycles(games, row):
            solutions.append(_decycle_position(games, row, Budget(time_limit, work)))
        else:
            bound = counting_bound(games, row)
            solutions.append(search_position(games, row, Budget(time_limit, work), bound))
    return solutions


def counts_cycles(games: Games, row: int) -> bool:
    """Whether the rule for the active nodes is: no cycle (inclusive: at most one) in a piece."""
    faces = games.topology.faces[games.status[row] == ACTIVE]
    return bool(np.all(faces == cast(Noodle, games.mode).ratio(games.topology) + 2))


def counting_bound(games: Games, row: int) -> int:
    """Count the moves that the active pieces need at least, whatever K is.

    A piece is inactive when 2 E < Σ (faces − K). Removing a node takes its degree from E and its
    own faces − K from the sum. At least as many moves are needed as if the nodes that take most
    could all be removed first.
    """
    mode, topology = cast(Noodle, games.mode), games.topology
    active = games.status[row] == ACTIVE
    source = np.repeat(np.arange(topology.n), topology.degree)
    inside = active[source] & active[topology.indices]
    degree = np.bincount(source[inside], minlength=topology.n)
    worth = topology.faces - mode.ratio(topology)
    # It must come below 0, unless inclusive: by one unit of the fraction that K is.
    fraction = Fraction(mode.ratio(topology)).limit_denominator(1000)
    simple = float(fraction) == mode.ratio(topology)
    beyond = 1 / fraction.denominator if simple and not mode.inclusive else 0.0
    total = 0
    for label in np.unique(games.labels[row][active]):
        piece = games.labels[row] == label
        excess = float(degree[piece].sum() - worth[piece].sum())  # 2 E − Σ (faces − K)
        total += fewest(2 * degree[piece] - worth[piece], excess + beyond - 1e-9)
    return max(total, 1 if active.any() else 0)


def _decycle_position(games: Games, row: int, budget: Budget) -> Solution:
    """Solve every core by itself, small ones first; each gets its share of what is left."""
    start = time.perf_counter()
    mode, topology = cast(Noodle, games.mode), games.topology
    active = games.status[row] == ACTIVE
    cores = find_cores(topology.indptr, topology.indices, active, mode.inclusive)
    cores.sort(key=lambda core: len(core.nodes))
    nodes = sum(len(core.nodes) for core in cores)
    parts = []
    for core in cores:
        share = budget.part(len(core.nodes) / nodes)
        parts.append(decycle(core, mode.inclusive, share))
        nodes -= len(core.nodes)
    # A smallest set can be played in any order: without the others, each node is on a cycle.
    moves = sorted(node for part in parts for node in part.removed)
    bound = sum(part.bound for part in parts)
    certificate = _certificate(parts, mode.inclusive)
    return Solution.of(moves, bound, certificate, time.perf_counter() - start)


def _certificate(parts: list[Decycling], inclusive: bool) -> dict[str, Any]:
    """Return the weights of the packings, in the numbers of the whole graph."""
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
