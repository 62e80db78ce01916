"""Rows → numbers with intervals → text: summaries, paired comparisons, and tables of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pinchpoint.errors import InputError
from pinchpoint.study.rows import scores
from pinchpoint.types import Floats

POINT = ("agent", "mode", "options", "size", "p")  # what one line of a summary stands for
GAME = ("mode", "options", "size", "p", "board")  # what names a board
RESAMPLES = 1000
COLUMNS = (
    *("games", "mean", "low", "high", "std", "median", "worst"),
    *("par", "ratio", "ratio_low", "ratio_high", "at_par", "proven", "seconds"),
)


@dataclass(frozen=True)
class Interval:
    """A mean (or a ratio of means) with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{three_digits(self.value)} ({three_digits(self.low)} to {three_digits(self.high)})"


def three_digits(number: float) -> str:
    """Write a number with three significant digits, without an exponent."""
    if not np.isfinite(number):
        return "–"
    digits = 0 if abs(number) >= 99.95 else 1 if abs(number) >= 9.995 else 2
    return f"{number:.{digits}f}".replace("-", "−")


def mean_interval(values: npt.ArrayLike) -> Interval:
    """Return the mean of the values with its interval."""
    data = np.asarray(values, dtype=np.float64)
    return bootstrap(len(data), lambda rows: data[rows].mean(axis=-1))


def ratio_interval(over: npt.ArrayLike, under: npt.ArrayLike) -> Interval:
    """Return the ratio of two means over the same games with its interval."""
    a, b = np.asarray(over, dtype=np.float64), np.asarray(under, dtype=np.float64)
    return bootstrap(len(a), lambda rows: a[rows].mean(axis=-1) / b[rows].mean(axis=-1))


