"""Draw the numbers behind the verdicts, each claim on the axis of its threshold."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pinchpoint.paper.claims import Claim
from pinchpoint.paper.figures.style import WIDTH, legend_below, new_figure

COLUMNS = 3
COLOURS = ("#0072b2", "#d55e00", "#7a7a7a")


def verdict_figure(claims: Sequence[Claim]) -> Figure:
    """Draw a small panel for each claim: its intervals, and the side on which it holds."""
    rows = -(-len(claims) // COLUMNS)
    figure = new_figure(0.4 + 1.45 * rows, WIDTH * 1.3)
    axes = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    for spare in axes[len(claims) :]:
        spare.set_visible(False)
    for number, (ax, claim) in enumerate(zip(axes, claims, strict=False), 1):
        draw_claim(ax, claim)
        title = textwrap.fill(f"{number}. {claim.says}", 38)
        ax.set_title(title, fontsize=6.5)
        ax.tick_params(labelsize=6)
    legend_below(figure, axes)
    return figure


def draw_claim(ax: Axes, claim: Claim) -> None:
    """Draw a bar for each number of a claim, from the top down, in the colours of the teams."""
    names: list[str] = []
    ends = [end for end in (claim.low, claim.high) if np.isfinite(end)]
    for colour, judged in zip(COLOURS, claim.judgements, strict=False):
        for part in judged.parts:
            if part.value is None:
                continue
            value, place = part.value, -len(names)
            error = [[value.value - value.low], [value.high - value.value]]
            ax.errorbar(
                value.value, place, xerr=np.abs(error), color=colour, marker="o", markersize=3,
                capsize=2, label=f"{judged.team} agents",
            )  # fmt: skip
            names.append(part.name)
            ends += [value.low, value.high]
    if not names:
        ax.text(0.5, 0.5, "no data", ha="center", va="center", transform=ax.transAxes, fontsize=7)
        ax.set_yticks([])
        return
    room = 0.08 * (max(ends) - min(ends) or 1.0)
    left, right = min(ends) - room, max(ends) + room
    ax.axvspan(max(claim.low, left), min(claim.high, right), color="#dff0e4", zorder=0)
    for end in (claim.low, claim.high):
        if np.isfinite(end):
            ax.axvline(end, color="#333333", linewidth=0.8, linestyle="--")
    ax.set_xlim(left, right)
    ax.set_ylim(-len(names) + 0.4, 0.6)
    ax.set_yticks([-i for i in range(len(names))], names)
    ax.grid(False, axis="y")
