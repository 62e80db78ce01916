"""Contracts that hold for every lattice and every mode in the tables, and for modes of a user."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from cases import Case, boards, lattice_case, play_both
from oracles import reference

from pinchpoint.cli.main import main
from pinchpoint.errors import InputError
from pinchpoint.game.boards import read_boards, write_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import (
    SIZE,
    BoardMode,
    Component,
    Mode,
)
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.record import (
    read_records,
    record_of,
    replay,
    write_records,
)
from pinchpoint.game.render import picture, svg
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.lattices import LATTICES, PERIODIC, lattice
from pinchpoint.graph.topology import (
    SQUARE,
    LatticeKey,
    Topology,
    from_edges,
)

KEYS = [LatticeKey(kind, periodic) for kind, periodic in product(LATTICES, PERIODIC)]
OTHERS = [key for key in KEYS if key != SQUARE]
RULES = ("network", "flow", "noodle", "shatter")


# -- every lattice and mode against the slow reference ---------------------------------------


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_neighbours_are_those_of_the_rules(key: LatticeKey) -> None:
    for height, width in ((4, 4), (4, 6), (6, 4), (8, 10)):
        topology = lattice(height, width, *key)
        neighbours = reference.lattice_neighbours(height, width, *key)
        assert [topology.neighbours(i).tolist() for i in range(topology.n)] == neighbours
        assert set(topology.faces.tolist()) == {reference.SIDES_OF_A_NODE[key.lattice]}
        if key.periodic == "both":  # no edge of the board is left
            assert set(topology.degree.tolist()) == {topology.coordination}


@pytest.mark.parametrize("key", KEYS, ids="-".join)
@pytest.mark.parametrize("rule", RULES)
def test_every_lattice_and_mode_equals_the_slow_reference(key: LatticeKey, rule: str) -> None:
    rng = np.random.default_rng([KEYS.index(key), RULES.index(rule)])
    moves = 0
    while moves < 1_000:
        height, width = (2 * rng.integers(2, 6, size=2)).tolist()
        moves += play_both(lattice_case(rng, height, width, 4, *key, rule), rng)


def by_plain_python(mode: Mode, topology: Topology) -> reference.Judge:
    """The rule of a mode in plain Python, asked about all pieces after every move."""
    sides = [set(side.tolist()) for pair in mode.terminal_sets(topology) for side in pair]

    def judge(game: reference.SlowGame, pieces: reference.Pieces) -> list[bool]:
        if not game.moves:
            game.best = int(mode.first_memory(np.array([len(game.laid)]))[0])
        components = []
        for piece in pieces:
            inside = set(piece)
            ends = sum(other in inside for node in piece for other in game.neighbours[node])
            components.append(
                Component(
                    topology,
                    size=len(piece),
                    edges=ends // 2,
                    faces=int(topology.faces[piece].sum()) - ends,
                    contacts=tuple(len(inside & side) for side in sides),
                    find_squares=lambda piece=piece: np.array(sorted(piece)),
                )
            )
        active, game.best = mode.settle(components, game.best)
        return [bool(one) for one in active]

    return judge


@dataclass(frozen=True)
class Heavy(Mode):
    """A compiled mode of a user: active while a piece has more than `limit` squares."""

    name: ClassVar[str] = "heavy"
    description: ClassVar[str] = "A piece is active while it is large."

    limit: int = 6

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return piece[SIZE] > options[0]


@dataclass(frozen=True)
class Rivals(BoardMode):
    """A compiled mode that remembers, in which several pieces can be active at once."""

    name: ClassVar[str] = "rivals"
    description: ClassVar[str] = "Active: larger than half of the largest second piece ever."

    def settle(self, components: Sequence[Component], memory: int) -> tuple[Sequence[bool], int]:
        sizes = sorted(component.size for component in components)
        memory = max([memory, *(size // 2 for size in sizes[:-1])])
        return [component.size > memory for component in components], memory

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return piece[SIZE] > memory

    @staticmethod
    def remember(piece: Any, memory: int, options: Any) -> int:
        return max(memory, piece[SIZE] // 2)


VARIANTS = [
    *(get_mode(name) for name in MODES if MODES[name].path is None),
    get_mode("flow", axis="both"),
    get_mode("noodle", K=2.5),
    get_mode("noodle", inclusive=True),
    get_mode("shatter", size=3),
    Heavy(),
    Heavy(limit=2),
    Rivals(),
]


@pytest.mark.parametrize("mode", VARIANTS, ids=lambda mode: f"{mode.name}-{mode.options()}")
@pytest.mark.parametrize("key", [SQUARE, LatticeKey("triangular", "columns")], ids="-".join)
def test_the_compiled_rule_is_the_rule_in_plain_python(mode: Mode, key: LatticeKey) -> None:
    assert mode.compiled
    rng = np.random.default_rng(4)
    moves = 0
    while moves < 800:
        height, width = rng.integers(3, 10, size=2).tolist()
        topology = lattice(height, width, *key)
        case = Case(
            topology,
            reference.lattice_neighbours(height, width, *key),
            topology.faces.tolist(),
            mode,
            by_plain_python(mode, topology),
            boards(rng, 4, topology.n),
        )
        moves += play_both(case, rng)


@pytest.mark.parametrize("mode", VARIANTS, ids=lambda mode: f"{mode.name}-{mode.options()}")
def test_a_mode_plays_the_same_without_its_compiled_rule(mode: Mode) -> None:
    rule = {"judge": None, "remember": None, "settle": lambda self, *asked: mode.settle(*asked)}
    kind: Any = type("Plain", (type(mode),), rule)
    plain = kind(**{f.name: getattr(mode, f.name) for f in fields(mode)})
    assert not plain.compiled
    laid = sample_boards(mode, size=8, p=(0.6, 1.0), count=10, seed=5)
    fast, slow = Games(laid, mode), Games(laid, plain)
    for games in (fast, slow):
        games.play_randomly(seed=2)
    assert np.array_equal(fast.status, slow.status)
    assert np.array_equal(fast.memory, slow.memory)


def test_compiled_games_survive_pickling() -> None:
    games = Games(sample_boards("network", size=8, count=3, seed=1), Rivals())
    copy = pickle.loads(pickle.dumps(games))
    for each in (games, copy):
        each.play_randomly(seed=1)
    assert np.array_equal(games.status, copy.status)


def test_a_compiled_rule_that_cannot_be_compiled_is_one_sentence() -> None:
    @dataclass(frozen=True)
    class Broken(Mode):
        name: ClassVar[str] = "broken"
        description: ClassVar[str] = "Its rule is not for numba."

        @staticmethod
        def judge(piece: Any, memory: int, options: Any) -> bool:
            return piece.no_such_thing > 0

    with pytest.raises(InputError) as caught:
        Games(np.ones((2, 2)), Broken())
    assert "\n" not in str(caught.value)


# -- capabilities ----------------------------------------------------------------------------


def torus(side: int) -> Topology:
    """A torus given as a plain graph with a layout in rows and columns."""
    node = np.arange(side * side).reshape(side, side)
    edges = [np.stack([node, np.roll(node, -1, axis)], -1).reshape(-1, 2) for axis in (0, 1)]
    return replace(from_edges(np.concatenate(edges)), image_shape=(side, side))


def test_a_torus_with_a_layout_is_played_as_a_torus() -> None:
    rng = np.random.default_rng(7)
    neighbours = reference.lattice_neighbours(6, 6, "square", "both")
    moves = 0
    while moves < 500:
        laid = boards(rng, 4, 36)
        case = Case(torus(6), neighbours, [4] * 36, get_mode("network"), reference.network, laid)
        moves += play_both(case, rng)


def test_only_the_planar_square_grid_may_call_itself_so() -> None:
    for topology in (torus(6), *(lattice(6, 6, *key) for key in OTHERS)):
        assert topology.grid is None
        with pytest.raises(InputError):
            replace(topology, grid=(6, 6))
    with pytest.raises(InputError):
        replace(torus(6), image_shape=(6, 5))
    assert replace(lattice(3, 4), grid=(3, 4)).grid == (3, 4)


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_symmetries_keep_the_neighbours(key: LatticeKey) -> None:
    for height, width in ((4, 4), (4, 6)):
        topology = lattice(height, width, *key)
        edges = {frozenset(edge) for edge in topology.edges().tolist()}
        assert 0 in topology.symmetries
        for moved in topology.symmetries.values():
            assert {frozenset(edge) for edge in moved[topology.edges()].tolist()} == edges
    assert len(lattice(4, 4).symmetries) == 8
    assert sorted(lattice(4, 6).symmetries) == [0, 2, 4, 6]


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_neighbours_are_drawn_a_unit_apart(key: LatticeKey) -> None:
    open_one = lattice(5, 6, key.lattice)
    assert open_one.positions is not None
    ends = open_one.positions[open_one.edges()]
    assert np.allclose(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), 1)


def test_flow_needs_open_sides() -> None:
    board = np.ones((4, 4))
    Games(board, "flow", lattice(4, 4, "triangular", "columns"))
    for axis, periodic in (("vertical", "rows"), ("horizontal", "columns"), ("both", "both")):
        with pytest.raises(InputError):
            Games(board, get_mode("flow", axis=axis), lattice(4, 4, periodic=periodic))
    tube = lattice(4, 4, periodic="rows")
    either = Games(board, get_mode("flow", axis="both"), tube)
    across = Games(board, get_mode("flow", axis="horizontal"), tube)
    for games in (either, across):
        games.play_randomly(seed=1)
    assert np.array_equal(either.status, across.status)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, 4, "round"), "no lattice 'round'"),
        ((4, 4, "square", "up"), "periodic is 'up'"),
        ((2, 4, "square", "rows"), "3 or more"),
        ((4, 2, "triangular", "both"), "3 or more"),
        ((5, 4, "hexagonal", "rows"), "even"),
        ((4, 5, "hexagonal", "both"), "even"),
    ],
)
def test_lattices_that_there_are_not(arguments: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        lattice(*arguments)


@pytest.mark.parametrize("kind", LATTICES)
def test_noodle_ends_when_all_pieces_are_trees(kind: str) -> None:
    laid = sample_boards("noodle", size=8, p=0.9, count=20, seed=2, lattice=kind)
    games = Games(laid)
    games.play_randomly(seed=1)
    for row in range(len(games)):
        assert all(piece.edges == piece.size - 1 for piece in games.components(row))


def test_scores_add_up_the_costs_of_the_squares_attacked() -> None:
    costs = np.arange(1.0, 10.0)
    games = Games(np.ones((2, 9)), "network", replace(lattice(3, 3), costs=costs))
    games.play([4, 1])
    games.play([7, -1])
    assert games.scores.tolist() == [5 + 8, 2]
    assert games.move_counts.tolist() == [2, 1]


# -- files, pictures, commands ---------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS, ids="-".join)
@pytest.mark.parametrize("suffix", [".txt", ".npz"])
def test_board_files_carry_their_lattice(key: LatticeKey, suffix: str, tmp_path: Path) -> None:
    laid = sample_boards("network", size=(4, 6), count=3, seed=1, **key._asdict())
    path = tmp_path / f"boards{suffix}"
    write_boards(path, laid)
    for wanted in ({}, key._asdict()):
        [found] = read_boards(path, **wanted)
        assert np.array_equal(found.laid, laid.laid)
        assert found.topology.key == key
    other = OTHERS[0] if key != OTHERS[0] else OTHERS[1]
    if key != SQUARE:
        with pytest.raises(InputError, match=key.lattice):
            read_boards(path, **other._asdict())


def test_a_bad_name_of_a_lattice_in_a_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    for line in ("lattice", "lattice round periodic none", "lattice square periodic up"):
        path.write_text(f"{line}\n\nooo\n")
        with pytest.raises(InputError):
            read_boards(path)


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_records_carry_their_lattice(key: LatticeKey, tmp_path: Path) -> None:
    laid = sample_boards("noodle", size=(4, 6), p=0.9, count=2, seed=1, **key._asdict())
    games = Games(laid)
    games.play_randomly(seed=3)
    path = tmp_path / "games.jsonl"
    write_records(path, [record_of(games, row) for row in range(2)])
    for row, record in enumerate(read_records(path)):
        assert record.boards.topology.fingerprint == games.topology.fingerprint
        assert np.array_equal(replay(record).status[0], games.status[row])
    written = json.loads(path.read_text().splitlines()[0])
    assert ("lattice" in written) == ("periodic" in written) == (key != SQUARE)


@pytest.mark.parametrize("key", OTHERS, ids="-".join)
def test_every_square_is_drawn_in_its_colour(key: LatticeKey) -> None:
    topology = lattice(4, 6, *key)
    status = np.random.default_rng(1).integers(4, size=(4, 6)).astype(np.uint8)
    colours = picture(status, cell=20, topology=topology)
    plain = picture(np.zeros((4, 6), dtype=np.uint8), cell=20, topology=topology)
    assert plain.shape == colours.shape
    seen = {tuple(colour) for colour in colours.reshape(-1, 3).tolist()}
    assert seen >= {(0x26, 0x26, 0x2B), (0xF0, 0xA8, 0x00), (0xD3, 0xE8, 0xF5), (0xB5, 0x17, 0x4F)}
    for state, colour in enumerate([(0x26, 0x26, 0x2B), (0xF0, 0xA8, 0x00)]):
        drawn = (colours == colour).all(axis=-1).sum()
        board = (plain == (0x26, 0x26, 0x2B)).all(axis=-1).sum()
        assert drawn / board == pytest.approx((status == state).sum() / 24, rel=0.1)
    assert svg(status, topology=topology).count("M") >= 24


def test_the_commands_take_every_lattice(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["--size", "4x4", "--p", "0.9", "--count", "2", "--mode", "noodle"]
    on = ["--lattice", "hexagonal", "--periodic", "rows"]
    assert main(["boards", *on, *small, "--out", "boards.txt"]) in (0, None)
    assert Path("boards.txt").read_text().startswith("lattice hexagonal periodic rows\n")
    play = ["play", "random", "--boards", "boards.txt", "--mode", "noodle", "--out", "g.jsonl"]
    assert main(play) in (0, None)
    assert main(["replay", "g.jsonl"]) in (0, None)
    assert main(["solve", "boards.txt", "--mode", "noodle", "--check"]) in (0, None)
    assert main(["render", "g.jsonl", "--out", "g.svg"]) in (0, None)
    assert main(["render", "boards.txt", "--out", "b.png"]) in (0, None)
    capsys.readouterr()
    wrong = ["solve", "boards.txt", "--mode", "noodle", "--lattice", "square"]
    assert main(wrong) == 2
    assert "hexagonal" in capsys.readouterr().err
