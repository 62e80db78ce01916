"""Test the claims of the paper on result rows, with each team of agents.

A claim has parts, each a number with a 95 % interval. A part holds if the whole interval lies on
its side of the threshold, does not hold if the whole interval lies on the other side, and is
undecided at this sample size otherwise. A claim holds if all of its parts do, and does not hold if
one of them does not. The thresholds are ours, as the paper gives none; `Judgement.thresholds` says
for which others the verdict would be the same.

The full board (p = 1) is one board and counts once wherever several p are taken together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from pinchpoint.errors import InputError
from pinchpoint.paper.experiments import NEAR, PAPER_MODES, NotShipped, Team
from pinchpoint.study.summary import (
    GAME,
    Interval,
    bootstrap,
    each_board_once,
    figures,
    mean_interval,
    ratio_interval,
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


# -- verdicts --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """One number of a claim and its verdict."""

    name: str
    value: Interval | None  # None: there are no data
    verdict: str
    by_p: tuple[tuple[float, Interval], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {'no data' if self.value is None else self.value}"


@dataclass(frozen=True)
class Judgement:
    """What came out for a claim with one team of agents."""

    team: str  # its name
    parts: tuple[Part, ...]
    given: bool = False
    note: str = ""  # further numbers

    @property
    def verdict(self) -> str:
        verdicts = {part.verdict for part in self.parts}
        if self.given and verdicts != {NOT_YET}:
            return GIVEN
        for verdict in (FAILS, NOT_YET, UNDECIDED):
            if verdict in verdicts:
                return verdict
        return HOLDS if verdicts else UNDECIDED

    def measured(self) -> str:
        texts = [str(part) for part in self.parts if part.verdict != NOT_YET]
        return "; ".join([*texts, self.note] if self.note else texts)

    def thresholds(self, low: float, high: float) -> str:
        """Return for which other thresholds the claim would hold, and for which it would not."""
        values = [part.value for part in self.parts]
        if not values or any(value is None for value in values):
            return ""
        known = [value for value in values if value is not None]
        texts = []
        if np.isfinite(low):
            holds, fails = (figures(min(getattr(v, end) for v in known)) for end in ("low", "high"))
            texts.append(f"“above x” holds for x below {holds} and fails for x above {fails}")
        if np.isfinite(high):
            holds, fails = (figures(max(getattr(v, end) for v in known)) for end in ("high", "low"))
            texts.append(f"“below x” holds for x above {holds} and fails for x below {fails}")
        return "; ".join(texts)


@dataclass(frozen=True)
class Claim:
    """What the paper says, how it is tested here, and what came out for each team."""

    says: str
    test: str
    low: float  # the number must lie above this …
    high: float  # … and below this
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True)
class Measured:
    """What claims are tested on."""

    rows: pd.DataFrame  # of an evaluation
    looks: pd.DataFrame  # of `experiments.q_study`
    choices: pd.DataFrame  # of `experiments.choice_study`

    @cached_property
    def steps(self) -> dict[str, pd.DataFrame]:
        """For each mode, a line a board with the moves of each agent; the full board once."""
        return {
            mode: self._by_board(self.rows[self.rows["mode"] == mode])
            for mode in dict.fromkeys(self.rows["mode"])
        }

    @cached_property
    def largest(self) -> pd.DataFrame:
        """The same for network with the largest piece ÷ open squares at the end."""
        rows = self.rows[self.rows["mode"] == "network"]
        return self._by_board(rows.assign(steps=rows["largest"] / (rows["open"] - rows["steps"])))

    def _by_board(self, rows: pd.DataFrame) -> pd.DataFrame:
        board = [name for name in GAME if name != "mode"]
        once = each_board_once(rows).pivot(index=board, columns="agent", values="steps")
        return once.reset_index("p").reset_index(drop=True)

    def of(self, mode: str, agents: Sequence[str], p: float | None = None) -> pd.DataFrame:
        """Return the boards that all these agents played, at one density or at all."""
        return all_played(self.steps.get(mode), agents, p)

    def at(self, mode: str, agents: Sequence[str], p: float | None, usual: float) -> pd.DataFrame:
        """Return the boards at p, or else at the density nearest to the usual one."""
        boards = self.of(mode, agents, p)
        return boards[boards["p"] == nearest(boards["p"], usual)] if p is None else boards


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


# A measure gets the density, or None for the one (or all) that the claim is about.
Measure = Callable[[Measured, float | None], Interval]


@dataclass(frozen=True)
class Statement:
    """A claim of the paper and its test: numbers that must lie between two thresholds."""

    says: str
    test: str
    parts: Callable[[Team], dict[str, Measure]]
    low: float = -np.inf
    high: float = np.inf
    by_p: bool = True  # whether the number can also be given for each p
    given: bool = False  # an input plane hands this to agents that are told more than states
    note: Callable[[Measured, Team], str] | None = None

    def judge(self, found: Measured, team: Team) -> Judgement:
        if not team.agents:
            return Judgement(team.name, tuple(Part(n, None, NOT_YET) for n in self.parts(team)))
        parts = [self.part(name, measure, found) for name, measure in self.parts(team).items()]
        note = self.note(found, team) if self.note is not None else ""
        return Judgement(team.name, tuple(parts), self.given and not team.q_learned, note)

    def part(self, name: str, measure: Measure, found: Measured) -> Part:
        try:
            value = measure(found, None)
        except NotShipped:
            return Part(name, None, NOT_YET)
        except InputError:
            return Part(name, None, UNDECIDED)
        densities = sorted(set(found.rows["p"])) if self.by_p else []
        by_p = []
        for p in densities:
            try:
                by_p.append((float(p), measure(found, float(p))))
            except InputError:
                continue  # not played at this density
        return Part(name, value, verdict(value, self.low, self.high), tuple(by_p))


def verdict(value: Interval, low: float, high: float) -> str:
    """Return whether a number lies between two thresholds."""
    if low < value.low and value.high < high:
        return HOLDS
    if value.high <= low or value.low >= high:
        return FAILS
    return UNDECIDED


def check_claims(found: Measured, teams: Sequence[Team]) -> list[Claim]:
    """Judge every claim with every team."""
    return [
        Claim(
            statement.says,
            statement.test,
            statement.low,
            statement.high,
            tuple(statement.judge(found, team) for team in teams),
        )
        for statement in STATEMENTS
    ]


# -- how well agents play --------------------------------------------------------------------


def ratio(found: Measured, mode: str, over: str, under: str, p: float | None) -> Interval:
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


def rise(found: Measured, mode: str, agent: str, p: float | None) -> Interval:
    """Return the smallest rise of an agent's moves from one p to the next; at one p, its moves."""
    boards = found.of(mode, (agent,), p)
    if p is not None:
        return mean_interval(boards[agent])
    return smallest_rise(split(boards, boards[agent]))


