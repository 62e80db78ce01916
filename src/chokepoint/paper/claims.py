"""Test the claims of the paper on result rows; each has numbers and a verdict.

A claim holds if the whole 95 % interval lies on its side of the threshold, does not hold if the
whole interval lies on the other side, and is undecided at this sample size otherwise. A claim of
several parts holds if all of them do, and does not if one of them does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from chokepoint.errors import InputError
from chokepoint.paper.experiments import NEAR
from chokepoint.study import GAME, Interval, bootstrap, mean_interval, paired, ratio_interval
from chokepoint.types import Floats, Rows

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"

SMALL = 0.25  # of the saving at the highest p: what counts as small at the lowest
NEARLY = 1.5  # times the moves: what counts as nearly as good
GOOD = 0.8  # of the way from random moves to the mode's own agent: what counts as good play
LITTLE = 2.0  # times the moves: the most that counts as a little worse
TAIL = 2.0  # 95th percentile ÷ median: what counts as a long tail
HIGH = 0.75  # of the active squares have a lower Q: what counts as a high Q
MOST = 0.5  # of the positions: what counts as frequent


@dataclass(frozen=True)
class Part:
    """One number of a claim and what it says of it."""

    name: str
    value: Interval | None  # None: there are no data
    verdict: str

    def __str__(self) -> str:
        return f"{self.name}: {'no data' if self.value is None else self.value}"


@dataclass(frozen=True)
class Claim:
    """What the paper says, how it is tested here, and what came out."""

    says: str
    test: str
    parts: tuple[Part, ...]
    note: str = ""  # further numbers

    def measured(self) -> str:
        texts = [str(part) for part in self.parts]
        return "; ".join([*texts, self.note] if self.note else texts)

    @property
    def verdict(self) -> str:
        verdicts = {part.verdict for part in self.parts}
        if FAILS in verdicts:
            return FAILS
        return UNDECIDED if UNDECIDED in verdicts or not verdicts else HOLDS


def part(name: str, measure: Callable[[], Interval], low: float, high: float = np.inf) -> Part:
    """A number that should lie between two thresholds; undecided if it cannot be measured."""
    try:
        value = measure()
    except InputError:
        return Part(name, None, UNDECIDED)
    if low < value.low and value.high < high:
        return Part(name, value, HOLDS)
    outside = value.high < low or value.low > high
    return Part(name, value, FAILS if outside else UNDECIDED)


def check_claims(rows: pd.DataFrame, looks: pd.DataFrame) -> list[Claim]:
    """All claims, from the rows of an evaluation and from `experiments.q_study`."""
    return [*score_claims(rows), *strategy_claims(rows, looks)]


# -- how well agents play --------------------------------------------------------------------


def score_claims(rows: pd.DataFrame) -> list[Claim]:
    modes = ("network", "flow", "noodle")
    return [
        Claim(
            "Trained agents clearly beat random moves in the mode they were trained for.",
            "moves of the agent ÷ moves of random play on the same boards, below 1",
            tuple(part(m, partial(ratio, rows, m, m, "random"), 0, 1) for m in modes),
        ),
        Claim(
            "What training saves grows towards p = 1.",
            "moves saved at the highest p − moves saved at the lowest p, above 0",
            tuple(part(m, partial(growth, rows, m), 0) for m in modes[:2]),
        ),
        Claim(
            "Near p = 0.6 training saves few moves.",
            f"moves saved at the lowest p ÷ moves saved at the highest, below {SMALL}",
            tuple(part(m, partial(small_start, rows, m), -np.inf, SMALL) for m in modes[:2]),
        ),
        Claim(
            "Near p = 0.6 random moves are hardly worse than trained play.",
            f"moves of random play ÷ moves of the agent at the lowest p, below {NEARLY}",
            tuple(part(m, partial(random_at_start, rows, m), 0, NEARLY) for m in modes[:2]),
        ),
        Claim(
            "The network agent also plays flow well.",
            f"share of the way from random moves to the flow agent, above {GOOD}",
            (part("network agent on flow", partial(skill, rows, "network", "flow"), GOOD),),
        ),
        Claim(
            "On flow it is somewhat less effective than the flow agent.",
            f"moves of the network agent ÷ moves of the flow agent on flow, from 1 to {LITTLE}",
            (part("ratio", partial(ratio, rows, "flow", "network", "flow"), 1, LITTLE),),
        ),
        Claim(
            "The flow agent plays network badly.",
            f"share of the way from random moves to the network agent, below {GOOD}",
            (part("flow agent on network", partial(skill, rows, "flow", "network"), -9, GOOD),),
        ),
        Claim(
            "The flow agent's games of network have a long tail.",
            f"95th percentile ÷ median of its moves at p = 0.8, above {TAIL}",
            (part("flow agent on network", partial(tail, rows, "flow", "network"), TAIL),),
        ),
        Claim(
            "Neither the noodle nor the network agent is good at the other's game.",
            f"share of the way from random moves to the mode's own agent, below {GOOD}",
            (
                part(
                    "noodle agent on network", partial(skill, rows, "noodle", "network"), -9, GOOD
                ),
                part(
                    "network agent on noodle", partial(skill, rows, "network", "noodle"), -9, GOOD
                ),
            ),
        ),
    ]


def in_mode(rows: pd.DataFrame, mode: str) -> pd.DataFrame:
    chosen: pd.DataFrame = rows[rows["mode"] == mode]
    if not len(chosen):
        raise InputError(f"there are no games of mode {mode}")
    return chosen


def ratio(rows: pd.DataFrame, mode: str, over: str, under: str) -> Interval:
    """Moves of one agent ÷ moves of another on the boards that both played."""
    both = paired(in_mode(rows, mode), over, under)
    return ratio_interval(both["a"], both["b"])


def savings(rows: pd.DataFrame, mode: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What the mode's own agent saves against random, at the lowest and at the highest p."""
    both = paired(in_mode(rows, mode), "random", mode)
    low, high = both["p"].min(), both["p"].max()
    if not low < high:
        raise InputError("one density cannot show a trend")
    both["saved"] = both["a"] - both["b"]
    return both[both["p"] == low], both[both["p"] == high]


