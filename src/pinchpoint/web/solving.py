"""Par: solutions of positions, worked out by worker processes and kept in the database."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any

from cachetools import LRUCache
from sqlalchemy import Connection, select, update

from pinchpoint.game.keys import position_key
from pinchpoint.solvers.solution import BestPlay
from pinchpoint.web.db.schema import solutions
from pinchpoint.web.db.store import Store, insert_new, now
from pinchpoint.web.fair_queue import Dropped, Job, Rank
from pinchpoint.web.limits import Busy
from pinchpoint.web.messages import ParView
from pinchpoint.web.puzzles import Positions, Puzzle
from pinchpoint.web.workers import Pool

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KnownSolution(BestPlay):
    """What is stored of a position; `seconds` is the time that the solver was allowed."""

    value: int
    bound: int

    def after_first(self) -> KnownSolution:
        """Return what this says about the position after the first move: one move less."""
        return KnownSolution(self.moves[1:], self.value - 1, max(self.bound - 1, 0), self.seconds)

    def joined(self, other: KnownSolution | None) -> KnownSolution:
        """Return the better value and the better bound of two."""
        if other is None:
            return self
        best = self if self.value <= other.value else other
        bound = max(self.bound, other.bound)
        return KnownSolution(best.moves, best.value, bound, max(self.seconds, other.seconds))


OVER = KnownSolution((), 0, 0, 0.0)  # of a game that is over


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
        return self.find_all([key]).get(key)

    def find_all(self, keys: Sequence[str]) -> dict[str, KnownSolution]:
        """Return the best solutions known of these positions."""
        with self._lock:
            found = {key: self._proven[key] for key in keys if key in self._proven}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if not missing:
            return found
        rows: list[Any] = []
        with self._store.read() as connection:
            for start in range(0, len(missing), 500):  # databases bound the size of a list
                some = solutions.c.position.in_(missing[start : start + 500])
                rows += connection.execute(select(solutions).where(some)).mappings().all()
        for row in rows:
            moves = tuple(json.loads(row["moves"]))
            solution = KnownSolution(moves, row["value"], row["bound"], row["seconds"])
            found[row["position"]] = solution
            self._remember(row["position"], solution)
        return found

    def ask(
        self,
        puzzle: Puzzle,
        moves: Sequence[int],
        patience: int | None = None,
        shown: bool = True,
    ) -> tuple[KnownSolution | None, bool]:
        """Return what is known now, and whether more is being worked out.

        `patience` is the number of tries, each longer than the one before; all of them by default.
        Positions that are `shown` go before others.
        """
        games = self._positions.at(puzzle, moves)
        if games.done[0]:
            return OVER, False
        known = self.find(position_key(games))
        if known is not None and known.proven:
            return known, False
        tried = 0.0 if known is None else known.seconds
        limits = [s for s in self._seconds[:patience] if s > tried]
        if not limits:
            return known, False
        first = shown and tried == 0.0
        rank = Rank.SHOWN if first else Rank.REFINED
        with suppress(Busy):  # the next request for it tries again
            self.work_out(puzzle, moves, limits[0], rank, quick=first)
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
        self,
        puzzle: Puzzle,
        moves: Sequence[int],
        seconds: float,
        rank: Rank,
        quick: bool = False,
    ) -> Job:
        """Have the position solved; the answer is stored when it comes."""
        key = position_key(self._positions.at(puzzle, moves))
        arguments = {"boards": puzzle.boards, "moves": list(moves), "seconds": seconds}
        name = f"solve {key} {seconds}"
        new = not self._pool.is_known(name)
        limit = 1.5 * seconds + 5
        job = self._pool.submit(name, "solve", arguments, limit, rank, quick)
        if new:
            job.answer.add_done_callback(lambda answer: self._keep_plan(puzzle, seconds, answer))
        return job

    def _keep_plan(self, puzzle: Puzzle, seconds: float, answer: Future[Any]) -> None:
        """Store an answer for its position and for every later position of its plan."""
        failure = answer.exception()
        if failure is not None:
            if not isinstance(failure, Dropped):
                log.warning("solving %s: %s", puzzle.id, failure)
            return
        found = answer.result()
        best = KnownSolution(tuple(found["moves"]), found["value"], found["bound"], seconds)
        plan: dict[str, KnownSolution] = {}
        for key in found["keys"]:
            plan[key] = best
            best = best.after_first()
        try:
            self.keep(plan)
        except Exception:
            log.exception("a solution of %s could not be kept", puzzle.id)

    def keep(self, found: Mapping[str, KnownSolution]) -> None:
        """Store solutions by position, joined with what is known of the positions already."""
        known = self.find_all(list(found))
        joined = {key: solution.joined(known.get(key)) for key, solution in found.items()}
        changed = {key: best for key, best in joined.items() if best != known.get(key)}
        if not changed:
            return
        with self._store.write() as connection:
            for key, best in changed.items():
                _upsert(connection, key, best)
        for key, best in changed.items():
            self._remember(key, best)

    def _remember(self, key: str, found: KnownSolution) -> None:
        if found.proven:
            with self._lock:
                self._proven[key] = found


def _upsert(connection: Connection, key: str, best: KnownSolution) -> None:
    values = {
        "value": best.value,
        "bound": best.bound,
        "moves": json.dumps(best.moves),
        "seconds": best.seconds,
        "at": now(),
    }
    insert_new(connection, solutions, position=key, **values)
    # Another process may have stored a better one meanwhile, which has to stay.
    better = (solutions.c.value >= best.value) & (solutions.c.bound <= best.bound)
    connection.execute(
        update(solutions).where((solutions.c.position == key) & better).values(**values)
    )
