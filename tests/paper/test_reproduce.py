"""The reproduction end to end on a tiny setting, with agents that need no weights."""

import inspect
import json
import multiprocessing
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import stand_ins as makers_of_stand_ins
import tyro

from pinchpoint.agents.registry import AGENTS, Entry
from pinchpoint.cli.main import main
from pinchpoint.cli.reproduce import Options, changed
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.record import read_records, write_records
from pinchpoint.game.sampling import sample_boards
from pinchpoint.paper.claims import NOT_YET, check_claims
from pinchpoint.paper.experiments import FULL, PAPER_MODES, QUICK, TEAMS, shipped_teams
from pinchpoint.paper.figures import gallery
from pinchpoint.paper.probes import (
    CUT,
    PROBES,
    Probe,
    barriers,
    choice_probes,
    choices,
    choke_points,
    drawn,
    pieces,
    ratings,
    regrets,
)
from pinchpoint.paper.report import OUR_FIGURES, as_html, figure, verdict_lines
from pinchpoint.paper.reproduce import Reproduction
from pinchpoint.rng import draw_boards
from pinchpoint.solvers.dispatch import solve
from pinchpoint.study.summary import summarise
from pinchpoint.study.true_q import proven_optimal

TINY = replace(
    QUICK,
    name="tiny",
    games=4,
    ps=(0.7, 0.8, 0.9),
    par_work=5.0,
    search_games=2,
    scaling={"flow": {4: 3, 6: 2}, "noodle": {4: 2}},
    probe_games=3,
    size=6,
    examples=1,
    supplement_size=5,
)


@pytest.fixture(scope="module")
def stand_ins():
    """Agents without weights in the places of the stronger team; the other is not shipped."""
    names = ("network", "flow", "noodle", "search")
    entries = {n: Entry(f"stand_ins:make_{n}", "a stand-in", "WIDTH") for n in names}
    with pytest.MonkeyPatch.context() as patch:
        # The table names modules of its own room.
        patch.setitem(sys.modules, "pinchpoint.agents.stand_ins", makers_of_stand_ins)
        for name, entry in entries.items():
            patch.setitem(AGENTS, name, entry)
        for name in TEAMS[0].agents.values():
            patch.delitem(AGENTS, name, raising=False)
        yield


@contextmanager
def silent(what, total):
    yield lambda count: None


@pytest.fixture(scope="module")
def made(stand_ins, tmp_path_factory):
    out = tmp_path_factory.mktemp("reproduction")
    return out, Reproduction(TINY, out, jobs=1).run(silent)


def test_every_file_is_there_and_not_empty(made):
    out, found = made
    files = [out / f"{name}.csv" for name in found.tables] + [out / "rows.parquet"]
    names = [name for name in OUR_FIGURES if name != "learning"]  # stand-ins have not learned
    names += ["figure-2", *(f"figure-{number}-strong" for number in (1, 3, 4, 5, 6, 7))]
    names += [f"figure-S{number}-strong" for number in (1, 2, 3)]
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
    claims = found.tables["claims"]
    for says, absent, judged in verdict_lines(claims):
        assert f"| {says} | not available yet | {judged} |" in text
        assert absent == NOT_YET
    assert verdict_lines(pd.read_csv(out / "claims.csv")) == verdict_lines(claims)
    assert text.count("![") == len(list((out / "figures").glob("*.png")))
    assert "reproduce --tiny --seed 1" in text


def only_name(task):
    name, _, folder = task
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.png").touch()


def test_two_teams_stand_side_by_side(stand_ins, monkeypatch, tmp_path):
    makers = {"network-q": "make_noodle", "flow-q": "make_flow", "noodle-q": "make_network"}
    entries = {name: Entry(f"stand_ins:{maker}", "a stand-in") for name, maker in makers.items()}
    for name, entry in entries.items():
        monkeypatch.setitem(AGENTS, name, entry)
    monkeypatch.setattr(gallery, "_draw", only_name)  # drawing takes long, and has its own tests
    smaller = replace(TINY, games=3, ps=(0.8, 1.0), scaling={"flow": {4: 2}}, probe_games=2)
    found = Reproduction(smaller, tmp_path, jobs=1).run(silent)
    claims = found.tables["claims"]
    assert list(dict.fromkeys(claims["team"])) == ["Q-learned", "stronger"]
    assert NOT_YET not in set(claims["verdict"])
    text = (tmp_path / "report.md").read_text()
    assert "| claim | Q-learned agents | stronger agents |" in text
    for number in (1, 3, 4, 5, 6, 7, "S1", "S3"):
        assert f"figures/figure-{number}-q.png" in text
        assert f"figures/figure-{number}-strong.png" in text
    assert text.count("![") == len(list((tmp_path / "figures").glob("*.png")))
    assert set(found.tables["summary"]["agent"]) >= {*makers, "network", "flow", "noodle", "random"}


