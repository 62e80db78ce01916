"""Agents × boards → result rows: every agent on the same boards, each beside the board's par."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from chokepoint.agents import get_agent
from chokepoint.agents.planned import PlannedAgent
from chokepoint.errors import InputError
from chokepoint.game.engine import Games
from chokepoint.game.record import Record, record_of
from chokepoint.study.matches import GameTask, Match, Point, game_tasks, play_task
from chokepoint.study.par import Par, ParFile, ParTask, par_tasks, solve_task
from chokepoint.study.parallel import run_all
from chokepoint.study.playing import AgentFault, Played, play_boards
from chokepoint.study.results import ResultsFolder

Progress = Callable[[int], None]  # told how many more games and pars are done
Task = ParTask | GameTask


class Evaluation:
    """Matches and the folder of their results: what is in it already is not played again."""

    def __init__(
        self, matches: Sequence[Match], out: Path, seed: int = 1, par_seconds: float = 1.0
    ) -> None:
        """Par is solved with a limit of `par_seconds` a board; 0 leaves it out."""
        if par_seconds < 0:
            raise InputError(f"the time for par is {par_seconds} s; it must be 0 or more")
        for agent in dict.fromkeys(agent for agent, _ in matches):
            get_agent(agent, seed)  # a missing agent shows before hours of play, not after
        self.matches, self.seed, self.par_seconds = matches, seed, par_seconds
        self.folder = ResultsFolder(out)
        self.pars = ParFile(self.folder.path / "par.jsonl")

    def run(
        self, jobs: int = 0, backend: str = "joblib", progress: Progress | None = None
    ) -> pd.DataFrame:
        """Play what has not been played, and return one row a game.

        Raises AgentFault, with the game saved in the folder, if an agent makes an illegal move, or
        none at all, or beats a proven bound.
        """
        try:
            for result in run_all(_work, self.tasks(), jobs, backend):
                done = self._keep(result)
                if progress is not None:
                    progress(done)
            rows = self.rows()
            self.check_bounds(rows)
        except AgentFault as fault:
            path = self.folder.save_fault(fault.record)
            raise AgentFault(f"{fault.message}; the game is in {path}", fault.record) from None
        return rows.drop(columns=["key"])

    def tasks(self) -> list[Task]:
        """The work that is left; what several points share is worked on once."""
        games: dict[str, GameTask] = {}
        for agent, point in self.matches:
            if not self._plays_par(agent):
                games |= {task.key: task for task in game_tasks(agent, point, self.seed)}
        unplayed = [task for key, task in games.items() if not self.folder.has(key)]
        # Matches usually go from low to high p. The long ones first, and the many small ones last,
        # leave no core idle at the end.
        return [*reversed(unplayed), *self._par_tasks()]

    def _par_tasks(self) -> Iterator[ParTask]:
        if self.par_seconds == 0:
            return
        seen: set[str] = set()
        for point in {id(point): point for _, point in self.matches}.values():
            boards = dict(zip(point.board_keys, point.boards, strict=True))
            new = {key: boards[key] for key in boards if key not in seen}
            seen |= set(boards)
            missing = self.pars.missing(new, self.par_seconds)
            yield from par_tasks(point.mode, missing, self.par_seconds)

    def left(self) -> int:
        """How many games and pars are left to do."""
        return sum(len(task.boards) for task in self.tasks())

    def _keep(self, result: tuple[str, Played] | dict[str, Par]) -> int:
        """Write down what a worker has done; returns how many games or pars it was."""
        if isinstance(result, dict):
            self.pars.add(result)
            return len(result)
        self.folder.save(*result)
        return len(result[1].steps)

    def rows(self) -> pd.DataFrame:
        """One row a game; `par` is the best of the solver's play and every agent's on the board."""
        rows = pd.concat(
            [_match_rows(agent, point, self.played(agent, point)) for agent, point in self.matches],
            ignore_index=True,
        )
        known = self.pars.known if self.par_seconds > 0 else {}
        fewest = rows.groupby("key")["steps"].min()
        values = {key: min(known[key].value, fewest[key]) for key in fewest.index if key in known}
        rows["par"] = rows["key"].map(values).astype("Int64")
        rows["bound"] = rows["key"].map({key: known[key].bound for key in values}).astype("Int64")
        rows["proven"] = (rows["par"] == rows["bound"]).astype("boolean")
        return rows

    def played(self, agent: str, point: Point) -> Played:
        """The games of one match, all of which have been played."""
        if self._plays_par(agent):
            return play_pars(point, [self.pars.known[key] for key in point.board_keys])
        parts = [self.folder.load(task.key) for task in game_tasks(agent, point, self.seed)]
        return Played(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("steps", "moves", "largest", "seconds")
            )
        )

    def _plays_par(self, agent: str) -> bool:
        """The optimal agent plays what par was solved with, so that nothing is solved twice."""
        return agent == "optimal" and self.par_seconds > 0

    def check_bounds(self, rows: pd.DataFrame) -> None:
        """No play needs fewer moves than a proven bound: if one does, something is wrong."""
        wrong = rows[(rows["steps"] < rows["bound"]).fillna(False).astype(bool)]
        if len(wrong):
            row = wrong.iloc[0]
            record = next(
                record
                for agent, point in self.matches
                if agent == row["agent"] and row["key"] in point.board_keys
                for record in self.records([(agent, point)])
                if record.extra["board"] == row["board"]
            )
            raise AgentFault(
                f"{row['agent']} needs {row['steps']} moves where {row['bound']} are proven to be "
                f"needed (mode {row['mode']}, p {row['p']}, board {row['board']})",
                record,
            )

    def records(self, matches: Sequence[Match] | None = None) -> Iterator[Record]:
        """Every game as a record that `chokepoint replay` accepts."""
        for agent, point in self.matches if matches is None else matches:
            played = self.played(agent, point)
            games = replayed(point, played)
            for row, number in enumerate(point.numbers):
                pace = float(played.seconds[row]) / max(int(played.steps[row]), 1)
                about = {"agent": agent, "seed": self.seed, "p": point.p, "board": int(number)}
                yield record_of(games, row, seconds_a_move=round(pace, 6), **about)


def _work(task: Task) -> tuple[str, Played] | dict[str, Par]:
    return play_task(task) if isinstance(task, GameTask) else solve_task(task)


def _match_rows(agent: str, point: Point, played: Played) -> pd.DataFrame:
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
            "largest": played.largest.astype(np.int64),
            "seconds": played.seconds,
            "key": point.board_keys,
        }
    )


def play_pars(point: Point, pars: Sequence[Par]) -> Played:
    """The solver's plans played out on the engine, with the time that solving took."""
    agent = PlannedAgent("optimal", lambda games: [pars[name].moves for name in games.names])
    played = play_boards(agent, Games(point.boards, point.mode))
    return replace(played, seconds=np.array([par.seconds for par in pars]))


def replayed(point: Point, played: Played) -> Games:
    """The finished games of a point, from the moves that were kept."""
    games = Games(point.boards, point.mode)
    histories = played.games()
    for step in range(int(played.steps.max())):
        games.play([moves[step] if step < len(moves) else -1 for moves in histories])
    return games
