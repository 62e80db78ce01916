"""Sample random boards that are not over when laid, or print a named set of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pinchpoint.cli.arguments import counted
from pinchpoint.cli.progress import compile_engine
from pinchpoint.cli.source import RandomBoards
from pinchpoint.game.boards import boards_text, text_rows, write_boards
from pinchpoint.game.sampling import SETS
from pinchpoint.graph.topology import SQUARE


@dataclass(frozen=True)
class Options(RandomBoards):
    sets: bool = False
    """List the named sets and stop."""
    out: Path | None = None
    """Write to this file: text, or .npz with an array `boards`. Otherwise text is printed."""
    json: bool = False
    """Print one JSON object: how the boards were made and, without --out, the boards."""


def run(options: Options) -> None:
    if options.sets:
        list_sets(options.json)
        return
    compile_engine()
    boards, settings = options.sample(), options.settings()
    if options.out is not None:
        write_boards(options.out, boards)
    if options.json:
        about: dict[str, Any] = {
            "set": options.set,
            "mode": boards.mode.reference,
            "options": boards.mode.options(),
            "size": settings.size,
            "p": settings.p,
            "count": settings.count,
            "seed": settings.seed,
        }
        if boards.topology.key not in (None, SQUARE):
            about |= boards.topology.key._asdict()
        if options.out is None:
            about["boards"] = [text_rows(board) for board in boards.squares]
        else:
            about["file"] = str(options.out)
        print(json.dumps(about))
    elif options.out is None:
        print(boards_text(boards))
    else:
        print(f"wrote {counted(len(boards), 'board')} to {options.out}")


def list_sets(as_json: bool) -> None:
    if as_json:
        print(json.dumps({name: asdict(named) for name, named in SETS.items()}))
        return
    for name, named in SETS.items():
        print(
            f"{name:22} {named.count:5} boards of size {named.size}, p {named.p}, seed {named.seed}"
        )