def test_the_summary_is_that_of_the_records(made, stand_ins, tmp_path):
    out, found = made
    from pinchpoint.study.evaluate import Evaluation

    evaluation = Evaluation(
        TINY.curve_matches(1, shipped_teams()), out / "results", 1, TINY.par_work
    )
    assert evaluation.left() == 0
    write_records(tmp_path / "games.jsonl", evaluation.records())
    steps: dict[tuple, list[int]] = {}
    for record in read_records(tmp_path / "games.jsonl"):
        board = record.boards
        point = record.agent, board.mode.name, board.p[0]
        steps.setdefault(point, []).append(len(record.moves))
    assert len(found.tables["summary"]) == len(steps)
    for line in found.tables["summary"].to_dict("records"):
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
    rows = again.evaluate(TINY.curve_matches(1, shipped_teams()), count, "playing")
    scaling = again.evaluate(TINY.scaling_matches(1, shipped_teams()), count, "larger boards")
    assert asked == [0, 0]
    pd.testing.assert_frame_equal(rows, found.tables["rows"])
    pd.testing.assert_frame_equal(scaling, found.tables["scaling"])
    claims = check_claims(found.tables, found.teams)
    pd.testing.assert_frame_equal(claims, found.tables["claims"])


def test_pars_are_of_the_same_boards(made, stand_ins):
    _, found = made
    boards = found.tables["pars"].groupby(["p", "board"])["open"].nunique()
    assert (boards == 1).all()
    assert set(found.tables["pars"].groupby(["p", "board"])["mode"].nunique()) == {3}
    assert len(TINY.par_matches(1)) == 9


def test_every_agent_plays_every_mode_at_the_middle_density():
    for plan in (QUICK, FULL):
        pairs = {(a, boards.mode.name) for a, boards in small(plan).curve_matches(1, TEAMS)
                 if boards.p[0] == plan.middle}  # fmt: skip
        agents = ["random", *(agent for team in TEAMS for agent in team.agents.values())]
        expected = {(a, m) for a in agents for m in PAPER_MODES}
        assert expected <= pairs
    assert FULL.games == 1000
    assert QUICK.games == 50


def small(plan):
    return replace(plan, games=1, search_games=1, size=8)


def test_the_full_board_is_played_once_but_by_random_moves():
    plan = replace(QUICK, games=3, ps=(0.8, 1.0), size=8)
    matches = [*plan.curve_matches(1, TEAMS), *plan.par_matches(1)]
    for agent, boards in matches:
        full = boards.p[0] == 1
        assert len(boards) == (1 if full and agent != "random" else 3)
        assert len(set(boards.keys)) == (1 if full else 3)
    assert {p for _, boards in matches for p in boards.p} == {0.8, 1.0}


def test_search_can_be_left_out():
    plan = replace(QUICK, games=1, search_games=0, size=8)
    assert all(not agent.startswith("search") for agent, _ in plan.curve_matches(1, TEAMS))


@pytest.mark.parametrize("plan", [QUICK, FULL], ids=lambda plan: plan.name)
def test_the_command_of_a_report_plays_the_same(plan):
    for given in (plan, replace(plan, games=7, ps=(0.7, 0.8), par_work=1.5, search_games=0)):
        words = given.command(3).split()
        assert words[:2] == ["pinchpoint", "reproduce"]
        options = tyro.cli(Options, args=words[2:])
        assert changed(FULL if options.full else QUICK, options) == given
        assert options.seed == 3


def test_few_games_are_few_everywhere():
    plan = replace(FULL, games=3, size=8)
    matches = [*plan.curve_matches(1, TEAMS), *plan.scaling_matches(1, TEAMS), *plan.par_matches(1)]
    assert max(len(boards) for _, boards in matches) == 3
    probes = [probe for probes, _ in PROBES.values() for probe in probes(plan, 1, TEAMS)]
    assert {probe.games for probe in probes} == {3}


def test_the_help_names_the_numbers_of_the_plans():
    text = inspect.getsource(Options)
    assert f"in place of {QUICK.games} or {FULL.games:,}" in text
    assert f"in place of {QUICK.par_work:g} or {FULL.par_work:g}" in text
    assert f"in place of {QUICK.search_games} or {FULL.search_games}" in text


