"""Engine speed: random play to the end, against a step that relabels the whole board.

    python benchmarks/engine.py            # the table below, on one core
    python benchmarks/engine.py --quick    # fewer runs

Ratios are taken within one run, the peer on the first few of the same boards. Choosing the random
move is included. Beside the modes of the package stands `sparse`, a mode as a user writes it
(docs/objectives.md), compiled and in plain Python. Duels and restoring follow, as multiples of the
moves a second of attacking.
"""

import argparse
import os
import platform
from dataclasses import dataclass
from typing import Any, ClassVar

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402
from scipy import ndimage  # noqa: E402

from pinchpoint.cli.bench import engine_time, processor, seconds_a_move  # noqa: E402
from pinchpoint.game.duel import Duels  # noqa: E402
from pinchpoint.game.engine import Games  # noqa: E402
from pinchpoint.game.modes.base import (  # noqa: E402
    EDGES,
    SIZE,
    Component,
    ComponentMode,
    Mode,
)
from pinchpoint.game.modes.table import BUILT_IN, get_mode  # noqa: E402
from pinchpoint.game.restore import Restorations  # noqa: E402
from pinchpoint.game.sampling import sample_boards  # noqa: E402

Board = npt.NDArray[np.bool_]
SMALL, LARGE = (20, 100), (200, 2)  # sides and numbers of boards
BROKEN_DENSITY = 0.1  # of boards to be restored
HELD = 4096  # games whose memory is counted


@dataclass(frozen=True)
class Sparse(Mode):
    """A component is active while its squares have enough neighbours on average."""

    name: ClassVar[str] = "sparse"
    description: ClassVar[str] = "Thin it out: a piece is active while its squares are well joined."

    degree: float = 2.0

    @staticmethod
    def judge(piece: Any, memory: int, options: Any) -> bool:
        return bool(2 * piece[EDGES] >= options[0] * piece[SIZE])


@dataclass(frozen=True)
class PlainSparse(ComponentMode):
    """The same, in Python alone."""

    name: ClassVar[str] = "sparse, plain Python"
    description: ClassVar[str] = Sparse.description

    def is_active(self, component: Component) -> bool:
        return component.edges >= component.size


class RelabellingGame:
    """The peer: label all components with scipy after every move, and judge each anew."""

    def __init__(self, board: Board, mode: str) -> None:
        self.open = board.copy()
        self.mode = mode
        self.best = 0
        self.allowed = max(1, int(board.sum()) // 10)  # shatter's default
        self.settle()

    def settle(self) -> None:
        labels, count = ndimage.label(self.open)
        active = np.zeros(count + 1, dtype=bool)
        if count:
            active[1:] = getattr(self, self.mode.split(",")[0])(labels, count)
        self.active = active[labels]

    def network(self, labels: npt.NDArray[np.int32], count: int) -> Board:
        sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        if count > 1:
            self.best = max(self.best, int(np.partition(sizes, -2)[-2]))
        return sizes > self.best

    def flow(self, labels: npt.NDArray[np.int32], count: int) -> Board:
        top, bottom = np.zeros(count + 1, dtype=bool), np.zeros(count + 1, dtype=bool)
        top[labels[0]] = True
        bottom[labels[-1]] = True
        return (top & bottom)[1:]

    def noodle(self, labels: npt.NDArray[np.int32], count: int) -> Board:
        sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        across = labels[:, 1:][self.open[:, 1:] & self.open[:, :-1]]
        down = labels[1:][self.open[1:] & self.open[:-1]]
        edges = np.bincount(np.concatenate([across, down]), minlength=count + 1)[1:]
        return (4 * sizes - 2 * edges) / sizes <= 2

    sparse = noodle  # 2 E ≥ 2 A, which is the same at the degree 2

    def shatter(self, labels: npt.NDArray[np.int32], count: int) -> Board:
        return np.bincount(labels.ravel(), minlength=count + 1)[1:] > self.allowed

    def play_randomly(self, rng: np.random.Generator) -> int:
        moves = 0
        while (legal := np.flatnonzero(self.active)).size:
            self.open.flat[legal[rng.integers(legal.size)]] = False
            self.settle()
            moves += 1
        return moves


def peer_time(boards: npt.NDArray[np.uint8], mode: str, repeats: int) -> float:
    def play() -> int:
        rng = np.random.default_rng(1)
        return sum(RelabellingGame(board == 1, mode).play_randomly(rng) for board in boards)

    return seconds_a_move(play, repeats)


def other_games(name: str, repeats: int) -> str:
    """Return the moves a second of random duels and of restoring, as multiples of attacking."""
    mode = get_mode(name, share=0.5) if name == "shatter" else get_mode(name)
    boards = sample_boards(mode, size=SMALL[0], p=0.8, count=SMALL[1], seed=1)
    attack = engine_time(Games(boards), repeats)
    duels = f"{attack / engine_time(Duels(boards), repeats):14.2f}"
    if mode.remembers:
        return duels
    laid = np.random.default_rng(1).random(boards.laid.shape) < BROKEN_DENSITY
    broken = Restorations(laid, mode, boards.topology)
    return f"{duels} {attack / engine_time(broken, repeats):9.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    most = 4 if parser.parse_args().quick else 20
    print(f"{platform.machine()}, {processor()}, Python {platform.python_version()}, one core")
    heads = f"{'moves/s 20x20':>14} {'x peer':>7} {'moves/s 200x200':>16} {'time ratio':>11}"
    print(f"{'mode':20} {heads}")
    for mode in (*map(get_mode, BUILT_IN), Sparse(), PlainSparse()):
        runs = most if mode.compiled else max(most // 10, 1)
        small = sample_boards(mode, size=SMALL[0], p=0.8, count=SMALL[1], seed=1)
        large = sample_boards(mode, size=LARGE[0], p=0.8, count=LARGE[1], seed=1)
        fast, slow = (
            engine_time(Games(small), 10 * runs),
            peer_time(small[:4].squares, mode.name, 2 * runs),
        )
        big = engine_time(Games(large), runs)
        times = f"{1 / fast:14,.0f} {slow / fast:7.0f} {1 / big:16,.0f} {big / fast:11.2f}"
        print(f"{mode.name:20} {times}", flush=True)
    print(f"{'x games':20} {'duels':>14} {'restoring':>9}")
    for name in BUILT_IN:
        print(f"{name:20} {other_games(name, 10 * most)}", flush=True)
    games = Games(sample_boards("flow", size=20, p=0.8, count=HELD, seed=1))
    held = sum(array.nbytes for array in games._state)
    print(f"{HELD:,} games of 20 x 20 hold {held / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
