"""What the benchmarks of shipped agents share: which agents play boards, and writing on cards."""

import json
from typing import Any

from pinchpoint import load_agent
from pinchpoint.learning.weights import shipped


def board_agents() -> list[str]:
    """Return the names of the shipped agents that learned on lattices."""
    return [name for name in shipped() if not load_agent(name).plays_graphs]


def write_on_card(name: str, **found: Any) -> None:
    """Put what was measured on the card of a shipped agent, in place of what was there."""
    card = shipped()[name].with_suffix(".json")
    data = json.loads(card.read_text(encoding="utf-8"))
    card.write_text(json.dumps({**data, **found}, indent=1) + "\n", encoding="utf-8")
