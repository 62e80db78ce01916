"""Routes of advice: hints, heat maps, lines to watch, moves by an agent, and the analysis."""

from __future__ import annotations

import numpy as np
from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool

from pinchpoint.game.engine import Games
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.web.advisers import find_adviser
from pinchpoint.web.context import Context, Ctx, Visitor, Who
from pinchpoint.web.games import Event, StoredGame
from pinchpoint.web.limits import Conflict, Forbidden
from pinchpoint.web.messages import (
    Adviser,
    AgentName,
    AnalysisView,
    FilmView,
    GameId,
    GameView,
    HintView,
    LineStep,
    OutlookView,
    Question,
    ValuesView,
)
from pinchpoint.web.origins import rival_of

router = APIRouter(prefix="/api/games/{game_id}", tags=["advice"])
MAX_OUTLOOK = 400  # squares of a board on which the outcome of every attack is shown


@router.post("/hint")
async def hint(game_id: GameId, body: Question, context: Ctx, who: Who) -> HintView:
    """Suggest one square; this counts as a hint."""
    game, adviser = await _asked(context, game_id, who, body, "hint")
    square = await context.advice.square(game.puzzle, game.line.moves, adviser)
    event = Event("hint", square, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return HintView(game=context.games.view(game), square=square)


@router.post("/values")
async def values(game_id: GameId, body: Question, context: Ctx, who: Who) -> ValuesView:
    """Show the agent's value of every square; this counts as a peek."""
    game, adviser = await _asked(context, game_id, who, body, "hint")
    found = await context.advice.values(game.puzzle, game.line.moves, adviser)
    best = max((v, -s) for s, v in enumerate(found) if v is not None)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return ValuesView(game=context.games.view(game), values=found, best=-best[1])


@router.post("/watch")
async def watch(game_id: GameId, body: Question, context: Ctx, who: Who) -> FilmView:
    """Show how an agent or the solver would go on; the game stays as it is; counts as a peek."""
    game, adviser = await _asked(context, game_id, who, body, "takeover")
    line = await context.advice.line(game.puzzle, game.line.moves, adviser)
    event = Event("peek", None, adviser.name, adviser.weights, body.think_ms)
    shown, _ = await context.advice.show(game.puzzle, game.line.moves, line)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return FilmView(game=context.games.view(game), film=shown, agent=adviser.name)


@router.post("/agent")
async def agent_move(game_id: GameId, body: Question, context: Ctx, who: Who) -> GameView:
    """Let an agent make the next move of the game itself."""
    game, adviser = await _asked(context, game_id, who, body, "takeover", over=True)
    square: int | None = None
    if body.turn == game.turn and not game.row["done"]:
        square = await context.advice.square(game.puzzle, game.line.moves, adviser)
    event = Event("move", square, adviser.name, adviser.weights)
    game = await run_in_threadpool(context.games.append, game, body.turn, event)
    return context.games.view(game)


@router.post("/outlook")
def outlook(game_id: GameId, body: LineStep, context: Ctx, who: Who) -> OutlookView:
    """Show what each attack would cut off; this counts as a peek."""
    context.question_limit.take(who.address)
    game = context.games.find(game_id, who.keys, writing=True)
    _check_allowed(game, "hint")
    squares = game.puzzle.height * game.puzzle.width
    if squares > MAX_OUTLOOK:
        raise Conflict(
            f"this is shown on boards of up to {MAX_OUTLOOK} squares; here are {squares}"
        )
    before = context.games.state(game)
    game = context.games.append(game, body.turn, Event("peek", think_ms=body.think_ms))
    return OutlookView(game=context.games.view(game), cuts=cut_off_by_each(before))


@router.get("/analysis")
async def analysis(
    game_id: GameId, context: Ctx, who: Who, agent: AgentName | None = None
) -> AnalysisView:
    """Compare a finished game with the optimum and an agent; ask again while it is pending."""
    context.question_limit.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id, who.keys)
    if not game.row["done"]:
        raise Conflict("this game is not over yet; its analysis comes when it is")
    if not game.yours and who.viewer is not None:  # it spoils the board for this visitor
        await run_in_threadpool(context.games.note_seen, game.puzzle.id, who.viewer)
    return await context.advice.analyse(game, agent)


def cut_off_by_each(games: Games) -> dict[int, list[int]]:
    """Return for each legal square the active squares that its attack would make inactive."""
    legal = np.flatnonzero(games.legal[0])
    tried = games.take(np.zeros(len(legal), dtype=np.int64))
    tried.play(legal)
    lost = (games.status[0] == ACTIVE) & (tried.status == INACTIVE)
    rows = zip(legal.tolist(), lost, strict=True)
    return {square: np.flatnonzero(row).tolist() for square, row in rows if row.any()}


def _check_allowed(game: StoredGame, *what: str) -> None:
    if rival_of(game.origin) is not None:
        raise Conflict("there is no help in a race")
    if not set(what) <= set(game.allowed):
        raise Forbidden("this help is switched off in this room")


async def _asked(
    context: Context,
    game_id: GameId,
    who: Visitor,
    body: Question,
    what: str,
    over: bool = False,
) -> tuple[StoredGame, Adviser]:
    """Return the game and the adviser; refuse a game that is over, unless `over` allows it.

    `what` is the help that is asked for; the teacher of a room may have switched it off.
    """
    context.question_limit.take(who.address)
    game = await run_in_threadpool(context.games.find, game_id, who.keys, True)
    adviser = find_adviser(game.puzzle, body.agent)
    _check_allowed(game, what, "solver" if adviser.kind == "solver" else what)
    if game.row["done"] and not over:
        raise Conflict("this game is over; there is nothing left to ask")
    if body.turn > game.turn:
        raise Conflict(f"turn {body.turn} has not come yet; the game is at turn {game.turn}")
    return game, adviser
