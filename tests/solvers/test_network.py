"""The network solver against a brute-force oracle and the engine."""

from functools import cache

import numpy as np

from chokepoint.engine import Games
from chokepoint.solvers.network import solve_network


def pieces_of(squares, neighbours):
    """Connected pieces of a set of squares, in the most obvious way."""
    left, pieces = set(squares), []
    while left:
        piece, stack = set(), [min(left)]
        while stack:
            square = stack.pop()
            if square in left:
                left.remove(square)
                piece.add(square)
                stack += neighbours[square]
        pieces.append(frozenset(piece))
    return pieces


def optimum(squares, best, neighbours):
    """The fewest moves by trying all games: the rules, and nothing else."""

    @cache
    def fewest(active, best):
        if len(active) <= best:
            return 0
        shortest = len(active)
        for square in active:
            pieces = sorted(pieces_of(active - {square}, neighbours), key=len)
            largest = pieces[-1] if pieces else frozenset()
            second = len(pieces[-2]) if len(pieces) > 1 else 0
            shortest = min(shortest, 1 + fewest(largest, max(best, second)))
        return shortest

    return fewest(frozenset(squares), best)


def neighbour_lists(topology):
    return [topology.neighbours(i).tolist() for i in range(topology.n)]


def replay(games, row, solution):
    """Play a solution on the engine; it must end the game with its last move and not before."""
    game = games.take([row])
    for square in solution.moves:
        assert not game.done[0]
        game.play(square)
    assert game.done[0]


def small_positions(count, seed):
    """Random boards of up to 16 open squares, some of them with a few random moves played."""
    rng = np.random.default_rng(seed)
    while count:
        height, width = rng.integers(1, 6, 2)
        board = rng.random((height, width)) < rng.uniform(0.5, 1.0)
        if not 1 <= board.sum() <= 16:
            continue
        games = Games(board, "network")
        for _ in range(rng.integers(0, 3)):
            if not games.done[0]:
                games.play(int(rng.choice(np.flatnonzero(games.legal[0]))))
        count -= 1
        yield games


def test_small_boards_have_the_value_of_brute_force():
    seen_best = 0
    for games in small_positions(1000, seed=1):
        (solution,) = solve_network(games, 5.0)
        active = np.flatnonzero(games.legal[0]).tolist()
        truth = optimum(active, int(games.best[0]), neighbour_lists(games.topology))
        assert solution.value == truth, games.boards[0]
        assert solution.bound <= truth, games.boards[0]
        replay(games, 0, solution)
        seen_best += games.best[0] > 0
    assert seen_best > 200
