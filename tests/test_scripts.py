"""The benchmarks and the scripts of the documentation run, each in its smallest setting."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tyro

from pinchpoint.graph.box import networks
from pinchpoint.learning.presets import PAPER

ROOT = Path(__file__).parents[1]
TINY_NET = {"channels": 2, "depth": 1, "batch": 4, "replay": 200, "sizes": (5,)}


@contextmanager
def one_process(_: int) -> Iterator[Any]:
    """Take the place of worker processes, which would not know of changed constants."""
    yield SimpleNamespace(map=map)


# Arguments of each script, and constants of it that are too large here; a slice takes a part.
BENCHMARKS: dict[str, tuple[str, dict[str, Any]]] = {
    "ablation": (
        "--minutes 0 --games 2 --out a.csv",
        {
            "PACE_UPDATES": 4,
            "SIZE": 5,
            "DENSITIES": (0.7,),
            "INPUT": {"raw boards": "states"},
            "LEARNING": {"Q-learning": replace(PAPER, **TINY_NET)},
            "Q": replace(PAPER, **TINY_NET),
            "worker_pool": one_process,
        },
    ),
    "agents": ("--agents flow --sizes 6 --p 0.8 --games 3 --solved 1 --pars pars", {}),
    "baselines": ("--size 6 --count 6 --modes flow --agents degree", {}),
    "best_known": (
        "--work 0.01 --out best.csv",
        {"SIZE": 5, "COUNT": 2, "worker_pool": one_process},
    ),
    "board_size": ("--agent flow --sizes 5 6 --p 0.8 --squares 100 --rounds 1", {}),
    "dismantle": ("--nodes 500", {"SIDE": 10, "PEER_SIDE": 8}),
    "engine": ("--quick", {"SMALL": (6, 4), "LARGE": (8, 2), "HELD": 2}),
    "env": ("--quick", {"GAMES": 4, "STEPS": 2}),
    "evaluation": ("--agent flow --mode flow --games 4 --size 6", {}),
    "improve": ("--games 1 --size 6", {"CASES": (("flow", 0.8),)}),
    "solver_network": ("--size 5 --p 0.8 --count 2 --work 0.1", {}),
    "solvers": (
        "--quick --limit 0.1",
        {"QUICK_SPEED": (4, 9), "QUICK_VALUES": 2, "NOODLE": ((5, 2, 2),), "DENSITIES": (0.8,)},
    ),
    "train": ("--quick --threads 1", {"CHANGED": TINY_NET | {"sizes": (20,)}}),
    "true_q": ("--agents flow-q", {}),
    "work": ("--work 0.01 --boards 1 --mode noodle", {}),
}
SLOW_OR_ELSEWHERE = {
    "cards",  # no script
    "graph_agent",  # needs packages that are not installed
    "web",  # a server under load, and a browser
}


HERE = Path()
DOCS: dict[str, tuple[str, dict[str, Any]]] = {
    "make_campaign": ("", {"OUT": HERE / "campaign.json", "SLOTS": slice(1)}),
    "make_images": ("--agent degree", {"IMAGES": HERE / "images"}),
    "make_networks": (
        "",
        {
            "DOCS": HERE,
            "METHODS": ("degree",),
            "networks": lambda: {"karate": networks()["karate"]},
        },
    ),
    "make_paper_run": ("", {"DOCS": HERE, "BOARDS": 2, "SIZE": 5, "WORK": 0.1}),
}


def test_every_benchmark_is_run_or_has_a_reason() -> None:
    names = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert names == BENCHMARKS.keys() | SLOW_OR_ELSEWHERE


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    """A script, imported, as it runs in an empty folder."""
    folder, name = request.param
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / folder))
    monkeypatch.setattr(time, "perf_counter", time.perf_counter)  # one script puts another there
    monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(name)
    sys.modules.pop(name)


RUNS = [("benchmarks", name) for name in BENCHMARKS] + [("docs", name) for name in DOCS]


@pytest.mark.parametrize("script", RUNS, ids=lambda run: run[1], indirect=True)
def test_script_runs(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, constants = (BENCHMARKS | DOCS)[script.__name__]
    Path("images").mkdir()
    for name, value in constants.items():
        assert hasattr(script, name)
        part = getattr(script, name)[value] if isinstance(value, slice) else value
        monkeypatch.setattr(script, name, part)
    monkeypatch.setattr(sys, "argv", [script.__name__, *arguments.split()])
    if hasattr(script, "Options"):
        script.main(tyro.cli(script.Options))
    else:
        script.main()
