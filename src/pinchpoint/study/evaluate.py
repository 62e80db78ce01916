"""Agents × boards → rows: every agent plays the same boards, and each game is set beside par.

Read from top to bottom: the boards (`Point`), one agent playing a batch of them (`play_boards`),
the work cut into tasks for many processes (`GameTask`), and the whole (`Evaluation`).
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pinchpoint.agents.registry import (
    AGENTS,
    Agent,
    check_plays,
    get_agent,
)
from pinchpoint.checks import amount
from pinchpoint.errors import FoundWrong, IllegalMove, InputError
from pinchpoint.files import sha256_of
from pinchpoint.game.boards import make_boards, read_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.keys import board_key
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.plans import plans_from_lists
from pinchpoint.game.record import (
    Record,
    game_record,
    numbered_records,
    record_of,
)
from pinchpoint.game.sampling import Size, sample_boards
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.readers import read_graph
from pinchpoint.graph.topology import SQUARE, LatticeKey, Topology
from pinchpoint.study.par import Par, ParFile, ParTask, par_tasks, solve_task
from pinchpoint.study.parallel import run_all
from pinchpoint.study.results import Played, ResultsFolder, scores
from pinchpoint.types import Array, Bytes, Floats, Longs

if TYPE_CHECKING:  # only the rows need pandas; an agent can play without it
    import pandas as pd

AGENT_SEED = 500_009  # added to the seed, so that random agents do not draw what the boards drew
BATCH = 256  # boards that an agent plays together
DIGITS = 12  # of a score: costs that differ by rounding alone are equal


# -- boards ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """The boards of one mode, size and density; all agents play the same ones."""

    mode: Mode
    boards: Bytes  # [B, h, w]; of a network [1, 1, N]
    numbers: Longs  # [B]  of the boards, in their sequence or file
    p: float | None = None  # None for boards from a file
    lattice: LatticeKey = SQUARE
    graph: Topology | None = None  # a network in place of a lattice
    name: str = ""  # of the network

    @property
    def size(self) -> str:
        if self.graph is not None:
            return self.name
        size = f"{self.boards.shape[1]}x{self.boards.shape[2]}"
        return size if self.lattice == SQUARE else " ".join([size, *self.lattice])

    @property
    def topology(self) -> Topology:
        if self.graph is not None:
            return self.graph
        return lattice(self.boards.shape[1], self.boards.shape[2], *self.lattice)

    @cached_property
    def board_keys(self) -> list[str]:
        return [board_key(self.mode, board, self.topology) for board in self.laid]

    @property
    def laid(self) -> Bytes:  # [B, h, w] or [B, N]
        return self.boards if self.graph is None else self.boards[:, 0]

    def part(self, start: int, count: int) -> Point:
        """Return the point with `count` of its boards, from number `start` on."""
        rows = slice(start, start + count)
        return replace(self, boards=self.boards[rows], numbers=self.numbers[rows])

    def games(self, names: Longs | None = None) -> Games:
        """Return the boards, laid."""
        return Games(make_boards(self.laid, self.mode, self.topology, names))


Match = tuple[str, Point]  # the name of an agent and the boards it is to play


def sampled_points(
    modes: Iterable[Mode],
    sizes: Iterable[Size],
    ps: Iterable[float],
    games: int,
    seed: int,
    lattice: LatticeKey = SQUARE,
) -> list[Point]:
    """Draw random boards for every mode, size and density."""
    if games < 1:
        raise InputError(f"the number of games is {games}; it must be 1 or more")
    points = []
    for mode, size, p in product(modes, sizes, ps):
        boards = sample_boards(mode, size, p, games, seed, **lattice._asdict())
        points.append(Point(mode, boards.squares, boards.numbers, p, lattice))
    return points


def network_points(
    modes: Iterable[Mode],
    names: Iterable[str],
    undirected: bool = False,
    cost: str | None = None,
    fit: Callable[[Mode, Topology, str], Mode] | None = None,
) -> list[Point]:
    """Read networks, each one board: files of graphs, or network:NAME for one in the box.

    `cost` is the attribute of the nodes that holds their costs, or a file (see `read_graph`). With
    `fit`, a mode is made to fit each network: flow is told which of its nodes to part.
    """
    graphs = [(name, read_graph(name, undirected, cost)) for name in names]
    points = []
    for rule, (name, graph) in product(modes, graphs):
        mode = rule if fit is None else fit(rule, graph, name)
        whole = np.ones((1, 1, graph.n), dtype=np.uint8)
        point = Point(mode, whole, np.arange(1), graph=graph, name=name)
        if point.games().done.any():
            raise InputError(f"{name} is over when laid in mode {mode.name}")
        points.append(point)
    return points


def file_points(
    modes: Iterable[Mode], path: Path, lattice: LatticeKey | None = None
) -> list[Point]:
    """Read the boards of a file, one point for each size.

    Boards that are over when laid are left out. A file of game records gives the boards that were
    played in each mode. The lattice is the file's, or this one if the file does not name any.
    """
    if path.suffix in (".jsonl", ".parquet"):
        return _record_points(modes, path)
    by_shape: dict[tuple[int, ...], list[int]] = {}
    read = read_boards(path, "network", *(lattice or ()))
    key = read[0].topology.key or SQUARE
    boards = [board for some in read for board in some.squares]
    for number, board in enumerate(boards):
        by_shape.setdefault(board.shape, []).append(number)
    points: list[Point] = []
    for mode in modes:
        before = len(points)
        for numbers in by_shape.values():
            same_size = np.stack([boards[number] for number in numbers])
            point = Point(mode, same_size, np.array(numbers), lattice=key)
            runs = ~point.games().done
            if runs.any():
                points.append(replace(point, boards=same_size[runs], numbers=point.numbers[runs]))
        if len(points) == before:
            raise InputError(f"every board of {path} is over when laid in mode {mode.name}")
    return points


def _record_points(modes: Iterable[Mode], path: Path) -> list[Point]:
    """Read the boards of a file of game records, one point for each size and density."""
    records = list(numbered_records(path))
    points: list[Point] = []
    for mode in modes:
        before = len(points)
        groups: dict[tuple[Any, ...], dict[bytes, tuple[int, Bytes]]] = {}
        for number, record in records:
            if record.graph is None and record.rule() == mode.on(record.topology()):
                key = LatticeKey(record.lattice or "square", record.periodic or "none")
                board = record.board().reshape(len(record.laid), len(record.laid[0]))
                group = groups.setdefault((board.shape, record.p, key), {})
                group.setdefault(board.tobytes(), (number, board))  # each board once
        for (_, p, key), found in groups.items():
            numbers, boards = zip(*found.values(), strict=True)
            points.append(Point(mode, np.stack(boards), np.array(numbers, np.int64), p, key))
        if len(points) == before:
            raise InputError(f"{path} holds no game of mode {mode.name} with these options")
    return points


# -- one agent on a batch of boards ----------------------------------------------------------


class AgentFault(FoundWrong):
    """An agent broke the rules of the evaluation; `record` is the game up to there."""

    def __init__(self, message: str, record: Record, path: Path | None = None) -> None:
        super().__init__(message, record, path)  # all in args, so that it survives pickling
        self.message, self.record = message, record
        self.path = path  # where the record was saved

    def __str__(self) -> str:
        return self.message if self.path is None else f"{self.message}; the game is in {self.path}"


def play_boards(agent: Agent, games: Games) -> Played:
    """Let the agent play all games to their end, and check every move.

    Games that are over leave the batch at once, so that a network does not evaluate boards that
    nobody plays any more. The time of a step is shared by the games that were still running.
    """
    total = len(games)
    steps, largest = np.zeros(total, np.int32), np.zeros(total, np.int32)
    seconds = np.zeros(total)
    histories: list[list[int]] = [[] for _ in range(total)]
    places = np.arange(total)  # of the games in the running batch
    while True:
        over = games.done
        for row in np.flatnonzero(over):
            place = places[row]
            histories[place] = games.history(int(row))
            steps[place], largest[place] = games.move_counts[row], _largest_piece(games, int(row))
        if over.all():
            moves = np.array([s for history in histories for s in history], np.int32)
            return Played(steps, moves, largest, seconds)
        if over.any():
            games, places = games.take(~over), places[~over]
        began = time.perf_counter()
        _advance(agent, games)
        seconds[places] += (time.perf_counter() - began) / len(places)


def _advance(agent: Agent, games: Games) -> None:
    """Make one move in every game; all of them are still running."""
    squares = np.asarray(agent.act(games))
    if squares.shape == (len(games),) and (squares == -1).any():
        row = int(np.flatnonzero(squares == -1)[0])
        raise AgentFault(
            f"{agent.name} makes no move in a game that goes on",
            record_of(games, row, agent=agent.name),
        )
    try:
        games.play(squares)
    except IllegalMove as error:
        row, square = _first_illegal(games, squares)
        moves = [*games.history(row), square]
        raise AgentFault(
            f"{agent.name} made an illegal move: {error}",
            game_record(games.mode, games.topology, games.laid[row], moves, agent=agent.name),
        ) from None


def _first_illegal(games: Games, squares: Array) -> tuple[int, int]:
    """Return the game and the square of the first illegal move among these."""
    inside = (squares >= 0) & (squares < games.topology.n)
    legal = games.legal[np.arange(len(games)), np.where(inside, squares, 0)]
    row = int(np.flatnonzero(~(inside & legal))[0])
    return row, int(squares[row])


def _largest_piece(games: Games, row: int) -> int:
    labels = games.labels[row]
    labels = labels[labels >= 0]
    return int(np.bincount(labels).max()) if len(labels) else 0


# -- the work, in pieces for many processes --------------------------------------------------


@dataclass(frozen=True)
class GameTask:
    """A batch of boards for one agent; plain values only, because it travels between processes."""

    key: str  # the same for the same agent, weights, seed, rule and boards
    agent: str
    seed: int
    mode: str
    options: str  # JSON
    boards: Bytes  # [B, h, w]
    numbers: Longs  # [B]
    lattice: LatticeKey = SQUARE
    graph: Topology | None = None


def game_tasks(agent: str, point: Point, seed: int) -> list[GameTask]:
    """Cut the games of a match into batches, which do not depend on the number of workers."""
    reference = point.mode.reference
    options = json.dumps(point.mode.options(), sort_keys=True)
    tasks = []
    for start in range(0, len(point.boards), BATCH):
        part = point.part(start, BATCH)
        what = [agent, _agent_stamp(agent), seed, reference, options, part.boards.shape]
        if point.lattice != SQUARE:
            what.append(point.lattice)
        if point.graph is not None:
            what.append(point.graph.fingerprint)
        digest = hashlib.sha256(json.dumps(what).encode())
        digest.update(np.packbits(part.boards).tobytes() + part.numbers.tobytes())
        key = digest.hexdigest()[:32]
        rule = reference, options
        where = point.lattice, point.graph
        tasks.append(GameTask(key, agent, seed, *rule, part.boards, part.numbers, *where))
    return tasks


def play_task(task: GameTask) -> tuple[str, Played]:
    """Play the games of a task, and return them with its key."""
    mode = get_mode(task.mode, **json.loads(task.options))
    if task.graph is not None:
        games = Games(make_boards(task.boards[:, 0], mode, task.graph, task.numbers))
    else:
        topology = lattice(task.boards.shape[1], task.boards.shape[2], *task.lattice)
        games = Games(make_boards(task.boards, mode, topology, task.numbers))
    return task.key, play_boards(_agent(task.agent, task.seed + AGENT_SEED), games)


@lru_cache(maxsize=8)
def _agent(spec: str, seed: int) -> Agent:
    """Make an agent once in each process: loading weights takes longer than a move."""
    return get_agent(spec, seed)


def _agent_stamp(spec: str) -> str:
    """Return a text that changes with the shipped weights and the file an agent is made from."""
    name, _, argument = spec.partition(":")
    path = Path(argument)
    own = sha256_of(path) if argument and path.is_file() else ""
    return (_shipped_weights() if name in AGENTS else "") + own


@cache
def _shipped_weights() -> str:
    """Return a fingerprint of all shipped weights: search uses them too, not only the agents."""
    digest = hashlib.sha256()
    folder = resources.files("pinchpoint") / "learning" / "weights"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".safetensors"):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


Task = ParTask | GameTask
Done = dict[str, Par] | tuple[str, Played]


def _work(task: Task) -> Done:
    return play_task(task) if isinstance(task, GameTask) else solve_task(task)


# -- the whole -------------------------------------------------------------------------------

Progress = Callable[[int], None]  # told how many more games and pars are done


class Evaluation:
    """Matches and the folder of their results; what the folder holds is not played again."""

    def __init__(
        self, matches: Sequence[Match], out: Path, seed: int = 1, par_work: float = 1.0
    ) -> None:
        """Par is solved with at most `par_work` a board (see `solve`); 0 leaves it out."""
        par_work = amount(par_work, "the work for par")
        agents = {agent: get_agent(agent, seed) for agent in dict.fromkeys(a for a, _ in matches)}
        for agent, point in matches:  # what is missing shows before hours of play, not after
            check_plays(agents[agent], point.topology)
        self.matches, self.seed, self.par_work = matches, seed, par_work
        self.folder = ResultsFolder(out)
        self.pars = ParFile(self.folder.path / "par.jsonl", par_work)

    def run(
        self, jobs: int = 0, backend: str = "joblib", progress: Progress | None = None
    ) -> pd.DataFrame:
        """Play what has not been played, and return one row a game.

        Raises AgentFault, with the game saved in the folder, if an agent makes an illegal move, or
        none at all, or beats a proven bound.
        """
        try:
            for done in run_all(_work, self.tasks(), jobs, backend):
                count = self._keep(done)
                if progress is not None:
                    progress(count)
            rows = self.rows()
            self.check_bounds(rows)
        except AgentFault as fault:
            path = self.folder.save_fault(fault.record)
            raise AgentFault(fault.message, fault.record, path) from None
        return rows.drop(columns=["key"])

    def tasks(self) -> list[Task]:
        """Return the work that is left; what several matches share is done once."""
        games: dict[str, GameTask] = {}
        for agent, point in self.matches:
            if not self._plays_par(agent):
                games |= {task.key: task for task in game_tasks(agent, point, self.seed)}
        unplayed = [task for key, task in games.items() if not self.folder.has(key)]
        # Matches usually go from low to high p. The long ones first, and the many small ones last,
        # leave no core idle at the end.
        return [*reversed(unplayed), *self._par_tasks()]

    def _par_tasks(self) -> Iterator[ParTask]:
        if self.par_work == 0:
            return
        seen: set[str] = set()
        for point in {id(point): point for _, point in self.matches}.values():
            boards = dict(zip(point.board_keys, point.boards, strict=True))
            new = {key: boards[key] for key in boards if key not in seen}
            seen |= set(boards)
            missing = self.pars.missing(new)
            yield from par_tasks(point.mode, missing, self.par_work, point.lattice, point.graph)

    def left(self) -> int:
        """Return how many games and pars are left to do."""
        return sum(len(task.boards) for task in self.tasks())

    def _keep(self, done: Done) -> int:
        """Write down what a worker has done; return how many games or pars it was."""
        if isinstance(done, dict):
            self.folder.make()
            self.pars.add(done)
            return len(done)
        self.folder.save(*done)
        return len(done[1])

    def played(self, agent: str, point: Point) -> Played:
        """Return the games of one match, all of which have been played."""
        if self._plays_par(agent):
            return _play_pars(point, [self.pars.known[key] for key in point.board_keys])
        tasks = game_tasks(agent, point, self.seed)
        return Played.joined([self.folder.load(task.key, len(task.boards)) for task in tasks])

    def _plays_par(self, agent: str) -> bool:
        """Whether the agent plays what par was solved with, so that nothing is solved twice."""
        return agent == "optimal" and self.par_work > 0

    def rows(self) -> pd.DataFrame:
        """Return one row a game; `par` is the lowest score of the solver and of every agent.

        The score of a game is what its moves cost. Where every node costs 1, it is the number of
        moves, and the rows have no column for it.
        """
        import pandas as pd

        rows = pd.concat(
            [_match_rows(agent, point, self.played(agent, point)) for agent, point in self.matches],
            ignore_index=True,
        )
        whole = all(point.topology.unit_costs for _, point in self.matches)
        lowest = rows.groupby("key")["score"].min()
        known = self.pars.known if self.par_work > 0 else {}
        pars = {key: _par(known[key], lowest[key]) for key in lowest.index if key in known}
        for column, which in (("par", 0), ("bound", 1)):
            found = rows["key"].map({key: both[which] for key, both in pars.items()})
            rows[column] = found.astype("Int64" if whole else "Float64")
        rows["proven"] = (rows["par"] == rows["bound"]).astype("boolean")
        return rows.drop(columns=["score"]) if whole else rows

    def check_bounds(self, rows: pd.DataFrame) -> None:
        """Raise AgentFault if a game has a lower score than is proven to be possible.

        That would be a mistake in a solver or in the rules.
        """
        wrong = rows[(scores(rows) < rows["bound"]).fillna(False).astype(bool)]
        if len(wrong):
            row = wrong.iloc[0]
            record = next(
                record
                for agent, point in self.matches
                if agent == row["agent"] and row["key"] in point.board_keys
                for record in self.records([(agent, point)])
                if record.extra["board"] == row["board"]
            )
            needs = f"needs {row['steps']} moves where {row['bound']} are"
            if "score" in rows:
                needs = f"has a score of {row['score']:g} where {row['bound']:g} is"
            raise AgentFault(
                f"{row['agent']} {needs} proven to be needed (mode {row['mode']}, p {row['p']}, "
                f"board {row['board']})",
                record,
            )

    def records(self, matches: Sequence[Match] | None = None) -> Iterator[Record]:
        """Yield every game as a record that `pinchpoint replay` accepts."""
        for agent, point in self.matches if matches is None else matches:
            played = self.played(agent, point)
            games = point.games()
            games.follow(plans_from_lists(played.histories()))
            for row, number in enumerate(point.numbers):
                pace = float(played.seconds[row]) / max(int(played.steps[row]), 1)
                about = {"agent": agent, "seed": self.seed, "p": point.p, "board": int(number)}
                yield record_of(games, row, seconds_a_move=round(pace, 6), **about)


def _play_pars(point: Point, pars: Sequence[Par]) -> Played:
    """Play the solver's plans on the engine; the time of a game is that of solving its board."""
    games = point.games()
    games.follow(plans_from_lists([par.moves for par in pars]))
    if not games.done.all():
        number = point.numbers[int(np.flatnonzero(~games.done)[0])]
        raise InputError(f"the par of board {number} is damaged; delete par.jsonl to solve anew")
    histories = [games.history(row) for row in range(len(games))]
    return Played(
        steps=games.move_counts.copy(),
        moves=np.array([square for history in histories for square in history], np.int32),
        largest=np.array([_largest_piece(games, row) for row in range(len(games))], np.int32),
        seconds=np.array([par.seconds for par in pars]),
    )


