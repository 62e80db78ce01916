"""Chokepoint: percolation-like games, solved and learned."""

__version__ = "0.1.0"

from chokepoint.registration import register_environments

register_environments()  # Gymnasium knows the environments of packages that were imported
