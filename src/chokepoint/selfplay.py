"""Self-play: games played by the network that is being trained, and what is learned from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from chokepoint.boards import Density, sample_open
from chokepoint.engine import Games, Squares
from chokepoint.modes import Mode
from chokepoint.nets import Output, QNet, one_hot
from chokepoint.plans import Plans, plan_lengths, prune
from chokepoint.replay import pack, pack_bits
from chokepoint.topology import lattice

CHUNK = 256  # boards a forward pass: more gains nothing on a CPU and costs memory

Choose = Callable[[Games, npt.NDArray[np.intp]], Squares]  # (running games, their rows) -> squares
Experiences = dict[str, npt.NDArray[Any]]


def evaluate(net: QNet, games: Games, device: torch.device) -> Output:
    """The network's opinion of these games, without gradients, on the CPU."""
    height, width = games.topology.lattice_shape()
    parts = []
    with torch.inference_mode():
        for first in range(0, len(games), CHUNK):
            boards = one_hot(games.status[first : first + CHUNK], height, width)
            output = net(boards.to(device, non_blocking=True))
            parts.append([part.float().cpu() for part in output])
    return Output(*(torch.cat(column) for column in zip(*parts, strict=True)))


def play_all(games: Games, choose: Choose) -> Plans:
    """Play copies of the games to the end; finished ones leave the batch. Returns the moves."""
    rows = np.flatnonzero(~games.done)
    running = games.take(rows)
    columns = []
    while len(rows):
        squares = choose(running, rows)
        running.play(squares)
        column = np.full(len(games), -1, dtype=np.int64)
        column[rows] = squares
        columns.append(column)
        goes_on = ~running.done
        if not goes_on.all():
            rows, running = rows[goes_on], running.take(goes_on)
    return np.stack(columns, axis=1) if columns else np.zeros((len(games), 0), dtype=np.int64)


def greedy_plans(net: QNet, games: Games, device: torch.device) -> Plans:
    """The moves of the greedy policy: always the square with the highest Q."""

    def choose(running: Games, rows: npt.NDArray[np.intp]) -> Squares:
        return evaluate(net, running, device).q.argmax(1).numpy()

    return play_all(games, choose)


def explored_plans(
    net: QNet,
    games: Games,
    temperatures: npt.NDArray[np.float64],  # [B]  0 is greedy
    rng: np.random.Generator,
    device: torch.device,
) -> Plans:
    """Moves drawn from the softmax of the logits, each game at its own temperature."""

    def choose(running: Games, rows: npt.NDArray[np.intp]) -> Squares:
        logits = evaluate(net, running, device).logits.numpy()
        noise = rng.gumbel(size=logits.shape) * temperatures[rows, None]
        return (logits + noise).argmax(1)

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
    attempts: int,
    temperature: float,
    rng: np.random.Generator,
    device: torch.device,
) -> Experiences:
    """Play each board several times, prune the games, and keep what was learned from the best.

    A pruned game is one that the network could have played: without the moves that turned out not
    to be needed. Its squares commute, so at every state of the game all that are still to come are
    good moves. Columns: `board` (packed states), `good` (packed squares), `moves` (to the end).
    """
    topology = lattice(*size)
    opened, _ = sample_open(topology, mode, p, boards, seed, start)
    laid = Games(np.repeat(opened, attempts, axis=0), mode, topology)
    temperatures = temperature * (np.arange(len(laid)) % attempts) / max(attempts - 1, 1)
    raw = explored_plans(net, laid, temperatures, rng, device)
    pruned = prune(laid, raw, rng)
    lengths = plan_lengths(pruned).reshape(boards, attempts)
    # Ties go to the cooler attempt: closest to what the greedy policy plays.
    best = np.arange(boards) * attempts + lengths.argmin(axis=1)
    return states_of_games(laid.take(best), pruned[best])


def states_of_games(games: Games, plans: Plans) -> Experiences:
    """Every state of games that follow these plans, with the squares still to come."""
    boards, goods, moves = [], [], []
    to_come = np.zeros(games.status.shape, dtype=np.bool_)
    rows, columns = np.nonzero(plans >= 0)
    to_come[rows, plans[rows, columns]] = True
    for k in range(plans.shape[1]):
        on = np.flatnonzero(plans[:, k] >= 0)
        boards.append(pack(games.status[on]))
        goods.append(pack_bits(to_come[on]))
        moves.append(to_come[on].sum(axis=1))
        games.play(plans[:, k])
        to_come[on, plans[on, k]] = False
    return {
        "board": np.concatenate(boards),
        "good": np.concatenate(goods),
        "moves": np.concatenate(moves).astype(np.float32),
    }
