"""The style of the figures: a colour, mark and name for each agent; sizes; saving."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 7.2  # inches, the width of two columns

# Okabe and Ito's colours, which colour-blind people can tell apart; marks differ as well.
SPARE = (("#8c6d31", "X"), ("#5e4fa2", "<"), ("#b2182b", ">"), ("#999933", "v"))


@dataclass(frozen=True)
class Style:
    label: str
    colour: str
    mark: str
    line: str = "-"

    @property
    def drawn(self) -> dict[str, Any]:
        """The arguments that make matplotlib draw a line in this style."""
        return {"color": self.colour, "marker": self.mark, "linestyle": self.line}


STYLES = {
    "random": Style("random moves", "#7a7a7a", "o"),
    "network": Style("network agent", "#0072b2", "s"),
    "flow": Style("flow agent", "#d55e00", "^"),
    "noodle": Style("noodle agent", "#009e73", "D"),
    "network-q": Style("network agent, Q-learned", "#56b4e9", "P", "--"),
    "flow-q": Style("flow agent, Q-learned", "#e69f00", "v", "--"),
    "noodle-q": Style("noodle agent, Q-learned", "#66c2a5", "d", "--"),
    "par": Style("best known", "#000000", "", "--"),
    "optimal": Style("solver", "#000000", "*", "--"),
    "search": Style("search", "#cc79a7", "p", "-."),
}
OUR_STYLE = {
    "font.size": 8.5,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "svg.hashsalt": "pinchpoint",  # names of parts in an SVG are random without it
}


def our_style() -> AbstractContextManager[None]:
    """Return a context for making figures; it leaves the caller's own settings as they are."""
    return mpl.rc_context(OUR_STYLE)  # type: ignore[arg-type]


def style_of(agent: str) -> Style:
    """Return the style of an agent; one that is not in STYLES gets a style by its name."""
    name, _, argument = agent.partition(":")
    if name == "search" and argument:
        return replace(STYLES[name], label=f"{STYLES[name].label}, width {argument}")
    if name in STYLES:
        return STYLES[name]
    colour, mark = SPARE[sum(agent.encode()) % len(SPARE)]
    return Style(agent, colour, mark)


def new_figure(height: float, width: float = WIDTH) -> Figure:
    return Figure(figsize=(width, height), dpi=200, layout="constrained")


def panel_letters(axes: Any) -> None:
    """Put (a), (b), … before the titles of the panels."""
    for letter, ax in zip("abcdefghijkl", axes, strict=False):
        ax.set_title(f"({letter})  {ax.get_title('left')}".rstrip())


def legend_below(figure: Figure, axes: Any, columns: int = 4) -> None:
    """Put one legend under all panels, where it covers no data; each name appears once."""
    entries: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if entries:
        figure.legend(
            list(entries.values()), list(entries), loc="outside lower center", ncols=columns
        )


def no_ticks(ax: Axes) -> None:
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and PDF, without dates: the same figure gives the same file."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.png", folder / f"{name}.pdf"]
    figure.savefig(paths[0], metadata={"Software": None})
    figure.set_layout_engine("none")  # it is laid out now; doing it again takes as long as drawing
    figure.savefig(paths[1], metadata={"CreationDate": None, "Producer": None, "Creator": None})
    return paths
