"""Par: what the solvers found for positions, worked out in the pool and kept in the database."""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from chokepoint.game import Games
from chokepoint.web.db.store import Store, insert_new, now
from chokepoint.web.db.tables import solutions
from chokepoint.web.errors import Busy
from chokepoint.web.layout import Layout, Positions, position_key
from chokepoint.web.workers import Pool

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Par:
    """The fewest moves known from a position, and the most that is proven to be needed."""

    value: int
    bound: int
    moves: tuple[int, ...]
    seconds: float  # time limit of the try

    @property
    def proven(self) -> bool:
        return self.value == self.bound

    def after_first(self) -> Par:
        """What this says about the position after the first move: one move less on both sides."""
        return Par(self.value - 1, max(self.bound - 1, 0), self.moves[1:], self.seconds)

    def joined(self, other: Par | None) -> Par:
        """The better value and the better bound of two."""
        if other is None:
            return self
        best = self if self.value <= other.value else other
        bound = max(self.bound, other.bound)
        return Par(best.value, bound, best.moves, max(self.seconds, other.seconds))


class Solutions:
    """Looks up and works out pars."""

    def __init__(
        self, store: Store, pool: Pool, positions: Positions, seconds: Sequence[float]
    ) -> None:
        self._store, self._pool, self._positions = store, pool, positions
        self._seconds = tuple(seconds)
        self._proven: OrderedDict[str, Par] = OrderedDict()  # these never change

    def find(self, key: str) -> Par | None:
        """What is known of a position."""
        if key in self._proven:
            return self._proven[key]
        query = select(solutions).where(solutions.c.position == key)
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        par = Par(row["value"], row["bound"], tuple(json.loads(row["moves"])), row["seconds"])
        self._remember(key, par)
        return par

    def ask(
        self, layout: Layout, moves: Sequence[int], patience: int | None = None
    ) -> tuple[Par | None, bool]:
        """What is known now, and whether more is being worked out.

        `patience` is the number of tries, each longer than the one before; all of them by default.
        """
        games = self._positions.at(layout, moves)
        if games.done[0]:
            return Par(0, 0, (), 0.0), False
        key = position_key(games)
        par = self.find(key)
        if par is not None and par.proven:
            return par, False
        tried = 0.0 if par is None else par.seconds
        limits = [s for s in self._seconds[:patience] if s > tried]
        if not limits:
            return par, False
        with suppress(Busy):  # the next one who asks tries again
            self.work_out(layout, moves, limits[0])
        return par, True

    def work_out(
        self, layout: Layout, moves: Sequence[int], seconds: float, urgent: bool = False
    ) -> Future[Any]:
        """Have the position solved; the answer is stored when it comes."""
        key = position_key(self._positions.at(layout, moves))
        arguments = {"position": position_of(layout, moves), "seconds": seconds}
        job = f"solve {key} {seconds}"
        new = not self._pool.is_known(job)
        kind = f"solve {layout.mode.reference}"
        answer = self._pool.submit(job, "solve", arguments, 3 * seconds + 5, urgent, kind)
        if new:
            answer.add_done_callback(lambda f: self._keep(layout, tuple(moves), seconds, f))
        return answer

    def _keep(
        self, layout: Layout, moves: tuple[int, ...], seconds: float, answer: Future[Any]
    ) -> None:
        if answer.cancelled():
            return
        if answer.exception() is not None:
            log.warning("solving %s after %d moves: %s", layout.id, len(moves), answer.exception())
            return
        found = answer.result()
        par = Par(found["value"], found["bound"], tuple(found["moves"]), seconds)
        try:
            games = self._positions.at(layout, moves).copy()
            while not games.done[0]:  # the plan says as much about every position along it
                self.keep(position_key(games), par)
                games.play(par.moves[0])
                par = par.after_first()
        except Exception:
            log.exception(
                "a solution of %s after %d moves could not be kept", layout.id, len(moves)
            )

    def keep(self, key: str, par: Par) -> None:
        """Store a par, joined with what is known of the position already."""
        known = self.find(key)
        best = par.joined(known)
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
            # Another process may know better by now: only ever improve.
            better = (solutions.c.value >= best.value) & (solutions.c.bound <= best.bound)
            connection.execute(
                update(solutions).where((solutions.c.position == key) & better).values(**values)
            )
        self._remember(key, best)

    def _remember(self, key: str, par: Par) -> None:
        if par.proven:
            self._proven[key] = par
            while len(self._proven) > 4096:
                self._proven.popitem(last=False)


def position_of(layout: Layout, moves: Sequence[int]) -> dict[str, Any]:
    """A position as plain values, for another process."""
    return {
        "mode": layout.mode.reference,
        "options": layout.mode.options(),
        "height": layout.height,
        "width": layout.width,
        "cells": layout.cells,
        "moves": list(moves),
    }


def changes(before: Games, after: Games) -> list[tuple[int, int]]:
    """The squares that differ, with their state afterwards."""
    differ = (before.status[0] != after.status[0]).nonzero()[0]
    return [(int(s), int(after.status[0, s])) for s in differ]
