"""Advisers that a player can ask: the solver, shipped learned agents and simpler ones.

They suggest a square, judge every square, show a line of play, and analyse a finished game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from cachetools import LRUCache
from fastapi.concurrency import run_in_threadpool

from chokepoint.agents import AGENTS
from chokepoint.errors import InputError
from chokepoint.game import Mode, position_key
from chokepoint.learning import shipped
from chokepoint.web.games import StoredGame
from chokepoint.web.limits import Busy, NotFound
from chokepoint.web.messages import AnalysisView, Film, MoveAnalysis
from chokepoint.web.puzzles import Positions, Puzzle
from chokepoint.web.solving import KnownSolution, Solutions
from chokepoint.web.workers import Pool

SOLVER = "solver"
SOLVE_SECONDS = 4.0  # for a hint of the solver
SQUARE_SECONDS = 10.0  # for one move of an agent
LINE_SECONDS = 15.0  # for the rest of a game
WAIT_SECONDS = 45.0  # that a request waits at most, its time in the queue included
POSITIONS_AT_ONCE = 4  # positions of one game that are worked out at a time: others have games too
NOT_ADVISERS = {"human", "weights", "random", "prune", "optimal"}  # optimal is our solver


@dataclass(frozen=True)
class Adviser:
    """An agent or the solver, as the page offers it."""

    name: str
    about: str
    kind: str  # solver, learned, baseline
    values: bool  # judges every square
    weights: str | None = None  # hash of the weights


def advisers(mode: Mode) -> list[Adviser]:
    """Return the advisers that can play this mode, the most useful ones first."""
    found = []
    for name, entry in AGENTS.items():
        if name in NOT_ADVISERS or (name == "search" and weights_hash(mode.name) is None):
            continue
        learned = "learned" in entry.factory
        weights = weights_hash(name) if learned else None
        if learned and weights is None:
            continue  # not shipped with this version
        kind = "learned" if learned else "baseline"
        found.append(Adviser(name, entry.about, kind, learned, weights))
    # The agent trained on this very mode goes before the other learned ones.
    found.sort(key=lambda a: (a.kind != "learned", a.name != mode.name))
    about = "the solver: the fewest moves known"
    found.append(Adviser(SOLVER, about, "solver", mode.name == "flow"))
    return found


def find_adviser(mode: Mode, name: str) -> Adviser:
    """Return the adviser of that name; refuse a name that is not offered."""
    known = {adviser.name: adviser for adviser in advisers(mode)}
    if name not in known:
        raise NotFound(f"there is no agent {name!r} here; choose from {', '.join(known)}")
    return known[name]


@lru_cache
def weights_hash(name: str) -> str | None:
    """Return the hash of an agent's shipped weights, None if there are none."""
    path = shipped().get(name)
    return None if path is None else sha256(path.read_bytes()).hexdigest()


