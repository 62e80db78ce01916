"""Draw games: a sample game, the three games with their marks, Q-values over a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.palette import get_palette
from pinchpoint.game.render import picture
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.paper.figures.style import WIDTH, new_figure, no_ticks
from pinchpoint.types import Bytes

STATES = ("blocked", "active", "inactive", "attacked")
CELL = 28  # pixels a square
Q_MEANING = "an estimate of minus the moves to the end if it is attacked"


@dataclass(frozen=True)
class Moment:
    """A position of a game and the move that follows; Q-values where an agent has them."""

    status: Bytes  # [h, w]
    square: int | None  # that is attacked next; None at the end
    q: npt.NDArray[np.float32] | None = None  # [h, w]


def moments(
    board: Bytes, mode: Mode, moves: Sequence[int], q_agent: Any | None = None
) -> list[Moment]:
    """Return the positions of a game, with the agent's Q-values if an agent is given."""
    games = Games(board, mode)
    found = []
    for move in [*moves, None]:
        q = None
        if q_agent is not None and move is not None:
            q = np.asarray(q_agent.q_values(games))[0].reshape(board.shape)
        found.append(Moment(games.boards[0].copy(), move, q))
        if move is not None:
            games.play(move)
    return found


def draw_board(ax: Axes, status: Bytes, palette: str) -> None:
    """Draw a board in units of its squares: the middle of square (row, col) is x = col, y = row."""
    height, width = status.shape
    extent = (-0.5, width - 0.5, height - 0.5, -0.5)
    ax.imshow(picture(status, palette, CELL), extent=extent, interpolation="antialiased")
    no_ticks(ax)


def state_legend(figure: Figure, palette: str, more: Sequence[Any] = ()) -> None:
    colours = get_palette(palette)
    handles: list[Any] = [
        Patch(facecolor=colour, edgecolor="#666666", linewidth=0.5, label=name)
        for name, colour in zip(STATES, colours.states(), strict=True)
    ]
    figure.legend(handles=[*handles, *more], loc="outside lower center", ncols=4 + len(more))


def mark(ax: Axes, square: int, width: int, colour: str) -> None:
    """Draw a frame round one square."""
    row, col = divmod(square, width)
    place = (col - 0.5, row - 0.5)
    thick = 1.6 if width <= 12 else 1.0
    frame = Rectangle(place, 1, 1, fill=False, edgecolor=colour, linewidth=thick, clip_on=False)
    ax.add_patch(frame)


