"""Pictures of boards and games: arrays of pixels, PNG, SVG and GIF.

Colour alone never tells the state: inactive squares carry a dot, attacked ones a cross or the
number of the move. SVG is written as text; only PNG and GIF files need Pillow.

A `Geometry` says where the nodes are drawn: as cells side by side on a lattice, as discs joined by
lines on a network. Two writers draw any of them: `_colour_rows` with pixels, `svg` with shapes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.files import whole_file
from pinchpoint.game.palette import get_palette
from pinchpoint.game.state import ATTACKED, INACTIVE
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.layout import layout
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Array, Bools, Bytes, Floats, Ints

GROUND, DOT, CROSS, LINE = 4, 5, 6, 7  # rows of the colour table after the four states
NEWEST, NUMBERED = 8, 9  # attacked nodes that are drawn otherwise: the last one, numbered ones
IN_DOT, IN_CROSS, IN_BORDER, IN_GAP = 1, 2, 4, 8  # where in its cell a pixel is, as bits
LARGEST_CELL = 24  # pixels a cell, unless asked for more
MAX_PIXELS = 50_000_000  # of one picture
MAX_GIF_PIXELS = 1_000_000_000  # of all its pictures together
MAX_LINES = 100_000  # edges of a network
ROUNDED_CELL = 40  # the largest squares with sharp corners
CROSS_REACH = 0.32  # from the middle of a square, of its width
MARKED_CELL = 8  # the smallest cells that hold a dot or cross
NUMBER_CELL = 14  # the smallest cells that hold a number
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
FILLED = 0.94  # of the width of a cell, so that there is a gap to the next


# -- geometry --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Geometry:
    """Where the nodes of a board are drawn, in units of a cell; y grows downwards."""

    title: str
    places: Floats  # [N, 2]  x and y of the middle of each node
    width: float
    height: float
    corners: list[Floats] | None = None  # [corners, 2] of each cell from its middle; None: discs
    around: Floats = field(default_factory=lambda: np.zeros((0, 2)))  # a ring of nodes outside
    edges: Ints = field(
        default_factory=lambda: np.zeros((0, 2), np.int32)
    )  # [E, 2]  drawn as lines
    squares: tuple[int, int] | None = None  # (height, width) if the cells are squares in rows

    @property
    def cross(self) -> float:
        """How far crosses reach from the middle; other cells than squares have less room."""
        return CROSS_REACH if self.squares else 0.8 * CROSS_REACH


def geometry(shape: tuple[int, ...], topology: Topology | None = None) -> Geometry:
    """Return the geometry of a board; without a topology it is of the square lattice [h, w]."""
    if topology is None:
        height, width = shape
        return _squares(height, width)
    square = topology.key is None or topology.key.lattice == "square"
    if topology.image_shape is not None and square:
        return _squares(*topology.image_shape)
    return _discs(topology) if topology.image_shape is None else _cells(topology)


@lru_cache(maxsize=16)
def _squares(height: int, width: int) -> Geometry:
    row, col = np.divmod(np.arange(height * width), width)
    places = np.stack([col, row], axis=1) + 0.5
    return Geometry(
        f"Board of {height} × {width} squares",
        places,
        width,
        height,
        corners=[SQUARE] * len(places),
        squares=(height, width),
    )


@lru_cache(maxsize=16)
def _cells(topology: Topology) -> Geometry:
    """Return a cell around each node, with a side to each neighbour: hexagons on the triangular
    lattice, triangles on the hexagonal one.
    """
    from scipy.spatial import Voronoi  # here: squares do not need it

    key, positions = topology.key, topology.positions
    assert key is not None
    assert positions is not None
    height, width = topology.lattice_shape()
    around = _ring(positions, height, width, key.lattice)
    diagram = Voronoi(np.concatenate([positions, around]))
    corners = []
    for node, place in enumerate(positions):
        polygon = diagram.vertices[diagram.regions[diagram.point_region[node]]] - place
        corners.append(polygon[np.argsort(np.arctan2(polygon[:, 1], polygon[:, 0]))])
    reach = [
        (place + polygon.min(axis=0), place + polygon.max(axis=0))
        for place, polygon in zip(positions, corners, strict=True)
    ]
    low, high = np.min(reach, axis=(0, 1)), np.max(reach, axis=(0, 1))
    name = f"{key.lattice} lattice" + f", periodic {key.periodic}" * (key.periodic != "none")
    return Geometry(
        f"Board of {height} × {width} nodes, {name}",
        positions - low,
        width=high[0] - low[0],
        height=high[1] - low[1],
        corners=corners,
        around=around - low,
    )


def _ring(positions: Floats, height: int, width: int, kind: str) -> Floats:  # [more, 2]
    """Return the places of nodes around the board, with which every cell of the board is closed."""
    larger = lattice(height + 4, width + 4, kind)  # the same parity of rows
    assert larger.positions is not None
    places = larger.positions.reshape(height + 4, width + 4, 2)
    outside = np.ones((height + 4, width + 4), dtype=np.bool_)
    outside[2:-2, 2:-2] = False
    ring: Floats = places[outside] - places[2, 2] + positions[0]
    return ring


@lru_cache(maxsize=16)
def _discs(topology: Topology) -> Geometry:
    """Return the nodes of a network where its positions say, north above; each is a disc."""
    edges = topology.edges()
    if len(edges) > MAX_LINES:
        raise InputError(
            f"the network has {len(edges):,} edges; a picture has {MAX_LINES:,} at most"
        )
    places = layout(topology) * [1, -1]
    places = places - places.min(axis=0)
    # The longer side has room for twice as many discs as a full square of them.
    places *= 2 * topology.n**0.5 / (places.max() or 1)
    width, height = places.max(axis=0) + 1
    return Geometry(f"Network of {topology.n} nodes", places + 0.5, width, height, edges=edges)


def cell_size(drawn: Geometry, cell: int | None, frames: int = 1) -> int:
    """Return the pixels a cell: as asked for, or the most with which the picture stays handy."""
    area, longest = drawn.width * drawn.height, max(drawn.width, drawn.height)
    limit = min(MAX_PIXELS / area, MAX_GIF_PIXELS / (area * frames))
    if cell is None:
        cell = max(1, min(LARGEST_CELL, int(2000 / longest), int(limit**0.5)))
    if cell < 1:
        raise InputError(f"the cell is {cell} pixels; it must be 1 or more")
    if cell * cell > limit:
        raise InputError(
            f"{frames} picture{'s' * (frames > 1)} of {drawn.height:.0f} × {drawn.width:.0f} cells "
            f"of {cell} pixels would be too large; the cell can be {int(limit**0.5)} at most"
        )
    return cell


# -- pixels ----------------------------------------------------------------------------------


def picture(
    status: Bytes,
    palette: str = "clear",
    cell: int | None = None,
    topology: Topology | None = None,
) -> Bytes:
    """Return a board as pixels [H, W, 3], `cell` pixels from a square to the next.

    Without a topology the board [h, w] is of the square lattice.
    """
    drawn = geometry(status.shape, topology)
    return get_palette(palette).table()[_colour_rows(status, drawn, cell_size(drawn, cell))]


def _colour_rows(kinds: Bytes, drawn: Geometry, cell: int) -> Bytes:  # [H, W]
    """Return rows of the colour table; a node's kind is its state, or NEWEST or NUMBERED."""
    owner, part = _raster(drawn, cell)
    rows: Bytes = _rows_by_part()[np.append(kinds, [LINE, GROUND])[owner], part]
    return rows


