"""Agents × boards → rows: every agent plays the same boards, and each game is set beside par.

Read from top to bottom: one agent playing a batch of boards (`play_boards`), the work cut into
batches for many processes (`Batch`), and the whole (`Evaluation`).
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pinchpoint.agents.registry import AGENTS, Agent, check_plays, get_agent
from pinchpoint.checks import amount
from pinchpoint.errors import FoundWrong, IllegalMove, InputError
from pinchpoint.files import sha256_of
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.plans import plans_from_lists
from pinchpoint.game.record import Record, game_record, record_of
from pinchpoint.solvers.dispatch import solve
from pinchpoint.solvers.solution import BestPlay
from pinchpoint.study.parallel import run_all
from pinchpoint.study.rows import scores
from pinchpoint.study.store import Played, Store
from pinchpoint.types import Array, Floats, Longs

if TYPE_CHECKING:  # only the rows need pandas; an agent can play without it
    import pandas as pd

AGENT_SEED = 500_009  # added to the seed, so that random agents do not draw what the boards drew
BATCH = 256  # boards that an agent plays together
SOLVED = 16  # boards that a worker solves at a time
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


def play_boards(agent: Agent, games: Games) -> list[Played]:
    """Let the agent play all games to their end, and check every move.

    Games that are over leave the batch at once, so that a network does not evaluate boards that
    nobody plays any more. The time of a step is shared by the games that were still running.
    """
    finished: dict[int, Played] = {}
    seconds = np.zeros(len(games))
    places = np.arange(len(games))  # of the games in the running batch
    while True:
        over = games.done
        for row in np.flatnonzero(over):
            place = int(places[row])
            finished[place] = _finished(games, int(row), float(seconds[place]))
        if over.all():
            return [finished[place] for place in range(len(seconds))]
        if over.any():
            games, places = games.take(~over), places[~over]
        began = time.perf_counter()
        _advance(agent, games)
        seconds[places] += (time.perf_counter() - began) / len(places)


def _finished(games: Games, row: int, seconds: float) -> Played:
    labels = games.labels[row]
    pieces = np.bincount(labels[labels >= 0])
    return Played(tuple(games.history(row)), int(pieces.max(initial=0)), seconds)


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
            game_record(games.as_laid()[[row]], moves, agent=agent.name),
        ) from None


def _first_illegal(games: Games, squares: Array) -> tuple[int, int]:
    """Return the game and the square of the first illegal move among these."""
    inside = (squares >= 0) & (squares < games.topology.n)
    legal = games.legal[np.arange(len(games)), np.where(inside, squares, 0)]
    row = int(np.flatnonzero(~(inside & legal))[0])
    return row, int(squares[row])


@lru_cache(maxsize=16)
def _agent(spec: str, seed: int, player: str) -> Agent:
    """Make an agent once in each process: loading weights takes longer than a move.

    `player` tells agents of one name apart, see `_player`.
    """
    return get_agent(spec, seed + AGENT_SEED)


def _player(spec: str, seed: int) -> str:
    """Return what the games of an agent are stored under.

    It changes with the shipped weights and the file that the agent is made from.
    """
    name, _, argument = spec.partition(":")
    path = Path(argument)
    what = [spec, seed, sha256_of(path) if argument and path.is_file() else ""]
    if name in AGENTS:
        what += [AGENTS[name].factory, _shipped_weights()]
    return f"{spec} {hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]}"


@cache
def _shipped_weights() -> str:
    """Return a fingerprint of all shipped weights: search uses them too, not only the agents."""
    digest = hashlib.sha256()
    folder = resources.files("pinchpoint") / "learning" / "weights"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".safetensors"):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


# -- the work, in batches for many processes -------------------------------------------------


@dataclass(frozen=True)
class Batch:
    """Boards for an agent to play, or for the solver, which has no name here."""

    boards: Boards
    keys: list[str]  # of the boards
    agent: str = ""
    seed: int = 0  # of the agent
    player: str = ""  # what its games are stored under
    work: float = 0.0  # limit of the solver for each board


Done = list[Played] | list[BestPlay]


def _do(task: tuple[int, Batch]) -> tuple[int, Done]:
    number, batch = task
    games = Games(batch.boards)
    if batch.agent:
        return number, play_boards(_agent(batch.agent, batch.seed, batch.player), games)
    return number, [
        BestPlay(found.moves, found.value, found.bound, found.seconds)
        for found in solve(games, work=batch.work)
    ]


# -- the whole -------------------------------------------------------------------------------

Progress = Callable[[int], None]  # gets how many more games and pars are done


class Evaluation:
    """Matches and the folder of their results; what the folder holds is not played again."""

    def __init__(
        self, matches: Sequence[Match], out: Path, seed: int = 1, par_work: float = 1.0
    ) -> None:
        """Par is solved with at most `par_work` a board (see `solve`); 0 leaves it out."""
        self.matches, self.seed = matches, seed
        self.par_work = float(amount(par_work, "the work for par"))
        self.players = {a: _player(a, seed) for a in dict.fromkeys(agent for agent, _ in matches)}
        for agent, boards in matches:  # what is missing shows before hours of play, not after
            check_plays(_agent(agent, seed, self.players[agent]), boards.topology)
        self.store = Store(out)

    def run(
        self, jobs: int = 0, backend: str = "joblib", progress: Progress | None = None
    ) -> pd.DataFrame:
        """Play what has not been played, and return one row a game.

        Raises AgentFault, with the game saved in the folder, if an agent makes an illegal move, or
        none at all, or beats a proven bound.
        """
        try:
            batches = self.batches()
            for number, done in run_all(_do, list(enumerate(batches)), jobs, backend):
                self._keep(batches[number], done)
                if progress is not None:
                    progress(len(done))
            rows = self.rows()
            self.check_bounds(rows)
        except AgentFault as fault:
            path = self.store.save_fault(fault.record)
            raise AgentFault(fault.message, fault.record, path) from None
        return rows.drop(columns=["key"])

    def batches(self) -> list[Batch]:
        """Return the work that is left; what several matches share is done once."""
        # Matches usually go from low to high p. The long ones first, and the many small ones last,
        # leave no core idle at the end.
        return [*reversed(list(self._play())), *self._solve()]

    def _play(self) -> Iterator[Batch]:
        """Yield the games to play, in batches that do not depend on the number of workers."""
        planned: set[tuple[str, str, int]] = set()
        for agent, boards in self.matches:
            if self._plays_par(agent):
                continue
            keys = boards.keys
            known = self.store.games(self.players[agent], keys, boards.numbers)
            for start in range(0, len(boards), BATCH):
                rows = []
                for row in range(start, min(start + BATCH, len(boards))):
                    name = (agent, keys[row], int(boards.numbers[row]))
                    if known[row] is None and name not in planned:
                        planned.add(name)
                        rows.append(row)
                if rows:
                    some = [keys[row] for row in rows]
                    yield Batch(boards[rows], some, agent, self.seed, self.players[agent])

    def _solve(self) -> Iterator[Batch]:
        """Yield the boards to solve; a board counts once, however many agents play it."""
        if self.par_work == 0:
            return
        planned: set[str] = set()
        for boards in dict.fromkeys(boards for _, boards in self.matches):
            keys = boards.keys
            known = self.store.pars(keys, self.par_work)
            rows = []
            for row, key in enumerate(keys):
                if key not in known and key not in planned:
                    planned.add(key)
                    rows.append(row)
            for start in range(0, len(rows), SOLVED):
                some = rows[start : start + SOLVED]
                yield Batch(boards[some], [keys[row] for row in some], work=self.par_work)

    def left(self) -> int:
        """Return how many games and pars are left to do."""
        return sum(len(batch.boards) for batch in self.batches())

    def _keep(self, batch: Batch, done: Any) -> None:
        """Store what a worker has done."""
        if batch.agent:
            self.store.add_games(batch.player, batch.keys, batch.boards.numbers, done)
        else:
            self.store.add_pars(dict(zip(batch.keys, done, strict=True)), batch.work)

    def played(self, agent: str, boards: Boards) -> list[Played]:
        """Return the games of one match, all of which have been played."""
        keys = boards.keys
        if self._plays_par(agent):
            pars = self.store.pars(keys, self.par_work)
            return _play_pars(boards, [pars[key] for key in keys], self.store.path)
        found = self.store.games(self.players[agent], keys, boards.numbers)
        played = [game for game in found if game is not None]
        if len(played) < len(found):
            raise InputError(f"{self.store.path} has lost games that were played; play them again")
        return played

    def _plays_par(self, agent: str) -> bool:
        """Whether the agent plays what par was solved with, so that nothing is solved twice."""
        return agent == "optimal" and self.par_work > 0

    def rows(self) -> pd.DataFrame:
        """Return one row a game; `par` is the lowest score of the solver and of every agent.

        The score of a game is what its moves cost. Where every node costs 1, it is the number of
        moves, and the rows have no column for it.
        """
        import pandas as pd

        rows = pd.concat([self._rows(*match) for match in self.matches], ignore_index=True)
        whole = all(boards.topology.unit_costs for _, boards in self.matches)
        lowest = rows.groupby("key")["score"].min()
        known = self.store.pars(list(lowest.index), self.par_work) if self.par_work > 0 else {}
        pars = {key: _par(par, lowest[key]) for key, par in known.items()}
        for column, which in (("par", 0), ("bound", 1)):
            found = rows["key"].map({key: both[which] for key, both in pars.items()})
            rows[column] = found.astype("Int64" if whole else "Float64")
        rows["proven"] = (rows["par"] == rows["bound"]).astype("boolean")
        return rows.drop(columns=["score"]) if whole else rows

    def _rows(self, agent: str, boards: Boards) -> pd.DataFrame:
        import pandas as pd

        played = self.played(agent, boards)
        return pd.DataFrame(
            {
                "agent": agent,
                "mode": boards.mode.reference,
                "options": json.dumps(boards.mode.options(), sort_keys=True),
                "size": boards.size,
                "p": boards.p,
                "board": boards.numbers,
                "open": boards.laid.sum(axis=1, dtype=np.int64),
                "steps": np.array([len(game.moves) for game in played], np.int64),
                "score": _scores(boards, played),
                "largest": np.array([game.largest for game in played], np.int64),
                "seconds": [game.seconds for game in played],
                "key": boards.keys,
            }
        )

    def check_bounds(self, rows: pd.DataFrame) -> None:
        """Raise AgentFault if a game has a lower score than is proven to be possible.

        That would be a mistake in a solver or in the rules.
        """
        wrong = rows[(scores(rows) < rows["bound"]).fillna(False).astype(bool)]
        if len(wrong):
            row = wrong.iloc[0]
            game = row["agent"], row["key"], row["board"]
            record = next(
                record
                for record in self.records()
                if (record.agent, record.boards.keys[0], record.extra["board"]) == game
            )
            needs = f"needs {row['steps']} moves where {row['bound']} are"
            if "score" in rows:
                needs = f"has a score of {row['score']:g} where {row['bound']:g} is"
            raise AgentFault(
                f"{row['agent']} {needs} proven to be needed (mode {row['mode']}, p {row['p']}, "
                f"board {row['board']})",
                record,
            )

    def records(self) -> Iterator[Record]:
        """Yield every game as a record that `pinchpoint replay` accepts."""
        for agent, boards in self.matches:
            played = self.played(agent, boards)
            for board, game in zip(replace(boards, seed=self.seed), played, strict=True):
                pace = game.seconds / max(len(game.moves), 1)
                number = int(board.numbers[0])
                yield game_record(board, game.moves, agent, round(pace, 6), board=number)


def _replayed(boards: Boards, moves: Sequence[Sequence[int]]) -> Games:
    games = Games(boards)
    games.follow(plans_from_lists(moves))
    return games


def _play_pars(boards: Boards, pars: Sequence[BestPlay], path: Path) -> list[Played]:
    """Play the solver's plans on the engine; the time of a game is that of solving its board."""
    games = _replayed(boards, [par.moves for par in pars])
    if not games.done.all():
        number = boards.numbers[int(np.flatnonzero(~games.done)[0])]
        raise InputError(f"the par of board {number} is damaged; delete {path} to solve anew")
    return [_finished(games, row, par.seconds) for row, par in enumerate(pars)]


def _par(solved: BestPlay, lowest: float) -> tuple[float, float]:
    """Return par and bound of a board from what the solver found and the lowest score of a game.

    What differs by rounding alone is made equal.
    """
    par = lowest if math.isclose(solved.value, lowest, rel_tol=1e-9) else min(solved.value, lowest)
    return par, par if math.isclose(solved.bound, par, rel_tol=1e-9) else solved.bound


def _scores(boards: Boards, played: Sequence[Played]) -> Longs | Floats:  # [B]
    """Return the scores of finished games, as the engine adds them up."""
    if boards.topology.unit_costs:
        return np.array([len(game.moves) for game in played], np.int64)
    games = _replayed(boards, [game.moves for game in played])
    return np.array([float(f"{score:.{DIGITS}g}") for score in games.scores])
