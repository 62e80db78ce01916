"""The graphs under the boards: who touches whom, and what else is known about the nodes.

A `Topology` is a lattice or any undirected graph. The room also holds the algorithms on graphs that
several rooms share, and the shortcut that only a planar square grid may take. Nothing here knows
the rules of a game.
"""
