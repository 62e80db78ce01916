"""What the tables of a reproduction say about agents: numbers with 95 % intervals.

`Evidence` holds the tables. Every other function here returns one number of them, over all
densities or at one. The full board (p = 1) is one board and counts once wherever several p are
taken together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from pinchpoint.errors import InputError
from pinchpoint.paper.experiments import own_mode
from pinchpoint.study.summary import (
    GAME,
    Interval,
    bootstrap,
    each_board_once,
    mean_interval,
    ratio_interval,
)
from pinchpoint.types import Floats, Rows

CRITICAL = 0.6  # where the paper looks for what happens near the percolation threshold
MIDDLE = 0.8  # the density of the paper's distributions
CLEAR = 0.7  # from here on boards are clearly denser than the percolation threshold
THRESHOLD = 0.5927  # the site percolation threshold of the square lattice

At = float | None  # the density that a number is about; None for the usual one, or for all


class Evidence:
    """The tables of a reproduction, as claims look at them."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        self.rows = tables["rows"]  # of an evaluation
        self.tables = tables  # those of `probes` too

    @cached_property
    def moves(self) -> dict[str, pd.DataFrame]:
        """For each mode, a line a board: par and the moves of each agent; the full board once."""
        return {str(mode): _by_board(rows) for mode, rows in self.rows.groupby("mode", sort=False)}

    @cached_property
    def left(self) -> dict[str, pd.DataFrame]:
        """The same with the share of all squares that is open at the end."""
        sides = self.rows["size"].str.extract(r"^(\d+)x(\d+)").astype(float)
        left = (self.rows["open"] - self.rows["steps"]) / sides.prod(axis=1)
        rows = self.rows.assign(steps=left)
        return {str(mode): _by_board(some) for mode, some in rows.groupby("mode", sort=False)}

    @cached_property
    def largest(self) -> pd.DataFrame:
        """The same for network with the largest piece ÷ open squares at the end."""
        rows = self.rows[self.rows["mode"] == "network"]
        return _by_board(rows.assign(steps=rows["largest"] / (rows["open"] - rows["steps"])))

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of `probes` that has rows."""
        table = self.tables.get(name)
        if table is None or not len(table):
            raise InputError(f"there is no table {name}")
        return table

    def of(self, mode: str, agents: Sequence[str], p: At = None) -> pd.DataFrame:
        """Return the boards that all these agents played, at one density or at all."""
        return all_played(self.moves.get(mode), agents, p)

    def at(self, mode: str, agents: Sequence[str], p: float | None, usual: float) -> pd.DataFrame:
        """Return the boards at p, or else at the density nearest to the usual one."""
        boards = self.of(mode, agents, p)
        return boards[boards["p"] == nearest(boards["p"], usual)] if p is None else boards


def _by_board(rows: pd.DataFrame) -> pd.DataFrame:
    board = [name for name in GAME if name != "mode"]
    rows = each_board_once(rows)
    once = rows.pivot(index=board, columns="agent", values="steps")
    if "par" in rows:
        once["par"] = rows.groupby(board)["par"].first().astype(float)
    return once.reset_index("p").reset_index(drop=True)


def all_played(table: pd.DataFrame | None, agents: Sequence[str], p: At = None) -> pd.DataFrame:
    """Return the lines of a table in which all these agents have a number."""
    missing = [agent for agent in agents if table is None or agent not in table]
    if table is None or missing:
        raise InputError(f"there are no such games of {', '.join(missing)}")
    lines = table if p is None else table[table["p"] == p]
    chosen: pd.DataFrame = lines[["p", *agents]].dropna()
    if not len(chosen):
        raise InputError(f"{' and '.join(agents)} have no such board in common")
    return chosen


def nearest(densities: Iterable[float], p: float) -> float:
    return min(set(densities), key=lambda other: abs(other - p))


# -- how well agents play --------------------------------------------------------------------


def ratio(found: Evidence, mode: str, over: str, under: str, p: At = None) -> Interval:
    """Return moves of one agent ÷ moves of another on the boards that both played."""
    boards = found.of(mode, (over, under), p)
    return ratio_interval(boards[over], boards[under])


def proven(found: Evidence, mode: str, agent: str) -> Interval:
    """Return the share of an agent's boards at the middle density on which par is proven."""
    rows = found.rows[(found.rows["mode"] == mode) & (found.rows["agent"] == agent)]
    if "proven" not in rows or not rows["proven"].notna().any():
        raise InputError("there is no par")
    boards = rows[rows["p"] == nearest(rows["p"], MIDDLE)].groupby("board")["proven"].first()
    return mean_interval(boards.astype(float))


