"""What one server process is started with and works with, and its visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from sqlalchemy import select

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.web.advisers import Advice, rehearsal
from pinchpoint.web.current_request import current_request
from pinchpoint.web.db.schema import players
from pinchpoint.web.db.store import Store, database_url, hash_secret
from pinchpoint.web.games import GameLog, Keys
from pinchpoint.web.limits import Forbidden, RateLimit
from pinchpoint.web.puzzles import Catalogue, tiny_board
from pinchpoint.web.solving import Solutions
from pinchpoint.web.storage import Storage
from pinchpoint.web.workers import Pool

COOKIE = "pinchpoint_player"
SECURE_COOKIE = f"__Host-{COOKIE}"  # browsers let nobody but this very host set it, by HTTPS
# The package was called Chokepoint before: whoever was known by these cookies still is.
EARLIER_COOKIES = ("__Host-chokepoint_player", "chokepoint_player")
COOKIES = (SECURE_COOKIE, COOKIE, *EARLIER_COOKIES)


@dataclass(frozen=True)
class ServerSettings:
    """How one server runs."""

    database: str = ""  # SQLAlchemy URL, or a path of a SQLite file; empty: in the data folder
    modes: tuple[str, ...] = ()  # custom modes, package.module:Name
    workers: int = 2  # processes for solvers and agents
    warm: bool = True  # start these processes at once
    rate_limits: bool = True
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")  # names in the address; * for any
    behind_proxy: bool = False  # one proxy of ours stands in front; believe its X-Forwarded-For
    secure_cookie: bool = False  # browsers send the cookie by HTTPS only
    max_gigabytes: float = 10.0  # of the database; beyond, nothing new is stored
    solve_seconds: tuple[float, ...] = (0.5, 2.0, 20.0)  # time for par: first try, second, third


class Context:
    """Everything that the routes of one server process share."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.catalogue = Catalogue(settings.modes)
        self.store = Store(database_url(settings.database))
        modes = [kind() for kind in self.catalogue.kinds.values()]
        for mode in modes:
            warm_up(mode)
        self.pool = Pool(settings.workers, rehearsal=rehearsal(modes), warm=settings.warm)
        self.storage = Storage(self.store, settings.max_gigabytes * 1e9, settings.rate_limits)
        self.games = GameLog(self.store, self.catalogue, self.storage)
        self.positions = self.games.positions
        self.solutions = Solutions(self.store, self.pool, self.positions, settings.solve_seconds)
        self.advice = Advice(self.pool, self.positions, self.solutions)
        limited = settings.rate_limits
        self.move_limit = RateLimit(20, 60, limited)  # for each game
        self.creation_limit = RateLimit(5, 300, limited)  # for each address: a class shares one
        self.question_limit = RateLimit(10, 100, limited)  # for each address
        self.join_limit = RateLimit(0.5, 40, limited)  # for each room and address: a class at once
        self.guess_limit = RateLimit(  # room codes that do not exist, for each address
            0.1, 30, limited, "too many room codes were wrong; check yours and wait a minute"
        )

    def close(self) -> None:
        self.pool.close()
        self.store.close()


def warm_up(mode: Mode) -> None:
    """Load the compiled kernels now, so that the first visitor does not wait for them."""
    board = tiny_board(mode)
    if board is not None:
        games = Games(board)
        games.copy().play(games.random_squares(0))


@dataclass(frozen=True)
class Visitor:
    """The sender of a request: an address, and the player that the cookie names, if any."""

    address: str
    keys: Keys
    player_id: str | None = None
    name: str | None = None

    @property
    def viewer(self) -> str | None:
        """The key by which the database knows which solutions this visitor has seen."""
        return self.player_id or self.keys.secret_hash

    def required_id(self) -> str:
        """Return the player's id, or refuse a visitor who is not remembered."""
        if self.player_id is None:
            raise Forbidden("this needs your consent to being remembered; nobody is known here yet")
        return self.player_id


# These two are coroutines because they have nothing to wait for: FastAPI would give a plain
# function a thread.
async def get_context(request: Request) -> Context:
    context: Context = request.app.state.context
    return context


Ctx = Annotated[Context, Depends(get_context)]


Secret = Annotated[
    str | None,
    Header(
        alias="x-browser-secret",
        max_length=100,
        description="Only the browser that began a game with it may move in that game.",
    ),
]


async def get_keys(request: Request, secret: Secret = None) -> Keys:
    token = next((request.cookies[name] for name in COOKIES if request.cookies.get(name)), None)
    return Keys(token, secret)


KeysOf = Annotated[Keys, Depends(get_keys)]


def get_visitor(context: Ctx, keys: KeysOf) -> Visitor:
    address = current_request().client.address
    row: Any = None
    if keys.token:
        query = select(players).where(players.c.token_hash == hash_secret(keys.token))
        with context.store.read() as connection:
            row = connection.execute(query).mappings().first()
    if row is None:
        return Visitor(address, Keys(None, keys.secret))
    return Visitor(address, keys, row["id"], row["name"])


Who = Annotated[Visitor, Depends(get_visitor)]
