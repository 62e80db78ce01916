"""Whom a player can ask: the solver, the learned agents that are shipped, and simpler ones."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import chokepoint
from chokepoint.agents import AGENTS
from chokepoint.errors import InputError
from chokepoint.game import Mode
from chokepoint.web.errors import Busy, NotFound
from chokepoint.web.layout import Layout, Positions, position_key
from chokepoint.web.solving import Par, Solutions, position_of
from chokepoint.web.workers import Pool

SOLVER = "solver"
SOLVE_SECONDS = 4.0  # for a hint of the solver
SQUARE_SECONDS = 10.0  # for one move of an agent
LINE_SECONDS = 15.0  # for the rest of a game
WAIT_SECONDS = 45.0  # that a request waits at most, its time in the queue included
NOT_ADVISERS = {"human", "weights", "random", "prune", "optimal"}  # optimal is our solver


@dataclass(frozen=True)
class Adviser:
    """Someone to ask."""

    name: str
    about: str
    kind: str  # solver, learned, baseline
    values: bool  # has an opinion on every square
    weights: str | None = None  # hash of the weights


def advisers(mode: Mode) -> list[Adviser]:
    """Those that can play this mode, the most useful ones first."""
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
    # The agent trained on this very mode goes before its siblings.
    found.sort(key=lambda a: (a.kind != "learned", a.name != mode.name))
    about = "the solver: the fewest moves known"
    found.append(Adviser(SOLVER, about, "solver", mode.name == "flow"))
    return found


def find_adviser(mode: Mode, name: str) -> Adviser:
    known = {adviser.name: adviser for adviser in advisers(mode)}
    if name not in known:
        raise NotFound(f"there is no agent {name!r} here; choose from {', '.join(known)}")
    return known[name]


@lru_cache
def weights_hash(name: str) -> str | None:
    """The hash of an agent's shipped weights, None if there are none."""
    path = Path(chokepoint.__file__).parent / "learning" / "weights" / f"{name}.safetensors"
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None


class Desk:
    """Where questions are put to advisers; answers are kept by position."""

    def __init__(self, pool: Pool, positions: Positions, solutions: Solutions) -> None:
        self._pool, self._positions, self._solutions = pool, positions, solutions
        self._kept: OrderedDict[tuple[str, str, str], Any] = OrderedDict()

    def warm_up(self, mode: Mode) -> None:
        """Have the mode's own network loaded before someone waits for it."""
        if weights_hash(mode.name) is None:
            return
        layout = Layout.from_rows(mode, ["ooooo"] * 5)
        arguments = {"position": position_of(layout, ()), "agent": mode.name}
        with suppress(InputError):
            self._pool.submit(f"warm {mode.name}", "values", arguments, SQUARE_SECONDS, urgent=True)

    async def square(self, layout: Layout, moves: Sequence[int], adviser: Adviser) -> int:
        """The one square to attack."""
        if adviser.kind == "solver":
            return (await self._solved(layout, moves)).moves[0]
        return int(await self._ask("square", layout, moves, adviser, SQUARE_SECONDS))

    async def values(
        self, layout: Layout, moves: Sequence[int], adviser: Adviser
    ) -> list[float | None]:
        """What is to be expected after an attack on each square: minus the moves to go."""
        if adviser.kind == "solver":
            par = await self._solved(layout, moves)
            more = {"value": par.value}
            return list(await self._ask("exact", layout, moves, None, SQUARE_SECONDS, more))
        return list(await self._ask("values", layout, moves, adviser, SQUARE_SECONDS))

    async def line(self, layout: Layout, moves: Sequence[int], adviser: Adviser) -> list[int]:
        """How the adviser would go on to the end."""
        if adviser.kind == "solver":
            return list((await self._solved(layout, moves)).moves)
        more = {"seconds": LINE_SECONDS}
        found = await self._ask("line", layout, moves, adviser, LINE_SECONDS, more)
        return [int(square) for square in found["moves"]]

    async def _solved(self, layout: Layout, moves: Sequence[int]) -> Par:
        key = position_key(self._positions.at(layout, moves))
        par = await asyncio.to_thread(self._solutions.find, key)
        if par is not None and (par.proven or par.seconds >= SOLVE_SECONDS):
            return par
        answer = self._solutions.work_out(layout, moves, SOLVE_SECONDS, urgent=True)
        found = await wait_for(answer)
        fresh = Par(found["value"], found["bound"], tuple(found["moves"]), SOLVE_SECONDS)
        return fresh.joined(par)

    async def _ask(
        self,
        task: str,
        layout: Layout,
        moves: Sequence[int],
        adviser: Adviser | None,
        seconds: float,
        more: dict[str, Any] | None = None,
    ) -> Any:
        name = adviser.name if adviser else SOLVER
        key = (task, position_key(self._positions.at(layout, moves)), name)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        arguments: dict[str, Any] = {"position": position_of(layout, moves)} | (more or {})
        if adviser:
            arguments["agent"] = adviser.name
        kind = f"{task} {name} {layout.mode.reference}"
        job = self._pool.submit(" ".join(key), task, arguments, seconds, urgent=True, kind=kind)
        answer = await wait_for(job)
        self._kept[key] = answer
        while len(self._kept) > 2048:
            self._kept.popitem(last=False)
        return answer


async def wait_for(answer: Future[Any]) -> Any:
    """The answer of a job; others may wait for the same job, so giving up must not cancel it."""
    try:
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(answer)), WAIT_SECONDS)
    except TimeoutError:
        raise Busy("the server is busy with other questions; try again in a minute") from None
