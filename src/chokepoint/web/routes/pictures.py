"""Routes to pictures of a game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from fastapi import APIRouter, Response

from chokepoint.game import cell_size, png, write_gif
from chokepoint.types import Bytes
from chokepoint.web.context import Ctx, Who
from chokepoint.web.gamelog import Game, GameLog

router = APIRouter(prefix="/api/games/{game_id}", tags=["pictures"])
PaletteName = Literal["classic", "clear"]
GIF_SIDE = 480  # pixels, about


def _content(kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": {kind: schema}, "description": "The picture."}}


@router.get("/picture.png", response_class=Response, responses=_content("image/png"))
def picture_png(game_id: str, context: Ctx, who: Who, palette: PaletteName = "classic") -> Response:
    """The board as it stands, attacked squares numbered."""
    context.asking.take(who.address)
    game = context.log.find(game_id)
    numbers = np.zeros(game.layout.height * game.layout.width, dtype=np.int32)
    numbers[list(game.line.moves)] = np.arange(1, game.line.ply + 1)
    shape = game.layout.height, game.layout.width
    status = context.log.state(game).boards[0]
    data = png(status, palette, cell_size(shape, None), numbers.reshape(shape))
    return _file(data, "image/png", f"chokepoint-{game.layout.id[:8]}.png")


@router.get("/picture.gif", response_class=Response, responses=_content("image/gif"))
def picture_gif(game_id: str, context: Ctx, who: Who, palette: PaletteName = "classic") -> Response:
    """The whole game, move by move."""
    context.asking.take(who.address)
    game = context.log.find(game_id)
    cell = max(6, GIF_SIDE // max(game.layout.height, game.layout.width))
    buffer = io.BytesIO()
    write_gif(buffer, _frames(context.log, game), game.line.ply + 1, palette, cell)
    return _file(buffer.getvalue(), "image/gif", f"chokepoint-{game.layout.id[:8]}.gif")


def _frames(log: GameLog, game: Game) -> Iterator[tuple[Bytes, int | None]]:
    games = log.positions.at(game.layout, ()).copy()
    yield games.boards[0], None
    for square in game.line.moves:
        games.play(square)
        yield games.boards[0], square


def _file(data: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, media_type=kind, headers=headers)