def divergence(found: Measured, mode: str, agent: str, p: float | None) -> Interval:
    """Return the smallest rise of the moves saved from one p to the next; at one p, the saving."""
    boards = found.of(mode, ("random", agent), p)
    saved = boards["random"] - boards[agent]
    return mean_interval(saved) if p is not None else smallest_rise(split(boards, saved))


def share_of_saving(found: Measured, mode: str, agent: str, p: float | None) -> Interval:
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


def ending_moves(found: Measured, mode: str, p: float | None) -> Interval:
    """Return the share of random moves that end the game: games ÷ moves."""
    steps = found.at(mode, ("random",), p, CRITICAL)["random"]
    return ratio_interval(np.ones(len(steps)), steps)


def longer(found: Measured, network: str, flow: str, p: float | None) -> Interval:
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


def skill(found: Measured, agent: str, own: str, mode: str, p: float | None) -> Interval:
    """Return how far an agent comes from random moves (0) to the mode's own agent (1)."""
    boards = found.of(mode, ("random", agent, own), p)
    return bootstrap(len(boards), skill_on(boards, agent, own))


def asymmetry(found: Measured, network: str, flow: str, p: float | None) -> Interval:
    """Return the skill of the network agent on flow − the skill of the flow agent on network."""
    agents = ("random", network, flow)
    on_flow, on_network = found.of("flow", agents, p), found.of("network", agents, p)
    first, second = skill_on(on_flow, network, flow), skill_on(on_network, flow, network)
    return bootstrap([len(on_flow), len(on_network)], lambda a, b: first(a) - second(b))


def reasonable(found: Measured, agent: str, own: str, p: float | None) -> Interval:
    """Return the share of network boards where an agent needs at most LITTLE × the moves of own."""
    boards = found.at("network", (agent, own), p, MIDDLE)
    return mean_interval(boards[agent] <= LITTLE * boards[own])


