"""Search with evaluators whose worth is known: exact values from brute force, noise, constants."""

import itertools
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

from pinchpoint.agents import search as search_module
from pinchpoint.agents.registry import play_out
from pinchpoint.agents.search import (
    SearchAgent,
    beam,
    first_of_each,
    search,
    symmetric_tables,
    think,
)
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.flow import Flow
from pinchpoint.game.modes.network import Network
from pinchpoint.game.modes.noodle import Noodle
from pinchpoint.game.modes.shatter import Shatter
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import from_networkx

SHIPPED_SWAPS = search_module.SWAPS


@pytest.fixture(autouse=True)
def few_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polish drawn games for a shorter time: nothing here depends on how short they get."""
    monkeypatch.setattr(search_module, "SWAPS", 60)


MODES: list[Mode] = [Network(), Flow(), Flow(axis="both"), Noodle(), Noodle(inclusive=True)]


class Exact:
    """Q by brute force: every line of play of a small board, each position once."""

    def __init__(self) -> None:
        self.moves: dict[tuple[bytes, int], int] = {}
        self.evaluated = 0

    def moves_left(self, games: Games) -> int:
        if games.done[0]:
            return 0
        key = games.status.tobytes(), int(games.memory[0])
        if key not in self.moves:
            self.moves[key] = 1 + min(self.after(games, s) for s in np.flatnonzero(games.legal[0]))
        return self.moves[key]

    def after(self, games: Games, square: int) -> int:
        child = games.copy()
        child.play(int(square))
        return self.moves_left(child)

    def q_values(self, games: Games) -> npt.NDArray[np.float64]:
        self.evaluated += len(games)
        q = np.full(games.status.shape, -np.inf)
        for row in range(len(games)):
            game = games.take([row])
            for square in np.flatnonzero(games.legal[row]):
                q[row, square] = -1 - self.after(game, square)
        return q


class Noisy:
    """A fair guess of the moves left, and noise that depends on the position and move alone."""

    def __init__(self, noise: float, seed: int = 0) -> None:
        self.noise, self.seed = noise, seed

    def q_values(self, games: Games) -> npt.NDArray[np.float64]:
        rows, squares = np.nonzero(games.legal)
        trials = games.take(rows)
        trials.play(squares)
        codes = np.random.default_rng(self.seed).integers(2**60, size=(games.topology.n, 2))
        position = (games.status * codes[:, 0]).sum(axis=1) + games.memory
        shake = np.sin((position[rows] * 3 + codes[squares, 1]) % 1_000_003)
        q = np.full(games.status.shape, -np.inf)
        q[rows, squares] = -1 - 0.1 * trials.active_counts + self.noise * shake
        return q


def games_of(mode: Mode, size: tuple[int, int], count: int, p: float = 0.8) -> Games:
    return Games(sample_boards(mode, size, p, count, seed=11), mode)


def greedy_moves(games: Games, evaluator: Noisy | Exact) -> list[list[int]]:
    games = games.copy()
    while not games.done.all():
        q = evaluator.q_values(games)
        games.play(np.where(games.done, -1, q.argmax(axis=1)))
    return [games.history(row) for row in range(len(games))]


@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_width_one_is_the_greedy_agent(mode: Mode) -> None:
    games = games_of(mode, (7, 7), 10)
    evaluator = Noisy(0.5)
    assert beam(games, evaluator, 1) == greedy_moves(games, evaluator)
    agent = SearchAgent(evaluator, width=1)
    played = games.copy()
    play_out(agent, played)
    assert [played.history(row) for row in range(10)] == greedy_moves(games, evaluator)


@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_exact_values_give_perfect_play(mode: Mode) -> None:
    games = games_of(mode, (3, 3), 8)
    exact = Exact()
    best = [exact.moves_left(games.take([row])) for row in range(len(games))]
    for width in (1, 3):
        assert [len(plan) for plan in beam(games, exact, width)] == best


@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_a_beam_that_keeps_everything_is_perfect_whatever_the_evaluator(mode: Mode) -> None:
    games = games_of(mode, (3, 3), 8)
    exact = Exact()
    best = [exact.moves_left(games.take([row])) for row in range(len(games))]
    assert [len(plan) for plan in beam(games, Noisy(1.0), 500)] == best


@pytest.mark.parametrize("way", [beam, search])
@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_wider_is_never_worse_on_average(mode: Mode, way: Any) -> None:
    games = games_of(mode, (7, 7), 20)
    evaluator = Noisy(0.3, seed=2)
    lengths = {w: [len(plan) for plan in way(games, evaluator, w)] for w in (1, 2, 8, 32)}
    for narrow, wide in itertools.pairwise(lengths.values()):
        assert np.mean(wide) <= np.mean(narrow)
    assert np.mean(lengths[32]) < np.mean(lengths[1])
    for wide in lengths.values():  # on no board worse than greedy, whose line is kept
        assert all(a <= b for a, b in zip(wide, lengths[1], strict=True))


def test_alone_or_in_a_batch_the_plan_is_the_same() -> None:
    for mode in MODES:
        games = games_of(mode, (6, 6), 5)
        for way in (beam, search):
            alone = [way(games.take([row]), Noisy(0.3), 4)[0] for row in range(5)]
            assert way(games, Noisy(0.3), 4) == alone


@pytest.mark.parametrize(("count", "swaps"), [(8, 60), (3, SHIPPED_SWAPS)])
def test_drawn_games_find_what_the_beam_misses(
    count: int, swaps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "SWAPS", swaps)
    games = games_of(Network(), (12, 12), count)
    evaluator = Noisy(0.3)
    plans = search(games, evaluator, 8)
    narrow = beam(games, evaluator, 8)
    assert all(len(a) <= len(b) for a, b in zip(plans, narrow, strict=True))
    assert sum(map(len, plans)) < 0.95 * sum(map(len, narrow))
    for row, plan in enumerate(plans):
        game = games.take([row])
        for square in plan:
            game.play(square)
        assert game.done.all()


def test_games_in_progress_and_games_that_are_over() -> None:
    games = games_of(Network(), (6, 6), 5)
    games.play(games.random_squares(1))
    games.play(games.random_squares(1))
    blank = np.zeros((1, 6, 6), dtype=np.uint8)
    games.reset([2], blank)
    before = games.status.copy()
    plans = beam(games, Noisy(0.3), 4)
    np.testing.assert_array_equal(games.status, before)
    assert plans[2] == []
    for row, plan in enumerate(plans):
        game = games.take([row])
        for square in plan:
            assert not game.done[0]
            game.play(square)
        assert game.done[0]
    assert beam(games.take([]), Noisy(0.3), 4) == []


class Watching(Noisy):
    """Keeps the positions that it is asked about, by the number of moves made."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.seen: dict[int, list[tuple[bytes, int]]] = {}

    def q_values(self, games: Games) -> npt.NDArray[np.float64]:
        for row, made in enumerate(games.move_counts.tolist()):
            self.seen.setdefault(made, []).append(
                (games.status[row].tobytes(), int(games.memory[row]))
            )
        return super().q_values(games)


