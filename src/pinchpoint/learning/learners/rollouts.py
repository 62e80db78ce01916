"""Look-ahead on graphs: a move is worth what it leads to if betweenness goes on after it.

The learner tries several moves at positions of the network's own games, and plays on after each by
the rule of thumb that is hardest to beat, to the end. Preferring the move that then does best is
one step of policy iteration from that rule. In shatter the largest piece should fall soon: the
price of a game is the area under its size. In a mode that remembers, as network does, it is the
cost of the moves.

Every round has a random graph of its own. Positions of many graphs go into one memory, and each
names its round, from which the graph is drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.plans import play_all
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import Subgraph, components, subgraph
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph
from pinchpoint.graph.topology import Topology
from pinchpoint.learning.config import number
from pinchpoint.learning.graph_observation import GraphBatch, GraphPosition, show_graphs
from pinchpoint.learning.learners.base import AveragedConfig, AveragedLearner
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.replay import Columns, Experiences, pack, unpack
from pinchpoint.learning.self_play import (
    VALIDATION_SEED,
    epsilon_greedy,
    positions_of,
)
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.orders import curve_of
from pinchpoint.types import Bytes, Floats, Rows

POSITIONS = 4  # of each game
OTHERS, AMONG = 3, 24  # nodes tried beside the best, drawn from so many that rank next
EXACT, SOURCES = 128, 64  # betweenness is exact up to so many nodes, else from so many
SHADE = 0.03  # how much more a game may cost for one unit of preference less
WORST = 6.0  # units of preference between the best move and any other, at most

# Of random graphs:
FEWEST = 30  # nodes, or half the largest number where that is less
ALLOWED = (0.01, 0.35)  # shatter: W as a share of the nodes, small ones as often as large ones
COSTLY = 0.25  # share of graphs whose nodes cost different amounts
COST_SPREAD = 0.6  # of the logarithm of these costs
VALIDATION_GRAPHS = 8  # of each kind, at most
KEPT = 4096  # graphs


@dataclass(frozen=True)
class RolloutsConfig(AveragedConfig):
    """The preset `graph` has settings that learn well."""

    learner: str = "rollouts"
    network_rounds: float = number(0.0, 0, 1)
    """Share of the rounds that play network mode in place of the mode."""
    tried: int = number(4, 1)
    """Nodes that look best at a position and are tried, beside others."""
    value_weight: float = number(0.25, 0)
    """Weight of the board's value in the loss."""


class Round(NamedTuple):
    """What the boards of one round have in common."""

    graph: Topology
    mode: Mode


