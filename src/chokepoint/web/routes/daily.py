"""Routes about boards: what the server offers, links, daily boards and their tables."""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import date
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlalchemy import select

import chokepoint
from chokepoint.game import BUILT_IN, Mode
from chokepoint.web import settings
from chokepoint.web.advisers import advisers
from chokepoint.web.context import Context, Ctx, Visitor, Who, par_view
from chokepoint.web.daily import FIRST_DAY, WEEK, archive, daily_layout, parse_day, today
from chokepoint.web.db.tables import games
from chokepoint.web.layout import Layout, read_code
from chokepoint.web.requests import DayText
from chokepoint.web.results import best_of_each
from chokepoint.web.views import About, ArchiveDay, DailyView, Entry, LinkView, ModeView

router = APIRouter(prefix="/api", tags=["boards"])
TABLE_ROWS = 100

CHOICES: dict[str, tuple[str, ...]] = {"axis": ("vertical", "horizontal", "both")}


@router.get("/about")
def about(context: Ctx) -> About:
    """The modes, agents and limits of this server."""
    kinds = context.catalogue.kinds
    return About(
        version=chokepoint.__version__,
        modes=[_mode_view(kind(), name not in BUILT_IN) for name, kind in kinds.items()],
        today=str(today()),
        first_day=str(FIRST_DAY),
        limits={
            "min_side": settings.MIN_SIDE,
            "max_side": settings.MAX_SIDE,
            "name": settings.MAX_NAME,
            "room_boards": settings.MAX_ROOM_BOARDS,
        },
    )


def _mode_view(mode: Mode, custom: bool) -> ModeView:
    options: list[dict[str, Any]] = []
    for field in fields(mode):
        value = getattr(mode, field.name)
        if isinstance(value, str | int | float | bool):
            choices = list(CHOICES.get(field.name, ()))
            options.append({"name": field.name, "default": value, "choices": choices})
    agents = [asdict(adviser) for adviser in advisers(mode)]
    return ModeView(
        name=mode.name, description=mode.description, custom=custom, options=options, agents=agents
    )


@router.get("/links/{code}")
def read_link(code: str, context: Ctx) -> LinkView:
    """The board that a share link holds."""
    layout = read_code(code, context.catalogue)
    return LinkView(
        mode=layout.mode.name,
        options=layout.mode.options(),
        height=layout.height,
        width=layout.width,
        rows=layout.rows(),
    )


@router.get("/daily")
def list_days(
    context: Ctx,
    visitor: Who,
    count: Annotated[int, Query(ge=1, le=60)] = 28,
    before: DayText | None = None,
) -> list[ArchiveDay]:
    """The archive of daily boards, the newest first, with my best results."""
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
        return parse_day(text)  # which says what is wrong


def _my_results(context: Context, visitor: Visitor, days: list[str]) -> dict[str, dict[str, int]]:
    if visitor.player_id is None or not days:
        return {}
    mine = (games.c.player_id == visitor.player_id) & games.c.done & games.c.day.in_(days)
    with context.store.read() as connection:
        rows = connection.execute(select(games.c.id, games.c.day).where(mine)).all()
    day_of = {row[0]: row[1] for row in rows}
    best: dict[str, dict[str, int]] = {}
    for result in context.results.of(mine):
        name = context.log.layout(result.board_id).mode.name
        of_day = best.setdefault(day_of.get(result.game_id, ""), {})
        if not result.agent_moves:
            of_day[name] = min(result.moves, of_day.get(name, result.moves))
    return best


@lru_cache(maxsize=256)
def _layout_of(day: date, mode: Mode) -> Layout:
    return daily_layout(day, mode)


@router.get("/daily/{day}/{mode}")
def daily(day: DayText, mode: str, context: Ctx, visitor: Who) -> DailyView:
    """A daily board's par and its table of best scores."""
    which = parse_day(day)
    layout = _layout_of(which, context.catalogue.make(mode, {}))
    condition = (games.c.day == str(which)) & (games.c.board_id == layout.id) & games.c.done
    ranked = best_of_each(context.results.of(condition))
    entries = [
        Entry(
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
        mode=layout.mode.name,
        height=layout.height,
        width=layout.width,
        p=WEEK[which.weekday()][1],
        par=par_view(context, layout),
        entries=shown,
    )
