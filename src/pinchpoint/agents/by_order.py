"""Agents that follow an order of the active nodes, by any method that needs nothing but a graph."""

from __future__ import annotations

import numpy as np

from pinchpoint.agents.planned import PlannedAgent
from pinchpoint.game.engine import Games
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.order.methods import ORDERS, Method, Task, completed, find_method


def make(name: str, seed: int) -> PlannedAgent:
    """Make the agent of a method, such as "degree" or "ci:3"."""
    method, argument = find_method(name, ORDERS)

    def plan(games: Games) -> list[list[int]]:
        return [order_of_active(games, row, method, argument, seed) for row in range(len(games))]

    return PlannedAgent(name, plan)


def order_of_active(
    games: Games, row: int, method: Method, argument: object, seed: int
) -> list[int]:
    """Return the active nodes in the order of a method, until the largest piece is half as large.

    What is inactive by then need not be ordered.
    """
    t = games.topology
    nodes = np.flatnonzero(games.status[row] == ACTIVE)
    part = subgraph(t.indptr, t.indices, nodes)
    graph = Topology(part.indptr, part.indices, t.faces[nodes], costs=t.costs[nodes])
    largest = int(np.bincount(games.labels[row, nodes]).max())
    task = Task(graph, largest // 2, seed, argument=argument)
    assert callable(method.order)
    order = completed(graph, method.order(task), task.stop)
    return [int(v) for v in nodes[order.until(task.goal)]]
