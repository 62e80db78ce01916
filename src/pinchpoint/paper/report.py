"""The report of a reproduction: claims, tables and figures, as Markdown and as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from pinchpoint.files import write_text
from pinchpoint.paper.claims import (
    BESIDE,
    BY_P,
    FAILS,
    GIVEN,
    HOLDS,
    NOT_YET,
    TESTED,
    UNDECIDED,
    other_thresholds,
)
from pinchpoint.paper.experiments import PAPER_MODES, Experiments, Team, own_mode
from pinchpoint.study.summary import (
    SUMMARY_HEADER,
    Interval,
    markdown,
    summary_lines,
    three_digits,
)
from pinchpoint.study.true_q import REGRETS


@dataclass(frozen=True)
class Findings:
    """Everything that a reproduction measured."""

    experiments: Experiments
    seed: int
    version: str
    teams: list[Team]  # with those of their agents that are shipped
    tables: dict[str, pd.DataFrame]  # by the names of their files, see `Reproduction.run`


# The authors' agents at 20 × 20, p = 0.8, over 1,000 games, read off their own plots: by the mode
# that the agent was trained for and the mode that it plays.
PUBLISHED = {
    ("flow", "flow"): "≈ 5.9 (1 to 10)",
    ("network", "network"): "≈ 9.5 (4 to 17)",
    ("network", "flow"): "≈ 9 (to 47)",
    ("flow", "network"): "≈ 42 (to 135)",
}

# The paper's figures under its numbers; all but the second are drawn for each team.
PAPER_FIGURES = {
    "figure-1": "A game of network on a 10 × 10 board.",
    "figure-2": "Three games at their ends: (a) network, (b) flow, (c) noodle. The solver plays.",
    "figure-3": "Steps to completion against p (mean ± standard deviation), playing (a) network "
    "and (b) flow.",
    "figure-4": "Steps to completion at one p: (a) on task, (b) off task.",
    "figure-5": "A game of network in terms of Q-values, p = 0.75.",
    "figure-6": "A game of noodle on a 10 × 10 board.",
    "figure-7": "Steps to completion against p (mean ± standard deviation), playing (a) network "
    "and (b) noodle.",
}
OUR_FIGURES = {
    "claims": "The numbers behind the verdicts. A bar is a 95 % interval; a claim holds if all "
    "bars lie in the green, so the picture shows how a verdict changes with its threshold.",
    "steps-flow": "Steps to completion against p, playing network and flow; below, how far from "
    "the best play known.",
    "steps-noodle": "The same for the network and noodle agents, playing network and noodle.",
    "distributions": "Distributions of steps at one p for every mode; below, the tails.",
    "matrix": "Every agent on every mode. Colours compare the agents within a mode.",
    "par": "The fewest moves known against p for the three objectives, on the same boards.",
    "regret": "Regret by the number of the move: what it costs against the best move. Where the "
    "optimum is not proven, the best known stands for it.",
    "scaling": "Larger boards: distance from the best known, and time a game on one core in the "
    "batch of the evaluation. The solver stops at its time limit.",
    "learning": "Learning curves of the shipped agents: greedy play on boards kept apart.",
}


def write_report(found: Findings, out: Path) -> None:
    """Write report.md and report.html beside the folder `figures`; no time is in them."""
    text = report_text(found, out / "figures")
    write_text(out / "report.md", text)
    write_text(out / "report.html", as_html(text))


# -- Markdown --------------------------------------------------------------------------------

MATRIX_HEADER = (
    *("agent", "playing", "moves (95 % interval)", "worst", "÷ par", "at par", "par proven"),
    "authors",
)
CLAIMS_NOTE = (
    "A claim holds, or does not hold, if the whole 95 % bootstrap interval of each of its numbers "
    "says so; else it is undecided. The thresholds are ours, as the paper gives none. Where "
    "several p are taken together, the full board (p = 1) counts once. “Given”: the input "
    "of the agents shows what the claim says that they learn."
)
Q_HEADER = ("agent", "positions", "error", "bias", *(f"regret {r}" for r in REGRETS))
Q_NOTE = (
    "Q shown by each agent against the exact Q, minus the fewest moves to the end, of every legal "
    "square on solved positions of its mode: the mean absolute error and the bias in moves (above "
    "0 the agent expects too few), and the mean regret that it shows for squares whose true regret "
    "is 0, 1 and 2."
)
RESULTS_NOTE = (
    "The interval is the 95 % bootstrap interval of the mean. Par is the fewest moves known for a "
    "board: the solver's play or the best of all agents; “proven” is the share of boards on "
    "which it is proven to be the optimum. The ratio is mean moves ÷ mean par."
)


def report_text(found: Findings, figure_folder: Path) -> str:
    """Return the report as Markdown, with every figure that is in the folder."""
    middle = found.experiments.middle
    drawn = {path.stem for path in figure_folder.glob("*.png")}
    claims = found.tables["claims"]
    timeless = [line[:-1] for line in summary_lines(found.tables["summary"])]
    parts = [
        "# Percolation-like games: the paper reproduced",
        how(found),
        *(f"*{team.name}*: {team_text(team)}" for team in found.teams),
        "## The paper's claims",
        CLAIMS_NOTE,
        markdown(verdict_header(claims), verdict_lines(claims)),
        *([figure("claims", OUR_FIGURES["claims"])] if "claims" in drawn else []),
        *(
            text
            for number, (_, rows) in enumerate(claims.groupby("claim", sort=False), 1)
            for text in details(number, rows)
        ),
        f"## Every agent on every mode, p = {middle:g}",
        markdown(MATRIX_HEADER, matrix_lines(found.tables["summary"], middle)),
        "“Authors”: the paper's own agents, read off its authors' plots.",
        "## How true Q is",
        Q_NOTE,
        markdown(Q_HEADER, q_error_lines(found.tables["q_errors"])),
        "## The paper's figures",
        *(figure(name, text) for name, text in numbered_figures(found) if name in drawn),
        "## What we add",
        *(
            figure(name, text)
            for name, text in OUR_FIGURES.items()
            if name in drawn and name != "claims"
        ),
        "## Supplement: example games",
        *(figure(name, text) for name, text in supplement_figures(found) if name in drawn),
        "## All results",
        RESULTS_NOTE,
        markdown(SUMMARY_HEADER[:-1], timeless),
    ]
    return "\n\n".join(parts) + "\n"


def team_text(team: Team) -> str:
    """Return who is in a team, and of which kind its agents are."""
    if not team.agents:
        return f"{team.about}; not available yet."
    return f"{', '.join(team.agents.values())}; {team.about}."


def numbered_figures(found: Findings) -> Iterator[tuple[str, str]]:
    """Return the names and captions of the paper's figures, those of each team side by side."""
    for name, text in PAPER_FIGURES.items():
        label = f"Figure {name.removeprefix('figure-')}"
        if name == "figure-2":
            yield name, f"{label}. {text}"
            continue
        for team in found.teams:
            yield f"{name}-{team.key}", f"{label}, {team.name} agents. {text}"