def levels(game: Games) -> dict[int, set[tuple[bytes, int]]]:
    """All positions after 0, 1, … moves, up to the last level in which no game is over."""
    level, found = [game], {0: {(game.status.tobytes(), int(game.memory[0]))}}
    while True:
        children = {}
        for parent in level:
            for square in np.flatnonzero(parent.legal[0]):
                child = parent.copy()
                child.play(int(square))
                if child.done[0]:
                    return found
                children[child.status.tobytes(), int(child.memory[0])] = child
        found[len(found)] = set(children)
        level = list(children.values())


@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_a_wide_beam_sees_every_position_and_each_once(mode: Mode) -> None:
    board = np.ones((4, 5), dtype=int)
    board[0, 1] = 0  # no symmetry
    watching = Watching()
    game = Games(board, mode)
    beam(game, watching, 5000)
    for made, positions in levels(game).items():
        assert len(set(watching.seen[made])) == len(watching.seen[made])
        assert set(watching.seen[made]) == positions
    assert len(watching.seen) >= 3


def test_the_order_of_moves_can_decide_whether_a_network_game_is_over() -> None:
    """A path of 3 + 1 + 2 + 1 + 2 squares: the three must go while the rest is larger."""
    path = from_networkx(nx.path_graph(9))

    class Backwards:
        """Thinks highest of the wrong order; both orders make the same two moves."""

        def q_values(self, games: Games) -> npt.NDArray[np.float64]:
            q = np.where(games.legal, -9.0, -np.inf)
            q[:, 6] = np.where(games.legal[:, 6], -1.0, -np.inf)
            q[:, 3] = np.where(games.legal[:, 3], -2.0, -np.inf)
            return q

    game = Games(np.ones(9, dtype=int), "network", path)
    assert len(beam(game, Backwards(), 1)[0]) > 2
    assert beam(game, Backwards(), 2)[0] == [3, 6]


