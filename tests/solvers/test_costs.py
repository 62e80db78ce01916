"""Costs of nodes in flow, network and noodle, and the unit that all costs are multiples of."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from small_positions import PATIENCE, random_graph

from chokepoint import Games, from_edges, get_mode, lattice, solve
from chokepoint.graph import Topology
from chokepoint.solvers import check_solution
from chokepoint.solvers.solution import round_up_cost


def weighted(topology: Topology, rng: np.random.Generator, scale: float = 1) -> Topology:
    return replace(topology, costs=rng.integers(1, 6, topology.n) * scale)


@pytest.mark.parametrize("scale", [1, 0.3])
def test_flow_with_costs_is_the_cheapest_cut(scale: float) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        topology = weighted(random_graph(rng, 14), rng, scale)
        n = topology.n
        if n < 3:
            continue
        mode = get_mode("flow", terminals=([0, 1], [n - 1]))
        games = Games(np.ones((1, n)), mode, topology)
        (solution,) = solve(games, PATIENCE)
        flow = nx.DiGraph()
        for v in range(n):
            flow.add_edge(("in", v), ("out", v), capacity=round(topology.costs[v] / scale))
        for a, b in topology.edges().tolist():
            flow.add_edge(("out", a), ("in", b))
            flow.add_edge(("out", b), ("in", a))
        for v in (0, 1):
            flow.add_edge("s", ("in", v))
        flow.add_edge(("out", n - 1), "t")
        assert solution.value == pytest.approx(nx.maximum_flow_value(flow, "s", "t") * scale)
        assert solution.proven
        assert check_solution(solution, games).verified == pytest.approx(solution.value)


def test_flow_on_a_lattice_with_costs_is_exact_too() -> None:
    rng = np.random.default_rng(3)
    games = Games(np.ones((1, 12)), "flow", weighted(lattice(3, 4), rng))
    (solution,) = solve(games, PATIENCE)
    assert solution.proven
    assert check_solution(solution, games).verified == solution.value


@pytest.mark.parametrize("name", ["network", "noodle"])
def test_search_minimises_costs_in_the_other_modes(name: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(2):
        games = Games(np.ones((1, 8)), name, weighted(lattice(2, 4), rng))
        (solution,) = solve(games, PATIENCE)
        assert solution.proven
        assert solution.value == all_games(games)
        assert check_solution(solution, games)


def all_games(games: Games) -> float:
    """The least cost of a game, by playing all of them."""
    best, level, seen = np.inf, [games], set()
    while level:
        following = []
        for game in level:
            if game.done[0]:
                best = min(best, float(game.scores[0]))
                continue
            for node in np.flatnonzero(game.legal[0]):
                after = game.copy()
                after.play(int(node))
                key = after.status.tobytes() + after.memory.tobytes()
                if key not in seen:
                    seen.add(key)
                    following.append(after)
        level = following
    return best


def test_bounds_are_multiples_of_what_nodes_cost() -> None:
    """A fraction that no set of nodes can cost is rounded up; odd costs are left alone."""
    plain = from_edges([(0, 1), (1, 2)])
    for costs, unit in (
        ([1, 1, 1], 1),
        ([4, 6, 10], 2),
        ([0.5, 2, 1.5], 0.5),
        ([0.001, 1, 1], 0.001),
        ([0.0001, 1, 1], None),
        ([np.pi, 1, 1], None),
        ([1e300, 1, 1], None),
    ):
        found = replace(plain, costs=np.array(costs, dtype=np.float64)).cost_unit
        assert found == (unit if unit is None else pytest.approx(unit))
    assert round_up_cost(10.499999, 0.5) == 10.5
    assert round_up_cost(10.500001, 0.5) == 10.5
    assert round_up_cost(10.51, 0.5) == 11.0
    assert round_up_cost(10.499999, None) == 10.499999
