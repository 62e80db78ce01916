"""Training: self-play, updates, validation and checkpoints, readable from top to bottom.

The loop is the paper's Algorithm 1: now and then play games and add the experiences to the memory,
then sample a batch and update the weights. A learner (`learners/`) defines what an experience holds
and what its loss is.
"""

from __future__ import annotations

import json
import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from pinchpoint import __version__
from pinchpoint.errors import InputError
from pinchpoint.files import append_text, read_json, whole_file
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.plans import plan_costs
from pinchpoint.learning.checkpoint import load_checkpoint, save_checkpoint
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.learners.table import config_from_json, get_learner
from pinchpoint.learning.muon import Muon
from pinchpoint.learning.nets import QNet, make_net
from pinchpoint.learning.presets import command_of
from pinchpoint.learning.replay import Replay
from pinchpoint.learning.self_play import greedy_plans
from pinchpoint.learning.weights import Card, save_weights
from pinchpoint.solvers.dispatch import solve, solved_at_once

SEED_LIMIT = 700_000  # training seeds stay below those of validation and test
OPTIMIZERS: dict[str, Any] = {"adam": torch.optim.Adam, "muon": Muon}

Curve = dict[str, float]  # by p, or by the kind of graph


class TrainingFailed(Exception):
    """The run cannot go on; the last good checkpoint is kept."""


