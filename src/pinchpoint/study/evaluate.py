"""Agents × boards → rows: every agent plays the same boards, and each game is set beside par.

Read from top to bottom: one agent playing a batch of boards (`play_boards`), the work cut into
tasks for many processes (`Task`), and the whole (`Evaluation`).
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

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
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import plans_from_lists
from pinchpoint.game.record import (
    Record,
    game_record,
    record_of,
)
from pinchpoint.study.par import CHUNK, Par, ParFile, solve_boards
from pinchpoint.study.parallel import run_all
from pinchpoint.study.results import Played, ResultsFolder, scores
from pinchpoint.types import Array, Floats, Longs

if TYPE_CHECKING:  # only the rows need pandas; an agent can play without it
    import pandas as pd

AGENT_SEED = 500_009  # added to the seed, so that random agents do not draw what the boards drew
BATCH = 256  # boards that an agent plays together
DIGITS = 12  # of a score: costs that differ by rounding alone are equal


Match = tuple[str, Boards]  # the name of an agent and the boards it is to play


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
class Task:
    """Boards for an agent to play or, if none is named, for the solver."""

    agent: str | None
    boards: Boards
    seed: int = 0
    work: float = 0.0  # limit of the solver for each board

    def key(self) -> str:
        """Return a key of the same agent, weights, seed, rule and boards."""
        assert self.agent is not None
        what = [self.agent, _agent_stamp(self.agent), self.seed, *self.boards.keys]
        digest = hashlib.sha256(json.dumps(what).encode())
        digest.update(self.boards.numbers.tobytes())
        return digest.hexdigest()[:32]


def game_tasks(agent: str, boards: Boards, seed: int) -> list[Task]:
    """Cut the games of a match into batches, which do not depend on the number of workers."""
    starts = range(0, len(boards), BATCH)
    return [Task(agent, boards[start : start + BATCH], seed) for start in starts]


def play_task(task: Task) -> Played:
    """Play the games of a task."""
    assert task.agent is not None
    return play_boards(_agent(task.agent, task.seed + AGENT_SEED), Games(task.boards))


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


Done = tuple[str, Played] | dict[str, Par]  # the games of a batch and its key, or pars by board


def _work(task: Task) -> Done:
    if task.agent is None:
        return solve_boards(task.boards, task.work)
    return task.key(), play_task(task)


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
        for agent, boards in matches:  # what is missing shows before hours of play, not after
            check_plays(agents[agent], boards.topology)
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
        games: dict[str, Task] = {}
        for agent, boards in self.matches:
            if not self._plays_par(agent):
                games |= {task.key(): task for task in game_tasks(agent, boards, self.seed)}
        unplayed = [task for key, task in games.items() if not self.folder.has(key)]
        # Matches usually go from low to high p. The long ones first, and the many small ones last,
        # leave no core idle at the end.
        return [*reversed(unplayed), *self._par_tasks()]

    def _par_tasks(self) -> Iterator[Task]:
        if self.par_work == 0:
            return
        seen = set(self.pars.known)
        for boards in {id(boards): boards for _, boards in self.matches}.values():
            missing = []
            for row, key in enumerate(boards.keys):
                if key not in seen:
                    seen.add(key)
                    missing.append(row)
            for start in range(0, len(missing), CHUNK):
                yield Task(None, boards[missing[start : start + CHUNK]], work=self.par_work)

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

    def played(self, agent: str, boards: Boards) -> Played:
        """Return the games of one match, all of which have been played."""
        if self._plays_par(agent):
            return _play_pars(boards, [self.pars.known[key] for key in boards.keys])
        tasks = game_tasks(agent, boards, self.seed)
        return Played.joined([self.folder.load(task.key(), len(task.boards)) for task in tasks])

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
            [
                _match_rows(agent, boards, self.played(agent, boards))
                for agent, boards in self.matches
            ],
            ignore_index=True,
        )
        whole = all(boards.topology.unit_costs for _, boards in self.matches)
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
                for agent, boards in self.matches
                if agent == row["agent"] and row["key"] in boards.keys
                for record in self.records([(agent, boards)])
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
        for agent, boards in self.matches if matches is None else matches:
            played = self.played(agent, boards)
            games = _replayed(boards, played)
            for row, (number, p) in enumerate(zip(boards.numbers, boards.p, strict=True)):
                pace = float(played.seconds[row]) / max(int(played.steps[row]), 1)
                about = {"agent": agent, "seed": self.seed, "board": int(number)}
                about["p"] = None if np.isnan(p) else float(p)
                yield record_of(games, row, seconds_a_move=round(pace, 6), **about)


def _replayed(boards: Boards, played: Played) -> Games:
    """Return the games when all their moves have been made."""
    games = Games(boards)
    games.follow(plans_from_lists(played.histories()))
    return games


def _play_pars(boards: Boards, pars: Sequence[Par]) -> Played:
    """Play the solver's plans on the engine; the time of a game is that of solving its board."""
    games = Games(boards)
    games.follow(plans_from_lists([par.moves for par in pars]))
    if not games.done.all():
        number = boards.numbers[int(np.flatnonzero(~games.done)[0])]
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


def _scores(boards: Boards, played: Played) -> Longs | Floats:  # [B]
    """Return the scores of finished games, as the engine adds them up."""
    if boards.topology.unit_costs:
        return played.steps.astype(np.int64)
    scores = _replayed(boards, played).scores
    return np.array([float(f"{score:.{DIGITS}g}") for score in scores])


def _match_rows(agent: str, boards: Boards, played: Played) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            "agent": agent,
            "mode": boards.mode.reference,
            "options": json.dumps(boards.mode.options(), sort_keys=True),
            "size": boards.size,
            "p": boards.p,
            "board": boards.numbers,
            "open": boards.laid.sum(axis=1, dtype=np.int64),
            "steps": played.steps.astype(np.int64),
            "score": _scores(boards, played),
            "largest": played.largest.astype(np.int64),
            "seconds": played.seconds,
            "key": boards.keys,
        }
    )
