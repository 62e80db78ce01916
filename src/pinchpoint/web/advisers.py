"""Advisers that a player can ask: the solver, shipped learned agents and simpler ones.

They suggest a square, judge every square, show a line of play, and analyse a finished game. All of
this, and the pictures of games, is worked out by the worker processes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

from cachetools import LRUCache
from fastapi.concurrency import run_in_threadpool

from pinchpoint.agents.registry import AGENTS
from pinchpoint.errors import InputError
from pinchpoint.files import sha256_of
from pinchpoint.game.keys import position_key
from pinchpoint.game.modes.base import Mode
from pinchpoint.learning.weights import shipped
from pinchpoint.solvers.dispatch import solved_at_once
from pinchpoint.web.current_request import current_request
from pinchpoint.web.fair_queue import Job, Rank
from pinchpoint.web.games import StoredGame
from pinchpoint.web.limits import Busy, Conflict, NotFound
from pinchpoint.web.messages import Adviser, AnalysisView, Film, MoveAnalysis
from pinchpoint.web.puzzles import Positions, Puzzle, tiny_board
from pinchpoint.web.solving import OVER, KnownSolution, Solutions
from pinchpoint.web.workers import Pool

SOLVER = "solver"
SOLVE_SECONDS = 4.0  # for a hint of the solver
SQUARE_SECONDS = 10.0  # for one move of an agent
LINE_SECONDS = 15.0  # for the rest of a game
WAIT_SECONDS = 45.0  # that a request waits at most, its time in the queue included
RENEW_SECONDS = 1.0  # how often a request that waits says so
POSITIONS_AT_ONCE = 4  # positions of one game that are worked out at a time: others have games too
ANALYSES_AT_ONCE = 2  # that look up solutions, in threads that moves need too
PICTURE_SECONDS = 10.0  # for a picture of a game
SHOW_SECONDS = 10.0  # for a line of play move by move
PICTURE_BYTES = 32_000_000  # of the pictures that are kept
# The largest boards, in squares, on which a slow agent finds a move in its time, by mode.
LARGEST_BOARD = {"search": {"network": 256, "flow": 256, "noodle": 144}}
# The solver is offered under a name of its own, and boards have better teachers than graph.
NOT_ADVISERS = {"human", "weights", "random", "prune", "optimal", "graph"}


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
        largest = LARGEST_BOARD[name].get(mode.name, 100) if name in LARGEST_BOARD else None
        found.append(
            Adviser(
                name=name,
                about=entry.about,
                kind="learned" if learned else "baseline",
                values=learned,
                weights=weights,
                max_squares=largest,
            )
        )
    # The agent trained on this very mode goes before the other learned ones.
    found.sort(key=lambda a: (a.kind != "learned", a.name != mode.name))
    about = "the solver: the fewest moves known"
    found.append(Adviser(name=SOLVER, about=about, kind="solver", values=solved_at_once(mode)))
    return found


def find_adviser(puzzle: Puzzle, name: str) -> Adviser:
    """Return the adviser of that name; refuse a name that is not offered on this board."""
    known = {adviser.name: adviser for adviser in advisers(puzzle.mode)}
    if name not in known:
        raise NotFound(f"there is no agent {name!r} here; choose from {', '.join(known)}")
    largest = known[name].max_squares
    if largest is not None and puzzle.height * puzzle.width > largest:
        raise Conflict(
            f"{name} would take too long on {puzzle.height} × {puzzle.width} squares; "
            f"it is offered on boards of up to {largest} squares"
        )
    return known[name]


@lru_cache
def weights_hash(name: str) -> str | None:
    """Return the hash of an agent's shipped weights, None if there are none."""
    path = shipped().get(name)
    return None if path is None else sha256_of(path)


