"""Compile the kernels before the tests, so that not every test process compiles them by itself.

    python tests/kernels.py engine
    python tests/kernels.py solvers
    python tests/kernels.py orders

Each part is a process of its own, so that two cores share the work.
"""

import sys

import networkx as nx
import numpy as np

from pinchpoint.agents.registry import AGENTS, get_agent, play_out
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import MODES
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.readers import from_networkx
from pinchpoint.learning.config import NETWORK_ALIASES
from pinchpoint.learning.nets import make_net
from pinchpoint.learning.replay import pack, unpack
from pinchpoint.order.annealing import annealed


def engine() -> None:
    """The engine, what agents measure and what networks are shown."""

    for mode in MODES:
        games = Games(sample_boards(mode, 4, 0.9, 2, seed=1), mode)
        games.copy().play_randomly(seed=1)
        unpack(pack(games.status), games.topology.n)
        for name, entry in AGENTS.items():
            if entry.factory.startswith(
                ("greedy", "by_order", "straight", "cheapest_curve", "random")
            ):
                play_out(get_agent(name), games.copy())
        for name in NETWORK_ALIASES:
            make_net(name, 4, 1).q_values(games)


def solvers() -> None:
    """The solvers, on a lattice and on a graph."""
    from pinchpoint.solvers.dispatch import solve

    graph = from_networkx(nx.cycle_graph(6))
    for mode in MODES:
        games = Games(sample_boards(mode, 5, 0.9, 1, seed=1), mode)
        solve(games, 60.0)
        if mode != "flow":
            solve(Games(np.ones((1, graph.n)), mode, graph), 60.0)


def orders() -> None:
    """The methods that take networks apart."""
    from pinchpoint.dismantling.methods import METHODS
    from pinchpoint.dismantling.run import dismantle

    graph = nx.karate_club_graph()
    # A portfolio of the others; and a network, for which weights may be missing.
    names = [name for name in METHODS if name not in ("best", "graph")]
    dismantle(graph, [*names, "betweenness:8", "degree+reinsert"])
    dismantle(graph, "degree+refine", seconds=1.0)
    known = from_networkx(graph)
    annealed(known.indptr, known.indices, known.costs, range(5), 3, 1, 1)


if __name__ == "__main__":
    {"engine": engine, "solvers": solvers, "orders": orders}[sys.argv[1]]()
