"""Measure how well the shipped agents play: the table on each agent's card.

    python benchmarks/agents.py                    # measure and print
    python benchmarks/agents.py --write            # … and write the table into the cards
    python benchmarks/agents.py --agents flow --sizes 20 --games 100

The greedy policy, one network evaluation a move, on boards of a seed that training never sees. Par
is exact for flow on every board; for the other modes the solver gets a few seconds on each of the
first boards of every point, and the ratio is taken on those. Pars are kept in a folder for the
next time.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from cards import board_agents, write_on_card

from pinchpoint import load_agent
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.plans import plan_lengths
from pinchpoint.game.sampling import sample_boards
from pinchpoint.learning.self_play import greedy_plans
from pinchpoint.solvers.dispatch import solved_at_once
from pinchpoint.study.evaluate import Evaluation

SEED = 730_001
DENSITIES = [round(0.6 + 0.05 * i, 2) for i in range(9)]


def measure(
    name: str, size: int, p: float, games: int, solved: int, pars: Path, work: float
) -> dict[str, Any]:
    """Measure one row of the table."""
    agent = load_agent(name)
    mode = get_mode(agent.card.mode, **agent.card.options)
    boards = sample_boards(mode, size, p, games, SEED)
    laid = Games(boards)
    moves = plan_lengths(greedy_plans(agent.net, laid))
    row: dict[str, Any] = {
        "size": size,
        "p": p,
        "games": games,
        "seed": SEED,
        "mean": round(float(moves.mean()), 3),
        "sd": round(float(moves.std(ddof=1)), 3),
        "worst": int(moves.max()),
    }
    count = games if solved_at_once(mode) else min(solved, games)
    if not count:
        return {**row, "par": None, "par_games": 0, "proven": None, "ratio": None}
    solved_boards = Evaluation([("optimal", boards[:count])], pars, par_work=work).run(jobs=1)
    par = float(solved_boards["par"].mean())
    return {
        **row,
        "par": round(par, 3),
        "par_games": count,
        "proven": float(solved_boards["proven"].mean()),
        "ratio": round(float(moves[:count].mean()) / par, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", nargs="+", default=board_agents())
    parser.add_argument("--sizes", nargs="+", type=int, default=[20, 10, 40])
    parser.add_argument("--p", nargs="+", type=float, default=DENSITIES)
    parser.add_argument("--games", type=int, default=1000, help="boards a point")
    parser.add_argument("--large", type=int, default=100, help="the same on boards over 20 × 20")
    parser.add_argument("--solved", type=int, default=20, help="boards a point that get a par")
    parser.add_argument("--work", type=float, default=3.0, help="for the par of a board")
    parser.add_argument(
        "--pars", type=Path, default=Path("results/par-of-cards"), help="the folder of the pars"
    )
    parser.add_argument("--write", action="store_true", help="write the table into the cards")
    options = parser.parse_args()
    for name in options.agents:
        rows = []
        for size in options.sizes:
            games = options.games if size <= 20 else options.large
            solved = options.solved if size <= 20 else 0
            for p in options.p:
                rows.append(measure(name, size, p, games, solved, options.pars, options.work))
                print(name, json.dumps(rows[-1]), flush=True)
        if options.write:
            write_on_card(name, table=replaced(load_agent(name).card.table, rows))


def replaced(table: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the table with the rows in place of those of the same size and p."""
    found = {(row["size"], row["p"]): row for row in [*table, *rows]}
    return [found[key] for key in sorted(found)]


if __name__ == "__main__":
    main()
