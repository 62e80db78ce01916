"""The flow solver: against brute force, scipy's max-flow, and what optimal moves must do."""

from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from amounts import few_or_many
from oracles.brute import BruteForce
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow
from small_positions import PATIENCE, lattice_positions, play_a_little, play_out, random_graph

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.node_cuts import NodeCut
from pinchpoint.solvers.check.bounds import cheapest_tree
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import optimal_squares, solve
from pinchpoint.solvers.flow.grid_cuts import downward_paths

AXES = ("vertical", "horizontal", "both")


def agree_with_brute_force(games: Games) -> int:
    (solution,) = solve(games, PATIENCE)
    oracle = BruteForce(games)
    assert solution.value == solution.bound == oracle.fewest_moves(), games.status
    play_out(games, 0, solution.moves)
    found = set(np.flatnonzero(optimal_squares(games)[0]).tolist())
    assert found == oracle.optimal_first_moves(), games.status
    return solution.value


@few_or_many(300, 1000)
@pytest.mark.parametrize("axis", AXES)
def test_small_boards_have_value_and_optimal_moves_of_brute_force(axis, count):
    positions = lattice_positions(get_mode("flow", axis=axis), count, seed=AXES.index(axis))
    values = [agree_with_brute_force(games) for games in positions]
    assert max(values) >= 4
    assert min(values) == 0


@few_or_many(300, 1000)
def test_small_graphs_and_terminals_of_ones_own(count):
    rng = np.random.default_rng(4)
    values = []
    for number in range(count):
        graph = random_graph(rng, 12) if number % 2 else lattice(*rng.integers(1, 4, 2).tolist())
        sides = [rng.choice(graph.n, rng.integers(1, 1 + min(4, graph.n)), False) for _ in "AB"]
        mode = get_mode("flow", terminals=tuple(tuple(side.tolist()) for side in sides))
        opened = rng.random((1, graph.n)) < 0.9
        values.append(agree_with_brute_force(play_a_little(Games(opened, mode, graph), rng)))
    assert max(values) >= 4


def max_flow(active: np.ndarray) -> int:
    """Top to bottom by scipy: every square an arc of capacity 1 from its entry to its exit."""
    height, width = active.shape
    n = active.size
    square = np.arange(n).reshape(height, width)
    arcs = [(square[active], square[active] + n, 1)]
    for a, b in ((square[:-1], square[1:]), (square[:, :-1], square[:, 1:])):
        both = active.ravel()[a] & active.ravel()[b]
        arcs += [(a[both] + n, b[both], n), (b[both] + n, a[both], n)]
    top, bottom = square[0][active[0]], square[-1][active[-1]]
    arcs += [(np.full(len(top), 2 * n), top, n), (bottom + n, np.full(len(bottom), 2 * n + 1), n)]
    tail, head = (np.concatenate([arc[k] for arc in arcs]) for k in (0, 1))
    room = np.concatenate([np.full(len(arc[0]), arc[2]) for arc in arcs]).astype(np.int32)
    network = csr_matrix((room, (tail, head)), shape=(2 * n + 2, 2 * n + 2))
    return maximum_flow(network, 2 * n, 2 * n + 1).flow_value


@few_or_many(300, 1000)
def test_larger_boards_have_the_max_flow_of_scipy(count):
    rng = np.random.default_rng(5)
    seen = set()
    for number in range(count):
        height, width = rng.integers(9, 31, 2)
        board = rng.random((height, width)) < rng.uniform(0.55, 1.0)
        axis = AXES[number % 2]
        (solution,) = solve(Games(board, get_mode("flow", axis=axis)), PATIENCE)
        assert solution.value == max_flow(board if axis == "vertical" else board.T)
        seen.add(solution.value)
    assert len(seen) > 15


def test_lattice_and_graph_solvers_agree_and_so_do_their_optimal_moves():
    rng = np.random.default_rng(6)
    for _ in range(60):
        height, width = (int(side) for side in rng.integers(5, 16, 2))
        board = rng.random((height, width)) < rng.uniform(0.6, 1.0)
        rows = (tuple(range(width)), tuple(range((height - 1) * width, height * width)))
        by_curve = Games(board, "flow")
        by_paths = Games(board, get_mode("flow", terminals=rows))
        assert solve(by_curve)[0].value == solve(by_paths, PATIENCE)[0].value
        assert np.array_equal(optimal_squares(by_curve), optimal_squares(by_paths))


def test_axis_both_is_a_cheapest_tree():
    rng = np.random.default_rng(7)
    more = 0
    for _ in range(60):
        board = rng.random(rng.integers(1, 13, 2)) < rng.uniform(0.6, 1.0)
        games = Games(board, get_mode("flow", axis="both"))
        (solution,) = solve(games)
        play_out(games, 0, solution.moves)
        assert solution.value == cheapest_tree(games.status[0].reshape(board.shape) == 1)
        single = [solve(Games(board, get_mode("flow", axis=axis)))[0].value for axis in AXES[:2]]
        assert max(single) <= solution.value <= sum(single)
        more += solution.value > max(single)
    assert more > 5