class Run:
    """A training run: everything that a checkpoint holds, and the steps of the loop."""

    def __init__(self, config: TrainConfig, mode: Mode, out: Path) -> None:
        if not 0 <= config.seed < SEED_LIMIT:
            raise InputError(f"the seed is {config.seed}; training takes 0 to {SEED_LIMIT - 1}")
        self.config, self.mode, self.out = config, mode, out
        self.rank, self.world = process_group(config.device)
        self.device = choose_device(config.device)
        if config.threads:
            torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        net = make_net(
            config.network,
            config.channels,
            config.depth,
            config.leak,
            config.sees,
            config.network_options,
        ).to(self.device)
        forward: Any = net
        if self.world > 1:
            forward = DistributedDataParallel(net, find_unused_parameters=True)
        self.net: QNet = net
        self.learner: Learner = get_learner(config.learner)(config, mode, net, forward)
        if config.optimizer not in OPTIMIZERS:
            known = ", ".join(OPTIMIZERS)
            raise InputError(f"there is no optimizer {config.optimizer!r}; choose from {known}")
        self.optimizer = OPTIMIZERS[config.optimizer](net.parameters(), lr=config.learning_rate)
        self.rng = np.random.default_rng([config.seed, self.rank])
        self.scaler = torch.amp.GradScaler(enabled=self.device.type == "cuda")
        self.step = 0  # updates made
        self.boards = 0  # boards played, also the number of the next one
        self.replays: dict[int, Replay] = {}  # of each board size
        self.used: dict[int, int] = {}  # experiences that updates took from each
        self.seconds = 0.0
        self.init = ""  # the file whose weights it began with
        self.history: list[dict[str, Any]] = []
        self.validation = Validation(self.learner, config.validation_games)
        self.stopped_by: int | None = None  # the number of the signal that ended it before its end

    # -- the loop ----------------------------------------------------------------------------

    def train(self, stopped: Callable[[], bool], progress: Callable[[Run], None]) -> None:
        """Go on until all updates are made, or `stopped` says so."""
        began, before = time.monotonic(), self.seconds
        losses: dict[str, list[float]] = {}
        while self.step < self.config.total_updates and not stopped():
            size = self._draw_size()
            while self.learner.wants_games(self.step, self.replay(size), self.used[size]):
                self._play(size)
            for name, value in self._update(size).items():
                losses.setdefault(name, []).append(value)
            self.seconds = before + time.monotonic() - began
            if self.step % self.config.validate_every == 0 or self._finished():
                self._report(losses)
                losses = {}
            if self.step % self.config.checkpoint_every == 0 or self._finished():
                self.save()
            progress(self)

    def _finished(self) -> bool:
        return self.step == self.config.total_updates

    def size(self, step: int | None = None) -> int:
        """Return the board size of the curriculum after so many updates."""
        at = self.step if step is None else step
        for size, updates in zip(self.config.sizes, self.config.updates, strict=True):
            if at < updates:
                return size
            at -= updates
        return self.config.sizes[-1]

    def _draw_size(self) -> int:
        """Draw the size of the next update: now and then an earlier one, lest it be forgotten."""
        size = self.size()
        earlier = self.config.sizes[: self.config.sizes.index(size)]
        if earlier and self.rng.random() < self.config.revisit:
            return int(self.rng.choice(earlier))
        return size

    def replay(self, size: int) -> Replay:
        """Return the experiences of this board size."""
        if size not in self.replays:
            self.replays[size] = Replay(self.config.replay, self.learner.columns(size))
            self.used[size] = 0
        return self.replays[size]

    def _play(self, size: int) -> None:
        # Each process has boards of its own: they take turns in one endless sequence of rounds.
        start = self.boards * self.world + self.rank * self.learner.round_boards
        self.replay(size).add(**self.learner.play(self.step, size, start, self.rng))
        self.boards += self.learner.round_boards

    def _update(self, size: int) -> dict[str, float]:
        batch = self.replay(size).sample(self.config.batch, self.rng)
        symmetry = 0
        if self.config.symmetries:
            symmetry = int(self.rng.choice(np.array(self.mode.symmetries)))
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, enabled=self.device.type == "cuda"):
            loss, parts = self.learner.loss(batch, size, symmetry)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise TrainingFailed(
                f"the loss is {value} after {self.step} updates; the last checkpoint is kept. "
                "A smaller learning_rate or a clip of the gradient may help"
            )
        self.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if self.config.clip:
            self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.step += 1
        self.used[size] += self.config.batch
        self.learner.updated(self.step)
        if not self.config.revisit:  # what is of another size now will not be asked for again
            self.replays = {n: each for n, each in self.replays.items() if n == self.size()}
        return {"loss": value, **parts}

    def _learning_rate(self) -> float:
        c = self.config
        fall = (1 + math.cos(math.pi * self.step / c.total_updates)) / 2
        return c.learning_rate * (c.final_rate + (1 - c.final_rate) * fall)

    # -- looking and keeping -----------------------------------------------------------------

    def _report(self, losses: dict[str, list[float]]) -> None:
        if self.rank > 0:
            return
        size = self.size(self.step - 1)
        row: dict[str, Any] = {
            "step": self.step,
            "size": size,
            "seconds": round(self.seconds, 1),
            "boards": self.boards,
            "experiences": sum(replay.added for replay in self.replays.values()),
            **{name: float(np.mean(values)) for name, values in losses.items()},
            "validation": self.validation.moves(self.learner.player, size),
            "par": self.validation.par(size),
            **self.learner.log(self.step),
        }
        self.history.append(row)
        write_log(self.out, row)

    def save(self) -> None:
        """Write a checkpoint, and the weights as an agent that can be loaded."""
        nets = {"net": self.net, **self.learner.extra}
        tensors = {
            f"{name}.{key}": tensor
            for name, net in nets.items()
            for key, tensor in net.state_dict().items()
        }
        for i, state in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{i}.{key}": tensor for key, tensor in state.items()}
        for size, replay in self.replays.items():
            for name, column in replay.columns.items():
                tensors[f"replay.{size}.{name}"] = torch.from_numpy(column[: len(replay)])
        numbers = {
            "config": self.config.to_json(),
            "boards": self.boards,
            "replays": {n: [each.added, self.used[n]] for n, each in self.replays.items()},
            "seconds": self.seconds,
            "init": self.init,
            "rng": self.rng.bit_generator.state,
            "scaler": self.scaler.state_dict(),
            "history": self.history,
        }
        save_checkpoint(self.out, self.step, tensors, numbers, self.rank)
        if self.rank == 0:
            save_weights(self.out / "agent.safetensors", self.learner.player, self.card())

    def card(self) -> Card:
        return Card(
            mode=self.mode.reference,
            options=self.mode.options(),
            config=self.config.to_json(),
            version=__version__,
            updates=self.step,
            games=self.boards,
            hours=round(self.seconds / 3600, 3),
            curve=self.history,
            command=command_of(self.config) + (f" --init {self.init}" if self.init else ""),
        )

    def resume(self) -> bool:
        """Load the newest whole checkpoint of the folder; return False if there is none."""
        found = load_checkpoint(self.out, self.rank)
        if found is None:
            return False
        try:
            self._restore(*found)
        except (RuntimeError, KeyError, TypeError, ValueError, AttributeError) as error:
            reason = str(error).strip().splitlines() or [type(error).__name__]
            raise InputError(
                f"the checkpoint in {self.out} does not fit these settings: {reason[0]}"
            ) from None
        return True

    def _restore(self, step: int, tensors: dict[str, torch.Tensor], numbers: Any) -> None:
        self.step = step
        for name, net in {"net": self.net, **self.learner.extra}.items():
            net.load_state_dict(_under(name, tensors))
        self._load_optimizer(tensors)
        for size, (added, used) in numbers["replays"].items():
            replay = self.replay(int(size))
            replay.added, self.used[int(size)] = added, used
            for name, column in _under(f"replay.{size}", tensors).items():
                replay.columns[name][: len(column)] = column.numpy()
        self.boards, self.init = numbers["boards"], numbers.get("init", "")
        self.seconds, self.history = numbers["seconds"], numbers["history"]
        self.rng.bit_generator.state = numbers["rng"]
        if numbers["scaler"]:
            self.scaler.load_state_dict(numbers["scaler"])

    def _load_optimizer(self, tensors: dict[str, torch.Tensor]) -> None:
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, tensor in _under("optimizer", tensors).items():
            number, _, name = key.partition(".")
            state.setdefault(int(number), {})[name] = tensor
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def train_agent(
    config: TrainConfig,
    mode: Mode,
    out: Path,
    resume: bool = False,
    init: Path | None = None,
    progress: Callable[[Run], None] = lambda run: None,
) -> Run:
    """Train until done or stopped (Ctrl-C or SIGTERM: saves and ends cleanly)."""
    _prepare_folder(out, resume)
    run = Run(config, mode, out)
    if resume:
        if not run.resume():
            raise InputError(f"{out} holds no whole checkpoint to resume from")
    elif init is not None:
        start_from(run, init)
    if run.rank == 0:
        with whole_file(out / "config.json") as file:
            file.write(json.dumps(config.to_json(), indent=1).encode())
    with stop_signals() as received:
        run.train(lambda: bool(received), progress)
    run.save()
    run.stopped_by = received[0] if received and run.step < config.total_updates else None
    if dist.is_initialized():
        dist.destroy_process_group()
    return run


