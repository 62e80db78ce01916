"""Draw a game or a board as a picture: .png, .svg or .gif, by the end of the name.

A game as .gif shows every move in turn; as .png or .svg it is the last position, with the numbers
of the moves on the attacked squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro

from pinchpoint.cli.progress import compile_engine
from pinchpoint.cli.source import OnLattice
from pinchpoint.errors import InputError
from pinchpoint.files import whole_file
from pinchpoint.game.boards import read_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.palette import get_palette
from pinchpoint.game.record import (
    NotAGame,
    Record,
    numbered_records,
    replay_steps,
)
from pinchpoint.game.render import picture_kind, write_gif, write_picture
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.readers import is_graph_file, read_graph
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Bytes


@dataclass(frozen=True)
class Options(OnLattice):
    file: tyro.conf.Positional[Path]
    """Game records (.jsonl), boards (.npz, or text under any other name), or a network."""
    out: Path
    """The picture to write."""
    mode: tuple[str, ...] = ()
    """Modes of your own that the file may name (package.module:Name); a file loads no code."""
    number: int = 1
    """Which record or board of the file, from 1 on."""
    move: int | None = None
    """Show the position after this many moves, and not the whole game."""
    palette: str = "clear"
    """clear (also for the colour-blind) or classic (the colours of the paper)."""
    cell: int | None = None
    """Pixels a square; by default as many as make a handy picture, 24 at most."""
    seconds: float = 0.3
    """How long each move of a .gif is shown."""


def run(options: Options) -> None:
    kind = picture_kind(options.out)
    for name in options.mode:
        get_mode(name)
    get_palette(options.palette)
    compile_engine()
    if options.file.suffix not in (".jsonl", ".json"):
        board, topology = one_board(options)
        write_picture(options.out, board, options.palette, options.cell, topology=topology)
    elif kind == ".gif" and options.move is None:
        draw_game(options, one_record(options))
    else:
        draw_position(options, one_record(options))
    print(f"wrote {options.out}")


def draw_game(options: Options, record: Record) -> None:
    topology = record.boards.topology

    def frames() -> Iterator[tuple[Bytes, int | None]]:
        for games in checked(options, record):
            history = games.history()
            yield games.status[0].copy(), history[-1] if history else None

    with whole_file(options.out) as file:
        count = len(record.moves) + 1
        write_gif(file, frames(), count, options.palette, options.cell, options.seconds, topology)


def draw_position(options: Options, record: Record) -> None:
    wanted = len(record.moves) if options.move is None else options.move
    if not 0 <= wanted <= len(record.moves):
        raise InputError(f"there is no move {wanted}; the game has {len(record.moves)} moves")
    topology = record.boards.topology
    numbers = np.zeros(topology.n, dtype=np.int32)
    for number, games in enumerate(checked(options, record)):
        if number > 0 and number <= wanted:
            numbers[games.history()[-1]] = number
        if number == wanted:
            shown = games.status[0].copy()
    write_picture(options.out, shown, options.palette, options.cell, numbers, topology)


def checked(options: Options, record: Record) -> Iterator[Games]:
    """Yield the positions of the game; a mistake in it is reported with the name of the file."""
    try:
        yield from replay_steps(record)
    except NotAGame as error:
        raise InputError(f"{options.file}, record {options.number}: {error}") from None


def one_record(options: Options) -> Record:
    count = 0
    for count, (_, record) in enumerate(numbered_records(options.file), 1):
        if count == options.number:
            return record
    raise InputError(f"{options.file} has no record {options.number}; it holds {count}")


def one_board(options: Options) -> tuple[Bytes, Topology]:  # [h, w] or [N]
    if options.move is not None:
        raise InputError(f"{options.file} holds boards and no moves; leave out --move")
    if is_graph_file(options.file):
        network = read_graph(str(options.file), undirected=True)
        return np.full(network.n, ACTIVE, dtype=np.uint8), network
    read = read_boards(options.file, "network", options.lattice, options.periodic)
    boards = [board for some in read for board in some]
    if not 1 <= options.number <= len(boards):
        raise InputError(f"{options.file} has no board {options.number}; it holds {len(boards)}")
    board = boards[options.number - 1]
    return board.squares[0], board.topology
