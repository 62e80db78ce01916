"""List the agents: what each does, and for the trained ones how well they play.

pinchpoint agents
pinchpoint agents --json
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from pinchpoint.agents.registry import AGENTS


@dataclass(frozen=True)
class Options:
    json: bool = False
    """Print one JSON object for each agent, with the whole card of the trained ones."""


def run(options: Options) -> int | None:
    cards = shipped_cards()
    if options.json:
        for name, entry in AGENTS.items():
            print(json.dumps({"name": name, **asdict(entry), "card": cards.get(name)}))
        return None
    for name, entry in AGENTS.items():
        title = name if entry.argument is None else f"{name}:{entry.argument}"
        print(f"{title:36} {entry.about}")
    for name, card in cards.items():
        print()
        print(card_text(name, card))
    return None


def shipped_cards() -> dict[str, dict[str, Any]]:
    """Return the cards of the shipped agents; none where torch is not installed."""
    try:
        from pinchpoint.learning.weights import load_card, shipped
    except ImportError:
        return {}
    return {name: asdict(load_card(path.with_suffix(".json"))) for name, path in shipped().items()}


def card_text(name: str, card: dict[str, Any]) -> str:
    """Describe a trained agent with its measured play."""
    lines = [
        f"{name}: trained on {card['mode']} by {card['updates']:,} updates from {card['games']:,} "
        f"boards in {card['hours']:.1f} hours"
    ]
    if found := card["q_error"]:
        lines.append(
            f"  Q is wrong by {found['error']:.2f} moves on average (bias {found['bias']:+.2f}), "
            f"on every square of {found['positions']} solved positions"
        )
    if card["table"]:
        lines.append("  size     p   games   moves ± sd      worst   par    ratio")
    for row in card["table"]:
        par = "     –        –"
        if row["par"] is not None:
            par = f"{row['par']:6.2f}{'' if row['proven'] == 1 else '*'}  {row['ratio']:.3f}"
        lines.append(
            f"  {row['size']:4}  {row['p']:.2f}  {row['games']:5}  "
            f"{row['mean']:6.2f} ± {row['sd']:5.2f}  {row['worst']:5}  {par}"
        )
    if any(row["par"] is not None and row["proven"] < 1 for row in card["table"]):
        lines.append("  * best known, not proven on every board")
    return "\n".join(lines)
