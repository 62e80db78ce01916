"""Finding a user's own class or function by "package.module:Name".

Only what a user types names code, never a file: see `pinchpoint.game.modes.table.known_mode`.
"""

import importlib
import sys
from types import ModuleType
from typing import Any

from pinchpoint.checks import plain_text
from pinchpoint.errors import InputError


def load_object(path: str) -> Any:
    """Import `package.module:Name`; modules in the current folder are found too."""
    module_name, _, attribute = plain_text(path, "what to import").partition(":")
    if not module_name or not attribute:
        raise InputError(f"{path!r} is not of the form package.module:Name")
    try:
        module = _import(module_name)
    except ImportError as error:
        raise InputError(f"cannot import {module_name!r} for {path!r}: {error}") from error
    except Exception as error:  # what the module does when it is imported, or a name such as "."
        kind = type(error).__name__
        raise InputError(f"cannot import {module_name!r} for {path!r}: {kind}: {error}") from error
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise InputError(f"module {module_name!r} has no {attribute!r}") from None


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if "" in sys.path or error.name != name.partition(".")[0]:
            raise
    # A console script does not look in the folder the user is in. That comes last on the path, so
    # that a file there cannot take the place of a library.
    sys.path.append("")
    return importlib.import_module(name)
