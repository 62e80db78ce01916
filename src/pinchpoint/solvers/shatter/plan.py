"""Plans for shatter on any graph: by degree, without what is not needed, then torn and mended."""

from __future__ import annotations

import numpy as np

from pinchpoint.game.growth import without_spare
from pinchpoint.game.judge import Judge
from pinchpoint.game.modes.shatter import Shatter
from pinchpoint.graph.algorithms import Subgraph, components, subgraph
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.graph.topology import Topology
from pinchpoint.order.orders import nodes_until, pieces_up_to
from pinchpoint.order.reinsertion import reinserted
from pinchpoint.order.scores import degree_order
from pinchpoint.solvers.budget import Budget
from pinchpoint.types import Bools, Floats, Rows

SEED = 7  # the same piece always gets the same plan, if seconds are not what ends the search
NOISE = 2.0  # degrees that chance may add, so that mending finds something else
MOST_TORN = 12  # nodes of a plan that are put back at a time, at most
TRIAL, TRIAL_NODE = 700.0, 6.0  # prices of a trial, and of each node of the piece in it
IDLE = 100  # trials without a better plan after which the search ends, for each 10 nodes


def best_plan(
    part: Subgraph,
    costs: WholeCosts,
    limit: int,
    bound: int,
    budget: Budget,
    known: Rows | None = None,
) -> Rows:
    """Return nodes without which no piece has more than `limit` nodes, none of them to spare."""
    rng = np.random.default_rng(SEED)
    n = len(part.nodes)
    best, floats = np.zeros(n, dtype=np.bool_), costs.floats
    best[shatter_by_degree(part, floats, limit, np.zeros(n)) if known is None else known] = True
    value, idle = costs.of(np.flatnonzero(best)), 0
    while bound < value and idle < IDLE * (1 + n // 10) and not budget.is_over:
        budget.spend(TRIAL + TRIAL_NODE * n)
        trial = mended(part, floats, limit, best, rng)
        cost = costs.of(np.flatnonzero(trial))
        idle = 0 if cost < value else idle + 1
        if cost <= value:
            best, value = trial, cost
    return np.flatnonzero(best)


def shatter_by_degree(part: Subgraph, costs: Floats, limit: int, noise: Floats) -> Rows:
    """Remove nodes by degree until all pieces are small, and put back what is not needed."""
    indptr, indices = part.indptr, part.indices
    order = degree_order(indptr, indices, noise, costs)
    small = pieces_up_to(limit)
    order = reinserted(indptr, indices, nodes_until(indptr, indices, order, small), costs)
    needed = nodes_until(indptr, indices, order, small)
    return minimal(part, needed.astype(np.intp), limit)


def mended(
    part: Subgraph, costs: Floats, limit: int, removed: Bools, rng: np.random.Generator
) -> Bools:
    """Put back some nodes of a plan that are near each other; break up what is too large then."""
    chosen = _near_each_other(part, removed, rng)
    trial = removed.copy()
    trial[chosen] = False
    for nodes in components(part.indptr, part.indices, ~trial):
        if len(nodes) > limit:
            piece = subgraph(part.indptr, part.indices, nodes)
            noise = rng.random(len(nodes)) * NOISE
            trial[nodes[shatter_by_degree(piece, costs[nodes], limit, noise)]] = True
    kept = minimal(part, rng.permutation(np.flatnonzero(trial)), limit)
    trial[:] = False
    trial[kept] = True
    return trial


def minimal(part: Subgraph, removed: Rows, limit: int) -> Rows:
    """Return the nodes without those that can stay, asked one after the other in this order."""
    faces = np.zeros(len(part.nodes), dtype=np.int32)  # do not matter
    graph = Topology(part.indptr, part.indices, faces)
    return without_spare(Judge(Shatter(size=limit), graph), removed)


def _near_each_other(part: Subgraph, removed: Bools, rng: np.random.Generator) -> Rows:
    """Return some of the removed nodes, found by a search from a random one of them."""
    plan = np.flatnonzero(removed)
    wanted = int(rng.integers(1, min(MOST_TORN, len(plan)) + 1))
    queue = [int(rng.choice(plan))]
    seen, found = set(queue), []
    for v in queue:
        if removed[v]:
            found.append(v)
            if len(found) == wanted:
                break
        near = [int(u) for u in part.indices[part.indptr[v] : part.indptr[v + 1]]]
        queue += [u for u in near if u not in seen]
        seen.update(near)
    return np.array(found, dtype=np.intp)
