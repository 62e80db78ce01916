"""Stored games as records: what researchers take away, and what `replay` and `evaluate` read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, select

from chokepoint.web.db.store import Store
from chokepoint.web.db.tables import boards, events, games
from chokepoint.web.gamelog import Line

EVENT_FIELDS = ("kind", "ply", "square", "agent", "weights", "think_ms", "at")


def stored_games(store: Store, finished: bool = True) -> Iterator[dict[str, Any]]:
    """The games of players who consented, one record each, the oldest first.

    The record's `moves` are the line that was played in the end; `events` has all that happened,
    moves taken back included.
    """
    condition: ColumnElement[bool] = games.c.player_id.is_not(None)
    if finished:
        condition = condition & games.c.done
    query = select(games).where(condition).order_by(games.c.created, games.c.id)
    with store.read() as connection:
        rows = connection.execute(query).mappings().all()
    for row in rows:
        yield _record(store, row)


def _record(store: Store, row: Any) -> dict[str, Any]:
    log_query = select(events).where(events.c.game_id == row["id"]).order_by(events.c.turn)
    with store.read() as connection:
        board_query = select(boards).where(boards.c.id == row["board_id"])
        board = connection.execute(board_query).mappings().one()
        log = connection.execute(log_query).mappings().all()
    width = board["width"]
    line = Line.of(log)
    cells = board["cells"].replace("0", "#").replace("1", "o")
    options, origin = json.loads(board["options"]), json.loads(row["origin"])
    helped = any(entry["kind"] == "move" and entry["agent"] for entry in log)
    record: dict[str, Any] = {
        "mode": board["mode"],
        "options": options,
        "laid": [cells[i : i + width] for i in range(0, len(cells), width)],
        "moves": [list(divmod(square, width)) for square in line.moves],
        "steps": line.ply,
        "agent": "human+agent" if helped else "human",
        "seed": origin.get("seed"),
        "p": origin.get("p"),
        "version": row["version"],
        "game": row["id"],
        "player": row["player_id"],
        "board": row["board_id"],
        "origin": origin,
        "done": row["done"],
        "started_at": row["created"],
        "ended_at": log[-1]["at"] if log else row["created"],
        "hints": row["hints"],
        "peeks": row["peeks"],
        "undos": row["undos"],
        "agent_moves": row["agent_moves"],
        "events": [{name: entry[name] for name in EVENT_FIELDS} for entry in log],
    }
    return {key: value for key, value in record.items() if value is not None}