def tail(found: Measured, agent: str, mode: str, p: float | None) -> Interval:
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


def disagreement(found: Measured, agent: str, other: str) -> Interval:
    """Return the share of positions in which the other's choice is not among an agent's best."""
    return mean_interval(1 - by_game(found.choices, "agrees", agent=agent, other=other))


def chance_note(found: Measured, team: Team) -> str:
    """Return how often a random square would not be among an agent's best."""
    try:
        agents = (agent for agent in team.agents.values() if agent in set(found.choices["agent"]))
        shares = [1 - by_game(found.choices, "chance", agent=agent).mean() for agent in agents]
    except KeyError:  # no study at all
        return ""
    return f"a random square: {figures(float(np.mean(shares)))}" if shares else ""


def several_best(found: Measured, agent: str, mode: str) -> Interval:
    """Return the share of positions in which an agent takes two or more squares for the best."""
    looks = found.looks
    several = looks.assign(several=(looks["near"] >= 2).astype(float)) if len(looks) else looks
    return mean_interval(by_game(several, "several", agent=agent, mode=mode))


def equal_moves(found: Measured, team: Team) -> str:
    """Return how many squares agents take for equally good, and how many are truly optimal."""
    return "; ".join(_equal_moves(found.looks, team)) if len(found.looks) else ""


def _equal_moves(looks: pd.DataFrame, team: Team) -> Iterable[str]:
    for mode, lines in looks[looks["agent"].isin(team.agents.values())].groupby("mode", sort=False):
        known = lines.dropna(subset=["optimal"])
        text = (
            f"{mode}: {lines['near'].mean():.1f} squares of {lines['legal'].mean():.0f} a position"
        )
        if len(known):
            share = known["hits"].sum() / known["near"].sum()
            text += f", where the optimum is known {known['near'].mean():.1f} against "
            text += f"{known['optimal'].mean():.1f} truly optimal ones ({share:.0%} of them are)"
        yield text


def larger_piece(found: Measured, agent: str, p: float | None) -> Interval:
    """Return largest piece ÷ open squares at the end of network, an agent − random play."""
    boards = all_played(found.largest, (agent, "random"), p)
    return mean_interval(boards[agent] - boards["random"])


def choke_rank(found: Measured, agent: str) -> Interval:
    """Return the share of active squares that an agent gives a lower Q than to choke points."""
    return mean_interval(by_game(found.looks, "choke_rank", agent=agent, mode="network"))


# -- the claims ------------------------------------------------------------------------------


Parts = Callable[[Team], dict[str, Measure]]


def each_mode(modes: Sequence[str], measure: Callable[..., Interval]) -> Parts:
    """Return parts that apply `measure(found, mode, agent, p)` to the agent of each mode."""

    def part(team: Team, mode: str) -> Measure:
        return lambda found, p: measure(found, mode, team[mode], p)

    return lambda team: {mode: part(team, mode) for mode in modes}


def other_choices(team: Team) -> dict[str, Measure]:
    """Return parts for the network agent beside the other two, both ways."""

    def part(own: str, other: str) -> Measure:
        return lambda found, p: disagreement(found, team[own], team[other])

    pairs = (("network", "flow"), ("flow", "network"), ("network", "noodle"), ("noodle", "network"))
    return {f"{other} agent in games of {own}": part(own, other) for own, other in pairs}


