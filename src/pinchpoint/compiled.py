"""Compiled kernels: two decorators, a cache that belongs to the user alone, and compiled rules.

A rule is a small function of one fixed signature that a kernel calls by its address. So the kernels
are compiled once for all rules, and anybody's rule runs at the speed of the built-in ones.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.ir
import numba
import numba.extending

jit: Any = numba.njit  # its stubs know nothing of `_nrt`
config: Any = numba.config
types: Any = numba.types
cfunc: Any = numba.cfunc
ir: Any = llvmlite.ir
intrinsic: Any = numba.extending.intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT = 30 * 24 * 3600  # seconds that machine code is kept after its last use
PAUSE = 0.05  # seconds between looks at the clock, which kernels cannot do by themselves


def cache_folder() -> Path:
    """Return the folder of the user's private cache (XDG_CACHE_HOME, or ~/.cache)."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "pinchpoint"


def kernel(function: Function) -> Function:
    """Compile `function` with numba on first call and keep the machine code for the next run.

    Without `_nrt` there is no counting of references, which would cost more than many a loop; in
    return a kernel cannot make arrays, only fill those it is given. `outer_kernel` can.
    """
    _set_cache_folder()
    return cast(Function, jit(cache=True, nogil=True, _nrt=False)(function))


def outer_kernel(function: Function) -> Function:
    """Compile a function that Python calls and that may make arrays and return them.

    It lays out the arrays and calls kernels that fill them, so that no array is counted in a loop.
    """
    _set_cache_folder()
    return cast(Function, jit(cache=True, nogil=True)(function))


def _set_cache_folder() -> None:
    # Set by the first kernel and not on import of the package: a user who never runs a kernel never
    # gets a folder.
    if not config.CACHE_DIR:
        kernels = cache_folder() / "kernels"
        folder = kernels / _sources_hash()
        try:
            kernels.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            config.CACHE_DIR = str(folder)
            os.utime(folder)
            _forget_old(kernels)
        except OSError:
            pass  # a read-only home: numba then looks for a place of its own


def _sources_hash() -> str:
    """Return a hash of all modules with kernels.

    numba looks only at the file of the outermost function, and cannot read what it kept for a type
    that has another name now. So each version of the sources has a folder of its own.
    """
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        if b"pinchpoint.compiled" in source or path == Path(__file__):
            digest.update(source)
    return digest.hexdigest()


def _forget_old(kernels: Path) -> None:
    """Delete what no run has used for a month."""
    for folder in kernels.iterdir():
        if folder.stat().st_mtime < time.time() - KEPT:
            shutil.rmtree(folder, ignore_errors=True)


def inlined(function: Function) -> Function:
    """Make a part of a kernel that is always merged into it: arrays are costly to hand over."""
    return cast(Function, jit(forceinline=True, _nrt=False)(function))


def inlined_source(function: Function) -> Function:
    """Do as `inlined`, but merge before typing, so that the function may return views of arrays."""
    return cast(Function, jit(inline="always", _nrt=False)(function))


def next_chunk(chunk: int, seconds: float) -> int:
    """Return how many rounds a kernel should do next, if it took so many seconds for this chunk."""
    return int(min(max(1, chunk * PAUSE / max(seconds, 1e-6)), 8 * chunk))


# -- rules -----------------------------------------------------------------------------------

# rule(numbers: int32*, memory: int64, options: float64*) -> int64. Pointers and not arrays, for a
# call then needs no more than three registers.
RULE = types.int64(types.CPointer(types.int32), types.int64, types.CPointer(types.float64))


@cache
def _compiled_rule(function: Callable[..., Any]) -> Any:
    _set_cache_folder()
    # With numpy's error model x / 0 is inf: a rule cannot raise.
    options = {"_nrt": False, "forceinline": True, "error_model": "numpy"}
    try:
        return cfunc(RULE, cache=True, **options)(function)
    except Exception:  # no source file to keep it by, or a damaged cache; a bad rule raises again
        return cfunc(RULE, **options)(function)


def rule_address(function: Callable[..., Any]) -> int:
    """Compile a rule and return the address by which `call_rule` calls it, in this process."""
    return int(_compiled_rule(getattr(function, "py_func", function)).address)


@intrinsic  # type: ignore[untyped-decorator]
def call_rule(context: Any, address: Any, numbers: Any, memory: Any, options: Any) -> Any:
    """In a kernel: call the rule at an address with an int32 and a float64 array."""
    first = types.Array(types.int32, 1, "C")
    last = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in RULE.args]
        kind = ir.FunctionType(context.get_value_type(RULE.return_type), kinds)
        place, row, number, table = arguments
        row = context.make_array(first)(context, builder, row).data
        table = context.make_array(last)(context, builder, table).data
        rule = builder.inttoptr(place, kind.as_pointer())
        return builder.call(rule, [row, number, table], attrs=("nounwind", "readonly"))

    return RULE.return_type(types.int64, first, types.int64, last), generate
