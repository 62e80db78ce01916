"""Self-play: games played by the network that is being trained, and what is learned from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from chokepoint.game import (
    Density,
    Games,
    Mode,
    Plans,
    best_of,
    draw,
    plan_lengths,
    play_all,
    sample_open,
)
from chokepoint.graph import lattice
from chokepoint.learning.nets import NetEvaluator, QNet, evaluate
from chokepoint.learning.replay import pack, pack_bits
from chokepoint.types import Bools, Squares

Experiences = dict[str, npt.NDArray[Any]]

OVERRUN = 4.0  # how much more often a position past the expected end of a game is learned from


def greedy_plans(net: QNet, games: Games, device: torch.device) -> Plans:
    """The moves of the greedy policy: always the square with the highest Q."""

    def choose(running: Games, rows: npt.NDArray[np.intp]) -> Squares:
        return evaluate(net, running, device).q.argmax(1).numpy()

    return play_all(games, choose)


def exploring_games(
    net: QNet,
    mode: Mode,
    size: tuple[int, int],
    p: Density,
    seed: int,
    start: int,
    boards: int,
    epsilon: float,
    n_step: int,
    rng: np.random.Generator,
    device: torch.device,
) -> Experiences:
    """The paper's rollout: a random square with chance ε, else the one with the highest Q.

    Columns: `board`, `square`, `next_board` (n moves later, or at the end), `reward` (-1 a move).
    """
    topology = lattice(*size)
    opened, _ = sample_open(topology, mode, p, boards, seed, start)
    games = Games(opened, mode, topology)

    def choose(running: Games, rows: npt.NDArray[np.intp]) -> Squares:
        greedy = evaluate(net, running, device).q.argmax(1).numpy()
        lottery = np.where(running.legal, rng.random(running.status.shape), -1.0).argmax(1)
        return np.where(rng.random(len(rows)) < epsilon, lottery, greedy)

    return n_step_experiences(games, play_all(games, choose), n_step)


def n_step_experiences(games: Games, plans: Plans, n_step: int) -> Experiences:
    """Every move of the games with the board n moves later and the reward in between."""
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


def improved_games(
    net: QNet,
    mode: Mode,
    size: tuple[int, int],
    p: Density,
    seed: int,
    start: int,
    boards: int,
    tries: int,
    swaps: int,
    wander: float,
    rng: np.random.Generator,
    device: torch.device,
) -> Experiences:
    """Play each board several times, improve the games, and keep what there is to learn.

    Columns: `board` (packed states), `good` (packed squares), `moves` (to the end).
    """
    topology = lattice(*size)
    opened, _ = sample_open(topology, mode, p, boards, seed, start)
    games = wandered(net, Games(opened, mode, topology), wander, rng, device)
    return states_of_games(games, best_of(games, NetEvaluator(net, device), tries, swaps, rng))


def wandered(
    net: QNet, laid: Games, share: float, rng: np.random.Generator, device: torch.device
) -> Games:
    """The games, a share of them somewhere in the middle of what the network makes of them.

    The best games hardly ever see the positions that a less than perfect player gets into; these
    are where it learns to go on from its own mistakes. Games that should have ended long ago are
    the worst of them, so positions past the end that was expected are drawn more often. Games that
    are over before the first move are left out.
    """
    laid = laid.take(np.flatnonzero(~laid.done))
    strays = np.flatnonzero(rng.random(len(laid)) < share)
    if not len(strays):
        return laid
    astray, evaluator = laid.take(strays), NetEvaluator(net, device)
    plans = play_all(astray, lambda running, rows: draw(running, evaluator, rng))
    rows, made = np.nonzero(plans >= 0)  # a position before each move
    expected = -evaluate(net, astray, device).value.numpy()
    weight = np.where(made < expected[rows], 1.0, OVERRUN)
    drawn = rng.choice(len(rows), len(strays), replace=False, p=weight / weight.sum())
    before = np.arange(plans.shape[1]) < made[drawn, None]
    origin, moves = np.arange(len(laid)), np.full((len(laid), plans.shape[1]), -1)
    origin[strays] = strays[rows[drawn]]
    moves[strays] = np.where(before, plans[rows[drawn]], -1)
    games = laid.take(origin)
    games.follow(moves)
    return games


def states_of_games(laid: Games, plans: Plans) -> Experiences:
    """Every state of games that follow these plans, with the good squares: those still to come.

    The squares of a plan commute. Where the mode is not monotone that is only almost so, and each
    square is checked: played first, it must leave the others enough to finish.
    """
    games = laid.copy()
    boards, goods, moves = [], [], []
    for k in range(plans.shape[1]):
        on = np.flatnonzero(plans[:, k] >= 0)
        if not len(on):
            continue
        to_come = plans[on, k:]
        good = to_come >= 0
        moves.append(good.sum(axis=1))
        if not games.mode.monotone:
            good &= may_come_first(games.take(on), to_come)
        mask = np.zeros((len(on), laid.topology.n), dtype=np.bool_)
        rows, columns = np.nonzero(good)
        mask[rows, to_come[rows, columns]] = True
        boards.append(pack(games.status[on]))
        goods.append(pack_bits(mask))
        games.play(plans[:, k])
    return {
        "board": np.concatenate(boards),
        "good": np.concatenate(goods),
        "moves": np.concatenate(moves).astype(np.float32),
    }


def may_come_first(games: Games, plans: Plans) -> Bools:  # [B, K]
    """Which moves of each plan could be made first, the others after it in their order."""
    rows, columns = np.nonzero(plans >= 0)
    reordered = np.concatenate([plans[rows, columns][:, None], plans[rows]], axis=1)
    reordered[np.arange(len(rows)), columns + 1] = -1
    copies = games.take(rows)
    copies.follow(reordered)
    result = np.zeros(plans.shape, dtype=np.bool_)
    result[rows, columns] = copies.done
    return result
