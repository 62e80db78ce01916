"""Orders of a sweep: every node once, each step as short as it can be, lengths as counted."""

import numpy as np
import pytest
from small_positions import random_graph

from pinchpoint.graph.algorithms import components, subgraph
from pinchpoint.solvers.fronts import front_lengths, grow_order


def front(graph, decided: list[int]) -> int:
    """How many of the decided nodes have an undecided neighbour."""
    return sum(any(u not in decided for u in graph.neighbours(v).tolist()) for v in decided)


@pytest.mark.parametrize("by_age", [False, True])
def test_each_step_of_an_order_makes_the_front_as_short_as_it_can(by_age: bool) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        whole = random_graph(rng, 12)
        nodes = components(whole.indptr, whole.indices, np.ones(whole.n, dtype=np.bool_))[0]
        part = subgraph(whole.indptr, whole.indices, nodes)
        order = grow_order(part.indptr, part.indices, 0, by_age).tolist()
        named = nodes[order].tolist()
        assert sorted(order) == list(range(len(nodes)))
        lengths = [front(whole, named[: step + 1]) for step in range(len(named))]
        assert front_lengths(part.indptr, part.indices, np.array(order)).tolist() == lengths
        for step in range(1, len(named)):
            decided = named[:step]
            reached = {u for v in decided for u in whole.neighbours(v).tolist()} - {*decided}
            assert lengths[step] == min(front(whole, [*decided, v]) for v in reached)
