"""Finding a user's own class or function by "package.module:Name"."""

import importlib
import sys
from typing import Any

from chokepoint.errors import InputError


def load_object(path: str) -> Any:
    """Import `package.module:Name`; modules in the current folder are found too."""
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise InputError(f"{path!r} is not of the form package.module:Name")
    # A console script has its own folder first on the path, not the one the user is in.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise InputError(f"cannot import {module_name!r} for {path!r}: {error}") from error
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise InputError(f"module {module_name!r} has no {attribute!r}") from None
