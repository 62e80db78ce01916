"""How true the Q of the shipped agents is, on positions with the exact Q of every square.

python benchmarks/true_q.py                  # measure all shipped agents
python benchmarks/true_q.py --write          # … and write the figures into the cards
python benchmarks/true_q.py --solve          # solve the positions anew (minutes)
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from chokepoint import load_agent
from chokepoint.learning import shipped
from chokepoint.study.true_q import (
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
    parser.add_argument("--agents", nargs="+", default=[n for n in shipped() if n != "graph"])
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
            write_card(shipped()[name].with_suffix(".json"), found)


def write_card(card: Path, found: dict[str, object]) -> None:
    """Put the figures on the card."""
    data = json.loads(card.read_text(encoding="utf-8"))
    data["q_error"] = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 3))
    card.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
