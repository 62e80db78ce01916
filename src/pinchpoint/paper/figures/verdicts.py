"""Draw the numbers behind the verdicts, each claim on the axis of its threshold."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pinchpoint.paper.claims import TESTED
from pinchpoint.paper.figures.style import WIDTH, legend_below, new_figure

COLUMNS = 3
COLOURS = ("#0072b2", "#d55e00", "#7a7a7a")


def verdict_figure(claims: pd.DataFrame) -> Figure:
    """Draw a small panel for each claim: its intervals, and the side on which it holds."""
    panels = list(claims.groupby("claim", sort=False))
    rows = -(-len(panels) // COLUMNS)
    figure = new_figure(0.4 + 1.45 * rows, WIDTH * 1.3)
    axes = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    for number, (ax, (says, lines)) in enumerate(zip(axes, panels, strict=False), 1):
        draw_claim(ax, lines[lines["reading"] == TESTED])
        title = textwrap.fill(f"{number}. {says}", 38)
        ax.set_title(title, fontsize=6.5)
        ax.tick_params(labelsize=6)
    legend_below(figure, axes)
    return figure


def draw_claim(ax: Axes, tested: pd.DataFrame) -> None:
    """Draw a bar for each number of a claim, from the top down, in the colours of the teams."""
    above, below = tested["above"].iloc[0], tested["below"].iloc[0]
    colours = dict(zip(dict.fromkeys(tested["team"]), COLOURS, strict=False))
    shown = tested.dropna(subset="value").reset_index(drop=True)
    if not len(shown):
        ax.text(0.5, 0.5, "no data", ha="center", va="center", transform=ax.transAxes, fontsize=7)
        ax.set_yticks([])
        return
    for team, lines in shown.groupby("team", sort=False):
        error = [lines["value"] - lines["low"], lines["high"] - lines["value"]]
        ax.errorbar(
            lines["value"], -lines.index, xerr=np.abs(error), color=colours[team], marker="o",
            markersize=3, linestyle="", capsize=2, label=f"{team} agents",
        )  # fmt: skip
    thresholds = [end for end in (above, below) if np.isfinite(end)]
    ends = [*thresholds, *shown["low"], *shown["high"]]
    room = 0.08 * (max(ends) - min(ends) or 1.0)
    left, right = min(ends) - room, max(ends) + room
    ax.axvspan(max(above, left), min(below, right), color="#dff0e4", zorder=0)
    for end in thresholds:
        ax.axvline(end, color="#333333", linewidth=0.8, linestyle="--")
    ax.set_xlim(left, right)
    ax.set_ylim(-len(shown) + 0.4, 0.6)
    ax.set_yticks(-shown.index, shown["part"])
    ax.grid(False, axis="y")
