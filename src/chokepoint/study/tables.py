"""Tables as text: for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from chokepoint.study.summary import figures


def markdown(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows
    )


def aligned(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Columns of text, the first to the left and the rest to the right."""
    rows = [list(header), *(list(line) for line in lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    text = (
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in text)


SUMMARY_HEADER = (
    *("agent", "mode", "size", "p", "games", "mean", "95 % interval", "std", "median", "worst"),
    *("par", "ratio", "at par", "proven", "s/game"),
)


def summary_lines(summary: pd.DataFrame) -> list[list[str]]:
    """The lines of a summary as text, under SUMMARY_HEADER."""
    lines = []
    for line in summary.to_dict("records"):
        has_par = pd.notna(line["par"])
        lines.append(
            [
                str(line["agent"]),
                str(line["mode"]) + ("" if line["options"] == "{}" else f" {line['options']}"),
                str(line["size"]),
                f"{line['p']:g}" if pd.notna(line["p"]) else "file",
                str(line["games"]),
                figures(line["mean"]),
                f"{figures(line['low'])} to {figures(line['high'])}",
                figures(line["std"]),
                figures(line["median"]),
                str(line["worst"]),
                figures(line["par"]) if has_par else "–",
                f"{line['ratio']:.3f}" if has_par else "–",
                f"{line['at_par']:.0%}" if has_par else "–",
                f"{line['proven']:.0%}" if has_par else "–",
                f"{line['seconds']:.2g}",
            ]
        )
    return lines


def summary_text(summary: pd.DataFrame) -> str:
    return aligned(SUMMARY_HEADER, summary_lines(summary))