def growth(rows: pd.DataFrame, mode: str) -> Interval:
    low, high = savings(rows, mode)
    return _of_both(low, high, lambda a, b: b - a)


def small_start(rows: pd.DataFrame, mode: str) -> Interval:
    low, high = savings(rows, mode)
    return _of_both(low, high, lambda a, b: a / b)


def _of_both(
    low: pd.DataFrame, high: pd.DataFrame, combine: Callable[[Floats, Floats], Floats]
) -> Interval:
    """A number from the mean savings at two densities; boards are resampled by their number."""
    both = low.merge(high, on="board", suffixes=("_low", "_high"))
    if not len(both):
        raise InputError("no board number is in both densities")
    a, b = both["saved_low"].to_numpy(float), both["saved_high"].to_numpy(float)
    return bootstrap(len(a), lambda rows: combine(a[rows].mean(axis=-1), b[rows].mean(axis=-1)))


def random_at_start(rows: pd.DataFrame, mode: str) -> Interval:
    low, _ = savings(rows, mode)
    return ratio_interval(low["a"], low["b"])


def skill(rows: pd.DataFrame, agent: str, mode: str) -> Interval:
    """How far an agent comes from random moves (0) to the mode's own agent (1)."""
    chosen = in_mode(rows, mode)
    table = paired(chosen, "random", mode).merge(paired(chosen, agent, mode), on=list(GAME))
    chance = table["a_x"].to_numpy(float)
    expert = table["b_x"].to_numpy(float)
    steps = table["a_y"].to_numpy(float)

    def way(rows: Rows) -> Floats:
        gained: Floats = (chance[rows] - steps[rows]).mean(-1)
        whole: Floats = (chance[rows] - expert[rows]).mean(-1)
        return gained / whole

    return bootstrap(len(table), way)


