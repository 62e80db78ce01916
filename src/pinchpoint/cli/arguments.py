"""Words of the command line that several commands share: lists, modes, sizes, densities, presets.

Lists are given as separate words (`--agents network random`) or with commas (`network,random`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.files import is_regular
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode, parse_options
from pinchpoint.game.sampling import (
    Density,
    Size,
    board_shape,
    density_range,
)
from pinchpoint.graph.lattices import lattice


def parse_list(words: Sequence[str], what: str, files: bool = False) -> list[str]:
    """Return the items of a list, each once: separate words, or words joined by commas.

    With `files`, a word that names a file is one item, whatever it has in it.
    """
    items = []
    for word in words:
        one = files and (is_regular(word) or is_regular(word.partition(":")[2]))
        items += [item.strip() for item in ([word] if one else word.split(","))]
    items = [item for item in items if item]
    if not items:
        raise InputError(f"no {what} is named; give at least one")
    return list(dict.fromkeys(items))


def parse_mode(name: str, rule: Sequence[str]) -> Mode:
    """Return the mode of that name, with options such as axis=both, K=3 or inclusive=true."""
    return get_mode(name, **parse_options(rule, "axis=both"))


def parse_modes(words: Sequence[str], rule: Sequence[str]) -> list[Mode]:
    """Return the modes of a list; options of the rule go with a single one."""
    names = parse_list(words, "mode")
    if rule and len(names) > 1:
        raise InputError(f"--rule goes with one mode; {len(names)} are named")
    return [parse_mode(name, rule) for name in names]


def parse_size(text: str) -> Size:
    """Return the size of a board: 20, or 10x30 for 10 rows of 30 squares."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) > 2 or not all(part.strip().isdecimal() for part in parts):
        raise InputError(f"the size is {text!r}; give one side (20) or height x width (10x30)")
    size = int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))
    lattice(*board_shape(size))  # checks that such a board is allowed
    return size


def parse_density(text: str) -> Density:
    """Return one density (0.8), or a range from which each board draws its own (0.5:1)."""
    numbers = _numbers(text)
    if len(numbers) not in (1, 2):
        raise InputError(f"p is {text!r}; give one density (0.8) or a range (0.5:1)")
    p: Density = numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
    density_range(p)
    return p


def parse_densities(words: Sequence[str]) -> list[float]:
    """Return the densities of a list, each once: 0.6 0.8, or from:to:step with both ends."""
    found: list[float] = []
    for text in parse_list(words, "density"):
        numbers = _numbers(text)
        if len(numbers) not in (1, 3):
            raise InputError(
                f"p is {text!r}; give densities (0.6 0.8) or from:to:step (0.6:1.0:0.1)"
            )
        found += _grid(*numbers) if len(numbers) == 3 else numbers
    for p in found:
        density_range(p)
    return list(dict.fromkeys(found))


def _numbers(text: str) -> list[float]:
    """Return the numbers between the colons; none if one of them is no number."""
    try:
        return [float(part) for part in text.split(":")]
    except ValueError:
        return []


def _grid(low: float, high: float, step: float) -> list[float]:
    density_range((low, high))
    if not step > 0:
        raise InputError(f"the step of p is {step:g}; it must be above 0")
    count = int((high - low) / step + 1e-9) + 1
    return [round(low + step * i, 10) for i in range(count)]


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: 1 game, 2 games."""
    return f"{count} {noun}{'s' * (count != 1)}"


# -- options whose defaults depend on other options ------------------------------------------

Wanted = TypeVar("Wanted")


def parse_first(wanted: type[Wanted], arguments: Sequence[str]) -> Wanted:
    """Parse the options of one dataclass and pass over all others.

    A command whose defaults depend on what is asked for (`--preset`, `--resume`) looks at these
    options first, and then returns its defaults from `default_options(arguments)`.
    """
    import tyro

    found, _ = tyro.cli(
        wanted,
        args=list(arguments),
        return_unknown_args=True,
        add_help=False,
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    return found


def get_preset(presets: Mapping[str, Wanted], name: str) -> Wanted:
    """Return the preset of that name."""
    one_of(name, presets, "preset")
    return presets[name]
