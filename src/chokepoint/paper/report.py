"""The report of a reproduction: claims, tables and figures, as Markdown and as HTML."""

from __future__ import annotations

import html
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pandas as pd

from chokepoint.files import write_text
from chokepoint.paper.claims import FAILS, HOLDS, UNDECIDED, Claim
from chokepoint.paper.experiments import PAPER_MODES, Experiments
from chokepoint.study import SUMMARY_HEADER, figures, markdown, summary_lines


@dataclass(frozen=True)
class Findings:
    """Everything that a reproduction measured."""

    experiments: Experiments
    seed: int
    version: str
    rows: pd.DataFrame  # a game each, see `study.evaluate`
    summary: pd.DataFrame
    scaling: pd.DataFrame  # rows of games on boards of several sizes
    pars: pd.DataFrame  # rows of the solver's games, the same boards in all modes
    regrets: pd.DataFrame  # a move each, see `experiments.regret_study`
    looks: pd.DataFrame  # a position each, see `experiments.q_study`
    claims: list[Claim]


# The authors' agents at 20 × 20, p = 0.8, over 1,000 games, read off their own plots.
PUBLISHED = {
    ("flow", "flow"): "≈ 5.9 (1 to 10)",
    ("network", "network"): "≈ 9.5 (4 to 17)",
    ("network", "flow"): "≈ 9 (to 47)",
    ("flow", "network"): "≈ 42 (to 135)",
}

CAPTIONS = {
    "sample-game": "A sample game: the network agent plays network mode on a 10 × 10 board.",
    "three-games": "The three games, each at its end, played by the solver.",
    "steps-flow": "Steps to completion against p, playing network and flow; below, how far from "
    "the best play known.",
    "steps-noodle": "The same for the network and noodle agents, playing network and noodle.",
    "distributions": "Distributions of steps at one p, on task and off task; below, the tails.",
    "q-network": "Q-values over a game of network.",
    "q-flow": "Q-values over a game of flow.",
    "q-noodle": "Q-values over a game of noodle.",
    "matrix": "Every agent on every mode. Colours compare the agents within a mode.",
    "par": "The fewest moves known against p for the three objectives, on the same boards.",
    "regret": "Regret by the number of the move: what it costs against the best move. Where the "
    "optimum is not proven, the best known stands for it.",
    "scaling": "Larger boards: distance from the best known, and time a game on one core in the "
    "batch of the evaluation. The solver stops at its time limit.",
    "learning": "Learning curves of the shipped agents: greedy play on boards kept apart.",
}


def write_report(found: Findings, out: Path, seconds: float) -> None:
    """Write report.md and report.html beside the folder `figures`."""
    text = report_text(found, out / "figures", seconds)
    write_text(out / "report.md", text)
    write_text(out / "report.html", as_html(text))


# -- Markdown --------------------------------------------------------------------------------

CLAIM_HEADER = ("claim", "test", "measured (95 % interval)", "verdict")
MATRIX_HEADER = ("agent", "playing", "moves (95 % interval)", "worst", "÷ par", "at par", "authors")
RESULTS_NOTE = (
    "The interval is the 95 % bootstrap interval of the mean. Par is the fewest moves known for a "
    "board: the solver's play or the best of all agents; “proven” is the share of boards on "
    "which it is proven to be the optimum. The ratio is mean moves ÷ mean par."
)


def report_text(found: Findings, figure_folder: Path, seconds: float) -> str:
    """Return the report as Markdown, with every figure that is in the folder."""
    middle = found.experiments.middle
    drawn = {path.stem for path in figure_folder.glob("*.png")}
    games = [name for name in sorted(drawn) if name.startswith("game-")]
    parts = [
        "# Percolation-like games: the paper reproduced",
        how(found, seconds),
        "## The paper's claims",
        "A claim holds, or does not, if the whole 95 % bootstrap interval says so.",
        markdown(CLAIM_HEADER, claim_lines(found)),
        f"## Every agent on every mode, p = {middle:g}",
        markdown(MATRIX_HEADER, matrix_lines(found.summary, middle)),
        "“Authors”: the paper's own agents, read off its authors' plots.",
        "## Figures",
        *(figure(name, text) for name, text in CAPTIONS.items() if name in drawn),
        "## Supplement: example games",
        *(figure(name) for name in games),
        "## All results",
        RESULTS_NOTE,
        markdown(SUMMARY_HEADER, summary_lines(found.summary)),
    ]
    return "\n\n".join(parts) + "\n"


def figure(name: str, caption: str = "") -> str:
    """Return an image with its caption; the HTML's style puts the caption below."""
    image = f"![{caption or name}](figures/{name}.png)"
    return f"{image}\n*{caption}*" if caption else image


def how(found: Findings, seconds: float) -> str:
    """Return how the report was made."""
    plan = found.experiments
    return (
        f"Made by `chokepoint reproduce --{plan.name} --seed {found.seed}`, Chokepoint "
        f"{found.version}: {plan.games} games a point on {plan.size} × {plan.size} boards, par "
        f"with a limit of {plan.par_seconds:g} s a board, {plan.search} on the first "
        f"{plan.search_games} boards of a point. It took {seconds / 60:.1f} minutes, without what "
        "had been played before."
    )


def claim_lines(found: Findings) -> list[list[str]]:
    return [[claim.says, claim.test, claim.measured(), claim.verdict] for claim in found.claims]


def matrix_lines(summary: pd.DataFrame, p: float) -> list[list[str]]:
    """Return the table of the README: a line for each agent and mode at one density."""
    lines = []
    table = summary[summary["p"] == p]
    for mode in PAPER_MODES:
        for line in table[table["mode"] == mode].to_dict("records"):
            has_par = pd.notna(line["par"])
            lines.append(
                [
                    str(line["agent"]),
                    mode,
                    f"{figures(line['mean'])} ({figures(line['low'])} to {figures(line['high'])})",
                    str(line["worst"]),
                    f"{line['ratio']:.2f}" if has_par else "–",
                    f"{line['at_par']:.0%}" if has_par else "–",
                    PUBLISHED.get((str(line["agent"]), mode), ""),
                ]
            )
    return lines


# -- HTML ------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto 4rem;
       padding: 0 1rem; color: #1b1b1f; background: #fff; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; padding-bottom: 0.2rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left;
         vertical-align: top; }
th { background: #f5f5f7; }
td.holds { background: #dff0e4; }
td.fails { background: #f8dcdc; }
td.undecided { background: #f4efd8; }
code { background: #f1f1f4; padding: 0.1em 0.3em; border-radius: 3px; }
img { display: block; max-width: 100%; margin-top: 1.5rem; }
img + em { display: block; font-style: normal; color: #555; }
"""
CELL_CLASS = {HOLDS: "holds", FAILS: "fails", UNDECIDED: "undecided"}


def as_html(text: str) -> str:
    """Return a page that shows a report; the cells of verdicts are coloured."""
    from markdown_it import MarkdownIt  # only who writes a report needs it

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    for token, inside in pairwise(tokens):
        if token.type == "td_open" and inside.content in CELL_CLASS:
            token.attrSet("class", CELL_CLASS[inside.content])
        for image in token.children or ():
            if image.type == "image":
                image.attrSet("loading", "lazy")
    body = parser.renderer.render(tokens, parser.options, {})
    title = html.escape(text.split("\n", 1)[0].lstrip("# "))
    head = (
        '<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>\n'
