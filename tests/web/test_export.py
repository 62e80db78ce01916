"""What people played, taken away: records that `replay` accepts, parquet, and a summary."""

from __future__ import annotations

import json
from typing import Any

import pyarrow.parquet
import pytest
from playing import consent, move, new_game, play_out, random_board, step

from chokepoint.agents import get_agent
from chokepoint.agents import play_out as let_play
from chokepoint.cli import main
from chokepoint.record import read_records, replay


@pytest.fixture
def played(client: Any, database: str) -> Any:
    """A database with a finished game of someone who consented, and others."""
    play_out(client, new_game(client, random_board("flow", 6)))  # no consent: not exported
    consent(client)
    game = new_game(client, random_board("network", 6, 0.9, 3))
    game = step(client, move(client, game, game["status"].index("1")).json(), "undo").json()
    game = play_out(client, game)
    new_game(client)  # not finished
    return database, game


def records_of(path: Any, game: Any) -> Any:
    return [r for r in map(json.loads, path.read_text().splitlines()) if r["game"] == game["id"]]


def test_records_replay(played: Any, client: Any, tmp_path: Any, capsys: Any) -> None:
    database, game = played
    out = tmp_path / "games.jsonl"
    assert main(["games", "export", "--database", database, "--out", str(out)]) == 0
    for record in read_records(out):
        replay(record)
    (mine,) = records_of(out, game)
    assert mine["moves"] == [list(divmod(s, 6)) for s in game["moves"]]
    assert (mine["agent"], mine["steps"], mine["undos"], mine["p"], mine["seed"]) == (
        "human",
        game["ply"],
        1,
        0.9,
        3,
    )
    assert [e["kind"] for e in mine["events"]][:2] == ["move", "undo"]
    assert mine["events"][-1]["think_ms"] == 12
    assert "token" not in out.read_text()
    assert main(["replay", str(out)]) == 0
    kept = read_records(out)[0]
    human = get_agent(f"human:{out}")
    again = kept.games()
    let_play(human, again)
    assert again.history(0) == kept.squares()


def test_unfinished_games_on_request(played: Any, tmp_path: Any) -> None:
    database, _ = played
    few, more = tmp_path / "few.jsonl", tmp_path / "more.jsonl"
    main(["games", "export", "--database", database, "--out", str(few)])
    main(["games", "export", "--database", database, "--out", str(more), "--unfinished"])
    assert len(more.read_text().splitlines()) > len(few.read_text().splitlines())


def test_parquet(played: Any, tmp_path: Any) -> None:
    database, game = played
    out = tmp_path / "games.parquet"
    command = ["games", "export", "--database", database, "--format", "parquet"]
    assert main([*command, "--out", str(out)]) == 0
    rows = pyarrow.parquet.read_table(out).to_pylist()
    (mine,) = [row for row in rows if row["game"] == game["id"]]
    assert mine["moves"] == [list(divmod(s, 6)) for s in game["moves"]]
    assert json.loads(mine["events"])[0]["kind"] == "move"
    assert main(command) == 2  # parquet needs a file


def test_stats(played: Any, capsys: Any) -> None:
    database, _ = played
    assert main(["games", "stats", "--database", database, "--json"]) == 0
    (network,) = [r for r in json.loads(capsys.readouterr().out) if r["mode"] == "network"]
    assert network["games"] >= 1
    assert network["mean_undos"] > 0
    assert main(["games", "stats", "--database", database]) == 0
    assert "network" in capsys.readouterr().out


def test_an_empty_database(tmp_path: Any, capsys: Any) -> None:
    database = str(tmp_path / "empty.sqlite3")
    assert main(["games", "stats", "--database", database]) == 0
    assert "no games" in capsys.readouterr().out
    assert main(["games", "export", "--database", database]) == 0
    assert capsys.readouterr().out == ""


def test_deleted_players_are_not_exported(played: Any, client: Any, tmp_path: Any) -> None:
    database, game = played
    client.request("DELETE", "/api/me")
    out = tmp_path / "games.jsonl"
    main(["games", "export", "--database", database, "--out", str(out)])
    assert records_of(out, game) == []
