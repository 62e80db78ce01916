"""Where a game comes from: how its board was chosen. Games are stored and sent with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter


class Raced(BaseModel):
    """An origin that a race may have: `rival` is the agent on the same board."""

    rival: str | None = Field(default=None, exclude_if=lambda rival: rival is None)


class RandomOrigin(Raced):
    kind: Literal["random"] = "random"
    p: float
    seed: int


class LinkOrigin(Raced):
    kind: Literal["link"] = "link"


class TextOrigin(Raced):
    kind: Literal["text"] = "text"


class LessonOrigin(BaseModel):
    kind: Literal["lesson"] = "lesson"


class DailyOrigin(BaseModel):
    kind: Literal["daily"] = "daily"
    day: str


class RoomOrigin(BaseModel):
    kind: Literal["room"] = "room"
    room: str
    number: int
    boards: int = Field(default=0, description="The number of the room's boards.")


class CampaignOrigin(BaseModel):
    kind: Literal["campaign"] = "campaign"
    number: int
    title: str
    idea: str
    par: int


Origin = Annotated[
    RandomOrigin
    | LinkOrigin
    | TextOrigin
    | LessonOrigin
    | DailyOrigin
    | RoomOrigin
    | CampaignOrigin,
    Field(discriminator="kind"),
]
ORIGINS: TypeAdapter[Origin] = TypeAdapter(Origin)
LESSON_JSON = '{"kind": "lesson"}'  # as it is stored


def rival_of(origin: Origin) -> str | None:
    """Return the agent of a race, None where the game is no race."""
    return origin.rival if isinstance(origin, Raced) else None