def test_quick_and_full_exclude_each_other(capsys, tmp_path):
    assert main(["reproduce", "--quick", "--full", "--out", str(tmp_path)]) == 2
    assert "not both" in capsys.readouterr().err
    assert main(["reproduce", "--palette", "neon", "--out", str(tmp_path)]) == 2
    assert "there is no palette 'neon'" in capsys.readouterr().err
    for words, says in (
        (["--p", "0.6", "0.7"], "p = 0.8 must be among the densities; got 0.6, 0.7"),
        (["--p", "0.8", "2"], "2"),
        (["--games", "0"], "1 game a point or more"),
        (["--par-work", "-1"], "the work for par"),
    ):
        assert main(["reproduce", "--out", str(tmp_path / "new"), *words]) == 2
        assert says in capsys.readouterr().err
        assert not (tmp_path / "new" / "report.md").exists()


# -- probes ---------------------------------------------------------------------------------


def test_regrets_of_a_game_add_up_to_its_distance_from_par(stand_ins):
    for mode in ("flow", "noodle", "network"):
        lines = pd.DataFrame(regrets(Probe("random", mode, 5, 0.8, 4, 3, 20.0)))
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
            found = proven_optimal(games, 20.0)
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


def test_ratings_count_what_the_agent_takes_for_equal(stand_ins):
    lines = pd.DataFrame(ratings(Probe("network", "flow", 6, 0.8, 3, 1, 5.0, positions=100)))
    assert (lines["near"] >= 1).all()
    assert (lines["near"] <= lines["legal"]).all()
    assert (lines["hits"] <= lines[["near", "optimal"]].min(axis=1)).all()
    assert lines["optimal"].min() >= 1
    ranks = lines["choke_rank"].dropna()
    assert ((ranks >= 0) & (ranks <= 1)).all()


def test_choices_ask_the_other_agent(stand_ins):
    probe = Probe("network", "flow", 6, 0.8, 3, 1, others=("network", "flow"))
    lines = pd.DataFrame(choices(probe))
    own, other = (lines[lines["other"] == name] for name in ("network", "flow"))
    assert own["agrees"].all()  # an agent's own choice is the best in its eyes
    assert not other["agrees"].any()  # it rates squares the other way round
    assert len(own) == len(other)
    rated = pd.DataFrame(ratings(probe))
    assert own["chance"].tolist() == pytest.approx((rated["near"] / rated["legal"]).tolist())


def test_choices_ask_the_same_mode_of_another_team():
    [probe] = [p for p in choice_probes(small(QUICK), 1, TEAMS) if p.agent == "noodle-q"]
    assert probe.others == ("network-q", "noodle")


def test_barriers_part_the_first_row_from_the_last(stand_ins):
    for agent in ("random", "flow", CUT):
        lines = pd.DataFrame(barriers(Probe(agent, "network", 5, 0.85, 6, 2)))
        boards = sample_boards("network", 5, 0.85, 6, 2)
        pars = {
            number: solution.value
            for number, solution in enumerate(solve(Games(boards.in_mode("flow"))))
        }
        for row in lines.to_dict("records"):
            if agent == CUT:  # all of a minimum cut is needed
                assert row["barrier"] == pars[row["board"]]
                assert np.isnan(row["moves"]) or row["moves"] == row["barrier"]
            elif not np.isnan(row["barrier"]):
                assert pars[row["board"]] <= row["barrier"] <= row["moves"]


def test_active_pieces_of_noodle_are_those_with_a_cycle():
    lines = pd.DataFrame(pieces(Probe("random", "noodle", 6, 0.8, 5, 1)))
    assert (lines["pieces"] > 0).all()
    assert (lines["differ"] == 0).all()


def test_boards_are_drawn_before_those_that_are_over_are_discarded():
    probe = Probe("", "flow", 5, 0.6, 40, 3)
    over = pd.DataFrame(drawn(probe))["over"]
    assert 0 < over.sum() < 40
    rng_boards = np.empty((40, 25), dtype=np.uint8)
    draw_boards(rng_boards, 3, np.arange(40), 0, 0.6, 0.6, np.empty(40))
    kept = sample_boards("flow", 5, 0.6, 40, 3).laid
    assert list(over) == [bool((a != b).any()) for a, b in zip(rng_boards, kept, strict=True)]


def test_teams_are_those_that_are_shipped(stand_ins, monkeypatch):
    absent, strong = shipped_teams()
    assert absent.agents == {}
    assert strong.agents == {mode: mode for mode in PAPER_MODES}
    monkeypatch.setitem(AGENTS, "network-q", Entry("stand_ins:make_network", "a stand-in"))
    assert shipped_teams()[0].agents == {"network": "network-q"}
    nobody = replace(TEAMS[0], agents={"flow": "flow-x", "noodle": "noodle-x"})
    with pytest.raises(InputError):
        shipped_teams([nobody])


