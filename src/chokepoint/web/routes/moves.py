"""Routes of a game: make it, look at it, move, take back."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter

from chokepoint.game import sample_boards
from chokepoint.web.context import Context, Ctx, Token, Visitor, Who, game_view, par_view
from chokepoint.web.daily import daily_layout, parse_day
from chokepoint.web.gamelog import Event, Game
from chokepoint.web.layout import Layout, read_code
from chokepoint.web.requests import (
    AgainBoard,
    BoardChoice,
    DailyBoard,
    LinkedBoard,
    Move,
    NewGame,
    RandomBoard,
    RoomBoard,
    Step,
    TextBoard,
)
from chokepoint.web.routes.rooms import room_layout
from chokepoint.web.views import GameView, ParView

router = APIRouter(prefix="/api", tags=["games"])
LESSON: dict[str, Any] = {"kind": "lesson"}


@router.post("/games", status_code=201)
def create_game(body: NewGame, context: Ctx, visitor: Who) -> GameView:
    """Begin a game on a random, daily, linked, pasted or room board, or once more on the same."""
    context.creating.take(visitor.address)
    layout, origin, columns = choose_board(context, body.board, visitor)
    player_id = None if origin == LESSON else visitor.player_id
    game = context.log.create(layout, player_id, origin, **columns)
    return game_view(context, game)


def choose_board(
    context: Context, choice: BoardChoice, visitor: Visitor
) -> tuple[Layout, dict[str, Any], dict[str, Any]]:
    """The board, where it comes from, and what the game's row says about that."""
    if isinstance(choice, RandomBoard):
        mode = context.catalogue.make(choice.mode, choice.options)
        seed = secrets.randbelow(2**31) if choice.seed is None else choice.seed
        board = sample_boards(mode, (choice.height, choice.width), choice.p, 1, seed)[0]
        origin = {"kind": "random", "p": choice.p, "seed": seed}
        return Layout.from_open(mode, board), origin, {}
    if isinstance(choice, DailyBoard):
        day = parse_day(choice.day)
        layout = daily_layout(day, context.catalogue.make(choice.mode, {}))
        return layout, {"kind": "daily", "day": str(day)}, {"day": str(day)}
    if isinstance(choice, LinkedBoard):
        return read_code(choice.code, context.catalogue), {"kind": "link"}, {}
    if isinstance(choice, TextBoard):
        mode = context.catalogue.make(choice.mode, choice.options)
        from_text = LESSON if choice.lesson else {"kind": "text"}
        return Layout.from_rows(mode, choice.rows), from_text, {}
    if isinstance(choice, RoomBoard):
        layout = room_layout(context, choice, visitor)
        columns = {"room": choice.room, "room_board": choice.number}
        return layout, {"kind": "room", "room": choice.room, "number": choice.number}, columns
    assert isinstance(choice, AgainBoard)
    game = context.log.find(choice.game, visitor.token, writing=True)
    view = game_view(context, game)
    return game.layout, view.origin, {key: game.row[key] for key in ("day", "room", "room_board")}


@router.get("/games/{game_id}")
def get_game(game_id: str, context: Ctx) -> GameView:
    """The game as it stands."""
    return game_view(context, context.log.find(game_id))


@router.get("/games/{game_id}/par")
def get_par(game_id: str, context: Ctx) -> ParView:
    """Par of the game's board: at first the best known, later, if it can be had, proven."""
    return par_view(context, context.log.find(game_id).layout)


@router.post("/games/{game_id}/moves")
def move(game_id: str, body: Move, context: Ctx, token: Token) -> GameView:
    """Attack a square."""
    event = Event("move", body.square, think_ms=body.think_ms)
    return _append(context, game_id, token, body.turn, event, body.ply)


@router.post("/games/{game_id}/undo")
def undo(game_id: str, body: Step, context: Ctx, token: Token) -> GameView:
    """Take back the last move."""
    return _append(context, game_id, token, body.turn, Event("undo", think_ms=body.think_ms))


@router.post("/games/{game_id}/redo")
def redo(game_id: str, body: Step, context: Ctx, token: Token) -> GameView:
    """Play the move last taken back."""
    return _append(context, game_id, token, body.turn, Event("redo", think_ms=body.think_ms))


@router.post("/games/{game_id}/restart")
def restart(game_id: str, body: Step, context: Ctx, token: Token) -> GameView:
    """Take back all moves."""
    return _append(context, game_id, token, body.turn, Event("restart", think_ms=body.think_ms))


def _append(
    context: Context,
    game_id: str,
    token: str | None,
    turn: int,
    event: Event,
    ply: int | None = None,
) -> GameView:
    context.moving.take(game_id)
    game: Game = context.log.find(game_id, token, writing=True)
    game, _ = context.log.append(game, turn, event, ply)
    return game_view(context, game)
