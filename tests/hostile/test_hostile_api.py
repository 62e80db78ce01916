"""Callers who give the engine's public functions something else than these take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import pinchpoint
from pinchpoint import Games, InputError
from pinchpoint.game.boards import make_boards

WRONG: tuple[Any, ...] = (
    None,
    "x",
    b"x",
    0.5,
    float("nan"),
    True,
    -1,
    2**63,
    2**64 - 1,
    2**70,
    [],
    [[]],
    {},
    {"a": 1},
    set(),
    (0.5, 0),
    (1, 2, 3),
    [None],
    ["a"],
    [[1, 2], [3]],
    object(),
    np.array("x"),
    np.array([2**64 - 1]),
    np.zeros((2, 2, 2, 2)),
    np.array([[1 + 2j]]),
    lambda: None,
    int,
    Path("nowhere"),
    range(3),
)


def board() -> Games:
    return Games(np.ones((3, 4)), "network")


def three() -> Games:
    return Games(np.ones((3, 3, 4)), "flow")


# Each call with good arguments, by name; every one of them is then replaced by something wrong.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Games": (
        Games,
        {
            "boards": [[1, 1], [1, 1]],
            "mode": "flow",
            "topology": None,
        },
    ),
    "make_boards": (
        make_boards,
        {
            "given": np.ones((1, 6)),
            "mode": "flow",
            "topology": pinchpoint.lattice(2, 3),
            "numbers": [3],
        },
    ),
    "play": (lambda squares: board().play(squares), {"squares": 5}),
    "play three": (lambda squares: three().play(squares), {"squares": [1, 2, -1]}),
    "follow": (lambda plans: three().follow(plans), {"plans": np.array([[1], [2], [3]])}),
    "play_randomly": (lambda seed: board().play_randomly(seed), {"seed": 1}),
    "random_squares": (lambda seed: board().random_squares(seed), {"seed": 1}),
    "undo": (lambda rows: three().undo(rows), {"rows": [0]}),
    "redo": (lambda rows: three().redo(rows), {"rows": [0]}),
    "reset": (
        lambda rows, boards: three().reset(rows, boards),
        {"rows": [0], "boards": np.ones((1, 3, 4))},
    ),
    "take": (lambda rows: three().take(rows), {"rows": [0, 0]}),
    "history": (lambda row: three().history(row), {"row": 1}),
    "components": (lambda row: three().components(row), {"row": 1}),
    "square": (lambda row, col: board().topology.square(row, col), {"row": 1, "col": 1}),
    "lattice": (
        pinchpoint.lattice,
        {"height": 3, "width": 4, "kind": "square", "periodic": "none"},
    ),
    "from_edges": (pinchpoint.from_edges, {"edges": [(0, 1)], "n": 3, "extra_faces": 1}),
    "from_networkx": (pinchpoint.from_networkx, {"graph": nx.path_graph(3), "extra_faces": 0}),
    "get_mode": (pinchpoint.get_mode, {"mode": "flow", "axis": "both"}),
    "noodle": (
        lambda K, inclusive: pinchpoint.get_mode("noodle", K=K, inclusive=inclusive),
        {"K": 2, "inclusive": True},
    ),
    "terminals": (
        lambda terminals: Games([[1, 1]], pinchpoint.get_mode("flow", terminals=terminals)),
        {"terminals": ((0,), (1,))},
    ),
    "register_mode": (pinchpoint.register_mode, {"kind": pinchpoint.MODES["flow"]}),
    "sample_boards": (
        pinchpoint.sample_boards,
        {
            "mode": "flow",
            "size": (3, 4),
            "p": 0.9,
            "count": 2,
            "seed": 1,
            "start": 1,
            "lattice": "square",
            "periodic": "none",
        },
    ),
    "get_agent": (pinchpoint.get_agent, {"spec": "random", "seed": 1}),
    "load_agent": (pinchpoint.load_agent, {"name": "flow"}),
    "play_out": (pinchpoint.play_out, {"agent": pinchpoint.get_agent("random"), "games": board()}),
    "read_graph": (
        pinchpoint.read_graph,
        {"source": nx.path_graph(3), "undirected": True, "cost": None},
    ),
    "load_network": (pinchpoint.load_network, {"name": "karate"}),
    "dismantle": (
        pinchpoint.dismantle,
        {
            "graph": nx.path_graph(9),
            "method": "random",
            "goal": "shatter:size=2",
            "seed": 1,
            "seconds": 1.0,
        },
    ),
    "solve": (pinchpoint.solve, {"games": board(), "time_limit": 0.1, "workers": 1, "work": 0.1}),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_one_sentence(name: str) -> None:
    call, good = CALLS[name]
    call(**good)
    for argument in good:
        for wrong in WRONG:
            try:
                call(**good | {argument: wrong})
            except InputError as error:
                if not str(error).isprintable():
                    pytest.fail(f"{name}({argument}={wrong!r}) says {str(error)!r}")
            except Exception as error:
                pytest.fail(f"{name}({argument}={wrong!r}) raises {type(error).__name__}: {error}")


def test_no_function_is_forgotten() -> None:
    with_files = {"read_boards", "read_records", "write_boards"}  # see the next test
    functions = {
        name for name in pinchpoint.__all__ if inspect.isfunction(getattr(pinchpoint, name))
    }
    assert functions - {"networks"} <= CALLS.keys() | with_files


@pytest.mark.parametrize("name", ["read_boards", "read_records", "write_boards"])
def test_wrong_names_of_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function = getattr(pinchpoint, name)
    more = ([np.ones((2, 2))],) if name == "write_boards" else ()
    for wrong in (None, 5, 0.5, [], {}, object(), "", "a\0b", "x" * 5000, "/"):
        with pytest.raises(InputError):
            function(wrong, *more)
    for wrong in ([5], [None], ["ab"], [np.ones(3)], [np.full((2, 2), 7)], [[[1], [1, 2]]]):
        with pytest.raises(InputError):
            pinchpoint.write_boards(tmp_path / "boards.txt", wrong)


@pytest.mark.parametrize(
    "wrong", [(0.5, 0), (0, 1.5), 2**64 - 1, np.uint64(2**64 - 1), np.array([2**64 - 1]), 1.0, "1"]
)
def test_a_move_is_a_whole_number(wrong: Any) -> None:
    games = board()
    before = games.status.copy()
    with pytest.raises(InputError):
        games.play(wrong)
    assert np.array_equal(games.status, before)
    assert games.move_counts[0] == 0
    games.play(np.uint64(5))
    assert games.history() == [5]
