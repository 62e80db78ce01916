"""Shatter: brute force, the theorem of Kőnig, trees, costs, and certificates that hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import networkx as nx
import numpy as np
import pytest
from oracles.brute import fewest_moves
from small_positions import PATIENCE, lattice_positions, play_a_little, play_out, random_graph

from pinchpoint import Games, InputError, from_edges, from_networkx, get_mode, solve
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.costs import whole_costs
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.shatter.trees import cheapest_cuts

SIZES = (1, 2, 4)


def cheapest(games: Games) -> float:
    """The least cost of a set of nodes that leaves small pieces, by trying all sets."""
    graph = nx.Graph()
    graph.add_nodes_from(np.flatnonzero(games.status[0] % 3 > 0).tolist())
    edges = games.topology.edges()
    graph.add_edges_from((a, b) for a, b in edges.tolist() if a in graph and b in graph)
    nodes, best = list(graph), np.inf
    for chosen in product((False, True), repeat=len(nodes)):
        gone = [v for v, goes in zip(nodes, chosen, strict=True) if goes]
        cost = float(games.topology.costs[gone].sum())
        left = graph.subgraph(set(nodes) - set(gone))
        if cost < best and all(len(c) <= games.memory[0] for c in nx.connected_components(left)):
            best = cost
    return best


@pytest.mark.parametrize("size", SIZES)
def test_small_positions_have_the_value_of_brute_force(size: int) -> None:
    mode, rng = get_mode("shatter", size=size), np.random.default_rng(size)
    graphs = (random_graph(rng, 12) for _ in range(15))
    some = (play_a_little(Games(np.ones((1, t.n)), mode, t), rng) for t in graphs)
    for games in (*lattice_positions(mode, 15, seed=size), *some):
        (solution,) = solve(games, PATIENCE)
        assert solution.value == solution.bound == fewest_moves(games)
        play_out(games, 0, solution.moves)
        verdict = check_solution(solution, games, reprove=PATIENCE)
        assert verdict, verdict.reason


@pytest.mark.parametrize("whole", [True, False])
def test_costs_are_the_least_of_all_sets(whole: bool) -> None:
    rng = np.random.default_rng(4)
    for size in (1, 2, 3):
        for _ in range(8):
            plain = random_graph(rng, 9)
            costs = rng.integers(1, 9, plain.n) / (1 if whole else 4)
            games = Games(
                np.ones((1, plain.n)), get_mode("shatter", size=size), replace(plain, costs=costs)
            )
            (solution,) = solve(games, PATIENCE)
            assert solution.proven
            assert solution.value == pytest.approx(cheapest(games))
            assert isinstance(solution.value, int) or not whole
            assert check_solution(solution, games, reprove=PATIENCE)


def test_a_cover_of_a_lattice_is_a_maximum_matching() -> None:
    for seed in range(5):
        board = np.random.default_rng(seed).random((20, 20)) < 0.7
        games = Games(board, get_mode("shatter", size=1))
        (solution,) = solve(games, PATIENCE)
        graph = nx.grid_2d_graph(20, 20).subgraph(tuple(s) for s in np.argwhere(board).tolist())
        assert solution.proven
        assert solution.value == len(nx.max_weight_matching(graph, maxcardinality=True))
        verdict = check_solution(solution, games)
        assert verdict.verified == solution.value  # the certificate alone shows it


def test_a_cover_has_no_node_to_spare_where_costs_are_rounded() -> None:
    """Node 3 costs so little that it is rounded to 0, and its neighbours have to go anyway."""
    square = from_edges([(0, 1), (0, 2), (3, 1), (3, 2)])
    costs = np.array([31.4159265358979, 1.1, 1.1, 1e-8])
    games = Games(np.ones(4), get_mode("shatter", size=1), replace(square, costs=costs))
    (solution,) = solve(games, PATIENCE)
    assert solution.moves == (1, 2)
    assert 2.19 < solution.bound <= solution.value
    assert check_solution(solution, games)


def tree_value(tree: nx.Graph, size: int) -> int:
    """Cut greedily from the leaves: a node goes when too much hangs on it."""
    weight, cuts = {}, 0
    for v in nx.dfs_postorder_nodes(tree, 0):
        weight[v] = 1 + sum(weight[u] for u in tree[v] if u in weight)
        if weight[v] > size:
            weight[v] = 0
            cuts += 1
    return cuts


@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_trees_are_solved_exactly(size: int) -> None:
    for seed in range(4):
        tree = nx.random_labeled_tree(150, seed=seed)
        t = from_networkx(tree)
        games = Games(np.ones(150), get_mode("shatter", size=size), t)
        (solution,) = solve(games, 0)
        assert solution.proven
        assert solution.value == tree_value(tree, size)
        play_out(games, 0, solution.moves)
        assert len(solution.certificate["sets"]) == solution.value
        assert check_solution(solution, games).verified == solution.value
        part = subgraph(t.indptr, t.indices, np.arange(t.n))
        cuts = cheapest_cuts(part, t.whole_costs, size, Budget(0.0))
        assert cuts is not None
        assert len(cuts) == solution.value


def test_a_long_path_is_solved_at_once() -> None:
    """It takes less than a second; a loop over the longer of two tables takes over a minute."""
    path = from_edges([(v, v + 1) for v in range(9999)])
    games = Games(np.ones(path.n), get_mode("shatter", size=2000), path)
    (solution,) = solve(games, 0.2)
    assert solution.value == solution.bound == 10000 // 2001
    part = subgraph(path.indptr, path.indices, np.arange(path.n))
    cuts = cheapest_cuts(part, path.whole_costs, 2000, Budget(PATIENCE))
    assert cuts is not None
    assert len(cuts) == solution.value


def test_tables_of_trees_end_with_the_budget() -> None:
    path = from_edges([(v, v + 1) for v in range(4999)])
    costs = 1.0 + np.arange(path.n) % 3
    part = subgraph(path.indptr, path.indices, np.arange(path.n))
    assert cheapest_cuts(part, whole_costs(costs), 1000, Budget(0.0)) is None
    games = Games(np.ones(path.n), get_mode("shatter", size=1000), replace(path, costs=costs))
    (solution,) = solve(games, 0.0)
    assert solution.bound <= 5 <= solution.value  # five nodes of cost 1 are enough
    play_out(games, 0, solution.moves)


def test_a_large_graph_has_a_plan_and_a_bound_in_time() -> None:
    mode = get_mode("shatter", share=0.01)
    small, graph = (nx.barabasi_albert_graph(n, 2, seed=1) for n in (500, 3000))
    solve(Games(np.ones(500), mode, from_networkx(small)), 0.5)  # compiles what is not yet
    games = Games(np.ones(3000), mode, from_networkx(graph))
    (solution,) = solve(games, 0.5)
    assert solution.seconds < 20 * 0.5
    play_out(games, 0, solution.moves)
    assert 0 < solution.bound <= solution.value < 1000
    assert check_solution(solution, games)


def test_false_packings_are_found_out() -> None:
    games = Games(np.ones((4, 4)), get_mode("shatter", size=1))
    (solution,) = solve(games, PATIENCE)
    sets = solution.certificate["sets"]
    for wrong in ([*sets, sets[0]], [[[0, 2], 1.0]], [[[0], 1.0]], [[[0, 1], 2.0]]):
        cheat = replace(solution, certificate={**solution.certificate, "sets": wrong})
        assert not check_solution(cheat, games)
    assert not check_solution(replace(solution, certificate={"kind": "shatter", "limit": 2}), games)
    assert not check_solution(replace(solution, value=9, bound=8), games)


def test_share_is_the_number_as_written() -> None:
    mode = get_mode("shatter", share=0.29)
    assert Games(np.ones((10, 10)), mode).memory.tolist() == [29]
    assert Games(np.ones((1, 3)), mode).memory.tolist() == [1]
    assert Games(np.ones((10, 10)), "shatter").memory.tolist() == [10]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "whole number from 1"),
        ({"size": 2.5}, "whole number from 1"),
        ({"share": 0}, "above 0 and up to 1"),
        ({"share": 1.5}, "above 0 and up to 1"),
        ({"share": "x"}, "above 0 and up to 1"),
        ({"share": 0.2, "size": 3}, "not both"),
    ],
)
def test_bad_options_are_one_sentence(options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        get_mode("shatter", **options)


def test_costs_must_be_above_zero() -> None:
    for cost in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="greater than 0"):
            replace(from_edges([(0, 1)]), costs=np.array([1.0, cost]))
