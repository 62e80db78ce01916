"""Sampling boards, named sets, and board files good and bad."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pinchpoint.errors import InputError
from pinchpoint.game.boards import (
    Boards,
    make_boards,
    parse_rows,
    read_boards,
    text_rows,
    write_boards,
)
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.sampling import SETS, board_set, sample_boards, sample_games, sample_on
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import from_edges

some_boards = arrays.arrays(
    np.uint8, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 1)
)


def same(first: Boards, second: Boards) -> bool:
    return (
        first.mode == second.mode
        and first.topology.fingerprint == second.topology.fingerprint
        and all(
            np.array_equal(getattr(first, name), getattr(second, name))
            for name in ("laid", "numbers", "p")
        )
    )


# -- the value -------------------------------------------------------------------------------


def test_boards_are_taken_as_numpy_takes_rows() -> None:
    boards = sample_boards("flow", 5, (0.6, 1.0), 6, seed=1)
    one_by_one = list(boards)
    assert [len(board) for board in one_by_one] == [1] * 6
    for rows in ([2, 4], np.array([2, 4]), np.isin(np.arange(6), (2, 4)), slice(2, 6, 2)):
        some = boards[rows]
        assert some.numbers.tolist() == [2, 4]
        assert np.array_equal(some.p, boards.p[[2, 4]])
        assert np.array_equal(some.laid, np.concatenate([one_by_one[i].laid for i in (2, 4)]))
    assert boards.in_mode("noodle").mode == get_mode("noodle")


def test_numpy_takes_boards_for_an_array() -> None:
    boards = sample_boards("flow", (4, 6), 0.8, 3, seed=1)
    assert np.array_equal(np.asarray(boards), boards.squares)
    path = from_edges([(0, 1), (1, 2)])
    assert np.asarray(make_boards([1, 1, 1], "shatter", path)).shape == (1, 3)


def test_games_on_part_of_the_boards_are_played_at_random_as_in_the_whole() -> None:
    boards = sample_boards("network", 6, 0.8, 9, seed=2)
    whole, part = Games(boards), Games(boards[5:])
    whole.play_randomly(seed=3)
    part.play_randomly(seed=3)
    assert [part.history(i) for i in range(4)] == [whole.history(i) for i in range(5, 9)]


def test_boards_say_their_size() -> None:
    assert sample_boards("flow", (4, 6)).size == "4x6"
    torus = sample_boards("noodle", (4, 6), lattice="triangular", periodic="both")
    assert torus.size == "4x6 triangular both"
    graph = from_edges([(0, 1), (1, 2)])
    assert replace(make_boards(np.ones(3), "network", graph), name="path").size == "path"


def test_boards_and_an_array_make_the_same_games() -> None:
    boards = sample_boards("flow", 5, 0.8, 3, seed=1)
    for games in (Games(boards), Games(boards.squares, "flow")):
        assert np.array_equal(games.laid, boards.laid)
        assert games.mode == get_mode("flow")
    assert Games(boards, "noodle").mode == get_mode("noodle")
    with pytest.raises(InputError):
        Games(boards.squares)
    with pytest.raises(InputError):
        Games(boards, "flow", boards.topology)


def test_boards_travel_between_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = Path(__file__).parents[2] / "examples"
    monkeypatch.syspath_prepend(examples)
    mode = get_mode("half_span:HalfSpan")
    boards = sample_boards(mode, 6, 0.8, 4, seed=1, lattice="triangular")
    back = pickle.loads(pickle.dumps(boards))
    assert same(back, boards)
    assert back.topology is boards.topology  # a lattice is found by its name
    costs = replace(boards.topology, costs=np.arange(1.0, 37.0))
    dear = pickle.loads(pickle.dumps(replace(boards, topology=costs)))
    assert dear.topology.fingerprint == costs.fingerprint
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).mode.reference)"
    command = [sys.executable, "-c", code]
    sent = pickle.dumps(boards)
    heard = subprocess.run(command, input=sent, stdout=subprocess.PIPE, check=True, cwd=examples)
    assert heard.stdout.decode().strip() == "half_span:HalfSpan"


# -- sampling --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODES)
def test_no_sampled_board_is_over_when_laid(name: str) -> None:
    boards = sample_boards(name, (5, 8), 0.5, 200, seed=1)
    assert boards.squares.shape == (200, 5, 8)
    assert set(np.unique(boards.laid)) == {0, 1}
    assert not Games(boards).done.any()
    assert boards.seed == 1
    assert (boards.p == 0.5).all()


def test_finished_boards_are_drawn_again_and_others_are_kept() -> None:
    """Two modes sample the same boards but for those that are over in one of them."""
    anything = get_mode("noodle", K=100)  # over only without any open square
    plain = sample_boards(anything, 6, 0.6, 300, seed=2)
    over = Games(plain, "flow").done
    drawn = sample_boards("flow", 6, 0.6, 300, seed=2)
    assert 0 < over.sum() < 300
    assert np.array_equal((plain.laid != drawn.laid).any(axis=1), over)


def test_squares_are_open_with_probability_p() -> None:
    anything = get_mode("noodle", K=100)
    for p in (0.2, 0.55, 0.8):
        boards = sample_boards(anything, 20, p, 500, seed=3).squares
        error = np.sqrt(p * (1 - p) / boards.size)
        assert abs(boards.mean() - p) < 5 * error
        # Neighbours are independent, and so are boards.
        inside = boards - boards.mean()
        assert abs((inside[:, :, 1:] * inside[:, :, :-1]).mean()) < 5 * error
        assert abs((inside[1:] * inside[:-1]).mean()) < 5 * error
    assert sample_boards(anything, 20, 1.0, 3, seed=3).laid.all()


def test_a_range_of_p_is_drawn_from_uniformly() -> None:
    topology = lattice(20, 20)
    boards = sample_on(topology, "noodle", (0.6, 1.0), 2000, seed=4)
    opened, densities = boards.laid, boards.p
    assert densities.min() >= 0.6
    assert densities.max() <= 1.0
    counts = np.histogram(densities, bins=8, range=(0.6, 1.0))[0]
    assert np.abs(counts - 250).max() < 5 * np.sqrt(250)
    assert np.abs(opened.mean(axis=1) - densities).max() < 6 * 0.5 / np.sqrt(400)


def test_boards_do_not_depend_on_the_count() -> None:
    def sample(count: int, seed: int = 5, start: int = 0) -> Boards:
        return sample_boards("network", 7, (0.5, 1.0), count, seed, start)

    many = sample(50)
    assert same(sample(8), many[:8])
    assert same(sample(20, start=30), many[30:])
    assert not np.array_equal(sample(8, seed=6).laid, many[:8].laid)


def test_boards_are_those_of_every_machine() -> None:
    """Written down once: a change of these is a change of all published boards."""
    boards = sample_boards("network", (3, 8), 0.7, 2, seed=2024)
    assert [text_rows(board) for board in boards.squares] == [
        ["##ooo#o#", "#oo###o#", "#o#ooo#o"],
        ["oooooo#o", "o##oo#oo", "#o#ooooo"],
    ]


def test_sampled_games_are_laid_on_the_sampled_boards() -> None:
    topology = lattice(5, 5)
    boards = sample_on(topology, "flow", (0.4, 1.0), 60, seed=1, start=7)
    games = sample_games(topology, "flow", (0.4, 1.0), 60, seed=1, start=7)
    assert np.array_equal(games.status, Games(boards).status)
    assert np.array_equal(games.numbers, boards.numbers)


def test_large_samples_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sample_boards("flow", 5, (0.4, 1.0), 20, seed=1)
    monkeypatch.setattr("pinchpoint.game.sampling.AT_ONCE", 75)
    assert same(sample_boards("flow", 5, (0.4, 1.0), 20, seed=1), whole)


def test_boards_of_a_graph() -> None:
    ring = from_edges([(i, (i + 1) % 30) for i in range(30)])
    boards = sample_on(ring, "network", 0.9, 20, seed=1)
    assert boards.laid.shape == (20, 30)
    assert (boards.p == 0.9).all()
    assert not Games(boards).done.any()


def test_no_boards() -> None:
    assert sample_boards("flow", 5, 0.8, 0, seed=1).squares.shape == (0, 5, 5)


@pytest.mark.parametrize("name", SETS)
def test_named_sets(name: str) -> None:
    chosen = board_set(name)
    assert chosen.mode in name
    assert len(sample_boards(chosen.mode, chosen.size, chosen.p, 3, chosen.seed)) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": 1.2}, "between 0 and 1"),
        ({"p": -0.1}, "between 0 and 1"),
        ({"p": (0.9, 0.5)}, "must ascend"),
        ({"p": float("nan")}, "between 0 and 1"),
        ({"size": 0}, "1 to 1000 squares a side"),
        ({"size": (4, 5000)}, "1 to 1000 squares a side"),
        ({"count": -1}, "both must be"),
        ({"start": -1}, "both must be"),
        ({"count": 10**9}, "sample them in parts"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "whole number"),
        ({"p": 0.0}, "choose a larger p"),
        ({"size": 1, "mode": "noodle"}, "larger board"),
        ({"mode": "netwrok"}, "choose from network"),
    ],
)
def test_sampling_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample_boards(**{"mode": "flow", "size": 4, "p": 0.8, "seed": 1, **options})


def test_unknown_set() -> None:
    with pytest.raises(InputError):
        board_set("exam")


# -- files -----------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(boards=st.lists(some_boards, min_size=1, max_size=4))
def test_text_files_give_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, boards: list[npt.NDArray[np.uint8]]
) -> None:
    path = tmp_path_factory.mktemp("boards") / "boards.txt"
    write_boards(path, boards)
    back = read_boards(path, "flow")
    squares = [board for some in back for board in some.squares]
    assert len(squares) == len(boards)
    assert all(np.array_equal(a, b) for a, b in zip(squares, boards, strict=True))
    numbers = [number for some in back for number in some.numbers]
    assert numbers == list(range(len(boards)))
    assert all(some.mode == get_mode("flow") for some in back)


def test_npz_files_give_back_what_was_written(tmp_path: Path) -> None:
    boards = sample_boards("flow", (4, 6), 0.8, 5, seed=1)
    write_boards(tmp_path / "boards.npz", boards)
    [back] = read_boards(tmp_path / "boards.npz")
    assert np.array_equal(back.squares, boards.squares)
    with np.load(tmp_path / "boards.npz") as file:
        assert file["boards"].dtype == np.uint8
    assert [path.name for path in tmp_path.iterdir()] == ["boards.npz"]


def test_all_symbols_but_the_blocked_one_are_open() -> None:
    assert parse_rows(["#ox", "*.#"]).tolist() == [[0, 1, 1], [1, 1, 0]]
    assert text_rows(np.array([[0, 1], [2, 3]])) == ["#o", "x*"]


def test_blank_lines_part_boards(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("\n\n  oo \n  o# \n\n \n...\n\n")
    read = [board.squares.tolist() for board in read_boards(path)]
    assert read == [[[[1, 1], [1, 0]]], [[[1, 1, 1]]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no board"),
        ("\n \n", "holds no board"),
        ("oo\no", "row 2: 1 squares, but the first row has 2"),
        ("oo\no?", "row 2, column 2: unknown symbol '?'"),
        ("oo\n\nö", "line 3, row 1, column 1: unknown symbol 'ö'"),
        ("o" * 1001, "1 to 1000 squares a side"),
    ],
)
def test_bad_text_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_boards(path)
    assert str(path) in str(caught.value) or "squares a side" in message


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "picture.txt"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(InputError):
        read_boards(path)
    for missing in (tmp_path / "missing.txt", tmp_path / "missing.npz"):
        with pytest.raises(InputError):
            read_boards(missing)
    with pytest.raises(InputError):
        read_boards(tmp_path)


def test_truncated_npz_files(tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    write_boards(whole, sample_boards("flow", 9, 0.8, 20, seed=1))
    content = whole.read_bytes()
    path = tmp_path / "part.npz"
    for length in (0, 1, 30, 100, len(content) // 2, len(content) - 30, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(InputError):
            read_boards(path)
    damaged = bytearray(content)
    damaged[len(content) // 2] ^= 255
    path.write_bytes(damaged)
    with pytest.raises(InputError):
        read_boards(path)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones((3, 3)), "it must be [B, h, w]"),
        (np.ones((0, 3, 3), dtype=np.uint8), "it must be [B, h, w]"),
        (np.full((1, 3, 3), 2), "0 (blocked) and 1 (open) only"),
        (np.full((1, 3, 3), 0.5), "0 (blocked) and 1 (open) only"),
        (np.array([[["a"]]]), "0 (blocked) and 1 (open) only"),
        (np.ones((1, 1, 1001), dtype=np.uint8), "1 to 1000 squares a side"),
    ],
)
def test_npz_files_with_something_else(tmp_path: Path, array: Any, message: str) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, boards=array)
    with pytest.raises(InputError, match=re.escape(message)):
        read_boards(path)


def test_npz_files_must_name_their_boards(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", squares=np.ones((1, 2, 2)))
    with pytest.raises(InputError):
        read_boards(tmp_path / "other.npz")


def test_npz_files_with_objects_are_not_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "evil.npz", boards=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError):
        read_boards(tmp_path / "evil.npz")


def test_writing_where_one_cannot(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_boards(tmp_path / "no" / "folder.txt", [np.ones((2, 2))])
    with pytest.raises(InputError):
        write_boards(tmp_path / "mixed.npz", [np.ones((2, 2)), np.ones((2, 3))])
    assert not list(tmp_path.iterdir())
