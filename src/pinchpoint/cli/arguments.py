"""Arguments that several commands share: boards to draw, lists, modes, sizes, densities, presets.

Lists are given as separate words (`--agents network random`) or with commas (`network,random`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode, parse_options
from pinchpoint.game.sampling import (
    Density,
    Size,
    board_set,
    board_shape,
    density_range,
    sample_boards,
    sample_on,
)
from pinchpoint.graph.lattices import check_lattice, lattice
from pinchpoint.graph.readers import is_graph_file, read_graph
from pinchpoint.graph.topology import SQUARE, LatticeKey, Topology
from pinchpoint.types import Bytes


@dataclass(frozen=True, kw_only=True)
class OnLattice:
    """The lattice of the boards, as options of a command."""

    lattice: str | None = None
    """square, triangular or hexagonal; by default what the file says, or square."""
    periodic: str | None = None
    """What wraps around: none, rows, columns or both."""


def lattice_key(options: OnLattice) -> LatticeKey | None:
    """Return the lattice that the options name; None if they name none."""
    if options.lattice is None and options.periodic is None:
        return None
    key = LatticeKey(options.lattice or SQUARE.lattice, options.periodic or SQUARE.periodic)
    check_lattice(*key)
    return key


@dataclass(frozen=True, kw_only=True)
class Terminals:
    """The nodes of a graph that flow has to part, as options of a command."""

    source: tuple[str, ...] = ()
    """Nodes of a graph, by name, that flow has to part from those of --target."""
    target: tuple[str, ...] = ()
    """Nodes of a graph, by name, that flow has to part from those of --source."""


def parting(options: Terminals, mode: Mode, graph: Topology, where: str) -> Mode:
    """Return the mode with the terminals that the options name, if it has terminals."""
    if not hasattr(mode, "terminals"):
        return mode
    if not (options.source or options.target):
        if mode.terminals is None:
            raise InputError(f"{mode.name} on a graph needs nodes to part: --source and --target")
        return mode
    numbers = {str(name): node for node, name in enumerate(graph.names or range(graph.n))}
    for name in (*options.source, *options.target):
        if name not in numbers:
            raise InputError(f"{where} has no node {name!r}")
    ends = [[numbers[name] for name in side] for side in (options.source, options.target)]
    return get_mode(mode.reference, **{**mode.options(), "terminals": ends})


def check_terminals(options: Terminals, modes: Sequence[Mode]) -> None:
    """Raise InputError if nodes are to be parted in modes that part none."""
    if (options.source or options.target) and not any(hasattr(m, "terminals") for m in modes):
        names = ", ".join(mode.name for mode in modes)
        raise InputError(f"--source and --target go with flow; {names} has none")


def refuse(options: Any, names: Sequence[str], why: str) -> None:
    """Raise InputError if one of these options has another value than its default."""
    for name in names:
        if getattr(options, name) != getattr(type(options), name):
            raise InputError(f"--{name} {why}")


@dataclass(frozen=True, kw_only=True)
class OnNetworks(Terminals, OnLattice):
    """Networks in place of boards, as options of a command that plays either."""

    networks: tuple[str, ...] = ()
    """Networks in place of boards: files of graphs, or network:NAME for one in the box."""
    undirected: bool = False
    """Networks: forget the directions of a directed graph."""
    cost: str | None = None
    """Networks: the attribute of the nodes that holds their costs, or a file of node and cost. The
    score of a game is the sum of the costs of the nodes attacked."""


def named_networks(options: OnNetworks, modes: Sequence[Mode], boards: Path | None) -> list[Boards]:
    """Return the networks that the options name, each as a board; none if they name none."""
    from pinchpoint.cli.source import network_boards

    check_terminals(options, modes)
    if boards is not None and is_graph_file(boards):
        raise InputError(f"{boards} is a graph; name it with --networks in place of --boards")
    if not options.networks:
        if options.source or options.target:
            raise InputError("--source and --target go with --networks; a lattice has its sides")
        if options.cost is not None:
            raise InputError("--cost goes with --networks; every square of a lattice costs 1")
        if options.undirected:
            raise InputError("--undirected goes with --networks; a lattice has no directions")
        return []
    if boards is not None:
        raise InputError("--boards and --networks are both given; name one of them")
    if lattice_key(options) is not None:
        raise InputError("--lattice and --periodic go with boards; leave them out with --networks")
    refuse(options, ("size", "p", "games"), "goes with boards; leave it out with --networks")
    names = parse_list(options.networks, "network")
    return network_boards(modes, names, options.undirected, options.cost, partial(parting, options))


@dataclass(frozen=True, kw_only=True)
class OnGraph(Terminals):
    """What goes with a graph in place of boards, as options of a command that takes either."""

    cost: str | None = None
    """The attribute of a graph's nodes that holds their costs, or a file of node and cost."""
    undirected: bool = False
    """Forget the directions of a directed graph."""