def test_symmetric_lines_are_merged() -> None:
    class Counting:
        rows: list[int]

        def __init__(self) -> None:
            self.rows = []

        def q_values(self, games: Games) -> npt.NDArray[np.float64]:
            self.rows.append(len(games))
            return np.where(games.legal, -1.0, -np.inf)

    for mode, different in ((Network(), 6), (Flow(), 9), (Noodle(), 6)):
        counting = Counting()
        beam(Games(np.ones((5, 5), dtype=int), mode), counting, 100)
        assert counting.rows[1] == different  # orbits of 25 squares under 8 or 4 symmetries
    lopsided = np.ones((5, 5), dtype=int)
    lopsided[0, 1] = 0
    counting = Counting()
    beam(Games(lopsided, "network"), counting, 100)
    assert counting.rows[1] == 24


def test_symmetries_of_each_board_apart() -> None:
    boards = np.ones((3, 4, 4), dtype=int)
    boards[1, 0, 1] = 0
    boards[2, 0, 0] = 0  # keeps the flip about one diagonal
    tables, kept = symmetric_tables(Games(boards, "network"))
    assert kept.sum(axis=1).tolist() == [8, 1, 2]
    assert tables.shape == (8, 16)
    assert symmetric_tables(Games(boards[1:2], "network"))[0].shape == (1, 16)
    assert symmetric_tables(Games(np.ones((2, 3), int), "network"))[1].tolist() == [[True] * 4]


def test_first_of_each() -> None:
    name = np.array([7, 7, 9, 7, 9], dtype=np.uint64)
    root = np.array([0, 0, 0, 1, 1])
    first, group = first_of_each(name, root)
    assert first.tolist() == [0, 2, 3, 4]
    assert group[0] == group[1]
    assert len(set(group.tolist())) == 4


def test_thinking_time_is_kept_and_never_worse_than_greedy() -> None:
    games = games_of(Noodle(), (6, 6), 3)
    evaluator = Noisy(0.5)
    greedy = greedy_moves(games, evaluator)
    assert think(games, evaluator, 1e-9) == greedy
    plans = think(games, evaluator, 0.2)
    assert sum(map(len, plans)) < sum(map(len, greedy))
    played = games.copy()
    play_out(SearchAgent(evaluator, seconds=0.05), played)
    assert played.done.all()


def test_plays_on_after_a_strange_move() -> None:
    games = games_of(Network(), (7, 7), 2)
    agent = SearchAgent(Noisy(0.3), width=4)
    agent.act(games)
    games.play(games.random_squares(9))
    expected = search(games, Noisy(0.3), 4)
    for step in range(max(map(len, expected))):
        squares = agent.act(games)
        assert squares.tolist() == [p[step] if step < len(p) else -1 for p in expected]
        games.play(squares)


def test_an_evaluator_without_an_answer_is_an_error() -> None:
    class Mute:
        def q_values(self, games: Games) -> npt.NDArray[np.float64]:
            return np.full(games.status.shape, np.nan)

    with pytest.raises(InputError):
        beam(games_of(Flow(), (4, 4), 1), Mute(), 2)


class Cheapest:
    """Q by brute force where nodes have costs."""

    def __init__(self) -> None:
        self.left: dict[tuple[bytes, int], float] = {}

    def cost_left(self, games: Games) -> float:
        if games.done[0]:
            return 0.0
        key = games.status.tobytes(), int(games.memory[0])
        if key not in self.left:
            self.left[key] = -float(self.q_values(games).max())
        return self.left[key]

    def q_values(self, games: Games) -> npt.NDArray[np.float64]:
        q = np.full(games.status.shape, -np.inf)
        for row in range(len(games)):
            for square in np.flatnonzero(games.legal[row]):
                child = games.take([row])
                child.play(int(square))
                q[row, square] = -games.topology.costs[square] - self.cost_left(child)
        return q


@pytest.mark.parametrize("mode", [Flow(), Shatter(size=2), Network()], ids=lambda mode: mode.name)
def test_search_counts_what_moves_cost(mode: Mode) -> None:
    """Two cheap nodes are better than a dear one, though they take longer."""
    rng = np.random.default_rng(8)
    for _ in range(12):
        plain = lattice(2, 4)
        graph = replace(plain, costs=rng.integers(1, 5, plain.n).astype(np.float64))
        games = Games(np.ones((1, 8)), mode, graph)
        exact = Cheapest()
        for width, evaluator in ((2, exact), (80, Noisy(0.5))):
            [plan] = search(games, evaluator, width)
            game = games.copy()
            game.follow(np.array([plan]))
            assert game.done.all()
            assert game.scores[0] == pytest.approx(exact.cost_left(games))
