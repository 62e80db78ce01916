"""The settings that all learners share: a frozen dataclass that is also the command line.

Each learner adds settings of its own in its file (`learners/`); `presets.py` has sets of them.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_args, get_origin, get_type_hints

from pinchpoint.errors import InputError

# One name for a network and what it sees, as cards and commands of version 0.1.0 have it.
NETWORK_ALIASES = {
    "paper": ("plain", "states"),
    "told": ("residual", "cuts"),
    "spread": ("paths", "cuts"),
    "curves": ("residual", "curves"),
    "raw": ("residual", "states"),
    "raw-spread": ("paths", "states"),
    "graph": ("messages", "graph"),
}


def number(default: Any, least: float | None = None, most: float | None = None) -> Any:
    """Return a setting whose value, or each of whose values, lies in this range."""
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class TrainConfig:
    """Defaults are those of the paper's table of hyperparameters."""

    mode: str = "network"
    """The game to learn: a name, or package.module:Name for one of your own."""
    rule: tuple[str, ...] = ()
    """Options of the mode, such as K=2 or inclusive=true."""
    learner: str = ""
    """bellman: the paper's; hindsight: with known returns; plans: imitate polished games; rollouts:
    look ahead with betweenness (on graphs); or package.module:Name for one of your own."""
    network: str = "plain"
    """Which network: plain (the paper's), residual, paths, loop, lines or messages (for graphs),
    or package.module:Name for one of your own. Names for a network and what it sees: paper, told,
    spread, curves, raw, raw-spread, graph."""
    sees: str = "states"
    """What the network is shown: states, cuts or curves (of which each has those before it), or
    graph."""
    network_options: tuple[str, ...] = ()
    """Settings of a network of your own, such as steps=3."""
    channels: int = number(64, 1)
    """Features of each square or node (the paper's m)."""
    depth: int = number(10, 1)
    """Convolutions (paper's d), blocks, or rounds of messages."""
    leak: float = number(0.0, 0, 1)
    """Slope of the network's activations below zero; with 0, channels can die."""
    sizes: tuple[int, ...] = number((20,), 1)
    """Board sizes, one after the other with the same weights; for graphs, the most nodes."""
    revisit: float = number(0.0, 0, 1)
    """Share of updates on a size that came before, so that it is not forgotten."""
    updates: tuple[int, ...] = number((1_000_000,), 0)
    """Updates on each size (the paper's T_max)."""
    p_low: float = number(0.5, 0, 1)
    """Boards have p uniform between this …"""
    p_high: float = number(1.0, 0, 1)
    """… and this."""
    replay: int = number(1_000_000, 1)
    """Experiences kept (N_replay)."""
    batch: int = number(128, 1)
    """Experiences an update (N_batch)."""
    optimizer: str = "adam"
    """adam: the paper's; muon: steps that move all directions of a layer alike."""
    learning_rate: float = 1e-4
    """Step size of the optimizer (not in the paper; this is Adam's in the authors' release)."""
    final_rate: float = number(1.0, 0)
    """Where the step size ends, as a fraction, falling like a cosine over all updates."""
    clip: float = number(0.0, 0)
    """Largest norm of the gradient; 0 for no limit."""
    symmetries: bool = False
    """Show each batch under a random symmetry that the mode keeps."""
    epsilon_start: float = number(1.0, 0, 1)
    """Chance of a random move at first (ε_max; plans: of a random square to learn) …"""
    epsilon_end: float = number(0.05, 0, 1)
    """… and in the end (ε_min)."""
    anneal: int = number(100_000, 1)
    """Updates from the one to the other (T_anneal)."""

    validate_every: int = number(10_000, 1)
    """Updates between games on the validation boards."""
    validation_games: int = 50
    """Validation boards for each of p = 0.6, 0.7, 0.8, 0.9."""
    checkpoint_every: int = number(1000, 1)
    """Updates between checkpoints."""
    seed: int = 0
    """Seed of everything random."""
    threads: int = number(0, 0)
    """Threads of torch; 0 for its own choice."""
    device: str = "auto"
    """cpu, cuda, or auto for a GPU where there is one."""

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for setting in fields(self):
            value = getattr(self, setting.name)
            _check_kind(setting.name, kinds[setting.name], value)
            for each in value if isinstance(value, tuple) else (value,):
                _check_range(setting.name, each, **setting.metadata)
        if not self.sizes or len(self.sizes) != len(self.updates):
            raise InputError(
                f"sizes {self.sizes} and updates {self.updates} must be as many, and at least one"
            )
        if not self.p_low <= self.p_high:
            raise InputError(f"p from {self.p_low} to {self.p_high} is no range within [0, 1]")
        if self.learning_rate <= 0:
            raise InputError("learning_rate must be greater than 0")
        if self.network in NETWORK_ALIASES:
            network, sees = NETWORK_ALIASES[self.network]
            object.__setattr__(self, "network", network)  # frozen for everybody else
            object.__setattr__(self, "sees", sees)

    @property
    def total_updates(self) -> int:
        return sum(self.updates)

    def epsilon(self, step: int) -> float:
        """Return the chance of a random move after `step` updates: linear, then constant."""
        done = min(step / self.anneal, 1.0)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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
    elif kind is float:
        if type(value) not in (int, float) or not math.isfinite(value):
            raise InputError(f"{name} is {value!r}; it must be a finite number")
    elif kind in WANTED and type(value) is not kind:
        raise InputError(f"{name} is {value!r}; it must be {WANTED[kind]}")


def _check_range(name: str, value: Any, least: float | None = None, most: Any = None) -> None:
    if most is not None and not least <= value <= most:
        raise InputError(f"{name} is {value}; it must be between {least} and {most}")
    if least is not None and value < least:
        raise InputError(f"{name} is {value}; it must be {least} or more")
