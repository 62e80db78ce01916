"""Write the games that people played as records, sum them up, or delete old ones."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import tyro

from pinchpoint.errors import InputError
from pinchpoint.files import whole_file


@dataclass(frozen=True)
class Options:
    action: tyro.conf.Positional[Literal["export", "stats", "clean"]]
    """export writes one record for each game, stats prints a summary, clean deletes what is old."""
    database: str = ""
    """The server's database; by default the one in your data folder."""
    format: Literal["jsonl", "parquet"] = "jsonl"
    """The format of the export: jsonl, which `pinchpoint replay` and the agent human:FILE read, or
    parquet for other programs."""
    out: Path | None = None
    """The file to write; without it jsonl is printed."""
    unfinished: bool = False
    """Include games that were not played to their end."""
    alone: bool = False
    """Leave out games in which an agent was asked or made a move."""
    json: bool = False
    """Print the summary as JSON."""
    older_than: float | None = None
    """clean: delete games whose last move is older than so many days, and then rooms, players,
    boards and solutions of that age that nothing uses any more."""


def run(options: Options) -> None:
    from pinchpoint.web.games import export_games

    if options.action == "clean":
        clean_old(options)
        return
    records = export_games(options.database, finished=not options.unfinished)
    if options.alone:
        helped = ("hints", "peeks", "agent_moves")
        records = [record for record in records if not any(record[name] for name in helped)]
    if options.action == "stats":
        show_stats(records, options.json)
    elif options.format == "parquet":
        write_parquet(records, options.out)
    else:
        write_jsonl(records, options.out)


def clean_old(options: Options) -> None:
    from pinchpoint.web.storage import clean_database

    if options.older_than is None:
        raise InputError("say how old what is deleted has to be, for example --older-than 365")
    gone, before, after = clean_database(options.database, options.older_than)
    counts = ", ".join(f"{count} {what}" for what, count in gone.items())
    print(f"deleted {counts}; the database had {before / 1e6:.1f} MB and has {after / 1e6:.1f} MB")


def write_jsonl(records: list[dict[str, Any]], out: Path | None) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    if out is None:
        sys.stdout.write(lines)
        return
    with whole_file(out) as file:
        file.write(lines.encode())
    print(f"{len(records)} games written to {out}", file=sys.stderr)


NESTED = ("options", "origin", "events")  # JSON text in a table


def write_parquet(records: list[dict[str, Any]], out: Path | None) -> None:
    """Write a table for other programs, with a row for each game."""
    pa: Any = import_module("pyarrow")  # it comes without types
    parquet: Any = import_module("pyarrow.parquet")
    if out is None:
        raise InputError("parquet cannot be printed; name a file with --out")
    columns = {
        **dict.fromkeys(("mode", "options"), pa.string()),
        "laid": pa.list_(pa.string()),
        "moves": pa.list_(pa.list_(pa.int64())),
        "steps": pa.int64(),
        "agent": pa.string(),
        "seed": pa.int64(),
        "p": pa.float64(),
        **dict.fromkeys(("version", "game", "player", "board", "origin"), pa.string()),
        "done": pa.bool_(),
        **dict.fromkeys(("started_at", "ended_at", "hints", "peeks", "undos"), pa.int64()),
        "agent_moves": pa.int64(),
        "events": pa.string(),
    }
    rows = [record | {name: json.dumps(record[name]) for name in NESTED} for record in records]
    table = pa.Table.from_pylist(rows, schema=pa.schema(list(columns.items())))
    with whole_file(out) as file:
        parquet.write_table(table, file)
    print(f"{len(records)} games written to {out}", file=sys.stderr)


def show_stats(records: list[dict[str, Any]], as_json: bool) -> None:
    """Print games, players and moves by mode."""
    summary = []
    for mode in sorted({record["mode"] for record in records}):
        played = [record for record in records if record["mode"] == mode]
        count = len(played)
        summary.append(
            {
                "mode": mode,
                "games": count,
                "players": len({record["player"] for record in played}),
                "boards": len({record["board"] for record in played}),
                "mean_moves": round(sum(record["steps"] for record in played) / count, 2),
                "mean_hints": round(sum(r["hints"] + r["peeks"] for r in played) / count, 2),
                "mean_undos": round(sum(record["undos"] for record in played) / count, 2),
            }
        )
    if as_json:
        print(json.dumps(summary))
        return
    if not summary:
        print("no games of players who consented are stored yet")
    for row in summary:
        print(
            f"{row['mode']:10} {row['games']:6} games  {row['players']:5} players  "
            f"{row['boards']:5} boards  moves {row['mean_moves']:7.2f}  "
            f"hints {row['mean_hints']:5.2f}  undos {row['mean_undos']:5.2f}"
        )
