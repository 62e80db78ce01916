"""The route of the campaign: the list of its boards."""

from __future__ import annotations

from fastapi import APIRouter

from pinchpoint.web.campaign import levels
from pinchpoint.web.messages import LevelView

router = APIRouter(prefix="/api", tags=["boards"])


@router.get("/campaign")
def campaign() -> list[LevelView]:
    """List the boards of the campaign in order."""
    return [
        LevelView(
            number=level.number,
            title=level.title,
            idea=level.idea,
            mode=level.mode,
            rows=level.rows,
            par=level.par,
        )
        for level in levels()
    ]
