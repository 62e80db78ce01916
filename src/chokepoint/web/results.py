"""Results of stored games, recomputed from their events by the engine: what tables are made of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import Select, select

from chokepoint.errors import IllegalMove
from chokepoint.web.db.tables import events, games, players
from chokepoint.web.gamelog import COUNTED, GameLog, Line

MAX_ROWS = 20_000  # games that one table is made from: 200 pupils, 30 boards, some tries each


@dataclass(frozen=True)
class Result:
    """What one game amounts to."""

    game_id: str
    player_id: str | None
    name: str | None
    board_id: str
    room_board: int | None
    moves: int
    done: bool
    hints: int  # hints and peeks
    undos: int
    agent_moves: int
    seconds: float

    @property
    def rank(self) -> tuple[int, int, float]:
        """By moves, then hints, then time."""
        return self.moves, self.hints, self.seconds


class Results:
    """Reads games and their events and plays them again."""

    def __init__(self, log: GameLog) -> None:
        self._log = log
        self._kept: OrderedDict[tuple[str, int], Result] = OrderedDict()
        self._lock = Lock()

    def of(self, condition: Any) -> list[Result]:
        """The results of all games that fulfil the condition (of the table `games`)."""
        query: Select[Any] = (
            select(games, players.c.name)
            .join_from(games, players, isouter=True)
            .where(condition)
            .order_by(games.c.created)
            .limit(MAX_ROWS)
        )
        with self._log.store.read() as connection:
            rows = connection.execute(query).mappings().all()
            missing = [row["id"] for row in rows if (row["id"], row["turn"]) not in self._kept]
            logs: dict[str, list[Any]] = {game_id: [] for game_id in missing}
            for start in range(0, len(missing), 500):  # databases bound the size of a list
                some = missing[start : start + 500]
                entries = select(events).where(events.c.game_id.in_(some)).order_by(events.c.turn)
                for entry in connection.execute(entries).mappings():
                    logs[entry["game_id"]].append(entry)
        found = (self._result(row, logs.get(row["id"])) for row in rows)
        return [result for result in found if result is not None]

    def _result(self, row: Any, log: Sequence[Any] | None) -> Result | None:
        key = row["id"], row["turn"]
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or kept.name != row["name"]:
            if log is None:
                log = self._log.events(row["id"])
            kept = self._recompute(row, log)
            if kept is None:
                return None
            with self._lock:
                self._kept[key] = kept
                while len(self._kept) > MAX_ROWS:
                    self._kept.popitem(last=False)
        return kept

    def _recompute(self, row: Any, log: Sequence[Any]) -> Result | None:
        line = Line.of(log)
        try:
            layout = self._log.layout(row["board_id"])
            position = self._log.positions.at(layout, line.moves)
        except IllegalMove:  # a row that was tampered with has no place in a table
            return None
        kinds = [COUNTED.get(entry["kind"]) for entry in log]
        return Result(
            game_id=row["id"],
            player_id=row["player_id"],
            name=row["name"],
            board_id=row["board_id"],
            room_board=row["room_board"],
            moves=line.ply,
            done=bool(position.done[0]),
            hints=kinds.count("hints") + kinds.count("peeks"),
            undos=kinds.count("undos"),
            agent_moves=sum(e["kind"] == "move" and e["agent"] is not None for e in log),
            seconds=(log[-1]["at"] - row["created"]) / 1000 if log else 0.0,
        )


def best_of_each(results: Sequence[Result]) -> list[Result]:
    """Each player's best finished game played alone, ranked."""
    best: dict[str, Result] = {}
    for result in results:
        if not result.done or result.agent_moves or result.player_id is None:
            continue
        known = best.get(result.player_id)
        if known is None or result.rank < known.rank:
            best[result.player_id] = result
    return sorted(best.values(), key=lambda result: result.rank)
