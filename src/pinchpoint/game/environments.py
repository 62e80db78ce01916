"""Gymnasium environments, thin over the engine: a batch of games in lockstep, and one game.

An action is the number of a square. The reward of a move is minus the cost of the square (1), and
the episode terminates when the game is over. An action on a square that may not be attacked changes
nothing, costs 1, and sets `info["illegal"]`; after `illegal_limit` of them the episode is
truncated. `info["action_mask"]` says which squares may be attacked.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from pinchpoint.checks import one_of
from pinchpoint.compiled import kernel
from pinchpoint.errors import InputError
from pinchpoint.game.boards import make_boards, text_rows
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.render import picture
from pinchpoint.game.sampling import Density, Size, board_shape, density_range, sample_on
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.lattices import lattice as make_lattice
from pinchpoint.types import Array, Bools, Bytes, Longs

Info = dict[str, Any]
STATES = 4
OBSERVATIONS = ("one-hot", "board")
RENDER_MODES = ["rgb_array", "ansi"]
BLOCK = 64  # boards drawn at a time: one by one costs many times as much


class PinchpointVectorEnv(gymnasium.vector.VectorEnv[Bytes, Longs, Bytes]):
    """A batch of games over one `Games`. A game that is over is laid anew by the next step.

    In that step (`AutoresetMode.NEXT_STEP`, Gymnasium's own default) the row's action is ignored
    and its reward is 0. `reset(options={"board": …})` lays a board of your own, [h, w], or by
    number one of the fixed ones, in every row.
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
        self.num_envs = num_envs
        self.mode = get_mode(mode, **options)
        fixed = None if boards is None else make_boards(boards, self.mode)
        self.fixed = None if fixed is None else fixed.squares.astype(np.bool_)
        height, width = board_shape(size) if self.fixed is None else self.fixed.shape[1:]
        self.shape = height, width
        self.topology = make_lattice(height, width, lattice, periodic)
        self.p = p
        density_range(p)
        one_of(observation, OBSERVATIONS, "observation")
        self.one_hot = observation == "one-hot"
        self.illegal_limit = self.topology.n if illegal_limit is None else illegal_limit
        if self.illegal_limit < 1:
            raise InputError(f"illegal_limit is {illegal_limit}; it must be 1 or more")
        if render_mode is not None:
            one_of(render_mode, RENDER_MODES, "render mode")
        self.render_mode = render_mode
        if self.fixed is not None:
            if not len(self.fixed):
                raise InputError("boards are given, but none of them; leave them out to draw some")
            over = np.flatnonzero(Games(self.fixed, self.mode, self.topology).done)
            if len(over):
                raise InputError(f"board {over[0]} is over when laid; give boards to be played")
        seen, most = ((STATES, *self.shape), 1) if self.one_hot else (self.shape, STATES - 1)
        self.single_observation_space = gymnasium.spaces.Box(0, most, seen, np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.topology.n)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.games: Games | None = None
        self._supply: _Supply | None = None
        self._rows = np.arange(num_envs)
        self._everywhere = np.ones(num_envs, dtype=np.bool_)  # rows that an entry of info speaks of
        self._everywhere.flags.writeable = False  # handed out with every step
        self._ended = np.zeros(num_envs, dtype=np.bool_)  # rows that the next step lays anew
        self.illegal = np.zeros(num_envs, dtype=np.int64)  # illegal actions in this episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, Info]:
        super().reset(seed=seed)
        if seed is not None or self._supply is None:
            self._supply = _Supply(self, self.np_random)
        board = (options or {}).get("board")
        laid = self._supply.take(self.num_envs) if board is None else self._chosen(board)
        if self.games is None:
            self.games = Games(laid, self.mode, self.topology)
        else:
            self.games.reset(self._rows, laid)
        self._ended[:] = False
        self.illegal[:] = 0
        return self._observation(), self._info(np.zeros(self.num_envs, dtype=np.bool_))

    def step(self, actions: Longs) -> tuple[Bytes, Array, Array, Array, Info]:
        games, fresh = self._running(), self._ended
        squares = _checked_actions(actions, self.num_envs, self.topology.n)
        illegal = (games.status[self._rows, squares] != ACTIVE) & ~fresh
        games.play(np.where(illegal | fresh, -1, squares))
        self.illegal += illegal
        if fresh.any():
            assert self._supply is not None
            rows = np.flatnonzero(fresh)
            games.reset(rows, self._supply.take(len(rows)))
            self.illegal[rows] = 0
        over = games.done
        truncated = (self.illegal >= self.illegal_limit) & ~over
        costs = np.where(illegal, 1.0, self.topology.costs[squares])
        rewards = np.where(fresh, 0.0, -costs)
        self._ended = over | truncated
        return self._observation(), rewards, over, truncated, self._info(illegal)

    def action_masks(self) -> Bools:  # [B, N]  as sb3-contrib asks for it
        return self._running().legal

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        boards = self._running().boards
        if self.render_mode == "ansi":
            return tuple("\n".join(text_rows(board)) for board in boards)
        return tuple(picture(board, topology=self.topology) for board in boards)

    def _running(self) -> Games:
        if self.games is None:
            raise InputError("the environment has no game yet; call reset first")
        return self.games

    def _chosen(self, board: Any) -> Array:  # [B, h, w]
        """Return the caller's board, an array or the number of a fixed one, for every row."""
        if isinstance(board, int | np.integer):
            count = 0 if self.fixed is None else len(self.fixed)
            if self.fixed is None or not 0 <= board < count:
                raise InputError(f"there is no board {board}; this environment has {count} fixed")
            board = self.fixed[board]
        given = np.asarray(board)[None]
        if Games(given, self.mode, self.topology).done[0]:
            raise InputError("the board is over when laid; give one to be played")
        return given.repeat(self.num_envs, axis=0)

    def _observation(self) -> Bytes:  # [B, 4, h, w] or [B, h, w]
        status = self._running().status
        if not self.one_hot:
            return status.reshape(-1, *self.shape).copy()
        out = np.empty((self.num_envs, STATES, self.topology.n), dtype=np.uint8)
        one_hot(status, out)  # type: ignore[no-untyped-call]
        return out.reshape(-1, STATES, *self.shape)

    def _info(self, illegal: Bools) -> Info:
        return {
            "action_mask": self.action_masks().view(np.int8),
            "_action_mask": self._everywhere,
            "illegal": illegal,
            "_illegal": self._everywhere,
        }


class PinchpointEnv(gymnasium.Env[Bytes, np.int64]):
    """One game at a time: a vector environment of one row, laid anew by `reset` only.

    The arguments are those of `PinchpointVectorEnv`, without `num_envs`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.vector = PinchpointVectorEnv(1, *arguments, **options)
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.render_mode = self.vector.render_mode

    @property
    def games(self) -> Games | None:
        """The game that is played, once `reset` has laid it."""
        return self.vector.games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, Info]:
        super().reset(seed=seed)
        observation, info = self.vector.reset(seed=seed, options=options)
        return observation[0], _first_row(info)

    def step(self, action: np.int64) -> tuple[Bytes, float, bool, bool, Info]:
        self.vector._ended[:] = False  # only `reset` lays a board
        seen, reward, over, truncated, info = self.vector.step(np.asarray(action)[None])
        return seen[0], float(reward[0]), bool(over[0]), bool(truncated[0]), _first_row(info)

    def action_masks(self) -> Bools:  # [N]  as sb3-contrib asks for it
        mask: Bools = self.vector.action_masks()[0]
        return mask

    def render(self) -> Any:
        drawn = self.vector.render()
        return None if drawn is None else drawn[0]


def _first_row(info: Info) -> Info:
    return {"action_mask": info["action_mask"][0], "illegal": bool(info["illegal"][0])}


class _Supply:
    """An endless supply of boards: drawn block by block from a seed, or chosen from a fixed set."""

    def __init__(self, env: PinchpointVectorEnv, generator: np.random.Generator) -> None:
        self.env, self.generator, self.block = env, generator, max(BLOCK, env.num_envs)
        self.seed = int(generator.integers(2**62))
        self.drawn, self.used = 0, 0  # in all, and of the block at hand
        self.stock = np.empty((0, env.topology.n), dtype=np.bool_)

    def take(self, count: int) -> Bools:  # [count, N]  True = open
        if self.env.fixed is not None:
            chosen = self.generator.integers(len(self.env.fixed), size=count)
            return self.env.fixed[chosen].reshape(count, -1)
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
        env = self.env
        boards = sample_on(env.topology, env.mode, env.p, self.block, self.seed, start=self.drawn)
        self.stock = boards.laid.astype(np.bool_)  # which the engine takes without a second look
        self.drawn, self.used = self.drawn + self.block, 0


@kernel
def one_hot(status, out):  # type: ignore[no-untyped-def]
    """out[b, s, i] = 1 if square i of board b is in state s, else 0, in one pass."""
    games, squares = status.shape
    for b in range(games):
        for s in range(STATES):
            for i in range(squares):
                out[b, s, i] = status[b, i] == s


def _checked_actions(actions: Any, count: int, squares: int) -> Longs:  # [count]
    given = np.asarray(actions)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        wanted = "one whole number, the square" if count == 1 else f"{count} whole numbers, squares"
        raise InputError(f"the action is {actions!r}; give {wanted} to attack")
    if given.min() < 0 or given.max() >= squares:
        bad = given.min() if given.min() < 0 else given.max()
        raise InputError(f"there is no square {bad}; actions are 0 to {squares - 1}")
    return given.astype(np.int64)
