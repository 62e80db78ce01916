"""The settings of a training run: one frozen dataclass that is also the command line."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pinchpoint.errors import InputError

POSITIVE = (
    "channels", "depth", "replay", "batch", "rollout_every", "rollout_games", "target_every",
    "n_step", "boards", "tries", "tried", "validate_every", "checkpoint_every", "anneal",
)  # fmt: skip


@dataclass(frozen=True)
class TrainConfig:
    """Defaults are the preset `paper`: the paper's table of hyperparameters and its Algorithm 1."""

    mode: str = "network"
    """The game to learn: a name, or package.module:Name for one of your own."""
    rule: tuple[str, ...] = ()
    """Options of the mode, such as K=2 or inclusive=true."""
    learner: Literal["bellman", "hindsight", "plans", "rollouts"] = "bellman"
    """bellman: the paper's; hindsight: with known returns; plans: imitate polished games; rollouts:
    look ahead with betweenness (on graphs)."""
    network: str = "paper"
    """Which network: paper, told, spread, curves, raw, raw-spread; graph or graph-q for graphs."""
    channels: int = 64
    """Features of each square or node (the paper's m)."""
    depth: int = 10
    """Convolutions (paper's d), residual blocks, or rounds of messages."""
    leak: float = 0.0
    """Slope of the network's activations below zero; with 0, channels can die."""
    sizes: tuple[int, ...] = (20,)
    """Board sizes, one after the other with the same weights; for graphs, the most nodes."""
    revisit: float = 0.0
    """Share of updates on a size that came before, so that it is not forgotten."""
    updates: tuple[int, ...] = (1_000_000,)
    """Updates on each size (the paper's T_max)."""
    network_rounds: float = 0.0
    """Graphs: share of the rounds that play network mode in place of the mode."""
    p_low: float = 0.5
    """Boards have p uniform between this …"""
    p_high: float = 1.0
    """… and this."""
    replay: int = 1_000_000
    """Experiences kept (N_replay)."""
    batch: int = 128
    """Experiences an update (N_batch)."""
    optimizer: Literal["adam", "muon"] = "adam"
    """adam: the paper's; muon: steps that move all directions of a layer alike."""
    learning_rate: float = 1e-4
    """Step size of the optimizer (not in the paper; this is Adam's in the authors' release)."""
    final_rate: float = 1.0
    """Where the step size ends, as a fraction, falling like a cosine over all updates."""
    clip: float = 0.0
    """Largest norm of the gradient; 0 for no limit."""
    symmetries: bool = False
    """Show each batch under a random symmetry that the mode keeps."""

    rollout_every: int = 1000
    """bellman: updates between rollouts (T_rollout)."""
    rollout_games: int = 10
    """bellman: games a rollout (N_rollout)."""
    epsilon_start: float = 1.0
    """Chance of a random move at first (ε_max; plans: of a random square to learn) …"""
    epsilon_end: float = 0.05
    """… and in the end (ε_min)."""
    anneal: int = 100_000
    """Updates from the one to the other (T_anneal)."""
    target_every: int = 1000
    """bellman: updates between copies to the target network (T_update)."""
    n_step: int = 1
    """bellman, hindsight: moves summed up before the target network's estimate takes over."""
    huber: bool = False
    """All but rollouts: Huber loss in place of the squared error."""

    boards: int = 32
    """plans, hindsight, rollouts: boards played at a time."""
    sparse: float = 0.7
    """All but bellman: share of rounds with p in the lower half of its range: short games."""
    tries: int = 8
    """plans, hindsight: games on each board, of which the shortest is learned from."""
    swaps: int = 1000
    """plans, hindsight: trials to shorten each game by swapping a move for a square nearby."""
    wander: float = 0.5
    """plans, hindsight: share of boards learned from the middle of a game of the network."""
    replay_ratio: float = 8.0
    """plans, hindsight, rollouts: how often each experience is used."""
    averaging: float = 0.998
    """All but bellman: decay of the running mean of the weights; the mean is what plays."""
    value_weight: float = 0.25
    """plans, rollouts: weight of the board's value in the loss."""

    choice_weight: float = 4.0
    """plans, hindsight: weight of the differences between squares in the loss."""
    tried: int = 4
    """All but bellman: squares that look best at a position and are learned, beside others."""
    positions: int = 0
    """plans, hindsight: positions of each game that are learned, drawn by chance; 0 for all."""
    one_step: float = 0.5
    """hindsight: share of the targets that are taken after one move and not after `n_step`."""

    validate_every: int = 10_000
    """Updates between games on the validation boards."""
    validation_games: int = 50
    """Validation boards for each of p = 0.6, 0.7, 0.8, 0.9."""
    checkpoint_every: int = 1000
    """Updates between checkpoints."""
    seed: int = 0
    """Seed of everything random."""
    threads: int = 0
    """Threads of torch; 0 for its own choice."""
    device: str = "auto"
    """cpu, cuda, or auto for a GPU where there is one."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(TrainConfig).items():
            _check_kind(name, kind, getattr(self, name))
        if not self.sizes or len(self.sizes) != len(self.updates):
            raise InputError(
                f"sizes {self.sizes} and updates {self.updates} must be as many, and at least one"
            )
        for name in POSITIVE:
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        if min(self.updates) < 0 or min(self.sizes) < 1 or min(self.swaps, self.positions) < 0:
            raise InputError("sizes must be 1 or more, updates, swaps and positions 0 or more")
        for name in (
            "clip",
            "final_rate",
            "value_weight",
            "choice_weight",
            "threads",
        ):
            if getattr(self, name) < 0:
                raise InputError(f"{name} is {getattr(self, name)}; it must be 0 or more")
        if not (0 <= self.p_low <= self.p_high <= 1):
            raise InputError(f"p from {self.p_low} to {self.p_high} is no range within [0, 1]")
        if self.learning_rate <= 0 or self.replay_ratio <= 0:
            raise InputError("learning_rate and replay_ratio must be greater than 0")
        for name in (
            "leak",
            "epsilon_start",
            "epsilon_end",
            "revisit",
            "sparse",
            "wander",
            "one_step",
            "network_rounds",
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is {getattr(self, name)}; it must be between 0 and 1")

    @property
    def total_updates(self) -> int:
        return sum(self.updates)

    def epsilon(self, step: int) -> float:
        """The chance of a random move after `step` updates: linear, then constant."""
        done = min(step / self.anneal, 1.0)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def command(self) -> str:
        """The command that trains with these settings: the nearest preset and what is different."""

        def different(preset: TrainConfig) -> list[str]:
            return [
                f.name for f in fields(self) if getattr(self, f.name) != getattr(preset, f.name)
            ]

        name = min(PRESETS, key=lambda each: len(different(PRESETS[each])))
        words = ["pinchpoint train --preset", name]
        for setting in different(PRESETS[name]):
            option, value = setting.replace("_", "-"), getattr(self, setting)
            if isinstance(value, bool):
                words.append(f"--{option}" if value else f"--no-{option}")
            else:
                words += [f"--{option}", *map(str, value if isinstance(value, tuple) else [value])]
        return " ".join(words)


WANTED = {int: "a whole number", bool: "true or false", str: "text"}


def _check_kind(name: str, kind: Any, value: Any) -> None:
    """Raise InputError unless a setting is of the kind that its annotation says.

    The command line has checked that already; a file may hold anything, and both can say nan.
    """
    if get_origin(kind) is tuple:
        if not isinstance(value, tuple):
            raise InputError(f"{name} is {value!r}; it must be a list")
        for item in value:
            _check_kind(f"an item of {name}", get_args(kind)[0], item)
    elif get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise InputError(f"{name} is {value!r}; choose from {', '.join(get_args(kind))}")
    elif kind is float:
        if type(value) not in (int, float) or not math.isfinite(value):
            raise InputError(f"{name} is {value!r}; it must be a finite number")
    elif type(value) is not kind:
        raise InputError(f"{name} is {value!r}; it must be {WANTED[kind]}")


def config_from_json(data: Any) -> TrainConfig:
    """A config as it was saved; settings that this version does not know are an error."""
    if not isinstance(data, dict):
        raise InputError("a saved config is an object of settings")
    known = {f.name for f in fields(TrainConfig)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise InputError(f"the saved config has unknown settings: {', '.join(unknown)}")
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return TrainConfig(**values)


PAPER = TrainConfig()

# Strong play for a few thousandths of the paper's arithmetic.
FAST = replace(
    PAPER,
    learner="plans",
    network="spread",
    channels=32,
    depth=6,
    leak=0.1,
    sizes=(10, 20),
    updates=(2000, 7000),
    revisit=0.1,
    p_low=0.55,  # below, boards hardly hold together at all
    replay=6000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    symmetries=True,
    huber=True,
    epsilon_start=0.25,
    epsilon_end=0.25,
    positions=4,
    replay_ratio=6.0,
    value_weight=1.0,
    validate_every=500,
    checkpoint_every=250,
)

# Q-learning from raw boards, with returns known in hindsight.
Q = replace(
    PAPER,
    learner="hindsight",
    network="raw",
    channels=32,
    depth=6,
    sizes=(7, 10, 20),
    updates=(300, 1200, 4000),
    revisit=0.1,
    p_low=0.55,
    replay=4000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    symmetries=True,
    huber=True,
    epsilon_start=0.5,
    anneal=800,
    n_step=5,
    boards=64,
    sparse=0.5,
    tries=2,
    swaps=300,
    replay_ratio=4.0,
    validate_every=500,
    checkpoint_every=250,
)

# One agent for any graph: look-ahead on random graphs of many kinds.
GRAPH = replace(
    PAPER,
    mode="shatter",
    learner="rollouts",
    network="graph",
    channels=32,
    depth=4,
    sizes=(100, 300),
    updates=(6000, 10_000),
    revisit=0.2,
    network_rounds=0.2,
    p_low=0.85,
    replay=50_000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    epsilon_start=0.15,
    epsilon_end=0.15,
    boards=8,
    sparse=0.5,
    tried=7,
    tries=2,  # this and swaps: not read by rollouts, but part of the shipped agent's card
    swaps=100,
    replay_ratio=8.0,
    validate_every=1000,
    validation_games=4,
    checkpoint_every=250,
)

PRESETS: dict[str, TrainConfig] = {"paper": PAPER, "fast": FAST, "q": Q, "graph": GRAPH}
