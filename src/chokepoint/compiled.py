"""Compiled kernels: one decorator, and a cache that belongs to the user alone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

jit: Any = numba.njit  # its stubs know nothing of `_nrt`
config: Any = numba.config

Function = TypeVar("Function", bound=Callable[..., Any])


def cache_folder() -> Path:
    """Where the user's private cache lives (XDG_CACHE_HOME, or ~/.cache)."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "chokepoint"


def kernel(function: Function) -> Function:
    """Compile `function` with numba on first call and keep the machine code for the next run.

    Without `_nrt` there is no counting of references, which would cost more than many a loop; in
    return a kernel cannot make arrays, only fill those it is given.
    """
    # Set here and not on import of the package: who never runs a kernel never gets a folder.
    if not config.CACHE_DIR:
        folder = cache_folder() / "kernels"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            config.CACHE_DIR = str(folder)
        except OSError:
            pass  # a read-only home: numba then looks for a place of its own
    return cast(Function, jit(cache=True, nogil=True, _nrt=False)(function))


def inlined(function: Function) -> Function:
    """A part of a kernel, always merged into it: arrays are costly to hand over."""
    return cast(Function, jit(forceinline=True, _nrt=False)(function))


def inlined_source(function: Function) -> Function:
    """As `inlined`, but merged before typing, so that it may return views of arrays."""
    return cast(Function, jit(inline="always", _nrt=False)(function))
