"""Pictures: every pixel and shape says what the board says, and the palettes can be told apart."""

import io
import itertools
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.palette import PALETTES
from pinchpoint.game.render import (
    cell_size,
    geometry,
    picture,
    png,
    svg,
    write_gif,
    write_picture,
)
from pinchpoint.graph.readers import read_graph
from pinchpoint.graph.topology import from_edges

BOARD = np.array([[0, 1, 2], [3, 2, 1]], dtype=np.uint8)

# Sight without the red- or the green-sensitive cones, as matrices on linear RGB (full severity).
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    "greyscale": [[0.2126, 0.7152, 0.0722]] * 3,
}


def perceived(colour: str, deficiency: str) -> np.ndarray:
    """CIE Lab of a colour as it is seen."""
    rgb = np.array(list(bytes.fromhex(colour[1:]))) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(DEFICIENCIES[deficiency]) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.asarray(to_xyz) @ seen / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_the_clear_palette_can_be_told_apart_by_everyone(deficiency: str) -> None:
    for a, b in itertools.combinations(PALETTES["clear"].states(), 2):
        distance = np.linalg.norm(perceived(a, deficiency) - perceived(b, deficiency))
        assert distance > 10, (a, b)  # about 2 can just be noticed


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("cell", [1, 3, 4, 9, 24])
def test_every_square_has_the_colour_of_its_state(palette: str, cell: int) -> None:
    pixels = picture(BOARD, palette, cell)
    assert pixels.shape == (2 * cell, 3 * cell, 3)
    assert pixels.dtype == np.uint8
    colours = [tuple(bytes.fromhex(colour[1:])) for colour in PALETTES[palette].states()]
    for row, col in np.ndindex(BOARD.shape):
        square = pixels[row * cell : (row + 1) * cell, col * cell : (col + 1) * cell]
        assert tuple(square[0, 0]) == colours[BOARD[row, col]]


@pytest.mark.parametrize("cell", range(8, 41))
def test_states_differ_in_shape_and_not_only_in_colour(cell: int) -> None:
    """Blocked and active squares have no mark, inactive ones a dot, attacked ones a cross."""
    pixels = picture(np.arange(4, dtype=np.uint8)[None], cell=cell)
    tiles = np.split(pixels[: cell - 1], 4, axis=1)
    marks = [(tile[:, : cell - 1] != tile[0, 0]).any(axis=-1) for tile in tiles]
    assert not marks[0].any()
    assert not marks[1].any()
    assert 0 < marks[2].sum() < marks[3].sum()
    for mark in marks[2:]:
        assert np.array_equal(mark, mark[::-1])
        assert np.array_equal(mark, mark.T)


def test_svg_has_a_shape_for_every_square() -> None:
    numbers = np.zeros(BOARD.shape, dtype=np.int32)
    plain = ElementTree.fromstring(svg(BOARD, cell=24))
    assert (plain.get("width"), plain.get("height")) == ("72", "48")
    paths = {path.get("fill"): path.get("d", "") for path in plain.findall("{*}path")}
    for state, colour in enumerate(PALETTES["clear"].states()):
        corners = sorted(_corners(paths[colour]))
        assert corners == [(c * 10 + 0.3, r * 10 + 0.3) for c, r in sorted(_places(state))]
    numbers[1, 0] = 12
    numbered = ElementTree.fromstring(svg(BOARD, numbers=numbers))
    assert [text.text for text in numbered.findall(".//{*}text")] == ["12"]
    assert not [path for path in numbered.findall("{*}path") if path.get("stroke")]  # no cross


def _places(state: int) -> list[tuple[int, int]]:
    return [(int(col), int(row)) for row, col in np.argwhere(state == BOARD)]


def _corners(path: str) -> list[tuple[float, float]]:
    """Return the first corner of each shape, M (the middle) and m (the way from there)."""
    found = []
    for piece in path.split("M")[1:]:
        middle, way = piece.split("l")[0].split("m")
        x, y = np.array(middle.split(), float) + np.array(way.split(), float)
        found.append((round(float(x), 2), round(float(y), 2)))
    return found


def test_png_is_the_picture_with_numbers_on_the_attacked_squares() -> None:
    plain = np.asarray(Image.open(io.BytesIO(png(BOARD, "classic", 20))))
    assert np.array_equal(plain, picture(BOARD, "classic", 20))
    numbers = np.zeros(BOARD.shape, dtype=np.int32)
    numbers[1, 0] = 7
    changed = np.asarray(Image.open(io.BytesIO(png(BOARD, "classic", 20, numbers)))) != plain
    assert changed[20:, :20].any()
    changed[20:, :20] = False
    assert not changed.any()