def bootstrap(counts: int | Sequence[int], statistic: Callable[..., Floats]) -> Interval:
    """Return a statistic of a sample, or of several, with its 95 % percentile interval.

    `counts` is the size of the sample, or of each of several samples that are resampled by
    themselves. `statistic` takes an array for each sample: numbers of its games, along the last
    axis.
    The random numbers are the same every time, so that a table can be made again.
    """
    sizes = [counts] if isinstance(counts, int) else list(counts)
    rng = np.random.default_rng(counts)
    block = max(1, min(RESAMPLES, 1_000_000 // max(sizes)))  # resamples at a time, to save memory
    with np.errstate(divide="ignore", invalid="ignore"):
        samples = np.concatenate(
            [
                statistic(*(rng.integers(0, n, (min(block, RESAMPLES - start), n)) for n in sizes))
                for start in range(0, RESAMPLES, block)
            ]
        )
        low, high = np.percentile(samples, (2.5, 97.5))
        return Interval(float(statistic(*map(np.arange, sizes))), float(low), float(high))


def each_board_once(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with one row an agent for the full board, which every board of p = 1 is.

    Its games are averaged into that row. Counted as often as they were played, they would make the
    interval of a mean over several p too narrow and pull the mean towards that board.
    """
    full = rows["p"] == 1
    if not full.any():
        return rows
    keys = list(POINT)
    others = {name: "first" for name in rows.columns if name not in keys}
    averaged = {name: "mean" for name in ("steps", "score", "largest", "seconds") if name in others}
    once = rows[full].groupby(keys, sort=False, as_index=False).agg(others | averaged)
    every: pd.DataFrame = pd.concat([rows[~full], once[rows.columns]], ignore_index=True)
    return every


def summarise(rows: pd.DataFrame, by: Sequence[str] = POINT) -> pd.DataFrame:
    """Return a line for each point (or other grouping): mean score, spread, distance from par.

    A line that takes several p together counts the full board (p = 1) once.
    """
    if "p" not in by:
        rows = each_board_once(rows)
    lines = []
    name: Any  # a value for each column of `by`
    for name, group in rows.groupby(list(by), sort=False, dropna=False):
        lines.append(dict(zip(by, name, strict=True)) | _line(group))
    return pd.DataFrame(lines, columns=[*by, *COLUMNS])


def _line(group: pd.DataFrame) -> dict[str, Any]:
    score = scores(group).to_numpy(np.float64)
    mean = mean_interval(score)
    line: dict[str, Any] = {
        "games": len(score),
        "mean": mean.value,
        "low": mean.low,
        "high": mean.high,
        "std": float(score.std(ddof=1)) if len(score) > 1 else 0.0,
        "median": float(np.median(score)),
        "worst": float(score.max()) if "score" in group else int(score.max()),
        "seconds": float(group["seconds"].mean()),
    }
    if group["par"].isna().any():
        return line
    par = group["par"].to_numpy(np.float64)
    ratio = ratio_interval(score, par)
    return line | {
        "par": float(par.mean()),
        "ratio": ratio.value,
        "ratio_low": ratio.low,
        "ratio_high": ratio.high,
        "at_par": float((score == par).mean()),
        "proven": float(group["proven"].mean()),
    }


# -- pairs -----------------------------------------------------------------------------------


def paired(rows: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Return the boards that both agents played, with their scores in columns `a` and `b`.

    The full board (p = 1) counts once, with the mean of its games.
    """
    for agent in (first, second):
        if agent not in set(rows["agent"]):
            known = ", ".join(dict.fromkeys(rows["agent"]))
            raise InputError(f"there are no games of agent {agent!r}; there are those of {known}")
    rows, keys = each_board_once(rows), list(GAME)
    columns = []
    for agent, name in ((first, "a"), (second, "b")):
        own = rows[rows["agent"] == agent].set_index(keys)
        columns.append(scores(own).rename(name))
    both = pd.concat(columns, axis=1, join="inner").reset_index()
    if not len(both):
        raise InputError(f"{first} and {second} have no board in common")
    return both


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same boards; below 0, the difference is in favour of the first."""

    first: str
    second: str
    boards: int
    difference: Interval  # score of the first − score of the second, a game
    wins: int  # boards on which the first has the lower score
    losses: int
    costs: bool = False  # whether nodes have costs; if not, scores are numbers of moves

    def sentence(self) -> str:
        """Say in plain words what was found."""
        by, low, high = (three_digits(abs(x)) for x in _ordered(self.difference))
        boards = f"{self.boards} board{'s' * (self.boards != 1)}"
        range_ = f"({boards})" if self.boards == 1 else f"(95 % interval {low} to {high}, {boards})"
        needs = f"costs {by}" if self.costs else f"needs {by} moves"
        fewer, as_many = ("less", "as much") if self.costs else ("fewer", "as many")
        if self.difference.high < 0:
            verdict = f"{self.first} {needs} {fewer} than {self.second} a game {range_}"
        elif self.difference.low > 0:
            verdict = f"{self.first} {needs} more than {self.second} a game {range_}"
        else:
            unit = "in cost" if self.costs else "moves"
            verdict = (
                f"{self.first} and {self.second} cannot be told apart on {boards}: "
                f"the difference is {self.difference} {unit} a game"
            )
        ties = self.boards - self.wins - self.losses
        won = f"{self.wins} board{'s' * (self.wins != 1)}"
        return f"{verdict}; {fewer} on {won}, {as_many} on {ties}, more on {self.losses}."


def _ordered(interval: Interval) -> tuple[float, float, float]:
    low, high = sorted((interval.low, interval.high), key=abs)
    return interval.value, low, high


def compare(rows: pd.DataFrame, first: str, second: str) -> Comparison:
    """Compare two agents over all boards that both have played."""
    both = paired(rows, first, second)
    difference = (both["a"] - both["b"]).to_numpy()
    return Comparison(
        first,
        second,
        len(difference),
        mean_interval(difference),
        int((difference < 0).sum()),
        int((difference > 0).sum()),
        "score" in rows,
    )


# -- tables ----------------------------------------------------------------------------------


def markdown(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows
    )


def aligned(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Write columns of text, the first two aligned to the left and the rest to the right."""
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
    """Write the lines of a summary as cells of text, to go under SUMMARY_HEADER."""
    lines = []
    for line in summary.to_dict("records"):
        has_par = pd.notna(line["par"])
        lines.append(
            [
                str(line["agent"]),
                str(line["mode"]) + ("" if line["options"] == "{}" else f" {line['options']}"),
                str(line["size"]),
                f"{line['p']:g}" if pd.notna(line["p"]) else "–",
                str(line["games"]),
                three_digits(line["mean"]),
                f"{three_digits(line['low'])} to {three_digits(line['high'])}",
                three_digits(line["std"]),
                three_digits(line["median"]),
                f"{line['worst']:.12g}",
                three_digits(line["par"]) if has_par else "–",
                f"{line['ratio']:.3f}" if has_par else "–",
                f"{line['at_par']:.0%}" if has_par else "–",
                f"{line['proven']:.0%}" if has_par else "–",
                f"{line['seconds']:.2g}",
            ]
        )
    return lines


def summary_text(summary: pd.DataFrame) -> str:
    """Write a summary as a table for a terminal."""
    return aligned(SUMMARY_HEADER, summary_lines(summary))
