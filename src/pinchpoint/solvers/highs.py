"""HiGHS, by way of scipy, without the lines that it prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scipy.optimize import milp


def solve_milp(*arguments: Any, **options: Any) -> Any:
    """Call `scipy.optimize.milp`; what HiGHS prints goes to standard error."""
    with _printing_to_stderr():
        return milp(*arguments, **options)


@contextmanager
def _printing_to_stderr() -> Iterator[None]:
    """Lead the file of standard output to that of standard error.

    HiGHS writes some remarks to the file itself, whatever its options say and whatever Python calls
    `sys.stdout`; and standard output may be JSON for another program.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (AttributeError, OSError):  # one of them is closed
        yield
        return
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