def split(boards: pd.DataFrame, values: pd.Series) -> dict[float, Floats]:
    """Return values of boards for each p, from low to high."""
    return {p: values[boards["p"] == p].to_numpy(float) for p in sorted(set(boards["p"]))}


def smallest_rise(by_p: Mapping[float, Floats]) -> Interval:
    """Return the smallest rise of a mean from one density to the next."""
    if len(by_p) < 2:
        raise InputError("one density cannot show a trend")
    samples = list(by_p.values())

    def smallest(*rows: Rows) -> Floats:
        means = [sample[row].mean(axis=-1) for sample, row in zip(samples, rows, strict=True)]
        rises = np.stack([after - before for before, after in pairwise(means)])
        return np.asarray(rises.min(axis=0))

    return bootstrap([len(sample) for sample in samples], smallest)


def rise(found: Evidence, mode: str, agent: str, p: At = None) -> Interval:
    """Return the smallest rise of an agent's moves from one p to the next; at one p, its moves."""
    boards = found.of(mode, (agent,), p)
    if p is not None:
        return mean_interval(boards[agent])
    return smallest_rise(split(boards, boards[agent]))


def divergence(found: Evidence, mode: str, agent: str, p: At = None) -> Interval:
    """Return the smallest rise of the moves saved from one p to the next; at one p, the saving."""
    boards = found.of(mode, ("random", agent), p)
    saved = boards["random"] - boards[agent]
    return mean_interval(saved) if p is not None else smallest_rise(split(boards, saved))


def times_as_many(found: Evidence, mode: str, agent: str, usual: float) -> Interval:
    """Return moves of random play ÷ moves of an agent at the density nearest to the usual one."""
    boards = found.at(mode, ("random", agent), None, usual)
    return ratio_interval(boards["random"], boards[agent])


def share_of_saving(found: Evidence, mode: str, agent: str, p: At = None) -> Interval:
    """Return moves saved at p ÷ moves saved at the highest p; p is the critical one by default."""
    boards = found.of(mode, ("random", agent))
    by_p = split(boards, boards["random"] - boards[agent])
    if len(by_p) < 2:
        raise InputError("one density cannot show a trend")
    here = nearest(by_p, CRITICAL) if p is None else p
    if here not in by_p:
        raise InputError(f"there are no games at p = {here:g}")
    some, most = by_p[here], by_p[max(by_p)]
    if some is most:  # one sample, not two
        return Interval(1.0, 1.0, 1.0)
    return bootstrap(
        [len(some), len(most)], lambda a, b: some[a].mean(axis=-1) / most[b].mean(axis=-1)
    )


def ending_moves(found: Evidence, mode: str, p: At = None) -> Interval:
    """Return the share of random moves that end the game: games ÷ moves."""
    steps = found.at(mode, ("random",), p, CRITICAL)["random"]
    return ratio_interval(np.ones(len(steps)), steps)


def ends_more_often(found: Evidence, mode: str) -> Interval:
    """Return how much more often a random move ends the game near the critical p than at p = 1."""
    steps = split(boards := found.of(mode, ("random",)), boards["random"])
    if len(steps) < 2:
        raise InputError("one density cannot show a trend")
    near, far = steps[nearest(steps, CRITICAL)], steps[max(steps)]
    return bootstrap(
        [len(near), len(far)], lambda a, b: far[b].mean(axis=-1) / near[a].mean(axis=-1)
    )


def over_when_drawn(found: Evidence, mode: str) -> Interval:
    """Return the share of random boards near the critical p that are over before any move."""
    boards = found.table("drawn")
    boards = boards[boards["mode"] == mode]
    return mean_interval(boards.loc[boards["p"] == nearest(boards["p"], CRITICAL), "over"])


def beyond_threshold(found: Evidence, mode: str, p: At = None) -> Interval:
    """Return the share of squares that random play leaves open − the percolation threshold.

    Boards that begin near the threshold say little, and are left out unless p says otherwise.
    """
    boards = all_played(found.left.get(mode), ("random",), p)
    if p is None:
        boards = boards[boards["p"] >= CLEAR]
    return mean_interval(boards["random"] - THRESHOLD)