def tail(rows: pd.DataFrame, agent: str, mode: str, p: float = 0.8) -> Interval:
    """95th percentile ÷ median of the moves, at the density nearest to p."""
    chosen = in_mode(rows, mode)
    chosen = chosen[chosen["agent"] == agent]
    if not len(chosen):
        raise InputError(f"there are no games of {agent}")
    nearest = min(set(chosen["p"]), key=lambda x: abs(x - p))
    steps = chosen.loc[chosen["p"] == nearest, "steps"].to_numpy(float)

    def spread(rows: Rows) -> Floats:
        high, middle = np.percentile(steps[rows], (95, 50), axis=-1)
        return np.asarray(high / middle)

    return bootstrap(len(steps), spread)


# -- how they go about it --------------------------------------------------------------------


def strategy_claims(rows: pd.DataFrame, looks: pd.DataFrame) -> list[Claim]:
    modes = list(dict.fromkeys(looks["mode"])) if len(looks) else ["network"]
    return [
        Claim(
            "Many moves have essentially equal value.",
            f"share of positions with 2 or more squares within {NEAR} of the best Q, above {MOST}",
            tuple(part(m, partial(several_best, looks, m), MOST) for m in modes),
            equal_moves(looks),
        ),
        Claim(
            "The network agent learns to leave a large piece cut off.",
            "largest piece ÷ all open squares at the end, network agent − random play, above 0",
            (part("difference", partial(larger_piece, rows), 0),),
        ),
        Claim(
            "Choke points between large active parts get a high Q.",
            "share of active squares with a lower Q than a square that cuts off a tenth or more "
            f"of the active part, above {HIGH}",
            (part("network agent", partial(choke_rank, looks, "network"), HIGH),),
        ),
    ]


def by_game(looks: pd.DataFrame, mode: str, column: str) -> pd.Series:
    """The mean of a column over each game: positions of one game are not independent."""
    chosen = looks[looks["mode"] == mode].dropna(subset=[column]) if len(looks) else looks
    if not len(chosen):
        raise InputError(f"there are no positions of mode {mode}")
    means: pd.Series = chosen.groupby(["size", "p", "board"])[column].mean()
    return means


def several_best(looks: pd.DataFrame, mode: str) -> Interval:
    several = looks.assign(several=(looks["near"] >= 2).astype(float)) if len(looks) else looks
    return mean_interval(by_game(several, mode, "several"))


def equal_moves(looks: pd.DataFrame) -> str:
    """How many squares the agent takes for equally good, against how many are truly optimal."""
    return "; ".join(_equal_moves(looks)) if len(looks) else ""


def _equal_moves(looks: pd.DataFrame) -> Iterable[str]:
    for mode, lines in looks.groupby("mode", sort=False):
        known = lines.dropna(subset=["optimal"])
        text = (
            f"{mode}: {lines['near'].mean():.1f} squares of {lines['legal'].mean():.0f} a position"
        )
        if len(known):
            share = known["hits"].sum() / known["near"].sum()
            text += f", where the optimum is known {known['near'].mean():.1f} against "
            text += f"{known['optimal'].mean():.1f} truly optimal ones ({share:.0%} of them are)"
        yield text


def larger_piece(rows: pd.DataFrame) -> Interval:
    chosen = in_mode(rows, "network")
    share = (chosen["largest"] / (chosen["open"] - chosen["steps"])).rename("steps")
    both = paired(chosen.drop(columns="steps").assign(steps=share), "network", "random")
    return mean_interval(both["a"] - both["b"])


def choke_rank(looks: pd.DataFrame, mode: str) -> Interval:
    return mean_interval(by_game(looks, mode, "choke_rank"))
