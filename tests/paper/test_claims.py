"""Claims on made-up rows where the verdict is known."""

import numpy as np
import pandas as pd
import pytest

from pinchpoint.paper.claims import (
    BESIDE,
    BY_P,
    CLAIMS,
    FAILS,
    GIVEN,
    HOLDS,
    NOT_YET,
    TESTED,
    UNDECIDED,
    check_claims,
    other_thresholds,
    overall,
    verdict,
)
from pinchpoint.paper.experiments import TEAMS, Team
from pinchpoint.study import summary
from pinchpoint.study.summary import Interval

MODES = ("network", "flow", "noodle")
RAW = Team("raw", "raw", "see raw boards", {mode: mode for mode in MODES}, q_learned=True)
HELPED = Team("helped", "helped", "see more", {mode: mode for mode in MODES}, q_learned=False)
NOBODY = Team("nobody", "nobody", "are not there", {}, q_learned=True)
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
    """Rows with these means; the games of `tail_of` are short, and now and then very long.

    At p = 1 there is one board, on which only random play varies.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for (mode, agent), by_p in means.items():
        for p, mean in zip((0.6, 0.8, 1.0), by_p, strict=True):
            varies = p < 1 or agent == "random"
            steps = mean * rng.normal(1, spread if varies else 0, games)
            if (mode, agent) == tail_of and p < 1:
                steps *= np.where(np.arange(games) % 5 == 0, 4, 0.25)
            for board, count in enumerate(np.maximum(steps, 1).round().astype(int)):
                share = 0.45 if agent == "network" else 0.2
                opened = round(400 * p)
                largest = int(share * (opened - count))
                point = {"mode": mode, "options": "{}", "size": "20x20", "p": p, "board": board}
                rows.append(
                    point | {"agent": agent, "steps": count, "open": opened, "largest": largest}
                )
    return pd.DataFrame(rows)


def ratings(near=6, rank=0.9, games=20, spread=0.02):
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


def choices(agrees=0.2, twins=0.9, games=20):
    """Positions of which other agents agree in these shares, of another mode or of the same."""
    pairs = (("network", "flow"), ("flow", "network"), ("network", "noodle"), ("noodle", "network"))
    found = [asked(agent, other, agrees, games) for agent, other in pairs]
    found += [asked(mode, f"{mode}-q", twins, games) for mode in MODES if twins is not None]
    return pd.concat(found, ignore_index=True)


def asked(agent, other, agrees, games):
    return pd.DataFrame(
        {
            "agent": agent,
            "mode": agent,
            "size": "20x20",
            "p": 0.7,
            "other": other,
            "board": board,
            "move": move,
            "agrees": (board + 5 * move) % 10 < 10 * agrees,
            "chance": 0.05,
        }
        for board in range(games)
        for move in (1, 2)
    )


def barriers(ends=0.3, cut=0.01, games=100):
    """Games of network: this share of those of the flow agent end with their barrier."""
    rows = []
    for agent, share in (("flow", ends), ("network", 0.5), ("minimum cut", cut)):
        for board in range(games):
            over = board < share * games
            moves = 6 if over else np.nan if agent == "minimum cut" else 30
            barrier = np.nan if agent == "network" and board % 2 else 6
            rows.append({"agent": agent, "board": board, "moves": moves, "barrier": barrier})
    return pd.DataFrame(rows)


def pieces(differ=0):
    return pd.DataFrame({"board": [0, 0, 1], "pieces": [4, 5, 6], "differ": [differ, 0, differ]})


def drawn(over=0.4, games=100):
    """Boards as drawn: this share of those of flow is over before any move."""
    return pd.DataFrame(
        {"mode": mode, "p": p, "board": board, "over": mode == "flow" and board < over * games}
        for mode in ("network", "flow")
        for p in (0.6, 1.0)
        for board in range(games)
    )


def check(rows, rated=None, chosen=None, team=RAW, **others):
    """The table of claims from these tables."""
    tables = {
        "rows": rows,
        "ratings": ratings() if rated is None else rated,
        "choices": choices() if chosen is None else chosen,
        "barriers": barriers(),
        "pieces": pieces(),
        "drawn": drawn(),
    } | others
    return check_claims(tables, team if isinstance(team, list) else [team])


def of_claim(words, *arguments, **named):
    """The rows of the one claim that has these words in it."""
    found = check(*arguments, **named)
    found = found[found["claim"].str.contains(words, regex=False)]
    assert found["claim"].nunique() == 1
    return found


def verdict_of(words, *arguments, **named):
    return of_claim(words, *arguments, **named)["verdict"].iloc[0]


def verdicts(found):
    return dict(zip(found["claim"], found["verdict"], strict=True))


def numbers(found, reading=TESTED):
    """The tested numbers of a claim, or those beside them, by part."""
    return found[found["reading"] == reading].set_index("part")


def by_p(found, part):
    """The values of one part at each density."""
    rows = found[(found["reading"] == BY_P) & (found["part"] == part)]
    return rows.set_index("p")


def test_rows_like_the_papers_bear_out_most_claims():
    found = verdicts(check(made_up(PAPER)))
    assert len(found) == len(CLAIMS) == 23
    assert {says for says, state in found.items() if state != HOLDS} == {
        # Random play takes 17 moves at p = 0.6, so one move in 17 ends a game.
        "Near criticality a random move often ends the game.",
        # The paper has no par, and at K = 2 noodle is the breaking of cycles.
        "Agents learn to attack optimally.",
        "Noodle mode is not based on connectivity.",
    }
    assert verdict_of("random move often ends", made_up(PAPER)) == FAILS
    assert verdict_of("attack optimally", made_up(PAPER)) == UNDECIDED
    assert verdict_of("not based on connectivity", made_up(PAPER)) == FAILS
    assert verdict_of("not based on connectivity", made_up(PAPER), pieces=pieces(2)) == HOLDS


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("beat random", {("noodle", "noodle"): (90, 150, 230)}),
        ("more open", {("flow", "flow"): (9, 6, 20)}),
        ("more open", {("network", "random"): (17, 186, 166)}),
        ("not substantial", {("network", "network"): (1, 70, 145)}),
        ("grows towards", {("flow", "flow"): (1, 60, 152)}),
        ("takes longer", {("flow", "flow"): (1.5, 14, 20)}),
        ("also plays flow well", {("flow", "network"): (10, 60, 120)}),
        ("somewhat less", {("flow", "network"): (9, 30, 80)}),
        ("somewhat less", {("flow", "network"): (1, 3, 10)}),
        ("plays network badly", {("network", "flow"): (3, 10, 25)}),
        ("works better", {("flow", "network"): (12, 70, 150)}),
        ("in a reasonable number", {("network", "flow"): (30, 400, 90)}),
        ("far more often", {("network", "random"): (100, 120, 166)}),
        ("standard percolation", {("network", "random"): (17, 20, 30)}),
        ("also plays flow well", {("flow", "network"): (2, 50, 24)}),  # at one p
        ("long tail", {("network", "network"): (3, 90, 160)}),
        ("Neither the noodle", {("noodle", "network"): (28, 62, 112)}),
        ("Neither the noodle", {("network", "noodle"): (3, 10, 24)}),
    ],
)
def test_a_claim_fails_where_the_rows_say_the_opposite(words, change):
    assert verdict_of(words, made_up(PAPER | change)) == FAILS


def test_the_difference_near_criticality_is_one_of_moves_not_a_ratio():
    # Random play takes six times as long at p = 0.6, and yet only 14 moves more of 144 at p = 1.
    found = of_claim("not substantial", made_up(PAPER))
    assert set(found["verdict"]) == {HOLDS}
    assert numbers(found)["value"]["network"] == pytest.approx(14 / 144, abs=0.01)
    assert by_p(found, "network")["value"][1.0] == pytest.approx(1)


def test_a_random_move_that_often_ends_the_game():
    short = PAPER | {("network", "random"): (1.2, 86, 166), ("flow", "random"): (1, 76, 155)}
    found = of_claim("random move often ends", made_up(short))
    assert set(found["verdict"]) == {HOLDS}
    assert by_p(found, "network")["value"][0.8] == pytest.approx(1 / 86, abs=0.002)


def test_tails_are_those_of_the_same_boards():
    rows = made_up(PAPER)  # one flow game of five takes 168 moves, the others 10.5
    found = of_claim("long tail", rows)
    assert numbers(found)["value"]["95th percentiles"] == pytest.approx(168 / 11, rel=0.15)
    beside = numbers(found, BESIDE)["value"]
    assert beside["flow agent, 95th percentile ÷ median"] == pytest.approx(16, rel=0.15)
    assert beside["flow agent, games as long as random play"] == pytest.approx(0.2)
    assert beside["network agent, games as long as random play"] == 0
    assert numbers(of_claim("gets stuck", rows))["value"]["difference"] == pytest.approx(0.2)
    short = made_up(PAPER | {("network", "flow"): (9, 12, 30)}, tail_of=None)
    assert verdict_of("long tail", short) == FAILS
    assert verdict_of("gets stuck", short) == FAILS


def test_an_optimal_attack_is_one_at_par():
    rows = made_up(PAPER)
    own = {mode: rows[(rows["mode"] == mode) & (rows["agent"] == mode)] for mode in MODES}
    best = pd.concat(own.values()).set_index(["mode", "p", "board"])["steps"]
    at = [best[key] for key in zip(rows["mode"], rows["p"], rows["board"], strict=True)]
    optimal = of_claim("attack optimally", rows.assign(par=at, proven=rows["mode"] == "flow"))
    assert set(optimal["verdict"]) == {HOLDS}
    assert list(numbers(optimal)["value"]) == [1, 1, 1]
    assert list(numbers(optimal, BESIDE)["value"]) == [1, 1, 1, 0, 1, 0]  # at par, proven
    third_more = of_claim("attack optimally", rows.assign(par=np.array(at) / 1.33))
    assert set(third_more["verdict"]) == {FAILS}
    assert list(numbers(third_more)["value"]) == pytest.approx([1.33] * 3)
    assert list(numbers(third_more, BESIDE)["value"]) == [0, 0, 0]


def test_random_play_is_percolation_if_it_ends_at_the_threshold():
    exact = {(mode, "random"): (3, 83, 163) for mode in ("network", "flow")}
    rows = made_up(PAPER | exact)
    found = of_claim("standard percolation", rows)
    assert set(found["verdict"]) == {HOLDS}
    assert list(numbers(found)["value"]) == pytest.approx([0, 0], abs=0.01)
    assert by_p(found, "flow")["value"][0.6] == pytest.approx(0, abs=0.01)


def test_boards_that_are_over_when_drawn_stand_beside():
    beside = numbers(of_claim("often ends the game", made_up(PAPER)), BESIDE)["value"]
    assert list(beside) == pytest.approx([0, 0.4])


def test_how_much_more_often_a_random_move_ends_the_game_near_criticality():
    found = numbers(of_claim("far more often", made_up(PAPER)))["value"]
    assert list(found) == pytest.approx([166 / 17, 155 / 13], rel=0.05)


def test_the_difference_stands_beside_as_a_ratio():
    beside = numbers(of_claim("not substantial", made_up(PAPER)), BESIDE)["value"]
    assert beside["flow: random ÷ agent at the critical p"] == pytest.approx(13 / 1.5, rel=0.15)
    assert beside["flow: random ÷ agent at the highest p"] == pytest.approx(155 / 20, rel=0.05)


def test_playing_well_is_playing_well_at_every_density():
    part = "network agent on flow, at the worst p"
    found = of_claim("also plays flow well", made_up(PAPER))
    assert numbers(found)["value"][part] == pytest.approx(by_p(found, part)["value"].min())
    pooled = made_up(PAPER | {("flow", "network"): (6, 9, 20)})  # bad near the threshold alone
    found = of_claim("also plays flow well", pooled)
    assert set(found["verdict"]) == {FAILS}
    assert numbers(found, BESIDE)["value"].iloc[0] > 0.8


@pytest.mark.parametrize(("ends", "state"), [(0.0, FAILS), (0.3, HOLDS), (0.9, FAILS)])
def test_barriers_that_end_network(ends, state):
    found = of_claim("in some cases", made_up(PAPER), barriers=barriers(ends))
    assert set(found["verdict"]) == {state}
    assert numbers(found)["value"].iloc[0] == pytest.approx(ends)
    beside = numbers(found, BESIDE)["value"]
    assert beside["flow agent, games with a barrier"] == 1
    assert beside["network agent, games with a barrier"] == pytest.approx(0.5)
    assert beside["by solver: a minimum flow cut ends network"] == pytest.approx(0.01)


def test_shares_of_boards_within_some_times_the_network_agent():
    rows = made_up(PAPER | {("network", "flow"): (9, 24, 90)}, tail_of=None, spread=0.01)
    beside = numbers(of_claim("in a reasonable number", rows), BESIDE)["value"]
    assert list(beside) == pytest.approx([0, 1, 1], abs=0.2)  # 24 is 2.5 × 9.5


def test_a_few_noisy_games_decide_nothing():
    close = PAPER | {("noodle", "noodle"): (74, 129, 209.9)}
    assert verdict_of("beat random", made_up(close, games=5, spread=0.4)) == UNDECIDED
    border = PAPER | {("flow", "network"): (1.55, 6.1, 20)}
    assert verdict_of("somewhat less", made_up(border, games=6, spread=0.5, seed=1)) == UNDECIDED


def test_the_full_board_counts_once():
    """An agent that is bad on sparse boards is not saved by fifty copies of the full one."""
    bad = {("flow", "network"): (13, 76, 20), ("flow", "flow"): (1.5, 6, 20)}
    few, many = (made_up(PAPER | bad, games=games) for games in (40, 400))
    part = "network agent on flow, all p together"
    for rows in (few, many):
        found = of_claim("also plays flow well", rows)
        assert set(found["verdict"]) == {FAILS}
        assert numbers(found, BESIDE)["value"][part] < 0.1
        each = by_p(found, "network agent on flow, at the worst p")
        assert list(each.loc[1.0, ["value", "low", "high"]]) == [1, 1, 1]  # one board
        assert each["low"][0.8] < each["high"][0.8]
    # Without p = 1 the number is nearly the same: it was one board of 81.
    without = of_claim("also plays flow well", few[few["p"] < 1])
    assert numbers(without, BESIDE)["value"][part] == pytest.approx(
        numbers(of_claim("also plays flow well", few), BESIDE)["value"][part], abs=0.05
    )
    ratio = numbers(of_claim("beat random", few)).loc["flow"]
    assert ratio["low"] < ratio["value"] < ratio["high"]


def test_strategy_claims():
    rows = made_up(PAPER)
    assert verdict_of("equal value", rows, ratings().assign(optimal=1.0)) == FAILS
    assert verdict_of("equal value", rows, ratings(near=1)) == HOLDS  # whatever the agents think
    assert verdict_of("high Q", rows, ratings(rank=0.5)) == FAILS
    assert verdict_of("high Q", rows, ratings(rank=0.75, games=4, spread=0.2)) == UNDECIDED
    swapped = rows.assign(agent=rows["agent"].replace({"network": "random", "random": "network"}))
    assert verdict_of("large piece", swapped) == FAILS
    beside = numbers(of_claim("equal value", rows), BESIDE)["value"]
    assert beside["flow: share of its best squares that are optimal"] == pytest.approx(3 / 6)
    assert beside["flow: share of the optimal squares among its best"] == pytest.approx(3 / 4)
    found = of_claim("different strategies", rows)
    assert list(numbers(found)["value"]) == pytest.approx([0.7] * 4)  # 0.8 of others, 0.1 of twins
    beside = numbers(found, BESIDE)["value"]
    assert beside["flow agent in games of network, alone"] == pytest.approx(0.8)
    assert beside["another network agent in games of network"] == pytest.approx(0.1)
    assert beside["a random square in games of network"] == pytest.approx(0.95)
    # Another agent of the same mode disagrees as often: the objective makes no difference.
    assert verdict_of("different strategies", rows, chosen=choices(0.2, 0.2)) == FAILS
    assert verdict_of("different strategies", rows, chosen=choices(0.2, None)) == UNDECIDED


def test_a_large_piece_is_measured_against_its_ceiling():
    found = of_claim("large piece", made_up(PAPER))
    assert numbers(found)["value"].iloc[0] == pytest.approx(2 * 0.45, abs=0.01)
    assert numbers(found, BESIDE)["value"]["random moves"] == pytest.approx(2 * 0.2, abs=0.01)


def test_what_agents_are_shown_is_given():
    rows = made_up(PAPER)
    shown = ("high Q", "leave a large piece")
    for says in shown:
        assert verdict_of(says, rows, team=RAW) == HOLDS
        given = of_claim(says, rows, team=HELPED)
        assert set(given["verdict"]) == {GIVEN}
        assert (numbers(given)["value"] > 0).all()  # the number is there all the same
    others = verdicts(check(rows, team=HELPED))
    others = {says: v for says, v in others.items() if not any(words in says for words in shown)}
    assert len(others) > 10
    assert GIVEN not in others.values()


def test_what_was_not_measured_is_undecided():
    nothing = pd.DataFrame(columns=made_up(PAPER).columns)
    none = dict.fromkeys(("barriers", "pieces", "drawn"), pd.DataFrame())
    found = check(nothing, pd.DataFrame(), pd.DataFrame(), **none)
    assert set(found["verdict"]) == {UNDECIDED}
    without = made_up({k: v for k, v in PAPER.items() if k[1] != "noodle"})
    assert verdict_of("Neither the noodle", without) == UNDECIDED
    assert verdict_of("also plays flow well", without) == HOLDS
    one_p = made_up(PAPER).query("p == 0.8")
    assert verdict_of("grows towards", one_p) == UNDECIDED


def test_agents_that_are_not_there_get_no_verdict():
    assert set(check(made_up(PAPER), team=NOBODY)["verdict"]) == {NOT_YET}
    agents = {"network": "network", "flow": "flow"}
    two = Team("two", "two", "without noodle", agents, q_learned=True)
    assert verdict_of("Neither the noodle", made_up(PAPER), team=two) == NOT_YET
    assert verdict_of("plays network badly", made_up(PAPER), team=two) == HOLDS
    first, second = TEAMS
    assert first.q_learned
    assert not second.q_learned
    assert set(first.agents) == set(second.agents) == set(MODES)


def test_each_team_is_judged_by_its_own_games():
    mine = Team("mine", "mine", "play well", {m: f"{m}-q" for m in MODES}, q_learned=True)
    renamed = made_up(PAPER)
    renamed["agent"] = [a if a == "random" else f"{a}-q" for a in renamed["agent"]]
    worse = made_up(PAPER | {("flow", "network"): (10, 60, 120)})
    rows = pd.concat([worse, renamed[renamed["agent"] != "random"]], ignore_index=True)
    found = of_claim("also plays flow well", rows, team=[mine, HELPED])
    states = found.groupby("team", sort=False)["verdict"].first()
    assert dict(states) == {"mine": HOLDS, "helped": FAILS}


def test_a_claim_of_parts():
    assert overall({HOLDS}) == HOLDS
    assert overall({HOLDS, UNDECIDED}) == UNDECIDED
    assert overall({HOLDS, UNDECIDED, NOT_YET}) == NOT_YET
    assert overall({HOLDS, UNDECIDED, NOT_YET, FAILS}) == FAILS
    assert overall(set()) == UNDECIDED
    assert overall({HOLDS, FAILS}, given=True) == GIVEN
    assert overall({NOT_YET}, given=True) == NOT_YET


def test_thresholds_are_where_the_verdict_changes():
    values = Interval(2, 1, 3), Interval(6, 5, 7)
    rows = pd.DataFrame(vars(value) for value in values)
    text = other_thresholds(rows.assign(above=0.5, below=np.inf))
    assert text == "“above x” holds for x below 1.00 and fails for x above 3.00"
    assert other_thresholds(rows.assign(above=-np.inf, below=9)) == (
        "“below x” holds for x above 7.00 and fails for x below 5.00"
    )
    for above, expected in ((0.9, HOLDS), (2, UNDECIDED), (3.1, FAILS)):
        assert overall({verdict(value, above, np.inf) for value in values}) == expected
    absent = pd.DataFrame([{"value": np.nan, "above": 0.0, "below": np.inf}])
    assert other_thresholds(absent) == ""


def test_a_number_on_the_threshold_is_not_above_it():
    assert verdict(Interval(0, 0, 0), 0, np.inf) == FAILS
    assert verdict(Interval(0.1, 0, 0.2), 0, np.inf) == UNDECIDED
    assert verdict(Interval(0.1, 0.05, 0.2), 0, np.inf) == HOLDS
