"""What worker processes do: ask an agent or a solver about one position.

Only worker processes import this module, after they have limited their threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from chokepoint.agents import Agent, get_agent
from chokepoint.errors import InputError
from chokepoint.game import Games, get_mode

Position = dict[str, Any]  # what Puzzle.plain writes: mode, options, height, width, cells, moves


def rebuild(position: Position) -> Games:
    """Return the game in that position."""
    flat = np.frombuffer(position["cells"].encode(), dtype=np.uint8) - ord("0")
    opened = flat.reshape(position["height"], position["width"])
    games = Games(opened, get_mode(position["mode"], **position["options"]))
    for square in position["moves"]:
        games.play(square)
    return games


@lru_cache(maxsize=8)
def load_once(agent: str) -> Agent:
    """Return the agent of that name; the last few stay loaded."""
    return get_agent(agent)


def solve_position(position: Position, seconds: float) -> dict[str, Any]:
    """Return the best play found from here, and a lower bound."""
    from chokepoint.solvers import solve  # here: a worker that asks agents does not need it

    solution = solve(rebuild(position), time_limit=seconds)[0]
    return {
        "moves": list(solution.moves),
        "value": solution.value,
        "bound": solution.bound,
        "seconds": seconds,
    }


def agent_square(position: Position, agent: str) -> int:
    """Return the square that the agent would attack."""
    games = rebuild(position)
    return int(load_once(agent).act(games)[0])


def agent_values(position: Position, agent: str) -> list[float | None]:
    """Return the agent's Q of every square, None where an attack is illegal."""
    games = rebuild(position)
    judge = load_once(agent)
    if not hasattr(judge, "q_values"):
        raise InputError(f"agent {agent} has no opinion on every square, only on the best one")
    values = judge.q_values(games)[0]
    return [round(float(v), 3) if np.isfinite(v) else None for v in values]


def exact_values(position: Position, value: int) -> list[float | None]:
    """Return the true Q of every square in flow, from the squares on a smallest cut."""
    from chokepoint.solvers import optimal_squares

    games = rebuild(position)
    optimal = optimal_squares(games)[0]
    legal = games.legal[0]
    return [
        (-float(value) if best else -float(value + 1)) if may else None
        for best, may in zip(optimal, legal, strict=True)
    ]


def agent_line(position: Position, agent: str, seconds: float) -> dict[str, Any]:
    """Return the agent's play from here, cut short when the time is up."""
    games, player = rebuild(position), load_once(agent)
    played = int(games.move_counts[0])
    end = time.monotonic() + seconds
    while not games.done[0] and time.monotonic() < end:
        games.play(player.act(games))
    return {"moves": games.history(0)[played:], "done": bool(games.done[0])}


TASKS: dict[str, Callable[..., Any]] = {
    "solve": solve_position,
    "square": agent_square,
    "values": agent_values,
    "exact": exact_values,
    "line": agent_line,
}
