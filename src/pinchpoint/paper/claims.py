"""Test the claims of the paper on the tables of a reproduction, with each team of agents.

A claim is one or more numbers with 95 % intervals, its parts. A part holds if the whole interval
lies between the thresholds, does not hold if the whole interval lies outside, and is undecided at
this sample size otherwise. A claim holds if all of its parts do, and does not hold if one of them
does not. The thresholds are ours, as the paper gives none; `other_thresholds` says for which others
the verdict would be the same. Further numbers stand beside the test: other readings of the
sentence, and controls.

`check_claims` returns a table. The full board (p = 1) is one board and counts once wherever several
p are taken together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from pinchpoint.errors import InputError
from pinchpoint.paper.experiments import PAPER_MODES, NotShipped, Team
from pinchpoint.paper.probes import NEAR
from pinchpoint.study.summary import (
    GAME,
    Interval,
    bootstrap,
    each_board_once,
    mean_interval,
    ratio_interval,
    three_digits,
)
from pinchpoint.types import Floats, Rows

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
GIVEN = "given"  # the agents are told what the claim says that they learn
NOT_YET = "not available yet"  # the agents are not shipped

CRITICAL = 0.6  # where the paper looks for what happens near the percolation threshold
MIDDLE = 0.8  # the density of the paper's distributions
SMALL = 0.25  # of the moves saved at the highest p: the most that is not substantial
OFTEN = 0.5  # of the moves, boards or positions: the least that is often
GOOD = 0.8  # of the way from random moves to the mode's own agent: the least that is good play
LITTLE = 2.0  # times the moves: the most that is somewhat less effective, or reasonable
TAIL = 2.0  # 95th percentile ÷ median: the least that is a long tail
HIGH = 0.75  # of the active squares have a lower Q: the least that is a high Q


TESTED, BY_P, BESIDE = "tested", "by p", "beside"  # what the number of a row is for
COLUMNS = (
    *("claim", "test", "above", "below", "team", "verdict"),
    *("reading", "part", "p", "value", "low", "high", "part_verdict"),
)


# -- evidence --------------------------------------------------------------------------------


class Evidence:
    """The tables of a reproduction, as claims look at them."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        self.rows = tables["rows"]  # of an evaluation
        self.ratings = tables["ratings"]  # of `probes.ratings`
        self.choices = tables["choices"]  # of `probes.choices`

    @cached_property
    def moves(self) -> dict[str, pd.DataFrame]:
        """For each mode, a line a board with the moves of each agent; the full board once."""
        return {
            mode: _by_board(self.rows[self.rows["mode"] == mode])
            for mode in dict.fromkeys(self.rows["mode"])
        }

    @cached_property
    def largest(self) -> pd.DataFrame:
        """The same for network with the largest piece ÷ open squares at the end."""
        rows = self.rows[self.rows["mode"] == "network"]
        return _by_board(rows.assign(steps=rows["largest"] / (rows["open"] - rows["steps"])))

    def of(self, mode: str, agents: Sequence[str], p: float | None = None) -> pd.DataFrame:
        """Return the boards that all these agents played, at one density or at all."""
        return all_played(self.moves.get(mode), agents, p)

    def at(self, mode: str, agents: Sequence[str], p: float | None, usual: float) -> pd.DataFrame:
        """Return the boards at p, or else at the density nearest to the usual one."""
        boards = self.of(mode, agents, p)
        return boards[boards["p"] == nearest(boards["p"], usual)] if p is None else boards


def _by_board(rows: pd.DataFrame) -> pd.DataFrame:
    board = [name for name in GAME if name != "mode"]
    once = each_board_once(rows).pivot(index=board, columns="agent", values="steps")
    return once.reset_index("p").reset_index(drop=True)


def all_played(
    table: pd.DataFrame | None, agents: Sequence[str], p: float | None = None
) -> pd.DataFrame:
    """Return the lines of a table in which all these agents have a number."""
    missing = [agent for agent in agents if table is None or agent not in table]
    if table is None or missing:
        raise InputError(f"there are no such games of {', '.join(missing)}")
    lines = table if p is None else table[table["p"] == p]
    chosen: pd.DataFrame = lines[["p", *agents]].dropna()
    if not len(chosen):
        raise InputError(f"{' and '.join(agents)} have no such board in common")
    return chosen


def nearest(densities: Iterable[float], p: float) -> float:
    return min(set(densities), key=lambda other: abs(other - p))


# -- verdicts --------------------------------------------------------------------------------

