"""Curves of dismantling, and networks drawn with the nodes that go first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from pinchpoint.errors import InputError
from pinchpoint.files import whole_files
from pinchpoint.paper.figures.style import legend_below, new_figure, no_ticks, our_style

if TYPE_CHECKING:
    from pinchpoint.dismantling.run import Dismantling

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def dismantling_curves(found: Sequence[Dismantling], folder: Path) -> None:
    """Draw the largest piece along each order, as curve.png and curve.svg."""
    with our_style():
        figure = new_figure(3.4)
        ax = figure.add_subplot()
        for i, one in enumerate(found):
            share = np.concatenate([[np.nan], one.curve.largest / one.graph.n])
            line = "-" if i < len(COLOURS) else "--"
            ax.plot(share, label=one.method, color=COLOURS[i % len(COLOURS)], linestyle=line)
        ax.set_xlabel("nodes removed")
        ax.set_ylabel("largest piece, share of all nodes")
        ax.set_ylim(0, 1.02)
        legend_below(figure, [ax])
        _save(figure, folder, "curve")


def worst_nodes(one: Dismantling, count: int, path: Path) -> None:
    """Draw a network with its positions, and the first nodes of an order with their numbers."""
    graph = one.graph
    if graph.positions is None:
        raise InputError("the network has no positions; it cannot be drawn")
    where = graph.positions
    with our_style():
        figure = new_figure(5.0)
        ax = figure.add_subplot()
        ax.add_collection(
            LineCollection(list(where[graph.edges()]), colors="#9a9aa0", linewidths=0.5)
        )
        ax.scatter(where[:, 0], where[:, 1], s=3, color="#33333a", zorder=2)
        first = where[one.order[:count]]
        ax.scatter(first[:, 0], first[:, 1], s=70, color="#b5174f", zorder=3)
        for rank, (x, y) in enumerate(first, 1):
            ax.text(x, y, str(rank), color="white", ha="center", va="center", fontsize=6, zorder=4)
        ax.set_aspect("equal")
        ax.autoscale_view()
        no_ticks(ax)
        _save(figure, path.parent, path.stem)


def _save(figure: Figure, folder: Path, name: str) -> None:
    """Write a figure as PNG and SVG, without dates: the same figure gives the same file."""
    with whole_files([folder / f"{name}.png", folder / f"{name}.svg"]) as (png, svg):
        figure.savefig(png, format="png", metadata={"Software": None})
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
