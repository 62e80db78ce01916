"""Routes of pictures: a game as PNG or GIF."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool

from pinchpoint.web.context import Context, Ctx, Visitor, Who
from pinchpoint.web.messages import GameId

router = APIRouter(prefix="/api/games/{game_id}", tags=["pictures"])
PaletteName = Literal["classic", "clear"]


def _content(kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": {kind: schema}, "description": "The picture."}}


@router.get("/picture.png", response_class=Response, responses=_content("image/png"))
async def picture_png(
    game_id: GameId, context: Ctx, who: Who, palette: PaletteName = "classic"
) -> Response:
    """Draw the board as it stands, with the attacked squares numbered."""
    return await _picture(context, game_id, who, "png", palette)


@router.get("/picture.gif", response_class=Response, responses=_content("image/gif"))
async def picture_gif(
    game_id: GameId, context: Ctx, who: Who, palette: PaletteName = "classic"
) -> Response:
    """Draw the whole game, move by move; in a long game a frame shows several moves."""
    return await _picture(context, game_id, who, "gif", palette)


async def _picture(
    context: Context, game_id: GameId, who: Visitor, kind: Literal["png", "gif"], palette: str
) -> Response:
    context.asking.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id)
    data = await context.advice.picture(game.puzzle, game.line.moves, kind, palette)
    name = f"pinchpoint-{game.puzzle.id[:8]}.{kind}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, media_type=f"image/{kind}", headers=headers)
