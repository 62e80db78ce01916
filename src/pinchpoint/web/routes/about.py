"""Routes about the server and its boards: modes, agents, limits, the campaign, share links."""

from __future__ import annotations

from dataclasses import fields

from fastapi import APIRouter

import pinchpoint
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import BUILT_IN
from pinchpoint.web import limits
from pinchpoint.web.advisers import advisers
from pinchpoint.web.campaign import levels
from pinchpoint.web.context import Ctx, Who
from pinchpoint.web.messages import (
    About,
    LevelView,
    LinkView,
    ModeView,
    OptionView,
    ShareCode,
    StartView,
)
from pinchpoint.web.puzzles import FIRST_DAY, Puzzle, today
from pinchpoint.web.routes.daily import list_days
from pinchpoint.web.routes.players import who_am_i

router = APIRouter(prefix="/api", tags=["boards"])

CHOICES: dict[str, tuple[str, ...]] = {"axis": ("vertical", "horizontal", "both")}


@router.get("/start")
def start(context: Ctx, visitor: Who) -> StartView:
    """Show everything that the page needs first: what there is, who I am, and today's boards."""
    return StartView(
        about=about(context), me=who_am_i(visitor), today=list_days(context, visitor, 1)[0]
    )


@router.get("/about")
def about(context: Ctx) -> About:
    """Show the modes, agents and limits of this server."""
    kinds = context.catalogue.kinds
    return About(
        version=pinchpoint.__version__,
        modes=[_mode_view(kind(), name not in BUILT_IN) for name, kind in kinds.items()],
        today=str(today()),
        first_day=str(FIRST_DAY),
        limits={
            "min_side": limits.MIN_SIDE,
            "max_side": limits.MAX_SIDE,
            "name": limits.MAX_NAME,
            "room_boards": limits.MAX_ROOM_BOARDS,
        },
    )


def _mode_view(mode: Mode, custom: bool) -> ModeView:
    options = []
    for field in fields(mode):
        value = getattr(mode, field.name)
        if isinstance(value, str | int | float | bool):
            choices = list(CHOICES.get(field.name, ()))
            options.append(OptionView(name=field.name, default=value, choices=choices))
    return ModeView(
        name=mode.name,
        description=mode.description,
        custom=custom,
        options=options,
        agents=advisers(mode),
    )


@router.get("/campaign")
def campaign() -> list[LevelView]:
    """List the boards of the campaign in order."""
    return list(levels())


@router.get("/links/{code}")
def read_link(code: ShareCode, context: Ctx) -> LinkView:
    """Show the board that a share link holds."""
    puzzle = Puzzle.from_code(code, context.catalogue)
    return LinkView(
        mode=puzzle.mode.name,
        options=puzzle.mode.options(),
        height=puzzle.height,
        width=puzzle.width,
        rows=puzzle.rows(),
    )
