"""Where games are learned: boards are laid here, and remembered positions are shown again.

`LatticeArena` lays square boards of one size. `GraphArena` draws a random graph for every round and
lays boards on it by taking nodes out; positions of many graphs go into one memory, and each names
its round, from which the graph is drawn again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards, sample_on
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph
from pinchpoint.graph.topology import Topology, moved_squares, transform
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.graph_observation import GraphPosition, show_graphs
from pinchpoint.learning.observation import observe
from pinchpoint.learning.replay import unpack, unpack_bits
from pinchpoint.types import Array, Bytes, Squares

Experiences = dict[str, Array]  # columns of equal length
Columns = dict[str, tuple[tuple[int, ...], Any]]  # name -> shape of an entry, dtype

VALIDATION_SEED = 710_001
VALIDATION_P = (0.6, 0.7, 0.8, 0.9)

# Of random graphs:
FEWEST = 30  # nodes, or half the largest number where that is less
ALLOWED = (0.01, 0.35)  # shatter: W as a share of the nodes, small ones as often as large ones
COSTLY = 0.25  # share of graphs whose nodes cost different amounts
SPREAD = 0.6  # of the logarithm of these costs
VALIDATION_GRAPHS = 8  # of each kind, at most
KEPT = 4096  # graphs


class Arena(Protocol):
    """What a learner asks of the place where its games are played."""

    def nodes(self, size: int) -> int:
        """Return how many squares the boards of this size have at most."""
        ...

    def columns(self) -> Columns:
        """Return what a remembered position holds beside its board."""
        ...

    def lay(self, size: int, start: int, count: int, high: float) -> Games:
        """Lay fresh boards, from number `start` on, with p up to `high`."""
        ...

    def keep(self, entries: Experiences, games: Games, size: int, start: int) -> Experiences:
        """Return experiences of these positions as the memory takes them."""
        ...

    def show(self, batch: Experiences, size: int, symmetry: int) -> Any:
        """Return remembered boards as the network sees them, under a symmetry."""
        ...

    def squares(self, squares: Squares, size: int, symmetry: int) -> Tensor:
        """Return squares of these boards under the symmetry, in the same shape."""
        ...

    def mask(self, packed: Bytes, size: int, symmetry: int) -> Tensor:  # [B, N]
        """Return remembered sets of squares under the symmetry."""
        ...

    def validation(self, size: int, count: int) -> dict[str, list[Games]]:
        """Return the boards of validation, the same each time, by a word for each group."""
        ...


def make_arena(config: TrainConfig, mode: Mode, sees: str) -> Arena:
    """Return the arena of a network by what it sees."""
    return GraphArena(config, mode) if sees == "graph" else LatticeArena(config, mode, sees)


class LatticeArena:
    """Boards of the square lattice."""

    def __init__(self, config: TrainConfig, mode: Mode, sees: str) -> None:
        self.config, self.mode, self.sees = config, mode, sees

    def nodes(self, size: int) -> int:
        return size * size

    def columns(self) -> Columns:
        return {}

    def lay(self, size: int, start: int, count: int, high: float) -> Games:
        topology, density = lattice(size, size), (self.config.p_low, high)
        boards = sample_on(topology, self.mode, density, count, self.config.seed, start)
        return Games(boards.laid, self.mode, topology)

    def keep(self, entries: Experiences, games: Games, size: int, start: int) -> Experiences:
        return entries

    def show(self, batch: Experiences, size: int, symmetry: int) -> Tensor:  # [B, C, h, w]
        return self.boards(batch["board"], size, symmetry)

    def boards(self, packed: Bytes, size: int, symmetry: int) -> Tensor:  # [B, C, h, w]
        status = unpack(packed, size * size).reshape(-1, size, size)
        moved = np.ascontiguousarray(transform(status, symmetry)).reshape(len(status), -1)
        return observe(self.sees, moved, lattice(size, size))

    def squares(self, squares: Squares, size: int, symmetry: int) -> Tensor:
        return torch.from_numpy(moved_squares(size, size, symmetry)[squares])

    def mask(self, packed: Bytes, size: int, symmetry: int) -> Tensor:
        mask = unpack_bits(packed, size * size).reshape(-1, size, size)
        return torch.from_numpy(np.ascontiguousarray(transform(mask, symmetry))).flatten(1)

    def validation(self, size: int, count: int) -> dict[str, list[Games]]:
        return {
            f"{p:.1f}": [Games(sample_boards(self.mode, size, p, count, VALIDATION_SEED))]
            for p in VALIDATION_P
        }


class Round(NamedTuple):
    """What the boards of one round have in common."""

    graph: Topology
    mode: Mode


class GraphArena:
    """Boards on random graphs of up to `size` nodes, a new graph each round."""

    def __init__(self, config: TrainConfig, mode: Mode) -> None:
        self.config, self.mode = config, mode
        self.round = lru_cache(KEPT)(self._draw_round)

    def nodes(self, size: int) -> int:
        return size

    def columns(self) -> Columns:
        return {"round": ((), np.int64), "memory": ((), np.int32)}

    def _draw_round(self, size: int, start: int) -> Round:
        rng = np.random.default_rng([self.config.seed, size, start])
        graph = with_costs(random_graph(rng, min(FEWEST, max(4, size // 2)), size), rng)
        if rng.random() < self.config.network_rounds:
            return Round(graph, get_mode("network"))
        return Round(graph, any_size(self.mode, graph, rng))

    def lay(self, size: int, start: int, count: int, high: float) -> Games:
        graph, mode = self.round(size, start)
        rng = np.random.default_rng([self.config.seed, size, start, 1])
        boards = draw_boards(graph, mode, (self.config.p_low, high), count, rng)
        return Games(boards, mode, graph)

    def keep(self, entries: Experiences, games: Games, size: int, start: int) -> Experiences:
        packed = {"board": (size + 3) // 4, "good": (size + 7) // 8, "known": (size + 7) // 8}
        wide = {
            name: np.pad(column, ((0, 0), (0, packed[name] - column.shape[1])))
            if name in packed
            else column
            for name, column in entries.items()
        }
        of_round = np.full(len(games), start, dtype=np.int64)
        return {**wide, "round": of_round, "memory": games.memory.astype(np.int32)}

    def show(self, batch: Experiences, size: int, symmetry: int) -> Any:
        positions = []
        status = unpack(batch["board"], size)
        for board, start, memory in zip(status, batch["round"], batch["memory"], strict=True):
            graph, mode = self.round(size, int(start))
            positions.append(GraphPosition.of_board(graph, board[: graph.n], int(memory), mode))
        return show_graphs(positions, size)

    def squares(self, squares: Squares, size: int, symmetry: int) -> Tensor:
        return torch.from_numpy(squares.astype(np.int64))

    def mask(self, packed: Bytes, size: int, symmetry: int) -> Tensor:
        return torch.from_numpy(unpack_bits(packed, size))

    def validation(self, size: int, count: int) -> dict[str, list[Games]]:
        groups: dict[str, list[Games]] = {}
        for kind in RANDOM_GRAPHS:
            rng = np.random.default_rng([VALIDATION_SEED, size, len(groups)])
            groups[kind] = []
            for _ in range(min(count, VALIDATION_GRAPHS)):
                graph = random_graph(rng, min(FEWEST, max(4, size // 2)), size, kind)
                groups[kind].append(Games(np.ones((1, graph.n)), self.mode, graph))
        return groups


def with_costs(graph: Topology, rng: np.random.Generator) -> Topology:
    """Give a share of the graphs random node costs of mean 1."""
    if rng.random() >= COSTLY:
        return graph
    costs = np.exp(SPREAD * rng.standard_normal(graph.n))
    return replace(graph, costs=costs / costs.mean())


def any_size(mode: Mode, graph: Topology, rng: np.random.Generator) -> Mode:
    """Return the mode with a random size that pieces may have (W in shatter), if that is an option.

    A size that the mode was told stays. It is less than the graph, so that there is something to
    do.
    """
    told = mode.allowed_size(graph.n)
    if told is None:
        return mode
    drawn = int(np.exp(rng.uniform(*np.log(ALLOWED))) * graph.n)
    allowed = told if mode.options() else drawn
    return mode.with_allowed_size(max(1, min(allowed, graph.n - 1)))


def draw_boards(
    graph: Topology,
    mode: Mode,
    density: tuple[float, float],
    count: int,
    rng: np.random.Generator,
) -> Bytes:  # [count, N]
    """Draw boards, each with a p of its own that a node is there.

    A board that would be over has all nodes.
    """
    p = rng.uniform(*density, size=(count, 1))
    opened = (rng.random((count, graph.n)) < p).astype(np.uint8)
    opened[Games(opened, mode, graph).done] = 1
    return opened