# A measure gets the density, or None for the one (or all) that the claim is about.
Measure = Callable[[Evidence, float | None], Interval]
Parts = Callable[[Team], Mapping[str, Measure]]


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and its test: numbers that must lie between two thresholds."""

    says: str
    test: str
    parts: Parts
    above: float = -np.inf
    below: float = np.inf
    by_p: bool = True  # whether the numbers can also be given for each p
    given: bool = False  # an input plane hands this to agents that see more than states
    beside: Parts = lambda team: {}  # other readings and controls

    def judge(self, found: Evidence, team: Team) -> list[dict[str, Any]]:
        """Return the rows of one team: every number of the claim, with the verdict on each."""
        rows: list[dict[str, Any]] = []
        for part, measure in self.parts(team).items():
            if not team.agents:
                rows.append(_row(TESTED, part, None, NOT_YET))
                continue
            try:
                value = measure(found, None)
            except InputError as missing:
                state = NOT_YET if isinstance(missing, NotShipped) else UNDECIDED
                rows.append(_row(TESTED, part, None, state))
                continue
            rows.append(_row(TESTED, part, value, verdict(value, self.above, self.below)))
            rows += self._by_p(found, part, measure) if self.by_p else []
        for part, measure in self.beside(team).items():
            try:
                rows.append(_row(BESIDE, part, measure(found, None)))
            except InputError:
                continue  # not measured
        verdicts = {row["part_verdict"] for row in rows if row["reading"] == TESTED}
        whole = overall(verdicts, self.given and not team.q_learned)
        claim = {"claim": self.says, "test": self.test, "above": self.above, "below": self.below}
        return [claim | {"team": team.name, "verdict": whole} | row for row in rows]

    def _by_p(self, found: Evidence, part: str, measure: Measure) -> Iterator[dict[str, Any]]:
        for p in sorted(set(found.rows["p"])):
            try:
                yield _row(BY_P, part, measure(found, float(p)), p=float(p))
            except InputError:
                continue  # not played at this density


def _row(
    reading: str, part: str, value: Interval | None, state: str = "", p: float = np.nan
) -> dict[str, Any]:
    value = value or Interval(np.nan, np.nan, np.nan)
    return {"reading": reading, "part": part, "p": p, **vars(value), "part_verdict": state}


def verdict(value: Interval, above: float, below: float) -> str:
    """Return whether a number lies between two thresholds."""
    if above < value.low and value.high < below:
        return HOLDS
    if value.high <= above or value.low >= below:
        return FAILS
    return UNDECIDED


def overall(verdicts: set[str], given: bool = False) -> str:
    """Return the verdict on a claim from those on its parts."""
    if given and verdicts != {NOT_YET}:
        return GIVEN
    for state in (FAILS, NOT_YET, UNDECIDED):
        if state in verdicts:
            return state
    return HOLDS if verdicts else UNDECIDED


def check_claims(tables: Mapping[str, pd.DataFrame], teams: Sequence[Team]) -> pd.DataFrame:
    """Return the table of the claims: the numbers of each, by team, with verdicts."""
    found = Evidence(tables)
    rows = [row for claim in CLAIMS for team in teams for row in claim.judge(found, team)]
    return pd.DataFrame(rows, columns=COLUMNS)


def other_thresholds(tested: pd.DataFrame) -> str:
    """Return for which other thresholds a claim would hold, from the rows of its tested parts."""
    if not len(tested) or tested["value"].isna().any():
        return ""
    texts = []
    if np.isfinite(tested["above"].iloc[0]):
        holds, fails = (three_digits(tested[end].min()) for end in ("low", "high"))
        texts.append(f"“above x” holds for x below {holds} and fails for x above {fails}")
    if np.isfinite(tested["below"].iloc[0]):
        holds, fails = (three_digits(tested[end].max()) for end in ("high", "low"))
        texts.append(f"“below x” holds for x above {holds} and fails for x below {fails}")
    return "; ".join(texts)


# -- how well agents play --------------------------------------------------------------------


def ratio(found: Evidence, mode: str, over: str, under: str, p: float | None) -> Interval:
    """Return moves of one agent ÷ moves of another on the boards that both played."""
    boards = found.of(mode, (over, under), p)
    return ratio_interval(boards[over], boards[under])


def split(boards: pd.DataFrame, values: pd.Series) -> dict[float, Floats]:
    """Return values of boards for each p, from low to high."""
    return {p: values[boards["p"] == p].to_numpy(float) for p in sorted(set(boards["p"]))}


def smallest_rise(by_p: Mapping[float, Floats]) -> Interval:
    """Return the smallest rise of a mean from one density to the next."""
    if len(by_p) < 2:
        raise InputError("one density cannot show a trend")
    samples = list(by_p.values())

    def smallest(*rows: Rows) -> Floats:
        means = [sample[row].mean(axis=-1) for sample, row in zip(samples, rows, strict=True)]
        rises = np.stack([after - before for before, after in pairwise(means)])
        return np.asarray(rises.min(axis=0))

    return bootstrap([len(sample) for sample in samples], smallest)


def rise(found: Evidence, mode: str, agent: str, p: float | None) -> Interval:
    """Return the smallest rise of an agent's moves from one p to the next; at one p, its moves."""
    boards = found.of(mode, (agent,), p)
    if p is not None:
        return mean_interval(boards[agent])
    return smallest_rise(split(boards, boards[agent]))


