"""Records: the golden games, round trips, and every way in which a line can be wrong."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import (
    NotAGame,
    Record,
    numbered_records,
    parse_record,
    read_records,
    record_of,
    replay,
    to_json,
    with_states,
    write_records,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.topology import from_edges

GOLDEN = Path(__file__).parents[1] / "golden" / "games.jsonl"
LINE = {"mode": "flow", "options": {}, "laid": ["oo", "oo"], "moves": [[0, 0], [1, 1]]}


def line(**changes: object) -> str:
    return json.dumps({key: value for key, value in (LINE | changes).items() if value != "absent"})


def test_golden_games_replay_and_give_back_their_states() -> None:
    lines = GOLDEN.read_text().splitlines()
    for text in lines:
        record = parse_record(text)
        bare = replace(record, settled=None, after=None)
        assert replay(bare).done[0]
        assert to_json(with_states(bare)) == text


def test_a_game_with_one_state_altered_is_refused() -> None:
    record = parse_record(GOLDEN.read_text().splitlines()[0])
    assert record.settled is not None
    assert record.after is not None
    last = [*record.after[-1]]
    last[0] = "o" + last[0][1:]
    with pytest.raises(NotAGame, match=f"`after` move {len(record.moves)} is not the board"):
        replay(replace(record, after=[*record.after[:-1], last]))
    with pytest.raises(NotAGame, match="`settled`"):
        replay(replace(record, settled=["x" * len(row) for row in record.settled]))


@pytest.mark.parametrize(
    "mode",
    [get_mode("network"), get_mode("flow", axis="both"), get_mode("noodle", K=2.5, inclusive=True)],
)
def test_records_survive_a_file(mode, tmp_path: Path) -> None:
    games = Games(sample_boards(mode, (5, 7), (0.6, 1.0), 20, seed=3), mode)
    games.play_randomly(seed=4)
    records = [record_of(games, row, agent="random", seed=3, note=row) for row in range(20)]
    write_records(tmp_path / "games.jsonl", records)
    back = read_records(tmp_path / "games.jsonl")
    assert [to_json(record) for record in back] == [to_json(record) for record in records]
    for row, record in enumerate(back):
        assert np.array_equal(replay(record).status[0], games.status[row])
        assert record.steps == games.move_counts[row]
        assert record.extra == {"note": row}
    assert list(tmp_path.iterdir()) == [tmp_path / "games.jsonl"]


def test_flow_terminals_survive_as_options() -> None:
    games = Games(np.ones((3, 3)), get_mode("flow", terminals=((0,), (8,))))
    games.play_randomly(seed=1)
    record = parse_record(to_json(record_of(games)))
    assert record.boards.mode.options() == {"terminals": [[0], [8]]}
    assert replay(record).history() == games.history()


def test_graph_games_survive_too() -> None:
    ring = from_edges([(i, (i + 1) % 6) for i in range(6)] + [(0, 3)], n=7, extra_faces=1)
    games = Games(np.ones((1, 7)), get_mode("flow", terminals=([1], [5])), ring)
    games.play_randomly(seed=2)
    record = parse_record(to_json(record_of(games)))
    again = replay(record)
    assert again.topology.fingerprint == ring.fingerprint
    assert again.history() == games.history() == record.moves
    assert with_states(record).settled == ["oooooox"]  # node 6 stands alone


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ("[1, 2]", "a game record is a JSON object"),
        (line(steps=float("nan")), "not a JSON object"),
        (line(mode="absent"), "the field `mode` is missing"),
        (line(moves="absent"), "the field `moves` is missing"),
        (line(laid=None), "`laid` must be a list of rows"),
        (line(mode=3), "`mode` must be the name of a mode"),
        (line(mode="flows"), "there is no mode 'flows'; choose from network, flow, noodle"),
        (line(options=[]), "`options` must be an object"),
        (line(options={"axes": "both"}), "flow has no option 'axes'; it takes axis, terminals"),
        (line(options={"axis": "up"}), "no axis 'up'"),
        (line(options={"terminals": [["a"], [1]]}), "two terminal sets"),
        (line(options={"terminals": [[0], [9]]}), "names node 9"),
        (line(laid=[]), "`laid` must be"),
        (line(laid=["oo", "o"]), "row 2: 1 squares, but the first row has 2"),
        (line(laid=["oo", "oq"]), "row 2, column 2: unknown symbol 'q'"),
        (line(laid=["oo", "o*"]), "# for blocked and o for open"),
        (line(laid=["o" * 1001]), "a board has 1 to 1000 squares a side"),
        (line(moves=[[0, 0, 0]]), "`moves` must be"),
        (line(moves=[[0, 1.0]]), "`moves` must be"),
        (line(moves=[[True, 1]]), "`moves` must be"),
        (line(moves=[0, 3]), "node numbers on a graph"),
        (line(steps="2"), "`steps` must be a whole number"),
        (line(after=[["xx", "xx"]]), "`after` has 1 boards for 2 moves"),
        (line(graph={"edges": [[0, 1]]}), "one row of 2 symbols"),
        (line(graph={"edges": [[0, 0]]}, laid=["o"]), "loops are not allowed"),
        (line(graph={"edges": [[0, 1]], "n": 10**9}, laid=["oo"]), "1 to 10000000 are allowed"),
        (
            line(graph={"edges": [[0, 1]]}, laid=["oo"], moves=[0]),
            "flow on a graph needs terminals",
        ),
        (line(graph={"edges": 3}), "`graph` must be"),
    ],
)
def test_malformed_lines_give_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_record(text, "games.jsonl, line 7")
    assert not isinstance(caught.value, NotAGame)
    message = str(caught.value)
    assert message.startswith("games.jsonl, line 7: ")
    assert problem in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (line(moves=[[0, 0]]), "not over: 3 squares are still active after 1 moves"),
        (line(moves=[[0, 0], [0, 0]]), "move 2: square (0, 0) is attacked"),
        (line(laid=["o#o", "o##"], moves=[[0, 2]]), "move 1: square (0, 2) is inactive"),
        (
            line(moves=[[0, 0], [1, 1], [0, 1]]),
            "move 3: square (0, 1) cannot be attacked: the game",
        ),
        (line(moves=[[0, 2]]), "move 1: square (0, 2) is not on the 2 × 2 board"),
        (line(moves=[[-1, 0]]), "move 1: square (-1, 0) is not on the 2 × 2 board"),
        (line(moves=[[10**30, 0]]), "is not on the 2 × 2 board"),
        (line(steps=3), "`steps` is 3, but there are 2 moves"),
        (line(laid=["oo", "##"], moves=[]), "over when laid"),
        (
            line(mode="network", graph={"edges": [[0, 1], [1, 2]]}, laid=["ooo"], moves=[-1]),
            "there is no node -1",
        ),
    ],
)
def test_games_against_the_rules_are_named(text: str, problem: str) -> None:
    with pytest.raises(NotAGame) as caught:
        replay(parse_record(text))
    assert problem in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_records(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n \n")
    with pytest.raises(InputError):
        read_records(tmp_path / "empty.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(line().encode() + b"\n\n\xff\xfe\n")
    with pytest.raises(InputError):
        read_records(tmp_path / "bytes.jsonl")


def test_blank_lines_do_not_shift_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f"\n{line()}\n\n{line()}\n")
    assert [number for number, _ in numbered_records(tmp_path / "a.jsonl")] == [2, 4]


def test_nothing_is_left_of_a_file_that_fails_midway(tmp_path: Path) -> None:
    def records():
        yield parse_record(line())
        raise InputError("the agent has given up")

    (tmp_path / "old.jsonl").write_text("as it was")
    with pytest.raises(InputError):
        write_records(tmp_path / "old.jsonl", records())
    assert [path.read_text() for path in tmp_path.iterdir()] == ["as it was"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from([*LINE, "graph", "settled", "after", "steps", "agent", "p"]), json_values)
def test_no_value_in_any_field_is_a_surprise(field: str, value: object) -> None:
    """Whatever stands in a field, the record is taken, or refused with an InputError."""
    with suppress(InputError):
        record = parse_record(json.dumps(LINE | {field: value}))
        assert isinstance(record, Record)
        replay(record)


def test_a_game_on_a_large_graph_replays_against_its_file(tmp_path: Path) -> None:
    from pinchpoint.cli.main import main
    from pinchpoint.graph.readers import read_graph

    lines = [f"n{i} n{(i + step) % 1500}" for i in range(1500) for step in (1, 7, 30, 200)]
    (tmp_path / "ring.edges").write_text("\n".join(lines))
    topology = read_graph(tmp_path / "ring.edges")
    games = Games(np.ones((1, 1500)), get_mode("shatter", share=0.5), topology)
    games.play_randomly(seed=1)
    write_records(tmp_path / "games.jsonl", [record_of(games)])
    path = tmp_path / "games.jsonl"
    known = {"n": 1500, "fingerprint": topology.fingerprint}
    assert json.loads(path.read_text())["graph"] == known
    (record,) = read_records(path, [topology])
    assert np.array_equal(replay(record).status, games.status)
    with pytest.raises(InputError):
        read_records(path)
    with pytest.raises(InputError):
        read_records(path, [replace(topology, costs=np.full(1500, 2.0))])
    words = ["replay", str(tmp_path / "games.jsonl")]
    assert main([*words, "--graph", str(tmp_path / "ring.edges")]) == 0
    assert main(words) == 2


def test_costs_of_a_small_graph_are_in_its_record() -> None:
    topology = replace(from_edges([(0, 1), (1, 2)]), costs=np.array([1.0, 2.5, 1.0]))
    games = Games(np.ones((1, 3)), get_mode("shatter", size=1), topology)
    games.play([1])
    again = replay(parse_record(to_json(record_of(games))))
    assert again.scores.tolist() == [2.5]


def test_records_of_several_graphs_find_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pinchpoint.cli.main import main
    from pinchpoint.graph.readers import read_graph

    lines = []
    for name, n in (("one", 5200), ("two", 5300)):
        path = tmp_path / f"{name}.edges"
        path.write_text("".join(f"{i} {(i + 1) % n}\n" for i in range(n)))
        topology = read_graph(path)
        games = Games(np.ones((1, n)), "shatter", topology)
        games.play_randomly(seed=1)
        lines.append(to_json(record_of(games)))
    records = tmp_path / "games.jsonl"
    records.write_text("\n".join([*lines, lines[0], line()]) + "\n")  # the last on a lattice
    one, two = (str(tmp_path / f"{name}.edges") for name in ("one", "two"))
    for graphs in ([one, two], [two, one]):
        assert main(["replay", str(records), "--graph", *graphs]) == 0
        assert capsys.readouterr().out.startswith("4 games")
    assert main(["replay", str(records), "--graph", one]) == 2
    assert "games.jsonl, line 2: the game was not played on this graph" in capsys.readouterr().err
    assert main(["replay", str(records), "--graph", "network:karate", two]) == 2
    assert "line 1: the game was not played on any of these graphs" in capsys.readouterr().err
    assert main(["replay", str(records)]) == 2
    assert "games.jsonl, line 1: the graph of this game (5200 nodes" in capsys.readouterr().err


def test_a_graph_without_a_fingerprint_is_found_by_its_edges() -> None:
    old = line(mode="network", graph={"edges": [[0, 1], [1, 2]]}, laid=["ooo"], moves=[1])
    path = from_edges([(0, 1), (1, 2)])
    record = parse_record(old, graphs=[from_edges([(0, 1)]), path])
    assert record.boards.topology is path
    assert replay(record).done[0]