@lru_cache(maxsize=4)
def _raster(drawn: Geometry, cell: int) -> tuple[Ints, Bytes]:  # [H, W] each
    """Return the node of each pixel, −1 for the ground or −2 for a line, and the parts of its cell
    that the pixel is in.
    """
    if drawn.squares is not None:
        return _square_pixels(*drawn.squares, cell, drawn.cross)
    return _disc_pixels(drawn, cell) if drawn.corners is None else _cell_pixels(drawn, cell)


def _square_pixels(height: int, width: int, cell: int, cross: float) -> tuple[Ints, Bytes]:
    y, x = np.mgrid[:cell, :cell]
    last, middle = cell - 1, (cell - 2) / 2  # the last row and column of a square are the gap
    depth = np.minimum.reduce([y, x, last - 1 - y, last - 1 - x])
    if cell > ROUNDED_CELL:
        depth[~_rounded(cell)] = -1
    part = _parts(x - middle, y - middle, depth, cell, cross)
    nodes = np.arange(height * width, dtype=np.int32).reshape(height, width)
    return nodes.repeat(cell, axis=0).repeat(cell, axis=1), np.tile(part, (height, width))


def _cell_pixels(drawn: Geometry, cell: int) -> tuple[Ints, Bytes]:
    from scipy.spatial import KDTree  # here: only these cells need it

    height, width = _pixels_of(drawn, cell)
    y, x = np.mgrid[:height, :width] + 0.5
    nodes = np.concatenate([drawn.places, drawn.around]) * cell
    distance, nearest = KDTree(nodes).query(np.stack([x, y], axis=-1), k=2)
    owner = nearest[..., 0]
    dx, dy = x - nodes[owner, 0], y - nodes[owner, 1]
    depth = (distance[..., 1] - distance[..., 0] - max(1.0, cell / 16)) / 2
    on_board = np.where(owner < len(drawn.places), owner, -1).astype(np.int32)
    return on_board, _parts(dx, dy, depth, cell, drawn.cross)


