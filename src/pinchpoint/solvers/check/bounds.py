"""Verify lower bounds: by what a certificate shows, or by a proof of another kind."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from fractions import Fraction
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from scipy.optimize import Bounds, LinearConstraint
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.modes.network import Network
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.modes.shatter import Shatter
from pinchpoint.solvers.check.network import prove_bound
from pinchpoint.solvers.check.proofs import (
    BoundClaim,
    FalseClaim,
    Proof,
    check_enough,
    overload,
)
from pinchpoint.solvers.check.rules import Position
from pinchpoint.solvers.check.shatter import try_all_sets, verify_shatter
from pinchpoint.solvers.highs import solve_milp
from pinchpoint.types import Bools

LARGEST_TREE = 1000  # squares; up to here axis both is verified by all distances between them
LARGEST_PROGRAM = 10_000  # squares; beyond, an integer program does not end in any time allowed


def verify(claim: BoundClaim) -> int:
    """Return the lower bound that is verified, in units of the costs.

    Raise FalseClaim if the certificate is wrong.
    """
    if not claim.active.any():
        return 0
    if type(claim.mode) is Flow:
        return max(_cheapest_node(claim), _verify_flow(claim))
    if type(claim.mode) is Shatter:
        return verify_shatter(claim)
    if claim.mode.remembers or not claim.topology.unit_costs:
        return _verify_network(claim) if claim.counts(Network) else _cheapest_node(claim)
    if type(claim.mode) is Noodle:
        return max(1, _verify_noodle(claim))
    return _cheapest_node(claim)


def _cheapest_node(claim: BoundClaim) -> int:
    """Return the least that a move costs: a game that goes on needs one.

    Where pieces are judged alone, each that is active needs one.
    """
    if claim.mode.remembers:
        return int(claim.costs[claim.active].min())
    pieces = nx.connected_components(claim.graph)
    return sum(min(int(claim.costs[v]) for v in piece) for piece in pieces)


# -- flow: disjoint paths --------------------------------------------------------------------


def _verify_flow(claim: BoundClaim) -> int:
    assert isinstance(claim.mode, Flow)
    paths = claim.solution.certificate.get("paths", {})
    amounts = claim.solution.certificate.get("amounts", {})
    best = 0
    pairs = claim.mode.terminal_sets(claim.topology)
    for pair, (name, found) in zip(pairs, paths.items(), strict=False):
        carried = [claim.units(amount) for amount in amounts.get(name, [1] * len(found))]
        best = max(best, _weigh_paths(claim, [set(side.tolist()) for side in pair], found, carried))
    both = claim.mode.axis == "both" and claim.mode.terminals is None
    both = both and claim.topology.unit_costs
    if both and claim.topology.grid is not None and claim.topology.n <= LARGEST_TREE:
        best = max(best, cheapest_tree(claim.active.reshape(claim.topology.grid)))
    check_enough(claim, best)
    return best


def _weigh_paths(
    claim: BoundClaim, sides: list[set[int]], paths: list[list[int]], amounts: list[Fraction]
) -> int:
    """Return what paths carry; raise FalseClaim if one is none or a node carries too much."""
    used: dict[int, Fraction] = {}
    if len(paths) != len(amounts) or min(amounts, default=0) < 0:
        raise FalseClaim("the amounts of the certificate do not fit its paths")
    for path, amount in zip(paths, amounts, strict=True):
        if not path or not {path[0], path[-1]} & sides[0] or not {path[0], path[-1]} & sides[1]:
            raise FalseClaim("a path of the certificate does not lead from terminal to terminal")
        for a, b in pairwise(path):
            if b not in claim.topology.neighbours(a):
                raise FalseClaim(f"squares {a} and {b} of a path do not touch")
        for square in path:
            used[square] = used.get(square, Fraction(0)) + amount
            if not claim.active[square]:
                raise FalseClaim(f"square {square} of a path is not active")
    return math.ceil(sum(amounts, Fraction(0)) / overload(claim, used))


def cheapest_tree(active: Bools) -> int:
    """Return the fewest active squares in an 8-connected set that reaches all four sides.

    Such a set parts both pairs of sides. It consists of two junctions, a way between them, and ways
    to two sides from each, so all distances between squares and the three ways to pair the sides
    give the answer.
    """
    height, width = active.shape
    row, col = np.divmod(np.arange(height * width), width)
    near = (abs(row[:, None] - row) <= 1) & (abs(col[:, None] - col) <= 1)
    price = active.ravel().astype(np.int64)
    step = 1.0 / (4 * active.size)  # steps are not free, so that free squares are edges at all
    distance = np.floor(dijkstra(csr_matrix(near * (price + step))))  # the first square not counted
    sides = [col == 0, col == width - 1, row == 0, row == height - 1]
    reach = [distance[:, side].min(axis=1) + price for side in sides]  # the square itself counts
    between = distance - price  # squares between two junctions; −price if they are one
    best = math.inf
    for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
        first = reach[a] + reach[b] - price
        second = reach[c] + reach[d] - price
        best = min(best, float((first[:, None] + between + second).min()))
    return int(best)


# -- network: the certificate names what was refuted, the proof is a search --------------------


def _verify_network(claim: BoundClaim) -> int:
    """Verify one move, and that the certificate speaks of this position and this bound."""
    certificate, bound = claim.solution.certificate, int(claim.solution.bound)
    truth = {"active": int(claim.active.sum()), "best": claim.memory, "refuted": bound - 1}
    for key, value in truth.items():
        if certificate.get(key, value) != value:
            raise FalseClaim(f"the certificate says {key} = {certificate[key]}; it is {value}")
    return 1


# -- noodle: weights and counting ------------------------------------------------------------


def _verify_noodle(claim: BoundClaim) -> int:
    assert isinstance(claim.mode, Noodle)
    graph = claim.graph
    pieces = list(nx.connected_components(graph))
    bounds = [_count(claim, graph.subgraph(piece)) for piece in pieces]
    certificate = claim.solution.certificate
    if certificate.get("kind") == "decycling":
        faces = claim.topology.faces[claim.active]
        if not np.all(faces == claim.mode.ratio(claim.topology) + 2):
            raise FalseClaim("the certificate counts cycles, the rule does not")
        weighed = _weigh(graph, certificate, claim.mode.inclusive)
        bounds = [
            max(counted, math.ceil(sum(weighed.get(square, 0) for square in piece)))
            for counted, piece in zip(bounds, pieces, strict=True)
        ]
    check_enough(claim, sum(bounds))
    return sum(bounds)


def _count(claim: BoundClaim, piece: nx.Graph) -> int:
    """Count the moves needed at least, for any K: a move takes its degree from the edges."""
    assert isinstance(claim.mode, Noodle)
    # The number that was meant, where one is near; else a tie may go either way by rounding.
    exact, faces = Fraction(claim.mode.ratio(claim.topology)), claim.topology.faces
    simple = exact.limit_denominator(1000)
    slack = Fraction(0) if float(simple) == claim.mode.ratio(claim.topology) else Fraction(1, 10**9)
    ratio = exact if slack else simple
    worth = {v: int(faces[v]) - ratio for v in piece}
    left = 2 * piece.number_of_edges() - sum(worth.values())
    gains = sorted((2 * d - worth[v] for v, d in piece.degree), reverse=True)
    for count, gain in enumerate(gains):
        if left < slack or (claim.mode.inclusive and left <= slack) or gain <= 0:
            return max(count, 1)
        left -= gain
    return max(len(gains), 1)


def _weigh(graph: nx.Graph, certificate: dict[str, Any], inclusive: bool) -> dict[int, Fraction]:
    """Return what the weights add up to, booked on one square of each edge and cycle."""
    if certificate.get("cycles_allowed") != int(inclusive):
        raise FalseClaim("the certificate belongs to the other rule")
    node = {int(v): Fraction(z) for v, z in certificate.get("nodes", [])}
    total = {v: -z for v, z in node.items()}
    collected = dict(total)
    seen: set[frozenset[int]] = set()
    for a, b, y in certificate.get("edges", []):
        if not graph.has_edge(a, b) or frozenset((a, b)) in seen:
            raise FalseClaim(f"squares {a} and {b} are no edge, or weighed twice")
        seen.add(frozenset((a, b)))
        if y < 0 or Fraction(y) > min(node.get(a, Fraction(0)), node.get(b, Fraction(0))):
            raise FalseClaim(f"the edge of squares {a} and {b} weighs more than its ends allow")
        total[a] += Fraction(y)
        for v in (a, b):
            collected[v] += Fraction(y)
    for cycle, weight in certificate.get("cycles", []):
        closed = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        if inclusive or weight < 0 or len(set(cycle)) != len(cycle) or len(cycle) < 3:
            raise FalseClaim("a cycle carries a weight that it must not carry")
        if not all(graph.has_edge(a, b) for a, b in closed):
            raise FalseClaim("a weighed cycle is not closed")
        for v in cycle:
            collected[v] = collected.get(v, Fraction(0)) + Fraction(weight)
        total[cycle[0]] = total.get(cycle[0], Fraction(0)) + Fraction(weight)
    if (
        any(z < 0 or v not in graph for v, z in node.items())
        or max(collected.values(), default=Fraction(0)) > 1
    ):
        raise FalseClaim("a square collects more weight than 1, or a weight is negative")
    return total


# -- other proofs, slow and independent ------------------------------------------------------


def reprove_bound(claim: BoundClaim, start: Position, seconds: float) -> Proof:
    """Prove the bound anew: by a sweep, an integer program, or all games in all orders."""
    deadline = time.perf_counter() + seconds
    if claim.counts(Network):
        return _sweep_network(claim, start, deadline)
    if claim.solution.certificate.get("kind") == "decycling":
        assert isinstance(claim.mode, Noodle)
        return _decycle_by_milp(claim.graph, claim.mode.inclusive, deadline)
    if type(claim.mode) is Shatter:
        return try_all_sets(claim, deadline)
    return _try_everything(start, claim.bound, deadline)


def _sweep_network(claim: BoundClaim, start: Position, deadline: float) -> Proof:
    """Look at all sets of removals; one that wins is played by the rules before it counts."""
    graph = claim.graph
    neighbours = {v: list(graph[v]) for v in graph}
    bound, play = prove_bound(neighbours, claim.memory, int(claim.solution.bound), deadline)
    if play is None:
        return Proof(bound, None)
    position, active = start.settled()
    made = 0
    for square in play:
        if active[square]:
            position, active = position.without(square)
            made += 1
    return Proof(bound, None if active.any() else made)


def _try_everything(start: Position, bound: int, deadline: float) -> Proof:
    """Look at all positions that cost less than the bound to get to, the cheapest first."""
    costs, numbers = start.topology.whole_costs.amounts, itertools.count()
    least = int(costs[start.open].min())
    queue = [(0, next(numbers), *start.settled())]
    seen: set[tuple[bytes, int]] = set()
    while queue:
        paid, _, position, active = heapq.heappop(queue)
        if not active.any():
            return Proof(paid, paid)
        for square in np.flatnonzero(active):
            if time.perf_counter() > deadline:
                return Proof(paid, None)
            after, still_active = position.without(int(square))
            price = paid + int(costs[square])
            leads_on = price < bound - (least if still_active.any() else 0)
            if leads_on and (after.open.tobytes(), after.memory) not in seen:
                seen.add((after.open.tobytes(), after.memory))
                heapq.heappush(queue, (price, next(numbers), after, still_active))
    return Proof(bound, None)


def _decycle_by_milp(graph: nx.Graph, inclusive: bool, deadline: float) -> Proof:
    """Solve an integer program: each edge left belongs to one of its ends, at most one to each.

    Cycles that its solution misses are added to it.
    """
    if len(graph) > LARGEST_PROGRAM:
        return Proof(0, None)
    nodes, edges = list(graph), list(graph.edges)
    place = {v: i for i, v in enumerate(nodes)}
    n, m = len(nodes), len(edges)
    lines: list[tuple[list[int], float]] = []  # (columns whose sum is at least 1, sign)
    owned: list[list[int]] = [[i] for i in range(n)]
    for k, (a, b) in enumerate(edges):
        lines.append(([place[a], place[b], n + 2 * k, n + 2 * k + 1], 1.0))
        owned[place[a]].append(n + 2 * k)
        owned[place[b]].append(n + 2 * k + 1)
    lines += [(columns, -1.0) for columns in owned]
    bound = 0
    while True:
        answer = solve_milp(
            np.concatenate([np.ones(n), np.zeros(2 * m)]),
            constraints=LinearConstraint(_rows(lines, n + 2 * m), [s for _, s in lines], np.inf),
            integrality=np.ones(n + 2 * m),
            bounds=Bounds(0, 1),
            options={"time_limit": max(deadline - time.perf_counter(), 1e-3)},
        )
        if answer.mip_dual_bound is not None and math.isfinite(answer.mip_dual_bound):
            bound = max(bound, math.ceil(answer.mip_dual_bound - 1e-6))
        if answer.status != 0:
            return Proof(bound, None)
        kept = graph.subgraph(v for v in nodes if answer.x[place[v]] < 0.5)
        cycles = [] if inclusive else nx.cycle_basis(kept)
        if not cycles:
            return Proof(bound, round(answer.fun))
        lines += [([place[v] for v in cycle], 1.0) for cycle in cycles]


def _rows(lines: list[tuple[list[int], float]], columns: int) -> csr_matrix:
    row = np.repeat(np.arange(len(lines)), [len(part) for part, _ in lines])
    col = np.concatenate([part for part, _ in lines])
    value = np.repeat([sign for _, sign in lines], [len(part) for part, _ in lines])
    return csr_matrix((value, (row, col)), shape=(len(lines), columns))
