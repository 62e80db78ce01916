"""Draw lines over p, size and time: steps, ratio to par, par, scaling, regret, learning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from pinchpoint.paper.figures.style import (
    STYLES,
    legend_below,
    new_figure,
    our_style,
    panel_letters,
    save,
    style_of,
)

P_LABEL = "p, the probability that a square is open"


def paper_steps_figure(
    summary: pd.DataFrame, modes: Sequence[str], agents: Sequence[str]
) -> Figure:
    """Draw steps against p as the paper does: a panel for each mode, mean ± standard deviation."""
    figure = new_figure(3.1)
    axes = figure.subplots(1, len(modes), squeeze=False)[0]
    for ax, mode in zip(axes, modes, strict=True):
        lines = summary[summary["mode"] == mode]
        for agent in agents:
            steps_line(ax, lines[lines["agent"] == agent], agent)
        ax.set_title(f"playing {mode}")
        ax.set_ylim(bottom=0)
        ax.set_xlabel(P_LABEL)
    axes[0].set_ylabel("moves to completion\n(mean ± standard deviation)")
    panel_letters(axes)
    legend_below(figure, axes)
    return figure


def steps_figure(summary: pd.DataFrame, modes: Sequence[str], agents: Sequence[str]) -> Figure:
    """Draw steps against p, a mode in each column; below, the ratio to the best known."""
    figure = new_figure(4.9)
    axes = figure.subplots(2, len(modes), sharex=True, squeeze=False, height_ratios=(1.5, 1))
    for column, mode in enumerate(modes):
        lines = summary[summary["mode"] == mode]
        steps, ratio = axes[0, column], axes[1, column]
        for agent in agents:
            steps_line(steps, lines[lines["agent"] == agent], agent)
            ratio_line(ratio, lines[lines["agent"] == agent], agent)
        par_line(steps, lines)
        ratio.axhline(1, color=STYLES["par"].colour, linestyle="--", linewidth=1.0)
        steps.set_title(f"playing {mode}")
        ratio.set_title(f"playing {mode}, against the best known")
        steps.set_ylim(bottom=0)
        ratio.set_yscale("log")
        plain_log_ticks(ratio)
        ratio.set_xlabel(P_LABEL)
    axes[0, 0].set_ylabel("moves to completion\n(mean ± standard deviation)")
    axes[1, 0].set_ylabel("moves ÷ best known\n(with 95 % interval)")
    panel_letters(axes.ravel())
    legend_below(figure, axes.ravel())
    return figure


def steps_line(ax: Axes, lines: pd.DataFrame, agent: str) -> None:
    if len(lines):
        style = style_of(agent)
        ax.errorbar(
            lines["p"], lines["mean"], lines["std"], label=style.label, **style.drawn,
            capsize=2, elinewidth=0.7, capthick=0.7,
        )  # fmt: skip


def ratio_line(ax: Axes, lines: pd.DataFrame, agent: str) -> None:
    lines = lines.dropna(subset=["ratio"])
    if len(lines):
        error = [lines["ratio"] - lines["ratio_low"], lines["ratio_high"] - lines["ratio"]]
        ax.errorbar(
            lines["p"], lines["ratio"], error, **style_of(agent).drawn,
            capsize=2, elinewidth=0.7, capthick=0.7,
        )  # fmt: skip


def par_line(ax: Axes, lines: pd.DataFrame) -> None:
    """Draw the mean par of each p, with a filled mark where all boards are proven."""
    par = lines.dropna(subset=["par"]).groupby("p")[["par", "proven"]].mean()
    if not len(par):
        return
    ax.plot(par.index, par["par"], color="black", linestyle="--", label="best known", zorder=4)
    sure = par[par["proven"] >= 1]
    ax.plot(
        sure.index, sure["par"], color="black", linestyle="", marker=".", zorder=4,
        label="proven on all boards",
    )  # fmt: skip


def plain_log_ticks(ax: Axes, which: str = "y") -> None:
    """Label a logarithmic axis 1, 2, 5, 10, … in plain figures."""
    axis = ax.yaxis if which == "y" else ax.xaxis
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(NullFormatter())


def par_figure(pars: pd.DataFrame) -> Figure:
    """Draw the par of the three modes on the same boards.

    `pars` has the columns mode, p, board, par and proven.
    """
    figure = new_figure(3.2)
    ax = figure.subplots()
    for mode, lines in pars.groupby("mode", sort=False):
        means = lines.groupby("p").agg(
            par=("par", "mean"), std=("par", "std"), proven=("proven", "mean")
        )
        style = style_of(str(mode))
        share = f"{means['proven'].mean():.0%} of boards proven"
        ax.errorbar(
            means.index, means["par"], means["std"].fillna(0), color=style.colour,
            marker=style.mark, capsize=2, elinewidth=0.7, label=f"{mode} ({share})",
        )  # fmt: skip
    ax.set_yscale("log")
    plain_log_ticks(ax)
    ax.set_xlabel(P_LABEL)
    ax.set_ylabel("fewest moves known\n(mean ± standard deviation)")
    legend_below(figure, [ax], 3)
    return figure


def scaling_figure(rows: pd.DataFrame) -> Figure:
    """Draw agents and solvers on larger boards: ratio to the best known, and time a game."""
    modes = list(dict.fromkeys(rows["mode"]))
    figure = new_figure(4.6)
    axes = figure.subplots(2, len(modes), sharex=True, squeeze=False)
    rows = rows.assign(side=rows["size"].str.split("x").str[0].astype(int))
    for column, mode in enumerate(modes):
        for agent, lines in rows[rows["mode"] == mode].groupby("agent", sort=False):
            means = lines.groupby("side")[["steps", "par", "seconds"]].mean()
            style = style_of(str(agent))
            axes[0, column].plot(means.index, means["steps"] / means["par"], **style.drawn)
            axes[1, column].plot(means.index, means["seconds"], label=style.label, **style.drawn)
        axes[0, column].set_title(f"playing {mode}")
        axes[1, column].set_title("time")
        for ax in axes[:, column]:
            ax.set_xscale("log")
            ax.set_yscale("log")
            sides = sorted(set(rows["side"]))
            ax.set_xticks(sides, [str(side) for side in sides])
            ax.minorticks_off()
        plain_log_ticks(axes[0, column])
        axes[1, column].set_xlabel("side of the board, squares")
    axes[0, 0].set_ylabel("moves ÷ best known")
    axes[1, 0].set_ylabel("seconds a game, one core")
    panel_letters(axes.ravel())
    legend_below(figure, axes.ravel())
    return figure


def regret_figure(regrets: pd.DataFrame) -> Figure:
    """Draw the mean regret by move number: what a move costs against the best one."""
    modes = list(dict.fromkeys(regrets["mode"]))
    figure = new_figure(2.9)
    axes = figure.subplots(1, len(modes), squeeze=False)[0]
    for ax, mode in zip(axes, modes, strict=True):
        chosen = regrets[regrets["mode"] == mode]
        for agent, lines in chosen.groupby("agent", sort=False):
            by_move = lines.groupby("move")["regret"].agg(["mean", "sem", "count"])
            by_move = by_move[by_move["count"] >= min(5, by_move["count"].max())]
            style = style_of(str(agent))
            ax.errorbar(
                by_move.index, by_move["mean"], 1.96 * by_move["sem"].fillna(0),
                **style.drawn, capsize=2, elinewidth=0.7, label=style.label,
            )  # fmt: skip
        size, p = chosen["size"].iloc[0].replace("x", " × "), chosen["p"].iloc[0]
        ax.set_title(f"{mode}, {size}, p = {p:g}")
        ax.set_xlabel("number of the move")
        ax.set_xscale("log")  # random play goes on and on
        plain_log_ticks(ax, "x")
        ax.set_ylim(bottom=min(0.0, chosen.groupby(["agent", "move"])["regret"].mean().min()))
    axes[0].set_ylabel("regret, moves\n(mean, 95 % interval)")
    panel_letters(axes)
    legend_below(figure, axes)
    return figure


def learning_figure(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> Figure:
    """Draw validation through training, a panel for each agent and a curve for each p.

    Runs on graphs have a curve for each kind of graph. Where training moves on to larger boards,
    the curve is cut and the size is written above.
    """
    rows, columns = -(-len(curves) // 3), min(len(curves), 3)
    figure = new_figure(0.5 + 2.4 * rows, 7.2 if columns > 1 else 3.6)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for spare in axes[len(curves) :]:
        spare.set_visible(False)
    for ax, (agent, history) in zip(axes, curves.items(), strict=False):
        densities = list(history[0]["validation"])
        shades = np.linspace(0.25, 1, len(densities))
        for p, shade in zip(densities, shades, strict=True):
            for i, stage in enumerate(stages(history)):
                hours = [row["seconds"] / 3600 for row in stage]
                means = [row["validation"][p] for row in stage]
                colour = STYLES[agent].colour if agent in STYLES else "#333333"
                name = p if on_graphs(history) else f"p = {p}"
                label = name if i == 0 else None
                ax.plot(hours, means, color=colour, alpha=shade, label=label, marker=".")
        mark_stages(ax, history)
        ax.set_title(f"{agent} agent", pad=14)
        ax.set_xlim(left=0)
        ax.set_yscale("log")
        plain_log_ticks(ax)
        ax.set_xlabel("hours of training")
    for ax in axes[::columns]:
        ax.set_ylabel("moves of greedy play\non boards kept apart")
    legend_below(figure, axes, 6)
    return figure


def mark_stages(ax: Axes, history: Sequence[Mapping[str, Any]]) -> None:
    """Draw a line where a new size of board begins, and write the size if there is room."""
    total = history[-1]["seconds"] / 3600
    free_from = -1.0
    for stage in stages(history):
        start, side = stage[0]["seconds"] / 3600, stage[0]["size"]
        ax.axvline(start, color="#999999", linewidth=0.6, linestyle=":")
        if start >= free_from:
            free_from = start + 0.2 * total
            name = f"{side} nodes" if on_graphs(history) else f"{side} × {side}"
            ax.annotate(
                name, (start, 1.02), xycoords=("data", "axes fraction"),
                fontsize=6.5, color="#555555",
            )  # fmt: skip


def on_graphs(history: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a run was validated by kinds of graphs, not by densities of boards."""
    return not any(name[0].isdigit() for name in history[0]["validation"])


def stages(history: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return the history in parts of one board size each."""
    parts: list[list[Mapping[str, Any]]] = []
    for row in history:
        if not parts or parts[-1][-1]["size"] != row["size"]:
            parts.append([])
        parts[-1].append(row)
    return parts


def learning_curve(history: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the validation of one training run."""
    if history:
        with our_style():
            save(learning_figure({path.parent.name: history}), path.parent, path.stem)
