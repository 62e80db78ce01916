"""Dismantling by a network that learned on graphs.

The network plays shatter on the pieces that are too large: an evaluation rates all their nodes. Out
of small pieces one node goes after each evaluation, out of large ones the best few. First every
piece must have less than a tenth of the nodes, where the area under the curve ends; then the goal
counts.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np

from chokepoint.agents import LearnedAgent, load_agent
from chokepoint.dismantling.methods import Task
from chokepoint.dismantling.pieces import by_largest_piece
from chokepoint.errors import InputError
from chokepoint.graph import Topology
from chokepoint.types import Array, Rows

FIRST_GOAL = 0.1  # the largest piece has less than this share of the nodes
# The nodes that go after an evaluation, as a share of those of the piece, and at least one.
SHARE = 1 / 2048
LARGE, LARGE_SHARE = 100_000, 1 / 32  # from so many nodes on
FAR_SOURCES = 24  # of the betweenness that the network is shown
ROOM = 65_536  # nodes in an evaluation of several pieces, which changes nothing but the time


def by_network(task: Task) -> Array:
    """Return the nodes in the order in which the network attacks them."""
    agent = graph_agent(task.argument)
    below = math.ceil(FIRST_GOAL * task.graph.n) - 1
    first_goal = max(task.stop, below)

    def choose(graph: Topology, pieces: list[Rows]) -> list[Rows]:
        allowed = [first_goal if len(nodes) > first_goal else task.stop for nodes in pieces]
        liked = agent.preferences_in(graph, pieces, allowed, FAR_SOURCES)
        return [
            nodes[np.argsort(-rating, kind="stable")[: removals(len(nodes))]]
            for nodes, rating in zip(pieces, liked, strict=True)
        ]

    return by_largest_piece(task, choose, ROOM)


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
