"""Costs of nodes: the cheapest play in every mode, costs of any scale, and their common unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from small_positions import PATIENCE, random_graph

from pinchpoint import Games, from_edges, from_networkx, get_mode, lattice, solve
from pinchpoint.game.plans import plan_costs, plans_from_lists, polish
from pinchpoint.graph.costs import whole_costs
from pinchpoint.graph.topology import Topology
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import optimal_squares
from pinchpoint.solvers.solution import Solution


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


def test_costs_are_whole_numbers_of_a_unit() -> None:
    """Decimal numbers are what they are written as; of other numbers, every bit counts."""
    for costs, amounts, unit in (
        ([1, 1, 1], [1, 1, 1], 1),
        ([4, 6, 10], [2, 3, 5], 2),
        ([0.5, 2, 1.5], [1, 4, 3], Fraction(1, 2)),
        ([0.1, 0.2, 0.1 * 3], [1, 2, 3], Fraction(1, 10)),
        ([0.001, 1, 1], [1, 1000, 1000], Fraction(1, 1000)),
        ([1.0000005, 1, 1], [2000001, 2000000, 2000000], Fraction(1, 2000000)),
        ([4e-10, 6e-10, 10e-10], [2, 3, 5], Fraction(2, 10**10)),
        ([1e-6, 1e12, 0.5], [1, 10**18, 500000], Fraction(1, 10**6)),
        ([123456789, 123456790, 123456788], [123456789, 123456790, 123456788], 1),
        ([2.0**1000, 1, 3], [2**1000, 1, 3], 1),
    ):
        found = whole_costs(np.array(costs, dtype=np.float64))
        assert found.amounts.tolist() == amounts
        assert found.unit == unit
    odd = np.array([np.pi, 1e9 / 3, 1e-9])
    found = whole_costs(odd)
    assert [a * found.unit for a in found.amounts.tolist()] == [Fraction(c) for c in odd.tolist()]


def test_numbers_that_look_alike_are_not_proven() -> None:
    costs = whole_costs(np.array([1e12, 1e-6]))
    first, both = costs.of([0]), costs.of([0, 1])
    solution = Solution.of([0, 1], first, {}, 0.0, costs)
    assert not solution.proven
    assert solution.bound < solution.value == 1e12
    assert Solution.of([0, 1], both, {}, 0.0, costs).proven


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


@pytest.mark.parametrize(
    ("edges", "costs", "size", "plan"),
    [
        ([(0, 1), (0, 2), (1, 3), (2, 3)], [1000002, 1000003, 1000000, 2000003], 2, (0, 2)),
        (
            [(0, 1), (0, 5), (0, 6), (2, 3), (2, 4), (4, 5), (5, 6)],
            [1000, 1, 1e6, 1, 1e8, 1e8, 1000],
            1,
            (0, 3, 4, 6),
        ),
    ],
)
def test_costs_that_differ_in_the_last_of_many_digits(
    edges: list[tuple[int, int]], costs: list[float], size: int, plan: tuple[int, ...]
) -> None:
    solution, _ = shattered(nx.Graph(edges), np.array(costs), size)
    assert solution.proven
    assert solution.moves == plan


def test_a_clique_is_cut_down_at_once() -> None:
    costs = np.random.default_rng(1).integers(1, 100, 30).astype(np.float64)
    solution, _ = shattered(nx.complete_graph(30), costs, 4)
    assert solution.proven
    assert solution.value == np.sort(costs)[:26].sum()


def test_nodes_that_cost_far_less_than_others_are_counted_in_flow() -> None:
    star = replace(from_edges([(0, 1), (0, 2)]), costs=np.array([1e6, 0.001, 1e6]))
    games = Games(np.ones(3), get_mode("flow", terminals=([1], [2])), star)
    (solution,) = solve(games)
    assert solution.moves == (1,)
    assert solution.proven
    assert np.flatnonzero(optimal_squares(games)[0]).tolist() == [1]
