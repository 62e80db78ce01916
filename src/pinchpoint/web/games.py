"""Stored games: a log of events that only grows, and what it amounts to.

The log of a game gives the line of moves on the board, a view for the page, a result for tables
and a record for researchers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any

from cachetools import LRUCache, cachedmethod
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    delete,
    insert,
    select,
    update,
)

import pinchpoint
from pinchpoint.game.engine import Games
from pinchpoint.web.cuts import cut_of
from pinchpoint.web.db.schema import ALL_HELP, boards, events, games, players, rooms, seen_solutions
from pinchpoint.web.db.store import Store, hash_secret, insert_new, new_id, now, opened_store
from pinchpoint.web.limits import MAX_EVENTS, Conflict, Forbidden, NotFound
from pinchpoint.web.messages import GameView
from pinchpoint.web.origins import ORIGINS, Origin
from pinchpoint.web.puzzles import Catalogue, Positions, Puzzle, status_text
from pinchpoint.web.storage import Storage

UNCONSENTED_KEPT = 24 * 3600 * 1000  # milliseconds that a game without consent is kept
MAX_ROWS = 20_000  # games that one table is made from: 200 pupils, 30 boards, some tries each
# SQLAlchemy takes longer to put a statement together than the database takes to run it, so the
# statements of a move are made once.
FIND = (
    select(games, players.c.token_hash, rooms.c.allowed)
    .join_from(games, players, isouter=True)
    .join(rooms, games.c.room == rooms.c.code, isouter=True)
    .where(games.c.id == bindparam("game"))
)
COUNTERS = ("hints", "peeks", "undos", "agent_moves")
SUMMARY = ("turn", "line", "ply", "done", "updated", *COUNTERS)
ADVANCE = (  # changes nothing if another process has moved on
    update(games)
    .where((games.c.id == bindparam("game")) & (games.c.turn == bindparam("at_turn")))
    .values({name: bindparam(f"new_{name}") for name in SUMMARY})
)
ADD_EVENT = insert(events)

COUNTED = {"hint": "hints", "peek": "peeks", "undo": "undos", "restart": "undos"}
EVENT_FIELDS = ("kind", "ply", "square", "agent", "weights", "think_ms", "at")  # in records


@dataclass(frozen=True)
class Line:
    """The squares attacked so far and, behind them, those that were taken back."""

    squares: tuple[int, ...] = ()
    ply: int = 0  # moves on the board

    @property
    def moves(self) -> tuple[int, ...]:
        return self.squares[: self.ply]

    def after(self, kind: str, square: int | None = None) -> Line:
        """Return the line after one event of the log."""
        if kind == "move":
            assert square is not None
            return Line((*self.moves, square), self.ply + 1)
        if kind == "undo":
            if self.ply == 0:
                raise Conflict("there is no move to take back")
            return Line(self.squares, self.ply - 1)
        if kind == "redo":
            if self.ply == len(self.squares):
                raise Conflict("there is no move to play again")
            return Line(self.squares, self.ply + 1)
        if kind == "restart":
            return Line(self.squares, 0)
        return self  # a hint or a peek

    @staticmethod
    def of(log: Iterable[Any]) -> Line:
        """Return the line that these events lead to."""
        line = Line()
        for entry in log:
            line = line.after(entry["kind"], entry["square"])
        return line


@dataclass(frozen=True)
class Event:
    """Something that happened in a game."""

    kind: str
    square: int | None = None
    agent: str | None = None  # None: the player
    weights: str | None = None
    think_ms: int | None = None

    def repeats(self, stored: RowMapping) -> bool:
        """Return whether this is the stored event again; the answer of an agent may differ."""
        same = stored["kind"] == self.kind and stored["agent"] == self.agent
        return same and (self.agent is not None or stored["square"] == self.square)


@dataclass(frozen=True)
class Keys:
    """What a browser shows to be let into its games: its cookie, and its secret of this visit."""

    token: str | None = None
    secret: str | None = None

    @property
    def secret_hash(self) -> str | None:
        return hash_secret(self.secret) if self.secret else None

    def open(self, token_hash: str | None, secret_hash: str | None) -> bool:
        """Return whether they open a game; one without an owner is open to everybody."""
        if token_hash is not None:
            return self.token is not None and hash_secret(self.token) == token_hash
        return secret_hash is None or self.secret_hash == secret_hash


NO_KEYS = Keys()


@dataclass(frozen=True)
class StoredGame:
    """A row of the table `games` with its puzzle and its line."""

    row: dict[str, Any]
    puzzle: Puzzle
    line: Line
    yours: bool = True  # whether the one who asks may move in it
    allowed: tuple[str, ...] = ALL_HELP

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @cached_property
    def origin(self) -> Origin:
        return ORIGINS.validate_json(self.row["origin"])

    @property
    def turn(self) -> int:
        return int(self.row["turn"])


@dataclass(frozen=True)
class Result:
    """The outcome of a stored game."""

    game_id: str
    player_id: str | None
    name: str | None
    board_id: str
    day: str | None
    room_board: int | None
    moves: int
    done: bool
    hints: int  # hints and peeks
    undos: int
    agent_moves: int
    seconds: float
    begun: bool  # something has happened in it
    last_event_at: int

    @property
    def rank(self) -> tuple[int, int, float]:
        """The order of games in a room: by moves, then hints, then time."""
        return self.moves, self.hints, self.seconds


class GameLog:
    """Makes games, finds them, appends to their logs, and recomputes their results."""

    def __init__(self, store: Store, catalogue: Catalogue, storage: Storage) -> None:
        self.store, self.catalogue, self.storage = store, catalogue, storage
        self.positions = Positions()
        self._puzzles: LRUCache[str, Puzzle] = LRUCache(4096)
        self._cuts: LRUCache[tuple[str, tuple[int, ...]], list[int]] = LRUCache(1024)
        self._lock = Lock()

    # -- puzzles -----------------------------------------------------------------------------

    def keep_board(self, connection: Connection, puzzle: Puzzle) -> None:
        """Store the puzzle's board unless it is stored already."""
        insert_new(
            connection,
            boards,
            id=puzzle.id,
            mode=puzzle.mode.reference,
            options=puzzle.options_json,
            height=puzzle.height,
            width=puzzle.width,
            cells=puzzle.cells,
            created=now(),
        )

    @cachedmethod(lambda self: self._puzzles, lock=lambda self: self._lock)
    def puzzle(self, board_id: str) -> Puzzle:
        """Return the puzzle of a stored board. Boards never change, so memory keeps them."""
        with self.store.read() as connection:
            query = select(boards).where(boards.c.id == board_id)
            board = connection.execute(query).mappings().first()
        if board is None:
            raise NotFound("there is no such board")
        mode = self.catalogue.from_reference(board["mode"], json.loads(board["options"]))
        return Puzzle.from_cells(mode, board["height"], board["width"], board["cells"])

    # -- games -------------------------------------------------------------------------------

    def create(
        self,
        puzzle: Puzzle,
        player_id: str | None,
        origin: Origin,
        secret_hash: str | None = None,
        **columns: Any,
    ) -> StoredGame:
        """Store a new game on this puzzle, of a player or of the browser with that secret."""
        self.storage.check_room()
        self.storage.charge("board")
        self.storage.charge("game")
        at = now()
        row = {
            "id": new_id(),
            "board_id": puzzle.id,
            "player_id": player_id,
            "origin": json.dumps(origin.model_dump()),
            "version": pinchpoint.__version__,
            "created": at,
            "updated": at,
            "turn": 0,
            "line": "[]",
            "ply": 0,
            "done": False,
            "day": None,
            "room": None,
            "room_board": None,
            "secret_hash": secret_hash,
            "first": self._is_first(puzzle.id, player_id, secret_hash),
        }
        row |= dict.fromkeys(COUNTERS, 0) | columns
        with self.store.write() as connection:
            self.keep_board(connection, puzzle)
            connection.execute(insert(games).values(**row))
        return StoredGame(row, puzzle, Line())

    def _is_first(self, board_id: str, player_id: str | None, secret_hash: str | None) -> bool:
        """Return whether this player has not played on the board before."""
        if player_id is None and secret_hash is None:
            return True
        owner = games.c.player_id == player_id
        if player_id is None:
            owner = games.c.secret_hash == secret_hash
        earlier = select(games.c.id).where((games.c.board_id == board_id) & owner)
        with self.store.read() as connection:
            return connection.execute(earlier.where(games.c.turn > 0)).first() is None

    def find(self, game_id: str, keys: Keys = NO_KEYS, writing: bool = False) -> StoredGame:
        """Return the game of that id; only its own player, or browser, may write to it."""
        with self.store.read() as connection:
            row = connection.execute(FIND, {"game": game_id}).mappings().first()
        if row is None:
            raise NotFound("there is no such game; it may have been deleted")
        yours = keys.open(row["token_hash"], row["secret_hash"])
        if writing and not yours:
            raise Forbidden("this game belongs to another player; you can only look at it")
        plain = {k: value for k, value in row.items() if k not in ("token_hash", "allowed")}
        line = Line(tuple(json.loads(row["line"])), row["ply"])
        allowed = tuple(json.loads(row["allowed"])) if row["allowed"] else ALL_HELP
        return StoredGame(plain, self.puzzle(row["board_id"]), line, yours, allowed)

    def state(self, game: StoredGame) -> Games:
        """Return the engine's game at this point; copy it before you play on."""
        return self.positions.at(game.puzzle, game.line.moves)

    def view(self, game: StoredGame) -> GameView:
        """Return what the page shows of a game."""
        row, line, state, puzzle = game.row, game.line, self.state(game), game.puzzle
        return GameView(
            id=game.id,
            board=puzzle.id,
            code=puzzle.code,
            mode=puzzle.mode.name,
            options=puzzle.mode.options(),
            height=puzzle.height,
            width=puzzle.width,
            status=status_text(state),
            best=int(state.memory[0]),
            turn=game.turn,
            ply=line.ply,
            moves=list(line.moves),
            can_undo=line.ply > 0 and not row["done"],
            can_redo=line.ply < len(line.squares) and not row["done"],
            done=row["done"],
            **{counter: row[counter] for counter in COUNTERS},
            seconds=_seconds(row),
            origin=game.origin,
            mine=row["player_id"] is not None,
            yours=game.yours,
            first=bool(row["first"]),
            allowed=list(game.allowed),
            cut=self._cut(game) if row["done"] else [],
        )

    @cachedmethod(
        lambda self: self._cuts,
        key=lambda _, game: (game.puzzle.id, game.line.moves),
        lock=lambda self: self._lock,
    )
    def _cut(self, game: StoredGame) -> list[int]:
        return cut_of(self.state(game))

    def forget_unconsented(self) -> None:
        """Delete games that nobody has touched for a day, if nobody consented or ever moved."""
        unkept = games.c.player_id.is_(None) | (games.c.turn == 0)
        old = unkept & (games.c.updated < now() - UNCONSENTED_KEPT)
        with self.store.write() as connection:
            connection.execute(delete(games).where(old))

    # -- events ------------------------------------------------------------------------------

    def events(self, game_id: str) -> list[dict[str, Any]]:
        """Return the log of a game."""
        with self.store.read() as connection:
            return [dict(row) for row in _log_of(connection, game_id)]

    def append(self, game: StoredGame, turn: int, new: Event, ply: int | None = None) -> StoredGame:
        """Store an event and return the game after it.

        `turn` is the place in the log that the event is meant for. The same event sent again to
        the same place changes nothing; another one there is a conflict.
        """
        if turn < game.turn:
            return self._repeated(game, turn, new)
        if turn > game.turn:
            raise Conflict(f"turn {turn} has not come yet; the game is at turn {game.turn}")
        if game.row["done"]:
            raise Conflict("this game is over; start another one on the same board")
        if ply is not None and ply != game.line.ply:
            raise Conflict(f"the ply is {ply}, but {game.line.ply} moves have been played")
        if turn >= MAX_EVENTS:
            raise Conflict(f"this game has had {MAX_EVENTS} events; begin another one")
        self.storage.charge("event")
        line = game.line.after(new.kind, new.square)
        done = bool(self.positions.at(game.puzzle, line.moves).done[0])  # or IllegalMove
        after = self._store_event(game, new, line, done)
        if after is None:  # another process was faster
            return self._repeated(self.find(game.id), turn, new)
        return after

    def _store_event(
        self, game: StoredGame, new: Event, line: Line, done: bool
    ) -> StoredGame | None:
        """Store an event and the new summary; return None if the game has moved on meanwhile."""
        at = now()
        change = {name: game.row[name] for name in SUMMARY} | {
            "turn": game.turn + 1,
            "line": json.dumps(line.squares, separators=(",", ":")),
            "ply": line.ply,
            "done": done,
            "updated": at,
        }
        counter = "agent_moves" if new.kind == "move" and new.agent else COUNTED.get(new.kind)
        if counter:
            change[counter] = game.row[counter] + 1
        event_row = {
            "game_id": game.id,
            "turn": game.turn,
            "kind": new.kind,
            "ply": game.line.ply,
            "square": new.square,
            "agent": new.agent,
            "weights": new.weights,
            "think_ms": new.think_ms,
            "at": at,
        }
        where = {"game": game.id, "at_turn": game.turn}
        values = where | {f"new_{name}": value for name, value in change.items()}
        with self.store.write() as connection:
            if connection.execute(ADVANCE, values).rowcount != 1:
                return None
            connection.execute(ADD_EVENT, event_row)
        return replace(game, row=game.row | change, line=line)

    def _repeated(self, game: StoredGame, turn: int, new: Event) -> StoredGame:
        """Return the game if its log has this event at that turn already; else refuse."""
        query = select(events).where((events.c.game_id == game.id) & (events.c.turn == turn))
        with self.store.read() as connection:
            stored = connection.execute(query).mappings().first()
        if stored is None or not new.repeats(stored):
            raise Conflict(
                f"turn {turn} has been played otherwise; the game is at turn {game.turn}"
            )
        return game

    # -- results -------------------------------------------------------------------------------

    def results(self, condition: ColumnElement[bool]) -> list[Result]:
        """Return the results of all games that fulfil the condition, the oldest game first."""
        query = (
            select(games, players.c.name)
            .join_from(games, players, isouter=True)
            .where(condition)
            .order_by(games.c.created)
            .limit(MAX_ROWS)
        )
        with self.store.read() as connection:
            return [_result(row) for row in connection.execute(query).mappings()]

    # -- who has seen a solution ---------------------------------------------------------------

    def note_seen(self, board_id: str, viewer: str) -> None:
        """Remember that somebody saw the analysis of another player's game on this board."""
        with self.store.write() as connection:
            insert_new(connection, seen_solutions, board_id=board_id, viewer=viewer, at=now())

    def seen_at(self, board_id: str) -> dict[str, int]:
        """Return when each of those who saw a solution of this board did so first."""
        seen = seen_solutions.c
        query = select(seen.viewer, seen.at).where(seen.board_id == board_id)
        with self.store.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}


