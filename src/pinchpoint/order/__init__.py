"""Orders in which the nodes of a graph go: scores, curves, reinsertion, annealing and metrics.

An order is a sequence of distinct nodes. Nothing here knows the rules of a game.
"""
