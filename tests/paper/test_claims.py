"""Claims on made-up rows where the verdict is known."""

import numpy as np
import pandas as pd
import pytest

from chokepoint.paper.claims import FAILS, HOLDS, UNDECIDED, Claim, Part, check_claims
from chokepoint.study import Interval, summary

MODES = ("network", "flow", "noodle")
# Mean moves at p = 0.6, 0.8 and 1.0, much as in the paper: (mode, agent) -> three numbers.
PAPER = {
    ("network", "random"): (17, 86, 166),
    ("network", "network"): (3, 9.5, 22),
    ("network", "flow"): (9, 42, 90),
    ("network", "noodle"): (10, 60, 120),
    ("flow", "random"): (13, 76, 155),
    ("flow", "flow"): (1.5, 6, 20),
    ("flow", "network"): (2, 9, 24),
    ("noodle", "random"): (75, 130, 210),
    ("noodle", "noodle"): (28, 60, 110),
    ("noodle", "network"): (60, 110, 190),
}


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(summary, "RESAMPLES", 200)  # enough for verdicts as clear as these


def made_up(means, games=40, spread=0.1, tail_of=("network", "flow"), seed=0):
    """Rows with these means; games of `tail_of` are now and then much longer."""
    rng = np.random.default_rng(seed)
    rows = []
    for (mode, agent), by_p in means.items():
        for p, mean in zip((0.6, 0.8, 1.0), by_p, strict=True):
            steps = mean * rng.normal(1, spread, games)
            if (mode, agent) == tail_of:
                steps *= np.where(np.arange(games) % 5 == 0, 4, 0.5)
            for board, count in enumerate(np.maximum(steps, 1).round().astype(int)):
                share = 0.45 if agent == "network" else 0.2
                largest = int(share * (400 - count))
                point = {"mode": mode, "options": "{}", "size": "20x20", "p": p, "board": board}
                rows.append(
                    point | {"agent": agent, "steps": count, "open": 400, "largest": largest}
                )
    return pd.DataFrame(rows)


def looks(near=6, rank=0.9, games=20, spread=0.02):
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "agent": mode,
            "mode": mode,
            "size": "10x10",
            "p": 0.7,
            "board": board,
            "move": move,
            "legal": 50,
            "near": near,
            "optimal": 4.0,
            "hits": 3.0,
            "chokes": 2,
            "choke_rank": rank + spread * rng.normal(),
        }
        for mode in MODES
        for board in range(games)
        for move in (1, 2)
    )


def verdicts(rows, seen=None):
    claims = check_claims(rows, looks() if seen is None else seen)
    return {claim.says: claim.verdict for claim in claims}


def verdict_of(words, *arguments):
    [found] = [v for says, v in verdicts(*arguments).items() if words in says]
    return found


def test_rows_like_the_papers_bear_out_all_but_one_claim():
    found = verdicts(made_up(PAPER))
    assert len(found) == 12
    not_held = {says for says, verdict in found.items() if verdict != HOLDS}
    # In moves the saving at p = 0.6 is small; as a ratio it is not.
    assert not_held == {"Near p = 0.6 random moves are hardly worse than trained play."}
    assert verdict_of("hardly worse", made_up(PAPER)) == FAILS


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("beat random", {("noodle", "noodle"): (90, 150, 230)}),
        ("grows towards", {("flow", "flow"): (1, 60, 152)}),
        ("saves few moves", {("network", "network"): (1, 70, 145)}),
        ("also plays flow well", {("flow", "network"): (10, 60, 120)}),
        ("somewhat less", {("flow", "network"): (9, 30, 80)}),
        ("somewhat less", {("flow", "network"): (1, 3, 10)}),
        ("plays network badly", {("network", "flow"): (3, 10, 25)}),
        ("Neither the noodle", {("noodle", "network"): (28, 62, 112)}),
        ("Neither the noodle", {("network", "noodle"): (3, 10, 24)}),
    ],
)
def test_a_claim_fails_where_the_rows_say_the_opposite(words, change):
    assert verdict_of(words, made_up(PAPER | change)) == FAILS


def test_no_tail_no_long_tail():
    assert verdict_of("long tail", made_up(PAPER, tail_of=None)) == FAILS


def test_a_few_noisy_games_decide_nothing():
    close = PAPER | {("noodle", "noodle"): (74, 129, 209)}
    assert verdict_of("beat random", made_up(close, games=5, spread=0.4)) == UNDECIDED
    border = PAPER | {("flow", "network"): (1.55, 6.1, 20.2)}
    assert verdict_of("somewhat less", made_up(border, games=6, spread=0.5)) == UNDECIDED


def test_strategy_claims():
    rows = made_up(PAPER)
    assert verdict_of("equal value", rows, looks(near=1)) == FAILS
    assert verdict_of("high Q", rows, looks(rank=0.5)) == FAILS
    assert verdict_of("high Q", rows, looks(rank=0.75, games=4, spread=0.2)) == UNDECIDED
    swapped = rows.assign(agent=rows["agent"].replace({"network": "random", "random": "network"}))
    assert verdict_of("large piece", swapped) == FAILS
    [claim] = [c for c in check_claims(rows, looks()) if "equal value" in c.says]
    assert "6.0 against 4.0 truly optimal ones (50% of them are)" in claim.measured()


def test_what_was_not_measured_is_undecided():
    nothing = pd.DataFrame(columns=made_up(PAPER).columns)
    assert set(verdicts(nothing, pd.DataFrame()).values()) == {UNDECIDED}
    without = made_up({k: v for k, v in PAPER.items() if k[1] != "noodle"})
    assert verdict_of("Neither the noodle", without) == UNDECIDED
    assert verdict_of("also plays flow well", without) == HOLDS
    one_p = made_up(PAPER).query("p == 0.8")
    assert verdict_of("grows towards", one_p) == UNDECIDED


def test_a_claim_of_parts():
    sure, open_, wrong = (Part("x", Interval(1, 1, 1), v) for v in (HOLDS, UNDECIDED, FAILS))
    assert Claim("", "", (sure, sure)).verdict == HOLDS
    assert Claim("", "", (sure, open_)).verdict == UNDECIDED
    assert Claim("", "", (sure, open_, wrong)).verdict == FAILS
    assert Claim("", "", ()).verdict == UNDECIDED
