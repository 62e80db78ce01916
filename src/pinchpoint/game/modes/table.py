"""The modes: a table from names to rules, and ways to add your own."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar

from pinchpoint.errors import InputError
from pinchpoint.files import parse_json
from pinchpoint.game.modes.base import (
    Component,
    ComponentMode,
    Mode,
)
from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.modes.network import Network
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.modes.shatter import Shatter
from pinchpoint.plugins import load_object

BUILT_IN: dict[str, type[Mode]] = {mode.name: mode for mode in (Network, Flow, Noodle, Shatter)}
MODES = dict(BUILT_IN)  # and those that a user adds


def get_mode(mode: str | Mode, **options: Any) -> Mode:
    """Return a mode by name, or one of your own as "package.module:Name", with its options."""
    if isinstance(mode, Mode):
        if options:
            raise InputError("options go with the name of a mode, not with a mode that is made")
        return mode
    if not isinstance(mode, str):
        raise InputError(f"a mode is a name or a Mode, not {mode!r}")
    return _make(MODES.get(mode) or _plugin(mode), options)


def parse_options(words: Iterable[str], example: str) -> dict[str, Any]:
    """Return options of a mode from words such as axis=both, K=3 or inclusive=true."""
    options: dict[str, Any] = {}
    for word in words:
        name, separator, value = word.partition("=")
        if not separator or not name:
            raise InputError(f"the option {word!r} is not of the form name=value; write {example}")
        try:
            options[name] = parse_json(value)
        except ValueError:
            options[name] = value  # plain words need no quotes
    return options


def known_mode(name: str, options: Mapping[str, Any]) -> Mode:
    """Return a mode that a file names. A file never makes us import code.

    The modes of the package are known, and those of the user's own that were loaded by `get_mode`
    or entered by `register_mode` before.
    """
    if name not in MODES and ":" in name:
        raise InputError(
            f"the mode {name!r} is not one of ours, and a file alone does not load code; if you "
            f"trust it, say so: --mode {name} (get_mode({name!r}) in Python)"
        )
    return _make(MODES.get(name) or _plugin(name), options)


def _make(kind: type[Mode], options: Mapping[str, Any]) -> Mode:
    known = [f.name for f in fields(kind)]
    for name in options:
        if name not in known:
            allowed = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InputError(f"mode {kind.name} has no option {name!r}; {allowed}")
    try:
        return kind(**options)
    except TypeError as error:
        raise InputError(f"mode {kind.name} does not take {dict(options)}: {error}") from error


def register_mode(kind: type[Mode]) -> type[Mode]:
    """Add a mode to the table under its name (usable as a class decorator)."""
    if not (isinstance(kind, type) and issubclass(kind, Mode) and hasattr(kind, "name")):
        raise InputError(f"a mode is a class derived from Mode with a name, not {kind!r}")
    if MODES.get(kind.name, kind) is not kind:
        raise InputError(f"there is already a mode called {kind.name!r}")
    MODES[kind.name] = kind
    return kind


def mode_from_function(
    function: Callable[[Component], bool], name: str | None = None, description: str | None = None
) -> type[Mode]:
    """Make a mode from a function that says whether a component is active."""
    doc = (function.__doc__ or "A component rule.").strip().splitlines()[0]
    title, about = name or function.__name__, description or doc

    @dataclass(frozen=True)
    class FunctionMode(ComponentMode):
        name: ClassVar[str] = title
        description: ClassVar[str] = about

        def is_active(self, component: Component) -> bool:
            return bool(function(component))

        def __reduce__(self) -> tuple[Any, ...]:
            return get_mode, (self.reference,)  # this class has no name that pickle could find

    FunctionMode.__name__ = FunctionMode.__qualname__ = title
    return FunctionMode


def _plugin(path: str) -> type[Mode]:
    if ":" not in path:
        raise InputError(
            f"there is no mode {path!r}; choose from {', '.join(MODES)}, "
            "or name your own as package.module:Name"
        )
    found = load_object(path)
    if isinstance(found, type) and issubclass(found, Mode):
        if not hasattr(found, "name"):
            raise InputError(f"{path} has no name; give the class `name` and `description`")
        kind = found
    elif callable(found) and not isinstance(found, type):
        kind = mode_from_function(found)
    else:
        raise InputError(f"{path} is neither a Mode class nor a function of a component")
    kind.path = path  # records and weights carry it, and find the rule again by it
    copyreg.pickle(kind, _by_reference)  # and so do other processes
    MODES[path] = kind
    return kind


def _by_reference(mode: Mode) -> tuple[Any, ...]:
    return partial(get_mode, mode.reference, **mode.options()), ()
