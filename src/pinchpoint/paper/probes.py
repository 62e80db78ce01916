"""Games looked into move by move, by solvers and by other agents.

A probe is some games of one agent. Each kind fills a table of the reproduction, see `PROBES`: what
each move cost (`regrets`), how the agent rates the squares of every position (`ratings`), whether
other agents would have chosen alike (`choices`), when a game of network has a barrier across the
board (`barriers`), which pieces noodle calls active (`pieces`), and which boards are over before
the first move (`drawn`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pinchpoint.agents.registry import get_agent
from pinchpoint.game.boards import make_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import after_each_move, plans_from_lists
from pinchpoint.game.sampling import sample_boards
from pinchpoint.graph.lattices import lattice
from pinchpoint.paper.experiments import Experiments, Team
from pinchpoint.rng import draw_boards
from pinchpoint.solvers.dispatch import solve
from pinchpoint.study.evaluate import AGENT_SEED, play_boards
from pinchpoint.study.parallel import run_all
from pinchpoint.study.true_q import proven_optimal
from pinchpoint.types import Array, Bools, Floats

NEAR = 0.5  # moves: Q-values that differ by less count as equal
CHOKE = 0.1  # the smallest share of the active squares that a choke point cuts off
# Side and density of the boards that are solved move by move. Flow is solved at once on any board.
SOLVED = {"network": (8, 0.7), "flow": (20, 0.8), "noodle": (10, 0.6)}
RATED = {"network": (7, 0.7), "flow": (20, 0.8), "noodle": (10, 0.6)}
POSITIONS = {"network": 40, "flow": 10_000, "noodle": 40}  # with all optimal moves, for each agent
LARGE = 0.7  # density of the boards of full size

Row = dict[str, Any]


@dataclass(frozen=True)
class Probe:
    """Games of one agent to look into."""

    agent: str
    mode: str
    size: int
    p: float
    games: int
    seed: int
    work: float = 0.0  # limit of the solver for one position
    positions: int = 0  # how many positions are solved for all their optimal moves
    others: tuple[str, ...] = ()  # agents that are asked for their choice in the same positions

    def laid(self) -> Games:
        """Return the games before their first moves."""
        return Games(sample_boards(self.mode, self.size, self.p, self.games, self.seed), self.mode)

    def player(self, name: str = "") -> Any:
        """Return the agent, or another one, that makes the same random choices every time."""
        return get_agent(name or self.agent, self.seed + AGENT_SEED)

    def about(self) -> Row:
        """Return the columns that begin every row."""
        size = f"{self.size}x{self.size}"
        return {"agent": self.agent, "mode": self.mode, "p": self.p, "size": size}


def regret_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return the probes of random play and of each agent in its own mode."""
    return [
        Probe(agent, mode, min(size, plan.size), p, plan.probed_games, seed, work=0.1)
        for mode, (size, p) in SOLVED.items()
        for agent in ("random", *(a for team in teams for a in team.of([mode])))
    ]


def regrets(probe: Probe) -> list[Row]:
    """Return a row for every move: what it cost, best after it + 1 − best before it.

    Where a position is not proven, the best known stands in for the best. The regret of a move can
    then be negative, if more is known after it than before.
    """
    games = probe.laid()
    histories = [game.moves for game in play_boards(probe.player(), games.copy())]
    values, proven = _values(games, list(range(len(games))), probe.work)
    rows = []
    for number in range(max(map(len, histories))):
        squares = [moves[number] if number < len(moves) else -1 for moves in histories]
        games.play(squares)
        playing = [row for row, square in enumerate(squares) if square >= 0]
        after, after_proven = _values(games, playing, probe.work)
        for row in playing:
            move = {"board": row, "move": number + 1, "regret": after[row] + 1 - values[row]}
            rows.append(probe.about() | move | {"proven": proven[row] and after_proven[row]})
        values, proven = values | after, proven | after_proven
    return rows


def _values(games: Games, rows: list[int], work: float) -> tuple[dict[int, int], dict[int, bool]]:
    """Return the best known number of moves to go in these games, and whether it is proven."""
    solutions = solve(games.take(rows), work=work)
    pairs = list(zip(rows, solutions, strict=True))
    return {row: int(s.value) for row, s in pairs}, {row: s.proven for row, s in pairs}


# -- how an agent rates squares --------------------------------------------------------------


