"""Shatter on trees: dynamic programming from the leaves to a root.

For each node, the tables hold the least cost of its subtree if the node is removed, and if it stays
in a piece with k nodes of the subtree, k = 1 … W.
"""

from __future__ import annotations

import numpy as np

from chokepoint.graph import Subgraph
from chokepoint.types import Floats, Longs, Rows


def is_tree(part: Subgraph) -> bool:
    """Whether a connected piece has no cycle."""
    return len(part.indices) == 2 * (len(part.nodes) - 1)


def shatter_tree(part: Subgraph, costs: Floats, limit: int) -> Rows:
    """Return the cheapest nodes without which no piece of the tree has more than `limit` nodes."""
    order, parent = _from_the_root(part)
    children: list[list[int]] = [[] for _ in order]
    for v in order[1:]:
        children[parent[v]].append(int(v))
    gone = np.zeros(len(order))  # least cost below and at each node if it goes
    rest = np.zeros(len(order))  # least cost below and at each node
    tables: list[list[Floats]] = [[] for _ in order]  # after each child: cost by nodes in the piece
    for v in order[::-1]:
        gone[v] = costs[v] + sum(rest[u] for u in children[v])
        table = np.zeros(1)  # [k - 1]  the node alone
        tables[v] = [table]
        for u in children[v]:
            table = _joined(table, float(gone[u]), tables[u][-1], limit)
            tables[v].append(table)
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


def _joined(table: Floats, without: float, below: Floats, limit: int) -> Floats:
    """Return the costs by size when a child is added: it goes, or its piece joins the node's."""
    sizes = min(len(table) + len(below), limit)
    best = np.full(sizes, np.inf)
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
    gone: Floats,
    rest: Floats,
    tables: list[list[Floats]],
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


def _share_of_child(k: int, cost: float, before: Floats, without: float, below: Floats) -> int:
    """Return how many of the k nodes are the child's, 0 if it goes: whatever gives this cost."""
    if k <= len(before) and before[k - 1] + without == cost:
        return 0
    for share in range(max(k - len(before), 1), min(k - 1, len(below)) + 1):
        if before[k - share - 1] + below[share - 1] == cost:
            return share
    raise AssertionError("no split of a piece has the cost that was found for it")