def sample_game(game: Sequence[Moment], palette: str, columns: int = 4) -> Figure:
    """Draw the board after each move, with a frame round the next move."""
    rows = -(-len(game) // columns)
    figure = new_figure(0.45 + 1.95 * rows)
    for i, moment in enumerate(game):
        ax = figure.add_subplot(rows, columns, i + 1)
        draw_board(ax, moment.status, palette)
        if moment.square is not None:
            mark(ax, moment.square, moment.status.shape[1], "#000000")
        moves = f"after {i} move{'s' * (i > 1)}" if i else "the board"
        ax.set_title(moves + (": over" if i == len(game) - 1 else ""))
    framed = Patch(facecolor="none", edgecolor="#000000", linewidth=1.6, label="next move")
    state_legend(figure, palette, [framed])
    return figure


# -- the three games -------------------------------------------------------------------------


def three_games(games: Sequence[tuple[Mode, list[Moment]]], palette: str) -> Figure:
    """Draw each game at its end, with the marks of the paper's second figure."""
    figure = new_figure(3.3)
    draw = {"network": network_marks, "flow": flow_marks, "noodle": noodle_marks}
    for i, (mode, game) in enumerate(games):
        ax = figure.add_subplot(1, len(games), i + 1)
        draw_board(ax, game[-1].status, palette)
        note = draw[mode.name](ax, game, palette)
        height, width = game[-1].status.shape
        ax.set_xlim(-1.3, width + 0.3)  # the same for all, with room for arrows and ticks
        ax.set_ylim(height + 0.4, -1.4)
        ax.set_title(f"({'abc'[i]})  {mode.name}")
        ax.set_xlabel(note, fontsize=7.5)
    state_legend(figure, palette)
    return figure


def network_marks(ax: Axes, game: Sequence[Moment], palette: str) -> str:
    """Mark what was active one move before the end, and the largest piece cut off until then."""
    before, colours = game[-2].status, get_palette(palette)
    active = [tuple(s) for s in np.argwhere((before == ACTIVE) & (game[-1].status == INACTIVE))]
    pieces = [piece for piece in components(before) if before[piece[0]] == INACTIVE]
    cut_off = max(pieces, key=len, default=[])
    dots(ax, active, colours.active)
    dots(ax, cut_off, colours.on_inactive)
    return (
        f"dots: one move before the end, {len(active) + 1} squares\n"
        f"active, {len(cut_off)} in the largest piece cut off"
    )


def dots(ax: Axes, squares: Sequence[tuple[int, int]], colour: str) -> None:
    if squares:
        rows, cols = zip(*squares, strict=True)
        ax.scatter(cols, rows, s=34, c=colour, edgecolors="#222222", linewidths=0.8, zorder=3)


def components(status: Bytes) -> list[list[tuple[int, int]]]:
    """Return the pieces of open squares as lists of (row, col)."""
    grid = nx.grid_2d_graph(*status.shape)
    open_squares = [tuple(s) for s in np.argwhere((status == 1) | (status == 2))]
    return [sorted(piece) for piece in nx.connected_components(grid.subgraph(open_squares))]


def flow_marks(ax: Axes, game: Sequence[Moment], palette: str) -> str:
    """Mark the wall from side to side that blocks the passage, and the passage."""
    status = game[-1].status
    wall = barrier(status)
    rows, cols = zip(*wall, strict=True)
    height, width = status.shape
    ax.plot([-0.5, *cols, width - 0.5], [rows[0], *rows, rows[-1]], color="#ffffff", linewidth=3.4)
    ax.plot([-0.5, *cols, width - 0.5], [rows[0], *rows, rows[-1]], color="#000000", linewidth=1.6)
    arrow = {"arrowstyle": "-|>", "color": "#000000", "linewidth": 1.2}
    for start, end in ((-1.4, -0.4), (height + 0.4, height - 0.6)):
        ax.annotate("", ((width - 1) / 2, end), ((width - 1) / 2, start), arrowprops=arrow)
    return "line: blocked and attacked squares\nthat part the top from the bottom"


def barrier(status: Bytes) -> list[tuple[int, int]]:
    """Return the shortest 8-connected path of squares that are not open, from left to right."""
    width = status.shape[1]
    closed = {tuple(s) for s in np.argwhere((status == 0) | (status == 3))}
    graph = nx.Graph()
    for row, col in closed:
        for near in ((row, col + 1), (row + 1, col), (row + 1, col + 1), (row - 1, col + 1)):
            if near in closed:
                graph.add_edge((row, col), near)
        if col == 0:
            graph.add_edge("left", (row, col))
        if col == width - 1:
            graph.add_edge("right", (row, col))
    path: list[tuple[int, int]] = nx.shortest_path(graph, "left", "right")[1:-1]
    return path


def noodle_marks(ax: Axes, game: Sequence[Moment], palette: str) -> str:
    """Put a tick on every face: a side that does not touch another square of the same piece."""
    status = game[-1].status
    pieces = components(status)
    faces = 0
    for piece in pieces:
        inside = set(piece)
        for row, col in piece:
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if (row + down, col + right) not in inside:
                    faces += 1
                    ys = (row + 0.32 * down, row + 0.62 * down)
                    xs = (col + 0.32 * right, col + 0.62 * right)
                    ax.plot(xs, ys, color="#000000", linewidth=1.1, solid_capstyle="butt")
    squares = sum(map(len, pieces))
    ratio = faces / squares
    return f"{faces} faces (ticks) on {squares} squares:\nratio {ratio:.2f}, above 2 in every piece"


# -- Q-values --------------------------------------------------------------------------------


def q_figure(game: Sequence[Moment], palette: str, title: str, most: int = 6) -> Figure:
    """Draw boards above and Q-values below, with a frame round the chosen square; then the end.

    Of a long game, positions at even distances are shown.
    """
    moved = [i for i, moment in enumerate(game) if moment.q is not None]
    shown = [moved[i] for i in np.unique(np.linspace(0, len(moved) - 1, most).round().astype(int))]
    height, step = 3.1, 0.985 / (most + 1)  # a column for each position, and one for the end
    figure = Figure(figsize=(WIDTH, height), dpi=200)
    figure.suptitle(title, x=0.01, y=0.985, ha="left", fontsize=9)
    size = step * 0.9
    tall = size * WIDTH / height
    for column, i in enumerate([*shown, len(game) - 1]):
        left = 0.01 + column * step
        board_axes = figure.add_axes((left, 0.545, size, tall))
        draw_board(board_axes, game[i].status, palette)
        if game[i].q is None:
            board_axes.set_title(f"end, {i} moves", fontsize=8)
            continue
        board_axes.set_title(f"move {i + 1}", fontsize=8)
        q_axes = figure.add_axes((left, 0.205, size, tall))
        image = draw_q(q_axes, game[i])
        scale = figure.add_axes((left, 0.172, size, 0.02))
        bar = figure.colorbar(image, cax=scale, orientation="horizontal")
        bar.ax.tick_params(labelsize=6.5, length=2)
        label_ends(bar)
        bar.outline.set_linewidth(0.4)
    note = f"Below each board: Q of every active square, {Q_MEANING}.\nRed frame: the move chosen."
    figure.text(0.01, 0.02, note, fontsize=7.5)
    return figure


def label_ends(bar: Colorbar) -> None:
    """Label a colour bar at its two ends only: there is no room for more below a small board."""
    ends = bar.ax.get_xlim()
    bar.set_ticks(ends, labels=[f"{end:.1f}".replace("-", "−") for end in ends])
    left, right = bar.ax.get_xticklabels()
    left.set_horizontalalignment("left")
    right.set_horizontalalignment("right")


def draw_q(ax: Axes, moment: Moment) -> Any:
    """Draw a heat map of Q over the squares that may be attacked."""
    assert moment.q is not None
    assert moment.square is not None
    q = np.ma.masked_invalid(moment.q)
    low, high = float(q.min()), float(q.max())
    if high - low < 0.5:  # do not paint noise in strong colours
        low = high - 0.5
    ax.set_facecolor("#d9d9d9")
    image = ax.imshow(q, cmap="viridis", vmin=low, vmax=high, interpolation="nearest")
    no_ticks(ax)
    mark(ax, moment.square, q.shape[1], "#d00000")
    return image
