"""Words of the command line: every way to write a list gives the same values."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pinchpoint.cli.arguments import (
    get_preset,
    parse_densities,
    parse_first,
    parse_list,
    parse_modes,
)
from pinchpoint.cli.main import main
from pinchpoint.errors import InputError


@pytest.mark.parametrize(
    "words", [["a", "b:2", "c"], ["a,b:2,c"], ["a,", " b:2 ,c"], ["a", "b:2,c", "a"]]
)
def test_a_list_in_words_or_with_commas(words):
    assert parse_list(words, "agent") == ["a", "b:2", "c"]


@pytest.mark.parametrize("words", [[], [","], ["", " "]])
def test_an_empty_list_is_refused(words):
    with pytest.raises(InputError, match="no agent is named; give at least one"):
        parse_list(words, "agent")


def test_modes_and_the_options_of_one():
    assert [mode.name for mode in parse_modes(["flow,noodle", "network"], [])] == [
        *("flow", "noodle", "network")
    ]
    [mode] = parse_modes(["noodle"], ["K=3", "inclusive=true"])
    assert mode.options() == {"K": 3, "inclusive": True}


@pytest.mark.parametrize("low", [0.0, 0.5, 0.6])
@pytest.mark.parametrize("step", [0.05, 0.1, 0.3])
def test_densities_from_to_step_are_those_of_a_slow_count(low, step):
    expected, p = [], low
    while p <= 1 + 1e-9:
        expected.append(p)
        p += step
    assert np.allclose(parse_densities([f"{low}:1:{step}"]), expected, atol=1e-8)


def test_densities_mix_and_appear_once():
    assert parse_densities(["0.6", "0.8"]) == parse_densities(["0.6,0.8"]) == [0.6, 0.8]
    assert parse_densities(["0.6:0.8:0.1", "0.7,1"]) == [0.6, 0.7, 0.8, 1.0]


FORMS = {
    "words": ["--agents", "degree", "random", "--modes", "flow", "noodle", "--size", "5", "4x6"],
    "commas": ["--agents", "degree,random", "--modes", "flow,noodle", "--size", "5,4x6"],
    "signs": ["--agents=degree,random", "--modes=flow,noodle", "--size=5,4x6"],
}


@pytest.mark.parametrize("form", FORMS)
def test_evaluate_takes_lists_in_every_form(form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    common = ["--p", "0.8", "--games", "2", "--par-work", "0", "--jobs", "1", "--format", "csv"]
    assert main(["evaluate", *FORMS[form], *common, "--out", "here"]) == 0, capsys.readouterr().err
    lines = Path("here/rows.csv").read_text().splitlines()
    points = {tuple(line.split(",")[:2]) for line in lines[1:]}
    assert points == {(a, m) for a in ("degree", "random") for m in ("flow", "noodle")}
    assert sum("4x6" in line for line in lines) == 2 * 2 * 2


def test_agents_of_a_comparison_may_stand_after_the_densities(capsys):
    setting = ["--games", "3", "--mode", "flow", "--size", "5", "--jobs", "1"]
    for p in (["--p", "0.7", "0.8"], ["--p", "0.7,0.8"], ["--p=0.7:0.8:0.1"]):
        assert main(["compare", *setting, *p, "optimal", "random"]) == 0
        assert "6 boards" in capsys.readouterr().out


# -- defaults that depend on other options ---------------------------------------------------


@dataclass(frozen=True)
class Start:
    out: Path | None = None
    preset: str = "fast"
    resume: bool = False


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], Start()),
        (["--mode", "flow", "--preset", "paper", "--updates", "3", "4"], Start(None, "paper")),
        (["--preset=paper", "--help", "--no-huber"], Start(None, "paper")),
        (["--sizes", "8", "9", "--out", "x", "--resume"], Start(Path("x"), resume=True)),
    ],
)
def test_parsing_some_options_first_passes_over_all_other_options(arguments, expected):
    assert parse_first(Start, arguments) == expected


def test_a_missing_preset_is_named_with_those_there_are():
    assert get_preset({"a": 1, "b": 2}, "b") == 2
    with pytest.raises(InputError, match="there is no preset 'c'; choose from a, b"):
        get_preset({"a": 1, "b": 2}, "c")
