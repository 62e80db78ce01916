"""Where the boards of a command come from: files of boards, of games or of graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards, graph_board, make_boards, read_boards
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.record import numbered_records
from pinchpoint.game.sampling import over_when_laid
from pinchpoint.graph.readers import read_graph
from pinchpoint.graph.topology import Topology


def network_boards(
    modes: Iterable[Mode],
    names: Iterable[str],
    undirected: bool = False,
    cost: str | None = None,
    fit: Callable[[Mode, Topology, str], Mode] | None = None,
) -> list[Boards]:
    """Read networks, each one board: files of graphs, or network:NAME for one in the box.

    `cost` is the attribute of the nodes that holds their costs, or a file (see `read_graph`). With
    `fit`, a mode is made to fit each network: flow is told which of its nodes to part.
    """
    graphs = [(name, read_graph(name, undirected, cost)) for name in names]
    found = []
    for rule in modes:
        for name, graph in graphs:
            boards = graph_board(graph, rule if fit is None else fit(rule, graph, name), name)
            if over_when_laid(boards).any():
                raise InputError(f"{name} is over when laid in mode {boards.mode.name}")
            found.append(boards)
    return found


def file_boards(
    modes: Iterable[Mode], path: Path, lattice: str | None = None, periodic: str | None = None
) -> list[Boards]:
    """Read the boards of a file for each mode, those of one size together.

    Boards that are over when laid are left out. A file of game records gives the boards that were
    played in each mode. The lattice is the file's, or this one if the file does not name any.
    """
    if path.suffix in (".jsonl", ".parquet"):
        return [boards for mode in modes for boards in boards_played(mode, path)]
    found: list[Boards] = []
    for mode in modes:
        sizes: dict[str, list[Boards]] = {}
        for boards in read_boards(path, mode, lattice, periodic):
            sizes.setdefault(boards.size, []).append(boards)
        alike = [joined(some) for some in sizes.values()]
        running = [boards[~over_when_laid(boards)] for boards in alike]
        if not any(map(len, running)):
            raise InputError(f"every board of {path} is over when laid in mode {mode.name}")
        found += [boards for boards in running if len(boards)]
    return found


def boards_played(mode: Mode, path: Path) -> list[Boards]:
    """Read the boards of game records in a mode, each once, those of one size and p together."""
    groups: dict[tuple[str, float | None], dict[bytes, Boards]] = {}
    for number, record in numbered_records(path):
        if record.graph is None and record.rule() == mode.on(record.topology()):
            board = make_boards(record.board(), mode, record.topology(), [number])
            p = np.array([np.nan if record.p is None else record.p])
            group = groups.setdefault((board.size, record.p), {})
            group.setdefault(board.laid.tobytes(), replace(board, p=p))
    if not groups:
        raise InputError(f"{path} holds no game of mode {mode.name} with these options")
    return [joined(list(group.values())) for group in groups.values()]


def joined(parts: list[Boards]) -> Boards:
    """Return boards on one topology as one value."""
    return replace(
        parts[0],
        laid=np.concatenate([part.laid for part in parts]),
        numbers=np.concatenate([part.numbers for part in parts]),
        p=np.concatenate([part.p for part in parts]),
    )
