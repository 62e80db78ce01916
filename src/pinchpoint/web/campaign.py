"""The campaign: boards in order, each with one idea, chosen by docs/make_campaign.py."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pinchpoint.web.origins import CampaignOrigin

FILE = Path(__file__).parent / "campaign.json"


@dataclass(frozen=True)
class Level:
    """A board of the campaign."""

    number: int  # from 1
    title: str
    idea: str
    mode: str
    rows: tuple[str, ...]
    par: int  # proven

    def origin(self) -> CampaignOrigin:
        """Return the origin of a game on this board."""
        return CampaignOrigin(number=self.number, title=self.title, idea=self.idea, par=self.par)


@lru_cache(maxsize=1)
def levels() -> tuple[Level, ...]:
    """Return the boards of the campaign, the first one first."""
    return tuple(
        Level(number, e["title"], e["idea"], e["mode"], tuple(e["rows"]), e["par"])
        for number, e in enumerate(json.loads(FILE.read_text()), 1)
    )
