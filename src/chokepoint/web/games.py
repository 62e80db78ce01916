"""Games as they are stored: a log of events that only grows, and the line it amounts to."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update

import chokepoint
from chokepoint.game import Games
from chokepoint.web.db.store import Store, hash_secret, insert_new, new_id, now
from chokepoint.web.db.tables import boards, events, games, players
from chokepoint.web.errors import Conflict, Forbidden, NotFound
from chokepoint.web.layout import Catalogue, Layout, Positions

# Statements of the hot path are made once: to put one together costs more than to run it.
FIND = (
    select(games, players.c.token_hash)
    .join_from(games, players, isouter=True)
    .where(games.c.id == bindparam("game"))
)
SUMMARY = ("turn", "line", "ply", "done", "updated", "hints", "peeks", "undos", "agent_moves")
ADVANCE = (  # only if nobody else has
    update(games)
    .where((games.c.id == bindparam("game")) & (games.c.turn == bindparam("at_turn")))
    .values({name: bindparam(f"new_{name}") for name in SUMMARY})
)
ADD_EVENT = insert(events)

COUNTED = {"hint": "hints", "peek": "peeks", "undo": "undos", "restart": "undos"}


@dataclass(frozen=True)
class Line:
    """The squares attacked so far and, behind them, those that were taken back."""

    squares: tuple[int, ...] = ()
    ply: int = 0  # moves on the board

    @property
    def moves(self) -> tuple[int, ...]:
        return self.squares[: self.ply]

    def after(self, kind: str, square: int | None = None) -> Line:
        """The line after one event of the log."""
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
        """The line that these events amount to: how results are recomputed."""
        line = Line()
        for entry in log:
            line = line.after(entry["kind"], entry["square"])
        return line


@dataclass(frozen=True)
class Event:
    """One thing that happened in a game."""

    kind: str
    square: int | None = None
    agent: str | None = None  # None: the player
    weights: str | None = None
    think_ms: int | None = None

    def repeats(self, stored: RowMapping) -> bool:
        """Whether this is the stored event again; the answer of an agent does not matter."""
        same = stored["kind"] == self.kind and stored["agent"] == self.agent
        return same and (self.agent is not None or stored["square"] == self.square)


@dataclass(frozen=True)
class Game:
    """A stored game with its board."""

    row: dict[str, Any]
    layout: Layout
    line: Line

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def turn(self) -> int:
        return int(self.row["turn"])


class GameLog:
    """Makes games, finds them, and appends to their logs."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        self.store, self.catalogue = store, catalogue
        self.positions = Positions()
        self._layouts: dict[str, Layout] = {}

    # -- boards ------------------------------------------------------------------------------

    def keep_board(self, connection: Connection, layout: Layout) -> None:
        insert_new(
            connection,
            boards,
            id=layout.id,
            mode=layout.mode.reference,
            options=layout.options_json,
            height=layout.height,
            width=layout.width,
            cells=layout.cells,
            created=now(),
        )

    def layout(self, board_id: str) -> Layout:
        """The board of that id (boards never change, so they are kept in memory)."""
        found = self._layouts.get(board_id)
        if found is None:
            with self.store.read() as connection:
                row = connection.execute(select(boards).where(boards.c.id == board_id)).mappings()
                board = row.first()
            if board is None:
                raise NotFound("there is no such board")
            mode = self.catalogue.from_reference(board["mode"], json.loads(board["options"]))
            found = Layout(mode, board["height"], board["width"], board["cells"])
            if len(self._layouts) >= 4096:
                self._layouts.clear()
            self._layouts[board_id] = found
        return found

    # -- games -------------------------------------------------------------------------------

    def create(
        self, layout: Layout, player_id: str | None, origin: dict[str, Any], **columns: Any
    ) -> Game:
        """A new game on this board."""
        at = now()
        row = {
            "id": new_id(),
            "board_id": layout.id,
            "player_id": player_id,
            "origin": json.dumps(origin),
            "version": chokepoint.__version__,
            "created": at,
            "updated": at,
            "turn": 0,
            "line": "[]",
            "ply": 0,
            "done": False,
            "day": None,
            "room": None,
            "room_board": None,
        }
        row |= dict.fromkeys(("hints", "peeks", "undos", "agent_moves"), 0) | columns
        with self.store.write() as connection:
            self.keep_board(connection, layout)
            connection.execute(insert(games).values(**row))
        return Game(row, layout, Line())

    def find(self, game_id: str, token: str | None = None, writing: bool = False) -> Game:
        """The game of that id; only its own player may write to it."""
        with self.store.read() as connection:
            row = connection.execute(FIND, {"game": game_id}).mappings().first()
        if row is None:
            raise NotFound("there is no such game; it may have been deleted")
        owner = row["token_hash"]
        if writing and owner is not None and (not token or hash_secret(token) != owner):
            raise Forbidden("this game belongs to another player")
        plain = {key: value for key, value in row.items() if key != "token_hash"}
        line = Line(tuple(json.loads(row["line"])), row["ply"])
        return Game(plain, self.layout(row["board_id"]), line)

    def state(self, game: Game) -> Games:
        """The engine's game at this point; not to be played on."""
        return self.positions.at(game.layout, game.line.moves)

    def events(self, game_id: str) -> list[dict[str, Any]]:
        query = select(events).where(events.c.game_id == game_id).order_by(events.c.turn)
        with self.store.read() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def append(
        self, game: Game, turn: int, new: Event, ply: int | None = None
    ) -> tuple[Game, bool]:
        """The game with the event, and whether it was stored now.

        `turn` is the place in the log that the event is meant for. The same event sent again to
        the same place changes nothing; another one there is a conflict.
        """
        if turn < game.turn:
            return self._repeated(game, turn, new), False
        if turn > game.turn:
            raise Conflict(f"turn {turn} has not come yet; the game is at turn {game.turn}")
        if game.row["done"]:
            raise Conflict("this game is over; start another one on the same board")
        if ply is not None and ply != game.line.ply:
            raise Conflict(f"the ply is {ply}, but {game.line.ply} moves have been played")
        line = game.line.after(new.kind, new.square)
        done = bool(self.positions.at(game.layout, line.moves).done[0])  # or IllegalMove
        after = self._store_event(game, new, line, done)
        if after is None:  # another process was faster
            return self._repeated(self.find(game.id), turn, new), False
        return after, True

    def _store_event(self, game: Game, new: Event, line: Line, done: bool) -> Game | None:
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

    def _repeated(self, game: Game, turn: int, new: Event) -> Game:
        query = select(events).where((events.c.game_id == game.id) & (events.c.turn == turn))
        with self.store.read() as connection:
            stored = connection.execute(query).mappings().first()
        if stored is None or not new.repeats(stored):
            raise Conflict(
                f"turn {turn} has been played otherwise; the game is at turn {game.turn}"
            )
        return game
