"""Pictures of boards and games: arrays of pixels, PNG, SVG and GIF.

Colour alone never tells the state: inactive squares carry a dot, attacked ones a cross or the
number of the move. SVG is written as text; only PNG and GIF files need Pillow.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.files import whole_file
from pinchpoint.game.palette import get_palette
from pinchpoint.game.state import ATTACKED, INACTIVE
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Bytes, Floats, Ints

GROUND, DOT, CROSS = 4, 5, 6  # rows of the colour table after the four states
NEWEST = 4  # the tile of the square attacked last, after those of the four states
LARGEST_CELL = 24  # pixels a square, unless asked for more
MAX_PIXELS = 50_000_000  # of one picture
MAX_GIF_PIXELS = 1_000_000_000  # of all its pictures together
ROUNDED_CELL = 40  # the largest squares with sharp corners
MARKED_CELL = 8  # the smallest squares that hold a dot or cross
NUMBER_CELL = 14  # the smallest squares that hold a number


# -- pixels ----------------------------------------------------------------------------------


def picture(
    status: Bytes,
    palette: str = "clear",
    cell: int | None = None,
    topology: Topology | None = None,
) -> Bytes:
    """Return a board [h, w] as pixels [H, W, 3], `cell` pixels from a square to the next.

    Without a topology the board is of the square lattice.
    """
    size = cell_size(status.shape, cell)
    return get_palette(palette).table()[_drawing(topology, size).pixels(status)]


def tiles(cell: int) -> Bytes:  # [5, cell, cell]  rows of the colour table
    """Return a square of each state, and one that was attacked just now."""
    out = np.empty((5, cell, cell), dtype=np.uint8)
    for state in range(4):
        out[state] = state
    out[NEWEST] = ATTACKED
    if cell < 4:  # too small for anything but the colour
        return out
    inner = cell - 1  # the last row and column of pixels part the squares
    out[:, inner:] = out[:, :, inner:] = GROUND
    if cell > ROUNDED_CELL:
        out[:, ~_rounded(cell)] = GROUND
    if cell < MARKED_CELL:
        return out
    y, x = np.mgrid[:inner, :inner]
    middle, thick = (inner - 1) / 2, max(1.0, cell / 10)
    dot = np.hypot(y - middle, x - middle) <= max(0.8, cell / 8)
    within = np.maximum(abs(y - middle), abs(x - middle)) <= cell * 0.32
    cross = (np.minimum(abs(y - x), abs(y + x - 2 * middle)) <= thick) & within
    border = np.minimum.reduce([y, x, inner - 1 - y, inner - 1 - x]) < thick
    out[INACTIVE, :inner, :inner][dot] = DOT
    out[ATTACKED, :inner, :inner][cross] = CROSS
    out[NEWEST, :inner, :inner][cross | border] = CROSS
    return out


def _rounded(cell: int) -> Bools:  # [cell, cell]
    """Return where a square with round corners is, as the page draws it."""
    away = np.abs(np.arange(cell) - (cell - 1) / 2)
    radius = 0.17 * cell
    beyond = np.maximum(away - (0.465 * cell - radius), 0)
    return np.asarray(np.hypot(beyond[:, None], beyond) <= radius)


class Drawing(Protocol):
    """How boards of one topology and cell size are drawn."""

    def pixels(self, status: Array, numbered: bool = False) -> Bytes:  # [H, W]
        """Return rows of the colour table; the cross is left out where numbers will be."""
        ...

    def middle(self, row: int, col: int) -> tuple[float, float]:
        """Return where the middle of a square is, x and y in pixels."""
        ...


@dataclass(frozen=True)
class SquareDrawing:
    """Squares side by side, each a tile."""

    cell: int

    def pixels(self, status: Array, numbered: bool = False) -> Bytes:
        drawn = tiles(self.cell)
        if numbered:
            drawn[ATTACKED, : self.cell - 1, : self.cell - 1] = ATTACKED
        return _pixels(status, drawn)

    def middle(self, row: int, col: int) -> tuple[float, float]:
        return (col + 0.5) * self.cell - 0.5, (row + 0.5) * self.cell - 0.5


class CellDrawing:
    """A cell around each node, with a side to each neighbour: hexagons on the triangular lattice,
    triangles on the hexagonal one.
    """

    def __init__(self, topology: Topology, cell: int) -> None:
        self.cell, self.shape = cell, topology.lattice_shape()
        self.corners = cell_corners(topology)
        low = np.min([corners.min(axis=0) for corners in self.corners], axis=0)
        high = np.max([corners.max(axis=0) for corners in self.corners], axis=0)
        self.low, self.extent = low, high - low
        width, height = np.maximum(np.ceil(self.extent * cell), 1).astype(int)
        assert topology.positions is not None
        self.places = (topology.positions - low) * cell  # [N, 2]  in pixels
        around = (_surrounded(topology) - low) * cell
        y, x = np.mgrid[:height, :width] + 0.5
        from scipy.spatial import KDTree  # here: only these drawings need it

        distance, owner = KDTree(around).query(np.stack([x, y], axis=-1), k=2)
        self.owner = np.where(owner[..., 0] < topology.n, owner[..., 0], -1)  # [H, W]
        own = self.places[np.maximum(self.owner, 0)]
        dx, dy = x - own[..., 0], y - own[..., 1]
        line = max(1.0, cell / 16)
        self.rim = (distance[..., 1] - distance[..., 0] < line) | (self.owner < 0)
        self.dot = np.hypot(dx, dy) <= max(0.8, cell / 8)
        within = np.maximum(abs(dx), abs(dy)) <= cell * 0.22
        self.cross = (np.minimum(abs(dx - dy), abs(dx + dy)) <= max(1.0, cell / 10)) & within
        self.border = distance[..., 1] - distance[..., 0] < 4 * line

    def pixels(self, status: Array, numbered: bool = False) -> Bytes:
        state = np.append(status.ravel(), GROUND)[self.owner]  # [H, W]
        out = np.where(state == NEWEST, ATTACKED, state).astype(np.uint8)
        out[self.owner < 0] = GROUND
        if self.cell >= MARKED_CELL:
            out[(state == INACTIVE) & self.dot] = DOT
            crossed = (state == ATTACKED) | (state == NEWEST)
            out[crossed & self.cross & (not numbered)] = CROSS
            out[(state == NEWEST) & self.border & (self.owner >= 0)] = CROSS
        if self.cell >= 4:
            out[self.rim] = GROUND
        return out

    def middle(self, row: int, col: int) -> tuple[float, float]:
        x, y = self.places[row * self.shape[1] + col]
        return float(x), float(y)


def _drawing(topology: Topology | None, cell: int) -> Drawing:
    if topology is None or topology.key is None or topology.key.lattice == "square":
        return SquareDrawing(cell)
    return CellDrawing(topology, cell)


def _surrounded(topology: Topology) -> Floats:  # [N + more, 2]
    """Return the places of the nodes, then of a ring of nodes around the board."""
    assert topology.key is not None
    assert topology.positions is not None
    height, width = topology.lattice_shape()
    larger = lattice(height + 4, width + 4, topology.key.lattice)  # the same parity of rows
    assert larger.positions is not None
    places = larger.positions.reshape(height + 4, width + 4, 2)
    places = places - places[2, 2] + topology.positions[0]
    outside = np.ones((height + 4, width + 4), dtype=np.bool_)
    outside[2:-2, 2:-2] = False
    return np.concatenate([topology.positions, places[outside]])


@lru_cache(maxsize=16)
def cell_corners(topology: Topology) -> list[Floats]:  # [corners, 2] for each node
    """Return the corners of the cell around each node: all that is nearest to the node."""
    from scipy.spatial import Voronoi

    diagram = Voronoi(_surrounded(topology))
    corners = []
    for node in range(topology.n):
        polygon = diagram.vertices[diagram.regions[diagram.point_region[node]]]
        turn = np.arctan2(*(polygon - diagram.points[node]).T[::-1])
        corners.append(polygon[np.argsort(turn)])
    return corners


def _pixels(status: Array, drawn: Bytes) -> Bytes:  # [H, W]  rows of the colour table
    height, width = status.shape
    cell = drawn.shape[-1]
    pixels: Bytes = drawn[status].swapaxes(1, 2).reshape(height * cell, width * cell)
    return pixels


def cell_size(shape: tuple[int, ...], cell: int | None, frames: int = 1) -> int:
    """Return the pixels a square: as asked for, or the most with which the picture stays handy."""
    squares = shape[0] * shape[1]
    limit = min(MAX_PIXELS // squares, MAX_GIF_PIXELS // (squares * frames))
    if cell is None:
        fits = min(LARGEST_CELL, 2000 // max(shape), int(limit**0.5))
        cell = max(1, fits)
    if cell < 1:
        raise InputError(f"the cell is {cell} pixels; it must be 1 or more")
    if cell * cell > limit:
        raise InputError(
            f"{frames} picture{'s' * (frames > 1)} of {shape[0]} × {shape[1]} squares of {cell} "
            f"pixels would be too large; the cell can be {int(limit**0.5)} at most"
        )
    return cell


# -- files -----------------------------------------------------------------------------------


def write_picture(
    path: str | Path,
    status: Bytes,  # [h, w]
    palette: str = "clear",
    cell: int | None = None,
    numbers: Ints | None = None,  # [h, w]  shown on attacked squares where not 0
    topology: Topology | None = None,
) -> None:
    """Draw one board as .png, .svg or .gif, by the end of the name."""
    kind = picture_kind(path)
    if kind == ".svg":
        data = svg(status, palette, cell, numbers, topology).encode()
    elif kind == ".gif":
        buffer = io.BytesIO()
        write_gif(buffer, [(status, None)], 1, palette, cell, topology=topology)
        data = buffer.getvalue()
    else:
        data = png(status, palette, cell, numbers, topology)
    with whole_file(path) as file:
        file.write(data)


def picture_kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower()
    if kind not in (".png", ".svg", ".gif"):
        raise InputError(f"cannot draw {path}: the name must end in .png, .svg or .gif")
    return kind


def png(
    status: Bytes,
    palette: str = "clear",
    cell: int | None = None,
    numbers: Ints | None = None,
    topology: Topology | None = None,
) -> bytes:
    """Return a board as the bytes of a PNG file."""
    pillow = _pillow()
    size, colours = cell_size(status.shape, cell), get_palette(palette)
    show = numbers is not None and size >= NUMBER_CELL
    drawing = _drawing(topology, size)
    # With numbers they take the place of the cross.
    image = pillow.Image.fromarray(colours.table()[drawing.pixels(status, numbered=show)])
    if show and numbers is not None:
        pen = pillow.ImageDraw.Draw(image)
        for row, col in np.argwhere(numbers):
            text = str(numbers[row, col])
            font = pillow.ImageFont.load_default(size * (0.55 if len(text) < 3 else 0.4))
            pen.text(
                drawing.middle(row, col), text, fill=colours.on_attacked, font=font, anchor="mm"
            )
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def write_gif(
    file: BinaryIO,
    frames: Iterable[tuple[Bytes, int | None]],  # boards [h, w], each with its newest attack
    count: int,  # of frames
    palette: str = "clear",
    cell: int | None = None,
    seconds: float = 0.3,  # a frame
    topology: Topology | None = None,
) -> None:
    """Write a moving picture; the last frame stays for a while, then it begins again."""
    pillow = _pillow()
    table = get_palette(palette).table().tobytes()
    if not 0.02 <= seconds <= 60:
        raise InputError(f"a picture for {seconds} seconds; it must be 0.02 to 60")

    def images() -> Iterable[Any]:
        drawing: Drawing | None = None
        for status, newest in frames:
            if drawing is None:
                drawing = _drawing(topology, cell_size(status.shape, cell, count))
            shown = status.copy()
            if newest is not None:
                shown.flat[newest] = NEWEST
            pixels = drawing.pixels(shown)
            image = pillow.Image.frombytes("P", pixels.shape[::-1], pixels.tobytes())
            image.putpalette(table)
            yield image

    sequence = iter(images())
    durations = [int(1000 * seconds)] * (count - 1) + [int(1000 * max(2.0, seconds))]
    next(sequence).save(
        file, "GIF", save_all=True, append_images=sequence, duration=durations, loop=0
    )


def svg(
    status: Bytes,
    palette: str = "clear",
    cell: int | None = None,
    numbers: Ints | None = None,
    topology: Topology | None = None,
) -> str:
    """Return a board as the text of an SVG file."""
    if isinstance(_drawing(topology, 1), CellDrawing):
        assert topology is not None
        return _svg_cells(status, palette, cell, numbers, topology)
    height, width = status.shape
    size, colours = cell_size(status.shape, cell), get_palette(palette)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * size}" height="{height * size}" '
        f'viewBox="0 0 {width * 10} {height * 10}">',
        f"<title>Board of {height} × {width} squares</title>",
        f'<rect width="100%" height="100%" fill="{colours.ground}"/>',
    ]
    for state, colour in enumerate(colours.states()):
        parts += _svg_path(status == state, "M{x}0.3 {y}0.3h9.4v9.4h-9.4z", f'fill="{colour}"')
    numbered = np.zeros(status.shape, dtype=bool) if numbers is None else numbers > 0
    dots = "M{x}3.7 {y}5a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0z"
    parts += _svg_path(status == INACTIVE, dots, f'fill="{colours.on_inactive}"')
    crosses = f'stroke="{colours.on_attacked}" stroke-width="1.2" fill="none"'
    crossed = (status == ATTACKED) & ~numbered
    parts += _svg_path(crossed, "M{x}2.5 {y}2.5l5 5m0-5l-5 5", crosses)
    if numbers is not None:
        look = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
        parts.append(f'<g fill="{colours.on_attacked}" {look}>')
        for row, col in np.argwhere(numbered):
            text = str(numbers[row, col])
            place = f'x="{col * 10 + 5}" y="{row * 10 + 5}"'
            parts.append(f'<text {place} font-size="{5.5 if len(text) < 3 else 4}">{text}</text>')
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _svg_cells(
    status: Bytes, palette: str, cell: int | None, numbers: Ints | None, topology: Topology
) -> str:
    """Draw a board whose cells are not squares; a unit of length is 10."""
    size, colours = cell_size(status.shape, cell), get_palette(palette)
    drawing = CellDrawing(topology, size)
    width, height = 10 * drawing.extent
    key = topology.key
    assert key is not None
    assert topology.positions is not None
    about = f"{key.lattice} lattice" + f", periodic {key.periodic}" * (key.periodic != "none")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * size / 10:.0f}" '
        f'height="{height * size / 10:.0f}" viewBox="0 0 {width:.2f} {height:.2f}">',
        f"<title>Board of {status.shape[0]} × {status.shape[1]} nodes, {about}</title>",
        f'<rect width="100%" height="100%" fill="{colours.ground}"/>',
    ]
    flat = status.ravel()
    middles = 10 * (topology.positions - drawing.low)
    shrunk = [
        middles[node] + 0.94 * (10 * (corners - drawing.low) - middles[node])
        for node, corners in enumerate(drawing.corners)
    ]

    def path(chosen: Bools, draw: Callable[[int], str], look: str) -> None:
        drawn = "".join(draw(int(node)) for node in np.flatnonzero(chosen))
        if drawn:
            parts.append(f'<path {look} d="{drawn}"/>')

    def outline(node: int) -> str:
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in shrunk[node]) + "z"

    def dot(node: int) -> str:
        x, y = middles[node]
        return f"M{x - 1.3:.2f} {y:.2f}a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0z"

    def cross(node: int) -> str:
        x, y = middles[node]
        return f"M{x - 2:.2f} {y - 2:.2f}l4 4m0-4l-4 4"

    for state, colour in enumerate(colours.states()):
        path(flat == state, outline, f'fill="{colour}"')
    numbered = np.zeros(flat.shape, dtype=np.bool_) if numbers is None else numbers.ravel() > 0
    path(flat == INACTIVE, dot, f'fill="{colours.on_inactive}"')
    crosses = f'stroke="{colours.on_attacked}" stroke-width="1.2" fill="none"'
    path((flat == ATTACKED) & ~numbered, cross, crosses)
    if numbers is not None:
        look = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
        parts.append(f'<g fill="{colours.on_attacked}" {look}>')
        for node in np.flatnonzero(numbered):
            (x, y), text = middles[node], str(numbers.flat[node])
            place = f'x="{x:.2f}" y="{y:.2f}" font-size="{5 if len(text) < 3 else 3.5}"'
            parts.append(f"<text {place}>{text}</text>")
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _svg_path(mask: Bools, shape: str, look: str) -> list[str]:
    """Return one path that draws `shape` on every square of the mask; {x} and {y} are tens."""
    tens = [("" if r == 0 else str(r), "" if c == 0 else str(c)) for r, c in np.argwhere(mask)]
    drawn = "".join(shape.format(x=x, y=y) for y, x in tens)
    return [f'<path {look} d="{drawn}"/>'] if drawn else []


def _pillow() -> Any:
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise InputError(
            "PNG and GIF pictures need Pillow: pip install 'pinchpoint[figures]' (SVG does not)"
        ) from None
    return PIL