def rating_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return the probes of each agent in its own mode, and of network agents on larger boards."""
    probes = []
    for team in teams:
        for mode, (size, p) in RATED.items():
            for agent in team.of([mode]):
                size, most = min(size, plan.size), POSITIONS[mode]
                probes.append(Probe(agent, mode, size, p, plan.probed_games, seed, 0.25, most))
        for agent in team.of(["network"]):
            probes.append(Probe(agent, "network", plan.size, LARGE, plan.probed_games, seed))
    return probes


def rated_positions(probe: Probe) -> Iterator[tuple[Games, Floats]]:
    """Yield the games before each move, with the Q that the agent gives each legal square."""
    games, agent = probe.laid(), probe.player()
    while not games.done.all():
        q = np.where(games.legal, agent.q_values(games), -np.inf)
        yield games, q
        games.play(np.where(games.done, -1, q.argmax(axis=1)))


def ratings(probe: Probe) -> list[Row]:
    """Return a row for every position of an agent's games.

    It says how many squares the agent takes for equally good, how many are optimal, and how the
    agent rates choke points.
    """
    left = probe.positions
    rows = []
    for games, q in rated_positions(probe):
        for row in np.flatnonzero(~games.done):
            position = games.take([row])
            optimal = proven_optimal(position, probe.work) if left > 0 else None
            left -= optimal is not None
            move = {"board": int(row), "move": int(games.move_counts[row]) + 1}
            rows.append(probe.about() | move | rating(position, q[row], optimal))
    return rows


def rating(position: Games, q: Floats, optimal: Bools | None) -> Row:
    """Return the numbers of one position."""
    legal = position.legal[0]
    near = near_best(q, legal)
    chokes = choke_points(position)
    rank = np.nan
    if chokes.any() and not chokes[legal].all():
        rank = float(np.mean([share_below(q[legal], value) for value in q[chokes]]))
    return {
        "legal": int(legal.sum()),
        "near": int(near.sum()),
        "optimal": np.nan if optimal is None else int(optimal.sum()),
        "hits": np.nan if optimal is None else int((near & optimal).sum()),
        "chokes": int(chokes.sum()),
        "choke_rank": rank,
    }


def near_best(q: Floats, legal: Bools) -> Bools:  # [..., N]
    """Return the legal squares that are about as good as the best, in the eyes of an agent."""
    return np.asarray(legal & (q >= q.max(axis=-1, keepdims=True) - NEAR))


def share_below(values: Array, value: float) -> float:
    """Return the share of the values below this one; equal ones count half."""
    return float((values < value).mean() + (values == value).mean() / 2)


def choke_points(position: Games) -> Bools:  # [N]
    """Return the active squares whose loss cuts off a tenth or more of the active squares."""
    active = position.active[0]
    after, _, squares = after_each_move(position)
    chokes = np.zeros(len(active), dtype=np.bool_)
    for row, square in enumerate(squares):
        labels = after.labels[row][active]
        sizes = np.sort(np.bincount(labels[labels >= 0]))
        chokes[square] = len(sizes) > 1 and sizes[-2] >= CHOKE * active.sum()
    return chokes


# -- what other agents would choose ----------------------------------------------------------


def choice_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return the probes of the network agent beside the other two, both ways.

    The control is the agent of the same mode in another team.
    """
    pairs = {"network": ("flow", "noodle"), "flow": ("network",), "noodle": ("network",)}
    probes = []
    for team in teams:
        for mode, modes in pairs.items():
            twins = [twin for other in teams if other is not team for twin in other.of([mode])]
            for agent in team.of([mode]):
                if others := team.of(modes):
                    asked, games = (*others, *twins), plan.probed_games
                    probes.append(Probe(agent, mode, plan.size, LARGE, games, seed, others=asked))
    return probes


def choices(probe: Probe) -> list[Row]:
    """Return a row for every position of an agent's games and every other agent.

    It says whether the other's choice is among the squares that the agent takes for equally good,
    and what the chance of that is for a random square.
    """
    others = {name: probe.player(name) for name in probe.others}
    rows = []
    for games, q in rated_positions(probe):
        near = near_best(q, games.legal)
        for name, other in others.items():
            chosen = other.act(games)
            for row in np.flatnonzero(~games.done):
                move = {"other": name, "board": int(row), "move": int(games.move_counts[row]) + 1}
                agrees = bool(near[row, chosen[row]])
                chance = float(near[row].sum() / games.legal[row].sum())
                rows.append(probe.about() | move | {"agrees": agrees, "chance": chance})
    return rows


# -- barriers, pieces and boards -------------------------------------------------------------

CUT = "minimum cut"  # what the solver of flow attacks, in a game of network


