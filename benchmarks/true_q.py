"""How true the Q of the shipped agents is, on positions with the exact Q of every square.

python benchmarks/true_q.py                  # measure all shipped agents
python benchmarks/true_q.py --write          # … and write the figures into the cards
python benchmarks/true_q.py --solve          # solve the positions anew (minutes)
"""

import argparse
import json
from dataclasses import asdict
from typing import Any

from cards import board_agents, write_on_card

from pinchpoint import load_agent
from pinchpoint.study.true_q import (
    SETTINGS,
    TRUTH,
    TrueQ,
    exact_q,
    load_truth,
    q_error,
    sample_positions,
    write_truth,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", nargs="+", default=board_agents())
    parser.add_argument("--solve", action="store_true", help="solve the positions anew")
    parser.add_argument("--write", action="store_true", help="write the figures into the cards")
    options = parser.parse_args()
    if options.solve:
        truth = {}
        for mode in SETTINGS:
            games = sample_positions(mode)
            truth[mode] = TrueQ(games, exact_q(games))
            print(f"{mode}: {len(games)} positions solved", flush=True)
        write_truth(TRUTH, truth)
    for name in options.agents:
        agent = load_agent(name)
        found = asdict(q_error(agent, load_truth(agent.card.mode)))
        print(name, json.dumps(found), flush=True)
        if options.write:
            write_on_card(name, q_error=rounded(found))


def rounded(found: dict[str, Any]) -> Any:
    """Return figures as JSON holds them, with three digits after the point."""
    return json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 3))


if __name__ == "__main__":
    main()
