"""Routes of the daily boards: their archive, and how everybody's first attempt went."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import ColumnElement

from pinchpoint.web.context import Context, Ctx, Visitor, Who
from pinchpoint.web.db.schema import games
from pinchpoint.web.games import Attempt, Result, first_attempts
from pinchpoint.web.messages import ArchiveDay, DailyEntry, DailyView, DayText, ModeName, MyAttempt
from pinchpoint.web.puzzles import (
    WEEK,
    Puzzle,
    archive,
    daily_puzzle,
    parse_date,
    parse_day,
    status_text,
)

router = APIRouter(prefix="/api", tags=["boards"])
TABLE_ROWS = 100


@router.get("/daily")
def list_days(
    context: Ctx,
    visitor: Who,
    count: Annotated[int, Query(ge=1, le=60)] = 28,
    before: DayText | None = None,
) -> list[ArchiveDay]:
    """List the daily boards, the newest first, with my results."""
    days = archive(count, parse_date(before) if before else None)
    played = _my_results(context, visitor, [str(day) for day in days])
    return [
        ArchiveDay(
            day=str(day),
            size=WEEK[day.weekday()][0],
            p=WEEK[day.weekday()][1],
            played=played.get(str(day), {}),
        )
        for day in days
    ]


def _my_results(context: Context, visitor: Visitor, days: list[str]) -> dict[str, dict[str, int]]:
    """Return the moves of my first attempts that are finished, by day and mode."""
    owner = _owner(visitor)
    if owner is None or not days:
        return {}
    first: dict[tuple[str, str], Result] = {}
    for result in context.games.results(owner & games.c.day.in_(days) & (games.c.turn > 0)):
        name = context.games.puzzle(result.board_id).mode.name
        first.setdefault((str(result.day), name), result)
    played: dict[str, dict[str, int]] = {}
    for (day, name), result in first.items():
        if result.done and not result.agent_moves:
            played.setdefault(day, {})[name] = result.moves
    return played


def _owner(visitor: Visitor) -> ColumnElement[bool] | None:
    """Return the condition on games that they are the visitor's."""
    if visitor.player_id is not None:
        return games.c.player_id == visitor.player_id
    if visitor.keys.secret_hash is not None:
        return games.c.secret_hash == visitor.keys.secret_hash
    return None


@router.get("/daily/{day}/{mode}")
def daily(day: DayText, mode: ModeName, context: Ctx, visitor: Who) -> DailyView:
    """Show a daily board, its par, and how many moves everybody's first attempt took."""
    which = parse_day(day)
    puzzle = daily_puzzle(which, context.catalogue.make(mode, {}))
    results = context.games.results((games.c.board_id == puzzle.id) & (games.c.turn > 0))
    attempts = first_attempts(results, context.games.seen_at(puzzle.id))
    finished = [attempt for attempt in attempts if attempt.result.done]
    honest = sorted(
        (attempt.result for attempt in finished if not attempt.helped),
        key=lambda result: (result.moves, result.undos),
    )
    entries = _entries(honest, visitor)
    return DailyView(
        day=str(which),
        mode=puzzle.mode.name,
        height=puzzle.height,
        width=puzzle.width,
        p=WEEK[which.weekday()][1],
        status=status_text(context.positions.at(puzzle, ())),
        par=context.solutions.par(puzzle),
        entries=entries[:TABLE_ROWS] + [entry for entry in entries[TABLE_ROWS:] if entry.mine],
        distribution=dict(sorted(Counter(result.moves for result in honest).items())),
        honest=len(honest),
        helped=len(finished) - len(honest),
        mine=_mine(context, puzzle, visitor, attempts),
    )


def _entries(honest: list[Result], visitor: Visitor) -> list[DailyEntry]:
    moves = [result.moves for result in honest]
    return [
        DailyEntry(
            rank=moves.index(result.moves) + 1,
            name=result.name or "anonymous",
            moves=result.moves,
            undos=result.undos,
            mine=result.player_id is not None and result.player_id == visitor.player_id,
        )
        for result in honest
    ]


def _mine(
    context: Context, puzzle: Puzzle, visitor: Visitor, attempts: list[Attempt]
) -> MyAttempt | None:
    """Return my first attempt, or a game that I opened and have not moved in yet."""
    owner = _owner(visitor)
    if owner is None:
        return None
    mine = context.games.results(owner & (games.c.board_id == puzzle.id))
    if not mine:
        return None
    chosen = next((result for result in mine if result.begun), mine[-1])
    helped = chosen.hints + chosen.agent_moves > 0 or any(
        attempt.helped for attempt in attempts if attempt.result.game_id == chosen.game_id
    )
    return MyAttempt(game=chosen.game_id, moves=chosen.moves, done=chosen.done, helped=helped)