def test_gif_shows_every_position_of_a_game() -> None:
    games = Games(np.ones((3, 4)), "flow")
    frames, newest = [games.boards[0].copy()], [None]
    for square in (0, 5, 10, 3):
        games.play(square)
        frames.append(games.boards[0].copy())
        newest.append(square)
    buffer = io.BytesIO()
    write_gif(buffer, zip(frames, newest, strict=True), len(frames), cell=12, seconds=0.5)
    film: Any = Image.open(buffer)
    assert film.n_frames == len(frames)
    for number, board in enumerate(frames):
        film.seek(number)
        shown = np.asarray(film.convert("RGB"))
        expected = picture(board, "clear", 12)
        different = np.argwhere((shown != expected).any(axis=2)) // 12
        at = newest[number]
        assert {tuple(int(i) for i in square) for square in different} == (
            set() if at is None else {divmod(at, 4)}
        )
        assert film.info["duration"] == (2000 if number == len(frames) - 1 else 500)


def test_files_by_the_end_of_their_name(tmp_path: Path) -> None:
    heads = {"a.png": b"\x89PNG", "b.SVG": b"<svg", "c.gif": b"GIF89a"}
    for name, head in heads.items():
        write_picture(tmp_path / name, BOARD)
        assert (tmp_path / name).read_bytes().startswith(head)
    with pytest.raises(InputError):
        write_picture(tmp_path / "d.jpg", BOARD)
    assert {path.name for path in tmp_path.iterdir()} == set(heads)


def test_sizes_stay_handy() -> None:
    assert cell_size(geometry((20, 20)), None) == 24
    assert cell_size(geometry((1000, 1000)), None) == 2
    assert cell_size(geometry((1, 1)), 3000) == 3000
    assert cell_size(geometry((200, 200)), None, frames=20_000) == 1
    with pytest.raises(InputError):
        cell_size(geometry((1000, 1000)), 8)
    with pytest.raises(InputError):
        cell_size(geometry((5, 5)), 0)
    with pytest.raises(InputError):
        picture(BOARD, "pastel")


def test_without_pillow_svg_works_and_png_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    assert svg(BOARD).startswith("<svg")
    with pytest.raises(InputError):
        png(BOARD)


@pytest.mark.parametrize("cell", [41, 90, 216])
def test_large_squares_have_round_corners_and_a_gap(cell: int) -> None:
    pixels = picture(np.ones((1, 1), dtype=np.uint8), cell=cell)
    ground, active = pixels[0, 0], pixels[cell // 2, cell // 2]
    tile = (pixels == active).all(axis=-1)
    assert np.array_equal(~tile, (pixels == ground).all(axis=-1))
    assert not tile[0].any()
    assert not tile[-1].any()
    assert np.array_equal(tile[: cell // 2, : cell // 2], tile[: cell // 2, : cell // 2].T)
    assert 0.8 < tile.mean() < 0.9


# -- networks --------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [1, 5, 24])
def test_a_network_is_discs_where_its_positions_say_and_lines(cell: int) -> None:
    plain = from_edges([(0, 1), (1, 2), (2, 3)])
    ring = replace(plain, positions=np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]))
    pixels = picture(np.arange(4, dtype=np.uint8), cell=cell, topology=ring)
    assert pixels.shape == (5 * cell, 5 * cell, 3)  # a side of twice √4 discs, and a margin
    places = {0: (1, 0), 1: (1, 1), 2: (0, 1), 3: (0, 0)}  # the corners; north is above
    for state, (row, col) in places.items():
        disc = pixels[4 * row * cell :, 4 * col * cell :][:cell, :cell]
        colour = bytes.fromhex(PALETTES["clear"].states()[state][1:])
        share = (disc == np.frombuffer(colour, dtype=np.uint8)).all(axis=-1).mean()
        assert share > 0.4, state
    assert [side.any() for side in _lines(pixels, cell)] == [False, True, True, True]


def _lines(pixels: np.ndarray, cell: int) -> list[np.ndarray]:
    """Return where lines are between the discs at the corners: left, bottom, right, top."""
    line = np.frombuffer(bytes.fromhex(PALETTES["clear"].line[1:]), dtype=np.uint8)
    there = (pixels == line).all(axis=-1)
    inner = slice(2 * cell, 3 * cell)
    return [there[inner, :cell], there[-cell:, inner], there[inner, -cell:], there[:cell, inner]]


def test_svg_of_a_network_has_its_nodes_and_edges() -> None:
    network = read_graph("network:karate")  # springs lay it out: it has no positions
    status = np.arange(34, dtype=np.uint8) % 4
    drawing = ElementTree.fromstring(svg(status, topology=network))
    paths = drawing.findall("{*}path")
    assert paths[0].get("d", "").count("L") == 78
    drawn = {path.get("fill"): path.get("d", "").count("M") for path in paths[1:]}
    for state, colour in enumerate(PALETTES["clear"].states()):
        assert drawn[colour] == (status == state).sum()


def test_networks_of_any_form_have_pictures() -> None:
    alone = from_edges([], n=1)
    assert picture(np.ones(1, dtype=np.uint8), cell=8, topology=alone).shape[2] == 3
    together = replace(from_edges([(0, 1)]), positions=np.zeros((2, 2)))
    assert svg(np.ones(2, dtype=np.uint8), topology=together).count("<path") == 2
    with pytest.raises(InputError):
        picture(np.ones(4000, dtype=np.uint8), topology=from_edges([], n=4000))
