"""Learned agents: a trained Q-network that plays its best square."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from pinchpoint.checks import file_path
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.graph.algorithms import subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.learning.graph_observation import GraphPosition, show_graphs
from pinchpoint.learning.nets import Output, QNet, threads_for
from pinchpoint.learning.weights import Card, load_weights, shipped
from pinchpoint.types import Array, Rows, Squares


@dataclass(frozen=True, eq=False)
class LearnedAgent:
    """Plays the square with the highest Q, in any mode: on any rectangle, or on any graph."""

    name: str
    net: QNet
    card: Card

    @property
    def plays_graphs(self) -> bool:
        """Whether it learned on graphs and plays any of them."""
        return self.net.sees == "graph"

    def act(self, games: Games) -> Squares:
        squares = np.full(len(games), -1, dtype=np.int64)
        going = np.flatnonzero(~games.done)
        if len(going):
            running = games if len(going) == len(games) else games.take(going)
            squares[going] = self.preferences(running).argmax(axis=1)
        return squares

    def preferences(self, games: Games) -> npt.NDArray[np.float32]:  # [B, N]
        """Return numbers that rank the squares as Q does; -inf where illegal.

        On graphs, where games may last 100,000 moves, rounding makes many values of Q equal; so the
        network's own preference ranks them there.
        """
        output = self._evaluate(games)
        return (output.logits if self.plays_graphs else output.q).numpy()

    def preferences_in(
        self, graph: Topology, pieces: list[Rows], allowed: int, far_sources: int
    ) -> list[Array]:  # [n] each
        """Return the same for the nodes of pieces of a graph, each in shatter with W `allowed`.

        There are no games to it, so pieces of a graph of a million nodes cost what they hold; and
        betweenness, which the network is shown, comes from `far_sources`.
        """
        if not pieces:
            return []
        number = np.full(graph.n, -1, dtype=np.int32)
        positions = [
            GraphPosition(
                subgraph(graph.indptr, graph.indices, nodes, number), graph.costs[nodes], allowed
            )
            for nodes in pieces
        ]
        with torch.inference_mode(), threads_for(sum(map(len, pieces))):
            shown = show_graphs(positions, far_sources=far_sources)
            liked = self.net(shown.to(self.net.device)).logits.cpu().numpy()
        return [row[: len(nodes)] for row, nodes in zip(liked, pieces, strict=True)]

    def q_values(self, games: Games) -> npt.NDArray[np.float32]:  # [B, N]
        """Return Q of every square: minus the moves to the end, or -inf where illegal."""
        return self._evaluate(games).q.numpy()

    def values(self, games: Games) -> npt.NDArray[np.float32]:  # [B]
        """Return the value of each board: minus the moves to the end; 0 where the game is over."""
        return np.where(games.done, np.float32(0), self._evaluate(games).value.numpy())

    def check_topology(self, topology: Topology) -> None:
        """Raise InputError on a graph, unless it learned on graphs."""
        if topology.image_shape is None and not self.plays_graphs:
            raise InputError(f"agent {self.name!r} plays lattices only, not general graphs")

    def _evaluate(self, games: Games) -> Output:
        self.check_topology(games.topology)
        return self.net.evaluate(games)


def load_agent(name: str | Path, seed: int = 0, network: str | None = None) -> LearnedAgent:
    """Load a shipped agent by name, or any other by the path of its .safetensors file.

    `network` names a network of the user's own, as package.module:Name; a card does not load code.
    """
    path = shipped().get(str(name))
    if path is None:
        path = file_path(name)
        if path.suffix != ".safetensors":
            known = ", ".join(shipped()) or "none yet"
            raise InputError(
                f"there is no shipped agent {str(name)!r}; choose from {known}, "
                "or give the path of a .safetensors file"
            )
    net, card = load_weights(path, network)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    title = path.stem if str(name) in shipped() else str(name)
    return LearnedAgent(title, net.to(device), card)


def make_from_file(argument: str, seed: int) -> LearnedAgent:
    """Load the agent whose file stands after the colon: PATH, or PATH:package.module:Network."""
    if not argument:
        raise InputError("agent 'weights' needs a file: weights:PATH.safetensors")
    path, ending, network = argument.partition(".safetensors:")
    if ending:
        return load_agent(Path(path + ".safetensors"), network=network)
    return load_agent(Path(argument))
