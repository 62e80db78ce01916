"""What worker processes do: ask an agent or a solver about one position, and draw games.

Only worker processes import this module, after they have limited their threads.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from pinchpoint.agents.registry import Agent, get_agent
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.keys import position_key
from pinchpoint.game.render import png, write_gif
from pinchpoint.types import Bytes
from pinchpoint.web.cuts import cut_of
from pinchpoint.web.puzzles import status_text, tiny_board

PNG_SIDE = 1080  # pixels, about
GIF_SIDE = 480  # pixels, about
GIF_FRAMES = 200  # more would take seconds and hundreds of megabytes

Moves = Sequence[int]  # made so far


def position_after(boards: Boards, moves: Moves) -> Games:
    """Return the game after these moves."""
    games = Games(boards)
    for square in moves:
        games.play(square)
    return games


@lru_cache(maxsize=8)
def load_once(agent: str) -> Agent:
    """Return the agent of that name; the last few stay loaded."""
    return get_agent(agent)


def solve_position(boards: Boards, moves: Moves, seconds: float) -> dict[str, Any]:
    """Return the best play found from here, and a lower bound."""
    from pinchpoint.solvers.dispatch import solve  # here: agents do not need it

    games = position_after(boards, moves)
    solution = solve(games, time_limit=seconds)[0]
    keys = []  # of the positions along the plan
    for square in solution.moves:
        keys.append(position_key(games))
        games.play(square)
    return {
        "moves": list(solution.moves),
        "value": solution.value,
        "bound": solution.bound,
        "keys": keys,
    }


def agent_square(boards: Boards, moves: Moves, agent: str) -> int:
    """Return the square that the agent would attack."""
    games = position_after(boards, moves)
    return int(load_once(agent).act(games)[0])


def agent_values(boards: Boards, moves: Moves, agent: str) -> list[float | None]:
    """Return the agent's Q of every square, None where an attack is illegal."""
    games = position_after(boards, moves)
    judge = load_once(agent)
    if not hasattr(judge, "q_values"):
        raise InputError(f"agent {agent} has no opinion on every square, only on the best one")
    values = judge.q_values(games)[0]
    return [round(float(v), 3) if np.isfinite(v) else None for v in values]


def exact_values(boards: Boards, moves: Moves, value: int) -> list[float | None]:
    """Return the true Q of every square, where the solver knows all optimal squares."""
    from pinchpoint.solvers.dispatch import optimal_squares

    games = position_after(boards, moves)
    optimal = optimal_squares(games)[0]
    legal = games.legal[0]
    return [
        (-float(value) if best else -float(value + 1)) if may else None
        for best, may in zip(optimal, legal, strict=True)
    ]


def agent_line(boards: Boards, moves: Moves, agent: str, seconds: float) -> list[int]:
    """Return the agent's play from here, cut short when the time is up."""
    games, player = position_after(boards, moves), load_once(agent)
    played = int(games.move_counts[0])
    end = time.monotonic() + seconds
    while not games.done[0] and time.monotonic() < end:
        games.play(player.act(games))
    return [int(square) for square in games.history(0)[played:]]


def show_line(boards: Boards, moves: Moves, squares: Sequence[int]) -> dict[str, Any]:
    """Return what the attacks change one after the other, and the keys of all positions."""
    games = position_after(boards, moves)
    start, keys, frames = status_text(games), [position_key(games)], []
    for square in squares:
        before = games.status[0].copy()
        games.play(square)
        changed = np.flatnonzero(before != games.status[0])
        changes = [(int(s), int(games.status[0, s])) for s in changed]
        frames.append({"square": square, "changes": changes})
        keys.append(position_key(games))
    done, cut = bool(games.done[0]), cut_of(games)
    return {"film": {"start": start, "frames": frames, "done": done, "cut": cut}, "keys": keys}


def draw_png(boards: Boards, moves: Moves, palette: str) -> bytes:
    """Return the board as it stands, with the attacked squares numbered."""
    status = position_after(boards, moves).boards[0]
    numbers = np.zeros(status.size, dtype=np.int32)
    numbers[list(moves)] = np.arange(1, len(moves) + 1)
    cell = max(PNG_SIDE // max(status.shape), 1)
    return png(status, palette, cell, numbers.reshape(status.shape))


def draw_gif(boards: Boards, moves: Moves, palette: str) -> bytes:
    """Return the whole game as a moving picture; in a long game a frame shows several moves."""
    games = Games(boards)
    cell = max(6, GIF_SIDE // max(games.boards[0].shape))
    stride = -(-len(moves) // GIF_FRAMES) or 1
    stops = [*range(0, len(moves), stride), len(moves)]

    def frames() -> Iterator[tuple[Bytes, int | None]]:
        for begin, end in pairwise([0, *stops]):
            for square in moves[begin:end]:
                games.play(square)
            yield games.boards[0], moves[end - 1] if end else None

    buffer = io.BytesIO()
    write_gif(buffer, frames(), len(stops), palette, cell)
    return buffer.getvalue()


TASKS: dict[str, Callable[..., Any]] = {
    "solve": solve_position,
    "square": agent_square,
    "values": agent_values,
    "exact": exact_values,
    "line": agent_line,
    "show": show_line,
    "png": draw_png,
    "gif": draw_gif,
}


_ready: set[tuple[str, str, str]] = set()  # what this process has got ready for


def get_ready(task: str, arguments: dict[str, Any]) -> None:
    """Do the same on a tiny board, once, so that all that the job needs is loaded and compiled."""
    mode = arguments["boards"].mode
    key = task, repr(mode), arguments.get("agent", "")
    tiny = tiny_board(mode)
    if key in _ready or tiny is None:
        return
    _ready.add(key)
    rehearsal = arguments | {"boards": tiny, "moves": []}
    if "squares" in arguments:
        rehearsal["squares"] = []
    with suppress(Exception):  # then the job takes its chance
        TASKS[task](**rehearsal)
