"""What several commands take in the same way: a mode with its options, a size, a density."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from chokepoint.boards import Density, Size, board_shape, density_range
from chokepoint.errors import InputError
from chokepoint.modes import Mode, get_mode
from chokepoint.topology import lattice


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
