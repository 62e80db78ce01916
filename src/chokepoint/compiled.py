"""Compiled kernels: one decorator, and a cache that belongs to the user alone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def cache_folder() -> Path:
    """Where the user's private cache lives (XDG_CACHE_HOME, or ~/.cache)."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "chokepoint"


def kernel(function: Function) -> Function:
    """Compile `function` with numba on first call and keep the machine code for the next run."""
    # Set here and not on import of the package: who never runs a kernel never gets a folder.
    if not numba.config.CACHE_DIR:
        folder = cache_folder() / "kernels"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            numba.config.CACHE_DIR = str(folder)
        except OSError:
            pass  # a read-only home: numba then looks for a place of its own
    return numba.njit(cache=True, nogil=True, _nrt=False)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    return numba.njit(inline="always", _nrt=False)(function)
