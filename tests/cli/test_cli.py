"""The command line: what each command prints, and that no mistake ends in a traceback."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import pinchpoint
from pinchpoint.cli.main import COMMANDS, main
from pinchpoint.game.boards import read_boards, write_boards
from pinchpoint.game.record import read_records, replay
from pinchpoint.game.sampling import SETS, sample_boards

GOLDEN = Path(__file__).parents[1] / "golden" / "games.jsonl"
GAME = {"mode": "flow", "options": {}, "laid": ["oo", "oo"], "moves": [[0, 0], [1, 1]]}


def lines(capsys) -> list[str]:
    return capsys.readouterr().out.splitlines()


def refusal(capsys, *arguments: object) -> str:
    """The one sentence that a wrong call gives, with exit code 2 and nothing on standard output."""
    assert main([str(argument) for argument in arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("pinchpoint: ")
    assert output.err.count("\n") == 1
    return output.err


# -- the frame -------------------------------------------------------------------------------


def test_overview_names_every_command(capsys) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name}" in text for name in COMMANDS)
    assert main([]) == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys) -> None:
    assert main([command, "--help"]) == 0
    assert f"pinchpoint {command}" in capsys.readouterr().out


def test_wrong_usage(capsys) -> None:
    assert "choose from" in refusal(capsys, "bords")
    assert main(["boards", "--bad"]) == 2
    assert "--bad" in capsys.readouterr().err
    assert main(["boards", "--count", "many"]) == 2


def test_version(capsys) -> None:
    assert main(["version"]) == main(["--version"]) == 0
    assert lines(capsys) == [f"pinchpoint {pinchpoint.__version__}"] * 2
    main(["version", "--json"])
    assert json.loads(lines(capsys)[0])["pinchpoint"] == pinchpoint.__version__


def run(*arguments: str, **more) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pinchpoint.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, **more)


def test_as_a_program(tmp_path: Path) -> None:
    """The exit code reaches the shell, and a reader who leaves early is no error."""
    wrong = run("boards", "--p", "2")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("pinchpoint: p is 2.0;")
    reader = f"{sys.executable} -m pinchpoint.cli boards --count 3000 | head -1"
    early = subprocess.run(reader, shell=True, capture_output=True, text=True)
    assert (len(early.stdout), early.stderr) == (21, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk(capsys) -> None:
    assert "No space left" in refusal(capsys, "boards", "--out", "/dev/full")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "pinchpoint.cli", "version"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_ctrl_c_ends_with_one_line(monkeypatch, capsys) -> None:
    def interrupted(options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pinchpoint.cli.version.run", interrupted)
    assert main(["version"]) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


# -- boards ----------------------------------------------------------------------------------


def test_boards_as_text_and_json(capsys, tmp_path: Path) -> None:
    arguments = ["boards", "--mode", "flow", "--size", "3x5", "--p", "0.5:1", "--count", "4"]
    main([*arguments, "--seed", "7"])
    (tmp_path / "a.txt").write_text(capsys.readouterr().out)
    expected = sample_boards("flow", (3, 5), (0.5, 1.0), 4, seed=7)
    [read] = read_boards(tmp_path / "a.txt")
    assert np.array_equal(read.laid, expected.laid)
    main([*arguments, "--seed", "7", "--rule", "axis=both", "--json"])
    told = json.loads(lines(capsys)[0])
    assert told["options"] == {"axis": "both"}
    assert (told["size"], told["p"], len(told["boards"])) == ([3, 5], [0.5, 1.0], 4)


@pytest.mark.parametrize("name", ["a.txt", "a.npz"])
def test_boards_to_a_file(name: str, capsys, tmp_path: Path) -> None:
    assert main(["boards", "--size", "6", "--count", "9", "--out", str(tmp_path / name)]) == 0
    [read] = read_boards(tmp_path / name)
    assert np.array_equal(read.laid, sample_boards("network", 6, 0.8, 9).laid)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_named_sets(capsys) -> None:
    main(["boards", "--sets"])
    assert [line.split()[0] for line in lines(capsys)] == list(SETS)
    main(["boards", "--set", "validation-flow-10", "--json"])
    told = json.loads(lines(capsys)[0])
    assert (told["mode"], told["count"], len(told["boards"])) == ("flow", 200, 200)


# -- play, replay, render --------------------------------------------------------------------


def test_play_writes_games_that_replay(capsys, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ["play", "random", "--mode", "noodle", "--rule", "inclusive=true", "--size", "6x8"]
    assert main([*arguments, "--count", "300", "--seed", "3", "--out", str(out), "--json"]) == 0
    told = json.loads(lines(capsys)[0])
    records = read_records(out)
    assert Counter(record.agent for record in records) == {"random": 300}
    assert told["moves"] == sum(record.steps or 0 for record in records)
    assert told["mean"] == told["moves"] / 300
    for record in records:
        replay(record)
        board = record.boards
        assert (board.seed, *board.p, board.mode.options()) == (3, 0.8, {"inclusive": True})
    assert main(["replay", str(out)]) == 0
    assert lines(capsys) == [f"300 games, {told['moves']} moves: all legal and finished"]
    assert main([*arguments, "--count", "7", "--seed", "3", "--out", str(out)]) == 0
    again = read_records(out)
    assert [r.moves for r in again] == [r.moves for r in records[:7]]  # whatever the batches


def test_play_on_boards_of_several_sizes_and_human_moves(capsys, tmp_path: Path) -> None:
    boards = [np.ones(shape, dtype=np.uint8) for shape in ((2, 3), (4, 4), (2, 3))]
    write_boards(tmp_path / "b.txt", boards)
    for agent, out in (("random", "r.jsonl"), (f"human:{tmp_path / 'r.jsonl'}", "h.jsonl")):
        given = ["--boards", str(tmp_path / "b.txt"), "--mode", "flow"]
        assert main(["play", agent, *given, "--out", str(tmp_path / out)]) == 0
    played = [read_records(tmp_path / name) for name in ("r.jsonl", "h.jsonl")]
    assert [r.boards.size for r in played[0]] == ["2x3", "4x4", "2x3"]
    assert all(r.boards.laid.all() for r in played[0])
    assert [r.moves for r in played[0][:2]] == [r.moves for r in played[1][:2]]


def test_replay_prints_the_golden_states(capsys) -> None:
    assert main(["replay", str(GOLDEN), "--states"]) == 0
    assert capsys.readouterr().out == GOLDEN.read_text()


def test_replay_finds_the_first_wrong_game(capsys, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    wrong = GAME | {"moves": [[0, 0], [0, 0]]}
    file.write_text("\n".join(map(json.dumps, [GAME, wrong, {"mode": "flow"}])))
    assert main(["replay", str(file)]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"{file}, line 2: not a legal finished game: move 2: ")
    assert main(["replay", str(file), "--json"]) == 1
    told = json.loads(lines(capsys)[0])
    assert (told["ok"], told["line"], told["games"]) == (False, 2, 1)
    file.write_text(json.dumps(GAME) + '\n{"mode": "flow"}\n')
    assert "line 2: the field `options` is missing" in refusal(capsys, "replay", file)


@pytest.mark.parametrize("name", ["a.gif", "a.png", "a.svg"])
def test_render_games_and_boards(name: str, capsys, tmp_path: Path) -> None:
    out = tmp_path / name
    for more in (["--number", "3"], ["--move", "0", "--palette", "classic", "--cell", "9"]):
        assert main(["render", str(GOLDEN), "--out", str(out), *more]) == 0
        assert out.stat().st_size > 100
    write_boards(tmp_path / "b.npz", sample_boards("flow", 7, count=2))
    assert main(["render", str(tmp_path / "b.npz"), "--number", "2", "--out", str(out)]) == 0
    assert main(["render", "network:germany-50", "--out", str(out)]) == 0
    graph = GAME | {"mode": "network", "graph": {"edges": [[0, 1], [1, 2]]}, "laid": ["ooo"]}
    (tmp_path / "game.jsonl").write_text(json.dumps(graph | {"moves": [1]}))
    assert main(["render", str(tmp_path / "game.jsonl"), "--out", str(out)]) == 0


def test_bench_measures(capsys, monkeypatch) -> None:
    monkeypatch.setattr("pinchpoint.cli.bench.SETTINGS", ((6, 20),))
    assert main(["bench", "--json", "--repeats", "1"]) == 0
    results = json.loads(lines(capsys)[0])["results"]
    assert {row["mode"] for row in results} >= {"network", "flow", "noodle"}
    assert all(row["moves_per_second"] > 1000 for row in results)


# -- mistakes --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["boards"], ["play", "random"]])
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--size", "0"], "the height is 0; a board has 1 to 1000 squares a side"),
        (["--size", "5x1001"], "the width is 1001"),
        (["--size", "9" * 30], "a board has 1 to 1000"),
        (["--size", "3x4x5"], "give one side (20) or height x width (10x30)"),
        (["--size=-3"], "give one side (20) or height x width (10x30)"),
        (["--p", "1.5"], "p is 1.5; it must lie between 0 and 1"),
        (["--p", "nan"], "p is nan; it must lie between 0 and 1"),
        (["--p", "0.9:0.5"], "a range must ascend"),
        (["--p", "half"], "give one density (0.8) or a range (0.5:1)"),
        (["--p", "0"], "choose a larger p or a larger board"),
        (["--count", "0"], "the count is 0; it must be 1 or more"),
        (["--count", "9" * 18], "do not fit"),
        (["--seed", "-1"], "the seed is -1; it must be a whole number from 0"),
        (
            ["--mode", "flows"],
            "there is no mode 'flows'; choose from network, flow, noodle, shatter",
        ),
        (["--mode", "no.such:Mode"], "cannot import 'no.such'"),
        (["--rule", "axis=both"], "mode network has no option 'axis'; it takes none"),
        (["--rule", "axis"], "not of the form name=value"),
        (["--mode", "flow", "--rule", "axis=up"], "choose from vertical, horizontal, both"),
        (["--mode", "noodle", "--rule", "K=0"], "must be a number greater than 0"),
        (["--set", "best"], "there is no board set 'best'; choose from validation-network-10"),
        (["--out", "/no/such/folder/a.txt"], "cannot write /no/such/folder/a.txt: No such file"),
        (["--out", "/"], "cannot write /: it is a folder"),
    ],
)
def test_wrong_boards(command: list, arguments: list, problem: str, capsys) -> None:
    assert problem in refusal(capsys, *command, *arguments)


def test_wrong_board_files(capsys, tmp_path: Path) -> None:
    def play(content: str | bytes, name: str = "a.txt", mode: str = "flow") -> str:
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        out = tmp_path / "out.jsonl"
        message = refusal(
            capsys, "play", "random", "--boards", tmp_path / name, "--mode", mode, "--out", out
        )
        assert not out.exists()
        return message

    assert "row 2: 1 squares, but the first row has 2" in play("oo\no\n")
    assert "row 1, column 2: unknown symbol '?'; use # for blocked" in play("o?\noo\n")
    assert "from line 4, row 1" in play("oo\noo\n\nq")
    assert "board 2 is over when laid in mode flow" in play("oo\noo\n\no#\n#o\n")
    assert "holds no board" in play("\n\n")
    assert "1 to 1000 squares a side" in play("o" * 1001)
    assert "is not a text file" in play(b"\xff\xfe\x00")
    write_boards(tmp_path / "b.npz", sample_boards("flow", 5, count=4))
    whole = (tmp_path / "b.npz").read_bytes()
    for cut in (0, 1, 30, len(whole) // 2, len(whole) - 1):
        assert "damaged or is no .npz file" in play(whole[:cut], "a.npz")
    np.savez(tmp_path / "c.npz", maps=np.ones((1, 2, 2)))
    assert "has no array `boards`" in play((tmp_path / "c.npz").read_bytes(), "a.npz")
    for wrong in (np.ones((2, 2)), np.full((1, 2, 2), 2), np.ones((1, 2, 2)), np.array([None])):
        np.savez(tmp_path / "c.npz", boards=wrong)
        play((tmp_path / "c.npz").read_bytes(), "a.npz")
    missing = tmp_path / "none.txt"
    assert "No such file" in refusal(capsys, "play", "random", "--boards", missing)
    assert "Is a directory" in refusal(capsys, "play", "random", "--boards", tmp_path)


def test_wrong_agents(capsys, tmp_path: Path) -> None:
    assert "choose from random, human" in refusal(capsys, "play", "nobody")
    assert "takes nothing after a colon" in refusal(capsys, "play", "random:3")
    assert "human:FILE.jsonl" in refusal(capsys, "play", "human")
    assert "cannot read none.jsonl" in refusal(capsys, "play", "human:none.jsonl")
    assert "is no agent" in refusal(capsys, "play", "json:loads")
    assert "you need a terminal" in refusal(capsys, "play")


def test_an_agent_that_breaks_the_rules(capsys, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "cheat.py").write_text(
        "import numpy as np\n"
        "class Cheat:\n"
        "    name = 'cheat'\n"
        "    def act(self, games):\n"
        "        return np.full(len(games), 10**6)\n"
    )
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "games.jsonl"
    says = "pinchpoint: cheat made an illegal move: square 1000000 is not on the board"
    assert main(["play", "cheat:Cheat", "--out", str(out)]) == 1
    assert capsys.readouterr().err.startswith(says)
    assert not out.exists()
    few = ["--size", "4", "--games", "2", "--jobs", "1"]
    assert main(["compare", "cheat:Cheat", "random", *few]) == 1
    message = capsys.readouterr().err
    assert says in message
    assert "the game is in" not in message  # its folder is gone
    assert main(["evaluate", "--agents", "cheat:Cheat", "--out", str(tmp_path / "e"), *few]) == 1
    message = capsys.readouterr().err
    assert says in message
    assert Path(message.rpartition("the game is in ")[2].strip()).exists()


def test_wrong_replays_and_pictures(capsys, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    assert "No such file" in refusal(capsys, "replay", tmp_path / "none.jsonl")
    assert "must end in .png, .svg or .gif" in refusal(capsys, "render", GOLDEN, "--out", "a.jpg")
    wrong = [
        (["--number", "91"], "has no record 91; it holds 90"),
        (["--number", "0"], "has no record 0"),
        (["--move", "99"], "there is no move 99; the game has 11 moves"),
        (["--palette", "pastel"], "choose from clear, classic"),
        (["--cell", "0"], "must be 1 or more"),
        (["--cell", "100000"], "too large"),
    ]
    for arguments, problem in wrong:
        assert problem in refusal(capsys, "render", GOLDEN, "--out", out, *arguments)
    gif = tmp_path / "a.gif"
    assert "0.02 to 60" in refusal(capsys, "render", GOLDEN, "--out", gif, "--seconds", "0")
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(GAME | {"moves": [[0, 0], [0, 0]]}))
    for file in (out, gif):
        assert "record 1: move 2" in refusal(capsys, "render", bad, "--out", file)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]
    assert "cannot write" in refusal(capsys, "render", GOLDEN, "--out", "/no/such/folder/a.svg")
    assert "repeats is 0" in refusal(capsys, "bench", "--repeats", "0")


def test_a_file_below_a_file_cannot_be_written(capsys, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "boards.txt"
    assert f"cannot write {out}: Not a directory" in refusal(capsys, "boards", "--out", out)


def test_agents_play_graph_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ring = tmp_path / "ring.csv"
    ring.write_text("".join(f"stop {i},stop {(i + 1) % 9}\n" for i in range(9)))
    costs, out = tmp_path / "costs.csv", tmp_path / "games.jsonl"
    costs.write_text("".join(f"stop {i},{i + 0.5}\n" for i in range(9)))
    words = ["play", "corehd", "--boards", str(ring), "--mode", "shatter", "--rule", "size=3"]
    words += ["--cost", str(costs), "--out", str(out)]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (record,) = read_records(out)
    assert told["moves"] == len(record.moves)
    assert told["cost"] == sum(move + 0.5 for move in record.moves)
    assert main(words) == 0
    said = capsys.readouterr().out
    assert f"{len(record.moves)} moves for {told['cost']:g}" in said
    assert main(["replay", str(out), "--graph", str(ring), "--cost", str(costs)]) == 0
    flow = ["play", "degree", "--boards", str(ring), "--mode", "flow"]
    assert main([*flow, "--source", "stop 0", "--target", "stop 4"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--boards", "ring.edges"], "name an agent"),
        (["network", "--boards", "ring.edges"], "plays lattices only"),
        (["degree", "--boards", "ring.edges", "--mode", "flow"], "--source and --target"),
        (["degree", "--boards", "ring.edges", "--rule", "size=9"], "over when laid"),
        (["degree", "--boards", "ring.edges", "--lattice", "triangular"], "goes with boards"),
        (["degree", "--boards", "ring.edges", "--count", "3"], "--count goes with boards"),
        (["degree", "--boards", "ring.edges", "--size", "5"], "--size goes with boards"),
        (["degree", "--boards", "ring.edges", "--cost", "price"], "no attribute 'price'"),
        (["degree", "--boards", "none.edges"], "cannot read none.edges"),
        (["degree", "--cost", "price"], "--cost goes with a graph"),
        (["degree", "--undirected"], "--undirected goes with a graph"),
    ],
)
def test_graphs_that_cannot_be_played_are_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.edges").write_text("".join(f"{i} {(i + 1) % 9}\n" for i in range(9)))
    assert main(["play", "--mode", "shatter", "--out", "games.jsonl", *words]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert not (tmp_path / "games.jsonl").exists()