@pytest.mark.parametrize("axis", AXES)
def test_optimal_moves_lower_par_by_one_and_no_others_do(axis):
    rng = np.random.default_rng(8)
    for _ in range(12):
        board = rng.random((11, 13)) < rng.uniform(0.6, 1.0)
        games = play_a_little(Games(board, get_mode("flow", axis=axis)), rng, 5)
        if games.done[0]:
            continue
        value = solve(games)[0].value
        squares = np.flatnonzero(games.legal[0])
        after = games.take(np.zeros(len(squares), dtype=int))
        after.play(squares)
        lowered = [solution.value == value - 1 for solution in solve(after)]
        assert lowered == optimal_squares(games)[0][squares].tolist()
        assert all(solution.value >= value - 1 for solution in solve(after))


def test_full_boards():
    assert solve(Games(np.ones((20, 20)), "flow"))[0].value == 20
    assert solve(Games(np.ones((7, 12)), "flow"))[0].value == 12
    assert solve(Games(np.ones((7, 12)), get_mode("flow", axis="horizontal")))[0].value == 7
    assert solve(Games(np.ones((7, 12)), get_mode("flow", axis="both")))[0].value == 12
    assert solve(Games(np.ones((1, 6)), "flow"))[0].value == 6
    assert solve(Games(np.ones((6, 1)), "flow"))[0].value == 1


def test_as_many_disjoint_paths_as_squares_in_the_cut_on_a_large_board():
    board = np.random.default_rng(9).random((250, 300)) < 0.75
    games = Games(board, "flow")
    (solution,) = solve(games)
    assert len(downward_paths(games.status[0].reshape(board.shape) == 1)) == solution.value
    play_out(games, 0, solution.moves)


def test_a_batch_has_the_answers_of_its_games():
    boards = np.random.default_rng(10).random((50, 8, 9)) < 0.75
    games = Games(boards, "flow")
    together = [solution.moves for solution in solve(games)]
    assert together == [solve(games.take([row]))[0].moves for row in range(50)]
    assert optimal_squares(games.take([])).shape == (0, 72)


def test_no_time_is_enough_for_a_cut_of_a_graph():
    rows = (tuple(range(9)), tuple(range(72, 81)))
    games = Games(np.ones((9, 9)), get_mode("flow", terminals=rows))
    (solution,) = solve(games, time_limit=0)
    play_out(games, 0, solution.moves)
    assert solution.bound == solution.value == 9
    assert check_solution(solution, games)


def cheapest_cuts(graph, active, first, last, costs) -> tuple[int, list[set[int]]]:
    """All cheapest sets of active nodes without which no path leads from first to last."""
    best, found = int(costs.sum()) + 1, []
    whole = nx.empty_graph(graph.n)
    whole.add_edges_from(graph.edges().tolist())
    nodes = np.flatnonzero(active).tolist()
    for size in range(len(nodes) + 1):
        for cut in combinations(nodes, size):
            price = int(costs[list(cut)].sum())
            left = whole.subgraph(set(nodes) - set(cut))
            ends = [set(np.flatnonzero(side)) & set(left) for side in (first, last)]
            joined = any(
                piece & ends[0] and piece & ends[1] for piece in nx.connected_components(left)
            )
            if not joined and price <= best:
                found = [*(found if price == best else []), set(cut)]
                best = price
    return best, found


def test_node_cuts_with_costs_are_the_cheapest_of_all():
    rng = np.random.default_rng(11)
    several = 0
    for _ in range(150):
        graph = random_graph(rng, 8)
        active = rng.random(graph.n) < 0.9
        first, last = rng.random((2, graph.n)) < 0.3
        costs = rng.integers(1, 3, graph.n).astype(np.int32)
        value, cuts = cheapest_cuts(graph, active, first, last, costs)
        found = NodeCut(graph.indptr, graph.indices, active, first, last, costs)
        assert found.amount == value
        assert set(found.nodes().tolist()) in cuts
        assert set(np.flatnonzero(found.on_some_cut()).tolist()) == set().union(*cuts)
        several += len(cuts) > 1
        used = np.zeros(graph.n, dtype=int)
        paths, amounts = found.paths()
        for path, amount in zip(paths, amounts, strict=True):
            assert first[path[0]]
            assert last[path[-1]]
            assert all(b in graph.neighbours(a) for a, b in pairwise(path))
            used[path] += amount
        assert sum(amounts) == value
        assert (used <= costs * active).all()
    assert several > 10


def test_flow_is_exact_where_costs_have_more_bits_than_one_flow() -> None:
    """Shifted left, with a small number added, costs have the cuts that the two have in order."""
    rng = np.random.default_rng(12)
    for bits in (20, 40, 90):
        for _ in range(40):
            graph = random_graph(rng, 8)
            active = rng.random(graph.n) < 0.9
            first, last = rng.random((2, graph.n)) < 0.3
            costs = np.array(
                [(int(c) << bits) + int(d) for c, d in rng.integers(1, 4, (graph.n, 2))]
            )
            value, cuts = cheapest_cuts(graph, active, first, last, costs)
            found = NodeCut(graph.indptr, graph.indices, active, first, last, costs)
            assert found.amount == sum(found.paths()[1]) == value
            assert set(found.nodes().tolist()) in cuts
            assert set(np.flatnonzero(found.on_some_cut()).tolist()) == set().union(*cuts)
            rough = NodeCut(
                graph.indptr, graph.indices, active, first, last, costs, goes_on=lambda: False
            )
            assert rough.amount <= value <= int(costs[rough.nodes()].sum())
