"""Test the claims of the paper on the tables of a reproduction, with each team of agents.

A claim is one or more numbers with 95 % intervals, its parts. A part holds if the whole interval
lies between the thresholds, does not hold if the whole interval lies outside, and is undecided at
this sample size otherwise. A claim holds if all of its parts do, and does not hold if one of them
does not. The thresholds are ours, as the paper gives none; `other_thresholds` says for which others
the verdict would be the same. Further numbers stand beside the test: other readings of the
sentence, and controls. `check_claims` returns a table of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Own:
    """Stands for the agent of a mode, whoever that is in a team."""

    mode: str


NETWORK, FLOW, NOODLE = OWN = tuple(map(Own, PAPER_MODES))

# A number of a claim: a function of `measures` and its arguments after the tables. Those that are
# given for each p have `p` as their last one; without it they are about what the claim is about.
Part = tuple[Any, ...]
Parts = Mapping[str, Part]


def measure(part: Part, found: Evidence, team: Team, **at: float) -> Interval:
    """Return a number of a claim for the agents of a team."""
    function, *arguments = part
    given = [team[each.mode] if isinstance(each, Own) else each for each in arguments]
    result: Interval = function(found, *given, **at)
    return result


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
    beside: Parts = field(default_factory=dict)  # other readings and controls

    def judge(self, found: Evidence, team: Team) -> list[dict[str, Any]]:
        """Return the rows of one team: every number of the claim, with the verdict on each."""
        rows: list[dict[str, Any]] = []
        for name, part in self.parts.items():
            if not team.agents:
                rows.append(_row(TESTED, name, None, NOT_YET))
                continue
            try:
                value = measure(part, found, team)
            except InputError as missing:
                state = NOT_YET if isinstance(missing, NotShipped) else UNDECIDED
                rows.append(_row(TESTED, name, None, state))
                continue
            rows.append(_row(TESTED, name, value, verdict(value, self.above, self.below)))
            for p in sorted(set(found.rows["p"])) if self.by_p else ():
                with suppress(InputError):  # not played at this density
                    rows.append(
                        _row(BY_P, name, measure(part, found, team, p=float(p)), p=float(p))
                    )
        for name, part in self.beside.items():
            with suppress(InputError):  # not measured
                rows.append(_row(BESIDE, name, measure(part, found, team)))
        verdicts = {row["part_verdict"] for row in rows if row["reading"] == TESTED}
        whole = overall(verdicts, self.given and not team.q_learned)
        claim = {"claim": self.says, "test": self.test, "above": self.above, "below": self.below}
        return [claim | {"team": team.name, "verdict": whole} | row for row in rows]


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


def each_mode(of: Callable[..., Interval], *more: Any, modes: Sequence[Own] = OWN) -> Parts:
    """Return parts that measure the agent of each mode on it."""
    return {own.mode: (of, own.mode, own, *more) for own in modes}


PAIRS = ((NETWORK, FLOW), (FLOW, NETWORK), (NETWORK, NOODLE), (NOODLE, NETWORK))


def other_choices(of: Callable[..., Interval], what: str = "") -> Parts:
    """Return parts for the network agent beside the other two, both ways."""
    return {
        f"{other.mode} agent in games of {own.mode}{what}": (of, own, other) for own, other in PAIRS
    }


CLAIMS = (
    Claim(
        "Trained agents clearly beat random moves in the mode they were trained for.",
        "moves of the agent ÷ moves of random play on the same boards, below 1",
        each_mode(measures.ratio, "random"),
        below=1,
    ),
    Claim(
        "Agents learn to attack optimally.",
        f"moves of the agent ÷ par in its own mode, below {OPTIMAL} "
        "(par is the fewest moves known; beside: the share of boards at p = 0.8 played at par, and "
        "the share on which par is proven to be the optimum)",
        each_mode(measures.ratio, "par"),
        below=OPTIMAL,
        beside={
            f"{own.mode}, {name}": (of, own.mode, own, *more)
            for name, of, *more in (
                ("at par", measures.within, "par", 1.0),
                ("par proven", measures.proven),
            )
            for own in OWN
        },
    ),
    Claim(
        "The more open the board, the more moves are needed.",
        "smallest rise of the mean moves from one p to the next, above 0 (by p: the moves)",
        {
            **each_mode(measures.rise),
            "random moves on network": (measures.rise, "network", "random"),
            "random moves on flow": (measures.rise, "flow", "random"),
        },
        above=0,
    ),
    Claim(
        "Near p = 0.6 the difference between trained play and random moves is not substantial.",
        "number of moves saved at the p nearest to 0.6 ÷ that at the highest p, below "
        f"{SMALL} (beside: the ratio of the moves, which is large)",
        each_mode(measures.share_of_saving, modes=(NETWORK, FLOW)),
        below=SMALL,
        beside={
            f"{own.mode}: random ÷ agent at the {name} p": (
                measures.times_as_many,
                own.mode,
                own,
                usual,
            )
            for name, usual in (("critical", CRITICAL), ("highest", 1.0))
            for own in (NETWORK, FLOW)
        },
    ),
    Claim(
        "The difference grows towards p = 1.",
        "smallest rise of the number of moves saved from one p to the next, above 0 (by p: the "
        "moves saved)",
        each_mode(measures.divergence, modes=(NETWORK, FLOW)),
        above=0,
    ),
    Claim(
        "Near criticality a random move often ends the game.",
        f"share of random moves that end the game at the p nearest to 0.6, above {OFTEN} (no "
        "trained agent takes part; beside: boards that are over when drawn, which are discarded)",
        {mode: (measures.ending_moves, mode) for mode in ("network", "flow")},
        above=OFTEN,
        beside={
            f"{mode}, over when drawn": (measures.over_when_drawn, mode)
            for mode in ("network", "flow")
        },
    ),
    Claim(
        "Near criticality a random move ends the game far more often than on open boards.",
        "share of random moves that end the game at the p nearest to 0.6 ÷ that at the highest p, "
        f"above {FAR_MORE:g} (no trained agent takes part)",
        {mode: (measures.ends_more_often, mode) for mode in ("network", "flow")},
        above=FAR_MORE,
        by_p=False,
    ),
    Claim(
        "Random moves are standard percolation.",
        "share of squares that random play leaves open, from p = 0.7 on, − the percolation "
        f"threshold 0.5927, from −{NEARLY} to {NEARLY} (no trained agent takes part)",
        {mode: (measures.beyond_threshold, mode) for mode in ("network", "flow")},
        above=-NEARLY,
        below=NEARLY,
    ),
    Claim(
        "The network agent takes longer on network than the flow agent on flow.",
        "difference of the mean moves at p = 0.8, above 0",
        {"difference": (measures.longer, NETWORK, FLOW)},
        above=0,
    ),
    Claim(
        "The network agent also plays flow well.",
        f"share of the way from random moves to the flow agent, above {GOOD} at every p",
        {"network agent on flow, at the worst p": (measures.smallest_skill, NETWORK, FLOW, "flow")},
        above=GOOD,
        beside={"network agent on flow, all p together": (measures.skill, NETWORK, FLOW, "flow")},
    ),
    Claim(
        "On flow it is somewhat less effective than the flow agent.",
        f"moves of the network agent ÷ moves of the flow agent on flow, from 1 to {LITTLE}",
        {"ratio": (measures.ratio, "flow", NETWORK, FLOW)},
        above=1,
        below=LITTLE,
    ),
    Claim(
        "The flow agent plays network badly.",
        f"share of the way from random moves to the network agent, below {GOOD}",
        {"flow agent on network": (measures.skill, FLOW, NETWORK, "network")},
        below=GOOD,
    ),
    Claim(
        "From network to flow works better than from flow to network.",
        "difference of the shares of the way from random moves to the mode's own agent, above 0",
        {"difference": (measures.asymmetry, NETWORK, FLOW)},
        above=0,
    ),
    Claim(
        "The flow agent often still solves network in a reasonable number of moves.",
        "share of boards at p = 0.8 on which it needs at most half of the moves of random play, "
        f"above {OFTEN} (beside: at most so many times the moves of the network agent)",
        {"flow agent on network": (measures.within, "network", FLOW, "random", 0.5)},
        above=OFTEN,
        beside={
            f"within {times} × the network agent": (
                measures.within,
                "network",
                FLOW,
                NETWORK,
                times,
            )
            for times in (2, 3, 4)
        },
    ),
    Claim(
        "A barrier across the board ends network in some cases, and not in general.",
        "share of the flow agent's games of network at p = 0.8 that end with the move that parts "
        f"top from bottom, between 0 and {OFTEN}",
        {"flow agent on network": (measures.barrier_ends, FLOW)},
        above=0,
        below=OFTEN,
        by_p=False,
        beside={
            "flow agent, games with a barrier": (measures.has_barrier, FLOW),
            "network agent, games with a barrier": (measures.has_barrier, NETWORK),
            "network agent, games that it ends": (measures.barrier_ends, NETWORK),
            "by solver: a minimum flow cut ends network": (measures.barrier_ends, CUT),
        },
    ),
    Claim(
        "The flow agent's games of network have a long tail.",
        "95th percentile of its moves at p = 0.8 ÷ that of the network agent, above "
        f"{FAR_MORE:g} (beside: 95th percentile ÷ median, and the share of games as long as the "
        "lower quartile of random play)",
        {"95th percentiles": (measures.tails, "network", FLOW, NETWORK)},
        above=FAR_MORE,
        beside={
            f"{own.mode} agent, {name}": (of, "network", own)
            for own in (FLOW, NETWORK)
            for name, of in (
                ("95th percentile ÷ median", measures.tail),
                ("games as long as random play", measures.as_long_as_random),
            )
        },
    ),
    Claim(
        "The flow agent gets stuck: some of its games of network are as long as random play.",
        "share of its games at p = 0.8 that reach the lower quartile of random play's moves − that "
        "of the network agent, above 0",
        {"difference": (measures.longer_tail, "network", FLOW, NETWORK)},
        above=0,
    ),
    Claim(
        "Neither the noodle nor the network agent is good at the other's game.",
        f"share of the way from random moves to the mode's own agent, below {GOOD}",
        {
            "noodle agent on network": (measures.skill, NOODLE, NETWORK, "network"),
            "network agent on noodle": (measures.skill, NETWORK, NOODLE, "noodle"),
        },
        below=GOOD,
    ),
    Claim(
        "Different objectives give different strategies.",
        "share of positions in which the other mode's agent chooses none of the squares that the "
        f"mode's own agent takes for equally good (Q within {NEAR} of the best) − the share of "
        "another agent of the same mode, above 0",
        other_choices(measures.difference_of_objective),
        above=0,
        by_p=False,
        beside={
            **other_choices(measures.disagreement, ", alone"),
            **{
                f"another {own.mode} agent in games of {own.mode}": (measures.twins_disagree, own)
                for own in OWN
            },
            "a random square in games of network": (measures.chance, NETWORK),
            "by solver: a minimum flow cut ends network": (measures.barrier_ends, CUT),
        },
    ),
    Claim(
        "Noodle mode is not based on connectivity.",
        "share of the pieces in random games that are active without a cycle or inactive with one, "
        "above 0 (at K = 2 noodle is the breaking of cycles; no trained agent takes part)",
        {"pieces": (measures.not_cycles,)},
        above=0,
        by_p=False,
    ),
    Claim(
        "Many moves have essentially equal value.",
        "share of solved positions of an agent's games in which two or more moves are optimal, "
        f"above {OFTEN} (beside: what the agents think of them)",
        each_mode(measures.several, "optimal"),
        above=OFTEN,
        by_p=False,
        beside={
            f"{own.mode}: {name}": (of, own.mode, own, kind)
            for own in OWN
            for name, of, kind in (
                (f"two or more squares within {NEAR} of the best Q", measures.several, "near"),
                ("share of its best squares that are optimal", measures.hits, "near"),
                ("share of the optimal squares among its best", measures.hits, "optimal"),
            )
        },
    ),
    Claim(
        "The network agent learns to leave a large piece cut off.",
        "largest piece ÷ half of the open squares at the end of network, which is the most that it "
        f"can be, above {GOOD}",
        {"network agent": (measures.piece_of_half, NETWORK)},
        above=GOOD,
        given=True,
        beside={
            "random moves": (measures.piece_of_half, "random"),
            "share of all open squares, network agent − random moves": (
                measures.larger_piece,
                NETWORK,
            ),
        },
    ),
    Claim(
        "Choke points between large active parts get a high Q.",
        "share of active squares with a lower Q than a square that cuts off a tenth or more "
        f"of the active part, above {HIGH}",
        {"network agent": (measures.choke_rank, NETWORK)},
        above=HIGH,
        by_p=False,
        given=True,
    ),
)
