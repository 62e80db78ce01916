"""The reproduction end to end on a tiny setting, with agents that need no weights."""

import re
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import chokepoint.agents
from chokepoint.agents import Entry
from chokepoint.cli import main
from chokepoint.game import Games, read_records, sample_boards, write_records
from chokepoint.paper.claims import check_claims
from chokepoint.paper.experiments import (
    FULL,
    QUICK,
    Study,
    choke_points,
    optimal_moves,
    q_study,
    regret_study,
)
from chokepoint.paper.report import CAPTIONS, as_html, figure
from chokepoint.paper.reproduce import Reproduction
from chokepoint.solvers import solve
from chokepoint.study import summarise

TINY = replace(
    QUICK,
    name="tiny",
    games=4,
    ps=(0.7, 0.8, 0.9),
    par_seconds=5.0,
    search_games=2,
    scaling={"flow": {4: 3, 6: 2}, "noodle": {4: 2}},
    study_games=3,
    size=6,
    examples=1,
    supplement_size=5,
)


@pytest.fixture(scope="module")
def stand_ins():
    """Agents without weights in the places of the learned ones."""
    names = ("network", "flow", "noodle", "search")
    entries = {n: Entry(f"stand_ins:make_{n}", "a stand-in", "WIDTH") for n in names}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chokepoint.agents, "AGENTS", chokepoint.agents.AGENTS | entries)
        yield


@contextmanager
def silent(what, total):
    yield lambda count: None


@pytest.fixture(scope="module")
def made(stand_ins, tmp_path_factory):
    out = tmp_path_factory.mktemp("reproduction")
    return out, Reproduction(TINY, out, jobs=1).run(silent)


def test_every_file_is_there_and_not_empty(made):
    out, _ = made
    tables = ("rows", "summary", "scaling", "pars", "regrets", "looks")
    files = [out / f"{name}.csv" for name in tables] + [out / "rows.parquet"]
    names = [name for name in CAPTIONS if name != "learning"]  # stand-ins have not learned
    names += [f"game-{mode}-1" for mode in ("network", "flow", "noodle")]
    files += [out / "figures" / f"{name}.{end}" for name in names for end in ("png", "pdf")]
    files += [out / "report.md", out / "report.html"]
    for file in files:
        assert file.stat().st_size > 100, file
    assert {path.stem for path in (out / "figures").iterdir()} == set(names)


def test_the_report_shows_all_of_it(made):
    out, found = made
    text = (out / "report.md").read_text()
    page = (out / "report.html").read_text()
    for name in re.findall(r"\(figures/(.+?)\)", text):
        assert (out / "figures" / name).exists()
        assert f"figures/{name}" in page
    assert len(found.claims) == 12
    for claim in found.claims:
        assert claim.says in text
        assert claim.verdict in text
    assert text.count("![") == len(list((out / "figures").glob("*.png")))
    assert "reproduce --tiny --seed 1" in text


def test_the_summary_is_that_of_the_records(made, stand_ins, tmp_path):
    out, found = made
    from chokepoint.study import Evaluation

    evaluation = Evaluation(TINY.curve_matches(1), out / "results", 1, TINY.par_seconds)
    assert evaluation.left() == 0
    write_records(tmp_path / "games.jsonl", evaluation.records())
    steps: dict[tuple, list[int]] = {}
    for record in read_records(tmp_path / "games.jsonl"):
        steps.setdefault((record.agent, record.mode, record.p), []).append(len(record.moves))
    assert len(found.summary) == len(steps)
    for line in found.summary.to_dict("records"):
        counts = steps[line["agent"], line["mode"], line["p"]]
        assert line["mean"] == pytest.approx(np.mean(counts))
        assert line["worst"] == max(counts)
    assert main(["replay", str(tmp_path / "games.jsonl")]) == 0


def test_a_second_run_plays_nothing_and_finds_the_same(made, stand_ins):
    out, found = made
    asked = []

    @contextmanager
    def count(what, total):
        asked.append(total)
        yield lambda done: None

    again = Reproduction(TINY, out, jobs=1)
    rows = again.evaluate(TINY.curve_matches(1), count, "playing")
    scaling = again.evaluate(TINY.scaling_matches(1), count, "larger boards")
    assert asked == [0, 0]
    pd.testing.assert_frame_equal(rows, found.rows)
    pd.testing.assert_frame_equal(scaling, found.scaling)
    verdicts = [claim.verdict for claim in check_claims(rows, found.looks)]
    assert verdicts == [claim.verdict for claim in found.claims]


