"""Routes of pictures: a game as PNG or GIF, and boards before the first move."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool

from pinchpoint.web.context import Context, Ctx, Visitor, Who
from pinchpoint.web.messages import DayText, GameId, ModeName, ShareCode
from pinchpoint.web.puzzles import Puzzle, daily_puzzle, parse_day

router = APIRouter(prefix="/api", tags=["pictures"])
PaletteName = Literal["classic", "clear"]


def _content(kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": {kind: schema}, "description": "The picture."}}


@router.get(
    "/games/{game_id}/picture.png", response_class=Response, responses=_content("image/png")
)
async def picture_png(
    game_id: GameId, context: Ctx, who: Who, palette: PaletteName = "classic"
) -> Response:
    """Draw the board as it stands, with the attacked squares numbered."""
    return await _picture(context, game_id, who, "png", palette)


@router.get(
    "/games/{game_id}/picture.gif", response_class=Response, responses=_content("image/gif")
)
async def picture_gif(
    game_id: GameId, context: Ctx, who: Who, palette: PaletteName = "classic"
) -> Response:
    """Draw the whole game, move by move; in a long game a frame shows several moves."""
    return await _picture(context, game_id, who, "gif", palette)


async def _picture(
    context: Context, game_id: GameId, who: Visitor, kind: Literal["png", "gif"], palette: str
) -> Response:
    context.question_limit.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id)
    data = await context.advice.picture(game.puzzle, game.line.moves, kind, palette)
    name = f"pinchpoint-{game.puzzle.id[:8]}.{kind}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, media_type=f"image/{kind}", headers=headers)


# For programs that show where a link leads.


@router.get("/links/{code}/picture.png", response_class=Response, responses=_content("image/png"))
async def board_picture(code: ShareCode, context: Ctx, who: Who) -> Response:
    """Draw the board that a share link holds."""
    context.question_limit.take(who.address)
    puzzle = await run_in_threadpool(Puzzle.from_code, code, context.catalogue)
    return await _preview(context, puzzle)


@router.get(
    "/daily/{day}/{mode}/picture.png", response_class=Response, responses=_content("image/png")
)
async def daily_picture(day: DayText, mode: ModeName, context: Ctx, who: Who) -> Response:
    """Draw a daily board."""
    context.question_limit.take(who.address)
    made = context.catalogue.make(mode, {})
    return await _preview(context, await run_in_threadpool(daily_puzzle, parse_day(day), made))


async def _preview(context: Context, puzzle: Puzzle) -> Response:
    data = await context.advice.picture(puzzle, (), "png")
    return Response(data, headers={"cache-control": "max-age=86400"}, media_type="image/png")
