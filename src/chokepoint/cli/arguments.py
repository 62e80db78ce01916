"""What several commands take in the same way: a mode with its options, a size, a density."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chokepoint.errors import InputError
from chokepoint.game import (
    Density,
    Mode,
    Size,
    board_set,
    board_shape,
    density_range,
    get_mode,
    sample_open,
)
from chokepoint.graph import lattice
from chokepoint.types import Bytes


@dataclass(frozen=True)
class Sampling:
    """Boards to draw, as options of a command."""

    mode: str = "network"
    """network, flow, noodle, or your own as package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode: axis=both, K=3, inclusive=true."""
    size: str = "20"
    """A side, or height x width: 20, 10x30."""
    p: str = "0.8"
    """The probability that a square is open: 0.8, or 0.5:1 to draw one for each board."""
    count: int = 1
    """How many boards."""
    seed: int = 0
    """The same seed gives the same boards."""
    set: str | None = None
    """A named set (`chokepoint boards --sets`), in place of all of the above."""


@dataclass(frozen=True)
class Sample:
    """Boards, and how to draw them again."""

    mode: Mode
    size: Size
    p: Density
    count: int
    seed: int
    boards: Bytes  # [count, h, w]
    densities: Sequence[float]  # [count]  the p of each board


def draw(sampling: Sampling, start: int = 0) -> Sample:
    """The boards that the options ask for; from number `start` on, unless they are a named set."""
    if sampling.set is not None:
        named = board_set(sampling.set)
        mode, size, p = get_mode(named.mode), named.size, named.p
        count, seed, start = named.count, named.seed, 0
    else:
        mode = parse_mode(sampling.mode, sampling.rule)
        size, p = parse_size(sampling.size), parse_density(sampling.p)
        count, seed = sampling.count, sampling.seed
    if count < 1:
        raise InputError(f"the count is {count}; it must be 1 or more")
    topology = lattice(*board_shape(size))
    boards, densities = sample_open(topology, mode, p, count, seed, start)
    shaped = boards.reshape(count, *topology.lattice_shape())
    return Sample(mode, size, p, count, seed, shaped, [float(p) for p in densities])


def counted(count: int, noun: str) -> str:
    """1 game, 2 games."""
    return f"{count} {noun}{'s' * (count != 1)}"


def parse_mode(name: str, rule: Sequence[str]) -> Mode:
    """The mode of that name, with options such as axis=both, K=3 or inclusive=true."""
    options: dict[str, Any] = {}
    for item in rule:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise InputError(f"the rule option {item!r} is not of the form name=value (axis=both)")
        try:
            options[key] = json.loads(value)
        except json.JSONDecodeError:
            options[key] = value  # plain words need no quotes
    return get_mode(name, **options)


def parse_size(text: str) -> Size:
    """20, or 10x30 for 10 rows of 30 squares."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) > 2 or not all(part.strip().isdecimal() for part in parts):
        raise InputError(f"the size is {text!r}; give one side (20) or height x width (10x30)")
    size = int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))
    lattice(*board_shape(size))  # checks that such a board is allowed
    return size


def parse_density(text: str) -> Density:
    """0.8, or 0.5:1 for a p drawn uniformly from a range for each board."""
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise InputError(f"p is {text!r}; give one density (0.8) or a range (0.5:1)")
    p: Density = numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
    density_range(p)
    return p
