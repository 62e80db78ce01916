"""The route of a race: what the rival has done on its own board."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool

from pinchpoint.web.advisers import find_adviser
from pinchpoint.web.context import Ctx, Who
from pinchpoint.web.limits import NotFound
from pinchpoint.web.messages import GameId, RivalView
from pinchpoint.web.origins import rival_of

router = APIRouter(prefix="/api/games/{game_id}", tags=["games"])


@router.get("/rival")
async def rival(game_id: GameId, context: Ctx, who: Who) -> RivalView:
    """Show the rival's game: a move for each of the player's, all of them when those are over."""
    context.question_limit.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id)
    name = rival_of(game.origin)
    if name is None:
        raise NotFound("this game is no race")
    adviser = find_adviser(game.puzzle, name)
    line = await context.advice.line(game.puzzle, (), adviser)
    done = bool(game.row["done"])
    shown = line if done else line[: game.line.ply]
    film, _ = await context.advice.show(game.puzzle, (), shown)
    total = len(line) if done and film.done else None
    return RivalView(agent=adviser.name, film=film, total=total)
