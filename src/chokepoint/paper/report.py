"""The report of a reproduction: claims, tables and figures, as Markdown and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from chokepoint.paper.claims import Claim
from chokepoint.paper.document import Block, as_html, as_markdown
from chokepoint.paper.experiments import MODES, Settings
from chokepoint.study.results import write_text
from chokepoint.study.summary import figures
from chokepoint.study.tables import SUMMARY_HEADER, summary_lines


@dataclass(frozen=True)
class Findings:
    """Everything that a reproduction measured."""

    settings: Settings
    seed: int
    version: str
    rows: pd.DataFrame  # a game each, see `evaluate`
    summary: pd.DataFrame
    scaling: pd.DataFrame  # rows of games on boards of several sizes
    pars: pd.DataFrame  # rows of the solver's games, the same boards in all modes
    regrets: pd.DataFrame  # a move each, see `studies.regret_study`
    looks: pd.DataFrame  # a position each, see `studies.q_study`
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
    """report.md and report.html, beside the folder `figures`."""
    blocks = document(found, out / "figures", seconds)
    write_text(out / "report.md", as_markdown(blocks))
    write_text(out / "report.html", as_html(blocks))


def document(found: Findings, figure_folder: Path, seconds: float) -> list[Block]:
    settings = found.settings
    drawn = {path.stem for path in figure_folder.glob("*.png")}
    games = [name for name in sorted(drawn) if name.startswith("game-")]
    return [
        Block("title", "Percolation-like games: the paper reproduced"),
        Block("text", how(found, seconds)),
        Block("heading", "The paper's claims"),
        Block("text", "A claim holds, or does not, if the whole 95 % bootstrap interval says so."),
        Block("table", header=CLAIM_HEADER, lines=claim_lines(found)),
        Block("heading", f"Every agent on every mode, p = {settings.middle:g}"),
        Block("table", header=MATRIX_HEADER, lines=matrix_lines(found.summary, settings.middle)),
        Block("text", "“Authors”: the paper's own agents, read off its authors' plots."),
        Block("heading", "Figures"),
        *(Block("figure", text, name) for name, text in CAPTIONS.items() if name in drawn),
        Block("heading", "Supplement: example games"),
        *(Block("figure", "", name) for name in games),
        Block("heading", "All results"),
        Block("text", RESULTS_NOTE),
        Block("table", header=SUMMARY_HEADER, lines=summary_lines(found.summary)),
    ]


CLAIM_HEADER = ("claim", "test", "measured (95 % interval)", "verdict")
MATRIX_HEADER = ("agent", "playing", "moves (95 % interval)", "worst", "÷ par", "at par", "authors")
RESULTS_NOTE = (
    "The interval is the 95 % bootstrap interval of the mean. Par is the fewest moves known for a "
    "board: the solver's play or the best of all agents; “proven” is the share of boards on "
    "which it is proven to be the optimum. The ratio is mean moves ÷ mean par."
)


def how(found: Findings, seconds: float) -> str:
    s = found.settings
    return (
        f"Made by `chokepoint reproduce --{s.name} --seed {found.seed}`, Chokepoint "
        f"{found.version}: {s.games} games a point on {s.size} × {s.size} boards, par with a limit "
        f"of {s.par_seconds:g} s a board, {s.search} on the first {s.search_games} boards of a "
        f"point. It took {seconds / 60:.1f} minutes, without what had been played before."
    )


def claim_lines(found: Findings) -> list[list[str]]:
    return [[claim.says, claim.test, claim.measured(), claim.verdict] for claim in found.claims]


def matrix_lines(summary: pd.DataFrame, p: float) -> list[list[str]]:
    """The table of the front page: a line for each agent and mode at one density."""
    lines = []
    table = summary[summary["p"] == p]
    for mode in MODES:
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
