"""Four ways to learn from self-play. A learner plays games, keeps experiences and gives a loss.

- `bellman`: the paper's double Q-learning on single moves (or n of them).
- `hindsight`: double Q-learning whose targets are never below a return that was really achieved.
- `plans`: imitation of the best of several finished games, each pruned and polished.
- `rollouts`: look-ahead on graphs, with betweenness as the rule that plays on.

The first half of this file is the learners, the second half the self-play that feeds them. The loop
that calls both is `train.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import (
    Choose,
    Plans,
    best_of,
    cheapest_of,
    draw,
    plan_costs,
    plan_lengths,
    play_all,
    polish,
    prune,
)
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.algorithms import Subgraph, components, subgraph
from pinchpoint.graph.topology import Topology
from pinchpoint.learning.arenas import Columns, Experiences, LatticeArena, make_arena
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.nets import BOUND, NetEvaluator, Output, QNet, evaluate
from pinchpoint.learning.replay import Replay, pack, pack_bits
from pinchpoint.order.betweenness import betweenness_order
from pinchpoint.order.orders import curve_of
from pinchpoint.types import Array, Bools, Bytes, Floats, Rows, Squares

MINIMUM = 2000  # experiences before the first update, except for `bellman`
POLISHED = 4  # a rest of a game that was polished before needs so many times fewer swaps
SHARPNESS = 4.0  # plans: a regret of a move, or two units of preference, is hardly ever chosen
OTHERS, AMONG = 3, 24  # rollouts: nodes tried beside the best, drawn from so many that rank next
POSITIONS = 4  # rollouts: of each game
SHADE = 0.03  # rollouts: how much more a game may cost for one unit of preference less
WORST = 6.0  # rollouts: units of preference between the best move and any other, at most
EXACT, SOURCES = 128, 64  # rollouts: betweenness is exact up to so many nodes, else from so many
OVERRUN = 4.0  # how much more often a position past the expected end of a game is learned from


class Learner:
    """What the training loop asks of a way to learn."""

    single_round: ClassVar[bool] = False  # play one round when games are wanted, or until enough

    def __init__(self, config: TrainConfig, mode: Mode, net: QNet, forward: Any) -> None:
        """Learn with `net`; `forward` is the same network, wrapped where processes share it."""
        self.config, self.mode, self.net, self.forward = config, mode, net, forward
        self.device = next(net.parameters()).device
        self.other = copy.deepcopy(net).requires_grad_(False)  # see `extra`
        self.arena = make_arena(config, mode, net.sees)

    @property
    def extra(self) -> dict[str, QNet]:
        """Networks beside the one that learns, saved with it."""
        return {"mean": self.other}

    @property
    def round_boards(self) -> int:
        """Boards that one round of games takes."""
        return self.config.boards

    def columns(self, n: int) -> Columns:
        """Return what an experience on a board of n squares holds."""
        raise NotImplementedError

    def new_replay(self, size: int) -> Replay:
        """Return an empty memory of experiences on boards of this size."""
        columns = {**self.columns(self.arena.nodes(size)), **self.arena.columns()}
        return Replay(self.config.replay, columns)

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        """Tell whether to play before the next update; `used` experiences were taken so far."""
        enough = min(MINIMUM, self.config.replay)
        return replay.added < enough or used >= self.config.replay_ratio * replay.added

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        """Play one round on the boards from number `start` on."""
        raise NotImplementedError

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        """Return the loss of a batch under a symmetry, and its parts for the log."""
        raise NotImplementedError

    def updated(self, step: int) -> None:
        """Let the running mean of the weights follow; called after every update."""
        decay = min(self.config.averaging, 1 - 1 / (step + 10))  # young means forget faster
        with torch.no_grad():
            pairs = zip(self.other.parameters(), self.net.parameters(), strict=True)
            for mean, new in pairs:
                mean.lerp_(new, 1 - decay)

    def player(self) -> QNet:
        """Return the network that plays, is validated and is shipped."""
        return self.other

    # -- shared steps ------------------------------------------------------------------------

    def _lay(self, size: int, start: int, high: float) -> Games:
        """Lay fresh boards with p between the configured lower end and `high`."""
        return self.arena.lay(size, start, self.round_boards, high)

    def _highest_p(self, rng: np.random.Generator) -> float:
        """Take p from the lower half of its range in a share of the rounds: games are short."""
        c = self.config
        return (c.p_low + c.p_high) / 2 if rng.random() < c.sparse else c.p_high

    def _show(self, batch: Experiences, size: int, symmetry: int) -> Any:
        return self.arena.show(batch, size, symmetry).to(self.device)

    def _squares(self, squares: Squares, size: int, symmetry: int) -> Tensor:  # of the same shape
        return self.arena.squares(squares, size, symmetry).to(self.device)

    def _mask(self, packed: Bytes, size: int, symmetry: int) -> Tensor:  # [B, N]
        return self.arena.mask(packed, size, symmetry).to(self.device)

    def _numbers(self, column: Array) -> Tensor:  # [B]
        return torch.from_numpy(column).to(self.device)


class BellmanLearner(Learner):
    """The paper's: double Q-learning on single moves (or n of them), with a target network."""

    single_round = True
    arena: LatticeArena

    def __init__(self, config: TrainConfig, mode: Mode, net: QNet, forward: Any) -> None:
        if net.sees == "graph":
            raise InputError(
                "learner bellman learns on lattices; on graphs take plans or hindsight"
            )
        super().__init__(config, mode, net, forward)

    @property
    def extra(self) -> dict[str, QNet]:
        return {"target": self.other}

    @property
    def round_boards(self) -> int:
        return self.config.rollout_games

    def columns(self, n: int) -> Columns:
        return move_columns(n)

    def wants_games(self, step: int, replay: Replay, used: int) -> bool:
        # Algorithm 1 starts from an empty memory and cannot sample before the first rollout.
        return len(replay) == 0 or (step > 0 and step % self.config.rollout_every == 0)

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        games = self._lay(size, start, self.config.p_high)
        explore = epsilon_greedy(
            NetEvaluator(self.net, self.device), self.config.epsilon(step), rng
        )
        return n_step_experiences(games, play_all(games, explore), self.config.n_step)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        boards = self._show(batch, size, symmetry)
        after = self.arena.boards(batch["next_board"], size, symmetry).to(self.device)
        chosen = self._squares(batch["square"], size, symmetry)[:, None]
        q = self.forward(boards).q.gather(1, chosen)[:, 0]
        goal = double_q_target(self.net, self.other, after, self._numbers(batch["reward"]))
        distance = F.smooth_l1_loss if self.config.huber else F.mse_loss
        return distance(q, goal), {"q": float(q.detach().mean())}

    def updated(self, step: int) -> None:
        if step % self.config.target_every == 0:
            self.other.load_state_dict(self.net.state_dict())

    def player(self) -> QNet:
        return self.net