def longer(found: Evidence, network: str, flow: str, p: At = None) -> Interval:
    """Return moves of the network agent on network − moves of the flow agent on flow."""
    first, second = (
        found.at(mode, (agent,), p, MIDDLE)[agent].to_numpy(float)
        for mode, agent in (("network", network), ("flow", flow))
    )
    return bootstrap(
        [len(first), len(second)], lambda a, b: first[a].mean(axis=-1) - second[b].mean(axis=-1)
    )


def skill_on(boards: pd.DataFrame, agent: str, own: str) -> Callable[[Rows], Floats]:
    """Return a function that computes the skill of an agent (see `skill`) on some of the boards."""
    chance, steps, expert = (boards[name].to_numpy(float) for name in ("random", agent, own))

    def way(rows: Rows) -> Floats:
        gained = (chance[rows] - steps[rows]).mean(axis=-1)
        return np.asarray(gained / (chance[rows] - expert[rows]).mean(axis=-1))

    return way


def skill(found: Evidence, agent: str, own: str, mode: str, p: At = None) -> Interval:
    """Return how far an agent comes from random moves (0) to the mode's own agent (1)."""
    boards = found.of(mode, ("random", agent, own), p)
    return bootstrap(len(boards), skill_on(boards, agent, own))


def smallest_skill(found: Evidence, agent: str, own: str, mode: str, p: At = None) -> Interval:
    """Return the skill of an agent at the density where it is smallest; at one p, the skill."""
    boards = found.of(mode, ("random", agent, own), p)
    by_p = [boards[boards["p"] == each] for each in sorted(set(boards["p"]))]
    skills = [skill_on(part, agent, own) for part in by_p]

    def smallest(*rows: Rows) -> Floats:
        each = [skill(some) for skill, some in zip(skills, rows, strict=True)]
        return np.asarray(np.min(each, axis=0))

    return bootstrap([len(part) for part in by_p], smallest)


def asymmetry(found: Evidence, network: str, flow: str, p: At = None) -> Interval:
    """Return the skill of the network agent on flow − the skill of the flow agent on network."""
    agents = ("random", network, flow)
    on_flow, on_network = found.of("flow", agents, p), found.of("network", agents, p)
    first, second = skill_on(on_flow, network, flow), skill_on(on_network, flow, network)
    return bootstrap([len(on_flow), len(on_network)], lambda a, b: first(a) - second(b))


def within(
    found: Evidence, mode: str, agent: str, other: str, times: float, p: At = None
) -> Interval:
    """Return the share of boards where an agent needs at most so many times the other's moves."""
    boards = found.at(mode, (agent, other), p, MIDDLE)
    return mean_interval(boards[agent] <= times * boards[other])


def tail(found: Evidence, mode: str, agent: str) -> Interval:
    """Return 95th percentile ÷ median of the moves."""
    steps = found.at(mode, (agent,), None, MIDDLE)[agent].to_numpy(float)

    def spread(rows: Rows) -> Floats:
        high, middle = np.percentile(steps[rows], (95, 50), axis=-1)
        return np.asarray(high / middle)

    return bootstrap(len(steps), spread)


def tails(found: Evidence, mode: str, agent: str, other: str, p: At = None) -> Interval:
    """Return the 95th percentile of an agent's moves ÷ that of another agent's."""
    boards = found.at(mode, (agent, other), p, MIDDLE)
    first, second = (boards[name].to_numpy(float) for name in (agent, other))

    def compared(rows: Rows) -> Floats:
        high = [np.percentile(steps[rows], 95, axis=-1) for steps in (first, second)]
        return np.asarray(high[0] / high[1])

    return bootstrap(len(boards), compared)


def as_long_as_random(found: Evidence, mode: str, agent: str, p: At = None) -> Interval:
    """Return the share of games that reach the lower quartile of random play's moves."""
    boards = found.at(mode, (agent, "random"), p, MIDDLE)
    return mean_interval(boards[agent] >= np.percentile(boards["random"], 25))


def longer_tail(found: Evidence, mode: str, agent: str, other: str, p: At = None) -> Interval:
    """Return how many more games of an agent than of another get as long as random play's."""
    boards = found.at(mode, (agent, other, "random"), p, MIDDLE)
    quartile = np.percentile(boards["random"], 25)
    long = [(boards[name] >= quartile).astype(float) for name in (agent, other)]
    return mean_interval(long[0] - long[1])


