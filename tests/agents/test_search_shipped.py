"""Search with the shipped networks, on small boards."""

from __future__ import annotations

import time

import numpy as np
import pytest

from chokepoint.agents import play_out
from chokepoint.agents.learned import load_agent
from chokepoint.agents.search import SearchAgent, beam, think
from chokepoint.boards import sample_boards
from chokepoint.engine import Games

MODES = ["network", "flow", "noodle"]


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


def test_thinking_time_is_kept() -> None:
    games = Games(sample_boards("noodle", 8, 0.8, 2, seed=5), "noodle")
    agent = load_agent("noodle")
    greedy = beam(games, agent, 1)
    began = time.process_time()
    plans = think(games, agent, 0.5)
    # One evaluation may be under way when the time is up, and the greedy plan comes in any case.
    assert time.process_time() - began < 10
    assert all(a <= b for a, b in zip(lengths(plans), lengths(greedy), strict=True))
