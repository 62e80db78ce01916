"""Exports of what people played: records that `replay` accepts, parquet, and a summary."""

from __future__ import annotations

import json
from typing import Any

import pyarrow.parquet
import pytest
from playing import consent, move, new_game, play_out, random_board, step

from pinchpoint.agents.registry import get_agent
from pinchpoint.agents.registry import play_out as let_play
from pinchpoint.cli.main import main
from pinchpoint.game.engine import Games
from pinchpoint.game.record import read_records, replay
from pinchpoint.web.db.store import Store


@pytest.fixture
def played(client: Any, database: str) -> Any:
    """Return a database with a finished game of a player who consented, and other games."""
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
    again = Games(kept.boards)
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
    assert main(["replay", str(out)]) == 2  # it is for other programs


def test_people_beside_agents(played: Any, tmp_path: Any, capsys: Any) -> None:
    """The games of people become the row of an agent, on the same boards as the others."""
    database, game = played
    out, results = tmp_path / "games.jsonl", tmp_path / "results"
    main(["games", "export", "--database", database, "--out", str(out)])
    (mine,) = records_of(out, game)
    out.write_text(json.dumps(mine) + "\n")
    command = ["evaluate", "--agents", f"human:{out},random", "--modes", "network", "--jobs", "1"]
    assert main([*command, "--boards", str(out), "--out", str(results), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    human, other = sorted(rows, key=lambda row: str(row["agent"]))
    assert (human["agent"], human["mean"], human["p"]) == (f"human:{out}", game["ply"], 0.9)
    assert (other["agent"], other["games"]) == ("random", 1)
    other_mode = ["flow" if word == "network" else word for word in command]
    assert main([*other_mode, "--boards", str(out), "--out", str(results)]) == 2
    assert "holds no game of mode flow" in capsys.readouterr().err


def test_games_played_alone(client: Any, database: str, tmp_path: Any) -> None:
    consent(client)
    game = new_game(client, random_board("flow", 6))
    asked = {"turn": 0, "agent": "degree"}
    helped = client.post(f"/api/games/{game['id']}/hint", json=asked).json()["game"]
    game = play_out(client, helped)
    out = tmp_path / "games.jsonl"
    command = ["games", "export", "--database", database, "--out", str(out)]
    main(command)
    assert len(records_of(out, game)) == 1
    main([*command, "--alone"])
    assert records_of(out, game) == []


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
    assert main(["games", "stats", "--database", database]) == 2  # there is no such file
    assert "there is no database" in capsys.readouterr().err
    Store(f"sqlite:///{database}").close()
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
