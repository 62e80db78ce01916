"""Draw distributions of steps on task and off task, and the matrix of agents and modes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from pinchpoint.paper.figures.style import legend_below, new_figure, panel_letters, style_of


def task_figure(rows: pd.DataFrame, network: str, flow: str) -> Figure:
    """Draw the steps of the network and flow agents: (a) on task, (b) off task."""
    figure = new_figure(3.0)
    axes = figure.subplots(1, 2)
    panels = {
        "on task": ((network, "network"), (flow, "flow")),
        "off task": ((network, "flow"), (flow, "network")),
    }
    for ax, (title, pairs) in zip(axes, panels.items(), strict=True):
        steps = {
            (agent, mode): rows.loc[(rows["agent"] == agent) & (rows["mode"] == mode), "steps"]
            for agent, mode in pairs
        }
        top = max((int(values.max()) for values in steps.values() if len(values)), default=1)
        for (agent, mode), values in steps.items():
            if len(values):
                histogram(ax, values, top, agent, f"{style_of(agent).label}, playing {mode}")
        ax.set_title(title)
        ax.set_xlabel("moves to completion")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18))
    axes[0].set_ylabel("share of games")
    panel_letters(axes)
    return figure


def histogram(ax: Axes, values: pd.Series, top: int, agent: str, label: str) -> None:
    """Draw the share of games by their steps, in at most 40 bins of equal width up to `top`."""
    width = -(-top // 40)
    edges = [0.5 + width * i for i in range(-(-top // width) + 1)]
    colour, share = style_of(agent).colour, np.full(len(values), 1 / len(values))
    ax.hist(values, edges, weights=share, histtype="stepfilled", alpha=0.35, color=colour)
    ax.hist(values, edges, weights=share, histtype="step", color=colour, linewidth=1.2, label=label)


def distribution_figure(rows: pd.DataFrame, modes: Sequence[str], agents: Sequence[str]) -> Figure:
    """Draw how the steps of each agent spread; below, the share of longer games (the tails)."""
    figure = new_figure(4.6)
    axes = figure.subplots(2, len(modes), sharex="col", squeeze=False)
    for column, mode in enumerate(modes):
        chosen = rows[rows["mode"] == mode]
        steps = {agent: chosen.loc[chosen["agent"] == agent, "steps"] for agent in agents}
        steps = {agent: values for agent, values in steps.items() if len(values)}
        top = max((int(values.max()) for values in steps.values()), default=1)
        for agent, values in steps.items():
            histogram(axes[0, column], values, top, agent, style_of(agent).label)
            tail(axes[1, column], values, agent)
        axes[0, column].set_title(f"playing {mode}")
        axes[1, column].set_title("tails")
        axes[1, column].set_yscale("log")
        axes[1, column].yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")
        axes[1, column].yaxis.set_minor_formatter(NullFormatter())
        axes[1, column].set_xlabel("moves to completion")
    axes[0, 0].set_ylabel("share of games")
    axes[1, 0].set_ylabel("share of games that\nneed at least so many")
    panel_letters(axes.ravel())
    legend_below(figure, axes.ravel())
    return figure


def tail(ax: Axes, values: pd.Series, agent: str) -> None:
    """Draw the share of games with at least so many steps; the line ends at the worst game."""
    ordered = np.sort(values.to_numpy())
    share = 1 - np.arange(len(ordered)) / len(ordered)
    style = style_of(agent)
    ax.step(ordered, share, where="pre", color=style.colour)
    ax.plot(ordered[-1:], share[-1:], color=style.colour, marker=style.mark)


def matrix_figure(summary: pd.DataFrame, agents: Sequence[str], modes: Sequence[str]) -> Figure:
    """Draw mean steps and ratio to the best known for every agent in every mode."""
    agents = [agent for agent in agents if agent in set(summary["agent"])]
    figure = new_figure(0.9 + 0.42 * len(agents))
    axes = figure.subplots(1, 2, sharey=True)
    titles = {"mean": "mean moves to completion", "ratio": "moves ÷ best known"}
    for ax, (column, title) in zip(axes, titles.items(), strict=True):
        table = summary.pivot_table(index="agent", columns="mode", values=column, sort=False)
        table = table.reindex(index=agents, columns=list(modes))
        by_mode = table / table.min()  # colours compare agents within one mode
        shade = np.log(by_mode.to_numpy(float))
        ax.imshow(shade, cmap="YlOrBr", vmin=0, vmax=np.log(20), aspect="auto")
        for row, agent in enumerate(agents):
            for col, mode in enumerate(modes):
                value = table.loc[agent, mode]
                dark = by_mode.loc[agent, mode] > 8
                ax.text(
                    col, row, cell_text(value, column), ha="center", va="center", fontsize=9,
                    color="white" if dark else "black",
                )  # fmt: skip
        ax.set_xticks(range(len(modes)), [f"playing\n{mode}" for mode in modes])
        ax.set_yticks(range(len(agents)), [style_of(agent).label for agent in agents])
        ax.grid(False)
        ax.tick_params(length=0)
        ax.set_title(title)
        for spine in ax.spines.values():
            spine.set_visible(False)
    panel_letters(axes)
    return figure


def cell_text(value: float, column: str) -> str:
    if not np.isfinite(value):
        return "–"
    return f"{value:.2f}" if column == "ratio" else f"{value:.1f}"
