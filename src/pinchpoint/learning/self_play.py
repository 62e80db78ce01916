"""Self-play: boards are laid, networks play them, and finished games become experiences.

What several learners share; what belongs to one of them is in its file (`learners/`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import Choose, Plans, plan_costs, play_all, polish, prune
from pinchpoint.game.sampling import sample_boards, sample_games
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import moved_squares, transform
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.nets import QNet
from pinchpoint.learning.observation import observe
from pinchpoint.learning.replay import unpack, unpack_bits
from pinchpoint.types import Array, Bools, Bytes, Rows, Squares

VALIDATION_SEED = 710_001
VALIDATION_P = (0.6, 0.7, 0.8, 0.9)

OVERRUN = 4.0  # how much more often a position past the expected end of a game is learned from


# -- boards of the square lattice ------------------------------------------------------------


def lay_boards(
    config: TrainConfig, mode: Mode, size: int, start: int, count: int, high: float
) -> Games:
    """Lay fresh boards from number `start` on, with p between the configured low end and `high`."""
    topology, density = lattice(size, size), (config.p_low, high)
    return sample_games(topology, mode, density, count, config.seed, start)


def validation_boards(mode: Mode, size: int, count: int) -> dict[str, list[Games]]:
    """Return boards that are the same each time, by their p."""
    return {
        f"{p:.1f}": [Games(sample_boards(mode, size, p, count, VALIDATION_SEED))]
        for p in VALIDATION_P
    }


def observe_packed(sees: str, packed: Bytes, size: int, symmetry: int) -> Tensor:  # [B, C, h, w]
    """Return remembered boards as a network sees them, under a symmetry."""
    status = unpack(packed, size * size).reshape(-1, size, size)
    moved = np.ascontiguousarray(transform(status, symmetry)).reshape(len(status), -1)
    return observe(sees, moved, lattice(size, size))


def squares_under(symmetry: int, squares: Squares, size: int) -> Tensor:  # of the same shape
    """Return squares of these boards under a symmetry."""
    return torch.from_numpy(moved_squares(size, size, symmetry)[squares])


def mask_under(symmetry: int, packed: Bytes, size: int) -> Tensor:  # [B, N]
    """Return remembered sets of squares under a symmetry."""
    mask = unpack_bits(packed, size * size).reshape(-1, size, size)
    return torch.from_numpy(np.ascontiguousarray(transform(mask, symmetry))).flatten(1)


# -- playing ---------------------------------------------------------------------------------


def greedy_plans(net: QNet, games: Games) -> Plans:
    """Play the games to their end, always the square with the highest Q; return the moves."""
    return play_all(games, greedy(net))


def greedy(net: QNet) -> Choose:
    """Choose the square with the highest Q."""
    return lambda running, rows: net.q_values(running).argmax(1)


def epsilon_greedy(net: QNet, epsilon: float, rng: np.random.Generator) -> Choose:
    """Choose a random legal square with chance ε, else the one with the highest Q."""
    highest = greedy(net)

    def choose(running: Games, rows: Rows) -> Squares:
        lottery = np.where(running.legal, rng.random(running.status.shape), -1.0).argmax(1)
        return np.where(rng.random(len(rows)) < epsilon, lottery, highest(running, rows))

    return choose


def start_midgame(
    laid: Games, net: QNet, explore: Choose, share: float, rng: np.random.Generator
) -> Games:
    """Move a share of the games to positions in the middle of games that the network plays.

    The best games hardly ever see the positions that a less than perfect player gets into; these
    are where it learns to go on from its own mistakes. Games that should have ended long ago are
    the worst of them, so positions past the end that was expected are drawn more often. Games that
    are over before the first move are left out.
    """
    laid = laid.take(np.flatnonzero(~laid.done))
    moved = np.flatnonzero(rng.random(len(laid)) < share)
    if not len(moved):
        return laid
    begun = laid.take(moved)
    plans = play_all(begun, explore)
    rows, made = np.nonzero(plans >= 0)  # a position before each move
    expected = -net.values(begun)
    weight = np.where(made < expected[rows], 1.0, OVERRUN)
    drawn = rng.choice(len(rows), len(moved), replace=False, p=weight / weight.sum())
    before = np.arange(plans.shape[1]) < made[drawn, None]
    origin, moves = np.arange(len(laid)), np.full((len(laid), plans.shape[1]), -1)
    origin[moved] = moved[rows[drawn]]
    moves[moved] = np.where(before, plans[rows[drawn]], -1)
    games = laid.take(origin)
    games.follow(moves)
    return games


# -- positions of finished games -------------------------------------------------------------


def positions_of(laid: Games, plans: Plans) -> tuple[Games, Plans]:
    """Return every position on the way of games that follow these plans, and the moves to come."""
    rows, now = np.nonzero(plans >= 0)
    column = np.arange(plans.shape[1])
    here = laid.take(rows)
    here.follow(np.where(column < now[:, None], plans[rows], -1))
    return here, np.where(column >= now[:, None], plans[rows], -1)


def some_positions(
    games: Games, plans: Plans, most: int, rng: np.random.Generator
) -> tuple[Games, Plans]:
    """Return at most so many positions of each game, drawn by chance; all of them for 0."""
    here, to_come = positions_of(games, plans)
    if not most:
        return here, to_come
    some = some_of_each(np.nonzero(plans >= 0)[0], most, rng)
    return here.take(some), to_come[some]


def some_of_each(owner: Rows, most: int, rng: np.random.Generator) -> Rows:
    """Return the places of at most `most` items of each owner, drawn by chance, ascending."""
    drawn = np.lexsort((rng.random(len(owner)), owner))
    first = np.searchsorted(owner[drawn], owner[drawn])
    return np.sort(drawn[np.arange(len(owner)) - first < most])


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


def squares_to_learn(
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


def q_targets(
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
        ends = after.copy()
        made = ends.follow(rest)
        rest = np.concatenate([np.where(made, rest, -1), play_all(ends, play_on)], axis=1)
    ends = after.copy()
    ends.follow(rest)
    whole = ends.done
    rest[~whole] = -1
    rest = polish(after, prune(after, rest, rng), swaps, rng)
    soon = (rest >= 0).cumsum(axis=1) < steps.ravel()[:, None]
    then = after.copy()
    soon &= then.follow(np.where(soon, rest, -1))
    first = here.topology.costs[squares.ravel()]
    bellman = value(then) - first - plan_costs(np.where(soon, rest, -1), here.topology)
    known = np.where(whole, -first - plan_costs(rest, here.topology), -np.inf)
    targets: Array = np.maximum(bellman, known).reshape(squares.shape).astype(np.float32)
    return targets
