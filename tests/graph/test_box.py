"""The networks in the box: all of them load, are what their list says, and come with a licence."""

import networkx as nx
import numpy as np
import pytest

import pinchpoint
from pinchpoint import InputError, load_network, networks, read_graph
from pinchpoint.graph.readers import is_graph_file


def test_there_is_a_dozen_of_several_kinds() -> None:
    assert len(networks()) >= 12
    assert {"power", "water", "internet", "social"} <= {one.kind for one in networks().values()}
    assert all(one.licence.startswith(("MIT", "BSD")) for one in networks().values())


@pytest.mark.parametrize("name", networks())
def test_every_network_is_connected_and_as_listed(name: str) -> None:
    about, topology = networks()[name], load_network(name)
    assert (topology.n, len(topology.indices) // 2) == (about.nodes, about.edges)
    graph = nx.Graph(topology.edges().tolist())
    assert nx.is_connected(graph)
    assert len(graph) == topology.n
    assert len(set(topology.names)) == topology.n
    assert topology.positions is None or np.isfinite(topology.positions).all()


def test_karate_is_that_of_networkx() -> None:
    assert (
        read_graph("network:karate").fingerprint == read_graph(nx.karate_club_graph()).fingerprint
    )
    assert is_graph_file("network:karate")


def test_an_unknown_network_is_one_sentence() -> None:
    with pytest.raises(InputError):
        pinchpoint.read_graph("network:atlantis")
