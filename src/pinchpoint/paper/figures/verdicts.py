"""Draw the numbers behind the verdicts, each claim on the axis of its threshold."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pinchpoint.paper.claims import TESTED
from pinchpoint.paper.figures.style import WIDTH, legend_below, new_figure

COLUMNS = 2
PART, TITLE = 0.24, 0.75  # inches: the height of a part, and of what stands above and below
COLOURS = ("#0072b2", "#d55e00", "#7a7a7a")
APART = 0.34  # of the height of a part, between the bars of two teams


def verdict_figure(claims: pd.DataFrame) -> Figure:
    """Draw a small panel for each claim: its intervals, and the side on which it holds."""
    tested = claims[claims["reading"] == TESTED]
    panels = list(tested.groupby("claim", sort=False))
    pairs = [panels[i : i + COLUMNS] for i in range(0, len(panels), COLUMNS)]
    parts = [max(lines["part"].nunique() for _, lines in pair) for pair in pairs]
    heights = [TITLE + PART * count for count in parts]
    figure = new_figure(0.4 + sum(heights), WIDTH * 1.3)
    axes = figure.subplots(len(pairs), COLUMNS, squeeze=False, height_ratios=heights).ravel()
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    for number, (ax, (says, lines)) in enumerate(zip(axes, panels, strict=False), 1):
        draw_claim(ax, lines, list(dict.fromkeys(claims["team"])))
        ax.set_title(textwrap.fill(f"{number}. {says}", 38))
    legend_below(figure, axes)
    return figure


def draw_claim(ax: Axes, tested: pd.DataFrame, teams: Sequence[str]) -> None:
    """Draw a bar for each number of a claim: parts from the top down, teams side by side."""
    above, below = tested["above"].iloc[0], tested["below"].iloc[0]
    shown = tested.dropna(subset="value")
    parts = list(dict.fromkeys(shown["part"]))
    if not len(shown):
        ax.text(0.5, 0.5, "no data", ha="center", va="center", transform=ax.transAxes)
        ax.set_yticks([])
        return
    for number, (team, colour) in enumerate(zip(teams, COLOURS, strict=False)):
        lines = shown[shown["team"] == team]
        places = [-parts.index(part) - APART * (number - (len(teams) - 1) / 2)
                  for part in lines["part"]]  # fmt: skip
        error = [lines["value"] - lines["low"], lines["high"] - lines["value"]]
        ax.errorbar(
            lines["value"], places, xerr=np.abs(error), color=colour, marker="o", markersize=3.5,
            linestyle="", capsize=2, label=f"{team} agents",
        )  # fmt: skip
    thresholds = [end for end in (above, below) if np.isfinite(end)]
    ends = [*thresholds, *shown["low"], *shown["high"]]
    room = 0.08 * (max(ends) - min(ends) or 1.0)
    left, right = min(ends) - room, max(ends) + room
    ax.axvspan(max(above, left), min(below, right), color="#dff0e4", zorder=0)
    for end in thresholds:
        ax.axvline(end, color="#333333", linewidth=0.8, linestyle="--")
    ax.set_xlim(left, right)
    ax.set_ylim(-len(parts) + 0.4, 0.6)
    ax.set_yticks([-i for i in range(len(parts))], [textwrap.fill(part, 34) for part in parts])
    ax.grid(False, axis="y")
