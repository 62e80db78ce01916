"""Routes of the player: consent, name, statistics, and deleting them all."""

from __future__ import annotations

import secrets
from datetime import date, timedelta

from fastapi import APIRouter, Response
from sqlalchemy import delete, insert, select, update

from pinchpoint.web.context import COOKIE, COOKIES, SECURE_COOKIE, Context, Ctx, Visitor, Who
from pinchpoint.web.current_request import current_request
from pinchpoint.web.db.schema import games, members, players, seen_solutions
from pinchpoint.web.db.store import hash_secret, insert_new, new_id, now
from pinchpoint.web.games import Result
from pinchpoint.web.limits import MAX_NAME, clean_text
from pinchpoint.web.messages import Consent, ModeStats, NewName, PlayerView, Stats
from pinchpoint.web.origins import LESSON_JSON
from pinchpoint.web.puzzles import today

router = APIRouter(prefix="/api/me", tags=["player"])
CONSENT_VERSION = 1  # of the text on the page; raised when its meaning changes
YEAR = 365 * 24 * 3600


@router.get("")
def who_am_i(visitor: Who) -> PlayerView:
    """Say whether this browser is remembered, and under which name."""
    return PlayerView(consented=visitor.player_id is not None, name=visitor.name)


@router.post("/consent", status_code=201)
def consent(body: Consent, response: Response, context: Ctx, visitor: Who) -> PlayerView:
    """Agree to being remembered; no cookie is set before."""
    context.creation_limit.take(visitor.address)
    if visitor.player_id is None:
        player_id = remember(context, response)
        visitor = Visitor(visitor.address, visitor.keys, player_id)
    # The games of this visit come along, so that what was seen in them counts too. Only games that
    # nobody owns can be taken over; a game begun without a secret is named by its id.
    mine = games.c.id == body.game
    if visitor.keys.secret_hash is not None:
        mine = mine & games.c.secret_hash.is_(None) | (
            games.c.secret_hash == visitor.keys.secret_hash
        )
    free = mine & games.c.player_id.is_(None) & (games.c.origin != LESSON_JSON)
    with context.store.write() as connection:
        connection.execute(update(games).where(free).values(player_id=visitor.player_id))
        if visitor.keys.secret_hash is not None:
            seen = seen_solutions.c
            known = select(seen.board_id, seen.at).where(seen.viewer == visitor.keys.secret_hash)
            for board_id, at in connection.execute(known).all():
                row = {"board_id": board_id, "viewer": visitor.player_id, "at": at}
                insert_new(connection, seen_solutions, **row)
    return PlayerView(consented=True, name=visitor.name)


def remember(context: Context, response: Response) -> str:
    """Store a new player, set the cookie by which the browser is known, and return the id."""
    context.storage.check_room()
    context.storage.charge("player")
    token, player_id = secrets.token_urlsafe(32), new_id()
    row = {
        "id": player_id,
        "token_hash": hash_secret(token),
        "name": None,
        "consent_version": CONSENT_VERSION,
        "created": now(),
    }
    with context.store.write() as connection:
        connection.execute(insert(players).values(**row))
    secure = context.settings.secure_cookie or current_request().secure
    response.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        token,
        max_age=YEAR,
        httponly=True,
        samesite="strict",
        secure=secure,
        path="/",
    )
    return player_id


@router.put("/name")
def set_name(body: NewName, context: Ctx, visitor: Who) -> PlayerView:
    """Set or remove the name that tables of best scores show."""
    player_id = visitor.required_id()
    name = None if body.name is None else clean_text(body.name, MAX_NAME, "the name")
    with context.store.write() as connection:
        connection.execute(update(players).where(players.c.id == player_id).values(name=name))
    return PlayerView(consented=True, name=name)


@router.delete("")
def delete_me(response: Response, context: Ctx, visitor: Who) -> PlayerView:
    """Delete every game, result and name of this player, and forget the cookie."""
    if visitor.player_id is not None:
        me = visitor.player_id
        with context.store.write() as connection:
            # While the player is locked, no other request can add games or moves. SQLite, which has
            # one writer at a time, leaves out the lock.
            connection.execute(select(players.c.id).where(players.c.id == me).with_for_update())
            for column in (
                games.c.player_id,
                seen_solutions.c.viewer,
                members.c.player_id,
                players.c.id,
            ):
                connection.execute(delete(column.table).where(column == me))
        context.store.forget_deleted()
    for name in COOKIES:
        secure = name.startswith("__Host-")
        response.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=secure)
    return PlayerView(consented=False)


@router.get("/stats")
def stats(context: Ctx, visitor: Who) -> Stats:
    """Sum up my results by mode, and my streak of daily boards."""
    if visitor.player_id is None:
        return Stats(games=0, finished=0, streak=0, longest_streak=0, modes=[])
    mine = games.c.player_id == visitor.player_id
    results = context.games.results(mine & (games.c.turn > 0))
    days: set[date] = set()
    by_mode: dict[str, list[Result]] = {}
    for result in results:
        if result.done:
            if result.day and not result.agent_moves:
                days.add(date.fromisoformat(result.day))
            name = context.games.puzzle(result.board_id).mode.name
            by_mode.setdefault(name, []).append(result)
    now_on, longest = streaks(days, today())
    return Stats(
        games=len(results),
        finished=sum(result.done for result in results),
        streak=now_on,
        longest_streak=longest,
        modes=[mode_stats(context, name, of_mode) for name, of_mode in by_mode.items()],
    )


def mode_stats(context: Context, mode: str, results: list[Result]) -> ModeStats:
    over: list[int] = []
    perfect = 0
    for result in results:
        par = context.solutions.par(context.games.puzzle(result.board_id), work=False)
        if par.value is None or result.agent_moves:
            continue
        over.append(result.moves - par.value)
        perfect += over[-1] <= 0 and result.hints == 0
    counts = {str(k): over.count(k) for k in sorted(set(over))}
    mean = sum(over) / len(over) if over else None
    return ModeStats(
        mode=mode, finished=len(results), perfect=perfect, mean_over_par=mean, over_par=counts
    )


def streaks(days: set[date], last: date) -> tuple[int, int]:
    """Return the days in a row up to `last` or the day before, and the longest row ever."""
    longest = run = 0
    for day in sorted(days):
        run = run + 1 if day - timedelta(days=1) in days else 1
        longest = max(longest, run)
    current, day = 0, last if last in days else last - timedelta(days=1)  # it is not over yet
    while day in days:
        current, day = current + 1, day - timedelta(days=1)
    return current, longest