def test_pars_are_of_the_same_boards(made, stand_ins):
    _, found = made
    boards = found.pars.groupby(["p", "board"])["open"].nunique()
    assert (boards == 1).all()
    assert set(found.pars.groupby(["p", "board"])["mode"].nunique()) == {3}
    assert len(TINY.par_matches(1)) == 9


def test_every_agent_plays_every_mode_at_the_middle_density():
    for plan in (QUICK, FULL):
        pairs = {(a, point.mode.name) for a, point in small(plan).curve_matches(1)
                 if point.p == plan.middle}  # fmt: skip
        expected = {(a, m) for a in ("random", "network", "flow", "noodle")
                    for m in ("network", "flow", "noodle")}  # fmt: skip
        assert expected <= pairs
    assert FULL.games == 1000
    assert QUICK.games == 50


def small(plan):
    return replace(plan, games=1, search_games=1, size=8)


def test_quick_and_full_exclude_each_other(capsys, tmp_path):
    assert main(["reproduce", "--quick", "--full", "--out", str(tmp_path)]) == 2
    assert "not both" in capsys.readouterr().err
    assert main(["reproduce", "--palette", "neon", "--out", str(tmp_path)]) == 2
    assert "there is no palette 'neon'" in capsys.readouterr().err


# -- studies ---------------------------------------------------------------------------------


def test_regrets_of_a_game_add_up_to_its_distance_from_par(stand_ins):
    for mode in ("flow", "noodle", "network"):
        lines = pd.DataFrame(regret_study(Study("random", mode, 5, 0.8, 4, 3, 20.0)))
        boards = sample_boards(mode, 5, 0.8, 4, 3)
        pars = [solution.value for solution in solve(Games(boards, mode), time_limit=20)]
        totals = lines.groupby("board").agg(moves=("move", "max"), lost=("regret", "sum"))
        assert lines["proven"].all()
        assert list(totals["moves"] - totals["lost"]) == pars
        assert lines["regret"].min() >= 0
        assert lines["regret"].max() <= (3 if mode == "network" else 1)


def test_optimal_moves_are_those_of_trying_each():
    for mode in ("flow", "noodle", "network"):
        for board in sample_boards(mode, 4, 0.85, 3, 5):
            games = Games(board, mode)
            value = solve(games, time_limit=20)[0].value
            found = optimal_moves(games, 20.0)
            for square in np.flatnonzero(games.legal[0]):
                after = games.copy()
                after.play(int(square))
                best = solve(after, time_limit=20)[0].value + 1 == value
                assert found[square] == best
            assert not (found & ~games.legal[0]).any()


def test_choke_points_of_a_dumb_bell():
    board = np.array([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1], [1, 1, 0, 1, 1]], dtype=np.uint8)
    chokes = choke_points(Games(board, "network")).reshape(3, 5)
    # The bridge parts half from half; a square beside it does so too.
    assert [tuple(s) for s in np.argwhere(chokes)] == [(1, 1), (1, 2), (1, 3)]


def test_q_study_counts_what_the_agent_takes_for_equal(stand_ins):
    lines = pd.DataFrame(q_study(Study("network", "flow", 6, 0.8, 3, 1, 5.0, positions=100)))
    assert (lines["near"] >= 1).all()
    assert (lines["near"] <= lines["legal"]).all()
    assert (lines["hits"] <= lines[["near", "optimal"]].min(axis=1)).all()
    assert lines["optimal"].min() >= 1
    ranks = lines["choke_rank"].dropna()
    assert ((ranks >= 0) & (ranks <= 1)).all()


def test_the_page_is_the_text():
    text = "# a < b\n\n| x | y |\n| --- | --- |\n| holds | 1 \\| <i> |\n| does not hold | `c` |\n\n"
    page = as_html(text + figure("par", "Fewest moves, p < 1.") + "\n\n" + figure("game-1"))
    assert "<title>a &lt; b</title>" in page
    assert "<h1>a &lt; b</h1>" in page
    assert '<td class="holds">holds</td>\n<td>1 | &lt;i&gt;</td>' in page
    assert '<td class="fails">does not hold</td>\n<td><code>c</code></td>' in page
    assert 'src="figures/par.png" alt="Fewest moves, p &lt; 1." loading="lazy"' in page
    assert "<em>Fewest moves, p &lt; 1.</em>" in page
    assert '<img src="figures/game-1.png" alt="game-1" loading="lazy" />' in page


def test_summarise_can_group_otherwise(made):
    _, found = made
    overall = summarise(found.rows, by=("agent", "mode"))
    assert overall["games"].sum() == len(found.rows)