def _par(solved: Par, lowest: float) -> tuple[float, float]:
    """Return par and bound of a board from what the solver found and the lowest score of a game.

    What differs by rounding alone is made equal.
    """
    par = lowest if math.isclose(solved.value, lowest, rel_tol=1e-9) else min(solved.value, lowest)
    return par, par if math.isclose(solved.bound, par, rel_tol=1e-9) else solved.bound


def _scores(point: Point, played: Played) -> Longs | Floats:  # [B]
    """Return the scores of finished games, as the engine adds them up."""
    if point.topology.unit_costs:
        return played.steps.astype(np.int64)
    games = point.games()
    games.follow(plans_from_lists(played.histories()))
    return np.array([float(f"{score:.{DIGITS}g}") for score in games.scores])


def _match_rows(agent: str, point: Point, played: Played) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            "agent": agent,
            "mode": point.mode.reference,
            "options": json.dumps(point.mode.options(), sort_keys=True),
            "size": point.size,
            "p": np.nan if point.p is None else point.p,
            "board": point.numbers,
            "open": point.boards.sum(axis=(1, 2), dtype=np.int64),
            "steps": played.steps.astype(np.int64),
            "score": _scores(point, played),
            "largest": played.largest.astype(np.int64),
            "seconds": played.seconds,
            "key": point.board_keys,
        }
    )
