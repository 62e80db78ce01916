"""Who plays which boards: the plan of an evaluation, cut into batches of work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chokepoint.agents import AGENTS, Agent, get_agent
from chokepoint.errors import InputError
from chokepoint.game.boards import Size, read_boards, sample_boards
from chokepoint.game.engine import Games
from chokepoint.game.modes import Mode, get_mode
from chokepoint.game.record import numbered_records
from chokepoint.graph.topology import Bytes
from chokepoint.study.par import board_key
from chokepoint.study.playing import AGENT_SEED, Played, play_boards

CHUNK = 256  # boards that an agent plays together


@dataclass(frozen=True)
class Point:
    """The boards of one mode, size and density; all agents play the same ones."""

    mode: Mode
    boards: Bytes  # [B, h, w]
    numbers: npt.NDArray[np.int64]  # [B]  of the boards, in their sequence or file
    p: float | None = None  # None for boards from a file

    @property
    def size(self) -> str:
        return f"{self.boards.shape[1]}x{self.boards.shape[2]}"

    @cached_property
    def board_keys(self) -> list[str]:
        return [board_key(self.mode, board) for board in self.boards]

    def part(self, start: int, count: int) -> Point:
        rows = slice(start, start + count)
        return Point(self.mode, self.boards[rows], self.numbers[rows], self.p)


Match = tuple[str, Point]  # an agent's name and the boards it is to play


def sampled_points(
    modes: Iterable[Mode], sizes: Iterable[Size], ps: Iterable[float], games: int, seed: int
) -> list[Point]:
    """Random boards at every mode, size and density."""
    if games < 1:
        raise InputError(f"the number of games is {games}; it must be 1 or more")
    return [
        Point(mode, sample_boards(mode, size, p, games, seed), np.arange(games), p)
        for mode in modes
        for size in sizes
        for p in ps
    ]


def file_points(modes: Iterable[Mode], path: Path) -> list[Point]:
    """The boards of a file, those of one size together, without those that are over when laid."""
    if path.suffix in (".jsonl", ".parquet"):
        return record_points(modes, path)
    by_shape: dict[tuple[int, ...], list[int]] = {}
    boards = read_boards(path)
    for number, board in enumerate(boards):
        by_shape.setdefault(board.shape, []).append(number)
    points: list[Point] = []
    for mode in modes:
        before = len(points)
        for numbers in by_shape.values():
            same_size = np.stack([boards[number] for number in numbers])
            runs = ~Games(same_size, mode).done
            if runs.any():
                points.append(Point(mode, same_size[runs], np.array(numbers)[runs]))
        if len(points) == before:
            raise InputError(f"every board of {path} is over when laid in mode {mode.name}")
    return points


def record_points(modes: Iterable[Mode], path: Path) -> list[Point]:
    """The boards of a file of game records, by size and density: what people played, for others."""
    records = list(numbered_records(path))
    points: list[Point] = []
    for mode in modes:
        before = len(points)
        groups: dict[tuple[object, float | None], dict[bytes, tuple[int, Bytes]]] = {}
        for number, record in records:
            if record.rule() == mode and record.graph is None:
                board = record.board().reshape(len(record.laid), len(record.laid[0]))
                group = groups.setdefault((board.shape, record.p), {})
                group.setdefault(board.tobytes(), (number, board))  # each board once
        for (_, p), found in groups.items():
            numbers, boards = zip(*found.values(), strict=True)
            points.append(Point(mode, np.stack(boards), np.array(numbers, np.int64), p))
        if len(points) == before:
            raise InputError(f"{path} holds no game of mode {mode.name} with these options")
    return points


@dataclass(frozen=True)
class GameTask:
    """A batch of boards for one agent; plain values only, as it travels to other processes."""

    key: str  # the same for the same agent, weights, seed, rule and boards
    agent: str
    seed: int
    mode: str
    options: str  # JSON
    boards: Bytes  # [B, h, w]
    numbers: npt.NDArray[np.int64]  # [B]


def game_tasks(agent: str, point: Point, seed: int) -> list[GameTask]:
    """The batches in which an agent plays a point; the same however many workers there are."""
    reference = point.mode.reference
    options = json.dumps(point.mode.options(), sort_keys=True)
    tasks = []
    for start in range(0, len(point.boards), CHUNK):
        part = point.part(start, CHUNK)
        what = [agent, agent_stamp(agent), seed, reference, options, part.boards.shape]
        digest = hashlib.sha256(json.dumps(what).encode())
        digest.update(np.packbits(part.boards).tobytes() + part.numbers.tobytes())
        key = digest.hexdigest()[:32]
        tasks.append(GameTask(key, agent, seed, reference, options, part.boards, part.numbers))
    return tasks


def play_task(task: GameTask) -> tuple[str, Played]:
    """What a worker does with a task."""
    mode = get_mode(task.mode, **json.loads(task.options))
    games = Games(task.boards, mode, names=task.numbers)
    return task.key, play_boards(_agent(task.agent, task.seed + AGENT_SEED), games)


@lru_cache(maxsize=8)
def _agent(spec: str, seed: int) -> Agent:
    """Agents are made once in each worker: loading weights takes longer than a move."""
    return get_agent(spec, seed)


def agent_stamp(spec: str) -> str:
    """Changes when the weights in the box, or the file that the agent is made from, change."""
    name, _, argument = spec.partition(":")
    path = Path(argument)
    own = hashlib.sha256(path.read_bytes()).hexdigest() if argument and path.is_file() else ""
    return (shipped_weights() if name in AGENTS else "") + own


@cache
def shipped_weights() -> str:
    """A fingerprint of all weights in the box: search uses them too, not only the agents."""
    digest = hashlib.sha256()
    folder = resources.files("chokepoint") / "learning" / "weights"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".safetensors"):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
