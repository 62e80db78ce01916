"""Routes of a class: a teacher's room with its boards, its members and their results."""

from __future__ import annotations

import csv
import io
import json
import secrets
import socket
import unicodedata
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from sqlalchemy import delete, func, insert, select, update

from pinchpoint.web.context import Context, Ctx, Visitor, Who
from pinchpoint.web.current_request import current_request
from pinchpoint.web.db.schema import games, members, rooms
from pinchpoint.web.db.store import hash_secret, insert_new, now
from pinchpoint.web.games import Result
from pinchpoint.web.limits import (
    MAX_NAME,
    MAX_ROOM_MEMBERS,
    MAX_TITLE,
    Conflict,
    Forbidden,
    NotFound,
    clean_text,
)
from pinchpoint.web.messages import (
    AgainBoard,
    Join,
    MemberId,
    NewRoom,
    RoomBoard,
    RoomBoardView,
    RoomCell,
    RoomCode,
    RoomLock,
    RoomMade,
    RoomResults,
    RoomRow,
    RoomView,
)
from pinchpoint.web.puzzles import Puzzle, choose_puzzle
from pinchpoint.web.routes.players import remember

router = APIRouter(prefix="/api/rooms", tags=["rooms"])
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without those that look alike
Key = Annotated[str, Header(alias="x-room-key", max_length=100)]


@router.post("", status_code=201)
def make_room(body: NewRoom, context: Ctx, visitor: Who) -> RoomMade:
    """Make a room with a fixed list of boards; the key in the answer opens the results."""
    context.creation_limit.take(visitor.address)
    title = clean_text(body.title, MAX_TITLE, "the title")
    puzzles = []
    for choice in body.boards:
        if isinstance(choice, RoomBoard | AgainBoard):
            raise Conflict("a room's boards are random, daily, linked or pasted ones")
        puzzles.append(choose_puzzle(context.catalogue, choice)[0])
    context.storage.check_room()
    context.storage.charge("room")
    context.storage.charge("board", len(puzzles))
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(6))
    key = secrets.token_urlsafe(16)
    row = {
        "code": code,
        "key_hash": hash_secret(key),
        "title": title,
        "boards": json.dumps([puzzle.id for puzzle in puzzles]),
        "allowed": json.dumps(sorted(set(body.allowed))),
        "created": now(),
    }
    with context.store.write() as connection:
        for puzzle in puzzles:
            context.games.keep_board(connection, puzzle)
        connection.execute(insert(rooms).values(**row))
    return RoomMade(code=code, key=key)


@router.get("/{code}")
def get_room(code: RoomCode, context: Ctx, visitor: Who) -> RoomView:
    """Show the room's boards, and whether this player has joined."""
    name = _member_name(context, code, visitor)
    room = _room(context, code, trusted=name is not None)
    boards = _boards(context, room)
    best = _best(context, (games.c.room == code) & (games.c.player_id == visitor.player_id))
    return RoomView(
        code=code,
        title=room["title"],
        boards=boards,
        joined=name is not None,
        name=name,
        locked=room["locked"],
        mine=[_cell(best.get((visitor.player_id, board.number))) for board in boards],
        allowed=json.loads(room["allowed"]),
    )


@router.post("/{code}/members", status_code=201)
def join(code: RoomCode, body: Join, response: Response, context: Ctx, visitor: Who) -> RoomView:
    """Join under a name that the teacher sees; this includes the consent to being remembered."""
    context.creation_limit.take(visitor.address)
    known = _member_name(context, code, visitor) is not None
    room = _room(context, code, trusted=known)
    name = clean_text(body.name, MAX_NAME, "the name")
    if not known:
        if room["locked"]:
            raise Conflict("the room is locked; ask whoever made it to let you in")
        context.join_limit.take(f"{code} {visitor.address}")
        context.storage.charge("member")
    query = select(func.count()).select_from(members).where(members.c.room == code)
    with context.store.read() as connection:
        if not known and connection.execute(query).scalar_one() >= MAX_ROOM_MEMBERS:
            raise Conflict(f"the room is full; it has {MAX_ROOM_MEMBERS} members")
    player_id = visitor.player_id or remember(context, response)
    with context.store.write() as connection:
        row = {"room": code, "player_id": player_id, "name": name, "joined": now()}
        insert_new(connection, members, **row)
    return get_room(code, context, Visitor(visitor.address, visitor.keys, player_id))


@router.put("/{code}/lock")
def lock(code: RoomCode, body: RoomLock, key: Key, context: Ctx) -> RoomLock:
    """Let nobody else in, or everybody again; this needs the room's key."""
    _opened_room(context, code, key)
    with context.store.write() as connection:
        connection.execute(update(rooms).where(rooms.c.code == code).values(locked=body.locked))
    return body


@router.delete("/{code}/members/{member}", status_code=204, response_class=Response)
def remove_member(code: RoomCode, member: MemberId, key: Key, context: Ctx) -> Response:
    """Remove a member and the results in this room; this needs the room's key.

    The member's games stay the member's own.
    """
    _opened_room(context, code, key)
    query = select(members.c.player_id).where(members.c.room == code)
    with context.store.write() as connection:
        ids = connection.execute(query).scalars().all()
        found = next((one for one in ids if _member_id(code, one) == member), None)
        if found is None:
            raise NotFound("the room has no such member")
        here = (games.c.room == code) & (games.c.player_id == found)
        connection.execute(update(games).where(here).values(room=None, room_board=None))
        me = (members.c.room == code) & (members.c.player_id == found)
        connection.execute(delete(members).where(me))
    return Response(status_code=204)


def _member_id(code: str, player_id: str) -> str:
    """Return a member's id for the teacher; it tells nothing about the player's other games."""
    return hash_secret(f"{code} {player_id}")[:16]


