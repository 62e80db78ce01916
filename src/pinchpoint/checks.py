"""Checks of what a caller gives: each returns the value in its plain form, or raises InputError."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.types import Longs


def whole_number(value: Any, what: str) -> int:
    """Return a whole number; floats such as 3.0, and True and False, are refused."""
    try:
        if not isinstance(value, bool | np.bool_):
            return index(value)
    except TypeError:
        pass
    raise InputError(f"{what} is {_short(value)}; it must be a whole number")


def real_number(value: Any, what: str) -> float:
    """Return a number as a float."""
    try:
        if not isinstance(value, str | bytes | bool | np.bool_):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"{what} is {_short(value)}; it must be a number")


def amount(value: Any, what: str) -> float:
    """Return a number that is finite and not negative."""
    number = real_number(value, what)
    if not (math.isfinite(number) and number >= 0):
        raise InputError(f"{what} is {number:g}; it must be a finite number, 0 or more")
    return number


def whole_numbers(values: Any, what: str) -> Longs:
    """Return an array of whole numbers; `what` names them in the plural."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise InputError(f"{what} are whole numbers; got {_short(values)}") from None
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"{what} are whole numbers; got {array.dtype}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise InputError(f"{what} are whole numbers; {array.max()} is too large")
    return array.astype(np.int64)


def file_path(path: Any) -> Path:
    """Return the path of a file."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"the name of a file is text or a path, not {_short(path)}")
    if not os.fspath(path):
        raise InputError("the name of a file is empty")
    if "\0" in os.fspath(path):
        raise InputError(f"{_short(path)} is no name of a file: there is a NUL in it")
    return Path(path)


def plain_text(value: Any, what: str) -> str:
    """Return text."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {_short(value)}; it must be text")
    return value


def one_of(value: Any, known: Iterable[str], what: str) -> None:
    """Raise InputError unless the value is one of the names that are known."""
    names = tuple(known)
    if not isinstance(value, str) or value not in names:
        raise InputError(f"there is no {what} {value!r}; choose from {', '.join(names)}")


def instance(value: Any, kind: type, what: str) -> None:
    """Raise InputError unless the value is of this class."""
    if not isinstance(value, kind):
        raise InputError(f"{what} must be of the class {kind.__name__}, not {_short(value)}")


def _short(value: Any) -> str:
    """Return what can be shown of any value in an error."""
    try:
        shown = repr(value)
    except Exception:
        shown = type(value).__name__
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
