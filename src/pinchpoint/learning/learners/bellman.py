"""The paper's Algorithm 1: double Q-learning on single moves, or on n of them.

Now and then a few games are played ε-greedily, and every move of them is an experience: a board, a
square, the board after it and the reward. The loss is the error of Bellman's equation, with a
target network that is copied from time to time.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import Plans, plan_lengths, play_all
from pinchpoint.game.state import ACTIVE
from pinchpoint.learning.config import TrainConfig, number
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.replay import Columns, Experiences, Replay, pack
from pinchpoint.learning.self_play import (
    epsilon_greedy,
    lay_boards,
    observe_packed,
    squares_under,
)


@dataclass(frozen=True)
class BellmanConfig(TrainConfig):
    """Defaults are the paper's."""

    learner: str = "bellman"
    rollout_every: int = number(1000, 1)
    """Updates between rollouts (T_rollout)."""
    rollout_games: int = 10
    """Games a rollout (N_rollout)."""
    target_every: int = number(1000, 1)
    """Updates between copies to the target network (T_update)."""
    n_step: int = number(1, 1)
    """Moves summed up before the target network's estimate takes over."""
    huber: bool = False
    """Huber loss in place of the squared error."""


class BellmanLearner(Learner):
    """The paper's learner."""

    Config = BellmanConfig
    config: BellmanConfig

    def __init__(
        self, config: BellmanConfig, mode: Mode, net: QNet, forward: torch.nn.Module
    ) -> None:
        super().__init__(config, mode, net, forward)
        self.round_boards = config.rollout_games
        self.target = copy.deepcopy(net).requires_grad_(False)
        self.extra = {"target": self.target}
        self.last_rollout = -1

    def columns(self, size: int) -> Columns:
        packed = ((size * size + 3) // 4,)
        return {
            "board": (packed, np.uint8),
            "square": ((), np.int32),
            "next_board": (packed, np.uint8),
            "reward": ((), np.float32),
        }

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        # Algorithm 1 starts from an empty memory and cannot sample before the first rollout.
        due = step > 0 and step % self.config.rollout_every == 0 and step != self.last_rollout
        return len(replay) == 0 or due

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        games = lay_boards(c, self.mode, size, start, c.rollout_games, c.p_high)
        explore = epsilon_greedy(self.net, c.epsilon(step), rng)
        self.last_rollout = step
        return n_step_experiences(games, play_all(games, explore), c.n_step)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        sees = self.net.sees
        boards = observe_packed(sees, batch["board"], size, symmetry).to(self.device)
        after = observe_packed(sees, batch["next_board"], size, symmetry).to(self.device)
        chosen = squares_under(symmetry, batch["square"], size).to(self.device)[:, None]
        q = self.forward(boards).q.gather(1, chosen)[:, 0]
        target = double_q_target(self.net, self.target, after, self.numbers(batch["reward"]))
        distance = F.smooth_l1_loss if self.config.huber else F.mse_loss
        return distance(q, target), {"q": float(q.detach().mean())}

    def updated(self, step: int) -> None:
        if step % self.config.target_every == 0:
            self.target.load_state_dict(self.net.state_dict())

    def log(self, step: int) -> dict[str, float]:
        return {"epsilon": self.config.epsilon(step)}


def double_q_target(net: QNet, target: QNet, after: Tensor, reward: Tensor) -> Tensor:  # [B]
    """Return r + Q_target(s', argmax Q(s', ·)): one network chooses, the other values."""
    with torch.no_grad():
        choice = net(after).q.argmax(1, keepdim=True)
        value = target(after).q.gather(1, choice)[:, 0]
    over = after[:, ACTIVE].flatten(1).sum(1) == 0
    return reward + torch.where(over, 0.0, value)


def n_step_experiences(games: Games, plans: Plans, n_step: int) -> Experiences:
    """Return every move of the games with the board n moves later and the reward in between.

    Columns: `board`, `square`, `next_board` (n moves later, or at the end), `reward` (-1 a move).
    """
    running = games.copy()
    boards = [pack(running.status)]
    for k in range(plans.shape[1]):
        running.play(plans[:, k])
        boards.append(pack(running.status))
    states = np.stack(boards, axis=1)  # [B, K + 1, packed]
    rows, now = np.nonzero(plans >= 0)
    then = np.minimum(now + n_step, plan_lengths(plans)[rows])
    return {
        "board": states[rows, now],
        "square": plans[rows, now].astype(np.int32),
        "next_board": states[rows, then],
        "reward": -(then - now).astype(np.float32),
    }
