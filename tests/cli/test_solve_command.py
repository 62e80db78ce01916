"""`pinchpoint solve`: what it prints, and what it says to bad input."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pinchpoint.cli.main import main
from pinchpoint.errors import InputError
from pinchpoint.game.boards import write_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.solution import Solution

BOARD = "oo#o\noooo\n#ooo\noo#o\n"


def test_json_lines_are_playable_and_carry_the_proof(tmp_path: Path, capsys: Any) -> None:
    boards = sample_boards("flow", 8, 0.8, 5, seed=1)
    write_boards(tmp_path / "boards.npz", boards)
    words = ["solve", str(tmp_path / "boards.npz"), "--mode", "flow", "--json", "--check"]
    assert main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 5
    for board, line in zip(boards, lines, strict=True):
        game = Games(board, "flow")
        for move in line["moves"]:
            game.play(move)
        assert game.done[0]
        assert len(line["moves"]) == line["value"] == line["bound"]
        assert line["proven"]
        assert line["checked"]["ok"]
        assert line["seconds"] >= 0


@pytest.mark.parametrize("mode", ["network", "flow", "noodle", "shatter"])
def test_text_says_par_and_shows_the_board(mode: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    assert main(["solve", str(tmp_path / "board.txt"), "--mode", mode, "--check"]) == 0
    printed = capsys.readouterr().out
    value = solve(Games([[c != "#" for c in row] for row in BOARD.split()], mode))[0].value
    assert f"board 1: {value} move" in printed
    assert "proven" in printed
    picture = [line for line in printed.splitlines() if set(line.strip()) <= set("#ox*")]
    assert "".join(picture).count("*") == value
    assert "o" not in "".join(picture)


def test_a_wrong_solution_is_found_out(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    cheat = Solution.of([0], bound=1, certificate={}, seconds=0.0)
    monkeypatch.setattr("pinchpoint.solvers.dispatch.solve", lambda *given: [cheat])
    assert main(["solve", str(tmp_path / "board.txt"), "--mode", "flow", "--check"]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mode", "chess"], "there is no mode 'chess'"),
        (["--mode", "noodle", "--rule", "K=0"], "noodle's K is 0"),
        (["--mode", "flow", "--time-limit", "-1"], "the time limit is -1"),
        (["--mode", "noodle", "--work", "-1"], "the work is -1; it must be a finite number"),
        (["--mode", "noodle", "--work", "nan"], "the work is nan; it must be a finite number"),
        (["--mode", "flow", "--workers", "0"], "the number of workers is 0"),
        (["--mode", "flow", "--check", "--check-time", "-1"], "the check time is -1"),
    ],
)
def test_bad_input(words: list[str], message: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    assert main(["solve", str(tmp_path / "board.txt"), *words]) == 2
    assert message in capsys.readouterr().err


EDGES = """# a square with a triangle at one corner
north east
east south
south west
west north

