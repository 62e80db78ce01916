"""Chokepoint: percolation-like games, solved and learned."""

from importlib import import_module
from typing import Any

from chokepoint.registration import register_environments

__version__ = "0.1.0"

# The public names and the modules they live in. A module is imported when one of its names is
# first asked for, so that `import chokepoint` costs nothing that is not used.
_HOMES = {
    "AGENTS": "agents",
    "BoardMode": "game.modes",
    "Component": "game.modes",
    "ComponentMode": "game.modes",
    "Games": "game.engine",
    "IllegalMove": "errors",
    "InputError": "errors",
    "MODES": "game.modes",
    "Topology": "graph.topology",
    "from_edges": "graph.topology",
    "from_networkx": "graph.topology",
    "get_agent": "agents",
    "get_mode": "game.modes",
    "lattice": "graph.topology",
    "load_agent": "agents.learned",
    "play_out": "agents",
    "read_boards": "game.boards",
    "read_records": "game.record",
    "register_mode": "game.modes",
    "sample_boards": "game.boards",
    "solve": "solvers",
    "write_boards": "game.boards",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'chokepoint' has no attribute {name!r}")
    return getattr(import_module(f"chokepoint.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


register_environments()  # Gymnasium knows the environments of packages that were imported
