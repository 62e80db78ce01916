"""Test the claims of the paper on the tables of a reproduction, with each team of agents.

A claim is one or more numbers with 95 % intervals, its parts. A part holds if the whole interval
lies between the thresholds, does not hold if the whole interval lies outside, and is undecided at
this sample size otherwise. A claim holds if all of its parts do, and does not hold if one of them
does not. The thresholds are ours, as the paper gives none; `other_thresholds` says for which others
the verdict would be the same. Further numbers stand beside the test: other readings of the
sentence, and controls. `check_claims` returns a table of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pinchpoint.errors import InputError
from pinchpoint.paper import measures
from pinchpoint.paper.experiments import PAPER_MODES, NotShipped, Team
from pinchpoint.paper.measures import CRITICAL, Evidence
from pinchpoint.paper.probes import CUT, NEAR
from pinchpoint.study.summary import Interval, three_digits

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
GIVEN = "given"  # the agents' input shows what the claim says that they learn
NOT_YET = "not available yet"  # the agents are not shipped

SMALL = 0.25  # of the moves saved at the highest p: the most that is not substantial
OFTEN = 0.5  # of the moves, boards or positions: the least that is often
FAR_MORE = 2.0  # times as much: the least that is much more, or a long tail
GOOD = 0.8  # of the way to a mark: the least that is good
OPTIMAL = 1.1  # times par: the most that is an optimal attack
LITTLE = 2.0  # times the moves: the most that is somewhat less effective
NEARLY = 0.03  # of the squares: the most that a finite board shifts the threshold by
HIGH = 0.75  # of the active squares have a lower Q: the least that is a high Q

TESTED, BY_P, BESIDE = "tested", "by p", "beside"  # what the number of a row is for
COLUMNS = (
    *("claim", "test", "above", "below", "team", "verdict"),
    *("reading", "part", "p", "value", "low", "high", "part_verdict"),
)


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


# -- the claims ------------------------------------------------------------------------------


def each_mode(modes: Sequence[str], measure: Callable[..., Interval]) -> Parts:
    """Return parts that apply `measure(found, mode, agent, p)` to the agent of each mode."""

    def part(team: Team, mode: str) -> Measure:
        return lambda found, p: measure(found, mode, team[mode], p)

    return lambda team: {mode: part(team, mode) for mode in modes}


PAIRS = (("network", "flow"), ("flow", "network"), ("network", "noodle"), ("noodle", "network"))


def other_choices(measure: Callable[..., Interval], what: str) -> Parts:
    """Return parts for the network agent beside the other two, both ways."""

    def part(team: Team, own: str, other: str) -> Measure:
        return lambda found, p: measure(found, team[own], team[other])

    return lambda team: {
        f"{other} agent in games of {own}{what}": part(team, own, other) for own, other in PAIRS
    }


def controls_of_choices(team: Team) -> dict[str, Measure]:
    """Return what stands beside the difference of strategies."""

    def same(mode: str) -> Measure:
        return lambda f, p: measures.disagreement(f, team[mode], measures.twin(f, team[mode]))

    def cut(f: Evidence, p: float | None) -> Interval:
        return measures.barrier(f, CUT, ends=True)

    alone = other_choices(measures.disagreement, ", alone")(team)
    twins = {f"another {mode} agent in games of {mode}": same(mode) for mode in PAPER_MODES}
    return {
        **alone,
        **twins,
        "a random square in games of network": lambda f, p: measures.chance(f, team["network"]),
        "by solver: a minimum flow cut ends network": cut,
    }


def equal_moves(team: Team) -> dict[str, Measure]:
    """Return how agents see moves of equal value, and how right they are."""

    def part(measure: Callable[..., Interval], mode: str, of: str) -> Measure:
        return lambda f, p: measure(f, team[mode], mode, of)

    return {
        f"{mode}: {name}": part(measure, mode, of)
        for mode in PAPER_MODES
        for name, measure, of in (
            (f"two or more squares within {NEAR} of the best Q", measures.several, "near"),
            ("share of its best squares that are optimal", measures.hits, "near"),
            ("share of the optimal squares among its best", measures.hits, "optimal"),
        )
    }


def tail_readings(team: Team, mode: str) -> dict[str, Measure]:
    return {
        "95th percentile ÷ median": lambda f, p: measures.tail(f, "network", team[mode]),
        "games as long as random play": lambda f, p: measures.as_long_as_random(
            f, "network", team[mode], p
        ),
    }


def within(team: Team, times: float) -> Measure:
    return lambda f, p: measures.within(f, "network", team["flow"], team["network"], times)


def at_par(found: Evidence, mode: str, agent: str, p: float | None) -> Interval:
    """Return the share of boards that an agent plays at par."""
    return measures.within(found, mode, agent, "par", 1.0, p)


def par_proven(found: Evidence, mode: str, agent: str, p: float | None) -> Interval:
    return measures.proven(found, mode)


CLAIMS = (
    Claim(
        "Trained agents clearly beat random moves in the mode they were trained for.",
        "moves of the agent ÷ moves of random play on the same boards, below 1",
        each_mode(PAPER_MODES, lambda f, m, agent, p: measures.ratio(f, m, agent, "random", p)),
        below=1,
    ),
    Claim(
        "Agents learn to attack optimally.",
        f"moves of the agent ÷ par in its own mode, below {OPTIMAL} "
        "(par is the fewest moves known; beside: the share of boards at p = 0.8 played at par, and "
        "the share on which par is proven to be the optimum)",
        each_mode(PAPER_MODES, lambda f, m, agent, p: measures.ratio(f, m, agent, "par", p)),
        below=OPTIMAL,
        beside=lambda team: {
            f"{mode}, {name}": part
            for name, measure in (("at par", at_par), ("par proven", par_proven))
            for mode, part in each_mode(PAPER_MODES, measure)(team).items()
        },
    ),
    Claim(
        "The more open the board, the more moves are needed.",
        "smallest rise of the mean moves from one p to the next, above 0 (by p: the moves)",
        lambda team: {
            **each_mode(PAPER_MODES, measures.rise)(team),
            "random moves on network": lambda f, p: measures.rise(f, "network", "random", p),
            "random moves on flow": lambda f, p: measures.rise(f, "flow", "random", p),
        },
        above=0,
    ),
    Claim(
        "Near p = 0.6 the difference between trained play and random moves is not substantial.",
        "number of moves saved at the p nearest to 0.6 ÷ that at the highest p, below "
        f"{SMALL} (beside: the ratio of the moves, which is large)",
        each_mode(("network", "flow"), measures.share_of_saving),
        below=SMALL,
        beside=lambda team: {
            f"{mode}: random ÷ agent at the {name} p": part
            for name, usual in (("critical", CRITICAL), ("highest", 1.0))
            for mode, part in each_mode(
                ("network", "flow"),
                lambda f, m, agent, p, usual=usual: measures.times_as_many(f, m, agent, usual),
            )(team).items()
        },
    ),
    Claim(
        "The difference grows towards p = 1.",
        "smallest rise of the number of moves saved from one p to the next, above 0 (by p: the "
        "moves saved)",
        each_mode(("network", "flow"), measures.divergence),
        above=0,
    ),
    Claim(
        "Near criticality a random move often ends the game.",
        f"share of random moves that end the game at the p nearest to 0.6, above {OFTEN} (no "
        "trained agent takes part; beside: boards that are over when drawn, which are discarded)",
        lambda team: {
            "network": lambda f, p: measures.ending_moves(f, "network", p),
            "flow": lambda f, p: measures.ending_moves(f, "flow", p),
        },
        above=OFTEN,
        beside=lambda team: {
            "network, over when drawn": lambda f, p: measures.over_when_drawn(f, "network"),
            "flow, over when drawn": lambda f, p: measures.over_when_drawn(f, "flow"),
        },
    ),
    Claim(
        "Near criticality a random move ends the game far more often than on open boards.",
        "share of random moves that end the game at the p nearest to 0.6 ÷ that at the highest p, "
        f"above {FAR_MORE:g} (no trained agent takes part)",
        lambda team: {
            "network": lambda f, p: measures.ends_more_often(f, "network"),
            "flow": lambda f, p: measures.ends_more_often(f, "flow"),
        },
        above=FAR_MORE,
        by_p=False,
    ),
    Claim(
        "Random moves are standard percolation.",
        "share of squares that random play leaves open, from p = 0.7 on, − the percolation "
        f"threshold 0.5927, from −{NEARLY} to {NEARLY} (no trained agent takes part)",
        lambda team: {
            "network": lambda f, p: measures.beyond_threshold(f, "network", p),
            "flow": lambda f, p: measures.beyond_threshold(f, "flow", p),
        },
        above=-NEARLY,
        below=NEARLY,
    ),
    Claim(
        "The network agent takes longer on network than the flow agent on flow.",
        "difference of the mean moves at p = 0.8, above 0",
        lambda team: {
            "difference": lambda f, p: measures.longer(f, team["network"], team["flow"], p)
        },
        above=0,
    ),
    Claim(
        "The network agent also plays flow well.",
        f"share of the way from random moves to the flow agent, above {GOOD} at every p",
        lambda team: {
            "network agent on flow, at the worst p": lambda f, p: measures.smallest_skill(
                f, team["network"], team["flow"], "flow", p
            )
        },
        above=GOOD,
        beside=lambda team: {
            "network agent on flow, all p together": lambda f, p: measures.skill(
                f, team["network"], team["flow"], "flow", p
            )
        },
    ),
    Claim(
        "On flow it is somewhat less effective than the flow agent.",
        f"moves of the network agent ÷ moves of the flow agent on flow, from 1 to {LITTLE}",
        lambda team: {
            "ratio": lambda f, p: measures.ratio(f, "flow", team["network"], team["flow"], p)
        },
        above=1,
        below=LITTLE,
    ),
    Claim(
        "The flow agent plays network badly.",
        f"share of the way from random moves to the network agent, below {GOOD}",
        lambda team: {
            "flow agent on network": lambda f, p: measures.skill(
                f, team["flow"], team["network"], "network", p
            )
        },
        below=GOOD,
    ),
    Claim(
        "From network to flow works better than from flow to network.",
        "difference of the shares of the way from random moves to the mode's own agent, above 0",
        lambda team: {
            "difference": lambda f, p: measures.asymmetry(f, team["network"], team["flow"], p)
        },
        above=0,
    ),
    Claim(
        "The flow agent often still solves network in a reasonable number of moves.",
        "share of boards at p = 0.8 on which it needs at most half of the moves of random play, "
        f"above {OFTEN} (beside: at most so many times the moves of the network agent)",
        lambda team: {
            "flow agent on network": lambda f, p: measures.within(
                f, "network", team["flow"], "random", 0.5, p
            )
        },
        above=OFTEN,
        beside=lambda team: {
            f"within {times} × the network agent": within(team, times) for times in (2, 3, 4)
        },
    ),
    Claim(
        "A barrier across the board ends network in some cases, and not in general.",
        "share of the flow agent's games of network at p = 0.8 that end with the move that parts "
        f"top from bottom, between 0 and {OFTEN}",
        lambda team: {
            "flow agent on network": lambda f, p: measures.barrier(f, team["flow"], ends=True)
        },
        above=0,
        below=OFTEN,
        by_p=False,
        beside=lambda team: {
            "flow agent, games with a barrier": lambda f, p: measures.barrier(
                f, team["flow"], ends=False
            ),
            "network agent, games with a barrier": lambda f, p: measures.barrier(
                f, team["network"], ends=False
            ),
            "network agent, games that it ends": lambda f, p: measures.barrier(
                f, team["network"], ends=True
            ),
            "by solver: a minimum flow cut ends network": lambda f, p: measures.barrier(
                f, CUT, ends=True
            ),
        },
    ),
    Claim(
        "The flow agent's games of network have a long tail.",
        "95th percentile of its moves at p = 0.8 ÷ that of the network agent, above "
        f"{FAR_MORE:g} (beside: 95th percentile ÷ median, and the share of games as long as the "
        "lower quartile of random play)",
        lambda team: {
            "95th percentiles": lambda f, p: measures.tails(
                f, "network", team["flow"], team["network"], p
            )
        },
        above=FAR_MORE,
        beside=lambda team: {
            f"{mode} agent, {name}": part
            for mode in ("flow", "network")
            for name, part in tail_readings(team, mode).items()
        },
    ),
    Claim(
        "The flow agent gets stuck: some of its games of network are as long as random play.",
        "share of its games at p = 0.8 that reach the lower quartile of random play's moves − that "
        "of the network agent, above 0",
        lambda team: {
            "difference": lambda f, p: measures.longer_tail(
                f, "network", team["flow"], team["network"], p
            )
        },
        above=0,
    ),
    Claim(
        "Neither the noodle nor the network agent is good at the other's game.",
        f"share of the way from random moves to the mode's own agent, below {GOOD}",
        lambda team: {
            "noodle agent on network": lambda f, p: measures.skill(
                f, team["noodle"], team["network"], "network", p
            ),
            "network agent on noodle": lambda f, p: measures.skill(
                f, team["network"], team["noodle"], "noodle", p
            ),
        },
        below=GOOD,
    ),
    Claim(
        "Different objectives give different strategies.",
        "share of positions in which the other mode's agent chooses none of the squares that the "
        f"mode's own agent takes for equally good (Q within {NEAR} of the best) − the share of "
        "another agent of the same mode, above 0",
        other_choices(measures.difference_of_objective, ""),
        above=0,
        by_p=False,
        beside=controls_of_choices,
    ),
    Claim(
        "Noodle mode is not based on connectivity.",
        "share of the pieces in random games that are active without a cycle or inactive with one, "
        "above 0 (at K = 2 noodle is the breaking of cycles; no trained agent takes part)",
        lambda team: {"pieces": lambda f, p: measures.not_cycles(f)},
        above=0,
        by_p=False,
    ),
    Claim(
        "Many moves have essentially equal value.",
        "share of solved positions of an agent's games in which two or more moves are optimal, "
        f"above {OFTEN} (beside: what the agents think of them)",
        each_mode(PAPER_MODES, lambda f, m, agent, p: measures.several(f, agent, m, "optimal")),
        above=OFTEN,
        by_p=False,
        beside=equal_moves,
    ),
    Claim(
        "The network agent learns to leave a large piece cut off.",
        "largest piece ÷ half of the open squares at the end of network, which is the most that it "
        f"can be, above {GOOD}",
        lambda team: {"network agent": lambda f, p: measures.piece_of_half(f, team["network"], p)},
        above=GOOD,
        given=True,
        beside=lambda team: {
            "random moves": lambda f, p: measures.piece_of_half(f, "random", p),
            "share of all open squares, network agent − random moves": (
                lambda f, p: measures.larger_piece(f, team["network"])
            ),
        },
    ),
    Claim(
        "Choke points between large active parts get a high Q.",
        "share of active squares with a lower Q than a square that cuts off a tenth or more "
        f"of the active part, above {HIGH}",
        lambda team: {"network agent": lambda f, p: measures.choke_rank(f, team["network"])},
        above=HIGH,
        by_p=False,
        given=True,
    ),
)
