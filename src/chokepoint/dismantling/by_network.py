"""Dismantling by a network that learned on graphs.

The network plays shatter on the pieces that are too large: an evaluation rates all their nodes. Out
of small pieces one node goes after each evaluation, out of large ones the best few. The network
plays until every piece has less than a tenth of the nodes, where the area under the curve ends. If
the goal is finer, betweenness goes on: most nodes come then, and the network would make little
difference for its time.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from chokepoint.agents import LearnedAgent, load_agent
from chokepoint.dismantling.methods import Task
from chokepoint.dismantling.pieces import by_largest_piece
from chokepoint.errors import InputError
from chokepoint.graph import Topology, betweenness_order, subgraph
from chokepoint.types import Array, Rows

FIRST_GOAL = 0.1  # the largest piece has less than this share of the nodes
# The nodes that go after an evaluation, as a share of those of the piece, and at least one.
SHARE = 1 / 2048
LARGE, LARGE_SHARE = 100_000, 1 / 32  # from so many nodes on
FAR_SOURCES = 24  # of betweenness, which the network is shown and which follows it
ROOM = 65_536  # nodes in an evaluation of several pieces, which changes nothing but the time


def by_network(task: Task) -> Array:
    """Return the nodes in the order in which they go."""
    agent = graph_agent(task.argument)
    first_goal = max(task.stop, math.ceil(FIRST_GOAL * task.graph.n) - 1)

    def choose(graph: Topology, pieces: list[Rows]) -> list[Rows]:
        liked = agent.preferences_in(graph, pieces, first_goal, FAR_SOURCES)
        return [
            nodes[np.argsort(-rating, kind="stable")[: removals(len(nodes))]]
            for nodes, rating in zip(pieces, liked, strict=True)
        ]

    order = by_largest_piece(replace(task, stop=first_goal), choose, ROOM)
    if first_goal == task.stop:
        return order
    return np.concatenate([order, betweenness_after(task, order, removals(first_goal))])


def betweenness_after(task: Task, order: Array, batch: int) -> Rows:
    """Return the nodes that go after those of the order, by betweenness from far sources."""
    t = task.graph
    rest = np.delete(np.arange(t.n), order)
    part = subgraph(t.indptr, t.indices, rest)
    follow = betweenness_order(
        *(part.indptr, part.indices, t.costs[rest], task.stop),
        *(FAR_SOURCES, batch, task.seed % 2**32),
        far=True,
        deadline=task.deadline,
    )
    return rest[follow]


def removals(size: int) -> int:
    """Return how many nodes go after one evaluation of a piece of so many."""
    return max(1, int(size * (LARGE_SHARE if size >= LARGE else SHARE)))


@cache
def shipped_agent() -> LearnedAgent:
    return load_agent("graph")


def graph_agent(file: str) -> LearnedAgent:
    """Return the shipped agent, or the one in a file."""
    agent = load_agent(Path(file)) if file else shipped_agent()
    if not agent.plays_graphs:
        raise InputError(f"the agent in {file} plays lattices only, not general graphs")
    return agent
