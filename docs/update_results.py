"""Write the tables of results and of claims in README.md from docs/measured.

First `chokepoint reproduce` (or `--full`), then copy reproduction/summary.csv and
reproduction/claims.csv to docs/measured, then run `python docs/update_results.py`.
"""

import re
import sys
from pathlib import Path

import pandas as pd

from chokepoint.paper import MATRIX_HEADER, matrix_lines, verdict_header, verdict_lines
from chokepoint.study import markdown

README = Path(__file__).parents[1] / "README.md"
SUMMARY = Path(__file__).parent / "measured" / "summary.csv"
CLAIMS = Path(__file__).parent / "measured" / "claims.csv"
BLOCK = re.compile(r"(<!-- results -->\n).*?(<!-- end of results -->)", re.DOTALL)
CLAIM_BLOCK = re.compile(r"(<!-- claims -->\n).*?(<!-- end of claims -->)", re.DOTALL)


def with_results(readme: str, summary: pd.DataFrame, p: float = 0.8) -> str:
    """Return the text of README.md with the table of this summary in its place."""
    here = summary[summary["p"] == p]
    games = int(here["games"].max())
    note = f"20 × 20, p = {p:g}, {games} boards, the same for all agents."
    searched = here.loc[here["agent"].str.startswith("search"), "games"]
    if len(searched) and searched.max() < games:
        note += f" With search the first {int(searched.max())} of them."
    table = markdown(MATRIX_HEADER, matrix_lines(summary, p))
    return BLOCK.sub(lambda match: f"{match[1]}{note}\n\n{table}\n{match[2]}", readme)


def with_claims(readme: str, claims: pd.DataFrame) -> str:
    """Return the text of README.md with the verdicts of this file of claims in their place."""
    table = markdown(verdict_header(claims), verdict_lines(claims))
    return CLAIM_BLOCK.sub(lambda match: f"{match[1]}{table}\n{match[2]}", readme)


if __name__ == "__main__":
    if not SUMMARY.exists():
        sys.exit(f"{SUMMARY} is missing; see the first lines of this file")
    text = with_results(README.read_text(encoding="utf-8"), pd.read_csv(SUMMARY))
    if CLAIMS.exists():
        text = with_claims(text, pd.read_csv(CLAIMS))
    README.write_text(text, encoding="utf-8")
