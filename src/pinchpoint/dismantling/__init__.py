"""Dismantling: in which order should nodes go so that a network falls apart soonest?

`dismantle` lets methods order the nodes of a graph and returns each order with its curve and its
numbers. `METHODS` is the table of methods; a method's name may be followed by what improves its
order (`corehd+reinsert`, `degree+reinsert+refine`). The conventions are in docs/metrics.md.
"""
