"""What visitors send and what the server answers, with the limits that the API describes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pinchpoint.web.limits import (
    CAMPAIGN_BOARDS,
    MAX_BODY,
    MAX_ROOM_BOARDS,
    MAX_SIDE,
    MAX_THINK,
    MIN_SIDE,
)
from pinchpoint.web.origins import Origin

# -- what visitors send ----------------------------------------------------------------------


def _whole(value: Any) -> Any:
    """Read 3.0 as 3: JSON has one kind of number only."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
Side = Annotated[Whole, Field(ge=MIN_SIDE, le=MAX_SIDE)]
ModeOptions = Annotated[dict[str, str | int | float | bool], Field(max_length=8)]
ModeName = Annotated[str, Field(min_length=1, max_length=200)]
Turn = Annotated[Whole, Field(ge=0, le=10**6)]
AgentName = Annotated[str, Field(min_length=1, max_length=64)]
ShareCode = Annotated[str, Field(min_length=1, max_length=2000)]
# Ids are checked before anything else sees them.
GameId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
MemberId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
DayText = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
RoomCode = Annotated[str, Field(pattern=r"^[A-Z0-9]{6}$")]
PATTERNS = {  # in words, for refusals
    r"^[0-9a-f]{32}$": "the id of a game, which has 32 of the signs 0 to 9 and a to f",
    r"^[0-9a-f]{16}$": "the id of a member, which has 16 of the signs 0 to 9 and a to f",
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "a day, written like 2026-01-31",
    r"^[A-Z0-9]{6}$": "the code of a room, which has six capital letters or digits",
}


