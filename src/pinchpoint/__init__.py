"""Pinchpoint: percolation-like games, solved and learned."""

from typing import Any

from pinchpoint.lazy import lazy_attribute

__version__ = "0.1.0"

# The public names and the rooms they live in. A room is imported when one of its names is first
# asked for, so that `import pinchpoint` costs nothing that is not used.
_HOMES = {
    "AGENTS": "agents",
    "BoardMode": "game",
    "Component": "game",
    "ComponentMode": "game",
    "Games": "game",
    "IllegalMove": "errors",
    "InputError": "errors",
    "MODES": "game",
    "Topology": "graph",
    "dismantle": "dismantling",
    "from_edges": "graph",
    "from_networkx": "graph",
    "get_agent": "agents",
    "get_mode": "game",
    "lattice": "graph",
    "load_agent": "agents",
    "load_network": "graph",
    "networks": "graph",
    "play_out": "agents",
    "read_boards": "game",
    "read_graph": "graph",
    "read_records": "game",
    "register_mode": "game",
    "sample_boards": "game",
    "solve": "solvers",
    "write_boards": "game",
}

__all__ = [*_HOMES, "__version__"]

# The names of the environments in Gymnasium's registry, and their arguments.
_ENVIRONMENTS: dict[str, dict[str, str]] = {
    "pinchpoint/Network-v0": {"mode": "network"},
    "pinchpoint/Flow-v0": {"mode": "flow"},
    "pinchpoint/Noodle-v0": {"mode": "noodle"},
    "pinchpoint/Shatter-v0": {"mode": "shatter"},
    "pinchpoint/Custom-v0": {},  # mode="package.module:Name", or any name in the table of modes
}


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)


def _register_environments() -> None:
    """Enter the environments in Gymnasium's registry, if the extra `env` is installed.

    Gymnasium finds the environments of packages that have been imported, and in no other way. The
    entries name the module, so that the engine is imported only when an environment is made.
    """
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for name, kwargs in _ENVIRONMENTS.items():
        if name not in registry:
            register(
                id=name,
                entry_point="pinchpoint.game.environments:PinchpointEnv",
                vector_entry_point="pinchpoint.game.environments:PinchpointVectorEnv",
                kwargs=dict(kwargs),
            )


_register_environments()
