"""The cut of a finished game: it parts the pieces, crosses no open square, and none is cheaper."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pinchpoint.agents.registry import Agent, get_agent, play_out
from pinchpoint.game.boards import parse_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.topology import Topology
from pinchpoint.web.campaign import levels
from pinchpoint.web.cuts import PRICES, cut_of, separator
from pinchpoint.web.puzzles import Catalogue, Puzzle


def reached(topology: Topology, start: int, walls: set[int]) -> set[int]:
    """Return the squares that can be reached over any squares but the walls."""
    found, stack = {start}, [start]
    while stack:
        square = stack.pop()
        for near in topology.indices[topology.indptr[square] : topology.indptr[square + 1]]:
            if int(near) not in found | walls:
                found.add(int(near))
                stack.append(int(near))
    return found


def check(games: Games) -> None:
    cut, status, topology = set(cut_of(games)), games.status[0], games.topology
    assert games.done[0]
    assert all(status[square] in PRICES for square in cut)
    pieces = sorted(([*c.squares] for c in games.components()), key=len, reverse=True)
    if games.mode.name == "flow":
        (first, last) = games.mode.terminal_sets(topology)[0]
        beyond = set().union(*(reached(topology, int(s), cut) for s in first if int(s) not in cut))
        assert not beyond & (set(map(int, last)) - cut)
    elif games.mode.name == "noodle":
        assert not cut
    elif len(pieces) > 1:
        parted = pieces[1:] if games.mode.name == "shatter" else pieces[1:2]
        assert cut
        for other in parted:
            assert other[0] not in reached(topology, pieces[0][0], cut)


def finished(games: Games, agent: Agent) -> Games:
    play_out(agent, games)
    return games


@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_the_cut_parts_every_board_of_the_campaign(agent: str) -> None:
    for level in levels():
        mode = Catalogue().make(level.mode, {})
        check(finished(Puzzle.from_rows(mode, level.rows).games(), get_agent(agent)))


@pytest.mark.parametrize("mode", ["network", "flow", "shatter"])
def test_the_cut_parts_random_boards(mode: str) -> None:
    for seed in range(340):
        side, p = 5 + seed % 8, 0.6 + 0.04 * (seed % 10)
        boards = sample_boards(get_mode(mode), side, p, 1, seed)
        check(finished(Games(boards), get_agent(("greedy", "random")[seed % 2])))


def test_no_cut_is_cheaper() -> None:
    """Every set of squares of 3 × 3 boards that are not open is the reference."""
    rng = np.random.default_rng(5)
    topology = Games(parse_rows(["ooo"] * 3), get_mode("network")).topology
    for _ in range(60):
        status = rng.choice([0, 1, 2, 3], 9, p=[0.3, 0.1, 0.3, 0.3])
        walls = [int(s) for s in np.flatnonzero((status == 0) | (status == 3))]
        open_squares = np.flatnonzero((status == 1) | (status == 2))
        if len(open_squares) < 2:
            continue
        first, last = open_squares[:1], open_squares[-1:]
        if int(last[0]) in reached(topology, int(first[0]), set(walls)):
            continue  # one piece
        cheapest = min(
            sum(PRICES[int(status[s])] for s in some)
            for k in range(len(walls) + 1)
            for some in combinations(walls, k)
            if int(last[0]) not in reached(topology, int(first[0]), set(some))
        )
        found = np.flatnonzero(separator(topology, status, first, last))
        assert sum(PRICES[int(status[s])] for s in found) == cheapest


def test_no_cut_before_the_end_and_none_in_noodle() -> None:
    board = parse_rows(["ooo", "o#o", "ooo"])
    assert cut_of(Games(board, get_mode("network"))) == []
    noodle = Games(board, get_mode("noodle"))
    noodle.play(0)
    assert noodle.done[0]
    assert cut_of(noodle) == []