class Body(BaseModel):
    """A request; unknown fields are refused, so that a typing error is noticed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RandomBoard(Body):
    kind: Literal["random"]
    mode: ModeName
    options: ModeOptions = {}
    height: Side
    width: Side
    p: float = Field(ge=0.0, le=1.0)
    seed: Whole | None = Field(
        default=None, ge=0, lt=2**53, description="A new one if it is left out."
    )


class DailyBoard(Body):
    kind: Literal["daily"]
    mode: ModeName
    day: DayText


class LinkedBoard(Body):
    kind: Literal["link"]
    code: ShareCode


class TextBoard(Body):
    kind: Literal["text"]
    mode: ModeName
    options: ModeOptions = {}
    rows: list[Annotated[str, Field(max_length=1000)]] = Field(max_length=1000)
    lesson: bool = Field(
        default=False, description="Boards of the lesson belong to no player and are not kept."
    )


class RoomBoard(Body):
    kind: Literal["room"]
    room: RoomCode
    number: Whole = Field(ge=0, lt=MAX_ROOM_BOARDS)


class AgainBoard(Body):
    kind: Literal["again"]
    game: GameId = Field(description="The game whose board is played again.")


class CampaignBoard(Body):
    kind: Literal["campaign"]
    number: Whole = Field(ge=1, le=CAMPAIGN_BOARDS)


BoardChoice = Annotated[
    RandomBoard | DailyBoard | LinkedBoard | TextBoard | CampaignBoard | RoomBoard | AgainBoard,
    Field(discriminator="kind"),
]


class NewGame(Body):
    board: BoardChoice
    rival: AgentName | None = Field(
        default=None, description="An agent to race against, one move for each of mine."
    )


class Move(Body):
    turn: Turn = Field(
        description="The event's number in the game's log; a repeat changes nothing."
    )
    ply: Whole = Field(
        ge=0, le=10**6, description="The number of moves on the board before this one."
    )
    square: Whole = Field(ge=0, le=10**6, description="row × width + column")
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class LineStep(Body):
    """A step along the line of moves: undo, redo or restart."""

    turn: Turn
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class Question(Body):
    turn: Turn
    agent: AgentName
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class Consent(Body):
    agree: Literal[True]
    game: GameId | None = Field(
        default=None, description="A game under way that shall count as mine."
    )


class NewName(Body):
    name: str | None = Field(min_length=1, description="null removes the name.")


Help = Literal["hint", "solver", "takeover"]


class NewRoom(Body):
    title: str = Field(min_length=1)
    allowed: list[Help] = Field(
        default=["hint", "solver", "takeover"],
        max_length=3,
        description="The help that pupils may ask for.",
    )
    boards: list[BoardChoice] = Field(min_length=1, max_length=MAX_ROOM_BOARDS)


class Join(Body):
    name: str = Field(min_length=1)
    agree: Literal[True]


class RoomLock(Body):
    locked: bool = Field(description="Whether nobody else can join.")


# -- what the server answers -----------------------------------------------------------------


class Problem(BaseModel):
    detail: str = Field(description="One sentence that says what was wrong and what is allowed.")


class ParView(BaseModel):
    value: int | None = Field(
        description="The fewest moves known; null as long as no solution is known."
    )
    bound: int | None = Field(description="The number of moves that are needed at least.")
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
    best: int = Field(
        description="Network: the largest size that a second piece ever had. Shatter: the size W."
    )
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
    seconds: float = Field(
        description="The time from the start to the last event, by the server's clock."
    )
    origin: Origin
    mine: bool = Field(description="Whether the game belongs to a player who consented.")
    yours: bool = Field(description="Whether the one who asks may move in it.")
    first: bool = Field(description="Whether its player had no earlier game on this board.")
    allowed: list[str] = Field(description="The help that may be asked for.")
    cut: list[int] = Field(description="The squares along which a finished game parts the board.")


class Frame(BaseModel):
    square: int
    changes: list[tuple[int, int]] = Field(
        description="[square, new state] for every square that changed."
    )


class Film(BaseModel):
    """A line of play that can be shown without knowing the rules."""

    start: str
    frames: list[Frame]
    done: bool
    cut: list[int] = Field(description="The squares along which the line parts the board.")


class HintView(BaseModel):
    game: GameView
    square: int


class ValuesView(BaseModel):
    game: GameView
    values: list[float | None]
    best: int


class OutlookView(BaseModel):
    game: GameView
    cuts: dict[int, list[int]] = Field(
        description="The squares that an attack would cut off, for each attack that does."
    )


class RivalView(BaseModel):
    agent: str
    film: Film = Field(description="As many moves as the player has made; all when it is over.")
    total: int | None = Field(description="The moves that the rival needs; null until it is over.")


class LevelView(BaseModel):
    number: int
    title: str
    idea: str
    mode: str
    rows: tuple[str, ...] = Field(description="The board: o is open, # is blocked.")
    par: int  # proven


class FilmView(BaseModel):
    game: GameView
    film: Film
    agent: str


class MoveAnalysis(BaseModel):
    square: int
    to_go: int | None = Field(description="The fewest moves known from before this move.")
    after: int | None = Field(description="The fewest moves known from after it.")
    cost: int | None = Field(description="The moves that it lost, as far as is known.")
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


class OptionView(BaseModel):
    name: str
    default: bool | int | float | str
    choices: list[str]


class Adviser(BaseModel, frozen=True):
    """An agent or the solver, as the page offers it."""

    name: str
    about: str
    kind: Literal["solver", "learned", "baseline"]
    values: bool = Field(description="Whether it judges every square.")
    weights: str | None = Field(default=None, description="The hash of the weights.")
    max_squares: int | None = Field(
        default=None, description="Of the boards on which it answers in time; null: of any."
    )


class ModeView(BaseModel):
    name: str
    description: str
    custom: bool
    options: list[OptionView]
    agents: list[Adviser]


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


class DailyEntry(BaseModel):
    rank: int = Field(description="Players with equally many moves share a rank.")
    name: str
    moves: int
    undos: int
    mine: bool


class MyAttempt(BaseModel):
    game: str
    moves: int
    done: bool
    helped: bool


class DailyView(BaseModel):
    day: str
    mode: str
    height: int
    width: int
    p: float
    status: str = Field(description="The board as it is laid, a digit a square.")
    par: ParView
    entries: list[DailyEntry] = Field(description="First attempts without help, the best first.")
    distribution: dict[int, int] = Field(description="The number of them, by moves.")
    honest: int = Field(description="The number of first attempts without help.")
    helped: int = Field(description="The number of first attempts with help.")
    mine: MyAttempt | None


class ArchiveDay(BaseModel):
    day: str
    size: int
    p: float
    played: dict[str, int] = Field(description="The moves of my first attempt, by mode.")


class PlayerView(BaseModel):
    consented: bool
    name: str | None = None


class StartView(BaseModel):
    about: About
    me: PlayerView
    today: ArchiveDay


class ModeStats(BaseModel):
    mode: str
    finished: int
    perfect: int = Field(description="Games finished in par, without hints or moves by agents.")
    mean_over_par: float | None
    over_par: dict[str, int] = Field(description="The number of games by moves over par.")


class Stats(BaseModel):
    games: int
    finished: int
    streak: int = Field(description="Days in a row, up to now, with a finished daily board.")
    longest_streak: int
    modes: list[ModeStats]


class RoomMade(BaseModel):
    code: str
    key: str = Field(description="It opens the results; it is shown only once.")


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
    locked: bool
    mine: list[RoomCell | None] = Field(
        description="My best finished game on each board, or the latest unfinished one."
    )
    allowed: list[str] = Field(description="The help that may be asked for.")


class RoomCell(BaseModel):
    moves: int
    done: bool
    hints: int
    undos: int
    seconds: float


class RoomRow(BaseModel):
    member: str = Field(description="The id by which the member can be removed.")
    name: str
    results: list[RoomCell | None]


class RoomResults(BaseModel):
    code: str
    title: str
    locked: bool
    boards: list[RoomBoardView]
    rows: list[RoomRow]
    allowed: list[str]
    addresses: list[str] = Field(description="Addresses of this machine in its networks.")
