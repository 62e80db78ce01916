"""The campaign: boards in order, each with one idea, chosen by docs/make_campaign.py."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from pinchpoint.web.messages import LevelView

FILE = Path(__file__).parent / "campaign.json"


@lru_cache(maxsize=1)
def levels() -> tuple[LevelView, ...]:
    """Return the boards of the campaign, the first one first."""
    boards = json.loads(FILE.read_text())
    return tuple(LevelView(number=number, **board) for number, board in enumerate(boards, 1))
