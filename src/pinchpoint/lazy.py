"""Front doors whose names are imported when they are first asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def lazy_attribute(package: str, homes: Mapping[str, str], name: str) -> Any:
    """Import `name` from its module of the package; `homes` says which that is.

    A package calls this in its `__getattr__`, so that importing it costs nothing that is not used.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(f"{package}.{homes[name]}"), name)
