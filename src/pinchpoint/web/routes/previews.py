"""Pictures of boards before the first move, for programs that show where a link leads."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Response

from pinchpoint.game.render import png
from pinchpoint.web.context import Ctx, Who
from pinchpoint.web.messages import DayText, ModeName, ShareCode
from pinchpoint.web.puzzles import Puzzle, daily_puzzle, parse_day

router = APIRouter(prefix="/api", tags=["pictures"])
SIDE = 600  # pixels, about
PNG: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
        "description": "The picture.",
    }
}


@router.get("/links/{code}/picture.png", response_class=Response, responses=PNG)
def board_picture(code: ShareCode, context: Ctx, who: Who) -> Response:
    """Draw the board that a share link holds."""
    context.asking.take(who.address)
    return _answer(Puzzle.from_code(code, context.catalogue))


@router.get("/daily/{day}/{mode}/picture.png", response_class=Response, responses=PNG)
def daily_picture(day: DayText, mode: ModeName, context: Ctx, who: Who) -> Response:
    """Draw a daily board."""
    context.asking.take(who.address)
    return _answer(daily_puzzle(parse_day(day), context.catalogue.make(mode, {})))


def _answer(puzzle: Puzzle) -> Response:
    return Response(
        _drawn(puzzle), headers={"cache-control": "max-age=86400"}, media_type="image/png"
    )


@lru_cache(maxsize=64)
def _drawn(puzzle: Puzzle) -> bytes:
    board = puzzle.games().boards[0]
    return png(board, "classic", max(SIDE // max(board.shape), 1))
