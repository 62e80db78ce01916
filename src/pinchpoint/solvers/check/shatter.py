"""Verify the bounds of shatter: packings of connected sets, trees, and all sets of a few nodes."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from pinchpoint.solvers.check.proofs import (
    BoundClaim,
    FalseClaim,
    Proof,
    check_enough,
    overload,
)

LARGEST_PIECE = 22  # nodes; there are 2 to the power of that many sets to try
LARGEST_WITH_LONG_COSTS = 16  # nodes; sums of costs beyond 64 bits take longer


def verify_shatter(claim: BoundClaim) -> int:
    """Return the bound that the packing shows, or on trees what a tree program finds."""
    graph, limit = claim.graph, claim.memory
    if claim.solution.certificate.get("limit", limit) != limit:
        raise FalseClaim(
            f"the certificate says W = {claim.solution.certificate['limit']}, not {limit}"
        )
    booked = _weigh(claim, graph)
    total = 0
    for piece in nx.connected_components(graph):
        part = graph.subgraph(piece)
        bound = math.ceil(sum((booked.get(v, Fraction(0)) for v in piece), Fraction(0)))
        if part.number_of_edges() == len(part) - 1:
            bound = max(bound, _tree(part, claim))
        cheapest = min(int(claim.costs[v]) for v in piece)
        total += max(bound, cheapest)  # an active piece needs a move
    check_enough(claim, total)
    return total


def _weigh(claim: BoundClaim, graph: nx.Graph) -> dict[int, Fraction]:
    """Return the weights of the sets, each booked on one of its nodes."""
    collected: dict[int, Fraction] = {}
    booked: dict[int, Fraction] = {}
    for nodes, number in claim.solution.certificate.get("sets", []):
        inside, weight = set(nodes), claim.units(number)
        if weight < 0 or len(inside) <= claim.memory or not inside <= set(graph):
            raise FalseClaim("a set of the certificate has too few nodes, or carries less than 0")
        if not nx.is_connected(graph.subgraph(inside)):
            raise FalseClaim("a set of the certificate is not connected")
        booked[nodes[0]] = booked.get(nodes[0], Fraction(0)) + weight
        for v in inside:
            collected[v] = collected.get(v, Fraction(0)) + weight
    most = overload(claim, collected)
    return {v: weight / most for v, weight in booked.items()}


def _tree(tree: nx.Graph, claim: BoundClaim) -> int:
    """Return the least cost for a tree: for each node, by the size of the piece it stays in."""
    root = next(iter(tree))
    best: dict[int, dict[int, int]] = {}  # by node: size of its piece (0: gone) -> least cost
    for v in nx.dfs_postorder_nodes(tree, root):
        below = [best.pop(u) for u in tree[v] if u in best]
        gone = int(claim.costs[v]) + sum(min(table.values()) for table in below)
        stays = {1: 0}
        for table in below:
            after: dict[int, int] = {}
            for (k, cost), (more, price) in itertools.product(stays.items(), table.items()):
                if k + more <= claim.memory:
                    after[k + more] = min(after.get(k + more, cost + price), cost + price)
            stays = after
        best[v] = {0: gone, **stays}
    return min(best[root].values())


def try_all_sets(claim: BoundClaim, deadline: float) -> Proof:
    """Find the cheapest set of each piece by trying all of them, cheap ones first."""
    graph, total = claim.graph, 0
    for piece in nx.connected_components(graph):
        found = _cheapest_set(graph.subgraph(piece), claim, deadline)
        if found is None:
            return Proof(0, None)
        total += found
    return Proof(total, total)


def _cheapest_set(part: nx.Graph, claim: BoundClaim, deadline: float) -> int | None:
    nodes: list[Any] = list(part)
    costs = claim.costs[nodes]
    if len(nodes) > (LARGEST_PIECE if costs.dtype == np.int64 else LARGEST_WITH_LONG_COSTS):
        return None
    numbers = np.arange(2 ** len(nodes))
    prices = np.zeros_like(costs, shape=len(numbers))
    for i, cost in enumerate(costs):
        prices += cost * (numbers >> i & 1).astype(costs.dtype)
    for number in np.argsort(prices, kind="stable"):
        if time.perf_counter() > deadline:
            return None
        left = part.subgraph(v for i, v in enumerate(nodes) if not number >> i & 1)
        if all(len(c) <= claim.memory for c in nx.connected_components(left)):
            return int(prices[number])
    return None
