"""The network for graphs: nodes send messages to their neighbours and to a global node.

Each layer gives every node the mean of its neighbours' messages and what the global node knows, and
a gate decides how much of the news it takes on. The boards of a batch are pieces of one graph, so
graphs of different sizes go together without padding. Renumbered nodes get the same values.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pinchpoint.game.engine import Games
from pinchpoint.learning.graph_observation import (
    BOARD_FEATURES,
    LEADING,
    NODE_FEATURES,
    GraphBatch,
    positions_in,
    show_graphs,
)
from pinchpoint.learning.nets import BOUND, Output, QNet

LEAN, FIRST_SAY = 8.0, 0.001  # how strongly a fresh network leans on betweenness, and on the layers
UNIT = 0.25  # moves of regret a unit of preference


class GraphLayer(nn.Module):
    """One round of messages."""

    def __init__(self, channels: int, leak: float) -> None:
        super().__init__()
        self.leak = leak
        self.norm, self.board_norm = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.message = nn.Linear(channels, channels)
        self.from_near = nn.Linear(3 * channels, 2 * channels)
        self.from_board = nn.Linear(channels, 2 * channels, bias=False)
        self.to_board = nn.Linear(3 * channels, 2 * channels)

    def forward(self, nodes: Tensor, boards: Tensor, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        here, whole = self.norm(nodes), self.board_norm(boards)
        near = mean_of_neighbours(F.leaky_relu(self.message(here), self.leak), batch)
        # A mean forgets how many there were: once more, scaled by the degree.
        many = near * batch.crowd
        news = self.from_near(torch.cat([here, near, many], 1))
        nodes = nodes + gated(news + given_to_nodes(self.from_board(whole), batch))
        known = torch.cat([whole, *pooled_by_board(nodes, batch)], 1)
        return nodes, boards + gated(self.to_board(known))


class GraphNet(QNet):
    """A few layers, then a value of the board and a preference among its nodes.

    The preference is betweenness and what the layers add to it. They add next to nothing at first:
    a fresh network attacks the node of the highest betweenness, and learns when not to.
    """

    def __init__(self, sees: str, channels: int, depth: int, leak: float) -> None:
        super().__init__(sees)
        self.leak = leak
        self.node_stem = nn.Linear(len(NODE_FEATURES), channels)
        self.board_stem = nn.Linear(len(BOARD_FEATURES), channels)
        self.layers = nn.ModuleList(GraphLayer(channels, leak) for _ in range(depth))
        self.local_value = nn.Linear(channels, 1)
        self.board_value = two_layers(channels, channels, leak)
        self.policy = two_layers(2 * channels, channels, leak)
        last = list(self.policy.parameters())[-2]  # the weights before its one number
        nn.init.uniform_(last, -FIRST_SAY, FIRST_SAY)
        self.lean = nn.Parameter(torch.tensor([LEAN]))

    def observe(self, games: Games, first: int, last: int) -> GraphBatch:
        return show_graphs(positions_in(games, range(first, last)), games.topology.n)

    def forward(self, boards: GraphBatch) -> Output:
        nodes, whole = self.node_stem(boards.nodes), self.board_stem(boards.boards)
        for layer in self.layers:
            nodes, whole = layer(nodes, whole, boards)
        nodes, whole = F.leaky_relu(nodes, self.leak), F.leaky_relu(whole, self.leak)
        moves = summed_by_board(self.local_value(nodes), boards) + self.board_value(whole)
        around = given_to_nodes(whole, boards).expand_as(nodes)
        added = self.policy(torch.cat([nodes, around], 1))[:, 0].float()
        preference = self.lean * boards.nodes[:, LEADING] + added
        room = preference.new_full((len(whole) * boards.width,), -torch.inf)
        logits = room.index_copy(0, boards.place, preference).view(len(whole), boards.width)
        return ranked_by_preference(moves[:, 0], logits)


def ranked_by_preference(moves: Tensor, logits: Tensor) -> Output:  # [B], [B, N]
    """Return Q: the value of the board minus a bounded regret, which ranks nodes by preference.

    No loss fits the regret. Nodes that may not be attacked have a preference of minus infinity.
    """
    gap = logits.amax(1, keepdim=True) - logits  # inf where illegal
    regret = BOUND * torch.tanh(gap * (UNIT / BOUND))
    q = (-moves[:, None] - regret).masked_fill(logits.isneginf(), -torch.inf)
    return Output(q, -moves, logits)


def two_layers(inputs: int, channels: int, leak: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, channels), nn.LeakyReLU(leak), nn.Linear(channels, 1))


def gated(news: Tensor) -> Tensor:  # [., 2 C] -> [., C]
    """Return the first half of the channels as far as the second half lets it through."""
    return F.glu(news, 1)


def mean_of_neighbours(messages: Tensor, batch: GraphBatch) -> Tensor:  # [V, C] -> [V, C]
    """Return the mean of the messages around each node, 0 where there is none."""
    # PyTorch sums sooner than it takes means.
    total = F.embedding_bag(
        batch.near, messages, batch.starts, mode="sum", include_last_offset=True
    )
    return total * batch.share


# A batch is often one board, for which these three have a faster way.


def given_to_nodes(values: Tensor, batch: GraphBatch) -> Tensor:  # [B, C] -> [V, C] or [1, C]
    """Return the values of each node's board, in one row if there is one board."""
    return values if len(values) == 1 else values.index_select(0, batch.board)


def summed_by_board(values: Tensor, batch: GraphBatch) -> Tensor:  # [V, C] -> [B, C]
    if len(batch.boards) == 1:
        return values.sum(0, keepdim=True)
    room = values.new_zeros(len(batch.boards), values.shape[1])
    return room.index_add(0, batch.board, values)


def pooled_by_board(nodes: Tensor, batch: GraphBatch) -> tuple[Tensor, Tensor]:  # [B, C] each
    """Return each channel's mean and maximum over the nodes of each board; 0 without nodes."""
    mean = summed_by_board(nodes, batch) / batch.sizes
    if len(batch.boards) == 1 and len(nodes):
        return mean, nodes.amax(0, keepdim=True)
    room = nodes.new_zeros(len(batch.boards), nodes.shape[1])
    index = batch.board[:, None].expand_as(nodes)
    return mean, room.scatter_reduce(0, index, nodes, "amax", include_self=False)
