"""Where the boards of a command come from, as options: random boards, files of boards, of games or
of graphs. `BoardSource.read` reads whatever a file holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pinchpoint.cli.arguments import (
    parse_densities,
    parse_density,
    parse_list,
    parse_mode,
    parse_size,
)
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards, graph_board, join_boards, read_boards
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import numbered_records
from pinchpoint.game.sampling import BoardSet, Size, board_set, over_when_laid, sample_boards
from pinchpoint.graph.readers import is_graph_file, read_graph
from pinchpoint.graph.topology import SQUARE, LatticeKey, Topology


@dataclass(frozen=True, kw_only=True)
class OnLattice:
    """The lattice of the boards."""

    lattice: str | None = None
    """square, triangular or hexagonal; by default what the file says, or square."""
    periodic: str | None = None
    """What wraps around: none, rows, columns or both."""

    def where(self) -> LatticeKey:
        """Return the lattice that the options name, the square one by default."""
        return LatticeKey(self.lattice or SQUARE.lattice, self.periodic or SQUARE.periodic)


@dataclass(frozen=True, kw_only=True)
class OnGraph:
    """How graphs are read, and what flow has to part in them."""

    source: tuple[str, ...] = ()
    """Nodes of a graph, by name, that flow has to part from those of --target."""
    target: tuple[str, ...] = ()
    """Nodes of a graph, by name, that flow has to part from those of --source."""
    cost: str | None = None
    """The attribute of a graph's nodes that holds their costs, or a file of node and cost. The
    score of a game is the sum of the costs of the nodes attacked."""
    undirected: bool = False
    """Forget the directions of a directed graph."""

    def read_graph(self, name: str) -> Topology:
        return read_graph(name, self.undirected, self.cost)

    def parting(self, mode: Mode, graph: Topology, name: str) -> Mode:
        """Return the mode with the terminals that the options name, if it has terminals."""
        if not hasattr(mode, "terminals"):
            return mode
        if not (self.source or self.target):
            if mode.terminals is None:
                raise InputError(
                    f"{mode.name} on a graph needs nodes to part: --source and --target"
                )
            return mode
        numbers = {str(node): i for i, node in enumerate(graph.names or range(graph.n))}
        for node in (*self.source, *self.target):
            if node not in numbers:
                raise InputError(f"{name} has no node {node!r}")
        ends = [[numbers[node] for node in side] for side in (self.source, self.target)]
        return get_mode(mode.reference, **{**mode.options(), "terminals": ends})

    def check_terminals(self, modes: Sequence[Mode]) -> None:
        """Raise InputError if nodes are to be parted in modes that part none."""
        if (self.source or self.target) and not any(hasattr(m, "terminals") for m in modes):
            names = ", ".join(mode.name for mode in modes)
            raise InputError(f"--source and --target go with flow; {names} has none")


@dataclass(frozen=True, kw_only=True)
class BoardSource(OnGraph, OnLattice):
    """A file of boards, of games or of a graph, with what it takes to read it."""

    def read(self, name: str | Path, modes: Sequence[Mode]) -> list[list[Boards]]:
        """Return, for each mode, the boards of a file: those of one size that follow each other.

        A graph is one board. Game records are the boards that were played in the mode.
        """
        if is_graph_file(name):
            self.check_terminals(modes)
            refuse(self, LATTICE_OPTIONS, "goes with boards; leave it out with a graph")
            graph, title = self.read_graph(str(name)), str(name)
            return [[graph_board(graph, self.parting(m, graph, title), title)] for m in modes]
        refuse(self, GRAPH_OPTIONS, "goes with a graph; these are boards")
        if Path(name).suffix == ".jsonl":
            return [boards_played(mode, name) for mode in modes]
        boards = read_boards(name, modes[0], self.lattice, self.periodic)
        return [[some.in_mode(mode) for some in boards] for mode in modes]


GRAPH_OPTIONS = ("source", "target", "cost", "undirected")
LATTICE_OPTIONS = ("lattice", "periodic")


def boards_played(mode: Mode, path: str | Path) -> list[Boards]:
    """Read the boards of game records in a mode, each once, those of one size and p together."""
    groups: dict[tuple[str, bytes], dict[bytes, Boards]] = {}
    for number, record in numbered_records(path):
        board = record.boards
        if board.topology.key is not None and board.mode == mode.on(board.topology):
            board = replace(board, mode=mode, numbers=np.array([number]))
            group = groups.setdefault((board.size, board.p.tobytes()), {})
            group.setdefault(board.laid.tobytes(), board)
    if not groups:
        raise InputError(f"{path} holds no game of mode {mode.name} with these options")
    return [join_boards(list(group.values())) for group in groups.values()]


@dataclass(frozen=True, kw_only=True)
class RandomBoards(OnLattice):
    """Boards to draw."""

    mode: str = "network"
    """network, flow, noodle, shatter, or your own as package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode: axis=both, K=3, inclusive=true, share=0.05, size=20."""
    size: str = "20"
    """A side, or height x width: 20, 10x30."""
    p: str = "0.8"
    """The probability that a square is open: 0.8, or 0.5:1 to draw one for each board."""
    count: int = 1
    """How many boards."""
    seed: int = 0
    """The same seed gives the same boards."""
    set: str | None = None
    """A named set (`pinchpoint boards --sets`), in place of all of the above."""

    def settings(self) -> BoardSet:
        """Return what the boards are drawn from."""
        if self.set is not None:
            if self.where() != SQUARE:
                raise InputError(
                    "named sets are of the square lattice; leave out --lattice and --periodic"
                )
            return board_set(self.set)
        if self.count < 1:
            raise InputError(f"the count is {self.count}; it must be 1 or more")
        mode, size = parse_mode(self.mode, self.rule), parse_size(self.size)
        return BoardSet(mode, size, parse_density(self.p), self.count, self.seed)

    def sample(self, start: int = 0) -> Boards:
        """Draw the boards, from number `start` on."""
        settings = self.settings()
        return sample_boards(**vars(settings), start=start, **self.where()._asdict())


@dataclass(frozen=True, kw_only=True)
class BoardsToCompare(BoardSource):
    """The boards that several agents play: random ones, those of a file, or networks."""

    networks: tuple[str, ...] = ()
    """Networks in place of boards: files of graphs, or network:NAME for one in the box."""
    p: tuple[str, ...] = ("0.8",)
    """Densities: 0.8, or 0.6 0.8, or from:to:step as in 0.6:1.0:0.05."""
    games: int = 100
    """Boards of each mode, size and density."""
    seed: int = 1
    """The same seed gives the same boards and the same random moves."""

    def gather(
        self, modes: Sequence[Mode], sizes: Sequence[str], file: Path | None = None
    ) -> list[Boards]:
        """Return the boards for each mode, those of one size and density together."""
        self.check_terminals(modes)
        if not (self.networks or file):
            return self._sample(modes, [parse_size(size) for size in sizes])
        if self.networks and file:
            raise InputError("--boards and --networks are both given; name one of them")
        if self.networks:
            refuse(self, ("size", "p", "games"), "goes with boards; leave it out with --networks")
        names = parse_list(self.networks, "network", files=True) if self.networks else [str(file)]
        read = [(name, self.read(name, modes)) for name in names]
        return [
            boards
            for number in range(len(modes))
            for name, of_modes in read
            for boards in running(of_modes[number], name)
        ]

    def _sample(self, modes: Sequence[Mode], sizes: Sequence[Size]) -> list[Boards]:
        refuse(self, GRAPH_OPTIONS, "goes with a graph; these are boards")
        if self.games < 1:
            raise InputError(f"the number of games is {self.games}; it must be 1 or more")
        return [
            sample_boards(mode, size, p, self.games, self.seed, 0, *self.where())
            for mode, size, p in product(modes, sizes, parse_densities(self.p))
        ]


def running(boards: Sequence[Boards], where: str) -> list[Boards]:
    """Return the boards that are not over when laid, those of one size and density together."""
    groups: dict[tuple[str, str], list[Boards]] = {}
    for some in boards:
        left = some[~over_when_laid(some)]
        if len(left):
            groups.setdefault((some.size, str(some.p[0])), []).append(left)
    if not groups:
        raise InputError(f"every board of {where} is over when laid in mode {boards[0].mode.name}")
    return [join_boards(alike) for alike in groups.values()]


def refuse(options: Any, names: Sequence[str], why: str) -> None:
    """Raise InputError if one of these options has another value than its default."""
    for name in names:
        if getattr(options, name) != getattr(type(options), name):
            raise InputError(f"--{name} {why}")
