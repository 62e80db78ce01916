"""Shatter on trees: from the leaves to a root.

Where all nodes cost the same, a node goes as soon as more than W nodes hang together at it. These
nodes are a connected set that must lose one, and the sets of different cuts are apart, so no plan
needs fewer.

Where they do not, dynamic programming finds the cheapest plan. For each node, the tables hold the
least cost of its subtree if the node is removed, and if it stays in a piece with k nodes of the
subtree, k = 1 … W. All tables together have up to n · W entries.
"""

from __future__ import annotations

import numpy as np

from pinchpoint.graph.algorithms import Subgraph
from pinchpoint.graph.costs import WholeCosts
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.shatter.set_packing import SetPacking
from pinchpoint.types import Array, Longs, Rows

QUICK = 1_000_000  # entries that take no time to speak of; a node takes as long as 20 of them
MOST = 100_000_000  # entries that take too much memory


def is_tree(part: Subgraph) -> bool:
    """Whether a connected piece has no cycle."""
    return len(part.indices) == 2 * (len(part.nodes) - 1)


def cut_tree(part: Subgraph, costs: WholeCosts, limit: int) -> tuple[Rows, SetPacking]:
    """Return the fewest nodes without which no piece has more than `limit` nodes, and the proof.

    Each node costs the same.
    """
    order, parent = _from_the_root(part)
    hanging, goes = np.ones(len(order), dtype=np.int64), np.zeros(len(order), dtype=np.bool_)
    for v in order[::-1]:
        goes[v] = hanging[v] > limit
        if not goes[v] and parent[v] >= 0:
            hanging[parent[v]] += hanging[v]
    cut = np.full(len(order), -1, dtype=np.int64)  # the node that goes and at which each one hangs
    for v in order:
        if goes[v]:
            cut[v] = v
        elif parent[v] >= 0:
            cut[v] = cut[parent[v]]
    removed = np.flatnonzero(goes)
    by_cut = np.argsort(cut, kind="stable")
    sets = np.split(by_cut, np.searchsorted(cut[by_cut], removed))[1:]
    return removed, SetPacking(sets, costs.amounts[removed])


def cheapest_cuts(part: Subgraph, costs: WholeCosts, limit: int, budget: Budget) -> Rows | None:
    """Return the cheapest nodes without which no piece has more than `limit` nodes.

    None if the budget ends before, or if the tables would be too large.
    """
    order, parent = _from_the_root(part)
    entries = 0
    children: list[list[int]] = [[] for _ in order]
    for v in order[1:]:
        children[parent[v]].append(int(v))
    gone = costs.amounts.copy()  # least cost below and at each node if it goes
    rest = np.zeros_like(gone)  # least cost below and at each node
    tables: list[list[Array]] = [[] for _ in order]  # after each child: cost by nodes in the piece
    for i, v in enumerate(order[::-1]):
        long = i % 100 == 0 and entries + 20 * i > QUICK
        if entries > MOST or (long and budget.is_over):
            return None
        gone[v] += sum(rest[u] for u in children[v])
        table = np.zeros_like(gone, shape=1)  # [k - 1]  the node alone
        tables[v] = [table]
        for u in children[v]:
            table = _joined(table, int(gone[u]), tables[u][-1], limit)
            tables[v].append(table)
            entries += len(table)
        rest[v] = min(gone[v], table.min())
    return np.array(sorted(_chosen(order, children, gone, rest, tables)), dtype=np.intp)


def _from_the_root(part: Subgraph) -> tuple[Longs, Longs]:
    """Return the nodes so that each comes after its parent, and the parents (-1: the root)."""
    parent = np.full(len(part.nodes), -1, dtype=np.int64)
    order = [0]
    for v in order:
        for u in part.indices[part.indptr[v] : part.indptr[v + 1]]:
            if u != parent[v]:
                parent[u] = v
                order.append(int(u))
    return np.array(order), parent


def _joined(table: Array, without: int, below: Array, limit: int) -> Array:
    """Return the costs by size when a child is added: it goes, or its piece joins the node's."""
    sizes = min(len(table) + len(below), limit)
    most = int(table.max()) + max(without, int(below.max()))
    best = np.full_like(table, most, shape=sizes)
    best[: len(table)] = table + without
    short, long = sorted((table, below), key=len)  # on a path, one table has a single entry
    for k, cost in enumerate(short, 1):
        room = min(len(long), sizes - k)
        if room > 0:
            best[k : k + room] = np.minimum(best[k : k + room], long[:room] + cost)
    return best


def _chosen(
    order: Longs,
    children: list[list[int]],
    gone: Array,
    rest: Array,
    tables: list[list[Array]],
) -> list[int]:
    """Walk down again and return the nodes that go."""
    removed: list[int] = []
    size = {int(order[0]): -1}  # nodes of the piece at and below a node; -1: whatever is cheapest
    for v in (int(v) for v in order):
        k = size[v]
        if k < 0:
            goes = gone[v] <= tables[v][-1].min()
            k = 0 if goes else int(tables[v][-1].argmin()) + 1
        if k == 0:
            removed.append(v)
            size.update(dict.fromkeys(children[v], -1))
            continue
        for i in range(len(children[v]) - 1, -1, -1):
            u, before, after = children[v][i], tables[v][i], tables[v][i + 1]
            size[u] = _share_of_child(k, after[k - 1], before, gone[u], tables[u][-1])
            k -= size[u]
    return removed


def _share_of_child(k: int, cost: int, before: Array, without: int, below: Array) -> int:
    """Return how many of the k nodes are the child's, 0 if it goes: whatever gives this cost."""
    if k <= len(before) and before[k - 1] + without == cost:
        return 0
    for share in range(max(k - len(before), 1), min(k - 1, len(below)) + 1):
        if before[k - share - 1] + below[share - 1] == cost:
            return share
    raise AssertionError("no split of a piece has the cost that was found for it")