def supplement_figures(found: Findings) -> Iterator[tuple[str, str]]:
    """Return the names and captions of the supplement, numbered as in the paper."""
    number = 0
    for mode, p in found.experiments.supplement.items():
        for _ in range(found.experiments.examples):
            number += 1
            for team in found.teams:
                text = f"Figure S{number}, {team.name} agents. A game of {mode}, p = {p:g}."
                yield f"figure-S{number}-{team.key}", text


def figure(name: str, caption: str) -> str:
    """Return an image with its caption; the HTML's style puts the caption below."""
    return f"![{caption}](figures/{name}.png)\n*{caption}*"


def how(found: Findings) -> str:
    """Return how the report was made."""
    plan = found.experiments
    searched = f", {plan.search} on the first {plan.search_games} boards of a point"
    return (
        f"Made by `{plan.command(found.seed)}`, Pinchpoint {found.version}: {plan.games} games a "
        f"point on {plan.size} × {plan.size} boards (at p = 1 all boards are one, played once), "
        f"par with at most {plan.par_work:g} of work a board"
        f"{searched if plan.search_games else ''}."
    )


def verdict_header(table: pd.DataFrame) -> list[str]:
    return ["claim", *(f"{team} agents" for team in dict.fromkeys(table["team"]))]


def verdict_lines(table: pd.DataFrame) -> list[list[str]]:
    """Return a line for each claim of claims.csv: the claim, and the verdict of each team."""
    verdicts = table.groupby(["claim", "team"], sort=False)["verdict"].first()
    return [
        [claim, *(verdicts[claim, team] for team in dict.fromkeys(table["team"]))]
        for claim in dict.fromkeys(table["claim"])
    ]


