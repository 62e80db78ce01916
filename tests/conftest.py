"""What holds for all tests: which run, which are quick, and which stay together on one core."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

# Two test processes on two cores: threads of torch and BLAS would wait for each other's turn. Set
# before either is imported, and for the processes that tests start.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

HERE = Path(__file__).parent
# These share what takes long to set up (servers, whole runs), so one process runs all of them.
# The first group that a path belongs to counts.
TOGETHER = {
    "served": ("web/test_browser", "web/test_openapi.py"),  # a server in a process of its own
    "web": ("web",),
    "reproduction": ("paper/test_reproduce.py",),
    "evaluation": ("study/test_evaluate.py",),
    "training": ("learning/test_train.py",),
    "attacks": ("hostile/test_hostile_availability.py",),
}
# `pytest -m quick`: what an edit breaks first. No browsers, training, figures or large searches.
QUICK = (
    "graph",
    "order",
    *(
        f"game/test_{name}.py"
        for name in ("boards", "contract", "engine", "exhaustive", "games", "keys", "modes")
    ),
    *(f"game/test_{name}.py" for name in ("plans", "random_play", "record", "render")),
    "agents/test_human.py",
    "cli/test_progress.py",
    "learning/test_nets.py",
    "learning/test_observation.py",
    "learning/test_replay.py",
    "paper/test_claims.py",
    "solvers/test_brute.py",
    "study/test_summary.py",
    "test_imports.py",
    "test_readme.py",
)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out the long checks unless asked for (-m full); mark the quick ones; group tests."""
    if "full" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("full") is None]
    for item in items:
        path = item.path.relative_to(HERE).as_posix()
        if path.startswith(QUICK) and item.get_closest_marker("full") is None:
            item.add_marker(pytest.mark.quick)
        group = next((name for name in TOGETHER if path.startswith(TOGETHER[name])), None)
        if group is not None:
            item.add_marker(pytest.mark.xdist_group(group))
