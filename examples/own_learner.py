"""A network and a learner of your own: how many moves does random play still take?

    cd examples
    pinchpoint train --mode flow --learner own_learner:MovesLeft --network own_learner:Smooth \
        --network-options steps=3 --out moves-left --sizes 8 --updates 300
    pinchpoint play weights:moves-left/agent.safetensors:own_learner:Smooth --mode flow --size 8
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import plan_lengths, play_all
from pinchpoint.learning.config import TrainConfig, number
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.nets import Output, QNet, mask_illegal
from pinchpoint.learning.observation import OBSERVATIONS
from pinchpoint.learning.replay import Columns, Experiences, Replay, pack
from pinchpoint.learning.self_play import lay_boards, observe_packed


class Smooth(QNet):
    """One convolution, applied `steps` times."""

    def __init__(self, sees: str, channels: int, depth: int, leak: float, steps: int = 1) -> None:
        super().__init__(sees)
        self.steps = steps
        self.first = nn.Conv2d(OBSERVATIONS[sees].channels, channels, 1)
        self.again = nn.Conv2d(channels, channels, 3, padding=1)
        self.last = nn.Conv2d(channels, 1, 1)

    def forward(self, boards: Tensor) -> Output:
        x = self.first(boards)
        for _ in range(self.steps):
            x = torch.tanh(self.again(x))
        q = mask_illegal(-self.last(x).flatten(1).exp(), boards)
        return Output(q, q.amax(1), q)


@dataclass(frozen=True)
class MovesLeftConfig(TrainConfig):
    """Settings of its own, beside those that all learners share: options of the command line."""

    games: int = number(4, 1)
    """Random games a round."""


class MovesLeft(Learner):
    """Fits the value of a board to the moves that random play takes on it."""

    Config = MovesLeftConfig

    def __init__(self, config: MovesLeftConfig, mode: Mode, net: QNet, forward: Any) -> None:
        super().__init__(config, mode, net, forward)
        self.round_boards = config.games

    def columns(self, size: int) -> Columns:
        return {"board": (((size * size + 3) // 4,), np.uint8), "moves": ((), np.float32)}

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        return used >= 4 * replay.added

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        games = lay_boards(c, self.mode, size, start, c.games, c.p_high)
        plans = play_all(games, lambda running, rows: running.random_squares(start))
        return {"board": pack(games.status), "moves": plan_lengths(plans).astype(np.float32)}

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        boards = observe_packed(self.net.sees, batch["board"], size, symmetry)
        error = self.forward(boards.to(self.device)).value + self.numbers(batch["moves"])
        return error.square().mean(), {}
