"""Par: solutions of positions, worked out by worker processes and kept in the database."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any

from cachetools import LRUCache
from sqlalchemy import select, update

from chokepoint.game import position_key
from chokepoint.web.db.schema import solutions
from chokepoint.web.db.store import Store, insert_new, now
from chokepoint.web.limits import Busy
from chokepoint.web.messages import ParView
from chokepoint.web.puzzles import Positions, Puzzle
from chokepoint.web.workers import Pool

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KnownSolution:
    """The best play known from a position, and the number of moves that any play needs."""

    value: int  # moves of the best play
    bound: int
    moves: tuple[int, ...]
    seconds: float  # the solver's time limit

    @property
    def proven(self) -> bool:
        return self.value == self.bound

    def after_first(self) -> KnownSolution:
        """Return what this says about the position after the first move: one move less."""
        return KnownSolution(self.value - 1, max(self.bound - 1, 0), self.moves[1:], self.seconds)

    def joined(self, other: KnownSolution | None) -> KnownSolution:
        """Return the better value and the better bound of two."""
        if other is None:
            return self
        best = self if self.value <= other.value else other
        bound = max(self.bound, other.bound)
        return KnownSolution(best.value, bound, best.moves, max(self.seconds, other.seconds))


class Solutions:
    """Looks up solutions of positions, and has missing ones worked out."""

    def __init__(
        self, store: Store, pool: Pool, positions: Positions, seconds: Sequence[float]
    ) -> None:
        self._store, self._pool, self._positions = store, pool, positions
        self._seconds = tuple(seconds)
        self._proven: LRUCache[str, KnownSolution] = LRUCache(4096)  # these never change
        self._lock = Lock()

    def find(self, key: str) -> KnownSolution | None:
        """Return the best solution known of a position."""
        with self._lock:
            proven = self._proven.get(key)
        if proven is not None:
            return proven
        query = select(solutions).where(solutions.c.position == key)
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        moves = tuple(json.loads(row["moves"]))
        found = KnownSolution(row["value"], row["bound"], moves, row["seconds"])
        self._remember(key, found)
        return found

    def ask(
        self, puzzle: Puzzle, moves: Sequence[int], patience: int | None = None
    ) -> tuple[KnownSolution | None, bool]:
        """Return what is known now, and whether more is being worked out.

        `patience` is the number of tries, each longer than the one before; all of them by default.
        """
        games = self._positions.at(puzzle, moves)
        if games.done[0]:
            return KnownSolution(0, 0, (), 0.0), False
        known = self.find(position_key(games))
        if known is not None and known.proven:
            return known, False
        tried = 0.0 if known is None else known.seconds
        limits = [s for s in self._seconds[:patience] if s > tried]
        if not limits:
            return known, False
        with suppress(Busy):  # the next request for it tries again
            self.work_out(puzzle, moves, limits[0])
        return known, True

    def par(self, puzzle: Puzzle, work: bool = True) -> ParView:
        """Return par of a puzzle; with `work` it is also worked out if it is not proven."""
        if work:
            known, pending = self.ask(puzzle, ())
        else:
            known, pending = self.find(position_key(self._positions.at(puzzle, ()))), False
        if known is None:
            return ParView(value=None, bound=None, proven=False, pending=pending)
        return ParView(value=known.value, bound=known.bound, proven=known.proven, pending=pending)

    def work_out(
        self, puzzle: Puzzle, moves: Sequence[int], seconds: float, urgent: bool = False
    ) -> Future[Any]:
        """Have the position solved; the answer is stored when it comes."""
        key = position_key(self._positions.at(puzzle, moves))
        arguments = {"position": puzzle.plain(moves), "seconds": seconds}
        job = f"solve {key} {seconds}"
        new = not self._pool.is_known(job)
        kind = f"solve {puzzle.mode.reference}"
        answer = self._pool.submit(job, "solve", arguments, 3 * seconds + 5, urgent, kind)
        if new:
            answer.add_done_callback(lambda f: self._keep_plan(puzzle, tuple(moves), seconds, f))
        return answer

    def _keep_plan(
        self, puzzle: Puzzle, moves: tuple[int, ...], seconds: float, answer: Future[Any]
    ) -> None:
        """Store an answer for its position and for every later position of its plan."""
        if answer.cancelled():
            return
        if answer.exception() is not None:
            log.warning("solving %s after %d moves: %s", puzzle.id, len(moves), answer.exception())
            return
        found = answer.result()
        best = KnownSolution(found["value"], found["bound"], tuple(found["moves"]), seconds)
        try:
            games = self._positions.at(puzzle, moves).copy()
            while not games.done[0]:
                self.keep(position_key(games), best)
                games.play(best.moves[0])
                best = best.after_first()
        except Exception:
            log.exception(
                "a solution of %s after %d moves could not be kept", puzzle.id, len(moves)
            )

    def keep(self, key: str, found: KnownSolution) -> None:
        """Store a solution, joined with what is known of the position already."""
        known = self.find(key)
        best = found.joined(known)
        if best == known:
            return
        values = {
            "value": best.value,
            "bound": best.bound,
            "moves": json.dumps(best.moves),
            "seconds": best.seconds,
            "at": now(),
        }
        with self._store.write() as connection:
            insert_new(connection, solutions, position=key, **values)
            # Another process may have stored a better one meanwhile, which has to stay.
            better = (solutions.c.value >= best.value) & (solutions.c.bound <= best.bound)
            connection.execute(
                update(solutions).where((solutions.c.position == key) & better).values(**values)
            )
        self._remember(key, best)

    def _remember(self, key: str, found: KnownSolution) -> None:
        if found.proven:
            with self._lock:
                self._proven[key] = found
