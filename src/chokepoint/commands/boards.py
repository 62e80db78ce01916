"""Sample random boards that are not over when laid, or print a named set of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from chokepoint.boards import SETS, BoardSet, board_set, sample_boards, text_rows, write_boards
from chokepoint.commands.arguments import parse_density, parse_mode, parse_size
from chokepoint.errors import InputError
from chokepoint.topology import Bytes


@dataclass(frozen=True)
class Options:
    mode: str = "network"
    """network, flow, noodle, or your own as package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode: axis=both, K=3, inclusive=true."""
    size: str = "20"
    """A side, or height x width: 20, 10x30."""
    p: str = "0.8"
    """The probability that a square is open: 0.8, or 0.5:1 to draw one for each board."""
    count: int = 1
    """How many boards."""
    seed: int = 0
    """The same seed gives the same boards."""
    set: str | None = None
    """A named set, in place of all of the above."""
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
    made_by, boards = draw(options)
    if options.out is not None:
        write_boards(options.out, boards)
        made_by |= {"file": str(options.out)}
    if options.json:
        rows = {} if options.out else {"boards": [text_rows(board) for board in boards]}
        print(json.dumps(made_by | rows))
    elif options.out is None:
        print("\n\n".join("\n".join(text_rows(board)) for board in boards))
    else:
        print(f"wrote {len(boards)} boards to {options.out}")


def draw(options: Options) -> tuple[dict[str, object], Bytes]:
    """How the boards are made, and the boards."""
    if options.count < 1:
        raise InputError(f"the count is {options.count}; it must be 1 or more")
    if options.set is not None:
        named = board_set(options.set)
        return {"set": options.set} | asdict(named), named.boards()
    mode = parse_mode(options.mode, options.rule)
    size, p = parse_size(options.size), parse_density(options.p)
    boards = sample_boards(mode, size, p, options.count, options.seed)
    made_by = asdict(BoardSet(mode.reference, size, p, options.count, options.seed))
    return made_by | {"options": mode.options()}, boards


def list_sets(as_json: bool) -> None:
    if as_json:
        print(json.dumps({name: asdict(named) for name, named in SETS.items()}))
        return
    for name, named in SETS.items():
        print(
            f"{name:22} {named.count:5} boards of size {named.size}, p {named.p}, seed {named.seed}"
        )
