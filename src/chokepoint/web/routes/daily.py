"""Routes of the daily boards: their archive, and their tables of best scores."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import select

from chokepoint.web.context import Context, Ctx, Visitor, Who
from chokepoint.web.db.schema import games
from chokepoint.web.games import best_of_each
from chokepoint.web.messages import ArchiveDay, DailyEntry, DailyView, DayText
from chokepoint.web.puzzles import WEEK, archive, daily_puzzle, parse_day

router = APIRouter(prefix="/api", tags=["boards"])
TABLE_ROWS = 100


@router.get("/daily")
def list_days(
    context: Ctx,
    visitor: Who,
    count: Annotated[int, Query(ge=1, le=60)] = 28,
    before: DayText | None = None,
) -> list[ArchiveDay]:
    """List the daily boards, the newest first, with my best results."""
    days = archive(count, _any_day(before) if before else None)
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


def _any_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return parse_day(text)  # raises with a sentence that says what is wrong


def _my_results(context: Context, visitor: Visitor, days: list[str]) -> dict[str, dict[str, int]]:
    if visitor.player_id is None or not days:
        return {}
    mine = (games.c.player_id == visitor.player_id) & games.c.done & games.c.day.in_(days)
    with context.store.read() as connection:
        rows = connection.execute(select(games.c.id, games.c.day).where(mine)).all()
    day_of = {row[0]: row[1] for row in rows}
    best: dict[str, dict[str, int]] = {}
    for result in context.games.results(mine):
        name = context.games.puzzle(result.board_id).mode.name
        of_day = best.setdefault(day_of.get(result.game_id, ""), {})
        if not result.agent_moves:
            of_day[name] = min(result.moves, of_day.get(name, result.moves))
    return best


@router.get("/daily/{day}/{mode}")
def daily(day: DayText, mode: str, context: Ctx, visitor: Who) -> DailyView:
    """Show a daily board's par and its table of best scores."""
    which = parse_day(day)
    puzzle = daily_puzzle(which, context.catalogue.make(mode, {}))
    condition = (games.c.day == str(which)) & (games.c.board_id == puzzle.id) & games.c.done
    ranked = best_of_each(context.games.results(condition))
    entries = [
        DailyEntry(
            rank=number,
            name=result.name or "anonymous",
            moves=result.moves,
            hints=result.hints,
            undos=result.undos,
            seconds=result.seconds,
            mine=result.player_id == visitor.player_id,
        )
        for number, result in enumerate(ranked, 1)
    ]
    shown = entries[:TABLE_ROWS] + [entry for entry in entries[TABLE_ROWS:] if entry.mine]
    return DailyView(
        day=str(which),
        mode=puzzle.mode.name,
        height=puzzle.height,
        width=puzzle.width,
        p=WEEK[which.weekday()][1],
        par=context.solutions.par(puzzle),
        entries=shown,
    )
