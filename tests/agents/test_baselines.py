"""What every agent must do, on every mode and on graphs; and what each baseline claims to be."""

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

from pinchpoint.agents.greedy import highest
from pinchpoint.agents.registry import (
    AGENTS,
    Agent,
    get_agent,
    play_out,
)
from pinchpoint.agents.straight import lattice_lines
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Component, Mode
from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.modes.network import Network
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.modes.table import mode_from_function
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.readers import from_networkx

# Agents that need something to be named by; those left empty have tests of their own.
EXAMPLES: dict[str, list[str]] = {
    "ci": ["ci", "ci:3"],
    "betweenness": ["betweenness", "betweenness:8:2"],
    "optimal": ["optimal:2"],
    "prune": ["prune:random", "prune:betweenness"],
    "human": [],
    "search": [],
}
UNTRAINED = [name for name, entry in AGENTS.items() if not entry.factory.startswith("learned:")]
SPECS = [spec for name in UNTRAINED for spec in EXAMPLES.get(name, [name])]


def large(component: Component) -> bool:
    """A piece is active while it has more than six squares."""
    return component.size > 6


Custom = mode_from_function(large)
KARATE = from_networkx(nx.karate_club_graph())
CAGE = from_networkx(nx.heawood_graph(), extra_faces=1)  # as many faces as squares have
TREE = from_networkx(nx.balanced_tree(3, 3))


def boards(mode: Mode, size: tuple[int, int] = (7, 6), count: int = 6, p: float = 0.8) -> Games:
    return Games(sample_boards(mode, size, p, count, seed=5), mode)


def graph_games(topology, mode: Mode) -> Games:
    opened = np.ones((3, topology.n), dtype=np.uint8)
    opened[1, ::7] = 0
    opened[2, 1::5] = 0
    return Games(opened, mode, topology)


SETTINGS: dict[str, Callable[[], Games]] = {
    "network": lambda: boards(Network()),
    "network, full": lambda: boards(Network(), (6, 6), 1, 1.0),
    "flow": lambda: boards(Flow()),
    "flow, both": lambda: boards(Flow(axis="both")),
    "noodle": lambda: boards(Noodle()),
    "noodle, inclusive": lambda: boards(Noodle(inclusive=True)),
    "noodle, K = 2.5": lambda: boards(Noodle(K=2.5), (4, 5), 3),
    "one row": lambda: boards(Network(), (1, 9), 2, 0.9),
    "graph, network": lambda: graph_games(KARATE, Network()),
    "graph, flow": lambda: graph_games(KARATE, Flow(terminals=((0, 1), (32, 33)))),
    "graph, noodle": lambda: graph_games(CAGE, Noodle()),
    "tree, network": lambda: graph_games(TREE, Network()),
}


def play(spec: str, games: Games) -> list[list[int]]:
    agent = get_agent(spec, seed=3)
    play_out(agent, games)
    assert games.done.all()
    return [games.history(row) for row in range(len(games))]


NEEDS_GRID = ("curves",)  # agents for the square lattice alone


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_finishes_the_same_alone_and_in_a_batch(spec: str, setting: str) -> None:
    if spec in NEEDS_GRID and SETTINGS[setting]().topology.grid is None:
        with pytest.raises(InputError):
            play(spec, SETTINGS[setting]())
        return
    together = play(spec, SETTINGS[setting]())  # the engine raises on an illegal move
    again = play(spec, SETTINGS[setting]())
    alone = [play(spec, SETTINGS[setting]().take([row]))[0] for row in range(len(together))]
    assert together == again == alone


@pytest.mark.parametrize("spec", SPECS)
def test_makes_no_move_when_the_game_is_over(spec: str) -> None:
    games = boards(Flow(), count=3)
    finished = Games(np.zeros((2, 4, 4), dtype=np.uint8), "flow")
    assert get_agent(spec).act(finished).tolist() == [-1, -1]
    assert get_agent(spec).act(games.take([])).shape == (0,)
    mixed = Games(np.stack([np.zeros((4, 4), int), np.ones((4, 4), int)]), "flow")
    squares = get_agent(spec).act(mixed)
    assert squares[0] == -1
    assert mixed.legal[1, squares[1]]


