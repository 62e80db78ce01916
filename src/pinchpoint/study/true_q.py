"""How true an agent's Q is, against the exact Q of every legal square on solved positions.

Q is minus the number of moves to the end with best play, this move included. The positions of
`TRUTH` were solved once by `python benchmarks/true_q.py --solve` and come with the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pinchpoint.agents.registry import get_agent
from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import after_each_move
from pinchpoint.game.sampling import sample_boards
from pinchpoint.solvers.dispatch import optimal_squares, solve, solved_at_once
from pinchpoint.types import Bools, Floats

TRUTH = Path(__file__).parent / "true_q.npz"
POSITIONS = 200  # for each mode
SEED = 740_001  # of boards that training never sees
MOST_MOVES = 4  # random moves before the position is taken
REGRETS = (0, 1, 2)  # true regrets that a table tells apart
PATIENCE = 60.0  # seconds for each position after a move; all must be proven

# Size and densities that are solved to the end: (side, lowest p, highest p).
SETTINGS = {"network": (7, 0.6, 0.9), "flow": (20, 0.6, 0.9), "noodle": (10, 0.6, 0.8)}


@dataclass(frozen=True)
class TrueQ:
    """Positions of one mode and the exact Q of their squares."""

    games: Games
    q: Floats  # [B, N]  -inf where illegal


@dataclass(frozen=True)
class QError:
    """What an agent's Q is worth as an estimate of minus the moves to the end."""

    positions: int
    squares: int
    error: float  # mean absolute error over all legal squares, in moves
    bias: float  # mean of shown minus true: above 0, the agent expects too few moves
    regret: dict[int, float]  # the regret shown, for squares whose true regret is 0, 1, 2, …


def q_bounds(
    games: Games, time_limit: float | None = None, work: float | None = None
) -> tuple[Floats, Floats]:  # [B, N] each
    """Return the least and the greatest Q that every legal square can have, -inf elsewhere.

    They are equal where the solver has proven what comes after the move.
    """
    least, greatest = (np.full(games.legal.shape, -np.inf) for _ in range(2))
    after, rows, squares = after_each_move(games)
    solutions = solve(after, time_limit, work=work)
    least[rows, squares] = [-1.0 - solution.value for solution in solutions]
    greatest[rows, squares] = [-1.0 - solution.bound for solution in solutions]
    return least, greatest


def exact_q(games: Games) -> Floats:  # [B, N]
    """Return Q of every legal square by the solvers, -inf elsewhere; every value is proven."""
    if solved_at_once(games.mode):
        # An optimal square brings the end one move nearer, any other leaves it where it was.
        fewest = np.array([solution.value for solution in solve(games)])[:, None]
        q = np.where(optimal_squares(games), -fewest, -fewest - 1.0)
        return np.where(games.legal, q, -np.inf)
    least, greatest = q_bounds(games, PATIENCE)
    if (least != greatest).any():
        raise InputError("a position could not be solved; take smaller or sparser boards")
    return least


def proven_optimal(games: Games, work: float) -> Bools | None:  # [N]
    """Return the squares that begin an optimal game of one position; None if not proven."""
    if solved_at_once(games.mode):
        return np.asarray(optimal_squares(games)[0])
    [solution] = solve(games, work=work)
    if not solution.proven:
        return None
    least, greatest = q_bounds(games, work=work)
    best = least[0] >= -solution.value
    # A bound is enough to rule a move out; only a good one must be known exactly.
    return None if (greatest[0][~best] >= -solution.value).any() else best


def sample_positions(mode: str, count: int = POSITIONS) -> Games:
    """Return positions a few random moves into games of the mode's setting, none of them over."""
    size, low, high = SETTINGS[mode]
    games = Games(sample_boards(mode, size, (low, high), 2 * count, SEED), mode)
    for step in range(MOST_MOVES):
        moves = games.random_squares(SEED)
        moving = np.arange(len(games)) % (MOST_MOVES + 1) > step
        games.play(np.where(moving, moves, -1))
    running = np.flatnonzero(~games.done)
    if len(running) < count:
        raise InputError(f"only {len(running)} of {count} positions of {mode} go on")
    return games.take(running[:count])


def write_truth(path: Path, truth: dict[str, TrueQ]) -> None:
    """Write solved positions: for each mode the boards as laid, the moves, and Q."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for mode, true in truth.items():
        games = true.games
        moves = np.full((len(games), MOST_MOVES), -1, dtype=np.int16)
        for row in range(len(games)):
            played = games.history(row)
            moves[row, : len(played)] = played
        size = SETTINGS[mode][0]
        arrays[f"{mode}.laid"] = np.packbits(games.laid, axis=1)
        arrays[f"{mode}.moves"] = moves
        fewest = np.where(np.isfinite(true.q), -true.q, 0)  # 0 marks an illegal square
        arrays[f"{mode}.fewest"] = fewest.astype(np.uint8).reshape(-1, size * size)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def load_truth(mode: str, path: Path = TRUTH) -> TrueQ:
    """Load the solved positions of a mode."""
    one_of(mode, SETTINGS, "truth of mode")
    size = SETTINGS[mode][0]
    with np.load(path) as file:
        laid = np.unpackbits(file[f"{mode}.laid"], axis=1, count=size * size)
        moves, fewest = file[f"{mode}.moves"], file[f"{mode}.fewest"]
    games = Games(laid.reshape(-1, size, size), mode)
    games.follow(moves.astype(np.int64))
    return TrueQ(games, np.where(fewest > 0, -fewest.astype(np.float64), -np.inf))


def q_error(agent: Any, truth: TrueQ) -> QError:
    """Measure the Q of an agent, which has `q_values`, on solved positions."""
    shown = agent.q_values(truth.games).astype(np.float64)
    legal = np.isfinite(truth.q)
    difference = shown[legal] - truth.q[legal]
    true_regret = (truth.q.max(axis=1, keepdims=True) - truth.q)[legal]
    shown_regret = (shown.max(axis=1, keepdims=True) - shown)[legal]
    return QError(
        positions=len(shown),
        squares=int(legal.sum()),
        error=float(np.abs(difference).mean()),
        bias=float(difference.mean()),
        regret={
            int(r): float(shown_regret[true_regret == r].mean()) for r in np.unique(true_regret)
        },
    )


def q_error_row(agent: str, mode: str) -> dict[str, Any]:
    """Return the row of a table: an agent's error on the mode that it was trained for."""
    found = q_error(get_agent(agent), load_truth(mode))
    size = SETTINGS[mode][0]
    return {
        "agent": agent,
        "mode": mode,
        "size": f"{size}x{size}",
        "positions": found.positions,
        "squares": found.squares,
        "error": found.error,
        "bias": found.bias,
        **{f"regret_{r}": found.regret.get(r, np.nan) for r in REGRETS},
    }
