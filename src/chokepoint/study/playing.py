"""One agent playing a batch of boards to their end, watched move by move."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from chokepoint.agents import Agent
from chokepoint.game.engine import Games, IllegalMove
from chokepoint.game.record import Record, record_of
from chokepoint.graph.topology import Ints

AGENT_SEED = 500_009  # added to the seed, so that random agents do not draw what the boards drew


class AgentFault(Exception):
    """An agent broke the rules of the evaluation; the game so far comes with it."""

    def __init__(self, message: str, record: Record) -> None:
        super().__init__(message, record)  # both in args, so that it survives pickling
        self.message, self.record = message, record

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Played:
    """What is kept of B finished games."""

    steps: Ints  # [B]
    moves: Ints  # [Σ steps]  the squares attacked, game after game
    largest: Ints  # [B]  squares of the largest piece left at the end
    seconds: npt.NDArray[np.float64]  # [B]  each game's share of the time

    def games(self) -> list[list[int]]:
        """The moves of each game."""
        ends = np.cumsum(self.steps)
        return [[int(s) for s in part] for part in np.split(self.moves, ends[:-1])]


def play_boards(agent: Agent, games: Games) -> Played:
    """Let the agent play all games to their end; games that are over leave the batch at once.

    A batch that shrinks keeps a network from evaluating boards that nobody plays any more. The time
    of a step is shared by the games that were still running.
    """
    total = len(games)
    steps, largest = np.zeros(total, np.int32), np.zeros(total, np.int32)
    seconds = np.zeros(total)
    histories: list[list[int]] = [[] for _ in range(total)]
    places = np.arange(total)  # of the games in the running batch
    while True:
        over = games.done
        for row in np.flatnonzero(over):
            place = places[row]
            histories[place] = games.history(int(row))
            steps[place], largest[place] = len(histories[place]), largest_piece(games, int(row))
        if over.all():
            moves = np.array([s for history in histories for s in history], np.int32)
            return Played(steps, moves, largest, seconds)
        if over.any():
            games, places = games.take(~over), places[~over]
        began = time.perf_counter()
        advance(agent, games)
        seconds[places] += (time.perf_counter() - began) / len(places)


def advance(agent: Agent, games: Games) -> None:
    """One move in every game, all of which are still running."""
    squares = np.asarray(agent.act(games))
    if squares.shape == (len(games),) and (squares == -1).any():
        row = int(np.flatnonzero(squares == -1)[0])
        raise AgentFault(
            f"{agent.name} makes no move in a game that goes on", broken_game(agent, games, row)
        )
    try:
        games.play(squares)
    except IllegalMove as error:
        row, square = first_illegal(games, squares)
        raise AgentFault(
            f"{agent.name} made an illegal move: {error}", broken_game(agent, games, row, square)
        ) from None


def first_illegal(games: Games, squares: npt.NDArray[Any]) -> tuple[int, int]:
    """The game and square of the first illegal move among these."""
    inside = (squares >= 0) & (squares < games.topology.n)
    legal = games.legal[np.arange(len(games)), np.where(inside, squares, 0)]
    row = int(np.flatnonzero(~(inside & legal))[0])
    return row, int(squares[row])


def broken_game(agent: Agent, games: Games, row: int, square: int | None = None) -> Record:
    """The record of an unfinished game, with the illegal move at its end."""
    record = record_of(games, row, agent=agent.name)
    if square is None:
        return record
    width = games.topology.lattice_shape()[1]
    moves = [*record.moves, [*divmod(square, width)]]
    return replace(record, moves=moves, steps=len(moves))


def largest_piece(games: Games, row: int) -> int:
    labels = games.labels[row]
    labels = labels[labels >= 0]
    return int(np.bincount(labels).max()) if len(labels) else 0
