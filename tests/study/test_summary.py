"""Summaries and comparisons of made-up rows where the answer is known."""

import numpy as np
import pandas as pd
import pytest

from pinchpoint.errors import InputError
from pinchpoint.study.summary import (
    aligned,
    bootstrap,
    compare,
    markdown,
    mean_interval,
    paired,
    ratio_interval,
    summarise,
    summary_text,
    three_digits,
)


def made_up(steps, **more):
    """Rows of agents on boards 0, 1, …: {agent: [steps, …]}."""
    point = {"mode": "flow", "options": "{}", "size": "6x6", "p": 0.8, "seconds": 0.5}
    rows = [
        point | {"agent": agent, "board": board, "steps": count, "par": 4, "proven": True} | more
        for agent, counts in steps.items()
        for board, count in enumerate(counts)
    ]
    return pd.DataFrame(rows).astype({"par": "Int64", "proven": "boolean"})


def test_a_summary_line():
    [line] = summarise(made_up({"a": [4, 4, 6, 10]})).to_dict("records")
    assert line["mean"] == 6
    assert line["median"] == 5
    assert line["worst"] == 10
    assert line["std"] == pytest.approx(np.sqrt((4 + 4 + 0 + 16) / 3))
    assert line["par"] == 4
    assert line["ratio"] == 1.5
    assert line["at_par"] == 0.5
    assert line["proven"] == 1
    assert 4 <= line["low"] < 6 < line["high"] <= 10
    assert line["ratio_low"] == pytest.approx(line["low"] / 4)


def test_without_par_there_is_no_ratio():
    line = summarise(made_up({"a": [4, 5]}, par=pd.NA)).iloc[0]
    assert line["mean"] == 4.5
    assert pd.isna(line["ratio"])
    assert "–" in summary_text(summarise(made_up({"a": [4, 5]}, par=pd.NA)))


def test_boards_from_a_file_have_no_p_and_are_still_summed_up_and_paired():
    rows = made_up({"a": [4, 5], "b": [6, 9]}, p=np.nan)
    assert list(summarise(rows)["games"]) == [2, 2]
    assert list(paired(rows, "a", "b")["b"]) == [6, 9]


def test_the_interval_covers_the_mean_about_95_times_in_100():
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(300):
        interval = mean_interval(rng.exponential(10, 60))
        hits += interval.low <= 10 <= interval.high
    assert 0.88 <= hits / 300 <= 0.98  # a percentile interval of 60 skewed values covers some less


def test_intervals_are_the_same_every_time_and_a_constant_has_none():
    values = np.arange(50) % 7
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval([3, 3, 3]).low == mean_interval([3, 3, 3]).high == 3
    assert ratio_interval([2, 4], [1, 2]).value == 2
    assert ratio_interval([2, 4], [1, 2]).high == 2
    big = bootstrap(3000, lambda rows: rows.mean(axis=-1))  # block by block
    assert big.low < big.value < big.high


def test_paired_comparisons_in_plain_words():
    fewer = compare(made_up({"a": [3, 4, 5] * 10, "b": [5, 6, 9] * 10}), "a", "b")
    assert fewer.difference.value == pytest.approx(-8 / 3)
    assert fewer.sentence().startswith("a needs 2.67 moves fewer than b a game (95 % interval 2.")
    assert fewer.sentence().endswith("fewer on 30 boards, as many on 0, more on 0.")
    more = compare(made_up({"a": [5, 6, 9] * 10, "b": [3, 4, 5] * 10}), "a", "b")
    assert more.sentence().startswith("a needs 2.67 moves more than b a game")
    equal = compare(made_up({"a": [3, 5] * 10, "b": [5, 3] * 10}), "a", "b")
    assert equal.sentence().startswith("a and b cannot be told apart on 20 boards")
    assert (equal.wins, equal.losses) == (10, 10)


def test_a_comparison_uses_only_boards_that_both_played():
    rows = made_up({"a": [1, 2, 3, 4], "b": [2, 3]})
    assert compare(rows, "a", "b").boards == 2
    apart = pd.concat([made_up({"a": [1]}), made_up({"b": [1]}, p=0.9)])
    with pytest.raises(InputError):
        compare(apart, "a", "b")
    with pytest.raises(InputError):
        compare(rows, "a", "c")


def test_numbers_and_tables_as_text():
    assert [three_digits(x) for x in (0.1234, 3.14159, 12.345, 123.4, -2.5)] == [
        *("0.12", "3.14", "12.3", "123", "−2.50")
    ]
    assert three_digits(float("nan")) == "–"
    assert markdown(["a", "b"], [["1|2", "3"]]) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |"
    assert aligned(["a", "b", "c"], [["xx", "y", "10"]]) == "a   b   c\nxx  y  10"


def test_the_full_board_counts_once_where_several_p_are_taken_together():
    sparse = made_up({"a": [2, 4], "b": [6, 6]})
    full = made_up({"a": [20, 20, 20, 20], "b": [150, 160, 140, 150]}, p=1.0)
    rows = pd.concat([sparse, full], ignore_index=True)
    both = paired(rows, "a", "b")
    assert sorted(zip(both["p"], both["a"], both["b"], strict=True)) == [
        (0.8, 2, 6),
        (0.8, 4, 6),
        (1.0, 20, 150),
    ]
    found = compare(rows, "a", "b")
    assert found.boards == 3
    assert found.wins == 3
    assert found.difference.value == pytest.approx((-4 - 2 - 130) / 3)
    pooled = summarise(rows, by=("agent", "mode")).set_index("agent")
    assert list(pooled["games"]) == [3, 3]
    assert pooled.loc["a", "mean"] == pytest.approx(26 / 3)
    by_p = summarise(rows)
    assert list(by_p["games"]) == [2, 2, 4, 4]  # a line of one p still says how many were played
    assert "1 board)" in compare(full, "a", "b").sentence()
