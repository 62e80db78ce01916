"""What holds for all tests."""

from __future__ import annotations

from typing import Any


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """The long checks run when asked for (-m full)."""
    if "full" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("full") is None]
