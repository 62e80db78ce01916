"""Routes to advisers: hints, heat maps, lines to watch, moves by an agent, and the analysis."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool

from chokepoint.web.advisers import Adviser, find_adviser
from chokepoint.web.analysis import analyse
from chokepoint.web.context import Context, Ctx, Token, Who, film, game_view
from chokepoint.web.errors import Conflict
from chokepoint.web.gamelog import Event, Game
from chokepoint.web.requests import Question
from chokepoint.web.views import AnalysisView, FilmView, GameView, HintView, ValuesView

router = APIRouter(prefix="/api/games/{game_id}", tags=["advice"])


@router.post("/hint")
async def hint(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> HintView:
    """One suggested square; counts as a hint."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    square = await context.desk.square(game.layout, game.line.moves, adviser)
    event = Event("hint", square, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(_count, context, game, body.turn, event)
    return HintView(game=game_view(context, game), square=square)


@router.post("/values")
async def values(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> ValuesView:
    """What the agent expects of every square; counts as a peek."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    found = await context.desk.values(game.layout, game.line.moves, adviser)
    best = max((v, -s) for s, v in enumerate(found) if v is not None)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(_count, context, game, body.turn, event)
    return ValuesView(game=game_view(context, game), values=found, best=-best[1])


@router.post("/watch")
async def watch(game_id: str, body: Question, context: Ctx, token: Token, who: Who) -> FilmView:
    """How an agent or the solver would go on from here; the game stays; counts as a peek."""
    game, adviser = await _asked(context, game_id, token, body, who.address)
    line = await context.desk.line(game.layout, game.line.moves, adviser)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    shown = await run_in_threadpool(film, context, game.layout, game.line.moves, line)
    game = await run_in_threadpool(_count, context, game, body.turn, event)
    return FilmView(game=game_view(context, game), film=shown, agent=adviser.name)


@router.post("/agent")
async def agent_move(
    game_id: str, body: Question, context: Ctx, token: Token, who: Who
) -> GameView:
    """Let an agent make the next move of the game itself."""
    game, adviser = await _asked(context, game_id, token, body, who.address, over=True)
    square: int | None = None
    if body.turn == game.turn and not game.row["done"]:
        square = await context.desk.square(game.layout, game.line.moves, adviser)
    event = Event("move", square, adviser.name, adviser.weights)
    game = await run_in_threadpool(_count, context, game, body.turn, event)
    return game_view(context, game)


@router.get("/analysis")
async def analysis(game_id: str, context: Ctx, who: Who, agent: str | None = None) -> AnalysisView:
    """A finished game against the optimum's and an agent's; ask again while it is pending."""
    context.asking.take(who.address)
    game = await run_in_threadpool(context.log.find, game_id)
    if not game.row["done"]:
        raise Conflict("this game is not over yet; its analysis comes when it is")
    return await analyse(context, game, agent)


async def _asked(
    context: Context,
    game_id: str,
    token: str | None,
    body: Question,
    address: str,
    over: bool = False,
) -> tuple[Game, Adviser]:
    """The game and whom to ask; a game that is over is refused, unless `over` allows it."""
    context.asking.take(address)
    game = await run_in_threadpool(context.log.find, game_id, token, True)
    adviser = find_adviser(game.layout.mode, body.agent)
    if game.row["done"] and not over:
        raise Conflict("this game is over; there is nothing left to ask")
    if body.turn > game.turn:
        raise Conflict(f"turn {body.turn} has not come yet; the game is at turn {game.turn}")
    return game, adviser


def _count(context: Context, game: Game, turn: int, event: Event) -> Game:
    return context.log.append(game, turn, event)[0]