def _result(row: RowMapping) -> Result:
    return Result(
        game_id=row["id"],
        player_id=row["player_id"],
        name=row["name"],
        board_id=row["board_id"],
        day=row["day"],
        room_board=row["room_board"],
        moves=row["ply"],
        done=row["done"],
        hints=row["hints"] + row["peeks"],
        undos=row["undos"],
        agent_moves=row["agent_moves"],
        seconds=_seconds(row),
        begun=row["turn"] > 0,
        last_event_at=row["updated"],
    )


def _seconds(row: Mapping[str, Any] | RowMapping) -> float:
    """Return the time from the start of a game to its last event."""
    return float(row["updated"] - row["created"]) / 1000 if row["turn"] > 0 else 0.0


@dataclass(frozen=True)
class Attempt:
    """A player's first game on a board, which is the one that counts."""

    result: Result
    helped: bool  # by hints, maps, agents, or a look at the solution before its end


def first_attempts(results: Sequence[Result], seen: dict[str, int]) -> list[Attempt]:
    """Return the first attempt of each player, from results on one board, the oldest first.

    `seen` tells when each player first saw a solution in somebody else's game.
    """
    first: dict[str, Result] = {}
    for result in results:
        if result.player_id is not None and result.begun:
            first.setdefault(result.player_id, result)
    return [
        Attempt(
            result,
            helped=result.hints + result.agent_moves > 0
            or seen.get(player_id, result.last_event_at + 1) <= result.last_event_at,
        )
        for player_id, result in first.items()
    ]


