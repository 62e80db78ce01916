"""Search with the shipped networks, on small boards."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pinchpoint.agents import search as search_module
from pinchpoint.agents.learned import load_agent
from pinchpoint.agents.registry import play_out
from pinchpoint.agents.search import SearchAgent, beam, think
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import Evaluator
from pinchpoint.game.sampling import sample_boards

MODES = ["network", "flow", "noodle"]


class Watched:
    """An evaluator that notes how many positions it is asked about at once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.most = evaluator, 0

    def q_values(self, games: Games) -> npt.NDArray[Any]:
        self.most = max(self.most, len(games))
        return self.evaluator.q_values(games)


def lengths(plans: list[list[int]]) -> list[int]:
    return [len(plan) for plan in plans]


@pytest.mark.parametrize("mode", MODES)
def test_width_one_is_the_greedy_agent_and_wider_is_no_worse(mode: str) -> None:
    games = Games(sample_boards(mode, 8, 0.8, 4, seed=5), mode)
    agent = load_agent(mode)
    greedy = games.copy()
    play_out(agent, greedy)
    moves = [greedy.history(row) for row in range(len(games))]
    assert beam(games, agent, 1) == moves
    searched = games.copy()
    play_out(SearchAgent(width=1), searched)  # finds the agent of the mode by itself
    assert [searched.history(row) for row in range(len(games))] == moves
    wide = beam(games, agent, 8)
    assert np.mean(lengths(wide)) <= np.mean(lengths(moves))


def test_search_finds_a_straight_cut_where_symmetric_lines_are_merged() -> None:
    full = Games(np.ones((6, 6)), "flow")  # has every symmetry that the mode allows
    assert lengths(beam(full, load_agent("flow"), 32)) == [6]


def test_wider_search_starts_only_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games(sample_boards("noodle", 8, 0.8, 2, seed=5), "noodle")
    agent = load_agent("noodle")
    greedy = beam(games, agent, 1)
    monkeypatch.setattr(search_module, "SWAPS", 20)
    clock = itertools.count()  # a second passes between any two looks at it
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    watched = Watched(agent)
    for seconds, widest in ((1e-9, 2), (30.0, 10**9)):
        plans = think(games, watched, seconds)
        assert watched.most <= widest  # two games at once, one line each, when time is up
        assert all(a <= b for a, b in zip(lengths(plans), lengths(greedy), strict=True))
    assert watched.most > 2