@pytest.mark.parametrize("spec", SPECS)
def test_does_not_touch_the_games(spec: str) -> None:
    games = boards(Network())
    before = games.status.copy(), games.memory.copy(), games.move_counts.copy()
    get_agent(spec).act(games)
    for old, new in zip(before, (games.status, games.memory, games.move_counts), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("spec", ["optimal:2", "prune:greedy", "spectral", "straight"])
def test_plans_anew_after_somebody_elses_move(spec: str) -> None:
    agent: Agent = get_agent(spec)
    games = boards(Noodle(), count=3)
    agent.act(games)
    for game in range(len(games)):
        other = np.full(len(games), -1)
        other[game] = np.flatnonzero(games.legal[game])[-1]
        games.play(other)
    play_out(agent, games)
    assert games.done.all()


# -- each one by itself -----------------------------------------------------------------------


def first_move(spec: str, games: Games) -> int:
    return int(get_agent(spec).act(games)[0])


def test_ties_go_to_the_lowest_index() -> None:
    scores = np.array([[1.0, 3.0, 3.0 * (1 + 1e-13), 9.0], [0, 0, 0, 0], [-5.0, -5.0, 0, 0]])
    legal = np.array([[1, 1, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0]], dtype=bool)
    assert highest(scores, legal).tolist() == [1, -1, 0]


def test_star_and_bridge() -> None:
    """Two cliques joined through one node: all who look for bottlenecks take that node."""
    bridge = from_networkx(nx.barbell_graph(5, 1))
    assert bridge.names is not None
    games = Games(np.ones(bridge.n, int), "network", bridge)
    for spec in ("betweenness", "articulation", "greedy", "optimal"):
        assert bridge.names[first_move(spec, games)] == 5, spec
    assert bridge.names[first_move("spectral", games)] in (4, 5, 6)  # one edge of the two
    star = from_networkx(nx.star_graph(6))
    for spec in ("degree", "betweenness", "corehd", "greedy", "articulation"):
        assert first_move(spec, Games(np.ones(7, int), "network", star)) == 0, spec


def test_greedy_is_the_largest_drop_of_all_moves() -> None:
    for mode in (Network(), Flow(), Flow(axis="both"), Noodle(), Noodle(inclusive=True), Custom()):
        games = boards(mode, count=4, p=0.75)
        while not games.done.all():
            squares = get_agent("greedy").act(games)
            for row in np.flatnonzero(~games.done):
                left = {}
                for square in np.flatnonzero(games.legal[row]):
                    trial = games.take([row])
                    trial.play(int(square))
                    left[int(square)] = int(trial.active_counts[0])
                assert squares[row] == min(left, key=lambda s: (left[s], s))
            games.play(squares)


def test_corehd_breaks_the_largest_tree_in_its_middle() -> None:
    path = from_networkx(nx.path_graph(9))
    assert first_move("corehd", Games(np.ones(9, int), "network", path)) == 4
    # With a loop somewhere, the loop comes first.
    tadpole = nx.path_graph(9)
    tadpole.add_edge(6, 8)
    assert first_move("corehd", Games(np.ones(9, int), "network", from_networkx(tadpole))) == 6


def test_straight_takes_the_emptiest_row_in_flow() -> None:
    board = np.ones((9, 9), dtype=np.uint8)
    board[6, [0, 3, 8]] = 0
    board[:, 4] = [1, 0, 1, 1, 0, 1, 1, 0, 1]  # the emptiest line, but along the flow
    games = Games(board, "flow")
    assert play("straight", games)[0] == [6 * 9 + col for col in (1, 2, 4, 5, 6, 7)]


def test_curves_need_fewer_moves_than_straight_cuts() -> None:
    moves = {}
    for spec in ("curves", "straight"):
        games = Games(sample_boards("network", 20, 0.8, 12, seed=9), "network")
        moves[spec] = sum(map(len, play(spec, games)))
    assert moves["curves"] < 0.75 * moves["straight"]


def test_curves_take_the_bridge_between_two_halves() -> None:
    rows = np.ones((7, 15), dtype=np.uint8)
    rows[:, 7] = 0
    rows[3, 7] = 1
    assert play("curves", Games(rows[None], "network"))[0] == [3 * 15 + 7]


def test_straight_on_a_graph_takes_a_level_between_the_terminals() -> None:
    ladder = nx.ladder_graph(6)  # rungs 0-6, 1-7, …
    topology = from_networkx(ladder)
    mode = Flow(terminals=((0, 6), (5, 11)))
    opened = np.ones(topology.n, int)
    assert play("straight", Games(opened, mode, topology))[0] == [0, 6]
    opened[9] = 0  # where one side is blocked, one square is enough
    assert len(play("straight", Games(opened, mode, topology))[0]) == 1


def test_lattice_lines() -> None:
    lines = [line.tolist() for line in lattice_lines(2, 3)]
    assert lines[:5] == [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4], [2, 5]]
    assert sorted(map(tuple, lines[5:])) == sorted(
        [(3,), (0, 4), (1, 5), (2,), (0,), (3, 1), (4, 2), (5,)]
    )


def test_pruned_plans_need_every_move() -> None:
    for mode in (Network(), Flow(axis="both"), Noodle()):
        games = boards(mode, (8, 8), 6)
        plain, pruned = play("random", games.copy()), play("prune:random", games.copy())
        assert sum(map(len, pruned)) < sum(map(len, plain))
        for row, plan in enumerate(pruned):
            assert set(plan) <= set(plain[row])
            for left_out in range(len(plan)):
                trial = games.take([row])
                for square in plan[:left_out] + plan[left_out + 1 :]:
                    if trial.legal[0, square]:
                        trial.play(square)
                assert not trial.done[0]


def test_optimal_is_never_beaten() -> None:
    for mode in (Flow(), Noodle(inclusive=True), Network()):
        games = boards(mode, (5, 5), 8)
        best = [len(plan) for plan in play("optimal:2", games.copy())]
        for spec in SPECS:
            others = play(spec, games.copy())
            assert all(len(other) >= moves for other, moves in zip(others, best, strict=True)), spec


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("ci:0", "radius"),
        ("ci:x", "radius"),
        ("prune", "prune:corehd"),
        ("prune:nobody", "nobody"),
        ("degree:3", "nothing after a colon"),
        ("optimal:soon", "2s"),
        ("optimal:-1", "work"),
        ("search:0", "width"),
        ("search:wide", "search:32"),
        ("search:-1s", "seconds"),
        ("search:4:degree", "prices moves"),
    ],
)
def test_bad_specs_are_explained(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        get_agent(spec)


def test_rules_of_thumb_take_the_most_for_the_money() -> None:
    from dataclasses import replace

    from pinchpoint import Games, from_edges, get_agent

    plain = from_edges([(0, 1), (0, 2), (0, 3), (3, 4), (3, 5)])  # degrees 3 and 3
    for dear, first in ((0, 3), (3, 0)):
        costs = np.ones(6)
        costs[dear] = 2.0
        games = Games(np.ones((1, 6)), "network", replace(plain, costs=costs))
        assert get_agent("degree").act(games).tolist() == [first]
