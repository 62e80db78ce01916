"""Replay every game of a file of records, move by move, and report the first that is wrong.

The exit code is 0 if all are legal finished games, 1 if one is not, 2 if the file is malformed.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import tyro

from pinchpoint.cli.arguments import counted
from pinchpoint.cli.progress import compile_engine
from pinchpoint.errors import InputError
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import (
    NotAGame,
    numbered_records,
    to_json,
    with_states,
)
from pinchpoint.game.record import replay as replay_record
from pinchpoint.graph.readers import read_graph


@dataclass(frozen=True)
class Options:
    file: tyro.conf.Positional[Path]
    """Game records, one JSON object a line."""
    mode: tuple[str, ...] = ()
    """Modes of your own that the file may name (package.module:Name); a file loads no code."""
    graph: tuple[str, ...] = ()
    """The files of the graphs that the games were played on, or network:NAME: each game is replayed
    on the one that has the fingerprint of its record."""
    cost: str | None = None
    """The attribute of the graphs' nodes that holds their costs, or a file of node and cost."""
    undirected: bool = False
    """Forget the directions of directed graphs."""
    states: bool = False
    """Print the records with the board when laid (`settled`) and after every move (`after`)."""
    json: bool = False
    """Print one JSON object: ok, games, moves and, if a game is wrong, its line and the problem."""


def run(options: Options) -> int:
    for name in options.mode:
        get_mode(name)
    compile_engine()
    games = moves = 0
    graphs = [read_graph(name, options.undirected, options.cost) for name in options.graph]
    for number, record in numbered_records(options.file, graphs):
        try:
            if options.states:
                print(to_json(with_states(record)))
            else:
                replay_record(record)
        except NotAGame as error:
            report(options, games, moves, {"line": number, "problem": str(error)})
            return 1
        except InputError as error:
            raise InputError(f"{options.file}, line {number}: {error}") from None
        games, moves = games + 1, moves + len(record.moves)
    report(options, games, moves, {})
    return 0


def report(options: Options, games: int, moves: int, wrong: dict[str, object]) -> None:
    if options.json and not options.states:
        print(json.dumps({"ok": not wrong, "games": games, "moves": moves} | wrong))
    elif wrong:
        message = f"{options.file}, line {wrong['line']}: not a legal finished game: "
        print(message + str(wrong["problem"]), file=sys.stderr)
    elif not options.states:
        print(f"{counted(games, 'game')}, {counted(moves, 'move')}: all legal and finished")
