"""A lower bound on decycling: weights on edges and cycles that no solution can pay less than.

Suppose the nodes D are removed and every piece that is left has no more edges than nodes (at most
one cycle). Then each edge that is left can be given to one of its ends, at most one to each node.
Put a weight y on each edge and z on each node, z being at least the weight of every edge there. The
edges that are left weigh no more than the nodes that are left, so

    Σ y(edges touched by D) ≥ Σ y(all edges) − Σ z(nodes not in D).

If no cycle may be left, D hits each cycle, so that a cycle can carry a weight λ as well. When no
node v collects more than 1,

    Σ y(edges at v) − z(v) + Σ λ(cycles through v) ≤ 1,

then |D| ≥ Σ y − Σ z + Σ λ. The best weights are the dual of a linear program; any weights that
satisfy the inequalities prove their bound, and a part of them a bound for a part of the graph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, vstack

from pinchpoint.compiled import kernel
from pinchpoint.solvers.budget import Budget
from pinchpoint.types import Bools, Floats, Ints

WORTHWHILE = 0.05  # what another round of cycles must add to the bound of a block
LEAST = 0.01  # weight of a node in the search for such cycles: none gets longer than 1 / LEAST
PROGRAM, ENTRY = 5000.0, 0.75  # prices of a linear program, of an entry in each iteration
LIGHT_PATH = 6.0  # price of the search for a cycle through an edge
BLOCK = 2000  # nodes in one linear program; a larger graph is weighed in parts


@dataclass(frozen=True)
class CyclePacking:
    """Weights on a graph; the module says what they prove."""

    edges: Ints  # [E, 2]
    edge: Floats  # [E]  y
    node: Floats  # [n]  z
    cycles: list[Ints]
    cycle: Floats  # [len(cycles)]  λ

    @property
    def bound(self) -> float:
        return float(self.edge.sum() - self.node.sum() + self.cycle.sum())

    def feasible(self) -> CyclePacking:
        """Return the same weights made to satisfy both kinds of inequality, rounding included."""
        node = self.node.copy()
        for end in (0, 1):
            np.maximum.at(node, self.edges[:, end], self.edge)
        collected = -node
        for end in (0, 1):
            np.add.at(collected, self.edges[:, end], self.edge)
        for cycle, weight in zip(self.cycles, self.cycle, strict=True):
            collected[cycle] += weight
        scale = 1.0 / (max(1.0, float(collected.max(initial=0.0))) * (1 + 1e-9))
        return CyclePacking(
            self.edges, self.edge * scale, node * scale, self.cycles, self.cycle * scale
        )


def fewest(gains: npt.NDArray[Any], needed: float) -> int:
    """Count how many gains, the largest first, reach what is needed; at most all of them."""
    total = np.cumsum(np.sort(gains)[::-1])
    reached = np.flatnonzero(np.maximum.accumulate(total) >= needed)
    if needed <= 0:
        return 0
    return int(reached[0]) + 1 if len(reached) else len(gains)


def even_packing(n: int, edges: Ints) -> CyclePacking:
    """Weigh all edges alike: each node removed takes at most (degree − 1) from E − A."""
    degree = np.bincount(edges.ravel(), minlength=n)
    weight = 1.0 / max(int(degree.max(initial=0)) - 1, 1)
    node = np.where(degree > 0, weight, 0.0)
    return CyclePacking(edges, np.full(len(edges), weight), node, [], np.zeros(0)).feasible()


def best_packing(
    n: int, edges: Ints, order: Ints, with_cycles: bool, budget: Budget
) -> CyclePacking:
    """Find good weights; in a large graph by blocks of nodes that are consecutive in `order`."""
    blocks = max(round(n / BLOCK), 1)
    block = np.empty(n, dtype=np.int64)
    block[order] = np.arange(n) * blocks // n
    edge, node = np.zeros(len(edges)), np.zeros(n)
    cycles: list[Ints] = []
    cycle: list[Floats] = []
    for k in range(blocks):
        share = budget.part(1 / (blocks - k))
        inside = np.flatnonzero((block[edges] == k).all(axis=1))
        nodes, local = np.unique(edges[inside], return_inverse=True)
        part = _solve_block(len(nodes), local.reshape(-1, 2).astype(np.int32), with_cycles, share)
        edge[inside], node[nodes] = part.edge, part.node
        cycles += [nodes[ring] for ring in part.cycles]
        cycle.append(part.cycle)
    found = CyclePacking(edges, edge, node, cycles, np.concatenate([np.zeros(0), *cycle]))
    return max(found.feasible(), even_packing(n, edges), key=lambda packing: packing.bound)


def _solve_block(n: int, edges: Ints, with_cycles: bool, budget: Budget) -> CyclePacking:
    """Solve the linear program of one block, adding cycles where its solution misses them."""
    m = len(edges)
    best = even_packing(n, edges)
    rows = _edge_and_node_rows(n, edges)
    known: set[tuple[int, ...]] = set()
    cycles: list[Ints] = []
    missed = _missed_cycles(n, edges, np.full(n, 1 / 8), known) if with_cycles else []
    value, gained = 0.0, 1.0
    while gained > WORTHWHILE and not budget.is_over:
        cycles = cycles + missed
        program = vstack([rows, _cycle_rows(cycles, n + 2 * m)])
        left = budget.seconds_left
        answer = linprog(
            np.concatenate([np.ones(n), np.zeros(2 * m)]),
            A_ub=program,
            b_ub=np.concatenate([np.full(m, -1.0), np.ones(n), np.full(len(cycles), -1.0)]),
            bounds=(0, None),
            method="highs-ipm",
            options={} if math.isinf(left) else {"time_limit": max(left, 1e-3)},
        )
        budget.spend(PROGRAM + ENTRY * answer.nit * program.nnz + LIGHT_PATH * m)
        if answer.status != 0:
            break
        dual = np.maximum(-answer.ineqlin.marginals, 0.0)
        found = CyclePacking(edges, dual[:m], dual[m : m + n], cycles, dual[m + n :]).feasible()
        best = max(best, found, key=lambda packing: packing.bound)
        missed = _missed_cycles(n, edges, answer.x[:n], known) if with_cycles else []
        gained, value = (answer.fun - value if missed else 0.0), answer.fun
    return best


def _edge_and_node_rows(n: int, edges: Ints) -> Any:
    """Return the rows over x [n] (removed) and two shares of each edge (whose it is)."""
    m = len(edges)
    edge = np.arange(m)
    first, second = n + 2 * edge, n + 2 * edge + 1
    # −x(u) − x(v) − share(u) − share(v) ≤ −1 for an edge, x(v) + Σ shares(v) ≤ 1 for a node
    row: list[Any] = [np.tile(edge, 4), m + np.arange(n), m + edges[:, 0], m + edges[:, 1]]
    col: list[Any] = [edges[:, 0], edges[:, 1], first, second, np.arange(n), first, second]
    value = np.concatenate([np.full(4 * m, -1.0), np.ones(n + 2 * m)])
    place = (np.concatenate(row), np.concatenate(col))
    return csr_matrix((value, place), shape=(m + n, n + 2 * m))


def _cycle_rows(cycles: list[Ints], columns: int) -> Any:
    starts = np.cumsum([0] + [len(cycle) for cycle in cycles])
    nodes = np.concatenate([np.zeros(0, dtype=np.int32), *cycles])
    return csr_matrix((np.full(len(nodes), -1.0), nodes, starts), shape=(len(cycles), columns))


def _missed_cycles(n: int, edges: Ints, removed: Floats, known: set[tuple[int, ...]]) -> list[Ints]:
    """Find cycles that weigh less than 1, the lightest through each edge; add them to `known`."""
    order = np.argsort(np.concatenate([edges[:, 0], edges[:, 1]]), kind="stable")
    ends = np.concatenate([edges[:, 1], edges[:, 0]])[order]
    degree = np.bincount(edges.ravel(), minlength=n)
    indptr = np.concatenate([[0], np.cumsum(degree)]).astype(np.int32)
    weight = np.maximum(removed, LEAST)
    room = (np.empty(n), np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.bool_))
    path = np.empty(n, dtype=np.int32)
    found = []
    for u, v in edges:
        length = light_path(indptr, ends, weight, u, v, room, path)
        cycle = path[:length].copy()
        key = tuple(sorted(cycle.tolist()))
        if length and key not in known:
            known.add(key)
            found.append(cycle)
    return found


@kernel
def light_path(
    indptr: Ints,
    indices: Ints,
    weight: Floats,
    u: int,
    v: int,
    room: tuple[Floats, Ints, Ints, Bools],
    path: Ints,
) -> int:
    """Write a lightest path from u to v, their own edge left out, if it weighs less than 1.

    Return its length, 0 if there is none. The part of the graph within reach is small, so it is
    enough to look at all waiting nodes for the nearest.
    """
    distance, before, waiting, settled = room
    distance[:] = 2.0
    settled[:] = False
    distance[u], before[u], waiting[0] = weight[u], -1, u
    count = 1
    while count > 0:
        best = 0
        for i in range(count):
            if distance[waiting[i]] < distance[waiting[best]]:
                best = i
        node = waiting[best]
        count -= 1
        waiting[best] = waiting[count]
        settled[node] = True
        if node == v:
            break
        for k in range(indptr[node], indptr[node + 1]):
            near = indices[k]
            offer = distance[node] + weight[near]
            # A little less than 1, so that rounding does not bring back what is satisfied.
            if settled[near] or offer > 0.999 or offer >= distance[near]:
                continue
            if node == u and near == v:
                continue
            if distance[near] > 1.5:
                waiting[count] = near
                count += 1
            distance[near], before[near] = offer, node
    if not settled[v]:
        return 0
    length = 0
    node = v
    while node >= 0:
        path[length] = node
        length += 1
        node = before[node]
    return length