def check_no_graph(options: OnGraph) -> None:
    """Raise InputError if an option is given that goes with a graph only."""
    refuse(
        options, ("source", "target", "cost", "undirected"), "goes with a graph; these are boards"
    )


def graph_games(options: OnGraph, path: Path, mode: Mode) -> Games:
    """Lay the graph of a file as one game, with the terminals that the options name."""
    topology = read_graph(path, options.undirected, options.cost)
    laid = np.ones((1, topology.n), dtype=np.uint8)
    check_terminals(options, [mode])
    return Games(laid, parting(options, mode, topology, str(path)), topology)


@dataclass(frozen=True)
class Sampling(OnLattice):
    """Boards to draw, as options of a command."""

    mode: str = "network"
    """network, flow, noodle, shatter, or your own as package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode: axis=both, K=3, inclusive=true, share=0.05, size=20."""
    size: str = "20"
    """A side, or height x width: 20, 10x30."""
    p: str = "0.8"
    """The probability that a square is open: 0.8, or 0.5:1 to draw one for each board."""
    count: int = 1
    """How many boards."""
    seed: int = 0
    """The same seed gives the same boards."""
    set: str | None = None
    """A named set (`pinchpoint boards --sets`), in place of all of the above."""


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
    lattice: LatticeKey
    made: Boards


def take_sample(sampling: Sampling, start: int = 0) -> Sample:
    """Draw the boards that the options ask for, from number `start` on, or those of a named set."""
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
    key = lattice_key(sampling) or SQUARE
    if sampling.set is not None and key != SQUARE:
        raise InputError("named sets are of the square lattice; leave out --lattice and --periodic")
    topology = lattice(*board_shape(size), *key)
    boards = sample_on(topology, mode, p, count, seed, start)
    return Sample(mode, size, p, count, seed, boards.squares, boards.p.tolist(), key, boards)


def sampled(
    modes: Sequence[Mode],
    sizes: Sequence[Size],
    ps: Sequence[float],
    games: int,
    seed: int,
    key: LatticeKey,
) -> list[Boards]:
    """Draw random boards for every mode, size and density."""
    if games < 1:
        raise InputError(f"the number of games is {games}; it must be 1 or more")
    return [
        sample_boards(mode, size, p, games, seed, 0, *key)
        for mode, size, p in product(modes, sizes, ps)
    ]


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: 1 game, 2 games."""
    return f"{count} {noun}{'s' * (count != 1)}"


# -- words of the command line -> values -----------------------------------------------------


def parse_list(words: Sequence[str], what: str) -> list[str]:
    """Return the items of a list, each once: separate words, or words joined by commas."""
    items = [item.strip() for word in words for item in word.split(",") if item.strip()]
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
    if name not in presets:
        raise InputError(f"there is no preset {name!r}; choose from {', '.join(presets)}")
    return presets[name]
