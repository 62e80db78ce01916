"""Let an agent play, or play yourself in the terminal.

pinchpoint play corehd --boards grid.graphml --mode shatter --cost price

With an agent, the games are summed up and, with --out, written as records. Without one you play:
cursor keys move, space attacks, u takes back, r plays again, n lays the next board, q ends.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from pinchpoint.agents.registry import Agent, get_agent
from pinchpoint.cli.arguments import counted, parse_mode
from pinchpoint.cli.progress import bar, compile_engine
from pinchpoint.cli.source import GRAPH_OPTIONS, BoardSource, RandomBoards, refuse
from pinchpoint.cli.terminal import play_in_terminal
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.record import Record, game_record, write_records
from pinchpoint.game.sampling import AT_ONCE, over_when_laid
from pinchpoint.graph.readers import is_graph_file
from pinchpoint.study.evaluate import AGENT_SEED, BATCH, play_boards

DIGITS = 6  # of the density of a board in its record


@dataclass(frozen=True)
class Options(RandomBoards, BoardSource):
    agent: tyro.conf.Positional[str | None] = None
    """Who plays: a name from `pinchpoint agents`, or your own as package.module:Name. Without an
    agent you play yourself."""
    boards: Path | None = None
    """Play the boards of this file, text or .npz, in place of random ones; or a graph, as `solve`
    takes it, of which an agent plays one game."""
    out: Path | None = None
    """Write the games to this file, as `pinchpoint replay` reads them."""
    palette: str = "clear"
    """Colours of the terminal game: clear (also for the colour-blind) or classic."""
    json: bool = False
    """Print the summary as one JSON object."""


def run(options: Options) -> None:
    compile_engine()
    boards = [drawn(options)] if options.boards is None else boards_of(options, options.boards)
    if options.agent is None:
        play_yourself(options, boards)
        return
    agent = get_agent(options.agent, options.seed + AGENT_SEED)
    records = all_records(options, played_records(agent, boards))
    print_summary(options, agent, boards, records)


def drawn(options: Options, start: int = 0) -> Boards:
    refuse(options, GRAPH_OPTIONS, "goes with a graph; these are boards")
    boards = options.sample(start)
    return replace(boards, p=np.round(boards.p, DIGITS))


def boards_of(options: Options, path: Path) -> list[Boards]:
    """Return the boards of a file, none of which is over when laid."""
    if is_graph_file(path):
        if options.agent is None:
            raise InputError(f"{path} is a graph, which the terminal cannot show; name an agent")
        refuse(options, ("set", "size", "p", "count"), "goes with boards; leave it out")
    [boards] = options.read(path, [parse_mode(options.mode, options.rule)])
    for some in boards:
        if (over := over_when_laid(some)).any():
            raise InputError(
                f"{path}: board {some.numbers[over][0] + 1} is over when laid in mode "
                f"{some.mode.name}; there is nothing to play"
            )
    return boards


def all_records(options: Options, games: Iterator[Record]) -> list[Record]:
    """Play the games, write them to the file that the options name, and return them."""
    played, kept = itertools.tee(games)
    if options.out is not None:
        write_records(options.out, played)  # an unwritable file shows before the first game
    return list(kept)


def play_yourself(options: Options, boards: Sequence[Boards]) -> None:
    """Let a person play the boards: those of a file or set in turn, random ones without end."""
    random = options.boards is None and options.set is None
    one_by_one = (board for some in boards for board in some)
    supply = itertools.chain(one_by_one, more(options)) if random else itertools.cycle(one_by_one)
    records = play_in_terminal(supply, options.palette)
    for record in records:
        print(f"{record.boards.mode.reference}: {counted(record.steps or 0, 'move')}")
    if options.out is not None and records:
        write_records(options.out, records)
        print(f"wrote {counted(len(records), 'game')} to {options.out}")


def more(options: Options) -> Iterator[Boards]:
    """Draw the boards that follow those asked for, without end."""
    return (drawn(replace(options, count=1), start) for start in itertools.count(options.count))


def played_records(agent: Agent, boards: Sequence[Boards]) -> Iterator[Record]:
    """Yield the games of the agent, in the order of the boards."""
    with bar(f"{agent.name} plays", sum(map(len, boards))) as advance:
        for some in boards:
            size = max(1, min(BATCH, AT_ONCE // some.topology.n))
            for start in range(0, len(some), size):
                batch = some[start : start + size]
                for board, game in zip(batch, play_boards(agent, Games(batch)), strict=True):
                    pace = round(game.seconds / len(game.moves), 9)
                    yield game_record(board, game.moves, agent.name, pace)
                advance(len(batch))


def print_summary(
    options: Options, agent: Agent, boards: Sequence[Boards], records: Sequence[Record]
) -> None:
    """Print how many moves the games took, and what a game on nodes with costs cost."""
    mode, topology, cost = boards[0].mode, boards[0].topology, None
    if not topology.unit_costs:
        cost = float(topology.costs[records[0].squares()].sum())
    steps = np.array([record.steps for record in records])
    seconds = float(steps @ [record.seconds_a_move for record in records])
    summary: dict[str, Any] = {
        "agent": agent.name,
        "mode": mode.reference,
        "options": mode.options(),
        "games": len(records),
        "moves": int(steps.sum()),
        "mean": float(steps.mean()),
        "fewest": int(steps.min()),
        "most": int(steps.max()),
        "seconds_a_move": seconds / int(steps.sum()),
    }
    if cost is not None:
        summary["cost"] = float(f"{cost:.12g}")
    if options.json:
        print(json.dumps(summary))
        return
    moves = f"{steps.mean():.2f} moves on average ({steps.min()} to {steps.max()})"
    if len(records) == 1:
        moves = counted(int(steps[0]), "move")
    if cost is not None:
        moves += f" for {cost:.12g}"
    print(
        f"{agent.name} on {mode.reference}: {counted(len(records), 'game')}, {moves}, "
        f"{summary['seconds_a_move']:.2g} s a move"
    )
    if options.out is not None:
        print(f"wrote {counted(len(records), 'game')} to {options.out}")