def _disc_pixels(drawn: Geometry, cell: int) -> tuple[Ints, Bytes]:
    shape = _pixels_of(drawn, cell)
    owner, part = np.full(shape, -1, dtype=np.int32), np.zeros(shape, dtype=np.uint8)
    _draw_lines(owner, drawn, cell)
    dy, dx = np.mgrid[:cell, :cell] - (cell - 1) / 2
    depth = FILLED / 2 * cell - np.hypot(dx, dy)
    down, right = np.nonzero((depth >= 0) | (cell < 4))  # the pixels of a disc
    left, top = (drawn.places * cell - cell / 2).round().astype(int).T[..., None]
    rim = (depth[down, right] < 1) & (cell >= MARKED_CELL)
    owner[top + down, left + right] = np.where(rim, -2, np.arange(len(drawn.places))[:, None])
    part[top + down, left + right] = _parts(dx, dy, depth, cell, drawn.cross)[down, right]
    return owner, part


def _pixels_of(drawn: Geometry, cell: int) -> tuple[int, int]:
    """Return height and width of a picture."""
    height, width = np.maximum(np.ceil([drawn.height * cell, drawn.width * cell]), 1)
    return int(height), int(width)


def _parts(dx: Array, dy: Array, depth: Array, cell: int, reach: float) -> Bytes:
    """Return the parts of its cell that each pixel is in, by how far from middle and edge it is."""
    part = np.zeros(depth.shape, dtype=np.uint8)
    if cell >= 4:  # smaller ones are too small for anything but the colour
        part[depth < 0] |= IN_GAP
    if cell >= MARKED_CELL:
        thick = max(1.0, cell / 10)
        cross = np.minimum(abs(dx - dy), abs(dx + dy)) <= thick
        part[np.hypot(dx, dy) <= max(0.8, cell / 8)] |= IN_DOT
        part[cross & (np.maximum(abs(dx), abs(dy)) <= cell * reach)] |= IN_CROSS
        part[depth < thick] |= IN_BORDER
    return part


def _rounded(cell: int) -> Bools:  # [cell, cell]
    """Return where a square with round corners is, as the page draws it."""
    away = np.abs(np.arange(cell) - (cell - 1) / 2)
    radius = 0.17 * cell
    beyond = np.maximum(away - (0.465 * cell - radius), 0)
    return np.asarray(np.hypot(beyond[:, None], beyond) <= radius)


