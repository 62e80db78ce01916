"""What the routes share: the database, the pool, the modes, and who is asking."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlalchemy import select

from chokepoint.errors import InputError
from chokepoint.game import Games, Mode, sample_boards
from chokepoint.web.advisers import Desk
from chokepoint.web.db.store import Store, hash_secret
from chokepoint.web.db.tables import players
from chokepoint.web.errors import Forbidden
from chokepoint.web.gamelog import Game, GameLog
from chokepoint.web.layout import Catalogue, Layout, position_key, status_text
from chokepoint.web.results import Results
from chokepoint.web.security import RateLimit
from chokepoint.web.settings import Settings
from chokepoint.web.solving import Solutions, changes
from chokepoint.web.views import Film, Frame, GameView, ParView
from chokepoint.web.workers import Pool

COOKIE = "chokepoint_player"


class Context:
    """All that one server process works with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.catalogue = Catalogue(settings.modes)
        self.store = Store(settings.database_url())
        self.pool = Pool(settings.workers, warm=settings.warm)
        self.log = GameLog(self.store, self.catalogue)
        self.solutions = Solutions(
            self.store, self.pool, self.log.positions, settings.solve_seconds
        )
        self.results = Results(self.log)
        self.desk = Desk(self.pool, self.log.positions, self.solutions)
        for kind in self.catalogue.kinds.values():
            warm_up(kind())
            if settings.warm:
                self.desk.warm_up(kind())
        limited = settings.rate_limits
        self.moving = RateLimit(20, 60, limited)  # for each game
        self.creating = RateLimit(5, 300, limited)  # for each address: a class has but one
        self.asking = RateLimit(10, 100, limited)

    def close(self) -> None:
        self.pool.close()
        self.store.close()


def warm_up(mode: Mode) -> None:
    """Load the compiled kernels now, so that the first visitor does not wait for them."""
    with suppress(InputError):  # a mode of one's own may have no unfinished board of this size
        games = Games(sample_boards(mode, 8, 1.0), mode)
        games.copy().play(games.random_squares(0))


@dataclass(frozen=True)
class Visitor:
    """Who is asking: an address, and the player's cookie if there is one."""

    address: str
    token: str | None
    player_id: str | None
    name: str | None

    def required_id(self) -> str:
        if self.player_id is None:
            raise Forbidden("this needs your consent to being remembered; nobody is known here yet")
        return self.player_id


# Not to wait for a thread where there is nothing to wait for: these two are coroutines.
async def get_context(request: Request) -> Context:
    context: Context = request.app.state.context
    return context


Ctx = Annotated[Context, Depends(get_context)]


async def get_token(request: Request) -> str | None:
    return request.cookies.get(COOKIE)


Token = Annotated[str | None, Depends(get_token)]


def get_visitor(request: Request, context: Ctx, token: Token) -> Visitor:
    address = request.client.host if request.client else ""
    row: Any = None
    if token:
        query = select(players).where(players.c.token_hash == hash_secret(token))
        with context.store.read() as connection:
            row = connection.execute(query).mappings().first()
    if row is None:
        return Visitor(address, None, None, None)
    return Visitor(address, token, row["id"], row["name"])


Who = Annotated[Visitor, Depends(get_visitor)]


# -- what is shown ---------------------------------------------------------------------------


def game_view(context: Context, game: Game) -> GameView:
    row, line, state = game.row, game.line, context.log.state(game)
    begun = row["turn"] > 0
    return GameView(
        id=game.id,
        board=game.layout.id,
        code=game.layout.code,
        mode=game.layout.mode.name,
        options=game.layout.mode.options(),
        height=game.layout.height,
        width=game.layout.width,
        status=status_text(state),
        best=int(state.best[0]),
        turn=game.turn,
        ply=line.ply,
        moves=list(line.moves),
        can_undo=line.ply > 0 and not row["done"],
        can_redo=line.ply < len(line.squares) and not row["done"],
        done=row["done"],
        hints=row["hints"],
        peeks=row["peeks"],
        undos=row["undos"],
        agent_moves=row["agent_moves"],
        seconds=(row["updated"] - row["created"]) / 1000 if begun else 0.0,
        origin=json.loads(row["origin"]),
        mine=row["player_id"] is not None,
    )


def par_view(context: Context, layout: Layout, work: bool = True) -> ParView:
    """Par of a board; with `work` it is also worked out if it is not known."""
    if work:
        par, pending = context.solutions.ask(layout, ())
    else:
        par, pending = (
            context.solutions.find(position_key(context.log.positions.at(layout, ()))),
            False,
        )
    if par is None:
        return ParView(value=None, bound=None, proven=False, pending=pending)
    return ParView(value=par.value, bound=par.bound, proven=par.proven, pending=pending)


def film(context: Context, layout: Layout, moves: tuple[int, ...], squares: list[int]) -> Film:
    """What happens when these squares are attacked after these moves."""
    before = context.log.positions.at(layout, moves)
    start, frames = status_text(before), []
    for square in squares:
        after = before.copy()
        after.play(square)
        frames.append(Frame(square=square, changes=changes(before, after)))
        before = after
    return Film(start=start, frames=frames, done=bool(before.done[0]))