class Advice:
    """Asks advisers, in worker processes, and keeps their answers by position."""

    def __init__(self, pool: Pool, positions: Positions, solutions: Solutions) -> None:
        self._pool, self._positions, self._solutions = pool, positions, solutions
        # Only coroutines of the one event loop use these, so they need no lock.
        self._kept: LRUCache[str, Any] = LRUCache(2048)
        self._pictures: LRUCache[str, bytes] = LRUCache(PICTURE_BYTES, getsizeof=len)
        self._lookups = asyncio.Semaphore(ANALYSES_AT_ONCE)

    # -- questions about a position ------------------------------------------------------------

    async def square(self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser) -> int:
        """Return the square that the adviser would attack."""
        if adviser.kind == "solver":
            return (await self._solved(puzzle, moves)).moves[0]
        quick = adviser.name not in LARGEST_BOARD
        ask = self._ask("square", puzzle, moves, SQUARE_SECONDS, quick, agent=adviser.name)
        return int(await ask)

    async def values(
        self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser
    ) -> list[float | None]:
        """Return the value of an attack on each square: minus the moves to the end."""
        if adviser.kind == "solver":
            value = (await self._solved(puzzle, moves)).value
            return list(await self._ask("exact", puzzle, moves, SQUARE_SECONDS, value=value))
        return list(await self._ask("values", puzzle, moves, SQUARE_SECONDS, agent=adviser.name))

    async def line(self, puzzle: Puzzle, moves: Sequence[int], adviser: Adviser) -> list[int]:
        """Return the adviser's moves from here to the end."""
        if adviser.kind == "solver":
            return list((await self._solved(puzzle, moves)).moves)
        more = {"agent": adviser.name, "seconds": LINE_SECONDS}
        return list(await self._ask("line", puzzle, moves, LINE_SECONDS, quick=False, **more))

    async def show(
        self, puzzle: Puzzle, moves: Sequence[int], squares: Sequence[int]
    ) -> tuple[Film, list[str]]:
        """Show what attacks on these squares change, and return the keys of all positions."""
        line = list(squares)
        found = await self._ask("show", puzzle, moves, SHOW_SECONDS, quick=False, squares=line)
        return Film(**found["film"]), found["keys"]

    async def picture(
        self,
        puzzle: Puzzle,
        moves: Sequence[int],
        kind: Literal["png", "gif"],
        palette: str = "classic",
    ) -> bytes:
        """Draw the board as it stands (png) or the whole game (gif)."""
        key = f"{kind} {palette} {puzzle.id} {' '.join(map(str, moves))}"
        drawn = self._pictures.get(key)
        if drawn is None:
            arguments = {"boards": puzzle.boards, "moves": list(moves), "palette": palette}
            job = self._pool.submit(key, kind, arguments, PICTURE_SECONDS, quick=kind == "png")
            drawn = bytes(await wait_for(job))
            with suppress(ValueError):  # larger than all that may be kept
                self._pictures[key] = drawn
        return drawn

    async def _solved(self, puzzle: Puzzle, moves: Sequence[int]) -> KnownSolution:
        key = position_key(self._positions.at(puzzle, moves))
        known = await asyncio.to_thread(self._solutions.find, key)
        if known is not None and (known.proven or known.seconds >= SOLVE_SECONDS):
            return known
        work_out = self._solutions.work_out
        job = await asyncio.to_thread(work_out, puzzle, moves, SOLVE_SECONDS, Rank.ASKED)
        found = await wait_for(job)
        plan = tuple(found["moves"])
        return KnownSolution(plan, found["value"], found["bound"], SOLVE_SECONDS).joined(known)

    async def _ask(
        self,
        task: str,
        puzzle: Puzzle,
        moves: Sequence[int],
        limit: float,
        quick: bool = True,
        **more: Any,
    ) -> Any:
        """Return the answer of a task, which takes `more` arguments than the position."""
        position = await asyncio.to_thread(self._positions.at, puzzle, moves)
        key = " ".join([task, position_key(position), *map(str, more.values())])
        if key not in self._kept:
            arguments = {"boards": puzzle.boards, "moves": list(moves), **more}
            self._kept[key] = await wait_for(
                self._pool.submit(key, task, arguments, limit, quick=quick)
            )
        return self._kept[key]

    # -- the analysis of a finished game -------------------------------------------------------

    async def analyse(self, game: StoredGame, agent: str | None) -> AnalysisView:
        """Return what is known so far; the rest is being worked out when this returns."""
        puzzle, moves = game.puzzle, game.line.moves
        adviser = find_adviser(puzzle, agent) if agent is not None else first_agent(puzzle.mode)
        you, keys = await self.show(puzzle, (), moves)
        async with self._lookups:
            known, pending = await run_in_threadpool(self._along, puzzle, moves, keys)
            par = await run_in_threadpool(self._solutions.par, puzzle)
        found = AnalysisView(
            pending=pending or par.pending,
            par=par,
            you=you,
            moves=[judge(moves[k], known[k], known[k + 1]) for k in range(len(moves))],
            optimum=None,
            agent=None,
            agent_name=None,
        )
        start = known[0]
        if start is not None and start.moves:
            found.optimum, _ = await self.show(puzzle, (), start.moves)
        if adviser is not None:
            try:
                line = await self.line(puzzle, (), adviser)
                found.agent, _ = await self.show(puzzle, (), line)
                found.agent_name = adviser.name
            except InputError:  # an agent that cannot play this board is left out
                pass
        return found

    def _along(
        self, puzzle: Puzzle, moves: tuple[int, ...], keys: Sequence[str]
    ) -> tuple[list[KnownSolution | None], bool]:
        """Return the solutions known before each move and at the end, and whether more will come.

        Each position also learns from its neighbours in the game.
        """
        stored = self._solutions.find_all(keys)
        known: list[KnownSolution | None] = [stored.get(key) for key in keys]
        known[-1] = OVER
        asked = 0
        for k, solution in enumerate(known):
            if asked < POSITIONS_AT_ONCE and (solution is None or not solution.proven):
                known[k], pending = self._solutions.ask(puzzle, moves[:k], patience=2, shown=False)
                asked += pending
        # The game itself may be better play than what the solver found so far.
        for k in reversed(range(len(moves))):
            here, after = known[k], known[k + 1]
            if here is not None and after is not None and after.value + 1 < here.value:
                plan = (moves[k], *after.moves)
                known[k] = KnownSolution(plan, after.value + 1, here.bound, here.seconds)
        # A move brings the end nearer by one move at most.
        for k in range(len(moves)):
            here, after = known[k], known[k + 1]
            if here is not None and after is not None and here.bound - 1 > after.bound:
                bound = here.bound - 1
                known[k + 1] = KnownSolution(after.moves, after.value, bound, after.seconds)
        return known, asked > 0


def rehearsal(modes: Iterable[Mode]) -> list[tuple[str, dict[str, Any]]]:
    """Return the jobs that worker processes get ready for at once: what the modes' networks do."""
    boards = {mode.name: tiny_board(mode) for mode in modes}
    return [
        ("square", {"boards": tiny, "moves": [], "agent": name})
        for name, tiny in boards.items()
        if tiny is not None and weights_hash(name) is not None
    ]


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


async def wait_for(job: Job) -> Any:
    """Return the answer of a job; give up when the visitor hangs up or the time is over."""
    answer = asyncio.wrap_future(job.answer)
    left = asyncio.ensure_future(current_request().disconnected())
    end = time.monotonic() + WAIT_SECONDS
    try:
        while not answer.done():
            job.want(3 * RENEW_SECONDS)
            await asyncio.wait(
                {answer, left}, timeout=RENEW_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not answer.done() and (left.done() or time.monotonic() > end):
                raise Busy("the server is busy with other questions; try again in a minute")
        return answer.result()
    finally:
        left.cancel()