class RolloutsLearner(AveragedLearner):
    """Look-ahead with betweenness."""

    Config = RolloutsConfig
    on_graphs = True
    config: RolloutsConfig

    def __init__(
        self, config: RolloutsConfig, mode: Mode, net: QNet, forward: torch.nn.Module
    ) -> None:
        super().__init__(config, mode, net, forward)
        if not mode.by_size:
            raise InputError(
                "learner rollouts learns modes that go by the size of a piece (shatter, network)"
            )
        self.round = lru_cache(KEPT)(self._draw_round)

    def columns(self, size: int) -> Columns:
        tried = (self.config.tried + OTHERS,)
        return {
            "board": (((size + 3) // 4,), np.uint8),
            "squares": (tried, np.int32),
            "prices": (tried, np.float32),
            "moves": ((), np.float32),
            "round": ((), np.int64),
            "memory": ((), np.int32),
        }

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        games = self.lay(size, start, self.highest_p(rng))
        plans = play_all(games, epsilon_greedy(self.mean, c.epsilon(step), rng))
        here, _ = positions_of(games, plans)
        here = here.take(rng.permutation(len(here))[: POSITIONS * len(games)])
        squares = short_list(here, self.mean.evaluate(here).logits, c.tried, rng)
        prices, costs = rolled_out(here, squares, rng)
        return {
            "board": pack(np.pad(here.status, ((0, 0), (0, size - here.topology.n)))),
            "squares": squares.astype(np.int32),
            "prices": prices.astype(np.float32),
            "moves": costs[np.arange(len(here)), prices.argmin(1)].astype(np.float32),
            "round": np.full(len(here), start, dtype=np.int64),
            "memory": here.memory.astype(np.int32),
        }

    def lay(self, size: int, start: int, high: float) -> Games:
        """Lay the boards of a round; in each, nodes are there with a p of its own."""
        c, (graph, mode) = self.config, self.round(size, start)
        rng = np.random.default_rng([c.seed, size, start, 1])
        return Games(draw_boards(graph, mode, (c.p_low, high), c.boards, rng), mode, graph)

    def _draw_round(self, size: int, start: int) -> Round:
        rng = np.random.default_rng([self.config.seed, size, start])
        graph = with_costs(random_graph(rng, fewest_nodes(size), size), rng)
        if rng.random() < self.config.network_rounds:
            return Round(graph, get_mode("network"))
        return Round(graph, any_size(self.mode, graph, rng))

    def observe(self, batch: Experiences, size: int) -> GraphBatch:
        """Return remembered boards as the network sees them."""
        positions = []
        status = unpack(batch["board"], size)
        for board, start, memory in zip(status, batch["round"], batch["memory"], strict=True):
            graph, mode = self.round(size, int(start))
            positions.append(GraphPosition.of_board(graph, board[: graph.n], int(memory), mode))
        return show_graphs(positions, size)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        squares = self.numbers(batch["squares"].astype(np.int64))
        moves, prices = self.numbers(batch["moves"]), self.numbers(batch["prices"])
        output = self.forward(self.observe(batch, size).to(self.device))
        best = prices.amin(1, keepdim=True)
        worth = -((prices - best) / (SHADE * best)).clamp(max=WORST)
        choice = F.smooth_l1_loss(
            centred(output.logits.gather(1, squares)), centred(worth), reduction="none"
        ).mean(1)
        value = F.smooth_l1_loss(output.value, -moves, reduction="none") / (1 + 0.1 * moves)
        loss = choice.mean() + self.config.value_weight * value.mean()
        return loss, {
            "choice": float(choice.detach().mean()),
            "value": float(value.detach().mean()),
        }

    def validation(self, size: int, count: int) -> dict[str, list[Games]]:
        groups: dict[str, list[Games]] = {}
        for kind in RANDOM_GRAPHS:
            rng = np.random.default_rng([VALIDATION_SEED, size, len(groups)])
            graphs = [
                random_graph(rng, fewest_nodes(size), size, kind)
                for _ in range(min(count, VALIDATION_GRAPHS))
            ]
            groups[kind] = [Games(np.ones((1, graph.n)), self.mode, graph) for graph in graphs]
        return groups


# -- random graphs and boards on them --------------------------------------------------------


def fewest_nodes(size: int) -> int:
    """Return the least number of nodes of graphs that have up to `size`."""
    return min(FEWEST, max(4, size // 2))


def with_costs(graph: Topology, rng: np.random.Generator) -> Topology:
    """Give a share of the graphs random node costs of mean 1."""
    if rng.random() >= COSTLY:
        return graph
    costs = np.exp(COST_SPREAD * rng.standard_normal(graph.n))
    return replace(graph, costs=costs / costs.mean())


def any_size(mode: Mode, graph: Topology, rng: np.random.Generator) -> Mode:
    """Return the mode with a random size that pieces may have (W in shatter), if that is an option.

    A size that the user gave stays. It is less than the graph, so that there is something to do.
    """
    given = mode.allowed_size(graph.n)
    if given is None:
        return mode
    drawn = int(np.exp(rng.uniform(*np.log(ALLOWED))) * graph.n)
    allowed = given if mode.options() else drawn
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


# -- look-ahead ------------------------------------------------------------------------------


def short_list(here: Games, logits: Tensor, count: int, rng: np.random.Generator) -> Rows:
    """Return the `count` nodes of each position that look best, and a few of those after them.

    Where a position has fewer nodes, some come twice.
    """
    ranked = np.argsort(-logits.numpy(), axis=1, kind="stable")  # [B, N]  the illegal ones last
    places = count + np.argsort(rng.random((len(here), AMONG)), axis=1)[:, :OTHERS]
    places = np.concatenate([np.tile(np.arange(count), (len(here), 1)), places], axis=1)
    chosen: Rows = np.take_along_axis(ranked, places % here.legal.sum(1, keepdims=True), axis=1)
    return chosen


def rolled_out(
    games: Games, squares: Rows, rng: np.random.Generator
) -> tuple[Floats, Floats]:  # [B, K] each
    """Return the price and the cost of each game if it goes on with one of these moves.

    After the move, the node of the highest betweenness in the largest piece goes, again and again.
    """
    graph, grows = games.topology, games.mode.remembers
    prices, costs = np.zeros(squares.shape), np.zeros(squares.shape)
    for row, (status, memory) in enumerate(zip(games.status, games.memory, strict=True)):
        part = subgraph(graph.indptr, graph.indices, np.flatnonzero(status == ACTIVE))
        everything = np.ones(len(part.nodes), dtype=np.bool_)
        whole = max(map(len, components(part.indptr, part.indices, everything)))
        seed = int(rng.integers(2**32))
        for k, first in enumerate(np.searchsorted(part.nodes, squares[row])):
            order = np.concatenate([[first], betweenness_after(part, first, memory, graph, seed)])
            curve = curve_of(part.indptr, part.indices, order)
            most = np.maximum.accumulate(curve.second) if grows else np.zeros_like(curve.second)
            moves = 1 + int((curve.largest <= np.maximum(most, memory)).argmax())
            paid = graph.costs[part.nodes[order[:moves]]]
            met = np.concatenate([[whole], curve.largest])[:moves] / graph.n
            costs[row, k] = paid.sum()
            prices[row, k] = paid.sum() if grows else (paid * met).sum()
    return prices, costs


def betweenness_after(part: Subgraph, first: int, stop: int, graph: Topology, seed: int) -> Rows:
    """Return the nodes that go by betweenness after the first one; `stop` is as for an order."""
    rest = np.delete(np.arange(len(part.nodes)), first)
    left = subgraph(part.indptr, part.indices, rest)
    sources = 0 if len(rest) <= EXACT else SOURCES
    costs = graph.costs[part.nodes[rest]]
    return rest[betweenness_order(left.indptr, left.indices, costs, stop, sources, 1, seed)]


def centred(values: Tensor) -> Tensor:  # [B, K]
    """Return the values less the mean of their row."""
    return values - values.mean(1, keepdim=True)