def saved_config(out: Path, learner: str | None = None) -> TrainConfig:
    """Return the config of the run in this folder; a `learner` of the user's own is named."""
    try:
        return config_from_json(read_json(out / "config.json", "the config of a run"), learner)
    except InputError as error:
        raise InputError(f"{out} holds no run to resume: {error}") from None


def start_from(run: Run, weights: Path) -> None:
    """Begin with the weights of another agent (of the same network)."""
    from pinchpoint.learning.weights import load_weights

    net, _ = load_weights(weights, run.config.network)
    run.init = weights.name
    try:
        for each in (run.net, *run.learner.extra.values()):
            each.load_state_dict(net.state_dict())
    except RuntimeError:
        raise InputError(
            f"{weights} is of another network than {run.config.network} with "
            f"{run.config.channels} channels and depth {run.config.depth}"
        ) from None


def _prepare_folder(out: Path, resume: bool) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}") from None
    rank = int(os.environ.get("RANK", "0"))
    if not resume and rank == 0 and any(out.glob("checkpoint-*.json")):
        raise InputError(f"{out} holds a run already; continue it with --resume or name another")


def _under(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {
        k.removeprefix(prefix + "."): t for k, t in tensors.items() if k.startswith(prefix + ".")
    }


# -- validation and the log -------------------------------------------------------------------


@dataclass
class Validation:
    """The same boards each time, so many for each p or each kind of graph."""

    learner: Learner
    games: int
    _pars: dict[int, Curve] = field(default_factory=dict)  # by size, once they are asked for

    def moves(self, net: QNet, size: int) -> Curve:
        """Return the mean moves of the greedy policy."""
        found = {}
        for name, groups in self.learner.validation(size, self.games).items():
            plans = [(greedy_plans(net, games), games.topology) for games in groups]
            found[name] = float(np.concatenate([plan_costs(*plan) for plan in plans]).mean())
        return found

    def par(self, size: int) -> Curve:
        """Return the mean par, where the solver is exact and answers at once."""
        if solved_at_once(self.learner.mode) and size not in self._pars:
            self._pars[size] = {
                name: float(np.mean([each.value for games in groups for each in solve(games)]))
                for name, groups in self.learner.validation(size, self.games).items()
            }
        return self._pars.get(size, {})


def write_log(out: Path, row: dict[str, Any]) -> None:
    """Add a row to the run's log.jsonl, and to TensorBoard where that is installed."""
    append_text(out / "log.jsonl", json.dumps(row) + "\n")
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return
    with SummaryWriter(out / "tensorboard") as writer:
        for name, value in row.items():
            curves = value if isinstance(value, dict) else {"": value}
            for p, number in curves.items():
                writer.add_scalar(f"{name}/{p}" if p else name, number, row["step"])


# -- the machine ------------------------------------------------------------------------------


def process_group(device: str) -> tuple[int, int]:
    """Return the rank and the number of processes, which torchrun puts in the environment."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world == 1:
        return 0, 1
    if not dist.is_initialized():
        dist.init_process_group("nccl" if choose_device(device).type == "cuda" else "gloo")
    return dist.get_rank(), world


def choose_device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"there is no device {name!r}; choose cpu, cuda or auto") from None
    if device.type == "cuda":
        if not torch.cuda.is_available():
            raise InputError("this machine has no GPU that torch can use; choose cpu or auto")
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return device


@contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Give a list to which Ctrl-C or SIGTERM adds its number; a second one ends at once."""
    received: list[int] = []

    def handle(number: int, frame: Any) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
