"""Write the tables of results, claims and the ablation in README.md and docs from docs/measured.

First `chokepoint reproduce` (or `--full`), then copy reproduction/summary.csv and
reproduction/claims.csv to docs/measured, then run `python docs/update_results.py`. The ablation is
what `python benchmarks/ablation.py` wrote.
"""

import re
from pathlib import Path

import pandas as pd

from chokepoint.paper import MATRIX_HEADER, matrix_lines, verdict_header, verdict_lines
from chokepoint.study import markdown

HERE = Path(__file__).parent
MEASURED = HERE / "measured"
ABLATION_HEADER = (
    "learned by", "shown", "updates", "minutes", "playing", "p = 0.7", "p = 0.8", "p = 0.9",
)  # fmt: skip


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
    (HERE / "training.md", "ablation", "ablation.csv", ablation),
)


if __name__ == "__main__":
    for page, name, file, table in TABLES:
        text = filled(page.read_text(encoding="utf-8"), name, table(pd.read_csv(MEASURED / file)))
        page.write_text(text, encoding="utf-8")