def divergence(found: Evidence, mode: str, agent: str, p: float | None) -> Interval:
    """Return the smallest rise of the moves saved from one p to the next; at one p, the saving."""
    boards = found.of(mode, ("random", agent), p)
    saved = boards["random"] - boards[agent]
    return mean_interval(saved) if p is not None else smallest_rise(split(boards, saved))


def share_of_saving(found: Evidence, mode: str, agent: str, p: float | None) -> Interval:
    """Return moves saved at p ÷ moves saved at the highest p; p is the critical one by default."""
    boards = found.of(mode, ("random", agent))
    by_p = split(boards, boards["random"] - boards[agent])
    if len(by_p) < 2:
        raise InputError("one density cannot show a trend")
    here = nearest(by_p, CRITICAL) if p is None else p
    if here not in by_p:
        raise InputError(f"there are no games at p = {here:g}")
    some, most = by_p[here], by_p[max(by_p)]
    if some is most:  # one sample, not two
        return Interval(1.0, 1.0, 1.0)
    return bootstrap(
        [len(some), len(most)], lambda a, b: some[a].mean(axis=-1) / most[b].mean(axis=-1)
    )


def ending_moves(found: Evidence, mode: str, p: float | None) -> Interval:
    """Return the share of random moves that end the game: games ÷ moves."""
    steps = found.at(mode, ("random",), p, CRITICAL)["random"]
    return ratio_interval(np.ones(len(steps)), steps)


def longer(found: Evidence, network: str, flow: str, p: float | None) -> Interval:
    """Return moves of the network agent on network − moves of the flow agent on flow."""
    first, second = (
        found.at(mode, (agent,), p, MIDDLE)[agent].to_numpy(float)
        for mode, agent in (("network", network), ("flow", flow))
    )
    return bootstrap(
        [len(first), len(second)], lambda a, b: first[a].mean(axis=-1) - second[b].mean(axis=-1)
    )


def skill_on(boards: pd.DataFrame, agent: str, own: str) -> Callable[[Rows], Floats]:
    """Return a function that computes the skill of an agent (see `skill`) on some of the boards."""
    chance, steps, expert = (boards[name].to_numpy(float) for name in ("random", agent, own))

    def way(rows: Rows) -> Floats:
        gained = (chance[rows] - steps[rows]).mean(axis=-1)
        return np.asarray(gained / (chance[rows] - expert[rows]).mean(axis=-1))

    return way


def skill(found: Evidence, agent: str, own: str, mode: str, p: float | None) -> Interval:
    """Return how far an agent comes from random moves (0) to the mode's own agent (1)."""
    boards = found.of(mode, ("random", agent, own), p)
    return bootstrap(len(boards), skill_on(boards, agent, own))


def asymmetry(found: Evidence, network: str, flow: str, p: float | None) -> Interval:
    """Return the skill of the network agent on flow − the skill of the flow agent on network."""
    agents = ("random", network, flow)
    on_flow, on_network = found.of("flow", agents, p), found.of("network", agents, p)
    first, second = skill_on(on_flow, network, flow), skill_on(on_network, flow, network)
    return bootstrap([len(on_flow), len(on_network)], lambda a, b: first(a) - second(b))


def reasonable(found: Evidence, agent: str, own: str, p: float | None) -> Interval:
    """Return the share of network boards where an agent needs at most LITTLE × the moves of own."""
    boards = found.at("network", (agent, own), p, MIDDLE)
    return mean_interval(boards[agent] <= LITTLE * boards[own])


def tail(found: Evidence, agent: str, mode: str, p: float | None) -> Interval:
    """Return 95th percentile ÷ median of the moves."""
    steps = found.at(mode, (agent,), p, MIDDLE)[agent].to_numpy(float)

    def spread(rows: Rows) -> Floats:
        high, middle = np.percentile(steps[rows], (95, 50), axis=-1)
        return np.asarray(high / middle)

    return bootstrap(len(steps), spread)