class HindsightLearner(Learner):
    """Double Q-learning on several squares of each position, with what a finished game proves.

    A return that was really achieved is a lower bound of Q, so it lifts every target that is below
    it ("optimality tightening", He et al., arXiv 1611.01606). The target network is the running
    mean of the weights. Targets are computed once, when a position is met: then each costs a share
    of an evaluation an update, and many squares of a position can be learned at a time.
    """

    def columns(self, n: int) -> Columns:
        tried = (self.config.tried + 2,)
        return {
            "board": (((n + 3) // 4,), np.uint8),
            "squares": (tried, np.int32),
            "goals": (tried, np.float32),
            "known": (((n + 7) // 8,), np.uint8),
            "moves": ((), np.float32),
        }

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        laid = self._lay(size, start, self._highest_p(rng))
        mean = NetEvaluator(self.other, self.device)
        games, plans = self._finished(laid, mean, step, rng)
        here, to_come = positions_of(games, plans)
        if c.positions:
            some = some_of_each(np.nonzero(plans >= 0)[0], c.positions, rng)
            here, to_come = here.take(some), to_come[some]
        known = good_squares(here, to_come)
        squares = tried_squares(here, known, mean.q_values(here), c.tried, c.epsilon(step), rng)
        steps, value = self._steps(squares, rng), partial(self._value, mean)
        swaps, play_on = c.swaps // POLISHED, self._play_on(mean)
        met: Experiences = {
            "board": pack(here.status),
            "squares": squares.astype(np.int32),
            "goals": goals_of(here, to_come, squares, steps, swaps, value, rng, play_on),
            "known": pack_bits(known),
            "moves": plan_costs(to_come, here.topology).astype(np.float32),
        }
        return self.arena.keep(met, here, size, start)

    def _finished(
        self, laid: Games, mean: NetEvaluator, step: int, rng: np.random.Generator
    ) -> tuple[Games, Plans]:
        """Return positions, fresh or in the middle of a game, and good games that finish them."""
        c = self.config
        explore = epsilon_greedy(mean, c.epsilon(step), rng)
        games = wandered(laid, mean, explore, c.wander, rng)
        return games, shuffled(games, cheapest_of(games, explore, c.tries, c.swaps, rng), rng)

    def _steps(self, squares: Rows, rng: np.random.Generator) -> Rows:
        """Return after how many moves the target network's estimate takes over."""
        return np.where(rng.random(squares.shape) < self.config.one_step, 1, self.config.n_step)

    def _play_on(self, mean: NetEvaluator) -> Choose | None:
        """Return who plays on after a square that upsets the game, or None to leave it there."""
        return None

    def _value(self, mean: NetEvaluator, games: Games) -> Array:
        """Return what is still to come of these games, by the estimate."""
        return double_q(NetEvaluator(self.net, self.device), mean, games)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        squares = self._squares(batch["squares"], size, symmetry)
        known = self._mask(batch["known"], size, symmetry)
        moves, goals = self._numbers(batch["moves"]), self._numbers(batch["goals"])
        output = self.forward(self._show(batch, size, symmetry))
        parts = self._distances(output, squares, known, moves, goals)
        loss = self._total(parts)
        return loss.mean(), {name: float(part.detach().mean()) for name, part in parts.items()}

    def _total(self, parts: dict[str, Tensor]) -> Tensor:  # [B]
        """Return the loss that the parts add up to."""
        return parts["level"] + self.config.choice_weight * (parts["apart"] + parts["lack"])

    def _distances(
        self, output: Output, squares: Tensor, known: Tensor, moves: Tensor, goals: Tensor
    ) -> dict[str, Tensor]:  # [B] each
        """Return how far Q is from its goals."""
        all_q = output.q
        # No move is worse than the best by more than the network can say.
        best = goals.amax(1, keepdim=True)
        error = torch.maximum(goals, best - BOUND) - all_q.gather(1, squares)
        # What the squares of a position have in common is the error of the board's value. It is
        # larger than the differences between squares, which decide the move, and would drown them.
        common = error.mean(1)
        level = self._distance(common) / (1 + 0.1 * moves)  # long games would drown the rest
        apart = self._distance(error - common[:, None]).mean(1)
        # Squares of a finished game lead to its end: but for the common error, Q >= -moves.
        short = F.relu(-moves[:, None] - all_q - common[:, None]).masked_fill(~known, 0.0)
        lack = mean_where(known, self._distance(short))
        return {"level": level, "apart": apart, "lack": lack}

    def _distance(self, error: Tensor) -> Tensor:
        distance = F.smooth_l1_loss if self.config.huber else F.mse_loss
        return distance(error, torch.zeros_like(error), reduction="none")


class PlanLearner(HindsightLearner):
    """Imitation of the best of several games that the network itself plays, polished.

    Q is fitted to what such games achieve: after other squares, too, the rest of the game is
    polished, and its length is the goal. Where a square upsets the game, the network plays on. No
    estimate of the network is learned from.
    """

    def _finished(
        self, laid: Games, mean: NetEvaluator, step: int, rng: np.random.Generator
    ) -> tuple[Games, Plans]:
        def explore(running: Games, rows: Rows) -> Squares:
            return draw(running, mean, rng)

        games = wandered(laid, mean, explore, self.config.wander, rng)
        return games, best_of(games, mean, self.config.tries, self.config.swaps, rng)

    def _steps(self, squares: Rows, rng: np.random.Generator) -> Rows:
        return np.full(squares.shape, np.iinfo(np.int32).max)

    def _play_on(self, mean: NetEvaluator) -> Choose | None:
        return greedy(mean)

    def _value(self, mean: NetEvaluator, games: Games) -> Array:
        return np.zeros(len(games))  # all of them are played to the end

    def _distances(
        self, output: Output, squares: Tensor, known: Tensor, moves: Tensor, goals: Tensor
    ) -> dict[str, Tensor]:
        policy = imitation(SHARPNESS * output.logits, known.to(torch.float32))
        return {**super()._distances(output, squares, known, moves, goals), "policy": policy}

    def _total(self, parts: dict[str, Tensor]) -> Tensor:
        c = self.config
        fit = c.value_weight * parts["level"] + c.choice_weight * (parts["apart"] + parts["lack"])
        return parts["policy"] + fit


class RolloutLearner(Learner):
    """Look-ahead on graphs: a move is worth what it leads to if betweenness goes on after it.

    The learner tries several moves at positions of the network's own games, and plays on after each
    by the rule of thumb that is hardest to beat, to the end. Preferring the move that then does
    best is one step of policy iteration from that rule. In shatter the largest piece should fall
    soon: the price of a game is the area under its size. In a mode that remembers, as network does,
    it is the cost of the moves.
    """

    def __init__(self, config: TrainConfig, mode: Mode, net: QNet, forward: Any) -> None:
        if net.sees != "graph" or not mode.by_size:
            raise InputError(
                "learner rollouts learns modes that go by the size of a piece (shatter, network), "
                "with networks for graphs"
            )
        super().__init__(config, mode, net, forward)

    def columns(self, n: int) -> Columns:
        tried = (self.config.tried + OTHERS,)
        return {
            "board": (((n + 3) // 4,), np.uint8),
            "squares": (tried, np.int32),
            "prices": (tried, np.float32),
            "moves": ((), np.float32),
        }

    def play(self, step: int, size: int, start: int, rng: np.random.Generator) -> Experiences:
        c = self.config
        games = self._lay(size, start, self._highest_p(rng))
        mean = NetEvaluator(self.other, self.device)
        plans = play_all(games, epsilon_greedy(mean, c.epsilon(step), rng))
        here, _ = positions_of(games, plans)
        here = here.take(rng.permutation(len(here))[: POSITIONS * len(games)])
        squares = short_list(here, evaluate(self.other, here, self.device).logits, c.tried, rng)
        prices, costs = rolled_out(here, squares, rng)
        met: Experiences = {
            "board": pack(here.status),
            "squares": squares.astype(np.int32),
            "prices": prices.astype(np.float32),
            "moves": costs[np.arange(len(here)), prices.argmin(1)].astype(np.float32),
        }
        return self.arena.keep(met, here, size, start)

    def loss(self, batch: Experiences, size: int, symmetry: int) -> tuple[Tensor, dict[str, float]]:
        squares = self._squares(batch["squares"], size, symmetry)
        moves, prices = self._numbers(batch["moves"]), self._numbers(batch["prices"])
        output = self.forward(self._show(batch, size, symmetry))
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


def imitation(logits: Tensor, good: Tensor) -> Tensor:  # [B, N], [B, N] -> [B]
    """Return the cross-entropy of a choice among squares towards the good ones, all alike."""
    choice = F.log_softmax(logits, 1).masked_fill(logits.isneginf(), 0.0)
    return -(choice * good).sum(1) / good.sum(1)


def mean_where(mask: Tensor, values: Tensor) -> Tensor:  # [B, K], [B, K] -> [B]
    """Return the mean of the values of each row that are marked, 0 if none is."""
    return values.masked_fill(~mask, 0.0).sum(1) / mask.sum(1).clamp(min=1)


def centred(values: Tensor) -> Tensor:  # [B, K]
    """Return the values less the mean of their row."""
    return values - values.mean(1, keepdim=True)


LEARNERS: dict[str, type[Learner]] = {
    "bellman": BellmanLearner,
    "hindsight": HindsightLearner,
    "plans": PlanLearner,
    "rollouts": RolloutLearner,
}


def move_columns(n: int) -> Columns:
    """Return what a move on a board of n squares is made of: Bellman's s, a, s' and r."""
    packed = ((n + 3) // 4,)
    return {
        "board": (packed, np.uint8),
        "square": ((), np.int32),
        "next_board": (packed, np.uint8),
        "reward": ((), np.float32),
    }


def double_q_target(net: QNet, target: QNet, after: Tensor, reward: Tensor) -> Tensor:  # [B]
    """Return r + Q_target(s', argmax Q(s', ·)): one network chooses, the other values."""
    with torch.no_grad():
        choice = net(after).q.argmax(1, keepdim=True)
        value = target(after).q.gather(1, choice)[:, 0]
    over = after[:, ACTIVE].flatten(1).sum(1) == 0
    return reward + torch.where(over, 0.0, value)


# -- self-play -------------------------------------------------------------------------------


def greedy_plans(net: QNet, games: Games, device: torch.device) -> Plans:
    """Play the games to their end, always the square with the highest Q; return the moves."""
    return play_all(games, greedy(NetEvaluator(net, device)))


def greedy(evaluator: NetEvaluator) -> Choose:
    """Choose the square with the highest Q."""
    return lambda running, rows: evaluator.q_values(running).argmax(1)


def epsilon_greedy(evaluator: NetEvaluator, epsilon: float, rng: np.random.Generator) -> Choose:
    """Choose a random legal square with chance ε, else the one with the highest Q."""
    highest = greedy(evaluator)

    def choose(running: Games, rows: Rows) -> Squares:
        lottery = np.where(running.legal, rng.random(running.status.shape), -1.0).argmax(1)
        return np.where(rng.random(len(rows)) < epsilon, lottery, highest(running, rows))

    return choose


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


def wandered(
    laid: Games, evaluator: NetEvaluator, explore: Choose, share: float, rng: np.random.Generator
) -> Games:
    """Move a share of the games to positions in the middle of games that the network plays.

    The best games hardly ever see the positions that a less than perfect player gets into; these
    are where it learns to go on from its own mistakes. Games that should have ended long ago are
    the worst of them, so positions past the end that was expected are drawn more often. Games that
    are over before the first move are left out.
    """
    laid = laid.take(np.flatnonzero(~laid.done))
    strays = np.flatnonzero(rng.random(len(laid)) < share)
    if not len(strays):
        return laid
    astray = laid.take(strays)
    plans = play_all(astray, explore)
    rows, made = np.nonzero(plans >= 0)  # a position before each move
    expected = -evaluator.values(astray)
    weight = np.where(made < expected[rows], 1.0, OVERRUN)
    drawn = rng.choice(len(rows), len(strays), replace=False, p=weight / weight.sum())
    before = np.arange(plans.shape[1]) < made[drawn, None]
    origin, moves = np.arange(len(laid)), np.full((len(laid), plans.shape[1]), -1)
    origin[strays] = strays[rows[drawn]]
    moves[strays] = np.where(before, plans[rows[drawn]], -1)
    games = laid.take(origin)
    games.follow(moves)
    return games


def short_list(here: Games, liked: Tensor, count: int, rng: np.random.Generator) -> Rows:
    """Return the `count` nodes of each position that look best, and a few of those after them.

    Where a position has fewer nodes, some come twice.
    """
    ranked = np.argsort(-liked.numpy(), axis=1, kind="stable")  # [B, N]  the illegal ones last
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


def shuffled(games: Games, plans: Plans, rng: np.random.Generator) -> Plans:
    """Put the moves of each plan in random order, where that finishes in as many moves."""
    order = np.where(plans >= 0, rng.random(plans.shape), 2.0).argsort(axis=1)
    mixed: Plans = np.take_along_axis(plans, order, axis=1)
    ends = games.copy()
    as_good = (ends.follow(mixed).sum(axis=1) == plan_lengths(plans)) & ends.done
    return np.where(as_good[:, None], mixed, plans)


def positions_of(laid: Games, plans: Plans) -> tuple[Games, Plans]:
    """Return every position on the way of games that follow these plans, and the moves to come."""
    rows, now = np.nonzero(plans >= 0)
    column = np.arange(plans.shape[1])
    here = laid.take(rows)
    here.follow(np.where(column < now[:, None], plans[rows], -1))
    return here, np.where(column >= now[:, None], plans[rows], -1)


def some_of_each(owner: Rows, most: int, rng: np.random.Generator) -> Rows:
    """Return the places of at most `most` items of each owner, drawn by chance, ascending."""
    drawn = np.lexsort((rng.random(len(owner)), owner))
    first = np.searchsorted(owner[drawn], owner[drawn])
    return np.sort(drawn[np.arange(len(owner)) - first < most])


def tried_squares(
    here: Games, known: Bools, q: Array, count: int, epsilon: float, rng: np.random.Generator
) -> Rows:  # [B, count + 2]
    """Choose the squares of each position to be learned.

    The first is one of the known good squares. Then come the `count` that look best, each replaced
    by a random one with chance ε, and last one that is always random. A square may come twice.
    """

    def any_of(mask: Bools) -> Squares:
        drawn: Squares = np.where(mask, rng.random(mask.shape), -1.0).argmax(1)
        return drawn

    legal = here.legal
    planned = any_of(known)
    best = np.argsort(np.where(legal, -q, np.inf), axis=1)[:, :count]
    best = np.where(np.take_along_axis(legal, best, axis=1), best, planned[:, None])
    chance = np.stack([any_of(legal) for _ in range(count + 1)], axis=1)
    best = np.where(rng.random(best.shape) < epsilon, chance[:, 1:], best)
    return np.concatenate([planned[:, None], best, chance[:, :1]], axis=1)


def goals_of(
    here: Games,
    to_come: Plans,
    squares: Rows,
    steps: Rows,
    swaps: int,
    value: Callable[[Games], Array],
    rng: np.random.Generator,
    play_on: Choose | None = None,
) -> Array:  # [B, K]
    """Return what Q of these squares should be: Bellman's target, or a return known to be larger.

    After each square the rest of the plan is pruned and polished, so that it ends the game soon.
    Where it does not end the game, `play_on` chooses more moves, if there is such. Bellman's target
    is taken after so many `steps` of that: 1 is the square alone. The return that is known is that
    of the whole plan.
    """
    count = squares.shape[1]
    after = here.take(np.repeat(np.arange(len(here)), count))
    after.play(squares.ravel())
    rest = np.repeat(to_come, count, axis=0)
    rest = np.where(rest == squares.ravel()[:, None], -1, rest)
    if play_on is not None:
        rest = played_on(after, rest, play_on)
    whole = finished(after, rest)
    rest[~whole] = -1
    rest = polish(after, prune(after, rest, rng), swaps, rng)
    soon = (rest >= 0).cumsum(axis=1) < steps.ravel()[:, None]
    then = after.copy()
    soon &= then.follow(np.where(soon, rest, -1))
    first = here.topology.costs[squares.ravel()]
    goal = value(then) - first - plan_costs(np.where(soon, rest, -1), here.topology)
    known = np.where(whole, -first - plan_costs(rest, here.topology), -np.inf)
    goals: Array = np.maximum(goal, known).reshape(squares.shape).astype(np.float32)
    return goals


def played_on(games: Games, plans: Plans, choose: Choose) -> Plans:
    """Return the plans with more moves behind them where they do not finish their games."""
    ends = games.copy()
    made = ends.follow(plans)
    return np.concatenate([np.where(made, plans, -1), play_all(ends, choose)], axis=1)


def finished(games: Games, plans: Plans) -> Bools:  # [B]
    """Tell which games these plans finish."""
    ends = games.copy()
    ends.follow(plans)
    return ends.done


def double_q(chooser: NetEvaluator, valuer: NetEvaluator, games: Games) -> Array:  # [B]
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


def good_squares(games: Games, plans: Plans) -> Bools:  # [B, N]
    """Mark the squares of each plan that may be attacked first.

    The squares of a plan commute. Where the mode is not monotone that is only almost so, and each
    square is checked: played first, it must leave the others enough to finish.
    """
    good = plans >= 0
    if not games.monotone:
        good &= may_come_first(games, plans)
    mask = np.zeros((len(games), games.topology.n), dtype=np.bool_)
    rows, columns = np.nonzero(good)
    mask[rows, plans[rows, columns]] = True
    return mask


def may_come_first(games: Games, plans: Plans) -> Bools:  # [B, K]
    """Tell which moves of each plan could be made first, the others after it in their order."""
    rows, columns = np.nonzero(plans >= 0)
    reordered = np.concatenate([plans[rows, columns][:, None], plans[rows]], axis=1)
    reordered[np.arange(len(rows)), columns + 1] = -1
    copies = games.take(rows)
    copies.follow(reordered)
    result = np.zeros(plans.shape, dtype=np.bool_)
    result[rows, columns] = copies.done
    return result
