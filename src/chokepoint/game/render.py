"""Pictures of boards and games: arrays of pixels, PNG, SVG and GIF, and the palettes of them all.

State is never told by colour alone: inactive squares carry a dot, attacked ones a cross or the
number of the move. SVG is written as text; only PNG and GIF files need Pillow.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from chokepoint.errors import InputError
from chokepoint.files import whole_file
from chokepoint.game.state import ATTACKED, INACTIVE
from chokepoint.types import Bytes, Ints


@dataclass(frozen=True)
class Palette:
    """Colours as #rrggbb. The first four are those of the states, in their order."""

    blocked: str
    active: str
    inactive: str
    attacked: str
    ground: str = "#ffffff"  # between the squares
    on_inactive: str = "#3d6b8c"  # the dot
    on_attacked: str = "#ffffff"  # the cross or number

    def states(self) -> tuple[str, str, str, str]:
        return (self.blocked, self.active, self.inactive, self.attacked)

    def table(self) -> Bytes:  # [7, 3]  the states, then ground, dot and cross
        colours = (*self.states(), self.ground, self.on_inactive, self.on_attacked)
        return np.array([list(bytes.fromhex(c[1:])) for c in colours], dtype=np.uint8)


PALETTES = {
    # Told apart with any of the common kinds of colour blindness, and by lightness alone.
    "clear": Palette(blocked="#26262b", active="#f0a800", inactive="#d3e8f5", attacked="#b5174f"),
    # The colours of the paper.
    "classic": Palette(
        blocked="#000000",
        active="#1fa12e",
        inactive="#2f62d9",
        attacked="#d92b2b",
        on_inactive="#c9d8ff",
    ),
}
GROUND, DOT, CROSS = 4, 5, 6  # rows of the colour table after the four states
NEWEST = 4  # the tile of the square attacked last, after those of the four states
LARGEST_CELL = 24  # pixels a square, unless asked for more
MAX_PIXELS = 50_000_000  # of one picture
MAX_GIF_PIXELS = 1_000_000_000  # of all its pictures together
MARKED_CELL = 8  # the smallest squares that hold a dot or cross
NUMBER_CELL = 14  # the smallest squares that hold a number


def get_palette(name: str) -> Palette:
    try:
        return PALETTES[name]
    except KeyError:
        raise InputError(
            f"there is no palette {name!r}; choose from {', '.join(PALETTES)}"
        ) from None


# -- pixels ----------------------------------------------------------------------------------


def picture(status: Bytes, palette: str = "clear", cell: int | None = None) -> Bytes:
    """A board [h, w] as pixels [h · cell, w · cell, 3]; `cell` pixels a square."""
    size = cell_size(status.shape, cell)
    return get_palette(palette).table()[_pixels(status, tiles(size))]


def tiles(cell: int) -> Bytes:  # [5, cell, cell]  rows of the colour table
    """A square of each state, and one that was attacked just now."""
    out = np.empty((5, cell, cell), dtype=np.uint8)
    for state in range(4):
        out[state] = state
    out[NEWEST] = ATTACKED
    if cell < 4:  # too small for anything but the colour
        return out
    inner = cell - 1  # the last row and column of pixels part the squares
    out[:, inner:] = out[:, :, inner:] = GROUND
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


def _pixels(status: npt.NDArray[Any], drawn: Bytes) -> Bytes:  # [H, W]  rows of the colour table
    height, width = status.shape
    cell = drawn.shape[-1]
    pixels: Bytes = drawn[status].swapaxes(1, 2).reshape(height * cell, width * cell)
    return pixels


def cell_size(shape: tuple[int, ...], cell: int | None, frames: int = 1) -> int:
    """Pixels a square: as asked for, or the largest with which the picture stays handy."""
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
) -> None:
    """Draw one board as .png, .svg or .gif, by the end of the name."""
    kind = picture_kind(path)
    if kind == ".svg":
        data = svg(status, palette, cell, numbers).encode()
    elif kind == ".gif":
        buffer = io.BytesIO()
        write_gif(buffer, [(status, None)], 1, palette, cell)
        data = buffer.getvalue()
    else:
        data = png(status, palette, cell, numbers)
    with whole_file(path) as file:
        file.write(data)


def picture_kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower()
    if kind not in (".png", ".svg", ".gif"):
        raise InputError(f"cannot draw {path}: the name must end in .png, .svg or .gif")
    return kind


def png(
    status: Bytes, palette: str = "clear", cell: int | None = None, numbers: Ints | None = None
) -> bytes:
    """A board as the bytes of a PNG file."""
    pillow = _pillow()
    size, colours = cell_size(status.shape, cell), get_palette(palette)
    show = numbers is not None and size >= NUMBER_CELL
    drawn = tiles(size)
    if show:
        drawn[ATTACKED, : size - 1, : size - 1] = ATTACKED  # the number in place of the cross
    image = pillow.Image.fromarray(colours.table()[_pixels(status, drawn)])
    if show and numbers is not None:
        pen = pillow.ImageDraw.Draw(image)
        for row, col in np.argwhere(numbers):
            text = str(numbers[row, col])
            font = pillow.ImageFont.load_default(size * (0.55 if len(text) < 3 else 0.4))
            middle = ((col + 0.5) * size - 0.5, (row + 0.5) * size - 0.5)
            pen.text(middle, text, fill=colours.on_attacked, font=font, anchor="mm")
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
) -> None:
    """A moving picture; the last frame stays for a while, then it begins again."""
    pillow = _pillow()
    table = get_palette(palette).table().tobytes()
    if not 0.02 <= seconds <= 60:
        raise InputError(f"a picture for {seconds} seconds; it must be 0.02 to 60")

    def images() -> Iterable[Any]:
        drawn: Bytes | None = None
        for status, newest in frames:
            if drawn is None:
                drawn = tiles(cell_size(status.shape, cell, count))
            shown = status.copy()
            if newest is not None:
                shown.flat[newest] = NEWEST
            pixels = _pixels(shown, drawn)
            image = pillow.Image.frombytes("P", pixels.shape[::-1], pixels.tobytes())
            image.putpalette(table)
            yield image

    sequence = iter(images())
    durations = [int(1000 * seconds)] * (count - 1) + [int(1000 * max(2.0, seconds))]
    next(sequence).save(
        file, "GIF", save_all=True, append_images=sequence, duration=durations, loop=0
    )


def svg(
    status: Bytes, palette: str = "clear", cell: int | None = None, numbers: Ints | None = None
) -> str:
    """A board as the text of an SVG file."""
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


def _svg_path(mask: npt.NDArray[np.bool_], shape: str, look: str) -> list[str]:
    """One path that draws `shape` on every square of the mask; {x} and {y} are tens."""
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
            "PNG and GIF pictures need Pillow: pip install 'chokepoint[figures]' (SVG does not)"
        ) from None
    return PIL
