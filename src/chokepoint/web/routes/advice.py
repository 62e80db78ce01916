"""Routes of advice: hints, heat maps, lines to watch, moves by an agent, and the analysis."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool

from chokepoint.web.advisers import Adviser, find_adviser
from chokepoint.web.context import Context, Ctx, Token, Who
from chokepoint.web.games import Event, StoredGame
from chokepoint.web.limits import Conflict
from chokepoint.web.messages import (
    AnalysisView,
    FilmView,
    GameView,
    HintView,
    Question,
    ValuesView,
)

router = APIRouter(prefix="/api/games/{game_id}", tags=["advice"])


@router.post("/hint")
async def hint(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> HintView:
    """Suggest one square; this counts as a hint."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    square = await context.advice.square(game.puzzle, game.line.moves, adviser)
    event = Event("hint", square, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return HintView(game=context.games.view(game), square=square)


@router.post("/values")
async def values(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> ValuesView:
    """Show the agent's value of every square; this counts as a peek."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    found = await context.advice.values(game.puzzle, game.line.moves, adviser)
    best = max((v, -s) for s, v in enumerate(found) if v is not None)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return ValuesView(game=context.games.view(game), values=found, best=-best[1])


@router.post("/watch")
async def watch(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> FilmView:
    """Show how an agent or the solver would go on; the game stays as it is; counts as a peek."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    line = await context.advice.line(game.puzzle, game.line.moves, adviser)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    shown = await run_in_threadpool(context.positions.film, game.puzzle, game.line.moves, line)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return FilmView(game=context.games.view(game), film=shown, agent=adviser.name)


@router.post("/agent")
async def agent_move(
    game_id: str, body: Question, context: Ctx, token: Token, who: Who
) -> GameView:
    """Let an agent make the next move of the game itself."""
    game, adviser = await _asked(context, game_id, token, body, who.address, over=True)
    square: int | None = None
    if body.turn == game.turn and not game.row["done"]:
        square = await context.advice.square(game.puzzle, game.line.moves, adviser)
    event = Event("move", square, adviser.name, adviser.weights)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return context.games.view(game)


@router.get("/analysis")
async def analysis(game_id: str, context: Ctx, who: Who, agent: str | None = None) -> AnalysisView:
    """Compare a finished game with the optimum and an agent; ask again while it is pending."""
    context.asking.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id)
    if not game.row["done"]:
        raise Conflict("this game is not over yet; its analysis comes when it is")
    return await context.advice.analyse(game, agent)


async def _asked(
    context: Context,
    game_id: str,
    token: str | None,
    body: Question,
    address: str,
    over: bool = False,
) -> tuple[StoredGame, Adviser]:
    """Return the game and the adviser; refuse a game that is over, unless `over` allows it."""
    context.asking.take(address)
    game = await run_in_threadpool(context.games.find, game_id, token, True)
    adviser = find_adviser(game.puzzle.mode, body.agent)
    if game.row["done"] and not over:
        raise Conflict("this game is over; there is nothing left to ask")
    if body.turn > game.turn:
        raise Conflict(f"turn {body.turn} has not come yet; the game is at turn {game.turn}")
    return game, adviser
