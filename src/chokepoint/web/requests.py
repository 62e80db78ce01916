"""What visitors send. Limits are set here, so that they show in the API's description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chokepoint.web.settings import MAX_ROOM_BOARDS, MAX_SIDE, MAX_THINK, MIN_SIDE


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is a whole one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
Side = Annotated[Whole, Field(ge=MIN_SIDE, le=MAX_SIDE)]
Options = Annotated[dict[str, str | int | float | bool], Field(max_length=8)]
ModeName = Annotated[str, Field(min_length=1, max_length=200)]
Turn = Annotated[Whole, Field(ge=0, le=10**6)]
AgentName = Annotated[str, Field(min_length=1, max_length=64)]
DayText = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
RoomCode = Annotated[str, Field(pattern=r"^[A-Z0-9]{6}$")]


class Body(BaseModel):
    """A request; what it does not know is refused, so that a typing error is noticed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RandomBoard(Body):
    kind: Literal["random"]
    mode: ModeName
    options: Options = {}
    height: Side
    width: Side
    p: float = Field(ge=0.0, le=1.0)
    seed: Whole | None = Field(default=None, ge=0, lt=2**53, description="Left out: a fresh one.")


class DailyBoard(Body):
    kind: Literal["daily"]
    mode: ModeName
    day: DayText


class LinkedBoard(Body):
    kind: Literal["link"]
    code: str = Field(min_length=1, max_length=2000)


class TextBoard(Body):
    kind: Literal["text"]
    mode: ModeName
    options: Options = {}
    rows: list[Annotated[str, Field(max_length=1000)]] = Field(max_length=1000)
    lesson: bool = Field(default=False, description="A lesson is nobody's game: it is not kept.")


class RoomBoard(Body):
    kind: Literal["room"]
    room: RoomCode
    number: Whole = Field(ge=0, lt=MAX_ROOM_BOARDS)


class AgainBoard(Body):
    kind: Literal["again"]
    game: str = Field(min_length=1, max_length=64, description="Another try on its board.")


BoardChoice = Annotated[
    RandomBoard | DailyBoard | LinkedBoard | TextBoard | RoomBoard | AgainBoard,
    Field(discriminator="kind"),
]


class NewGame(Body):
    board: BoardChoice


class Move(Body):
    turn: Turn = Field(description="Number of the event in the game's log; a repeat is harmless.")
    ply: Whole = Field(ge=0, le=10**6, description="Moves on the board before this one.")
    square: Whole = Field(ge=0, le=10**6, description="row × width + column")
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class Step(Body):
    turn: Turn
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class Question(Body):
    turn: Turn
    agent: AgentName
    think_ms: Whole | None = Field(default=None, ge=0, le=MAX_THINK)


class Consent(Body):
    agree: Literal[True]
    game: str | None = Field(
        default=None, max_length=64, description="A game under way that is to count as mine."
    )


class NewName(Body):
    name: str | None = Field(min_length=1, description="null takes the name away.")


class NewRoom(Body):
    title: str = Field(min_length=1)
    boards: list[BoardChoice] = Field(min_length=1, max_length=MAX_ROOM_BOARDS)


class Join(Body):
    name: str = Field(min_length=1)
    agree: Literal[True]
