"""Gymnasium environments, thin over the engine: one game, and a batch of games in lockstep.

Both have the same rules. An action is the number of a square. The reward of a move is minus the
cost of the square (1), and the episode terminates when the game is over. An action on a square that
may not be attacked changes nothing, costs 1, and sets `info["illegal"]`; after `illegal_limit` of
them the episode is truncated. `info["action_mask"]` says which squares may be attacked.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from pinchpoint.compiled import kernel
from pinchpoint.errors import InputError
from pinchpoint.game.boards import Density, Size, board_shape, density_range, sample_open, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.render import picture
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.graph.topology import LatticeKey, Topology
from pinchpoint.types import Array, Bools, Bytes, Longs

Info = dict[str, Any]
STATES = 4
OBSERVATIONS = ("one-hot", "board")
RENDER_MODES = ["rgb_array", "ansi"]
BLOCK = 64  # boards drawn at a time: one by one costs many times as much


class _Rules:
    """What the two environments share: the boards that they draw and what they show of them."""

    def __init__(
        self,
        mode: str | Mode,
        size: Size,
        p: Density,
        boards: npt.ArrayLike | None,
        observation: str,
        illegal_limit: int | None,
        key: LatticeKey,
        options: dict[str, Any],
    ) -> None:
        self.mode = get_mode(mode, **options)
        self.fixed = None if boards is None else _fixed_boards(boards)
        height, width = board_shape(size) if self.fixed is None else self.fixed.shape[1:]
        self.topology: Topology = make_lattice(height, width, *key)
        self.p = p
        density_range(p)
        if observation not in OBSERVATIONS:
            raise InputError(
                f"there is no observation {observation!r}; choose from {', '.join(OBSERVATIONS)}"
            )
        self.one_hot = observation == "one-hot"
        self.illegal_limit = self.topology.n if illegal_limit is None else illegal_limit
        if self.illegal_limit < 1:
            raise InputError(f"illegal_limit is {illegal_limit}; it must be 1 or more")
        if self.fixed is not None:
            over = np.flatnonzero(Games(self.fixed, self.mode, self.topology).done)
            if len(over):
                raise InputError(f"board {over[0]} is over when laid; give boards to be played")

    def spaces(self) -> tuple[Any, Any]:  # of observations (Box) and actions (Discrete)
        shape = self.topology.lattice_shape()
        if self.one_hot:
            box = gymnasium.spaces.Box(0, 1, (STATES, *shape), np.uint8)
        else:
            box = gymnasium.spaces.Box(0, STATES - 1, shape, np.uint8)
        return box, gymnasium.spaces.Discrete(self.topology.n)

    def observe(self, status: Bytes) -> Bytes:  # [B, N] -> [B, 4, h, w] or [B, h, w]
        height, width = self.topology.lattice_shape()
        if not self.one_hot:
            return status.reshape(-1, height, width).copy()
        out = np.empty((len(status), STATES, self.topology.n), dtype=np.uint8)
        one_hot(status, out)  # type: ignore[no-untyped-call]
        return out.reshape(-1, STATES, height, width)


class _Boards:
    """An endless supply of boards: drawn block by block from a seed, or chosen from a fixed set."""

    def __init__(self, rules: _Rules, generator: np.random.Generator, block: int) -> None:
        self.rules, self.generator, self.block = rules, generator, block
        self.seed = int(generator.integers(2**62))
        self.drawn, self.used = 0, 0  # in all, and of the block at hand
        self.stock = np.empty((0, rules.topology.n), dtype=np.bool_)

    def take(self, count: int) -> Bools:  # [count, N]  True = open
        if self.rules.fixed is not None:
            chosen = self.generator.integers(len(self.rules.fixed), size=count)
            return self.rules.fixed[chosen].reshape(count, -1)
        parts = []
        while count:
            if self.used == len(self.stock):
                self._draw()
            part = self.stock[self.used : self.used + count]
            self.used += len(part)
            count -= len(part)
            parts.append(part)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _draw(self) -> None:
        rules = self.rules
        boards, _ = sample_open(
            rules.topology, rules.mode, rules.p, self.block, self.seed, start=self.drawn
        )
        self.stock = boards.astype(np.bool_)  # which the engine takes without a second look
        self.drawn, self.used = self.drawn + self.block, 0


class PinchpointEnv(gymnasium.Env[Bytes, np.int64]):
    """One game at a time. Arguments: size or fixed boards, p or a range, and the mode's options.

    `reset(options={"board": …})` lays a board of one's own, [h, w], or by number one of the fixed.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        mode: str | Mode = "network",
        size: Size = 20,
        p: Density = 0.8,
        boards: npt.ArrayLike | None = None,
        observation: str = "one-hot",
        illegal_limit: int | None = None,
        render_mode: str | None = None,
        lattice: str = "square",
        periodic: str = "none",
        **options: Any,
    ) -> None:
        key = LatticeKey(lattice, periodic)
        self.rules = _Rules(mode, size, p, boards, observation, illegal_limit, key, options)
        self.observation_space, self.action_space = self.rules.spaces()
        self.render_mode = _checked_render_mode(render_mode)
        self._boards: _Boards | None = None
        self.games: Games | None = None
        self.illegal = 0  # illegal actions in this episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, Info]:
        super().reset(seed=seed)
        if seed is not None or self._boards is None:
            self._boards = _Boards(self.rules, self.np_random, BLOCK)
        board = self._chosen((options or {}).get("board"))
        if self.games is None:
            self.games = Games(board, self.rules.mode, self.rules.topology)
        else:
            self.games.reset([0], board)
        self.illegal = 0
        return self._observation(), self._info(False)

    def step(self, action: np.int64) -> tuple[Bytes, float, bool, bool, Info]:
        games = self._running()
        square = _checked_actions(action, (), self.rules.topology.n)
        illegal = bool(games.status[0, square] != ACTIVE)
        if illegal:
            self.illegal += 1
        else:
            games.play(square[None])
        over = bool(games.done[0])
        truncated = not over and self.illegal >= self.rules.illegal_limit
        reward = -1.0 if illegal else -float(self.rules.topology.costs[square])
        return self._observation(), reward, over, truncated, self._info(illegal)

    def action_masks(self) -> Bools:  # [N]  as sb3-contrib asks for it
        mask: Bools = self._running().legal[0]
        return mask

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return _drawn(self._running().boards[0], self.rules.topology, self.render_mode)

    def _running(self) -> Games:
        if self.games is None:
            raise InputError("the environment has no game yet; call reset first")
        return self.games

    def _chosen(self, board: Any) -> Array:  # [1, N] or [1, h, w]
        """Return the caller's board, an array or the number of a fixed one, or else a new board."""
        if board is None:
            assert self._boards is not None
            return self._boards.take(1)
        if isinstance(board, int | np.integer):
            count = 0 if self.rules.fixed is None else len(self.rules.fixed)
            if self.rules.fixed is None or not 0 <= board < count:
                raise InputError(f"there is no board {board}; this environment has {count} fixed")
            board = self.rules.fixed[board]
        given = np.asarray(board)[None]
        if Games(given, self.rules.mode, self.rules.topology).done[0]:
            raise InputError("the board is over when laid; give one to be played")
        return given

    def _observation(self) -> Bytes:
        seen: Bytes = self.rules.observe(self._running().status)[0]
        return seen

    def _info(self, illegal: bool) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "illegal": illegal}


