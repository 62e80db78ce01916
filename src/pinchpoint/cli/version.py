"""Print the version of Pinchpoint, and with --json the versions of Python and libraries."""

import json
import platform
from dataclasses import dataclass
from importlib import metadata

import pinchpoint

PARTS = ("numpy", "numba", "scipy", "networkx", "gymnasium", "torch")


@dataclass(frozen=True)
class Options:
    json: bool = False
    """Print one JSON object, with the versions of Python and of the main libraries."""


def run(options: Options) -> None:
    if options.json:
        print(json.dumps(versions()))
    else:
        print(f"pinchpoint {pinchpoint.__version__}")


def versions() -> dict[str, str | None]:
    """Return versions by name; None for an extra that is not installed."""
    found: dict[str, str | None] = {
        "pinchpoint": pinchpoint.__version__,
        "python": platform.python_version(),
    }
    for name in PARTS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found
