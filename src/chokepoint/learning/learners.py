"""Two ways to learn from self-play: Bellman's equation, and whole games, the best of many.

A learner says what an experience holds, plays games to add some to the replay, and gives the loss
of a batch of them.
"""

from __future__ import annotations

import copy
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from chokepoint.game import Mode
from chokepoint.graph import moved_squares, transform
from chokepoint.learning.config import TrainConfig
from chokepoint.learning.nets import QNet, one_hot
from chokepoint.learning.replay import Replay, unpack, unpack_bits
from chokepoint.learning.selfplay import exploring_games, improved_games

Batch = dict[str, npt.NDArray[Any]]
MINIMUM = 2000  # experiences before `plans` makes its first update


class Learner(Protocol):
    """What the training loop asks of a way to learn."""

    extra: dict[str, QNet]  # networks beside the one that learns, saved with it

    def columns(self, n: int) -> dict[str, tuple[tuple[int, ...], Any]]: ...

    def wants_games(self, step: int, replay: Replay, since: int) -> bool:
        """Whether to play before the next update; `since` counts experiences used on this size."""
        ...

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> tuple[Batch, int]:
        """Experiences from boards number `start` on, and how many boards were used."""
        ...

    def loss(self, batch: Batch, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]: ...

    def updated(self, step: int) -> None:
        """Called after every update."""
        ...

    def player(self) -> QNet:
        """The network that plays, is validated and is shipped."""
        ...


class BellmanLearner:
    """The paper's: double Q-learning on single moves (or n of them), with a target network."""

    def __init__(self, config: TrainConfig, mode: Mode, net: QNet, forward: Any) -> None:
        self.config, self.mode, self.net, self.forward = config, mode, net, forward
        self.target = copy.deepcopy(net).requires_grad_(False)
        self.extra = {"target": self.target}
        self.device = next(net.parameters()).device

    def columns(self, n: int) -> dict[str, tuple[tuple[int, ...], Any]]:
        packed = ((n + 3) // 4,)
        return {
            "board": (packed, np.uint8),
            "square": ((), np.int32),
            "next_board": (packed, np.uint8),
            "reward": ((), np.float32),
        }

    def wants_games(self, step: int, replay: Replay, since: int) -> bool:
        # Algorithm 1 starts from an empty memory and cannot sample before the first rollout.
        return len(replay) == 0 or (step > 0 and step % self.config.rollout_every == 0)

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> tuple[Batch, int]:
        c = self.config
        games = exploring_games(
            self.net, self.mode, (size, size), (c.p_low, c.p_high), c.seed, start,
            c.rollout_games, c.epsilon(step), c.n_step, rng, self.device,
        )  # fmt: skip
        return games, c.rollout_games

    def loss(self, batch: Batch, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        boards = self._boards(batch["board"], size, symmetry)
        after = self._boards(batch["next_board"], size, symmetry)
        squares = moved_squares(size, size, symmetry)[batch["square"]]
        reward = torch.from_numpy(batch["reward"]).to(self.device)
        chosen = torch.from_numpy(squares).to(self.device)[:, None]
        q = self.forward(boards).q.gather(1, chosen)[:, 0]
        goal = self.targets(after, reward)
        distance = F.smooth_l1_loss if self.config.huber else F.mse_loss
        return distance(q, goal), {"q": float(q.detach().mean())}

    def targets(self, after: Tensor, reward: Tensor) -> Tensor:
        """r + Q_target(s', argmax Q(s', ·)): the one network chooses, the other values."""
        with torch.no_grad():
            choice = self.net(after).q.argmax(1, keepdim=True)
            value = self.target(after).q.gather(1, choice)[:, 0]
        over = after[:, 1].flatten(1).sum(1) == 0  # no active square is left
        return reward + torch.where(over, 0.0, value)

    def updated(self, step: int) -> None:
        if step % self.config.target_every == 0:
            self.target.load_state_dict(self.net.state_dict())

    def player(self) -> QNet:
        return self.net

    def _boards(self, packed: npt.NDArray[np.uint8], size: int, symmetry: int) -> Tensor:
        return _tensor_boards(packed, size, symmetry).to(self.device)


class PlanLearner:
    """Ours: imitate the best of several games that the network itself plays, polished."""

    def __init__(self, config: TrainConfig, mode: Mode, net: QNet, forward: Any) -> None:
        self.config, self.mode, self.net, self.forward = config, mode, net, forward
        self.mean = copy.deepcopy(net).requires_grad_(False)
        self.extra = {"mean": self.mean}
        self.device = next(net.parameters()).device

    def columns(self, n: int) -> dict[str, tuple[tuple[int, ...], Any]]:
        return {
            "board": (((n + 3) // 4,), np.uint8),
            "good": (((n + 7) // 8,), np.uint8),
            "moves": ((), np.float32),
        }

    def wants_games(self, step: int, replay: Replay, since: int) -> bool:
        enough = min(MINIMUM, self.config.replay)
        return replay.added < enough or since >= self.config.replay_ratio * replay.added

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> tuple[Batch, int]:
        c = self.config
        high = (c.p_low + c.p_high) / 2 if rng.random() < c.sparse else c.p_high
        games = improved_games(
            self.mean, self.mode, (size, size), (c.p_low, high), c.seed, start,
            c.boards, c.tries, c.swaps, c.wander, rng, self.device,
        )  # fmt: skip
        return games, c.boards

    def loss(self, batch: Batch, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        boards = _tensor_boards(batch["board"], size, symmetry).to(self.device)
        mask = unpack_bits(batch["good"], size * size).reshape(-1, size, size)
        moved = np.ascontiguousarray(transform(mask, symmetry))
        good = torch.from_numpy(moved).flatten(1).to(self.device, torch.float32)
        moves = torch.from_numpy(batch["moves"]).to(self.device)
        output = self.forward(boards)
        choice = F.log_softmax(output.logits, 1).masked_fill(boards[:, 1].flatten(1) == 0, 0.0)
        policy = -(choice * good).sum(1) / good.sum(1)
        # Relative to the length of the game, or long games would drown the rest.
        error = F.smooth_l1_loss(output.value, -moves, reduction="none") / (1 + 0.1 * moves)
        loss = policy.mean() + self.config.value_weight * error.mean()
        return loss, {
            "policy": float(policy.detach().mean()),
            "value": float(error.detach().mean()),
        }

    def updated(self, step: int) -> None:
        decay = min(self.config.averaging, 1 - 1 / (step + 10))  # young means forget faster
        with torch.no_grad():
            pairs = zip(self.mean.parameters(), self.net.parameters(), strict=True)
            for mean, new in pairs:
                mean.lerp_(new, 1 - decay)

    def player(self) -> QNet:
        return self.mean


LEARNERS: dict[str, Any] = {"bellman": BellmanLearner, "plans": PlanLearner}


def _tensor_boards(packed: npt.NDArray[np.uint8], size: int, symmetry: int) -> Tensor:
    status = unpack(packed, size * size).reshape(-1, size, size)
    return one_hot(np.ascontiguousarray(transform(status, symmetry)), size, size)