# -- how they go about it --------------------------------------------------------------------


def by_game(table: pd.DataFrame, column: str, **values: str) -> pd.Series:
    """Return the mean of a column over each game: positions of one game are not independent."""
    for name, value in values.items():
        table = table[table[name] == value] if len(table) else table
    chosen = table.dropna(subset=[column]) if len(table) else table
    if not len(chosen):
        raise InputError(f"there are no positions of {values}")
    means: pd.Series = chosen.groupby(["size", "p", "board"])[column].mean()
    return means


def disagreement(found: Evidence, agent: str, other: str) -> Interval:
    """Return the share of positions in which the other's choice is not among an agent's best."""
    return mean_interval(1 - by_game(found.choices, "agrees", agent=agent, other=other))


def chance(found: Evidence, agent: str) -> Interval:
    """Return how often a random square would not be among an agent's best."""
    return mean_interval(1 - by_game(found.choices, "chance", agent=agent))


def several_best(found: Evidence, agent: str, mode: str) -> Interval:
    """Return the share of positions in which an agent takes two or more squares for the best."""
    table = found.ratings
    several = table.assign(several=(table["near"] >= 2).astype(float)) if len(table) else table
    return mean_interval(by_game(several, "several", agent=agent, mode=mode))


def near_best(found: Evidence, agent: str, mode: str, of: str) -> Interval:
    """Return precision (`of` "near") or recall (`of` "optimal") of the squares rated best."""
    table = found.ratings
    known = table[table["optimal"] > 0] if len(table) else table
    shares = known.assign(share=known["hits"] / known[of]) if len(known) else known
    return mean_interval(by_game(shares, "share", agent=agent, mode=mode))


def larger_piece(found: Evidence, agent: str, p: float | None) -> Interval:
    """Return largest piece ÷ open squares at the end of network, an agent − random play."""
    boards = all_played(found.largest, (agent, "random"), p)
    return mean_interval(boards[agent] - boards["random"])


def choke_rank(found: Evidence, agent: str) -> Interval:
    """Return the share of active squares that an agent gives a lower Q than to choke points."""
    return mean_interval(by_game(found.ratings, "choke_rank", agent=agent, mode="network"))


# -- the claims ------------------------------------------------------------------------------


def each_mode(modes: Sequence[str], measure: Callable[..., Interval]) -> Parts:
    """Return parts that apply `measure(found, mode, agent, p)` to the agent of each mode."""

    def part(team: Team, mode: str) -> Measure:
        return lambda found, p: measure(found, mode, team[mode], p)

    return lambda team: {mode: part(team, mode) for mode in modes}


def precision_and_recall(team: Team, mode: str) -> dict[str, Measure]:
    return {
        "share of its best squares that are optimal": lambda f, p: near_best(
            f, team[mode], mode, "near"
        ),
        "share of the optimal squares among its best": lambda f, p: near_best(
            f, team[mode], mode, "optimal"
        ),
    }


def other_choices(team: Team) -> dict[str, Measure]:
    """Return parts for the network agent beside the other two, both ways."""

    def part(own: str, other: str) -> Measure:
        return lambda found, p: disagreement(found, team[own], team[other])

    pairs = (("network", "flow"), ("flow", "network"), ("network", "noodle"), ("noodle", "network"))
    return {f"{other} agent in games of {own}": part(own, other) for own, other in pairs}


