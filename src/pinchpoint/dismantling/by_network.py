"""Dismantling by a network that learned on graphs.

The network plays shatter on the pieces that are too large: an evaluation rates all their nodes, and
the best one goes. In large pieces betweenness from far sources, which takes a part of the time,
chooses the next few before the network looks again. Of very large pieces several nodes go at once;
reinsertion then takes out those that were not needed.

The network plays until every piece has less than a tenth of the nodes, where the area under the
curve ends. If the goal is finer, betweenness goes on: most nodes come then, and the network would
make little difference for its time.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np

from pinchpoint.agents.learned import LearnedAgent, load_agent
from pinchpoint.dismantling.methods import better_of_reinsertion
from pinchpoint.errors import InputError
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.learning.graph_observation import betweenness_in
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.methods import Task, completed
from pinchpoint.order.orders import pieces_up_to
from pinchpoint.order.pieces import by_largest_piece
from pinchpoint.types import Array, Rows

FIRST_GOAL = 0.1  # the largest piece has less than this share of the nodes
# Rounds by betweenness that follow each of the network: one for so many nodes of the piece.
ROUND, MOST_ROUNDS = 1000, 3
# From pieces of more than ALONE nodes, several go in a round, but never more than this share.
ALONE, MOST = 8192, 1 / 32
FAR_SOURCES = 16  # of betweenness, which the network is shown and which follows it
ROOM = 65_536  # nodes in an evaluation of several pieces, which changes nothing but the time


def by_network(task: Task) -> Array:
    """Return the nodes in the order in which they go."""
    agent = graph_agent(task.argument)
    first_goal = max(task.stop, math.ceil(FIRST_GOAL * task.graph.n) - 1)

    due = np.zeros(task.graph.n, dtype=np.int64)  # rounds until the network looks at a node again

    def choose(graph: Topology, pieces: list[Rows]) -> list[Rows]:
        looked_at = [nodes for nodes in pieces if due[nodes[0]] == 0]
        liked = iter(agent.preferences_in(graph, looked_at, first_goal, FAR_SOURCES))
        taken = []
        for nodes in pieces:
            if due[nodes[0]] == 0:
                rating, due[nodes] = next(liked), min(len(nodes) // ROUND, MOST_ROUNDS)
            else:
                rating = betweenness_in(graph, nodes, FAR_SOURCES)
                due[nodes] -= 1
            taken.append(nodes[highest(rating, removals(len(nodes)))])
        return taken

    order = by_largest_piece(task.graph, first_goal, choose, task.deadline, ROOM)
    if task.graph.n > ALONE and not task.time_is_up:
        goal = pieces_up_to(first_goal)
        order = better_of_reinsertion(completed(task.graph, order, first_goal), goal).until(goal)
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


def highest(rating: Array, count: int) -> Rows:
    """Return the places of the highest numbers, the first of equal ones first."""
    if count == 1:  # almost always, and far sooner than sorting
        return np.array([rating.argmax()])
    return np.argsort(-rating, kind="stable")[:count]


def removals(size: int) -> int:
    """Return how many nodes go in one round from a piece of so many."""
    return max(1, int(min((size / ALONE) ** 3, size * MOST)))


@cache
def shipped_agent() -> LearnedAgent:
    return load_agent("graph")


def graph_agent(file: str) -> LearnedAgent:
    """Return the shipped agent, or the one in a file."""
    agent = load_agent(Path(file)) if file else shipped_agent()
    if not agent.plays_graphs:
        raise InputError(f"the agent in {file} plays lattices only, not general graphs")
    return agent
