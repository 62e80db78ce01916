"""How many random cases a test takes: a few in the ordinary run, many with `pytest -m full`."""

from typing import Any

import pytest


def few_or_many(few: int, many: int) -> Any:
    """Give a test the argument `count`: `few`, and `many` where the long checks are asked for."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.full)])
