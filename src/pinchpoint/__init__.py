"""Pinchpoint: percolation-like games, solved and learned."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# What a user types in ten lines, and the modules it lives in. A module is imported when one of its
# names is first asked for, so that `import pinchpoint` costs nothing that is not used. Inside the
# package, and for everything else, a module is its address.
_HOMES = {
    "AGENTS": "agents.registry",
    "BoardMode": "game.modes.base",
    "Boards": "game.boards",
    "Component": "game.modes.base",
    "ComponentMode": "game.modes.base",
    "Games": "game.engine",
    "IllegalMove": "errors",
    "InputError": "errors",
    "MODES": "game.modes.table",
    "Topology": "graph.topology",
    "dismantle": "dismantling.run",
    "from_edges": "graph.topology",
    "from_networkx": "graph.readers",
    "get_agent": "agents.registry",
    "get_mode": "game.modes.table",
    "lattice": "graph.lattices",
    "load_agent": "agents.learned",
    "load_network": "graph.box",
    "networks": "graph.box",
    "play_out": "agents.registry",
    "read_boards": "game.boards",
    "read_graph": "graph.readers",
    "read_records": "game.record",
    "register_mode": "game.modes.table",
    "sample_boards": "game.sampling",
    "solve": "solvers.dispatch",
    "write_boards": "game.boards",
}

if TYPE_CHECKING:  # the same names for type checkers, held to the table by a test
    from pinchpoint.agents.learned import load_agent as load_agent
    from pinchpoint.agents.registry import AGENTS as AGENTS
    from pinchpoint.agents.registry import get_agent as get_agent
    from pinchpoint.agents.registry import play_out as play_out
    from pinchpoint.dismantling.run import dismantle as dismantle
    from pinchpoint.errors import IllegalMove as IllegalMove
    from pinchpoint.errors import InputError as InputError
    from pinchpoint.game.boards import Boards as Boards
    from pinchpoint.game.boards import read_boards as read_boards
    from pinchpoint.game.boards import write_boards as write_boards
    from pinchpoint.game.engine import Games as Games
    from pinchpoint.game.modes.base import BoardMode as BoardMode
    from pinchpoint.game.modes.base import Component as Component
    from pinchpoint.game.modes.base import ComponentMode as ComponentMode
    from pinchpoint.game.modes.table import MODES as MODES
    from pinchpoint.game.modes.table import get_mode as get_mode
    from pinchpoint.game.modes.table import register_mode as register_mode
    from pinchpoint.game.record import read_records as read_records
    from pinchpoint.game.sampling import sample_boards as sample_boards
    from pinchpoint.graph.box import load_network as load_network
    from pinchpoint.graph.box import networks as networks
    from pinchpoint.graph.lattices import lattice as lattice
    from pinchpoint.graph.readers import from_networkx as from_networkx
    from pinchpoint.graph.readers import read_graph as read_graph
    from pinchpoint.graph.topology import Topology as Topology
    from pinchpoint.graph.topology import from_edges as from_edges
    from pinchpoint.solvers.dispatch import solve as solve

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
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


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
