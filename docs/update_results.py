"""Write the table of results in README.md from docs/measured/summary.csv.

First `chokepoint reproduce` (or `--full`), then copy reproduction/summary.csv to docs/measured,
then run `python docs/update_results.py`.
"""

import re
import sys
from pathlib import Path

import pandas as pd

from chokepoint.paper import MATRIX_HEADER, matrix_lines
from chokepoint.study import markdown

README = Path(__file__).parents[1] / "README.md"
SUMMARY = Path(__file__).parent / "measured" / "summary.csv"
BLOCK = re.compile(r"(<!-- results -->\n).*?(<!-- end of results -->)", re.DOTALL)


def with_results(readme: str, summary: pd.DataFrame, p: float = 0.8) -> str:
    """The text of README.md with the table of this summary in its place."""
    games = int(summary.loc[summary["p"] == p, "games"].max())
    note = f"20 × 20, p = {p:g}, {games} boards, the same for all agents."
    table = markdown(MATRIX_HEADER, matrix_lines(summary, p))
    return BLOCK.sub(lambda match: f"{match[1]}{note}\n\n{table}\n{match[2]}", readme)


if __name__ == "__main__":
    if not SUMMARY.exists():
        sys.exit(f"{SUMMARY} is missing; see the first lines of this file")
    README.write_text(
        with_results(README.read_text(encoding="utf-8"), pd.read_csv(SUMMARY)), encoding="utf-8"
    )