def details(number: int, claim: pd.DataFrame) -> Iterator[str]:
    """Return the numbers of one claim: all of them, by p, and how the verdict would change."""
    yield f"### {number}. {claim['claim'].iloc[0]}"
    yield f"Test: {claim['test'].iloc[0]}."
    densities = sorted(set(claim["p"].dropna()))
    header = ["agents", "number", "measured (95 % interval)", "verdict"]
    lines = []
    for team, rows in claim.groupby("team", sort=False):
        whole = rows["verdict"].iloc[0]
        if set(rows["part_verdict"]) == {NOT_YET}:
            lines.append([str(team), "–", "–", NOT_YET, *("–" for _ in densities)])
            continue
        by_p = rows[rows["reading"] == BY_P].set_index(["part", "p"])["value"]
        for row in rows[rows["reading"] != BY_P].to_dict("records"):
            state = "beside" if row["reading"] == BESIDE else row["part_verdict"]
            measured = Interval(row["value"], row["low"], row["high"])
            values = (by_p.get((row["part"], p), np.nan) for p in densities)
            lines.append(
                [
                    str(team),
                    row["part"],
                    "–" if pd.isna(row["value"]) else str(measured),
                    GIVEN if whole == GIVEN and state != "beside" else state,
                    *(three_digits(value) for value in values),
                ]
            )
    yield markdown([*header, *(f"p = {p:g}" for p in densities)], lines)
    for team, rows in claim.groupby("team", sort=False):
        text = other_thresholds(rows[rows["reading"] == TESTED])
        if text and rows["verdict"].iloc[0] != NOT_YET:
            yield f"With {team} agents: {text}."


def q_error_lines(errors: pd.DataFrame) -> list[list[str]]:
    """Return a line for each agent: how far its Q is from the truth."""
    return [
        [
            str(row["agent"]),
            f"{row['positions']} of {row['size'].replace('x', ' × ')}",
            f"{row['error']:.2f}",
            f"{row['bias']:+.2f}",
            *("–" if pd.isna(row[f"regret_{r}"]) else f"{row[f'regret_{r}']:.2f}" for r in REGRETS),
        ]
        for row in errors.to_dict("records")
    ]


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
                    str(Interval(line["mean"], line["low"], line["high"])),
                    str(line["worst"]),
                    f"{line['ratio']:.2f}" if has_par else "–",
                    f"{line['at_par']:.0%}" if has_par else "–",
                    f"{line['proven']:.0%}" if has_par else "–",
                    PUBLISHED.get((str(own_mode(str(line["agent"]))), mode), ""),
                ]
            )
    return lines


# -- HTML ------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto 4rem;
       padding: 0 1rem; color: #1b1b1f; background: #fff; }
h1 { line-height: 1.2; }
h3 { margin: 2rem 0 0.3rem; font-size: 1.05rem; }
h2 { margin-top: 2.5rem; padding-bottom: 0.2rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left;
         vertical-align: top; }
th { background: #f5f5f7; }
td.holds { background: #dff0e4; }
td.fails { background: #f8dcdc; }
td.undecided { background: #f4efd8; }
td.given { background: #e4e8f5; }
td.absent { color: #777; }
code { background: #f1f1f4; padding: 0.1em 0.3em; border-radius: 3px; }
img { display: block; max-width: 100%; margin-top: 1.5rem; }
img + em { display: block; font-style: normal; color: #555; }
"""
CELL_CLASS = {
    HOLDS: "holds",
    FAILS: "fails",
    UNDECIDED: "undecided",
    GIVEN: "given",
    NOT_YET: "absent",
}


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