def test_the_page_is_the_text():
    text = "# a < b\n\n| x | y |\n| --- | --- |\n| holds | 1 \\| <i> |\n| does not hold | `c` |\n\n"
    page = as_html(text + figure("par", "Fewest moves, p < 1."))
    assert "<title>a &lt; b</title>" in page
    assert "<h1>a &lt; b</h1>" in page
    assert '<td class="holds">holds</td>\n<td>1 | &lt;i&gt;</td>' in page
    assert '<td class="fails">does not hold</td>\n<td><code>c</code></td>' in page
    assert 'src="figures/par.png" alt="Fewest moves, p &lt; 1." loading="lazy"' in page
    assert "<em>Fewest moves, p &lt; 1.</em>" in page


def test_summarise_can_group_otherwise(made):
    _, found = made
    overall = summarise(found.tables["rows"], by=("agent", "mode"))
    assert overall["games"].sum() == len(found.tables["rows"])


def burn(stop):
    while not stop.is_set():
        sum(range(10_000))


@contextmanager
def busy_machine():
    """Share one core with a process that never rests, so that every second brings half as much."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    burner = context.Process(target=burn, args=(stop,), daemon=True)
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # and the process that it starts
    try:
        burner.start()
        yield
    finally:
        os.sched_setaffinity(0, cores)
        stop.set()
        burner.join()


def timeless_bytes(file):
    """The contents of a file, a table without its times."""
    if file.suffix == ".csv":
        return pd.read_csv(file).drop(columns="seconds", errors="ignore").to_csv()
    if file.suffix == ".parquet":
        return pd.read_parquet(file).drop(columns="seconds").to_csv()
    if file.name == "manifest.json":
        return json.dumps({k: v for k, v in json.loads(file.read_text()).items() if k != "seconds"})
    return file.read_bytes()


def test_a_busy_machine_makes_the_same_files(stand_ins, monkeypatch, tmp_path, capsys):
    # So little work that it runs out; as seconds, it would get less far beside other processes.
    few = {"games": 2, "search_games": 1, "probe_games": 1, "ps": (0.8,)}
    plan = replace(TINY, **few, par_work=0.02, scaling={"noodle": {12: 2}}, size=9)
    numbers = gallery.data_figures  # all figures are saved alike: some are enough
    monkeypatch.setattr(
        gallery, "data_figures", lambda *about: dict(list(numbers(*about).items())[:3])
    )
    monkeypatch.setattr(gallery, "game_figures", lambda *about: {})
    idle = Reproduction(plan, tmp_path / "idle", jobs=1).run(silent)
    assert not idle.tables["scaling"]["proven"].all()
    with busy_machine():
        Reproduction(plan, tmp_path / "busy", jobs=1).run(silent)
    files = [f for f in (tmp_path / "idle").rglob("*") if f.is_file() and "results" not in f.parts]
    assert len(files) >= 12 + 1 + 2 * 3 + 3  # tables, rows.parquet, figures, reports and manifest
    for file in files:
        other = tmp_path / "busy" / file.relative_to(tmp_path / "idle")
        assert timeless_bytes(file) == timeless_bytes(other), file.name
    words = ["reproduce", "--out", str(tmp_path / "idle"), "--compare"]
    assert main([*words, str(tmp_path / "busy" / "manifest.json")]) == 0
    assert "all 12 tables are the same" in capsys.readouterr().out
    record = json.loads((tmp_path / "busy" / "manifest.json").read_text())
    record["tables"]["rows"] = "another"
    record["seed"] = 2
    (tmp_path / "other.json").write_text(json.dumps(record))
    assert main([*words, str(tmp_path / "other.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "differs" in line] == ["rows"]
    assert lines[-1] == "seed: 1 here, 2 there"
    (tmp_path / "other.json").write_text("{}")
    assert main([*words, str(tmp_path / "other.json")]) == 2
    assert main([*words, str(tmp_path / "nowhere.json")]) == 2


def test_the_tables_are_those_of_other_machines(made):
    """The hashes in tiny_tables.json; `PINCHPOINT_WRITE=1 pytest` writes them anew."""
    out, _ = made
    tables = json.loads((out / "manifest.json").read_text())["tables"]
    known = Path(__file__).with_name("tiny_tables.json")
    if os.environ.get("PINCHPOINT_WRITE"):
        known.write_text(json.dumps(tables, indent=1) + "\n")
    assert tables == json.loads(known.read_text())
