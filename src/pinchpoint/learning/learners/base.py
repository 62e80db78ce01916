"""What the training loop asks of a learner.

A learner plays games, says what an experience holds, and gives the loss of a batch of them. A
learner of your own is a subclass, with a frozen dataclass of its settings as `Config`.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.learning.config import TrainConfig, number
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.replay import Columns, Experiences, Replay
from pinchpoint.learning.self_play import validation_boards
from pinchpoint.types import Array

MINIMUM = 2000  # experiences before the first update of `AveragedLearner`


class Learner(ABC):
    """A way to learn; the loop in `train.py` calls its methods from top to bottom."""

    Config: ClassVar[type[TrainConfig]]
    on_graphs: ClassVar[bool] = False  # whether it takes networks that see graphs, or lattices
    round_boards: int  # boards that one round of games takes

    def __init__(self, config: Any, mode: Mode, net: QNet, forward: Any) -> None:
        """Learn with `net`; `forward` is the same network, wrapped where processes share it."""
        if self.on_graphs != (net.sees == "graph"):
            raise InputError(
                f"learner {config.learner} learns on {'graphs' if self.on_graphs else 'lattices'}; "
                f"network {config.network} is for {'lattices' if self.on_graphs else 'graphs'}"
            )
        self.config, self.mode, self.net, self.forward = config, mode, net, forward
        self.device = net.device
        self.extra: dict[str, QNet] = {}  # networks beside the one that learns, saved with it
        self.player = net  # the network that plays, is validated and is shipped

    @abstractmethod
    def columns(self, size: int) -> Columns:
        """Return what an experience on a board of this size holds."""

    @abstractmethod
    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        """Tell whether to play before the next update; `used` experiences were taken so far."""

    @abstractmethod
    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        """Play one round on the boards from number `start` on."""

    @abstractmethod
    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        """Return the loss of a batch under a symmetry, and its parts for the log."""

    def updated(self, step: int) -> None:
        """Do what follows an update; `step` counts it."""
        return

    def log(self, step: int) -> dict[str, float]:
        """Return numbers of its own for the log."""
        return {}

    def validation(self, size: int, count: int) -> dict[str, list[Games]]:
        """Return the games of validation, the same each time, by a word for each group."""
        return validation_boards(self.mode, size, count)

    def numbers(self, column: Array) -> Tensor:
        """Return a column of numbers as a tensor where the network is."""
        return torch.from_numpy(column).to(self.device)


@dataclass(frozen=True)
class AveragedConfig(TrainConfig):
    """The settings of an `AveragedLearner`."""

    boards: int = number(32, 1)
    """Boards played at a time."""
    sparse: float = number(0.7, 0, 1)
    """Share of rounds with p in the lower half of its range: short games."""
    replay_ratio: float = 8.0
    """How often each experience is used."""
    averaging: float = 0.998
    """Decay of the running mean of the weights; the mean is what plays."""


class AveragedLearner(Learner):
    """A learner in which the running mean of the weights plays, as often as the memory needs it."""

    config: AveragedConfig

    def __init__(self, config: Any, mode: Mode, net: QNet, forward: Any) -> None:
        super().__init__(config, mode, net, forward)
        self.round_boards = self.config.boards
        self.player = self.mean = copy.deepcopy(net).requires_grad_(False)
        self.extra = {"mean": self.mean}

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        """Tell whether the memory holds too little, or was used too often for what was added."""
        too_little = replay.added < min(MINIMUM, replay.capacity)
        return too_little or used >= self.config.replay_ratio * replay.added

    def highest_p(self, rng: np.random.Generator) -> float:
        """Return the most that p may be in a round: now and then the middle, for short games."""
        low, high = self.config.p_low, self.config.p_high
        return (low + high) / 2 if rng.random() < self.config.sparse else high

    def updated(self, step: int) -> None:
        """Let the running mean of the weights follow them."""
        decay = min(self.config.averaging, 1 - 1 / (step + 10))  # young means forget faster
        with torch.no_grad():
            for old, new in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                old.lerp_(new, 1 - decay)
