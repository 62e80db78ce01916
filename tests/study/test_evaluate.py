"""Evaluation: the same rows whichever way they are made, and a stop where something is wrong."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles import reference

from pinchpoint.cli.evaluate import Options
from pinchpoint.cli.main import main
from pinchpoint.errors import InputError
from pinchpoint.game.boards import write_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import read_records, write_records
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.lattices import lattice
from pinchpoint.solvers.solution import BestPlay
from pinchpoint.study.evaluate import AgentFault, Evaluation
from pinchpoint.study.rows import read_rows
from pinchpoint.study.store import NAME
from pinchpoint.study.summary import summarise


def matches(agents="random,corehd,optimal", modes="network,flow,noodle", games=6, ps=(0.7, 0.9)):
    drawn = [sample_boards(mode, 6, p, games, 1) for mode in modes.split(",") for p in ps]
    return [(agent, boards) for boards in drawn for agent in agents.split(",")]


def timeless(rows):
    return rows.drop(columns="seconds")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """An evaluation that was run once, on one core."""
    evaluation = Evaluation(matches(), tmp_path_factory.mktemp("results"), par_work=20)
    return evaluation, evaluation.run(jobs=1)


def test_rows_and_summary_equal_a_slow_recount_from_the_records(done, tmp_path):
    evaluation, rows = done
    write_records(tmp_path / "games.jsonl", evaluation.records())
    records = read_records(tmp_path / "games.jsonl")
    assert len(records) == len(rows) == 6 * 2 * 3 * 3
    for record, row in zip(records, rows.to_dict("records"), strict=True):
        assert record.agent == row["agent"]
        assert record.boards.p[0] == row["p"]
        game = slow_game(record)
        assert not game.done
        assert row["open"] == len(game.open)
        for at, move in enumerate(record.moves):
            assert not game.done, f"over after {at} moves"
            game.play(move[0] * 6 + move[1])
        assert game.done
        assert len(record.moves) == row["steps"] == record.steps
        assert row["largest"] == max(map(len, game.pieces))
    recount: dict[tuple, list[int]] = {}
    for record in records:
        point = record.agent, record.boards.mode.name, record.boards.p[0]
        recount.setdefault(point, []).append(len(record.moves))
    for line in summarise(rows).to_dict("records"):
        steps = recount[line["agent"], line["mode"], line["p"]]
        assert line["games"] == len(steps)
        assert line["mean"] == pytest.approx(sum(steps) / len(steps))
        assert line["std"] == pytest.approx(np.std(steps, ddof=1))
        assert line["median"] == np.median(steps)
        assert line["worst"] == max(steps)
        assert line["low"] <= line["mean"] <= line["high"]
    assert main(["replay", str(tmp_path / "games.jsonl")]) == 0


def slow_game(record):
    judges = {
        "network": reference.network,
        "flow": reference.flow(reference.sides(6, 6, "vertical")),
        "noodle": reference.noodle([4] * 36),
    }
    opened = np.flatnonzero(record.boards.laid[0]).tolist()
    judge = judges[record.boards.mode.name]
    return reference.SlowGame(reference.lattice_neighbours(6, 6), opened, judge)


def test_all_agents_play_the_same_boards_and_none_beats_a_proven_par(done):
    _, rows = done
    for _, group in rows.groupby(["mode", "p", "board"]):
        assert list(group["agent"]) == ["random", "corehd", "optimal"]
        assert group["par"].nunique() == 1
        assert group["open"].nunique() == 1
    assert rows["proven"].all()  # small boards, ample time
    assert (rows["steps"] >= rows["par"]).all()
    optimal = rows[rows["agent"] == "optimal"]
    assert (optimal["steps"] == optimal["par"]).all()


def test_two_processes_give_the_rows_of_one(done, tmp_path):
    _, rows = done
    other = Evaluation(matches(), tmp_path, par_work=20).run(jobs=2)
    pd.testing.assert_frame_equal(timeless(other), timeless(rows))


def test_ray_gives_the_same_rows(done, tmp_path):
    pytest.importorskip("ray")
    _, rows = done
    plan = matches(modes="flow")  # the backend knows nothing of modes
    other = Evaluation(plan, tmp_path, par_work=20).run(jobs=2, backend="ray")
    alone = rows[rows["mode"] == "flow"].reset_index(drop=True)
    pd.testing.assert_frame_equal(timeless(other), timeless(alone))


def test_stopped_and_resumed_is_the_same_and_plays_nothing_twice(tmp_path, monkeypatch):
    counter = tmp_path / "calls"
    monkeypatch.setenv("COUNTER_FILE", str(counter))
    plan = matches("stand_ins:Counter,random", "flow", 5, (0.7, 0.8, 0.9))
    whole = Evaluation(plan, tmp_path / "whole", par_work=20).run(jobs=1)
    calls = len(counter.read_text().splitlines())
    counter.unlink()

    seen = []

    def stop(count):
        seen.append(count)
        if len(seen) == 5:
            raise KeyboardInterrupt

    stopped = Evaluation(plan, tmp_path / "parts", par_work=20)
    total = stopped.left()
    with pytest.raises(KeyboardInterrupt):
        stopped.run(jobs=1, progress=stop)
    resumed = Evaluation(plan, tmp_path / "parts", par_work=20)
    assert resumed.left() == total - sum(seen) > 0
    rows = resumed.run(jobs=1)
    pd.testing.assert_frame_equal(timeless(rows), timeless(whole))
    assert len(counter.read_text().splitlines()) == calls
    assert Evaluation(plan, tmp_path / "parts", par_work=20).left() == 0


def test_a_larger_evaluation_plays_only_what_is_new(tmp_path):
    few, many = (matches("random,optimal", "flow", games, (0.8,)) for games in (4, 7))
    Evaluation(few, tmp_path, par_work=5).run(jobs=1)
    larger = Evaluation(many, tmp_path, par_work=5)
    assert larger.left() == 2 * 3  # a game and a par each
    rows = larger.run(jobs=1)
    pd.testing.assert_frame_equal(
        timeless(rows), timeless(Evaluation(many, tmp_path / "new", par_work=5).run(jobs=1))
    )


def test_two_evaluations_share_a_folder(tmp_path):
    plan = matches("random,optimal", "flow", 4, (0.8,))
    both = [Evaluation(plan, tmp_path, par_work=5) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        rows, others = pool.map(lambda evaluation: timeless(evaluation.run(jobs=1)), both)
    pd.testing.assert_frame_equal(rows, others)


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("Illegal", "illegal made an illegal move"),
        ("OffTheBoard", "not on the board"),
        ("Idle", "idle makes no move"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_agent_that_breaks_the_rules_stops_it_with_the_game_saved(tmp_path, agent, says, jobs):
    plan = matches(f"random,stand_ins:{agent}", "network", 5, (0.9,))
    with pytest.raises(AgentFault, match=says) as caught:
        Evaluation(plan, tmp_path, par_work=0).run(jobs=jobs)
    saved = tmp_path / "fault.jsonl"
    assert str(saved) in str(caught.value)
    assert main(["replay", str(saved)]) == 1
    [record] = read_records(saved)
    boards = sample_boards("network", 6, 0.9, 5, 1).laid
    assert any((record.boards.laid[0] == board).all() for board in boards)


def test_beating_a_proven_bound_stops_it(tmp_path):
    plan = matches("optimal,random", "flow", 3, (0.8,))
    evaluation = Evaluation(plan, tmp_path, par_work=5)
    evaluation.run(jobs=1)
    key = plan[0][1].keys[1]
    with sqlite3.connect(tmp_path / NAME) as connection:  # a solver with a mistake
        connection.execute("UPDATE pars SET bound = 99 WHERE board = ?", (key,))
    with pytest.raises(AgentFault, match="99 are proven") as caught:
        Evaluation(plan, tmp_path, par_work=5).run(jobs=1)
    assert caught.value.record.extra["board"] == 1
    assert main(["replay", str(tmp_path / "fault.jsonl")]) == 0  # a legal game, on that board


def test_a_par_that_does_not_end_the_game_is_one_clear_sentence(tmp_path):
    plan = matches("optimal", "flow", 2, (0.8,))
    evaluation = Evaluation(plan, tmp_path, par_work=5)
    evaluation.run(jobs=1)
    key = plan[0][1].keys[1]
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("UPDATE pars SET moves = substr(moves, 5) WHERE board = ?", (key,))
    with pytest.raises(InputError):
        Evaluation(plan, tmp_path, par_work=5).run(jobs=1)


def test_par_is_the_best_of_all_where_the_solver_has_not_found_it(tmp_path):
    plan = matches("optimal,corehd", "flow", 1, (0.9,))
    boards = plan[0][1]
    best = Evaluation(plan, tmp_path / "a", par_work=5).run(jobs=1)["par"][0]
    column_by_column = sorted(range(36), key=lambda square: (square % 6, square))
    moves = active_ones(boards, column_by_column)
    evaluation = Evaluation(plan, tmp_path / "b", par_work=5)
    [key] = boards.keys
    evaluation.store.add_pars({key: BestPlay(tuple(moves), len(moves), 1, 0.1)}, 5)
    rows = evaluation.run(jobs=1)
    assert best <= rows["par"][0] == rows["steps"].min() < len(moves)
    assert not rows["proven"].any()


def active_ones(boards, squares):
    games = Games(boards)
    for square in squares:
        if games.legal[0, square]:
            games.play(square)
    assert games.done.all()
    return games.history(0)


def test_boards_from_a_file_without_those_that_are_over(tmp_path):
    boards = [np.ones((3, 4)), np.zeros((3, 4)), np.ones((2, 2)), np.ones((3, 4))]
    write_boards(tmp_path / "boards.txt", boards)
    modes = [get_mode("flow"), get_mode("network")]
    read = Options().gather(modes, ["20"], tmp_path / "boards.txt")
    assert [(b.mode.name, b.size, list(b.numbers)) for b in read] == [
        ("flow", "3x4", [0, 3]),
        ("flow", "2x2", [2]),
        ("network", "3x4", [0, 3]),
        ("network", "2x2", [2]),
    ]
    rows = Evaluation([("optimal", boards) for boards in read], tmp_path / "out").run(jobs=1)
    assert list(rows["par"][:3]) == [4, 4, 2]
    assert rows["p"].isna().all()
    write_boards(tmp_path / "over.npz", [np.zeros((3, 3))])
    with pytest.raises(InputError):
        Options().gather([get_mode("flow")], ["20"], tmp_path / "over.npz")


# -- other lattices --------------------------------------------------------------------------


def bonds(kind, height, width, wraps):
    """The edges of a lattice, as the rules say them."""
    for r in range(height):
        for c in range(width):
            near = [(r, c + 1), (r + 1, c)]
            if kind == "triangular":
                near.append((r + 1, c - 1))
            if kind == "hexagonal" and (r + c) % 2:
                near.remove((r + 1, c))
            for row, col in near:
                if "rows" in wraps:
                    row %= height
                if "columns" in wraps:
                    col %= width
                if 0 <= row < height and 0 <= col < width:
                    yield r * width + c, row * width + col


@pytest.mark.parametrize(
    ("kind", "periodic", "sides"),
    [("square", "columns", 4), ("triangular", "both", 6), ("hexagonal", "none", 3)],
)
@pytest.mark.parametrize("mode", ["network", "noodle", "flow"])
def test_other_lattices_equal_a_slow_recount(kind, periodic, sides, mode, tmp_path):
    if (mode, periodic) == ("flow", "both"):
        with pytest.raises(InputError):
            sample_boards(mode, 4, 0.9, 5, 1, 0, kind, periodic)
        return
    boards = sample_boards(mode, 4, 0.9, 5, 1, 0, kind, periodic)
    evaluation = Evaluation([("random", boards), ("optimal", boards)], tmp_path, par_work=5)
    rows = evaluation.run(jobs=1)
    assert set(rows["size"]) == {f"4x4 {kind} {periodic}"}
    assert rows["proven"].all()
    wraps = ("rows", "columns") if periodic == "both" else (periodic,)
    neighbours = reference.edge_neighbours(16, bonds(kind, 4, 4, wraps))
    judge = {
        "network": reference.network,
        "noodle": reference.noodle([sides] * 16, sides - 2),
        "flow": reference.flow(reference.sides(4, 4, "vertical")),
    }[mode]
    records = list(evaluation.records())
    for record, row in zip(records, rows.to_dict("records"), strict=True):
        opened = np.flatnonzero(record.boards.laid[0]).tolist()
        game = reference.SlowGame(neighbours, opened, judge)
        for move in record.moves:
            assert not game.done
            game.play(move[0] * 4 + move[1])
        assert game.done
        assert row["steps"] == len(record.moves)
        assert row["largest"] == max(map(len, game.pieces), default=0)
    write_records(tmp_path / "games.jsonl", records)
    assert main(["replay", str(tmp_path / "games.jsonl")]) == 0


def test_the_same_boards_on_two_lattices_are_kept_apart(tmp_path):
    square = sample_boards("network", 4, 0.9, 3, 1)
    both = [square, replace(square, topology=lattice(4, 4, "triangular"))]
    matches = [(agent, boards) for boards in both for agent in ("random", "optimal")]
    together = Evaluation(matches, tmp_path / "a", par_work=5).run(jobs=1)
    alone = [
        Evaluation([m for m in matches if m[1] is boards], tmp_path / str(i), par_work=5)
        for i, boards in enumerate(both)
    ]
    apart = pd.concat([evaluation.run(jobs=1) for evaluation in alone], ignore_index=True)
    pd.testing.assert_frame_equal(timeless(together), timeless(apart))


# -- the commands ----------------------------------------------------------------------------


def evaluate(tmp_path: Path, *more: str) -> int:
    setting = ("--size", "5", "--p", "0.8", "--games", "3", "--modes", "flow", "--jobs", "1")
    return main(["evaluate", "--out", str(tmp_path / "out"), *setting, *more])


def test_evaluate_writes_rows_summary_and_records(tmp_path, capsys):
    records = str(tmp_path / "games.jsonl")
    assert evaluate(tmp_path, "--agents", "random,optimal", "--records", records) == 0
    assert "proven" in capsys.readouterr().out
    rows = read_rows(tmp_path / "out")
    assert len(rows) == 6
    assert len(read_records(records)) == 6
    summary = pd.read_csv(tmp_path / "out" / "summary.csv")
    assert list(summary["agent"]) == ["random", "optimal"]
    assert list(summary["at_par"])[1] == 1
    command = ("--agents", "random,optimal", "--format", "parquet", "--json")
    assert evaluate(tmp_path, *command) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["agent"] for line in lines] == ["random", "optimal"]
    table = pd.read_parquet(tmp_path / "out" / "rows.parquet")
    pd.testing.assert_frame_equal(rows, table[rows.columns], check_dtype=False)
    (tmp_path / "out" / "rows.csv").unlink()
    with pytest.raises(InputError):
        read_rows(tmp_path / "out")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--agents", "nobody"], "there is no agent 'nobody'"),
        (["--agents", ","], "no agent is named"),
        (["--modes", "chess"], "there is no mode 'chess'"),
        (["--modes", "flow,noodle", "--rule", "K=2"], "--rule goes with one mode"),
        (["--p", "1.2"], "p is 1.2; it must lie between 0 and 1"),
        (["--p", "0.6:1.3:0.1"], "it must lie between 0 and 1"),
        (["--p", "0.6:0.9"], "give densities (0.6 0.8) or from:to:step (0.6:1.0:0.1)"),
        (["--p", "0.6:0.9:0"], "the step of p is 0; it must be above 0"),
        (["--p", "x"], "give densities"),
        (["--games", "0"], "the number of games is 0; it must be 1 or more"),
        (["--format", "xlsx"], "there is no row format 'xlsx'; choose from csv, parquet"),
        (["--backend", "cloud"], "there is no backend 'cloud'; choose from joblib, ray"),
        (["--jobs", "-2"], "the number of jobs is -2"),
        (["--par-work", "-1"], "the work for par is -1; it must be a finite number, 0 or more"),
        (["--par-work", "inf"], "the work for par is inf; it must be a finite number, 0 or more"),
        (["--boards", "missing.npz"], "cannot read missing.npz"),
        (["--out", "/dev/null/here"], "cannot write to /dev/null/here"),
    ],
)
def test_bad_input_is_one_clear_sentence(tmp_path, capsys, options, says):
    setting = ["--agents", "random"] if "--agents" not in options else []
    assert evaluate(tmp_path, *setting, *options) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_results_of_another_version_are_refused(tmp_path, capsys):
    assert evaluate(tmp_path, "--agents", "random") == 0
    store = tmp_path / "out" / NAME
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE about SET format = 1, version = '0.0.7'")
    assert evaluate(tmp_path, "--agents", "random") == 2
    assert "were made by Pinchpoint 0.0.7" in capsys.readouterr().err
    store.write_text("[]")
    assert evaluate(tmp_path, "--agents", "random") == 2
    assert "is damaged" in capsys.readouterr().err
    store.unlink()
    (tmp_path / "out" / "par.jsonl").touch()
    assert evaluate(tmp_path, "--agents", "random") == 2
    assert "made by an earlier version of Pinchpoint" in capsys.readouterr().err


def test_a_faulty_agent_is_exit_code_1(tmp_path, capsys):
    assert evaluate(tmp_path, "--agents", "stand_ins:Idle") == 1
    assert "idle makes no move" in capsys.readouterr().err


def test_compare_says_who_needs_fewer_moves(tmp_path, capsys):
    setting = ["--mode", "flow", "--size", "8", "--games", "20", "--jobs", "1"]
    assert main(["compare", "optimal", "random", *setting]) == 0
    assert "optimal needs" in (text := capsys.readouterr().out)
    assert "moves fewer than random a game (95 % interval" in text
    assert main(["compare", "random", "random", *setting]) == 2
    assert "random is compared with itself" in capsys.readouterr().err
    assert evaluate(tmp_path, "--agents", "random,optimal") == 0
    capsys.readouterr()
    kept = ["--mode", "flow", "--results", str(tmp_path / "out"), "--json"]
    assert main(["compare", "random", "optimal", *kept]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = read_rows(tmp_path / "out")
    steps = rows.pivot_table(index="board", columns="agent", values="steps")
    assert found["boards"] == 3
    assert found["difference"]["value"] == pytest.approx(
        (steps["random"] - steps["optimal"]).mean()
    )
    assert main(["compare", "random", "corehd", *kept]) == 2
    assert "there are no games of agent 'corehd'" in capsys.readouterr().err
