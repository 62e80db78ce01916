"""No claim of a solver is false, whatever nodes cost: against every play, in rational numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from exact_play import ExactGame, Rule, bits_of, flow, network, noodle, shatter
from oracles.reference import SIDES_OF_A_NODE, edge_neighbours, lattice_neighbours

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import optimal_squares, solve

MOST_OPEN = 9  # nodes: the exact programs look at all positions
WORK = 3.0


def draw_costs(rng: np.random.Generator, n: int) -> tuple[list[float], list[Fraction]]:
    """Draw costs from 1e-6 to 1e12, as floating-point numbers and as what they stand for."""
    kind = rng.integers(8)
    if kind == 0:
        exact = [Fraction(1)] * n
    elif kind == 1:
        exact = [Fraction(int(c)) for c in rng.integers(1, 6, n)]
    elif kind == 2:  # that differ in the last digit
        near = 10 ** int(rng.integers(3, 13))
        exact = [Fraction(near + int(c)) for c in rng.integers(0, 4, n)]
    elif kind == 3:  # sums that differ in the last digit
        near = 10 ** int(rng.integers(3, 12))
        exact = [Fraction(near * int(a) + int(c)) for a, c in rng.integers(1, 4, (n, 2))]
    elif kind == 4:  # decimal numbers of a few digits, far apart
        places = [10 ** int(k) for k in rng.integers(0, 19, n)]
        digits = rng.integers(1, 100, n)
        exact = [Fraction(int(d) * p, 10**8) for d, p in zip(digits, places, strict=True)]
        exact = [max(c, Fraction(1, 10**6)) for c in exact]
    elif kind == 5:  # of which products are only nearly the decimal numbers that are meant
        unit = float(rng.choice([0.1, 0.3, 1e-6, 0.07]))
        times = rng.integers(1, 8, n)
        meant = Fraction(str(unit))
        return [unit * int(k) for k in times], [meant * int(k) for k in times]
    elif kind == 6:
        exact = [Fraction(float(c)) for c in rng.uniform(1, 9, n)]
    else:
        exact = [Fraction(float(c)) for c in 10 ** rng.uniform(-6, 12, n)]
    return [float(c) for c in exact], exact


def draw_graph(
    rng: np.random.Generator, mode: str
) -> tuple[Topology, list[list[int]], list[bool], str]:
    """Draw a small graph, or a board of any lattice: topology, neighbours, open nodes, lattice."""
    if rng.random() < 0.4:
        n = int(rng.integers(2, MOST_OPEN + 1))
        pairs = [(a, b) for b in range(n) for a in range(b)]
        share = rng.uniform(0.1, 0.9)
        edges = [pair for pair in pairs if rng.random() < share]
        return (
            from_edges(np.array(edges).reshape(-1, 2), n=n),
            edge_neighbours(n, edges),
            [True] * n,
            "",
        )
    kind = str(rng.choice(["square", "triangular", "hexagonal"]))
    height, width = (int(k) for k in rng.integers(1, 5, 2))
    periodic = "none"
    if mode != "flow" and height == width == 4:
        periodic = str(rng.choice(["none", "rows", "columns", "both"]))
    opened = rng.random(height * width) < rng.uniform(0.6, 1.0)
    while opened.sum() > MOST_OPEN:
        opened[rng.integers(len(opened))] = False
    neighbours = lattice_neighbours(height, width, kind, periodic)
    return lattice(height, width, kind, periodic), neighbours, opened.tolist(), kind


def draw_case(rng: np.random.Generator) -> tuple[Games, ExactGame]:
    """Draw a position in the words of the package and in those of the exact programs."""
    name = str(rng.choice(["flow", "network", "noodle", "shatter", "shatter"]))
    topology, neighbours, opened, kind = draw_graph(rng, name)
    n = topology.n
    numbers, costs = draw_costs(rng, n)
    sides: list[tuple[int, int]] = []
    options: dict[str, object] = {}
    rule: Rule = network
    if name == "flow":
        rule = flow
        if kind and rng.random() < 0.8:
            width = topology.lattice_shape()[1]
            axis = options["axis"] = str(rng.choice(["vertical", "horizontal", "both"]))
            ends = {
                "vertical": (range(width), range(n - width, n)),
                "horizontal": (range(0, n, width), range(width - 1, n, width)),
            }
            sides = [
                (bits_of(a), bits_of(b)) for key, (a, b) in ends.items() if axis in (key, "both")
            ]
        else:
            some = [sorted(rng.choice(n, rng.integers(1, 3)).tolist()) for _ in range(2)]
            options["terminals"] = tuple(sorted(set(side)) for side in some)
            sides = [(bits_of(set(some[0])), bits_of(set(some[1])))]
    elif name == "noodle":
        inclusive, k = bool(rng.random() < 0.5), Fraction(SIDES_OF_A_NODE[kind] - 2 if kind else 2)
        options["inclusive"] = inclusive
        if rng.random() < 0.3:
            k = Fraction(int(rng.integers(2, 7)), 2)
            options["K"] = float(k)
        rule = noodle(k, inclusive)
    elif name == "shatter":
        options["size"] = size = int(rng.integers(1, 4))
        rule = shatter(size)
    faces = [SIDES_OF_A_NODE[kind] if kind else len(near) for near in neighbours]
    priced = replace(topology, costs=np.array(numbers))
    board = np.array(opened).reshape(topology.lattice_shape() if kind else (1, n))
    games = Games(board, get_mode(name, **options), priced)
    exact = ExactGame([bits_of(near) for near in neighbours], costs, rule, sides, faces)
    for _ in range(int(rng.integers(0, 2))):
        if not games.done[0]:
            games.play(int(rng.choice(np.flatnonzero(games.legal[0]))))
    return games, exact


def check_case(seed: int) -> str:
    """Compare one position; return what was claimed."""
    games, exact = draw_case(np.random.default_rng(seed))
    opened, memory = bits_of(np.flatnonzero(games.status[0] % 3 > 0)), int(games.memory[0])
    (solution,) = solve(games, work=WORK)
    assert exact.plays_to_the_end(opened, memory, solution.moves), seed
    best, paid = exact.least(opened, memory), exact.cost(solution.moves)
    assert solution.value == pytest.approx(float(paid), rel=1e-15, abs=0), seed
    assert solution.bound <= float(best) * (1 + 1e-15), seed
    assert paid == best or not solution.proven, seed
    verdict = check_solution(solution, games, reprove=WORK)
    assert verdict, (seed, verdict.reason)
    assert verdict.verified <= float(best) * (1 + 1e-15), seed
    if solution.proven and paid > 0:
        boast = replace(solution, value=solution.value * 1.5, bound=solution.value * 1.5)
        assert not check_solution(boast, games), seed
    if games.mode.name == "flow" and len(exact.sides) == 1:
        moves = set(np.flatnonzero(optimal_squares(games)[0]).tolist())
        assert moves == exact.best_moves(opened, memory), seed
    return "proven" if solution.proven else "bound"


def count_proven(seeds: range) -> float:
    return float(np.mean([check_case(seed) == "proven" for seed in seeds]))


def test_no_claim_is_false() -> None:
    assert count_proven(range(1000, 1150)) > 0.9


@pytest.mark.full
def test_no_claim_of_very_many_is_false() -> None:
    assert count_proven(range(1_000, 11_000)) > 0.9
