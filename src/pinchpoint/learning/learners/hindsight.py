"""Double Q-learning on several squares of each position, with what a finished game proves.

A return that was really achieved is a lower bound of Q, so it lifts every target that is below it
("optimality tightening", He et al., arXiv 1611.01606). The target network is the running mean of
the weights. Targets are computed once, when a position is met: then each costs a share of an
evaluation an update, and many squares of a position can be learned at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from pinchpoint.game.engine import Games
from pinchpoint.game.plans import Plans, cheapest_of, plan_lengths
from pinchpoint.learning.config import number
from pinchpoint.learning.learners.base import AveragedConfig, AveragedLearner
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.positions import (
    columns_of_positions,
    experiences_of,
    q_losses,
    show_batch,
)
from pinchpoint.learning.replay import Columns, Experiences
from pinchpoint.learning.self_play import (
    epsilon_greedy,
    good_squares,
    lay_boards,
    q_targets,
    some_positions,
    squares_to_learn,
    start_midgame,
)
from pinchpoint.types import Array

POLISHED = 4  # a rest of a game that was polished before needs so many times fewer swaps


@dataclass(frozen=True)
class HindsightConfig(AveragedConfig):
    """The preset `q` has settings that learn well."""

    learner: str = "hindsight"
    n_step: int = number(1, 1)
    """Moves summed up before the target network's estimate takes over …"""
    one_step: float = number(0.5, 0, 1)
    """… but for this share of the targets, where it does after one move."""
    huber: bool = False
    """Huber loss in place of the squared error."""
    tries: int = number(8, 1)
    """Games on each board, of which the shortest is learned from."""
    swaps: int = number(1000, 0)
    """Trials to shorten each game by swapping a move for a square nearby."""
    wander: float = number(0.5, 0, 1)
    """Share of boards learned from the middle of a game of the network."""
    positions: int = number(0, 0)
    """Positions of each game that are learned, drawn by chance; 0 for all."""
    tried: int = number(4, 1)
    """Squares that look best at a position and are learned, beside others."""
    choice_weight: float = number(4.0, 0)
    """Weight of the differences between squares in the loss."""


class HindsightLearner(AveragedLearner):
    """Q-learning whose targets are never below a return that was really achieved."""

    Config = HindsightConfig
    config: HindsightConfig

    def columns(self, size: int) -> Columns:
        return columns_of_positions(size, self.config.tried + 2)

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        laid = lay_boards(c, self.mode, size, start, c.boards, self.highest_p(rng))
        explore = epsilon_greedy(self.mean, c.epsilon(step), rng)
        games = start_midgame(laid, self.mean, explore, c.wander, rng)
        plans = shuffled(games, cheapest_of(games, explore, c.tries, c.swaps, rng), rng)
        here, to_come = some_positions(games, plans, c.positions, rng)
        known, q = good_squares(here, to_come), self.mean.q_values(here)
        squares = squares_to_learn(here, known, q, c.tried, c.epsilon(step), rng)
        # After how many moves the target network's estimate takes over:
        steps = np.where(rng.random(squares.shape) < c.one_step, 1, c.n_step)
        targets = q_targets(
            here, to_come, squares, steps, c.swaps // POLISHED,
            lambda then: double_q(self.net, self.mean, then), rng,
        )  # fmt: skip
        return experiences_of(here, to_come, known, squares, targets)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        shown = show_batch(batch, self.net, size, symmetry)
        parts = q_losses(self.forward(shown.boards).q, shown, self.config.huber)
        loss = parts["value"] + self.config.choice_weight * (parts["choice"] + parts["known"])
        return loss.mean(), {name: float(part.detach().mean()) for name, part in parts.items()}


def shuffled(games: Games, plans: Plans, rng: np.random.Generator) -> Plans:
    """Put the moves of each plan in random order, where that finishes in as many moves."""
    order = np.where(plans >= 0, rng.random(plans.shape), 2.0).argsort(axis=1)
    mixed: Plans = np.take_along_axis(plans, order, axis=1)
    ends = games.copy()
    as_good = (ends.follow(mixed).sum(axis=1) == plan_lengths(plans)) & ends.done
    return np.where(as_good[:, None], mixed, plans)


def double_q(chooser: QNet, valuer: QNet, games: Games) -> Array:  # [B]
    """Return Q of the valuer for the square that the chooser likes best; 0 for finished games.

    A game that is not over takes a move at least, the cheapest. This keeps estimates that are too
    high from lifting each other without end.
    """
    values = np.zeros(len(games), dtype=np.float32)
    on = np.flatnonzero(~games.done)
    running = games.take(on)
    choice = chooser.q_values(running).argmax(1)
    least = games.topology.costs.min()
    values[on] = np.minimum(valuer.q_values(running)[np.arange(len(on)), choice], -least)
    return values
