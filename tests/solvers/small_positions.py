"""Random small positions, fresh and in progress, for tests against brute force."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.graph.topology import Topology, from_edges

PATIENCE = 600.0  # seconds: the tests are about answers, not about the speed of the machine


def play_a_little(games: Games, rng: np.random.Generator, most: int = 2) -> Games:
    """Up to `most` random moves, if the game goes on for so long."""
    for _ in range(rng.integers(0, most + 1)):
        if not games.done[0]:
            games.play(int(rng.choice(np.flatnonzero(games.legal[0]))))
    return games


def lattice_positions(
    mode: Mode, count: int, seed: int, most_open: int = 16, most_moves: int = 2
) -> Iterator[Games]:
    """Boards of 1 × 1 to 5 × 5 with up to `most_open` open squares, some in progress."""
    rng = np.random.default_rng(seed)
    while count:
        height, width = rng.integers(1, 6, 2)
        board = rng.random((height, width)) < rng.uniform(0.5, 1.0)
        if board.sum() <= most_open:
            count -= 1
            yield play_a_little(Games(board, mode), rng, most_moves)


def random_graph(rng: np.random.Generator, most_nodes: int, extra_faces: int = 0) -> Topology:
    n = int(rng.integers(1, most_nodes + 1))
    pairs = np.array([(a, b) for b in range(n) for a in range(b)], dtype=np.int64).reshape(-1, 2)
    kept = pairs[rng.random(len(pairs)) < rng.uniform(0.1, 0.6)]
    return from_edges(kept, n=n, extra_faces=extra_faces)


def play_out(games: Games, row: int, moves: tuple[int, ...]) -> None:
    """The moves are legal one after the other, and the last one ends the game, no earlier one."""
    game = games.take([row])
    for square in moves:
        assert not game.done[0]
        game.play(square)
    assert game.done[0]
