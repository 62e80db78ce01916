"""Costs of nodes: the cheapest play in every mode, costs of any scale, and their common unit."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from small_positions import PATIENCE, random_graph

from pinchpoint import Games, from_edges, from_networkx, get_mode, lattice, solve
from pinchpoint.game.plans import plan_costs, plans_from_lists, polish
from pinchpoint.graph.costs import whole_prices
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.solution import Solution, round_up_cost


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
        ([0.0001, 1, 1], 0.0001),
        ([1.0000005, 1, 1], None),
        ([np.pi, 1, 1], None),
        ([np.pi * 1e-9, 1e-9, 1e-9], None),
        ([4e-10, 6e-10, 10e-10], 2e-10),
        ([1.25e9, 1e9, 5e9], 2.5e8),
        ([123456789, 123456790, 123456788], 1),
        ([1e300, 1, 1], None),
    ):
        found = replace(plain, costs=np.array(costs, dtype=np.float64)).cost_unit
        assert found == (unit if unit is None else pytest.approx(unit, rel=1e-9, abs=0))
    assert round_up_cost(10.499999, 0.5) == 10.5
    assert round_up_cost(10.500001, 0.5) == 10.5
    assert round_up_cost(10.51, 0.5) == 11.0
    assert round_up_cost(10.499999, None) == 10.499999


def test_costs_become_whole_numbers() -> None:
    """Prices are exact where they fit in 32 bits; otherwise they are rounded down."""
    for costs, wanted in (
        ([1e6, 3e6, 2e6], [1, 3, 2]),
        ([2e9, 3e9, 4e9], [2, 3, 4]),
        ([0.3, 0.5, 1e-3], [300, 500, 1]),
        ([3e-9, 5e-9, 1e-9], [3, 5, 1]),
        ([7, 8, 9], [7, 8, 9]),
    ):
        prices, unit = whole_prices(np.array(costs, dtype=np.float64))
        assert prices.tolist() == wanted
        assert prices * unit == pytest.approx(costs, rel=1e-9, abs=0)
    for scale in (1e-9, 1, 1e9):
        costs = np.array([np.pi, 1e9, 1e9 + 1]) * scale
        prices, unit = whole_prices(costs)
        assert (prices * unit <= costs).all()
        assert prices * unit == pytest.approx(costs, abs=4 * scale)


@pytest.mark.parametrize("cost", [1e6, 1e9, 1e-9])
def test_flow_is_exact_whatever_nodes_cost(cost: float) -> None:
    plain = lattice(4, 5, periodic="columns")
    (wanted,) = solve(Games(np.ones((1, 20)), "flow", plain), PATIENCE)
    games = Games(np.ones((1, 20)), "flow", replace(plain, costs=np.full(20, cost)))
    (solution,) = solve(games, PATIENCE)
    assert solution.proven
    assert solution.moves == wanted.moves
    assert solution.value == pytest.approx(wanted.value * cost, rel=1e-9, abs=0)
    assert check_solution(solution, games).verified == pytest.approx(
        solution.value, rel=1e-9, abs=0
    )


def shattered(graph: nx.Graph, costs: np.ndarray, size: int) -> tuple[Solution, Games]:
    topology = replace(from_networkx(graph), costs=costs)
    games = Games(np.ones(topology.n), get_mode("shatter", size=size), topology)
    (solution,) = solve(games, PATIENCE)
    assert check_solution(solution, games)
    return solution, games


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("graph", "size"),
    [
        (nx.gnm_random_graph(20, 34, seed=8), 3),
        (nx.grid_2d_graph(5, 6), 1),  # a cover
        (nx.random_labeled_tree(30, seed=1), 3),
    ],
)
def test_the_scale_of_costs_changes_nothing_in_shatter(
    graph: nx.Graph, size: int, whole: bool
) -> None:
    rng = np.random.default_rng(6)
    costs = rng.integers(100, 900, len(graph)) if whole else rng.uniform(1, 9, len(graph))
    plain, _ = shattered(graph, costs.astype(np.float64), size)
    for k in range(-9, 10, 3):
        scaled, _ = shattered(graph, costs * 10.0**k, size)
        assert (scaled.moves, scaled.proven) == (plain.moves, plain.proven)
        for found, wanted in ((scaled.value, plain.value), (scaled.bound, plain.bound)):
            assert found == pytest.approx(wanted * 10.0**k, rel=1e-9, abs=0)


def test_nodes_that_cost_next_to_nothing_are_counted() -> None:
    graph = nx.gnm_random_graph(20, 34, seed=8)
    fewest, _ = shattered(graph, np.ones(20), 3)
    solution, _ = shattered(graph, np.full(20, 1e-10), 3)
    assert solution.proven
    assert solution.value == pytest.approx(fewest.value * 1e-10, rel=1e-9, abs=0)


def test_a_node_that_must_stay_does_not_blur_the_costs_of_the_others() -> None:
    graph = nx.gnm_random_graph(20, 34, seed=8)
    costs = np.random.default_rng(6).uniform(1, 9, 20)
    answers = []
    for dear in (1e4, 1e12):
        costs[12] = dear
        answers.append(shattered(graph, costs, 3)[0])
    assert answers[0].proven
    assert answers[0].moves == answers[1].moves
    assert answers[0].bound == answers[1].bound


def test_false_packings_of_small_costs_are_found_out() -> None:
    solution, games = shattered(nx.grid_2d_graph(4, 4), np.full(16, 1e-8), 1)
    sets = solution.certificate["sets"]
    for wrong in ([*sets, sets[0]], [[[0, 1], 2e-8]]):
        cheat = replace(solution, certificate={**solution.certificate, "sets": wrong})
        assert not check_solution(cheat, games)
    assert not check_solution(replace(solution, value=9e-8, bound=9e-8), games)


def test_polished_plans_of_small_costs_never_get_dearer() -> None:
    """A plan may change for one that costs the same, and not for one that costs a little more."""
    costs = np.random.default_rng(1).uniform(1, 9, 64) * 1e-10
    games = Games(np.ones(64), get_mode("shatter", size=8), replace(lattice(8, 8), costs=costs))
    (solution,) = solve(games, work=0.5)
    plans = plans_from_lists([solution.moves])
    polished = polish(games, plans, 300, np.random.default_rng(1))
    assert plan_costs(polished, games.topology)[0] <= solution.value * (1 + 1e-9)
