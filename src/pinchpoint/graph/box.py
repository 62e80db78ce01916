"""The networks that come with the package: small ones under free licences, each with its source.

`docs/pack_networks.py` made the files from packages that anybody can install.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from pinchpoint.checks import plain_text
from pinchpoint.errors import InputError
from pinchpoint.graph.readers import BOXED, build_topology, read_json
from pinchpoint.graph.topology import Topology


@dataclass(frozen=True)
class BoxedNetwork:
    """What is known about a network in the box."""

    name: str
    title: str
    kind: str  # power, water, internet, social
    nodes: int
    edges: int
    source: str  # the package that it is from, with its version
    licence: str
    cite: str


def _folder() -> Any:
    return resources.files("pinchpoint") / "graph" / "boxed"


@cache
def networks() -> dict[str, BoxedNetwork]:
    """Return the networks in the box, by name."""
    listed = json.loads((_folder() / "networks.json").read_text(encoding="utf-8"))
    return {name: BoxedNetwork(name=name, **about) for name, about in listed.items()}


def load_network(name: str) -> Topology:
    """Return a network of the box, with its names and positions."""
    name = plain_text(name, "the name of a network").removeprefix(BOXED)
    if name not in networks():
        raise InputError(f"there is no network {name!r} here; choose from {', '.join(networks())}")
    import gzip

    data = gzip.decompress((_folder() / f"{name}.json.gz").read_bytes())
    return build_topology(read_json(data, name), name)
