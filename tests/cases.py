"""Random cases for the tests: a topology, boards, a mode, and the slow rule it must obey."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np
import numpy.typing as npt
from oracles import reference

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology, from_edges

Rng = np.random.Generator


@dataclass
class Case:
    topology: Topology
    neighbours: reference.Neighbours
    node_faces: list[int]
    mode: Mode
    judge: reference.Judge
    opened: npt.NDArray[np.uint8]  # [B, N]

    def fast(self) -> Games:
        return Games(self.opened, self.mode, self.topology)

    def slow(self) -> list[reference.SlowGame]:
        return [
            reference.SlowGame(self.neighbours, np.flatnonzero(row).tolist(), self.judge)
            for row in self.opened
        ]


def lattice_case(
    rng: Rng,
    height: int,
    width: int,
    games: int = 4,
    kind: str = "square",
    periodic: str = "none",
    rule: str | None = None,
) -> Case:
    """A case on a lattice, with a random rule or one of that mode."""
    neighbours = reference.lattice_neighbours(height, width, kind, periodic)
    n, z = height * width, reference.SIDES_OF_A_NODE[kind]
    axes = [
        axis
        for axis, wraps in (("vertical", "rows"), ("horizontal", "columns"))
        if periodic not in (wraps, "both")
    ]
    mode, judge = random_rule(rng, n, [z] * n, (height, width), axes, z - 2.0, rule)
    topology = lattice(height, width, kind, periodic)
    return Case(topology, neighbours, [z] * n, mode, judge, boards(rng, games, n))


def graph_case(rng: Rng, games: int = 4) -> Case:
    """A case on a graph whose nodes have costs."""
    graph, extra = random_graph(rng), int(rng.integers(3))
    n, edges = graph.number_of_nodes(), list(graph.edges())
    if rng.random() < 0.5:
        topology = from_networkx(graph, extra_faces=extra)
    else:
        topology = from_edges(edges, n=n, extra_faces=extra)
    topology = replace(topology, costs=rng.integers(1, 9, n) / 4)
    neighbours = reference.edge_neighbours(n, edges)
    faces = [len(nodes) + extra for nodes in neighbours]
    mode, judge = random_rule(rng, n, faces, None)
    return Case(topology, neighbours, faces, mode, judge, boards(rng, games, n))


def random_graph(rng: Rng) -> nx.Graph:
    """A graph whose nodes are 0 to n − 1, sparse or dense, with hubs or without."""
    n, seed = int(rng.integers(1, 60)), int(rng.integers(2**31))
    makers: list[Callable[[], nx.Graph]] = [
        lambda: nx.gnp_random_graph(n, min(1.0, rng.uniform(0.5, 4) / n), seed=seed),
        lambda: nx.barabasi_albert_graph(n + 2, 2, seed=seed),
        lambda: nx.random_labeled_tree(n, seed=seed),
        lambda: nx.star_graph(n),
        lambda: nx.complete_graph(min(n, 12)),
        lambda: nx.cycle_graph(n + 2),
        lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 7, periodic=True)),
        lambda: nx.watts_strogatz_graph(n + 4, 4, 0.1, seed=seed),
    ]
    return makers[rng.integers(len(makers))]()


def boards(rng: Rng, games: int, n: int) -> npt.NDArray[np.uint8]:
    density = rng.choice([0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0], size=(games, 1))
    return (rng.random((games, n)) < density).astype(np.uint8)


def random_rule(
    rng: Rng,
    n: int,
    faces: list[int],
    shape: tuple[int, int] | None,
    axes: Sequence[str] = ("vertical", "horizontal"),  # that have open sides
    default_ratio: float = 2.0,
    rule: str | None = None,
) -> tuple[Mode, reference.Judge]:
    rule = rule or str(rng.choice(["network", "flow", "noodle", "shatter"]))
    if rule == "network":
        return get_mode("network"), reference.network
    if rule == "flow":
        if shape and axes and rng.random() < 0.7:
            axis = str(rng.choice([*axes, "both"]))
            pairs = [reference.sides(*shape, a)[0] for a in (axes if axis == "both" else [axis])]
            return get_mode("flow", axis=axis), reference.flow(pairs)
        first, last = (rng.choice(n, rng.integers(1, n // 3 + 2), replace=False) for _ in range(2))
        mode = get_mode("flow", terminals=(first.tolist(), last.tolist()))
        return mode, reference.flow([(first.tolist(), last.tolist())])
    if rule == "shatter":
        if rng.random() < 0.5:
            size = int(rng.integers(1, 12))
            return get_mode("shatter", size=size), reference.shatter(size, None)
        share = float(rng.choice([0.01, 0.07, 0.1, 0.29, 0.5, 1.0]))
        return get_mode("shatter", share=share), reference.shatter(None, share)
    assert rule == "noodle"
    K = rng.choice([None, None, None, 0.5, 1.0, 1.5, 2.0, 2.2, 2.5, 3.0, 4.0])
    inclusive = bool(rng.integers(2))
    judge = reference.noodle(faces, default_ratio if K is None else float(K), inclusive)
    return get_mode("noodle", K=K, inclusive=inclusive), judge


# -- both engines, move by move --------------------------------------------------------------


def assert_same(fast: Games, slow: list[reference.SlowGame]) -> None:
    assert fast.status.tolist() == [game.status() for game in slow]
    assert fast.done.tolist() == [game.done for game in slow]
    assert fast.active_counts.tolist() == [len(game.active) for game in slow]
    assert fast.move_counts.tolist() == [len(game.moves) for game in slow]
    if fast.mode.name in ("network", "shatter"):
        assert fast.memory.tolist() == [game.best for game in slow]


def assert_same_pieces(case: Case, fast: Games, row: int, slow: reference.SlowGame) -> None:
    """Labels part the open squares into the components, and the counts of each are right."""
    components = fast.components(row)
    assert sorted(sorted(piece) for piece in slow.pieces) == sorted(
        component.squares.tolist() for component in components
    )
    assert np.flatnonzero(fast.labels[row] >= 0).tolist() == sorted(slow.open)
    terminals = [side for pair in case.mode.terminal_sets(case.topology) for side in pair]
    for component in components:
        inside = set(component.squares.tolist())
        ends = sum(other in inside for node in inside for other in case.neighbours[node])
        assert component.size == len(inside)
        assert component.edges == ends // 2
        assert component.faces == sum(case.node_faces[node] for node in inside) - ends
        assert component.contacts == tuple(len(inside & set(side.tolist())) for side in terminals)


def play_both(case: Case, rng: np.random.Generator) -> int:
    """Play a case to its end in both engines, comparing after every move; the number of moves."""
    fast, slow = case.fast(), case.slow()
    assert_same(fast, slow)
    moves = 0
    while not fast.done.all():
        squares = np.full(len(slow), -1)
        for row, game in enumerate(slow):
            if game.active and rng.random() < 0.95:  # some games wait
                squares[row] = rng.choice(sorted(game.active))
                game.play(int(squares[row]))
                moves += 1
        fast.play(squares)
        assert_same(fast, slow)
        row = int(rng.integers(len(slow)))
        if rng.random() < 0.1:
            assert_same_pieces(case, fast, row, slow[row])
        if rng.random() < 0.01:
            before = fast.status.copy()
            fast.undo([row])
            slow[row].undo()
            assert_same(fast, slow)
            if rng.random() < 0.5 and squares[row] >= 0:
                fast.redo([row])
                slow[row].play(int(squares[row]))
                assert np.array_equal(fast.status, before)
                assert_same(fast, slow)
    for row, game in enumerate(slow):
        assert_same_pieces(case, fast, row, game)
        assert fast.history(row) == game.moves
        assert fast.scores[row] == sum(case.topology.costs[square] for square in game.moves)
    return moves
