"""Dismantling by a network that learned on graphs.

The network plays shatter: every evaluation rates all nodes of the pieces that are still too large.
On small graphs one node goes after each evaluation, on large ones the best few of them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from chokepoint.agents import LearnedAgent, load_agent
from chokepoint.dismantling.methods import Task
from chokepoint.errors import InputError
from chokepoint.game import Games, Shatter
from chokepoint.learning import shipped
from chokepoint.types import Array

# The nodes that go after an evaluation, as a share of those that are active, and at least one.
SHARE = 1 / 256
LARGE, LARGE_SHARE = 100_000, 1 / 32  # from so many active nodes on


def by_network(task: Task) -> Array:
    """Return the nodes in the order in which the network attacks them."""
    agent = graph_agent(task.argument)
    game = Games(np.ones((1, task.graph.n), dtype=np.bool_), Shatter(size=task.stop), task.graph)
    while not game.done[0] and not task.late:
        count = removals(int(game.active_counts[0]))
        game.follow(np.argsort(-agent.preferences(game)[0], kind="stable")[None, :count])
    return np.array(game.history(0), dtype=np.int32)


def removals(active: int) -> int:
    """Return how many nodes go after one evaluation of so many active nodes."""
    return max(1, int(active * (LARGE_SHARE if active >= LARGE else SHARE)))


def graph_agent(file: str) -> LearnedAgent:
    """Return the shipped agent, or the one in a file."""
    if not file and "graph" not in shipped():
        raise InputError(
            "no graph agent is shipped with this version; train one with chokepoint train "
            "--preset graph and name its file: graph:PATH.safetensors"
        )
    agent = load_agent(Path(file) if file else "graph")
    if not agent.plays_graphs:
        raise InputError(f"the agent in {file} plays lattices only, not general graphs")
    return agent
