"""The noodle solver: against brute force, and integer programming on larger boards."""

import networkx as nx
import numpy as np
import pytest
from amounts import few_or_many
from oracles.brute import fewest_moves
from small_positions import PATIENCE, lattice_positions, play_a_little, play_out, random_graph

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.check.checker import check_solution
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.noodle.cycle_packing import best_packing, even_packing
from pinchpoint.solvers.noodle.cycle_sweep import CycleSweep, narrow_order
from pinchpoint.solvers.noodle.decycle import decycle, find_cores, greedy
from pinchpoint.solvers.noodle.solve import counting_bound, counts_cycles
from pinchpoint.solvers.solution import round_up


def agree_with_brute_force(games: Games) -> int:
    (solution,) = solve(games, PATIENCE)
    assert solution.value == solution.bound == fewest_moves(games), games.status
    assert counting_bound(games, 0) <= solution.value
    play_out(games, 0, solution.moves)
    return solution.value


@few_or_many(400, 1000)
@pytest.mark.parametrize("inclusive", [False, True])
def test_small_boards_have_the_value_of_brute_force(inclusive, count):
    mode = get_mode("noodle", inclusive=inclusive)
    values = [agree_with_brute_force(games) for games in lattice_positions(mode, count, seed=1)]
    assert max(values) >= 3


@few_or_many(250, 1000)
@pytest.mark.parametrize(
    ("K", "inclusive"), [(1.5, False), (1.75, True), (2.2, False), (2.5, True)]
)
def test_other_ratios_are_solved_by_search(K, inclusive, count):
    mode = get_mode("noodle", K=K, inclusive=inclusive)
    values = [agree_with_brute_force(games) for games in lattice_positions(mode, count, seed=2)]
    assert max(values) >= 2


@few_or_many(25, 60)
@pytest.mark.parametrize(("K", "inclusive"), [(3.0, True), (4.0, True), (4.0, False), (9.0, False)])
def test_ratios_at_which_pieces_must_be_tiny(K, inclusive, count):
    mode = get_mode("noodle", K=K, inclusive=inclusive)
    for games in lattice_positions(mode, count, seed=3, most_open=8):
        value = agree_with_brute_force(games)
        if K > 3 and not inclusive:
            assert value == games.legal[0].sum()  # no piece is ever inactive


@few_or_many(100, 300)
@pytest.mark.parametrize("inclusive", [False, True])
def test_regular_graphs_are_solved_exactly(inclusive, count):
    values = []
    for seed in range(count):
        degree = 3 + seed % 2
        graph = nx.random_regular_graph(degree, 8 if seed % 3 else 10, seed=seed)
        topology = from_networkx(graph, extra_faces=seed % 2)
        mode = get_mode("noodle", K=degree + seed % 2 - 2, inclusive=inclusive)
        rng = np.random.default_rng(seed)
        games = Games(rng.random((1, topology.n)) < 0.95, mode, topology)
        assert counts_cycles(games, 0)
        values.append(agree_with_brute_force(play_a_little(games, rng)))
    assert max(values) >= 4


@few_or_many(150, 400)
def test_other_graphs_are_solved_by_search(count):
    rng = np.random.default_rng(5)
    for _ in range(count):
        graph = random_graph(rng, 9, extra_faces=int(rng.integers(0, 3)))
        mode = get_mode("noodle", K=float(rng.choice([0.5, 1.0, 1.5, 2.0])))
        agree_with_brute_force(play_a_little(Games(np.ones((1, graph.n)), mode, graph), rng))


@pytest.mark.parametrize("inclusive", [False, True])
def test_larger_boards_have_the_optimum_of_integer_programming(inclusive):
    mode = get_mode("noodle", inclusive=inclusive)
    games = Games(sample_boards(mode, size=10, p=(0.55, 0.8), count=8, seed=6), mode)
    for row, solution in enumerate(solve(games, PATIENCE)):
        assert solution.proven
        play_out(games, row, solution.moves)
        verdict = check_solution(solution, games, row, reprove=PATIENCE)
        assert verdict.ok
        assert verdict.verified == solution.value


def test_full_boards():
    """A full lattice needs at least (h − 1)(w − 1) / 3 removals for each cycle (inclusive), and
    one third more for the last; both are met here."""
    assert solve(Games(np.ones((10, 10)), "noodle"), PATIENCE)[0].value == 28
    inclusive = get_mode("noodle", inclusive=True)
    assert solve(Games(np.ones((10, 10)), inclusive), PATIENCE)[0].value == 27


def test_every_density_of_ten_by_ten_is_proven():
    for p in (0.6, 0.7, 0.8, 0.9, 1.0):
        games = Games(sample_boards("noodle", size=10, p=p, count=3, seed=7), "noodle")
        for row, solution in enumerate(solve(games, PATIENCE)):
            assert solution.proven
            play_out(games, row, solution.moves)


def cores_of_boards(count: int, inclusive: bool, size: int = 7):
    rng = np.random.default_rng(8)
    board = lattice(size, size)
    while count:
        opened = rng.random(board.n) < rng.uniform(0.6, 1.0)
        for core in find_cores(board.indptr, board.indices, opened, inclusive):
            count = max(count - 1, 0)
            yield core


def leaves_allowed_cycles(core, removed, inclusive: bool) -> bool:
    graph = nx.Graph(core.edges.tolist())
    graph.remove_nodes_from(removed)
    pieces = (graph.subgraph(nodes) for nodes in nx.connected_components(graph))
    return all(g.number_of_edges() < len(g) + (1 if inclusive else 0) for g in pieces)


@pytest.mark.parametrize("inclusive", [False, True])
def test_packings_and_narrow_sweeps_never_claim_more_than_the_optimum(inclusive):
    gaps = 0
    for core in cores_of_boards(60, inclusive):
        n, order = len(core.nodes), narrow_order(core)
        best = decycle(core, inclusive, Budget())
        assert best.bound == len(best.removed)
        start = greedy(core, inclusive)
        assert leaves_allowed_cycles(core, start, inclusive)
        assert len(start) >= best.bound
        packing = best_packing(n, core.edges, order, not inclusive, Budget())
        assert round_up(packing.bound) <= best.bound
        assert even_packing(n, core.edges).bound <= packing.bound + 1e-6
        sweep = CycleSweep(core.indptr, core.indices, order, packing, inclusive)
        for width in (1, 4, 1 << 16):
            found, lost = sweep.run(width, n + 1, Budget())
            if found is not None:
                assert leaves_allowed_cycles(core, found, inclusive)
                assert len(found) >= best.bound
            assert round_up(min(lost, n)) <= best.bound or len(found or []) == best.bound
            gaps += lost < best.bound
    assert gaps > 0


@pytest.mark.parametrize("size", [20, 60])
def test_no_time_still_gives_a_plan_and_a_true_bound(size):
    games = Games(sample_boards("noodle", size=size, p=0.8, count=2, seed=9), "noodle")
    for row, solution in enumerate(solve(games, time_limit=0)):
        play_out(games, row, solution.moves)
        assert 1 <= solution.bound < solution.value
        assert solution.value < 2 * solution.bound


def test_no_time_by_search():
    mode = get_mode("noodle", K=2.3)
    games = Games(sample_boards(mode, size=15, p=0.8, count=2, seed=9), mode)
    for row, solution in enumerate(solve(games, time_limit=0)):
        play_out(games, row, solution.moves)
        assert 1 <= solution.bound <= solution.value
