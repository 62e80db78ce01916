"""Random graphs: connected, of the wanted size, the same for the same seed, of many kinds."""

import networkx as nx
import numpy as np
import pytest

from pinchpoint.errors import InputError
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_every_kind_is_connected_and_of_the_wanted_size(kind: str) -> None:
    rng = np.random.default_rng(1)
    sizes = []
    for _ in range(20):
        graph = random_graph(rng, 30, 300, kind)
        sizes.append(graph.n)
        assert nx.is_connected(nx.Graph(graph.edges().tolist()))
        assert 15 <= graph.n <= 300
        assert 1.9 <= len(graph.indices) / graph.n <= 10  # neighbours on average
    assert max(sizes) > 2 * min(sizes)


def test_the_same_seed_gives_the_same_graph_and_kinds_vary() -> None:
    first, second = (random_graph(np.random.default_rng([3, 4])) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    rng = np.random.default_rng(5)
    degrees = [random_graph(rng, 200, 200).degree for _ in range(40)]
    assert max(degree.max() for degree in degrees) > 20  # hubs
    assert min(degree.max() for degree in degrees) <= 6  # and none at all


def test_bad_input() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(InputError):
        random_graph(rng, kind="moon")
    with pytest.raises(InputError):
        random_graph(rng, 2, 300)
