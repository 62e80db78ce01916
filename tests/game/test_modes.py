"""The contract of a mode, held by every mode in the table and by those of the documentation."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from oracles import reference

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import (
    BUILT_IN,
    MODES,
    get_mode,
    mode_from_function,
    register_mode,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import (
    ACTIVE,
    ATTACKED,
    BLOCKED,
    INACTIVE,
)
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import from_edges, moved_squares, transform

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DOCUMENT = (ROOT / "docs" / "objectives.md").read_text()

sys.path.insert(0, str(EXAMPLES))  # where a user would be


def documented() -> dict[str, Any]:
    """Run the code of the page from top to bottom; what it has defined."""
    names: dict[str, Any] = {"__name__": "__main__"}  # as in a script
    try:
        for block in re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL):
            exec(compile(block, "docs/objectives.md", "exec", dont_inherit=True), names)
    finally:
        MODES.pop("sparse", None)  # registered there; other tests see the table as it was
    return names


PAGE = documented()

CASES: dict[str, Mode] = {
    **{name: MODES[name]() for name in BUILT_IN},
    "flow horizontal": get_mode("flow", axis="horizontal"),
    "flow both": get_mode("flow", axis="both"),
    "flow terminals": get_mode("flow", terminals=((0, 7), (20, 35))),
    "noodle inclusive": get_mode("noodle", inclusive=True),
    "noodle K": get_mode("noodle", K=2.5),
    "half_span class": get_mode("half_span:HalfSpan"),
    "half_span with an option": get_mode("half_span:HalfSpan", share=0.8),
    "half_span function": get_mode("half_span:half_span"),
    "page, class": PAGE["Sparse"](),
    "page, terminals": PAGE["Delta"](),
    "page, full rule": PAGE["MyNetwork"](),
}


@pytest.fixture(params=CASES)
def mode(request: pytest.FixtureRequest) -> Mode:
    return CASES[request.param]


def some_boards(mode: Mode, size: int = 6, count: int = 6) -> npt.NDArray[np.uint8]:
    return sample_boards(mode, size, (0.6, 1.0), count, seed=8).squares


# -- the contract ----------------------------------------------------------------------------


def test_it_says_what_it_is(mode: Mode) -> None:
    assert mode.name
    assert mode.description.endswith(".")
    assert len(mode.description) > 20
    with pytest.raises(dataclasses.FrozenInstanceError):
        mode.name = "other"  # type: ignore[misc]


def test_it_is_found_again_by_what_a_record_holds(mode: Mode) -> None:
    if mode.reference not in MODES:
        pytest.skip("defined on a page, in no module")
    options = json.loads(json.dumps(mode.options()))
    assert get_mode(mode.reference, **options) == mode
    assert hash(mode) == hash(get_mode(mode.reference, **options))


def test_it_reaches_other_processes(mode: Mode) -> None:
    if mode.reference not in MODES:
        pytest.skip("defined on a page, in no module")
    assert pickle.loads(pickle.dumps(mode)) == mode
    games = Games(some_boards(mode), mode)
    games.play(games.random_squares(seed=1))
    there = pickle.loads(pickle.dumps(games))
    for each in (games, there):
        each.play_randomly(seed=1)
    assert np.array_equal(games.status, there.status)


def test_components_are_wholly_active_or_inactive(mode: Mode) -> None:
    games = Games(some_boards(mode), mode)
    laid = games.laid.copy()
    rng = np.random.default_rng(1)
    while not games.done.all():
        squares = np.array(
            [rng.choice(np.flatnonzero(row)) if row.any() else -1 for row in games.legal]
        )
        games.play(squares)
        for row in range(len(games)):
            attacked = games.history(row)
            for component in games.components(row):
                assert len(set(games.status[row, component.squares])) == 1
                assert games.status[row, component.squares[0]] in (ACTIVE, INACTIVE)
            assert np.flatnonzero(games.status[row] == ATTACKED).tolist() == sorted(attacked)
            assert np.array_equal(games.status[row] == BLOCKED, ~laid[row])
        assert np.array_equal(games.active_counts, games.active.sum(axis=1))
        assert np.array_equal(games.done, ~games.active.any(axis=1))
    assert (games.move_counts <= laid.sum(axis=1)).all()


def test_without_memory_a_position_is_judged_as_if_it_were_laid(mode: Mode) -> None:
    games = Games(some_boards(mode), mode)
    games.play_randomly(seed=1)
    if games.memory.any():
        pytest.skip("this mode remembers")
    games = Games(some_boards(mode), mode)
    while not games.done.all():
        games.play(games.random_squares(seed=2))
        opened = (games.status == ACTIVE) | (games.status == INACTIVE)
        fresh = Games(opened, mode, games.topology)
        assert np.array_equal(fresh.active, games.active)


def test_symmetries_keep_the_rule(mode: Mode) -> None:
    boards = some_boards(mode)
    for k in mode.symmetries:
        games, turned = Games(boards, mode), Games(transform(boards, k).copy(), mode)
        moved = moved_squares(6, 6, k)
        while not games.done.all():
            squares = games.random_squares(seed=3)
            games.play(squares)
            turned.play(np.where(squares >= 0, moved[squares], -1))
            assert np.array_equal(transform(games.boards, k), turned.boards)


def test_undo_and_redo(mode: Mode) -> None:
    games = Games(some_boards(mode), mode)
    seen = [(games.status.copy(), games.memory.copy(), games.labels >= 0)]
    while not games.done.all():
        games.play(games.random_squares(seed=4))
        seen.append((games.status.copy(), games.memory.copy(), games.labels >= 0))
    longest = int(games.move_counts.max())
    lengths = games.move_counts.copy()

    def same_as(moves: int) -> bool:
        return all(
            np.array_equal(now[row], seen[min(moves, lengths[row])][part][row])
            for part, now in enumerate((games.status, games.memory, games.labels >= 0))
            for row in range(len(games))
        )

    for moves in reversed(range(longest)):
        games.undo(lengths > moves)
        assert same_as(moves)
    games.undo()
    assert same_as(0)
    for moves in range(1, longest + 1):
        games.redo()
        assert same_as(moves)
    games.redo()
    assert same_as(longest)


def test_a_batch_is_as_many_single_games(mode: Mode) -> None:
    boards = some_boards(mode)
    batch = Games(boards, mode)
    singles = [Games(board, mode) for board in boards]
    while not batch.done.all():
        squares = batch.random_squares(seed=5)
        batch.play(squares)
        for single, square in zip(singles, squares, strict=True):
            single.play(int(square))
        assert np.array_equal(batch.status, np.concatenate([game.status for game in singles]))


def test_monotone_modes_stay_inactive(mode: Mode) -> None:
    """What is left of inactive squares when some more are gone is inactive."""
    if not mode.monotone(lattice(6, 6)):
        pytest.skip("makes no such promise")
    if mode.name == "shatter":  # a share of a smaller board is another rule
        mode = get_mode("shatter", size=3)
    rng = np.random.default_rng(6)
    topology = lattice(6, 6)
    opened = rng.random((3000, 36)) < rng.uniform(0.3, 0.9, size=(3000, 1))
    games = Games(opened, mode, topology)
    for keep in (0.95, 0.8, 0.5):
        rest = (games.status == INACTIVE) & (rng.random(opened.shape) < keep)
        assert not Games(rest, mode, topology).active.any()


def test_on_a_graph_it_plays_or_says_why_not(mode: Mode) -> None:
    graph = from_edges(
        [(i, (i + 1) % 36) for i in range(36)] + [(i, (i + 5) % 36) for i in range(36)]
    )
    if mode.name in ("half_span", "delta") or (
        mode.name == "flow" and mode.options().keys() <= {"axis"}
    ):
        with pytest.raises(InputError):
            Games(np.ones((2, 36)), mode, graph)
        return
    games = Games(np.ones((2, 36)), mode, graph)
    games.play_randomly(seed=7)
    assert games.done.all()


# -- the example -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["half_span:HalfSpan", "half_span:half_span"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (6, 6), (7, 5), (9, 12)])
def test_the_example_follows_its_rule(name: str, shape: tuple[int, int]) -> None:
    mode, judge = get_mode(name), reference.half_span(*shape)
    neighbours = reference.lattice_neighbours(*shape)
    for board in sample_boards(mode, shape, 0.8, 5, seed=9).squares:
        fast = Games(board, mode)
        slow = reference.SlowGame(neighbours, np.flatnonzero(board).tolist(), judge)
        while not slow.done:
            square = int(fast.random_squares(seed=1)[0])
            fast.play(square)
            slow.play(square)
            assert fast.status[0].tolist() == slow.status()
        assert fast.done[0]


def test_the_example_is_what_the_page_shows() -> None:
    source = (EXAMPLES / "half_span.py").read_text()
    function = source[source.index("def half_span") : source.index("\n\nif __name__")].strip()
    assert function in DOCUMENT


def test_the_example_runs_by_itself() -> None:
    answer = subprocess.run(
        [sys.executable, "half_span.py"], cwd=EXAMPLES, capture_output=True, text=True, timeout=300
    )
    assert answer.returncode == 0, answer.stderr
    assert "moves on average" in answer.stdout


def test_the_command_line_takes_the_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = pytest.importorskip("pinchpoint.cli.main")
    monkeypatch.chdir(EXAMPLES)
    arguments = ["--size", "6", "--count", "3", "--json"]
    assert cli.main(["play", "random", "--mode", "half_span:HalfSpan", *arguments]) == 0
    assert "half_span" in capsys.readouterr().out
    wrong = ["play", "random", "--mode", "half_span:HalfSpan", "--rule", "share=2", *arguments]
    assert cli.main(wrong) == 2
    assert "at most 1" in capsys.readouterr().err


# -- the table, options and mistakes ---------------------------------------------------------


def test_names_in_the_table_are_the_modes_own() -> None:
    assert sorted(BUILT_IN) == ["flow", "network", "noodle", "shatter"]
    assert all(MODES[name].name == name for name in BUILT_IN)


def test_options_are_those_that_differ_from_the_default() -> None:
    assert get_mode("network").options() == {}
    assert get_mode("noodle").options() == {}
    assert get_mode("noodle", K=2).on(lattice(3, 3)).options() == {}
    assert get_mode("noodle", K=2).on(lattice(3, 3, "triangular")).options() == {"K": 2.0}
    assert get_mode("noodle", K=4).on(lattice(3, 3, "triangular")).options() == {}
    assert get_mode("noodle", K=3, inclusive=True).options() == {"K": 3.0, "inclusive": True}
    assert get_mode("flow", axis="both").options() == {"axis": "both"}
    terminals = get_mode("flow", terminals=([3, 1, 1], [2])).options()
    assert terminals == {"terminals": [[1, 3], [2]]}


def test_terminals_of_flow() -> None:
    board = lattice(2, 3)
    for axis, pairs in (
        ("vertical", [([0, 1, 2], [3, 4, 5])]),
        ("horizontal", [([0, 3], [2, 5])]),
        ("both", [([0, 1, 2], [3, 4, 5]), ([0, 3], [2, 5])]),
    ):
        found = get_mode("flow", axis=axis).terminal_sets(board)
        assert [(a.tolist(), b.tolist()) for a, b in found] == pairs


def test_a_made_mode_is_taken_as_it_is() -> None:
    mode = get_mode("noodle", K=3)
    assert get_mode(mode) is mode


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("netwrok", {}, "choose from network, flow, noodle"),
        ("", {}, "choose from network, flow, noodle"),
        ("network", {"K": 2}, "no option 'K'; it takes none"),
        ("flow", {"axes": "both"}, "no option 'axes'; it takes axis, terminals"),
        ("flow", {"axis": "diagonal"}, "vertical, horizontal, both"),
        ("flow", {"terminals": ((1,),)}, "two"),
        ("flow", {"terminals": 3}, "two"),
        ("noodle", {"K": 0}, "greater than 0"),
        ("noodle", {"K": float("nan")}, "greater than 0"),
        ("noodle", {"K": float("inf")}, "greater than 0"),
        ("noodle", {"K": "two"}, "K"),
        ("noodle", {"inclusive": "yes"}, "inclusive"),
        ("no_such_module:Mode", {}, "cannot import 'no_such_module'"),
        ("half_span:Nothing", {}, "has no 'Nothing'"),
        ("half_span:", {}, "package.module:Name"),
        ("json:JSONDecoder", {}, "neither a Mode class nor a function"),
        ("half_span:HalfSpan", {"share": 0}, "above 0"),
        ("half_span:ComponentMode", {}, "has no name"),
    ],
)
def test_mistakes_are_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        get_mode(name, **options)


def test_options_of_a_made_mode_cannot_be_changed() -> None:
    with pytest.raises(InputError):
        get_mode(get_mode("noodle"), K=3)


@pytest.mark.parametrize("nodes", [((), (1,)), ((-1,), (1,)), ((0,), (9,))])
def test_terminals_must_be_on_the_board(nodes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    with pytest.raises(InputError):
        Games(np.ones((3, 3)), get_mode("flow", terminals=nodes))


def test_flow_on_a_graph_needs_terminals() -> None:
    with pytest.raises(InputError):
        Games(np.ones((1, 3)), "flow", from_edges([(0, 1), (1, 2)]))


def test_register_mode() -> None:
    mode = mode_from_function(lambda component: component.size > 3, name="large")
    assert mode.description == "A component rule."
    try:
        assert register_mode(mode) is mode
        assert register_mode(mode) is mode  # twice does no harm
        games = Games([[1, 1, 1, 1, 0, 1]], "large")
        assert games.status.tolist() == [[1, 1, 1, 1, 0, 2]]
        other = mode_from_function(lambda component: True, name="large")
        with pytest.raises(InputError):
            register_mode(other)
    finally:
        MODES.pop("large", None)


def test_a_full_rule_must_judge_every_component() -> None:
    @dataclasses.dataclass(frozen=True)
    class Short(PAGE["MyNetwork"]):  # type: ignore
        def settle(self, components: Any, memory: int) -> Any:
            return [True], memory

    with pytest.raises(InputError):
        Games([[1, 0, 1]], Short())


@pytest.mark.parametrize("name", BUILT_IN)
def test_modes_say_whether_the_size_of_a_piece_decides(name: str) -> None:
    games = Games(sample_boards(name, 6, 0.8, 40, seed=3), name)
    decides = True
    while not games.done.all():
        for row in range(len(games)):
            for piece in games.components(row):
                active = games.status[row, piece.squares[0]] == ACTIVE
                decides &= bool(active == (piece.size > games.memory[row]))
        games.play(games.random_squares(seed=1))
    assert get_mode(name).by_size == decides


@pytest.mark.parametrize("name", BUILT_IN)
def test_modes_say_how_large_pieces_may_be(name: str) -> None:
    mode = get_mode(name)
    if mode.allowed_size(36) is None:
        assert mode.with_allowed_size(5) == mode
        return
    for told in (mode, mode.with_allowed_size(5)):
        games = Games(np.ones((1, 6, 6)), told)
        assert games.memory[0] == told.allowed_size(36)
    assert mode.with_allowed_size(5).allowed_size(36) == 5
