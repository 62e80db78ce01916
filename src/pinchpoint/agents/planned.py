"""Agents that plan a game once and then follow their plan: optimal play, and pruning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pinchpoint.agents.registry import check_plays, get_agent, play_out
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.keys import position_keys
from pinchpoint.game.plans import plans_from_lists, prune
from pinchpoint.graph.topology import Topology
from pinchpoint.types import Rows, Squares

# Squares to attack in order, for each game. A plan may end before its game does.
Planner = Callable[[Games], Sequence[Sequence[int]]]

WORK = "10"  # of the exact solver on a game
MOST_POSITIONS = 1_000_000  # remembered at once, some 100 bytes each


class PlannedAgent:
    """Look positions up in the plans made before; plan anew where there is none.

    Plans are kept by position and not by game: it does not matter how games are batched, whether
    some are taken back, or whether somebody else makes a move in between.
    """

    def __init__(self, name: str, planner: Planner, inner: Any = None) -> None:
        """`inner` is the agent that the planner asks, if any: they play the same boards."""
        self.name = name
        self._planner, self._inner = planner, inner
        self._moves: dict[str, int] = {}

    def act(self, games: Games) -> Squares:
        squares = np.full(len(games), -1, dtype=np.int64)
        running = np.flatnonzero(~games.done)
        keys = _keys(games, running)
        unknown = {
            key: row for key, row in zip(keys, running, strict=True) if key not in self._moves
        }
        if unknown:
            if len(self._moves) > MOST_POSITIONS:
                self._moves = {key: self._moves[key] for key in keys if key in self._moves}
            self._remember(games.take(np.array(list(unknown.values()))))
        squares[running] = [self._moves[key] for key in keys]
        return squares

    def check_topology(self, topology: Topology) -> None:
        """Raise InputError where the agent that is asked cannot play."""
        check_plays(self._inner, topology)

    def _remember(self, games: Games) -> None:
        """Make plans and note each of their moves under the position in which it is due."""
        plans = self._planner(games)
        for step in range(max(len(plan) for plan in plans)):
            if games.done.all():
                break
            squares = np.array([plan[step] if step < len(plan) else -1 for plan in plans])
            active = games.legal[np.arange(len(games)), squares] & (squares >= 0)
            squares[~active] = -1  # what has been cut off meanwhile needs no attack
            rows = np.flatnonzero(active)
            for row, key in zip(rows, _keys(games, rows), strict=True):
                self._moves[key] = int(squares[row])
            games.play(squares)


def _keys(games: Games, rows: Rows) -> list[str]:
    """Return a key of each position and the game's name.

    Random play, which may be what is pruned, tells equal boards apart by the name.
    """
    keys = position_keys(games, rows)
    return [f"{key} {name}" for key, name in zip(keys, games.numbers[rows], strict=True)]


def make_optimal(argument: str, seed: int) -> PlannedAgent:
    """Make the exact solver an agent; where no optimum is proven, it plays the best that it found.

    It stops after so much work for a game (see `solve`): optimal:2 has another amount of it, and
    optimal:2s a time limit.

    Flow: Menger (Fundamenta Mathematicae 10, 1927); noodle: Karp's feedback vertex set (1972);
    network: a balanced separator (Lipton & Tarjan, SIAM J. Appl. Math. 36, 1979).
    """

    timed = argument.endswith("s")
    seconds = seconds_of(argument) if timed else None
    work = None if timed else work_of(argument or WORK)

    def plan(games: Games) -> list[tuple[int, ...]]:
        from pinchpoint.solvers.dispatch import solve

        return [solution.moves for solution in solve(games, seconds, work=work)]

    return PlannedAgent("optimal", plan)


def make_pruning(argument: str, seed: int) -> PlannedAgent:
    """Let another agent play the game to its end in private, and drop the moves not needed.

    The "reverse delete" step of approximation algorithms for feedback vertex sets (Bafna, Berman &
    Fujito, SIAM J. Discrete Math. 12, 1999), in order of play. In modes where the order matters,
    like network, what is left is played in its order, and so finishes the game.
    """
    if not argument:
        raise InputError("prune needs the agent whose plans it prunes, for example prune:corehd")
    inner = get_agent(argument, seed)

    def plan(games: Games) -> list[list[int]]:
        played = games.copy()
        play_out(inner, played)
        moves = [played.history(row)[games.move_counts[row] :] for row in range(len(games))]
        plans = prune(games, plans_from_lists(moves))
        return [[int(s) for s in plan if s >= 0] for plan in plans]

    return PlannedAgent(f"prune:{inner.name}", plan, inner)


def work_of(text: str) -> float:
    """Return an amount of work like "2" or "0.5"."""
    try:
        work = float(text)
    except ValueError:
        work = 0.0
    if not 0 < work < float("inf"):
        raise InputError(
            f"optimal takes an amount of work or a time, for example optimal:2 or optimal:2s; "
            f"got {text!r}"
        )
    return work


def seconds_of(text: str) -> float:
    """Return a time like "2s" or "0.5s"."""
    try:
        seconds = float(text.removesuffix("s"))
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"the time {text!r} is not understood; give seconds, for example 2s")
    return seconds