STATEMENTS = (
    Statement(
        "Trained agents clearly beat random moves in the mode they were trained for.",
        "moves of the agent ÷ moves of random play on the same boards, below 1",
        each_mode(PAPER_MODES, lambda f, mode, agent, p: ratio(f, mode, agent, "random", p)),
        high=1,
    ),
    Statement(
        "The more open the board, the more moves are needed.",
        "smallest rise of the mean moves from one p to the next, above 0 (by p: the moves)",
        lambda team: {
            "network": lambda f, p: rise(f, "network", team["network"], p),
            "flow": lambda f, p: rise(f, "flow", team["flow"], p),
            "noodle": lambda f, p: rise(f, "noodle", team["noodle"], p),
            "random moves on network": lambda f, p: rise(f, "network", "random", p),
            "random moves on flow": lambda f, p: rise(f, "flow", "random", p),
        },
        low=0,
    ),
    Statement(
        "Near p = 0.6 the difference between trained play and random moves is not substantial.",
        f"moves saved at the p nearest to 0.6 ÷ moves saved at the highest p, below {SMALL}",
        each_mode(("network", "flow"), share_of_saving),
        high=SMALL,
    ),
    Statement(
        "The difference grows towards p = 1.",
        "smallest rise of the moves saved from one p to the next, above 0 (by p: the moves saved)",
        each_mode(("network", "flow"), divergence),
        low=0,
    ),
    Statement(
        "Near criticality a random move often ends the game.",
        f"share of random moves that end the game at the p nearest to 0.6, above {OFTEN} "
        "(no trained agent takes part)",
        lambda team: {
            "network": lambda f, p: ending_moves(f, "network", p),
            "flow": lambda f, p: ending_moves(f, "flow", p),
        },
        low=OFTEN,
    ),
    Statement(
        "The network agent takes longer on network than the flow agent on flow.",
        "difference of the mean moves at p = 0.8, above 0",
        lambda team: {"difference": lambda f, p: longer(f, team["network"], team["flow"], p)},
        low=0,
    ),
    Statement(
        "The network agent also plays flow well.",
        f"share of the way from random moves to the flow agent, above {GOOD}",
        lambda team: {
            "network agent on flow": lambda f, p: skill(f, team["network"], team["flow"], "flow", p)
        },
        low=GOOD,
    ),
    Statement(
        "On flow it is somewhat less effective than the flow agent.",
        f"moves of the network agent ÷ moves of the flow agent on flow, from 1 to {LITTLE}",
        lambda team: {"ratio": lambda f, p: ratio(f, "flow", team["network"], team["flow"], p)},
        low=1,
        high=LITTLE,
    ),
    Statement(
        "The flow agent plays network badly.",
        f"share of the way from random moves to the network agent, below {GOOD}",
        lambda team: {
            "flow agent on network": lambda f, p: skill(
                f, team["flow"], team["network"], "network", p
            )
        },
        high=GOOD,
    ),
    Statement(
        "From network to flow works better than from flow to network.",
        "difference of the shares of the way from random moves to the mode's own agent, above 0",
        lambda team: {"difference": lambda f, p: asymmetry(f, team["network"], team["flow"], p)},
        low=0,
    ),
    Statement(
        "The flow agent often still solves network in a reasonable number of moves.",
        f"share of boards at p = 0.8 on which it needs at most {LITTLE:g} times the moves of the "
        f"network agent, above {OFTEN}",
        lambda team: {
            "flow agent on network": lambda f, p: reasonable(f, team["flow"], team["network"], p)
        },
        low=OFTEN,
    ),
    Statement(
        "The flow agent's games of network have a long tail.",
        f"95th percentile ÷ median of its moves at p = 0.8, above {TAIL}",
        lambda team: {"flow agent on network": lambda f, p: tail(f, team["flow"], "network", p)},
        low=TAIL,
    ),
    Statement(
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
        high=GOOD,
    ),
    Statement(
        "Different objectives give different strategies.",
        "share of positions in which the other agent's choice is not among the squares that the "
        f"mode's own agent takes for equally good (Q within {NEAR} of the best), above {OFTEN}",
        other_choices,
        low=OFTEN,
        by_p=False,
        note=chance_note,
    ),
    Statement(
        "Many moves have essentially equal value.",
        f"share of positions with 2 or more squares within {NEAR} of the best Q, above {OFTEN}",
        each_mode(PAPER_MODES, lambda f, mode, agent, p: several_best(f, agent, mode)),
        low=OFTEN,
        by_p=False,
        note=equal_moves,
    ),
    Statement(
        "The network agent learns to leave a large piece cut off.",
        "largest piece ÷ all open squares at the end, network agent − random play, above 0",
        lambda team: {"difference": lambda f, p: larger_piece(f, team["network"], p)},
        low=0,
        given=True,
    ),
    Statement(
        "Choke points between large active parts get a high Q.",
        "share of active squares with a lower Q than a square that cuts off a tenth or more "
        f"of the active part, above {HIGH}",
        lambda team: {"network agent": lambda f, p: choke_rank(f, team["network"])},
        low=HIGH,
        by_p=False,
        given=True,
    ),
)
