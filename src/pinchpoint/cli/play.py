"""Let an agent play, or play yourself in the terminal.

pinchpoint play corehd --boards grid.graphml --mode shatter --cost price

With an agent, the games are summed up and, with --out, written as records. Without one you play:
cursor keys move, space attacks, u takes back, r plays again, n lays the next board, q ends.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from pinchpoint.agents.registry import Agent, get_agent
from pinchpoint.cli.arguments import (
    OnGraph,
    Sample,
    Sampling,
    check_no_graph,
    counted,
    graph_games,
    parse_mode,
    refuse,
    take_sample,
)
from pinchpoint.cli.progress import bar, compile_engine
from pinchpoint.cli.terminal import Laid, play_in_terminal
from pinchpoint.errors import InputError
from pinchpoint.game.boards import make_boards, read_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.record import (
    Record,
    game_record,
    on_graph,
    replay,
    write_records,
)
from pinchpoint.game.sampling import AT_ONCE
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import is_graph_file
from pinchpoint.graph.topology import SQUARE, LatticeKey
from pinchpoint.study.evaluate import AGENT_SEED, BATCH, play_boards


@dataclass(frozen=True)
class Options(OnGraph, Sampling):
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
    if options.boards is not None and is_graph_file(options.boards):
        play_graph(options, options.boards)
        return
    check_no_graph(options)
    compile_engine()
    mode, boards = laid_boards(options)
    if options.agent is None:
        play_yourself(options, mode, boards)
        return
    agent = get_agent(options.agent, options.seed + AGENT_SEED)
    records = all_records(options, played_records(agent, mode, boards))
    print_summary(options, agent, mode, records)


def play_graph(options: Options, path: Path) -> None:
    """Let an agent play one game on the graph of a file."""
    if options.agent is None:
        raise InputError(f"{path} is a graph, which the terminal cannot show; name an agent")
    boards_only = ("lattice", "periodic", "set", "size", "p", "count")
    refuse(options, boards_only, "goes with boards; leave it out with a graph")
    mode = parse_mode(options.mode, options.rule)
    agent = get_agent(options.agent, options.seed + AGENT_SEED)
    compile_engine()
    games = graph_games(options, path, mode)
    if games.done[0]:
        raise InputError(f"{path} is over when laid in mode {mode.name}; there is nothing to play")
    records = all_records(options, finished_records(agent, games, [{}]))
    (score,) = replay(on_graph(records[0], games.topology)).scores
    print_summary(options, agent, mode, records, None if games.topology.unit_costs else score)


def all_records(options: Options, games: Iterator[Record]) -> list[Record]:
    """Play the games, write them to the file that the options name, and return them."""
    records: list[Record] = []
    kept = keep_all(games, records)
    if options.out is None:
        deque(kept, maxlen=0)  # plays them all
    else:
        write_records(options.out, kept)  # an unwritable file shows before the first game
    return records


def keep_all(games: Iterator[Record], into: list[Record]) -> Iterator[Record]:
    """Pass the games on, and put each of them into a list as well."""
    for game in games:
        into.append(game)
        yield game


def play_yourself(options: Options, mode: Mode, boards: list[Laid]) -> None:
    """Let a person play the boards: those of a file or set in turn, random ones without end."""
    random = options.boards is None and options.set is None
    supply = endless_boards(options, boards) if random else itertools.cycle(boards)
    records = play_in_terminal(mode, supply, options.palette)
    for record in records:
        print(f"{record.mode}: {counted(record.steps or 0, 'move')}")
    if options.out is not None and records:
        write_records(options.out, records)
        print(f"wrote {counted(len(records), 'game')} to {options.out}")


def endless_boards(options: Options, first: list[Laid]) -> Iterator[Laid]:
    yield from first
    for start in itertools.count(options.count):
        sample = take_sample(replace(options, count=1), start)
        yield sample.boards[0], about_board(sample, 0)


def about_board(sample: Sample, number: int) -> dict[str, Any]:
    lattice = {} if sample.lattice == SQUARE else sample.lattice._asdict()
    return {"seed": sample.seed, "p": round(sample.densities[number], 6), **lattice}


def laid_boards(options: Options) -> tuple[Mode, list[Laid]]:
    """Return the mode and the boards to play, none of which is over when laid."""
    if options.boards is None:
        sample = take_sample(options)
        return sample.mode, [(b, about_board(sample, i)) for i, b in enumerate(sample.boards)]
    mode = parse_mode(options.mode, options.rule)
    read = read_boards(options.boards, mode, options.lattice, options.periodic)
    key = read[0].topology.key or SQUARE
    boards = [board for some in read for board in some.squares]
    for number, board in enumerate(boards, 1):
        if Games(board, mode, lattice(board.shape[0], board.shape[1], *key)).done[0]:
            raise InputError(
                f"{options.boards}: board {number} is over when laid in mode {mode.name}; "
                "there is nothing to play"
            )
    about = {} if key == SQUARE else key._asdict()
    return mode, [(board, about) for board in boards]


def played_records(agent: Agent, mode: Mode, boards: list[Laid]) -> Iterator[Record]:
    """Yield the games of the agent, in the order of the boards."""
    numbered = list(enumerate(boards))
    with bar(f"{agent.name} plays", len(boards)) as advance:
        for shape, same_shape in itertools.groupby(numbered, lambda item: item[1][0].shape):
            size = max(1, min(BATCH, AT_ONCE // (shape[0] * shape[1])))
            while batch := list(itertools.islice(same_shape, size)):
                yield from batch_records(agent, mode, batch)
                advance(len(batch))


def batch_records(agent: Agent, mode: Mode, batch: list[tuple[int, Laid]]) -> Iterator[Record]:
    numbers = [number for number, _ in batch]
    squares = np.stack([board for _, (board, _) in batch])
    about = batch[0][1][1]  # all boards of one play are of one lattice
    named = {name: about[name] for name in LatticeKey._fields if name in about}
    # Numbered by board, so that random play does not depend on the batches.
    topology = lattice(
        *squares.shape[1:], **dict(zip(("kind", "periodic"), named.values(), strict=False))
    )
    laid = Games(make_boards(squares, mode, topology, numbers))
    yield from finished_records(agent, laid, [about for _, (_, about) in batch])


def finished_records(agent: Agent, laid: Games, about: list[dict[str, Any]]) -> Iterator[Record]:
    """Yield the agent's games; `about` says of each where its board is from."""
    boards = laid.laid
    for row, game in enumerate(play_boards(agent, laid)):
        pace = round(game.seconds / len(game.moves), 9)
        more = about[row] | {"agent": agent.name, "seconds_a_move": pace}
        yield game_record(laid.mode, laid.topology, boards[row], game.moves, **more)


def print_summary(
    options: Options, agent: Agent, mode: Mode, records: list[Record], cost: float | None = None
) -> None:
    """Print how many moves the games took, and what a game on nodes with costs cost."""
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