class PinchpointVectorEnv(gymnasium.vector.VectorEnv[Bytes, Longs, Bytes]):
    """A batch of games over one `Games`. A game that is over is laid anew by the next step.

    In that step (`AutoresetMode.NEXT_STEP`, Gymnasium's own default) the row's action is ignored
    and its reward is 0.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": RENDER_MODES,
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        mode: str | Mode = "network",
        size: Size = 20,
        p: Density = 0.8,
        boards: npt.ArrayLike | None = None,
        observation: str = "one-hot",
        illegal_limit: int | None = None,
        render_mode: str | None = None,
        lattice: str = "square",
        periodic: str = "none",
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs is {num_envs}; it must be 1 or more")
        key = LatticeKey(lattice, periodic)
        self.rules = _Rules(mode, size, p, boards, observation, illegal_limit, key, options)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = self.rules.spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = _checked_render_mode(render_mode)
        self._boards: _Boards | None = None
        self.games: Games | None = None
        self._rows = np.arange(num_envs)
        self._everywhere = np.ones(num_envs, dtype=np.bool_)  # rows that an entry of info speaks of
        self._everywhere.flags.writeable = False  # handed out with every step
        self._ended = np.zeros(num_envs, dtype=np.bool_)  # rows that the next step lays anew
        self.illegal = np.zeros(num_envs, dtype=np.int64)  # illegal actions in this episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, Info]:
        super().reset(seed=seed)
        if seed is not None or self._boards is None:
            self._boards = _Boards(self.rules, self.np_random, max(BLOCK, self.num_envs))
        boards = self._boards.take(self.num_envs)
        if self.games is None:
            self.games = Games(boards, self.rules.mode, self.rules.topology)
        else:
            self.games.reset(self._rows, boards)
        self._ended[:] = False
        self.illegal[:] = 0
        return self._observation(), self._info(np.zeros(self.num_envs, dtype=np.bool_))

    def step(self, actions: Longs) -> tuple[Bytes, Array, Array, Array, Info]:
        games, fresh = self._running(), self._ended
        squares = _checked_actions(actions, (self.num_envs,), self.rules.topology.n)
        illegal = (games.status[self._rows, squares] != ACTIVE) & ~fresh
        games.play(np.where(illegal | fresh, -1, squares))
        self.illegal += illegal
        if fresh.any():
            assert self._boards is not None
            rows = np.flatnonzero(fresh)
            games.reset(rows, self._boards.take(len(rows)))
            self.illegal[rows] = 0
        over = games.done
        truncated = (self.illegal >= self.rules.illegal_limit) & ~over
        costs = np.where(illegal, 1.0, self.rules.topology.costs[squares])
        rewards = np.where(fresh, 0.0, -costs)
        self._ended = over | truncated
        return self._observation(), rewards, over, truncated, self._info(illegal)

    def action_masks(self) -> Bools:  # [B, N]
        return self._running().legal

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        topology, boards = self.rules.topology, self._running().boards
        return tuple(_drawn(board, topology, self.render_mode) for board in boards)

    def _running(self) -> Games:
        if self.games is None:
            raise InputError("the environment has no games yet; call reset first")
        return self.games

    def _observation(self) -> Bytes:
        return self.rules.observe(self._running().status)

    def _info(self, illegal: Bools) -> Info:
        return {
            "action_mask": self.action_masks().view(np.int8),
            "_action_mask": self._everywhere,
            "illegal": illegal,
            "_illegal": self._everywhere,
        }


@kernel
def one_hot(status, out):  # type: ignore[no-untyped-def]
    """out[b, s, i] = 1 if square i of board b is in state s, else 0, in one pass."""
    games, squares = status.shape
    for b in range(games):
        for s in range(STATES):
            for i in range(squares):
                out[b, s, i] = status[b, i] == s


def _fixed_boards(boards: npt.ArrayLike) -> Bools:  # [B, h, w]  True = open
    given = np.asarray(boards)
    if given.ndim == 2:
        given = given[None]
    if given.ndim != 3 or not given.size:
        raise InputError(f"boards have shape {given.shape}; give [B, h, w] with 1 open, 0 blocked")
    if not np.isin(given, (0, 1)).all():
        raise InputError("a board holds 1 for open and 0 for blocked, and nothing else")
    return given.astype(np.bool_)


def _checked_actions(actions: Any, shape: tuple[int, ...], squares: int) -> Longs:  # of that shape
    given = np.asarray(actions)
    if given.shape != shape or given.dtype.kind not in "iu":
        wanted = f"{shape[0]} whole numbers" if shape else "one whole number"
        raise InputError(f"the action is {actions!r}; give {wanted}, the squares to attack")
    if given.size and (given.min() < 0 or given.max() >= squares):
        bad = given.min() if given.min() < 0 else given.max()
        raise InputError(f"there is no square {bad}; actions are 0 to {squares - 1}")
    return given.astype(np.int64)


def _checked_render_mode(render_mode: str | None) -> str | None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise InputError(
            f"there is no render mode {render_mode!r}; choose from {', '.join(RENDER_MODES)}"
        )
    return render_mode


def _drawn(board: Bytes, topology: Topology, render_mode: str) -> Any:  # [h, w]
    if render_mode == "ansi":
        return "\n".join(text_rows(board))
    return picture(board, topology=topology)