CLAIMS = (
    Claim(
        "Trained agents clearly beat random moves in the mode they were trained for.",
        "moves of the agent ÷ moves of random play on the same boards, below 1",
        each_mode(PAPER_MODES, lambda f, mode, agent, p: ratio(f, mode, agent, "random", p)),
        below=1,
    ),
    Claim(
        "The more open the board, the more moves are needed.",
        "smallest rise of the mean moves from one p to the next, above 0 (by p: the moves)",
        lambda team: {
            "network": lambda f, p: rise(f, "network", team["network"], p),
            "flow": lambda f, p: rise(f, "flow", team["flow"], p),
            "noodle": lambda f, p: rise(f, "noodle", team["noodle"], p),
            "random moves on network": lambda f, p: rise(f, "network", "random", p),
            "random moves on flow": lambda f, p: rise(f, "flow", "random", p),
        },
        above=0,
    ),
    Claim(
        "Near p = 0.6 the difference between trained play and random moves is not substantial.",
        f"moves saved at the p nearest to 0.6 ÷ moves saved at the highest p, below {SMALL}",
        each_mode(("network", "flow"), share_of_saving),
        below=SMALL,
    ),
    Claim(
        "The difference grows towards p = 1.",
        "smallest rise of the moves saved from one p to the next, above 0 (by p: the moves saved)",
        each_mode(("network", "flow"), divergence),
        above=0,
    ),
    Claim(
        "Near criticality a random move often ends the game.",
        f"share of random moves that end the game at the p nearest to 0.6, above {OFTEN} "
        "(no trained agent takes part)",
        lambda team: {
            "network": lambda f, p: ending_moves(f, "network", p),
            "flow": lambda f, p: ending_moves(f, "flow", p),
        },
        above=OFTEN,
    ),
    Claim(
        "The network agent takes longer on network than the flow agent on flow.",
        "difference of the mean moves at p = 0.8, above 0",
        lambda team: {"difference": lambda f, p: longer(f, team["network"], team["flow"], p)},
        above=0,
    ),
    Claim(
        "The network agent also plays flow well.",
        f"share of the way from random moves to the flow agent, above {GOOD}",
        lambda team: {
            "network agent on flow": lambda f, p: skill(f, team["network"], team["flow"], "flow", p)
        },
        above=GOOD,
    ),
    Claim(
        "On flow it is somewhat less effective than the flow agent.",
        f"moves of the network agent ÷ moves of the flow agent on flow, from 1 to {LITTLE}",
        lambda team: {"ratio": lambda f, p: ratio(f, "flow", team["network"], team["flow"], p)},
        above=1,
        below=LITTLE,
    ),
    Claim(
        "The flow agent plays network badly.",
        f"share of the way from random moves to the network agent, below {GOOD}",
        lambda team: {
            "flow agent on network": lambda f, p: skill(
                f, team["flow"], team["network"], "network", p
            )
        },
        below=GOOD,
    ),
    Claim(
        "From network to flow works better than from flow to network.",
        "difference of the shares of the way from random moves to the mode's own agent, above 0",
        lambda team: {"difference": lambda f, p: asymmetry(f, team["network"], team["flow"], p)},
        above=0,
    ),
    Claim(
        "The flow agent often still solves network in a reasonable number of moves.",
        f"share of boards at p = 0.8 on which it needs at most {LITTLE:g} times the moves of the "
        f"network agent, above {OFTEN}",
        lambda team: {
            "flow agent on network": lambda f, p: reasonable(f, team["flow"], team["network"], p)
        },
        above=OFTEN,
    ),
    Claim(
        "The flow agent's games of network have a long tail.",
        f"95th percentile ÷ median of its moves at p = 0.8, above {TAIL}",
        lambda team: {"flow agent on network": lambda f, p: tail(f, team["flow"], "network", p)},
        above=TAIL,
    ),
    Claim(
        "Neither the noodle nor the network agent is good at the other's game.",
        f"share of the way from random moves to the mode's own agent, below {GOOD}",
        lambda team: {
            "noodle agent on network": lambda f, p: skill(
                f, team["noodle"], team["network"], "network", p
            ),
            "network agent on noodle": lambda f, p: skill(
                f, team["network"], team["noodle"], "noodle", p
            ),
        },
        below=GOOD,
    ),
    Claim(
        "Different objectives give different strategies.",
        "share of positions in which the other agent's choice is not among the squares that the "
        f"mode's own agent takes for equally good (Q within {NEAR} of the best), above {OFTEN}",
        other_choices,
        above=OFTEN,
        by_p=False,
        beside=lambda team: {
            "a random square": lambda f, p: chance(f, team["network"]),
        },
    ),
    Claim(
        "Many moves have essentially equal value.",
        f"share of positions with 2 or more squares within {NEAR} of the best Q, above {OFTEN}",
        each_mode(PAPER_MODES, lambda f, mode, agent, p: several_best(f, agent, mode)),
        above=OFTEN,
        by_p=False,
        beside=lambda team: {
            f"{mode}: {name}": part
            for mode in PAPER_MODES
            for name, part in precision_and_recall(team, mode).items()
        },
    ),
    Claim(
        "The network agent learns to leave a large piece cut off.",
        "largest piece ÷ all open squares at the end, network agent − random play, above 0",
        lambda team: {"difference": lambda f, p: larger_piece(f, team["network"], p)},
        above=0,
        given=True,
    ),
    Claim(
        "Choke points between large active parts get a high Q.",
        "share of active squares with a lower Q than a square that cuts off a tenth or more "
        f"of the active part, above {HIGH}",
        lambda team: {"network agent": lambda f, p: choke_rank(f, team["network"])},
        above=HIGH,
        by_p=False,
        given=True,
    ),
)
