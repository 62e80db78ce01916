"""The best known games of network mode on 100 fixed boards of 20 × 20 at p = 0.8.

    python benchmarks/best_known.py --workers 2             # about 20 minutes of two cores
    python benchmarks/best_known.py --workers 2 --work 250  # go on where it stands

Each board gets so much work (1 is about a second of one core): a few hundred runs of annealing, and
the rest for the bound. Boards of which the file has a proven optimum are left out; the others keep
the better of both games and the better of both bounds, so that a longer run can only improve them.
Boards are numbered as `sample_boards("network", 20, 0.8, 100, seed=800)` gives them; moves are
squares, row by row.
"""

import argparse
import csv
import io
import math
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pinchpoint.cli.progress import bar
from pinchpoint.files import write_text
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.processes import worker_pool
from pinchpoint.solvers.budget import Budget
from pinchpoint.solvers.dispatch import warm_up
from pinchpoint.solvers.network.solve import Effort, NetworkSearch, piece_of

SIZE, P, COUNT, SEED = 20, 0.8, 100, 800
EFFORT = Effort(first=60, more=300, steps=400_000)


class Known(NamedTuple):
    """What is known of a board."""

    board: int
    moves: int
    bound: int
    squares: str


def boards() -> Games:
    return Games(sample_boards("network", SIZE, P, COUNT, SEED))


def search(board: int, work: float) -> Known:
    """Look for a short game on a board, and for a bound."""
    games = boards()
    nodes = np.flatnonzero(games.legal[board])
    warm_up("network")
    found = NetworkSearch(piece_of(games.topology, nodes, 0), Budget(math.inf, work))
    bound = found.run(EFFORT)
    return Known(board, found.value, bound, " ".join(map(str, nodes[found.moves])))


def proven(known: Known | None) -> bool:
    """Tell whether the best known game of a board is an optimum."""
    return known is not None and known.moves == known.bound


def better(old: Known | None, new: Known) -> Known:
    """Return the shorter game with the higher bound."""
    if old is None:
        return new
    game = new if new.moves < old.moves else old
    return game._replace(bound=max(old.bound, new.bound))


def check(known: Known, games: Games) -> None:
    """Play the moves; they must end the game with the last one."""
    squares = [int(square) for square in known.squares.split()]
    game = games.take([known.board])
    for square in squares:
        assert not game.done[0], f"board {known.board} ends before its last move"
        game.play(square)
    assert game.done[0], f"board {known.board} does not end"
    assert known.bound <= len(squares) == known.moves, f"board {known.board} has a wrong bound"


def read(path: Path) -> dict[int, Known]:
    """Return what is known so far."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = [
            Known(int(row["board"]), int(row["moves"]), int(row["bound"]), row["squares"])
            for row in csv.DictReader(file)
        ]
    return {row.board: row for row in rows}


def write(path: Path, known: dict[int, Known]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Known._fields)
    writer.writerows(known[board] for board in sorted(known))
    write_text(path, text.getvalue())  # whole or not at all


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=float, default=70, help="work a board")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("docs/measured/best-known.csv"))
    options = parser.parse_args()
    games = boards()
    known = read(options.out)
    open_boards = [board for board in range(COUNT) if not proven(known.get(board))]
    with worker_pool(options.workers) as pool, bar("searching", len(open_boards)) as advance:
        for new in pool.map(partial(search, work=options.work), open_boards):
            known[new.board] = better(known.get(new.board), new)
            check(known[new.board], games)
            write(options.out, known)
            advance(1)
    moves = np.array([row.moves for row in known.values()])
    bounds = np.array([row.bound for row in known.values()])
    print(
        f"{len(known)} boards: {moves.mean():.2f} moves, bound {bounds.mean():.2f}, "
        f"proven {np.mean(moves == bounds):.0%}"
    )


if __name__ == "__main__":
    main()