# -- how they go about it --------------------------------------------------------------------


def by_game(table: pd.DataFrame, column: str, **values: str) -> pd.Series:
    """Return the mean of a column over each game: positions of one game are not independent."""
    for name, value in values.items():
        table = table[table[name] == value] if len(table) else table
    chosen = table.dropna(subset=[column]) if len(table) else table
    if not len(chosen):
        raise InputError(f"there are no positions of {values}")
    means: pd.Series = chosen.groupby(["size", "p", "board"])[column].mean()
    return means


def disagreement(found: Evidence, agent: str, other: str) -> Interval:
    """Return the share of positions in which the other's choice is not among an agent's best."""
    return mean_interval(1 - by_game(found.table("choices"), "agrees", agent=agent, other=other))


def twin(found: Evidence, agent: str) -> str:
    """Return the agent of the same mode, of another team, that was asked in the same positions."""
    choices = found.table("choices")
    asked = dict.fromkeys(choices.loc[choices["agent"] == agent, "other"])
    twins = [other for other in asked if own_mode(other) == own_mode(agent)]
    if not twins:
        raise InputError(f"no other agent of the mode of {agent} was asked")
    return str(twins[0])


def twins_disagree(found: Evidence, agent: str) -> Interval:
    """Return `disagreement` with the agent of the same mode in another team, a control."""
    return disagreement(found, agent, twin(found, agent))


def difference_of_objective(found: Evidence, agent: str, other: str) -> Interval:
    """Return how much more the other mode's agent disagrees than the same mode's other agent."""
    table = found.table("choices")
    same = by_game(table, "agrees", agent=agent, other=twin(found, agent))
    return mean_interval((same - by_game(table, "agrees", agent=agent, other=other)).dropna())


def chance(found: Evidence, agent: str) -> Interval:
    """Return how often a random square would not be among an agent's best."""
    return mean_interval(1 - by_game(found.table("choices"), "chance", agent=agent))


def several(found: Evidence, mode: str, agent: str, of: str) -> Interval:
    """Return the share of positions with two or more squares `of` a kind: "optimal" or "near"."""
    table = found.table("ratings").dropna(subset=[of])
    table = table.assign(several=(table[of] >= 2).astype(float))
    return mean_interval(by_game(table, "several", agent=agent, mode=mode))


def hits(found: Evidence, mode: str, agent: str, of: str) -> Interval:
    """Return precision (`of` "near") or recall (`of` "optimal") of the squares rated best."""
    table = found.table("ratings")
    known = table[table["optimal"] > 0]
    return mean_interval(
        by_game(known.assign(share=known["hits"] / known[of]), "share", agent=agent, mode=mode)
    )


def piece_of_half(found: Evidence, agent: str, p: At = None) -> Interval:
    """Return largest piece ÷ half of the open squares at the end of network, which is the most."""
    return mean_interval(2 * all_played(found.largest, (agent,), p)[agent])


def larger_piece(found: Evidence, agent: str) -> Interval:
    """Return largest piece ÷ open squares at the end of network, an agent − random play."""
    boards = all_played(found.largest, (agent, "random"))
    return mean_interval(boards[agent] - boards["random"])


def _barriers(found: Evidence, agent: str) -> pd.DataFrame:
    every = found.table("barriers")
    games: pd.DataFrame = every[every["agent"] == agent]
    if not len(games):
        raise InputError(f"there are no such games of {agent}")
    return games


def has_barrier(found: Evidence, agent: str) -> Interval:
    """Return the share of games of network with a barrier across the board."""
    return mean_interval(_barriers(found, agent)["barrier"].notna())


def barrier_ends(found: Evidence, agent: str) -> Interval:
    """Return the share of games of network that end with the move that makes a barrier."""
    games = _barriers(found, agent)
    return mean_interval(games["barrier"] == games["moves"])


def not_cycles(found: Evidence) -> Interval:
    """Return the share of pieces in noodle that are active without a cycle, or not so with one."""
    games = found.table("pieces").groupby("board")[["differ", "pieces"]].sum()
    return ratio_interval(games["differ"], games["pieces"])


def choke_rank(found: Evidence, agent: str) -> Interval:
    """Return the share of active squares that an agent gives a lower Q than to choke points."""
    return mean_interval(by_game(found.table("ratings"), "choke_rank", agent=agent, mode="network"))
