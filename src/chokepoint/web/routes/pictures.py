"""Routes of pictures: a game as PNG or GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from fastapi import APIRouter, Response

from chokepoint.game import cell_size, png, write_gif
from chokepoint.types import Bytes
from chokepoint.web.context import Ctx, Who
from chokepoint.web.games import StoredGame
from chokepoint.web.puzzles import Positions

router = APIRouter(prefix="/api/games/{game_id}", tags=["pictures"])
PaletteName = Literal["classic", "clear"]
GIF_SIDE = 480  # pixels, about


def _content(kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": {kind: schema}, "description": "The picture."}}


@router.get("/picture.png", response_class=Response, responses=_content("image/png"))
def picture_png(game_id: str, context: Ctx, who: Who, palette: PaletteName = "classic") -> Response:
    """Draw the board as it stands, with the attacked squares numbered."""
    context.asking.take(who.address)
    game = context.games.find(game_id)
    numbers = np.zeros(game.puzzle.height * game.puzzle.width, dtype=np.int32)
    numbers[list(game.line.moves)] = np.arange(1, game.line.ply + 1)
    shape = game.puzzle.height, game.puzzle.width
    status = context.games.state(game).boards[0]
    data = png(status, palette, cell_size(shape, None), numbers.reshape(shape))
    return _file(data, "image/png", f"chokepoint-{game.puzzle.id[:8]}.png")


@router.get("/picture.gif", response_class=Response, responses=_content("image/gif"))
def picture_gif(game_id: str, context: Ctx, who: Who, palette: PaletteName = "classic") -> Response:
    """Draw the whole game, move by move."""
    context.asking.take(who.address)
    game = context.games.find(game_id)
    cell = max(6, GIF_SIDE // max(game.puzzle.height, game.puzzle.width))
    buffer = io.BytesIO()
    write_gif(buffer, _frames(context.positions, game), game.line.ply + 1, palette, cell)
    return _file(buffer.getvalue(), "image/gif", f"chokepoint-{game.puzzle.id[:8]}.gif")


def _frames(positions: Positions, game: StoredGame) -> Iterator[tuple[Bytes, int | None]]:
    games = positions.at(game.puzzle, ()).copy()
    yield games.boards[0], None
    for square in game.line.moves:
        games.play(square)
        yield games.boards[0], square


def _file(data: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, media_type=kind, headers=headers)