class Advice:
    """Asks advisers, in worker processes, and keeps their answers by position."""

    def __init__(self, pool: Pool, positions: Positions, solutions: Solutions) -> None:
        self._pool, self._positions, self._solutions = pool, positions, solutions
        # Only coroutines of the one event loop use this, so it needs no lock.
        self._kept: LRUCache[tuple[str, str, str], Any] = LRUCache(2048)

    def warm_up(self, mode: Mode) -> None:
        """Have the mode's own network loaded before a visitor waits for it."""
        if weights_hash(mode.name) is None:
            return
        puzzle = Puzzle.from_rows(mode, ["ooooo"] * 5)
        arguments = {"position": puzzle.plain(()), "agent": mode.name}
        with suppress(InputError):
            self._pool.submit(f"warm {mode.name}", "values", arguments, SQUARE_SECONDS, urgent=True)

    # -- questions about a position ------------------------------------------------------------

    async def square(self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser) -> int:
        """Return the square that the adviser would attack."""
        if adviser.kind == "solver":
            return (await self._solved(puzzle, moves)).moves[0]
        return int(await self._ask("square", puzzle, moves, adviser, SQUARE_SECONDS))

    async def values(
        self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser
    ) -> list[float | None]:
        """Return the value of an attack on each square: minus the moves to the end."""
        if adviser.kind == "solver":
            best = await self._solved(puzzle, moves)
            more = {"value": best.value}
            return list(await self._ask("exact", puzzle, moves, None, SQUARE_SECONDS, more))
        return list(await self._ask("values", puzzle, moves, adviser, SQUARE_SECONDS))

    async def line(self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser) -> list[int]:
        """Return the adviser's moves from here to the end."""
        if adviser.kind == "solver":
            return list((await self._solved(puzzle, moves)).moves)
        more = {"seconds": LINE_SECONDS}
        found = await self._ask("line", puzzle, moves, adviser, LINE_SECONDS, more)
        return [int(square) for square in found["moves"]]

    async def _solved(self, puzzle: Puzzle, moves: Sequence[int]) -> KnownSolution:
        key = position_key(self._positions.at(puzzle, moves))
        known = await asyncio.to_thread(self._solutions.find, key)
        if known is not None and (known.proven or known.seconds >= SOLVE_SECONDS):
            return known
        answer = self._solutions.work_out(puzzle, moves, SOLVE_SECONDS, urgent=True)
        found = await wait_for(answer)
        plan = tuple(found["moves"])
        return KnownSolution(found["value"], found["bound"], plan, SOLVE_SECONDS).joined(known)

    async def _ask(
        self,
        task: str,
        puzzle: Puzzle,
        moves: Sequence[int],
        adviser: Adviser | None,
        seconds: float,
        more: dict[str, Any] | None = None,
    ) -> Any:
        name = adviser.name if adviser else SOLVER
        key = (task, position_key(self._positions.at(puzzle, moves)), name)
        if key in self._kept:
            return self._kept[key]
        arguments: dict[str, Any] = {"position": puzzle.plain(moves)} | (more or {})
        if adviser:
            arguments["agent"] = adviser.name
        kind = f"{task} {name} {puzzle.mode.reference}"
        job = self._pool.submit(" ".join(key), task, arguments, seconds, urgent=True, kind=kind)
        answer = await wait_for(job)
        self._kept[key] = answer
        return answer

    # -- the analysis of a finished game -------------------------------------------------------

    async def analyse(self, game: StoredGame, agent: str | None) -> AnalysisView:
        """Return what is known so far; the rest is being worked out when this returns."""
        mode = game.puzzle.mode
        adviser = find_adviser(mode, agent) if agent is not None else first_agent(mode)
        found = await run_in_threadpool(self._judge_moves, game)
        if adviser is not None:
            try:
                line = await self.line(game.puzzle, (), adviser)
                found.agent = await run_in_threadpool(self._positions.film, game.puzzle, (), line)
                found.agent_name = adviser.name
            except InputError:  # an agent that cannot play this board is left out
                pass
        return found

    def _judge_moves(self, game: StoredGame) -> AnalysisView:
        puzzle, moves = game.puzzle, game.line.moves
        known, pending = self._along(puzzle, moves)
        par = self._solutions.par(puzzle)
        start = known[0]
        optimum: Film | None = None
        if start is not None and start.moves:
            optimum = self._positions.film(puzzle, (), start.moves)
        return AnalysisView(
            pending=pending or par.pending,
            par=par,
            you=self._positions.film(puzzle, (), moves),
            moves=[judge(moves[k], known[k], known[k + 1]) for k in range(len(moves))],
            optimum=optimum,
            agent=None,
            agent_name=None,
        )

    def _along(
        self, puzzle: Puzzle, moves: tuple[int, ...]
    ) -> tuple[list[KnownSolution | None], bool]:
        """Return the solutions known before each move and at the end, and whether more will come.

        Each position also learns from its neighbours in the game.
        """
        known: list[KnownSolution | None] = []
        asked = 0
        for k in range(len(moves) + 1):
            if asked < POSITIONS_AT_ONCE:
                solution, pending = self._solutions.ask(puzzle, moves[:k], patience=1)
                asked += pending
            else:
                key = position_key(self._positions.at(puzzle, moves[:k]))
                solution = self._solutions.find(key)
            known.append(solution)
        # The game itself may be better play than what the solver found so far.
        for k in reversed(range(len(moves))):
            here, after = known[k], known[k + 1]
            if here is not None and after is not None and after.value + 1 < here.value:
                plan = (moves[k], *after.moves)
                known[k] = KnownSolution(after.value + 1, here.bound, plan, here.seconds)
        # A move brings the end nearer by one move at most.
        for k in range(len(moves)):
            here, after = known[k], known[k + 1]
            if here is not None and after is not None and here.bound - 1 > after.bound:
                bound = here.bound - 1
                known[k + 1] = KnownSolution(after.value, bound, after.moves, after.seconds)
        return known, asked > 0


def first_agent(mode: Mode) -> Adviser | None:
    """Return the most useful adviser that is not the solver."""
    return next((adviser for adviser in advisers(mode) if adviser.kind != "solver"), None)


def judge(square: int, before: KnownSolution | None, after: KnownSolution | None) -> MoveAnalysis:
    """Return the cost of a move: itself and the moves to go after it, less those before it."""
    cost = None if before is None or after is None else 1 + after.value - before.value
    certain = before is not None and after is not None and before.proven and after.proven
    better = before.moves[0] if cost and before is not None and before.moves else None
    return MoveAnalysis(
        square=square,
        to_go=None if before is None else before.value,
        after=None if after is None else after.value,
        cost=cost,
        certain=certain,
        better=better,
    )


async def wait_for(answer: Future[Any]) -> Any:
    """Return the answer of a job; a request that gives up leaves the job to others who wait."""
    try:
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(answer)), WAIT_SECONDS)
    except TimeoutError:
        raise Busy("the server is busy with other questions; try again in a minute") from None