def barrier_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return the probes of network and flow agents, random moves and minimum cuts on network."""
    agents = [agent for team in teams for agent in team.of(("network", "flow"))]
    return [
        Probe(agent, "network", plan.size, plan.middle, plan.probed_games, seed)
        for agent in ("random", *agents, CUT)
    ]


def barriers(probe: Probe) -> list[Row]:
    """Return a row for each game of network: its moves, and how many of them made a barrier.

    A barrier parts the first row from the last one, as flow demands; without one, the number is
    missing. A minimum cut that does not end the game has no number of moves.
    """
    boards = sample_boards("network", probe.size, probe.p, probe.games, probe.seed)
    boards = boards[~Games(boards.in_mode("flow")).done]
    if probe.agent == CUT:
        plans = [solution.moves for solution in solve(Games(boards.in_mode("flow")))]
    else:
        plans = [game.moves for game in play_boards(probe.player(), Games(boards))]
    games = Games(boards)
    games.follow(plans_from_lists(plans))
    rows = []
    for row, (board, moves) in enumerate(zip(boards, plans, strict=True)):
        left = np.repeat(board.laid, len(moves) + 1, axis=0)
        for k, square in enumerate(moves, 1):
            left[k:, square] = 0
        parted = np.flatnonzero(Games(make_boards(left, "flow", board.topology)).done)
        number = {
            "board": int(board.numbers[0]),
            "moves": len(moves) if games.done[row] else np.nan,
            "barrier": int(parted[0]) if len(parted) else np.nan,
        }
        rows.append(probe.about() | number)
    return rows


def piece_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return one probe of random moves in noodle."""
    return [Probe("random", "noodle", min(10, plan.size), LARGE, plan.probed_games, seed)]


def pieces(probe: Probe) -> list[Row]:
    """Return a row for every position: its pieces, and those active without a cycle, or not so."""
    games, agent = probe.laid(), probe.player()
    rows = []
    while not games.done.all():
        for row in np.flatnonzero(~games.done):
            found = games.components(int(row))
            active = [bool(games.active[row, piece.squares[0]]) for piece in found]
            cyclic = [piece.edges >= piece.size for piece in found]
            move = {"board": int(row), "move": int(games.move_counts[row]) + 1}
            differ = sum(a != c for a, c in zip(active, cyclic, strict=True))
            rows.append(probe.about() | move | {"pieces": len(found), "differ": differ})
        games.play(agent.act(games))
    return rows


def drawn_probes(plan: Experiments, seed: int, teams: Sequence[Team]) -> list[Probe]:
    """Return the boards of network and flow at every density, none of them discarded."""
    return [
        Probe("", mode, plan.size, p, plan.games, seed)
        for mode in ("network", "flow")
        for p in plan.ps
    ]


def drawn(probe: Probe) -> list[Row]:
    """Return a row for every board as it is drawn first: whether it is over before any move."""
    numbers = np.arange(probe.games)
    laid = np.empty((probe.games, probe.size**2), dtype=np.uint8)
    draw_boards(laid, probe.seed, numbers, 0, probe.p, probe.p, np.empty(probe.games))
    boards = make_boards(laid, probe.mode, lattice(probe.size, probe.size))
    over = Games(boards).done
    return [probe.about() | {"board": int(n), "over": bool(over[n])} for n in numbers]


# -- all of them -----------------------------------------------------------------------------

# Table of the reproduction -> which games are looked into, and what is looked at.
PROBES: dict[
    str,
    tuple[Callable[[Experiments, int, Sequence[Team]], list[Probe]], Callable[[Probe], list[Row]]],
] = {
    "regrets": (regret_probes, regrets),
    "ratings": (rating_probes, ratings),
    "choices": (choice_probes, choices),
    "barriers": (barrier_probes, barriers),
    "pieces": (piece_probes, pieces),
    "drawn": (drawn_probes, drawn),
}


def run_probes(
    plan: Experiments, seed: int, teams: Sequence[Team], jobs: int = 0
) -> dict[str, pd.DataFrame]:
    """Return the rows of each table, in the order of its probes."""
    tasks = [
        (table, probe)
        for table, (probes, _) in PROBES.items()
        for probe in probes(plan, seed, teams)
    ]
    found = dict(run_all(_run, list(enumerate(tasks)), jobs))
    return {
        table: pd.DataFrame(
            [row for i, (name, _) in enumerate(tasks) if name == table for row in found[i]]
        )
        for table in PROBES
    }


def _run(task: tuple[int, tuple[str, Probe]]) -> tuple[int, list[Row]]:
    number, (table, probe) = task
    return number, PROBES[table][1](probe)