west far
far,end
end west
"""


def test_a_graph_is_answered_with_the_names_of_its_nodes(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "town.edges").write_text(EDGES)
    words = ["solve", str(tmp_path / "town.edges"), "--mode"]
    assert main([*words, "noodle", "--rule", "K=1", "--check"]) == 0
    assert "checked: " in capsys.readouterr().out
    assert main([*words, "network", "--check"]) == 0
    printed = capsys.readouterr().out
    assert "town.edges: 2 moves, proven" in printed
    assert "  west " in printed
    assert main([*words, "network", "--json", "--check"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["value"] == line["bound"] == len(line["moves"]) == 2
    assert line["moves"][0] == "west"
    assert line["checked"]["ok"]


def test_flow_on_a_graph_parts_nodes_by_name(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "town.txt").write_text(EDGES.partition("\n")[2])
    words = ["solve", str(tmp_path / "town.txt"), "--mode", "flow"]
    assert main([*words, "--source", "east", "north", "--target", "end"]) == 0
    printed = capsys.readouterr().out
    assert "1 move, proven" in printed
    assert printed.split()[-1] in ("west", "end")
    assert main([*words, "--source", "east", "--target", "west", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mode", "flow"], "flow on a graph needs nodes to part: --source and --target"),
        (["--mode", "flow", "--source", "east", "--target", "moon"], "has no node 'moon'"),
        (["--mode", "flow", "--source", "east"], "a flow terminal is empty"),
        (
            ["--mode", "network", "--source", "east"],
            "--source and --target go with flow; network has none",
        ),
    ],
)
def test_bad_terminals(words: list[str], message: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "town.edges").write_text(EDGES)
    assert main(["solve", str(tmp_path / "town.edges"), *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_terminals_go_with_graphs(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    words = ["solve", str(tmp_path / "board.txt"), "--mode", "flow", "--source", "1"]
    assert main(words) == 2
    assert "--source goes with a graph" in capsys.readouterr().err


def test_no_time_still_gives_a_plan_and_a_bound(tmp_path: Path, capsys: Any) -> None:
    write_boards(tmp_path / "boards.npz", sample_boards("noodle", 12, 0.9, 1, seed=1))
    words = ["solve", str(tmp_path / "boards.npz"), "--mode", "noodle", "--time-limit", "0"]
    assert main([*words, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert 0 < line["bound"] <= line["value"] == len(line["moves"])


def test_a_board_that_is_over_needs_no_moves(tmp_path: Path, capsys: Any) -> None:
    np.savez(tmp_path / "boards.npz", boards=np.zeros((1, 3, 3), dtype=np.uint8))
    assert main(["solve", str(tmp_path / "boards.npz"), "--mode", "flow", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 0


def test_the_verdict_says_what_became_of_the_bound(tmp_path: Path, capsys: Any) -> None:
    write_boards(tmp_path / "boards.npz", sample_boards("network", 7, 0.9, 1, seed=3))
    words = ["solve", str(tmp_path / "boards.npz"), "--mode", "network", "--time-limit", "100"]
    for seconds, bound in (("100", "verified"), ("0", "not verified")):
        assert main([*words, "--json", "--check", "--check-time", seconds]) == 0
        line = json.loads(capsys.readouterr().out)
        assert line["checked"]["ok"]
        assert line["checked"]["bound"] == bound
    assert main([*words, "--check", "--check-time", "0"]) == 0
    assert f"the bound {line['bound']} was not verified" in capsys.readouterr().out


def test_one_pool_of_workers_serves_all_boards(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    started = []

    def pool(workers: int) -> ThreadPoolExecutor:
        started.append(workers)
        return ThreadPoolExecutor(workers)

    monkeypatch.setattr("pinchpoint.processes.worker_pool", pool)
    boards = sample_boards("flow", 5, 0.8, 40, seed=1)
    write_boards(tmp_path / "boards.npz", boards)
    words = ["solve", str(tmp_path / "boards.npz"), "--mode", "flow", "--json", "--workers", "2"]
    assert main(words) == 0
    values = [json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()]
    assert values == [solution.value for solution in solve(Games(boards, "flow"))]
    assert started == [2]


def test_a_mode_of_ones_own_that_fails_is_named(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "failing_rules.py").write_text(
        "def small(component):\n    return 1 / (component.size - 3) > 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    words = ["solve", str(tmp_path / "board.txt"), "--mode", "failing_rules:small"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "mode failing_rules:small failed with ZeroDivisionError: division by zero" in error
    with pytest.raises(InputError) as caught:
        Games(np.ones((1, 3)), "failing_rules:small")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_graph_that_is_over_has_no_line_of_moves(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "two.edges").write_text("a b\nc d\n")
    assert main(["solve", str(tmp_path / "two.edges"), "--mode", "network"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert "0 moves, proven" in lines[0]


def test_names_of_nodes_are_printed_whole(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "a.json"
    for name, printed in (
        ("Łódź", "Łódź"),
        ("New York", "'New York'"),
        ([1], "(1)"),
        ([0, 1, 2], "(0, 1, 2)"),
    ):
        nodes = [{"id": "a"}, {"id": name}, {"id": "b"}]
        links = [{"source": name, "target": end} for end in ("a", "b")]
        path.write_text(json.dumps({"nodes": nodes, "links": links}))
        words = ["solve", str(path), "--mode", "shatter", "--rule", "size=1", "--check"]
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1] == f"  {printed}"
        verdict = "the one move is a legal game to its end, and no play needs fewer"
        assert lines[2] == f"  checked: {verdict}"


def test_a_verdict_on_costs_speaks_of_costs(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "path.edges").write_text("a b\nb c\nc d\n")
    (tmp_path / "costs.csv").write_text("a,1\nb,2.5\nc,4\nd,1\n")
    words = ["solve", str(tmp_path / "path.edges"), "--mode", "shatter", "--rule", "size=1"]
    assert main([*words, "--cost", str(tmp_path / "costs.csv"), "--check"]) == 0
    verdict = "the 2 moves are a legal game to its end that costs 3.5, and no play costs less"
    assert verdict in capsys.readouterr().out
