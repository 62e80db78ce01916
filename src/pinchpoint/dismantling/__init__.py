"""Dismantling: in which order should nodes go so that a network falls apart soonest?

`dismantle` lets methods order the nodes of a graph and returns each order with its curve and its
numbers. `METHODS` is the table of methods; a method's name may be followed by what improves its
order (`corehd+reinsert`, `degree+reinsert+refine`). The conventions are in docs/metrics.md.
"""

from pinchpoint.dismantling.methods import METHODS, Method, Task, make_order
from pinchpoint.dismantling.metrics import Metrics, auc, full_order, nodes_to, robustness
from pinchpoint.dismantling.run import (
    Dismantling,
    dismantle,
    parse_goal,
    result_paths,
    write_results,
)
from pinchpoint.graph import sampled_betweenness

__all__ = [
    "METHODS",
    "Dismantling",
    "Method",
    "Metrics",
    "Task",
    "auc",
    "dismantle",
    "full_order",
    "make_order",
    "nodes_to",
    "parse_goal",
    "result_paths",
    "robustness",
    "sampled_betweenness",
    "write_results",
]
