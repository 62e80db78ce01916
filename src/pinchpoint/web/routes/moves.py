"""Routes of play: begin a game, look at it, move, take back, and see what a rival does."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool

from pinchpoint.web.advisers import find_adviser
from pinchpoint.web.context import Context, Ctx, KeysOf, Visitor, Who
from pinchpoint.web.games import Event, Keys
from pinchpoint.web.limits import Conflict, NotFound
from pinchpoint.web.messages import (
    AgainBoard,
    BoardChoice,
    GameId,
    GameView,
    LineStep,
    Move,
    NewGame,
    ParView,
    RivalView,
    RoomBoard,
)
from pinchpoint.web.origins import (
    CampaignOrigin,
    DailyOrigin,
    LessonOrigin,
    Origin,
    Raced,
    RoomOrigin,
    rival_of,
)
from pinchpoint.web.puzzles import Puzzle, choose_puzzle
from pinchpoint.web.routes.rooms import room_puzzle

router = APIRouter(prefix="/api", tags=["games"])


@router.post("/games", status_code=201)
def create_game(body: NewGame, context: Ctx, visitor: Who) -> GameView:
    """Begin a game on a random, daily, linked, pasted or room board, or on one played before."""
    context.creation_limit.take(visitor.address)
    puzzle, origin, columns = choose_board(context, body.board, visitor)
    if body.rival is not None:
        if not isinstance(origin, Raced):
            raise Conflict("a race is run on a random, linked or pasted board")
        rival = find_adviser(puzzle, body.rival).name
        origin = origin.model_copy(update={"rival": rival})
    player_id = None if isinstance(origin, LessonOrigin) else visitor.player_id
    secret = visitor.keys.secret_hash
    game = context.games.create(puzzle, player_id, origin, secret, **columns)
    if game.row["room"]:
        game = context.games.find(game.id, visitor.keys)  # with what the room allows
    return context.games.view(game)


def choose_board(
    context: Context, choice: BoardChoice, visitor: Visitor
) -> tuple[Puzzle, Origin, dict[str, Any]]:
    """Return the puzzle, its origin, and the columns of the game's row that depend on them."""
    if isinstance(choice, RoomBoard):
        puzzle, count = room_puzzle(context, choice, visitor)
        columns = {"room": choice.room, "room_board": choice.number}
        origin = RoomOrigin(room=choice.room, number=choice.number, boards=count)
        return puzzle, origin, columns
    if isinstance(choice, AgainBoard):
        game = context.games.find(choice.game, visitor.keys, writing=True)
        columns = {name: game.row[name] for name in ("day", "room", "room_board")}
        return game.puzzle, game.origin, columns
    puzzle, chosen = choose_puzzle(context.catalogue, choice)
    return puzzle, chosen, {"day": chosen.day} if isinstance(chosen, DailyOrigin) else {}


@router.get("/games/{game_id}")
def get_game(game_id: GameId, context: Ctx, keys: KeysOf) -> GameView:
    """Show the game as it stands."""
    return context.games.view(context.games.find(game_id, keys))


@router.get("/games/{game_id}/par")
def get_par(game_id: GameId, context: Ctx) -> ParView:
    """Show par of the game's board as known now; it may get better while it is pending."""
    game = context.games.find(game_id)
    if isinstance(game.origin, CampaignOrigin):
        par = game.origin.par
        return ParView(value=par, bound=par, proven=True, pending=False)
    return context.solutions.par(game.puzzle)


@router.post("/games/{game_id}/moves")
def move(game_id: GameId, body: Move, context: Ctx, keys: KeysOf) -> GameView:
    """Attack a square."""
    event = Event("move", body.square, think_ms=body.think_ms)
    return _append(context, game_id, keys, body.turn, event, body.ply)


@router.post("/games/{game_id}/undo")
def undo(game_id: GameId, body: LineStep, context: Ctx, keys: KeysOf) -> GameView:
    """Take back the last move."""
    return _append(context, game_id, keys, body.turn, Event("undo", think_ms=body.think_ms))


@router.post("/games/{game_id}/redo")
def redo(game_id: GameId, body: LineStep, context: Ctx, keys: KeysOf) -> GameView:
    """Play the move last taken back."""
    return _append(context, game_id, keys, body.turn, Event("redo", think_ms=body.think_ms))


@router.post("/games/{game_id}/restart")
def restart(game_id: GameId, body: LineStep, context: Ctx, keys: KeysOf) -> GameView:
    """Take back all moves."""
    return _append(context, game_id, keys, body.turn, Event("restart", think_ms=body.think_ms))


@router.get("/games/{game_id}/rival")
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


def _append(
    context: Context,
    game_id: GameId,
    keys: Keys,
    turn: int,
    event: Event,
    ply: int | None = None,
) -> GameView:
    context.move_limit.take(game_id)
    game = context.games.find(game_id, keys, writing=True)
    if event.kind != "move" and rival_of(game.origin) is not None:
        raise Conflict("there is no way back in a race")
    game = context.games.append(game, turn, event, ply)
    return context.games.view(game)