# -- records for researchers -------------------------------------------------------------------


def export_games(database: str, finished: bool = True) -> list[dict[str, Any]]:
    """Return a record of each game of players who consented, the oldest game first.

    The record's `moves` are the line at the end of the game; `events` has the whole log, with the
    moves that were taken back. `finished` leaves out games that are not over.
    """
    query = select(games).where(games.c.player_id.is_not(None))
    if finished:
        query = query.where(games.c.done)
    records = []
    with opened_store(database) as store, store.read() as connection:
        rows = connection.execute(query.order_by(games.c.created, games.c.id)).mappings().all()
        for row in rows:
            board_query = select(boards).where(boards.c.id == row["board_id"])
            board = connection.execute(board_query).mappings().one()
            records.append(_record(row, board, _log_of(connection, row["id"])))
    return records


def _record(row: RowMapping, board: RowMapping, log: Sequence[RowMapping]) -> dict[str, Any]:
    width = board["width"]
    line = Line.of(log)
    cells = board["cells"].replace("0", "#").replace("1", "o")
    options, origin = json.loads(board["options"]), json.loads(row["origin"])
    agent_moves = sum(entry["kind"] == "move" and entry["agent"] is not None for entry in log)
    counts = Counter(COUNTED.get(entry["kind"]) for entry in log)
    record: dict[str, Any] = {
        "mode": board["mode"],
        "options": options,
        "laid": [cells[i : i + width] for i in range(0, len(cells), width)],
        "moves": [list(divmod(square, width)) for square in line.moves],
        "steps": line.ply,
        "agent": "human+agent" if agent_moves else "human",
        "seed": origin.get("seed"),
        "p": origin.get("p"),
        "version": row["version"],
        "game": row["id"],
        "player": row["player_id"],
        "board": row["board_id"],
        "origin": origin,
        "done": row["done"],
        "started_at": row["created"],
        "ended_at": log[-1]["at"] if log else row["created"],
        "hints": counts["hints"],
        "peeks": counts["peeks"],
        "undos": counts["undos"],
        "agent_moves": agent_moves,
        "events": [{name: entry[name] for name in EVENT_FIELDS} for entry in log],
    }
    return {key: value for key, value in record.items() if value is not None}


def _log_of(connection: Connection, game_id: str) -> Sequence[RowMapping]:
    query = select(events).where(events.c.game_id == game_id).order_by(events.c.turn)
    return connection.execute(query).mappings().all()
