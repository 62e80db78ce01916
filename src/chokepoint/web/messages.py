"""What the server answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from chokepoint.web.settings import MAX_BODY


class Problem(BaseModel):
    detail: str = Field(description="One sentence: what was wrong and what is allowed.")


class ParView(BaseModel):
    value: int | None = Field(description="The fewest moves known; null while none are.")
    bound: int | None = Field(description="At least so many are needed.")
    proven: bool
    pending: bool = Field(description="Whether a better answer is being worked out.")


class GameView(BaseModel):
    id: str
    board: str
    code: str = Field(description="The board in a share link.")
    mode: str
    options: dict[str, Any]
    height: int
    width: int
    status: str = Field(description="A digit a square: 0 blocked 1 active 2 inactive 3 attacked.")
    best: int = Field(description="Network mode: the largest piece there has been but for one.")
    turn: int
    ply: int
    moves: list[int]
    can_undo: bool
    can_redo: bool
    done: bool
    hints: int
    peeks: int
    undos: int
    agent_moves: int
    seconds: float = Field(description="From the first event to the last, by the server's clock.")
    origin: dict[str, Any]
    mine: bool = Field(description="Whether it counts for a player who consented.")


class Frame(BaseModel):
    square: int
    changes: list[tuple[int, int]] = Field(description="[square, new state] for all that changed.")


class Film(BaseModel):
    """A line of play that can be shown without knowing the rules."""

    start: str
    frames: list[Frame]
    done: bool


class HintView(BaseModel):
    game: GameView
    square: int


class ValuesView(BaseModel):
    game: GameView
    values: list[float | None]
    best: int


class FilmView(BaseModel):
    game: GameView
    film: Film
    agent: str


class MoveAnalysis(BaseModel):
    square: int
    to_go: int | None = Field(description="Fewest moves known before this move.")
    after: int | None = Field(description="Fewest moves known after it.")
    cost: int | None = Field(description="Moves that it lost, by what is known.")
    certain: bool
    better: int | None = Field(description="A square that would have lost nothing.")


class AnalysisView(BaseModel):
    pending: bool
    par: ParView
    you: Film
    moves: list[MoveAnalysis]
    optimum: Film | None
    agent: Film | None
    agent_name: str | None


class ModeView(BaseModel):
    name: str
    description: str
    custom: bool
    options: list[dict[str, Any]]
    agents: list[dict[str, Any]]


class About(BaseModel):
    version: str
    modes: list[ModeView]
    today: str
    first_day: str
    limits: dict[str, int]
    max_body: int = MAX_BODY


class LinkView(BaseModel):
    mode: str
    options: dict[str, Any]
    height: int
    width: int
    rows: list[str]


class Entry(BaseModel):
    rank: int
    name: str
    moves: int
    hints: int
    undos: int
    seconds: float
    mine: bool


class DailyView(BaseModel):
    day: str
    mode: str
    height: int
    width: int
    p: float
    par: ParView
    entries: list[Entry]


class ArchiveDay(BaseModel):
    day: str
    size: int
    p: float
    played: dict[str, int] = Field(description="My best number of moves, by mode.")


class PlayerView(BaseModel):
    consented: bool
    name: str | None = None


class ModeStats(BaseModel):
    mode: str
    finished: int
    perfect: int = Field(description="Finished in par, without hints or agent moves.")
    mean_over_par: float | None
    over_par: dict[str, int] = Field(description="How often so many moves over par.")


class Stats(BaseModel):
    games: int
    finished: int
    streak: int = Field(description="Days in a row with a daily board finished, up to now.")
    longest_streak: int
    modes: list[ModeStats]


class RoomMade(BaseModel):
    code: str
    key: str = Field(description="Only the teacher has it; it cannot be shown again.")


class RoomBoardView(BaseModel):
    number: int
    mode: str
    options: dict[str, Any]
    height: int
    width: int
    par: ParView


class RoomView(BaseModel):
    code: str
    title: str
    boards: list[RoomBoardView]
    joined: bool
    name: str | None
    mine: list[RoomCell | None] = Field(description="My best game on each board, or the latest.")


class RoomCell(BaseModel):
    moves: int
    done: bool
    hints: int
    undos: int
    seconds: float


class RoomRow(BaseModel):
    name: str
    results: list[RoomCell | None]


class RoomResults(BaseModel):
    code: str
    title: str
    boards: list[RoomBoardView]
    rows: list[RoomRow]
