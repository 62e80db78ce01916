"""Draw the learning curve of the paper's own algorithm beside random moves, network-q and par.

    pinchpoint train --preset paper --sizes 10 --updates 100000 --batch 64 --depth 5 --seed 90 \
        --threads 1 --validate-every 1000 --out runs/paper
    cp runs/paper/log.jsonl docs/measured/paper-run.jsonl
    python docs/make_paper_run.py

The boards are those of the run's own validation: network mode, 10 × 10, 50 for each p.
"""

import json
from pathlib import Path

import numpy as np

from pinchpoint import Boards, Games, get_agent, play_out, sample_boards, solve
from pinchpoint.learning.self_play import VALIDATION_P, VALIDATION_SEED
from pinchpoint.paper.figures.style import legend_below, new_figure, our_style, style_of

DOCS = Path(__file__).parent
LOG = DOCS / "measured" / "paper-run.jsonl"
SIZE, BOARDS, WORK = 10, 50, 2.0
RANDOM_SEED = 1


def main() -> None:
    rows = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    updates = np.array([row["step"] for row in rows])
    with our_style():
        figure = new_figure(2.4)
        panels = figure.subplots(1, len(VALIDATION_P))
        for panel, p in zip(panels, VALIDATION_P, strict=True):
            boards = sample_boards("network", SIZE, p, BOARDS, VALIDATION_SEED)
            moves = [row["validation"][f"{p:.1f}"] for row in rows]
            panel.plot(updates / 1000, moves, color="#cc79a7", label="the paper's algorithm")
            lines = beside(boards)
            for name, mean in lines.items():
                panel.axhline(
                    mean, color=style_of(name).colour, linestyle="--", label=style_of(name).label
                )
            panel.set(title=f"p = {p:g}", xlabel="thousand updates", ylim=(0, None))
            told = "  ".join(f"{name} {mean:.2f}" for name, mean in lines.items())
            print(f"p {p:g}  after {updates[-1]:,} updates {moves[-1]:.2f}  {told}", flush=True)
        panels[0].set_ylabel("moves to the end")
        legend_below(figure, panels)
        figure.savefig(DOCS / "images" / "paper-run.png", metadata={"Software": None})


def beside(boards: Boards) -> dict[str, float]:
    """Return the mean moves of random play, of network-q, and of the best known play."""
    found = {}
    for name in ("random", "network-q"):
        games = Games(boards)
        play_out(get_agent(name, RANDOM_SEED), games)
        found[name] = float(games.move_counts.mean())
    solutions = solve(Games(boards), work=WORK)
    return found | {"par": float(np.mean([solution.value for solution in solutions]))}


if __name__ == "__main__":
    main()
