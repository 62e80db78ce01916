"""Write the tables of results in README.md and docs from the rows in docs/measured.

    pinchpoint reproduce --full --out reproduction
    python docs/update_results.py reproduction

takes over the tables and figures of a reproduction and writes the pages that show them. Without a
folder, the pages are written from the rows that are there. The ablation is what
`python benchmarks/ablation.py` wrote.
"""

import argparse
import re
import shutil
from pathlib import Path

import pandas as pd

from pinchpoint.paper.experiments import PAPER_MODES, TEAMS, own_mode
from pinchpoint.paper.report import (
    MATRIX_HEADER,
    Q_HEADER,
    matrix_lines,
    q_error_lines,
    verdict_header,
    verdict_lines,
)
from pinchpoint.study.summary import Interval, markdown, summarise, three_digits

HERE = Path(__file__).parent
MEASURED, IMAGES = HERE / "measured", HERE / "images"
FIGURES = (  # of a reproduction, shown in results.md
    "figure-3-q", "figure-4-q", "figure-5-q", "figure-7-q",
    "claims", "steps-flow", "steps-noodle", "par", "scaling",
)  # fmt: skip
ABLATION_HEADER = (
    "learned by", "shown", "updates", "minutes", "playing", "p = 0.7", "p = 0.8", "p = 0.9",
)  # fmt: skip
LARGER_HEADER = (
    "agent",
    "board",
    "boards",
    "moves (95 % interval)",
    "worst",
    "÷ par",
    "par proven",
)


def take_over(reproduction: Path) -> None:
    """Copy the tables and figures of a reproduction that the pages show."""
    for name in ("summary", "claims", "q_errors"):
        shutil.copy(reproduction / f"{name}.csv", MEASURED / f"{name.replace('_', '-')}.csv")
    scaling = summarise(pd.read_csv(reproduction / "scaling.csv"))
    scaling.to_csv(MEASURED / "larger-boards.csv", index=False, lineterminator="\n")
    for name in FIGURES:
        shutil.copy(reproduction / "figures" / f"{name}.png", IMAGES / f"paper-{name}.png")


def filled(text: str, name: str, content: str) -> str:
    """Return a page with other content between the marks of this name."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    if not block.search(text):
        raise ValueError(f"the page has no place for {name}")
    return block.sub(lambda match: f"{match[1]}{content}\n{match[2]}", text)


def results(summary: pd.DataFrame, p: float = 0.8) -> str:
    """Return the table of a summary, with a line on what was played."""
    here = summary[summary["p"] == p]
    games = int(here["games"].max())
    note = f"20 × 20, p = {p:g}, {games:,} boards, the same for all agents."
    searched = here.loc[here["agent"].str.startswith("search"), "games"]
    if len(searched) and searched.max() < games:
        note += f" With search the first {int(searched.max())} of them."
    return f"{note}\n\n{markdown(MATRIX_HEADER, matrix_lines(summary, p))}"


def densities(summary: pd.DataFrame) -> str:
    """Return mean moves ± standard deviation by p, and ÷ par: of every agent in its own mode.

    Below each mode stands the share of boards on which par is proven.
    """
    ps = sorted(summary["p"].unique())
    lines = []
    for mode in PAPER_MODES:
        for agent in ("random", *(team[mode] for team in TEAMS)):
            some = summary[(summary["agent"] == agent) & (summary["mode"] == mode)].set_index("p")
            lines.append([agent, mode, *(_mean_and_ratio(some.loc[p]) for p in ps)])
        lines.append(["par proven", mode, *(f"{some.loc[p]['proven']:.0%}" for p in ps)])
    return markdown(["agent", "playing", *(f"p = {p:g}" for p in ps)], lines)


def _mean_and_ratio(line: pd.Series) -> str:
    ratio = f" ({line['ratio']:.2f})" if pd.notna(line["ratio"]) else ""
    spread = f" ± {three_digits(line['std'])}" if line["games"] > 1 else ""
    return f"{three_digits(line['mean'])}{spread}{ratio}"


def larger_boards(summary: pd.DataFrame) -> str:
    """Return how agents do on boards of several sizes, each in its own mode."""
    lines = []
    for line in summary.to_dict("records"):
        if own_mode(line["agent"]) == line["mode"]:
            lines.append(
                [
                    line["agent"],
                    line["size"].replace("x", " × "),
                    str(line["games"]),
                    str(Interval(line["mean"], line["low"], line["high"])),
                    f"{line['worst']:g}",
                    f"{line['ratio']:.3f}" if pd.notna(line["ratio"]) else "–",
                    f"{line['proven']:.0%}" if pd.notna(line["proven"]) else "–",
                ]
            )
    return markdown(LARGER_HEADER, lines)


def true_q(errors: pd.DataFrame) -> str:
    """Return the table of how far each agent's Q is from the truth."""
    return markdown(Q_HEADER, q_error_lines(errors))


def claims(found: pd.DataFrame) -> str:
    """Return the table of the verdicts."""
    return markdown(verdict_header(found), verdict_lines(found))


def ablation(rows: pd.DataFrame) -> str:
    """Return the table of the ablation: mean moves ± standard deviation."""
    lines = []
    for (learning, shown, updates, minutes, mode), some in rows.groupby(
        ["learning", "input", "updates", "minutes", "mode"], sort=False
    ):
        both = zip(some["mean"], some["sd"], strict=True)
        moves = [f"{mean:.2f} ± {sd:.2f}" for mean, sd in both]
        lines.append([learning, shown, f"{updates:,}", f"{minutes:g}", mode, *moves])
    return markdown(ABLATION_HEADER, lines)


# Page, name of the place, file of rows, and what makes a table of them.
TABLES = (
    (HERE.parent / "README.md", "results", "summary.csv", results),
    (HERE.parent / "README.md", "claims", "claims.csv", claims),
    (HERE / "results.md", "densities", "summary.csv", densities),
    (HERE / "results.md", "larger-boards", "larger-boards.csv", larger_boards),
    (HERE / "results.md", "true-q", "q-errors.csv", true_q),
    (HERE / "training.md", "ablation", "ablation.csv", ablation),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reproduction", nargs="?", type=Path, help="its folder, to take over")
    options = parser.parse_args()
    if options.reproduction is not None:
        take_over(options.reproduction)
    for page, name, file, table in TABLES:
        text = filled(page.read_text(encoding="utf-8"), name, table(pd.read_csv(MEASURED / file)))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