def _draw_lines(owner: Ints, drawn: Geometry, cell: int) -> None:
    """Mark the pixels under the edges, sampled at every pixel of their length."""
    thick = max(1, cell // 12)
    for begin in range(0, len(drawn.edges), 1000):
        first, second = (drawn.places[drawn.edges[begin : begin + 1000]] * cell).swapaxes(0, 1)
        steps = np.ceil(np.abs(second - first).max(axis=1)).astype(int) + 1
        line = np.repeat(np.arange(len(steps)), steps)
        along = (np.arange(len(line)) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[line]
        x, y = (first[line] + along[:, None] * (second - first)[line] - thick / 2).astype(int).T
        for down, right in np.ndindex(thick, thick):
            owner[y + down, x + right] = -2


@lru_cache(maxsize=1)
def _rows_by_part() -> Bytes:  # [kinds, parts]
    """Return the row of the colour table for each kind of node and part of its cell."""
    rows = np.empty((10, 16), dtype=np.uint8)
    part = np.arange(16)
    for kind in range(10):
        rows[kind] = ATTACKED if kind in (NEWEST, NUMBERED) else kind
    rows[INACTIVE, part & IN_DOT > 0] = DOT
    rows[ATTACKED, part & IN_CROSS > 0] = CROSS
    rows[NEWEST, part & (IN_CROSS | IN_BORDER) > 0] = CROSS
    rows[[*range(4), NEWEST, NUMBERED], IN_GAP:] = GROUND
    return rows


# -- files -----------------------------------------------------------------------------------


def write_picture(
    path: str | Path,
    status: Bytes,  # [h, w], or [N] with a topology
    palette: str = "clear",
    cell: int | None = None,
    numbers: Ints | None = None,  # like status; shown on attacked squares where not 0
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
    drawn, colours = geometry(status.shape, topology), get_palette(palette)
    size = cell_size(drawn, cell)
    kinds = status.ravel().copy()
    numbered = _numbered(numbers) if size >= NUMBER_CELL else {}
    kinds[list(numbered)] = NUMBERED
    image = pillow.Image.fromarray(colours.table()[_colour_rows(kinds, drawn, size)])
    pen = pillow.ImageDraw.Draw(image)
    font = lru_cache(pillow.ImageFont.load_default)
    for node, text in numbered.items():
        height = size * (0.55 if len(text) < 3 else 0.4)
        place = tuple(drawn.places[node] * size - 0.5)
        pen.text(place, text, fill=colours.on_attacked, font=font(height), anchor="mm")
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def write_gif(
    file: BinaryIO,
    frames: Iterable[tuple[Bytes, int | None]],  # boards, each with its newest attack
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
        for status, newest in frames:
            drawn, kinds = geometry(status.shape, topology), status.ravel().copy()
            if newest is not None:
                kinds[newest] = NEWEST
            pixels = _colour_rows(kinds, drawn, cell_size(drawn, cell, count))
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
    """Return a board as the text of an SVG file, in which a cell is 10 wide."""
    drawn, colours = geometry(status.shape, topology), get_palette(palette)
    size, flat, numbered = cell_size(drawn, cell), status.ravel(), _numbered(numbers)
    middles = (10 * drawn.places).round(2).tolist()
    width, height = 10 * drawn.width, 10 * drawn.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * size / 10:.0f}" '
        f'height="{height * size / 10:.0f}" viewBox="0 0 {width:.7g} {height:.7g}">',
        f"<title>{drawn.title}</title>",
        f'<rect width="100%" height="100%" fill="{colours.ground}"/>',
    ]

    def path(nodes: Iterable[Any], shape: Callable[[int], str], style: str) -> None:
        shapes = "".join(f"M{_point(*middles[node])}{shape(node)}" for node in nodes)
        if shapes:
            parts.append(f'<path {style} d="{shapes}"/>')

    lines = "".join(f"M{_point(*middles[a])}L{_point(*middles[b])}" for a, b in drawn.edges)
    if lines:
        parts.append(f'<path stroke="{colours.line}" stroke-width="0.8" d="{lines}"/>')
    rim = f' stroke="{colours.line}" stroke-width="0.4"' * (drawn.corners is None)
    outlines: dict[int, str] = {}  # squares share their corners

    def outline(node: int) -> str:
        corners = None if drawn.corners is None else drawn.corners[node]
        if id(corners) not in outlines:
            outlines[id(corners)] = _circle(5 * FILLED) if corners is None else _polygon(corners)
        return outlines[id(corners)]

    for state, colour in enumerate(colours.states()):
        path(np.flatnonzero(flat == state), outline, f'fill="{colour}"{rim}')
    dots, dot = f'fill="{colours.on_inactive}"', _circle(1.3)
    path(np.flatnonzero(flat == INACTIVE), lambda _: dot, dots)
    crosses = f'stroke="{colours.on_attacked}" stroke-width="1.2" fill="none"'
    crossed = [node for node in np.flatnonzero(flat == ATTACKED) if node not in numbered]
    path(crossed, lambda _: _cross(7.8 * drawn.cross), crosses)
    if numbered:
        style = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
        parts.append(f'<g fill="{colours.on_attacked}" {style}>')
        for node, text in numbered.items():
            x, y = middles[node]
            place = f'x="{x:.8g}" y="{y:.8g}" font-size="{5.5 if len(text) < 3 else 4}"'
            parts.append(f"<text {place}>{text}</text>")
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _polygon(corners: Floats) -> str:
    """Return the outline of a cell, from its middle."""
    shrunk = (10 * FILLED * corners).round(2)
    steps = np.diff(shrunk, axis=0).round(2)
    return f"m{_point(*shrunk[0])}l{' '.join(_point(*step) for step in steps)}z"


def _cross(reach: float) -> str:
    a, b = f"{reach:.2g}", f"{2 * reach:.2g}"
    return f"m-{a}-{a}l{b} {b}m0-{b}l-{b} {b}"


def _circle(radius: float) -> str:
    turn = f"a{radius:g} {radius:g} 0 1 0 "
    return f"m-{radius:g} 0{turn}{2 * radius:g} 0{turn}-{2 * radius:g} 0z"


def _point(x: float, y: float) -> str:
    return f"{x:.8g} {y:.8g}"


def _numbered(numbers: Ints | None) -> dict[int, str]:
    """Return the number on each node that has one."""
    flat = np.zeros(0, dtype=np.int32) if numbers is None else numbers.ravel()
    return {int(node): str(flat[node]) for node in np.flatnonzero(flat)}


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
