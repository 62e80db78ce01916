"""Chokepoint: percolation-like games, solved and learned."""

__version__ = "0.1.0"