@router.get("/{code}/results")
def results(code: RoomCode, key: Key, context: Ctx) -> RoomResults:
    """Show everybody's results so far to whoever has the key."""
    room = _opened_room(context, code, key)
    return RoomResults(
        code=code,
        title=room["title"],
        locked=room["locked"],
        boards=_boards(context, room),
        rows=_rows(context, room),
        allowed=json.loads(room["allowed"]),
        addresses=own_addresses(),
    )


@lru_cache(maxsize=1)
def own_addresses() -> list[str]:
    """Return the address of this machine in its network, if it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; nothing is sent
            address = str(probe.getsockname()[0])
        except OSError:
            return []
    return [] if address.startswith("127.") else [address]


CSV = {"schema": {"type": "string"}}


@router.get(
    "/{code}/results.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": CSV}, "description": "The table."}},
)
def results_csv(code: RoomCode, key: Key, context: Ctx) -> Response:
    """Return the results as a table for a spreadsheet."""
    room = _opened_room(context, code, key)
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(
        ["name", "board", "mode", "par", "par_proven", "moves", "done", "hints", "undos", "seconds"]
    )
    boards = _boards(context, room)
    for row in _rows(context, room):
        for board, cell in zip(boards, row.results, strict=True):
            if cell is None:
                continue
            head = [_harmless(row.name), board.number + 1, board.mode]
            par = [board.par.value, board.par.proven]
            tail = [cell.moves, cell.done, cell.hints, cell.undos, round(cell.seconds, 1)]
            writer.writerow(head + par + tail)
    name = f'attachment; filename="room-{code}.csv"'
    return Response(text.getvalue(), media_type="text/csv", headers={"content-disposition": name})


def _harmless(name: str) -> str:
    """Disarm a name that a spreadsheet would run as a formula.

    Some programs take a semicolon for the end of a cell, and some take the wide signs of East Asian
    scripts for the plain ones.
    """
    safe, beginning = [], True  # of a cell
    for sign in name:
        plain = unicodedata.normalize("NFKC", sign)
        if beginning and plain[0] in "=+-@":
            safe.append("'")
        safe.append(sign)
        beginning = plain in ";,|\t" or (beginning and (plain.isspace() or sign in "'\""))
    return "".join(safe)


def room_puzzle(context: Context, choice: RoomBoard, visitor: Visitor) -> tuple[Puzzle, int]:
    """Return a puzzle of a room and how many it has; refuse a visitor who has not joined."""
    name = _member_name(context, choice.room, visitor)
    room = _room(context, choice.room, trusted=name is not None)
    if name is None:
        raise Forbidden("join the room before you play its boards")
    ids = json.loads(room["boards"])
    if choice.number >= len(ids):
        raise NotFound(f"the room has boards 0 to {len(ids) - 1}")
    return context.games.puzzle(ids[choice.number]), len(ids)


def _room(context: Context, code: str, trusted: bool = False) -> Any:
    """Return the room of that code. Whoever tries many codes is refused, unless `trusted`."""
    address = current_request().client.address
    if not trusted:
        context.guess_limit.check(address)
    with context.store.read() as connection:
        row = connection.execute(select(rooms).where(rooms.c.code == code)).mappings().first()
    if row is None:
        context.guess_limit.take(address)
        raise NotFound(f"there is no room {code}")
    return row


def _opened_room(context: Context, code: str, key: str) -> Any:
    """Return the room if this is its key."""
    room = _room(context, code)
    if not secrets.compare_digest(hash_secret(key), room["key_hash"]):  # 128 random bits
        raise Forbidden("this key does not open the room's results")
    return room


def _member_name(context: Context, code: str, visitor: Visitor) -> str | None:
    if visitor.player_id is None:
        return None
    here = (members.c.room == code) & (members.c.player_id == visitor.player_id)
    with context.store.read() as connection:
        name: str | None = connection.execute(select(members.c.name).where(here)).scalar()
    return name


def _boards(context: Context, room: Any) -> list[RoomBoardView]:
    puzzles = [context.games.puzzle(board_id) for board_id in json.loads(room["boards"])]
    return [
        RoomBoardView(
            number=number,
            mode=puzzle.mode.name,
            options=puzzle.mode.options(),
            height=puzzle.height,
            width=puzzle.width,
            par=context.solutions.par(puzzle),
        )
        for number, puzzle in enumerate(puzzles)
    ]


def _rows(context: Context, room: Any) -> list[RoomRow]:
    """Return for each member and board the best finished game, or the one under way."""
    count = len(json.loads(room["boards"]))
    query = select(members).where(members.c.room == room["code"]).order_by(members.c.joined)
    with context.store.read() as connection:
        people = connection.execute(query).mappings().all()
    best = _best(context, games.c.room == room["code"])
    return [
        RoomRow(
            member=_member_id(room["code"], person["player_id"]),
            name=person["name"],
            results=[_cell(best.get((person["player_id"], i))) for i in range(count)],
        )
        for person in people
    ]


def _best(context: Context, condition: Any) -> dict[tuple[str | None, int | None], Result]:
    """Return each player's best finished game on each board, or the latest one under way."""
    best: dict[tuple[str | None, int | None], Result] = {}
    for result in context.games.results(condition):  # the oldest first
        key = result.player_id, result.room_board
        known = best.get(key)
        if known is None or not known.done or (result.done and result.rank < known.rank):
            best[key] = result
    return best


def _cell(result: Result | None) -> RoomCell | None:
    if result is None:
        return None
    return RoomCell(
        moves=result.moves,
        done=result.done,
        hints=result.hints + result.agent_moves,
        undos=result.undos,
        seconds=result.seconds,
    )
