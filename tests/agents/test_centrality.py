"""The compiled measures against networkx on the same graphs."""

import networkx as nx
import numpy as np
import pytest

from pinchpoint.agents import centrality
from pinchpoint.game.engine import Games
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx
from pinchpoint.graph.topology import Topology


def active_graph(games: Games, row: int) -> nx.Graph:
    graph = nx.empty_graph(games.topology.n)
    graph.add_edges_from(games.topology.edges().tolist())
    return graph.subgraph(np.flatnonzero(games.legal[row]).tolist())


def positions(topology: Topology, seed: int) -> Games:
    """Random boards with a few random moves made, in a mode in which much stays active."""
    rng = np.random.default_rng(seed)
    boards = rng.random((25, topology.n)) < rng.uniform(0.4, 1.0, (25, 1))
    games = Games(boards, "noodle", topology)
    for _ in range(3):
        games.play(games.random_squares(seed))
    return games


TOPOLOGIES = {
    "lattice": lattice(7, 8),
    "graph": from_networkx(nx.gnm_random_graph(40, 70, seed=1), extra_faces=0),
    "tree": from_networkx(nx.random_labeled_tree(30, seed=2)),
}


@pytest.fixture(params=TOPOLOGIES)
def games(request: pytest.FixtureRequest) -> Games:
    if request.param == "tree":  # in noodle mode a tree is over at once
        return Games(np.ones((1, 30), int), "network", TOPOLOGIES["tree"])
    return positions(TOPOLOGIES[request.param], seed=9)


def expected(games: Games, measure) -> np.ndarray:
    out = np.zeros((len(games), games.topology.n))
    for row in range(len(games)):
        for node, value in measure(active_graph(games, row)).items():
            out[row, node] = value
    return out


def test_degrees(games: Games) -> None:
    np.testing.assert_array_equal(
        centrality.degrees(games), expected(games, lambda g: dict(g.degree))
    )
    assert centrality.degrees(games).any()


def test_betweenness(games: Games) -> None:
    slow = expected(games, lambda g: nx.betweenness_centrality(g, normalized=False))
    np.testing.assert_allclose(centrality.betweenness(games), 2 * slow, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_collective_influence(games: Games, radius: int) -> None:
    def slow(graph: nx.Graph) -> dict[int, int]:
        distance = dict(nx.all_pairs_shortest_path_length(graph, cutoff=radius))
        return {
            v: (graph.degree[v] - 1)
            * sum(graph.degree[u] - 1 for u, d in distance[v].items() if d == radius)
            for v in graph
        }

    np.testing.assert_array_equal(
        centrality.collective_influence(games, radius), expected(games, slow)
    )


def test_core_degrees(games: Games) -> None:
    slow = expected(games, lambda g: dict(nx.k_core(g, 2).degree))
    np.testing.assert_array_equal(centrality.core_degrees(games), slow)


def test_pieces_left(games: Games) -> None:
    whole, largest, second = centrality.pieces_left(games)
    cuts = 0
    for row in range(len(games)):
        graph = active_graph(games, row)
        assert set(np.flatnonzero(whole[row])) == set(graph)
        assert set(np.flatnonzero(second[row])) == set(nx.articulation_points(graph))
        cuts += int((second[row] > 0).sum())
        for v in graph:
            around = nx.node_connected_component(graph, v)
            rest = graph.subgraph(around - {v})
            sizes = sorted(len(piece) for piece in nx.connected_components(rest))
            assert whole[row, v] == len(around)
            assert [second[row, v], largest[row, v]] == [0, 0, *sizes][-2:]
    assert cuts
