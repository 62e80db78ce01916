"""Let agents play the same boards, and write a row for each game and a summary beside par."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chokepoint.cli.arguments import parse_mode, parse_size
from chokepoint.errors import InputError
from chokepoint.game import Mode, density_range


@dataclass(frozen=True)
class Options:
    agents: str = "network,flow,noodle,random,optimal"
    """Names of agents, with commas: network, search:32, corehd, package.module:Name."""
    modes: str = "network,flow,noodle"
    """Names of modes, with commas."""
    rule: tuple[str, ...] = ()
    """Options of the mode, if there is only one: axis=both, K=3, inclusive=true."""
    size: str = "20"
    """Sizes of boards, with commas: 20, 10x30."""
    p: str = "0.6:1.0:0.05"
    """Densities: one (0.8), several (0.6,0.8) or from:to:step."""
    games: int = 100
    """Boards of each mode, size and density."""
    boards: Path | None = None
    """Boards to play in place of random ones: text, .npz, or the games of a file of records."""
    seed: int = 1
    """The same seed gives the same boards and the same random moves."""
    par_seconds: float = 1.0
    """Time limit of the solver for the par of one board; 0 leaves par out."""
    out: Path = Path("results")
    """Folder of the results; what it holds already is not played again."""
    format: str = "parquet"
    """Of the rows: parquet or csv."""
    records: Path | None = None
    """Write all games to this file, as `chokepoint replay` reads them."""
    jobs: int = 0
    """Processes; 0 is one for each core."""
    backend: str = "joblib"
    """joblib (this machine) or ray (the cluster of RAY_ADDRESS, or a local one)."""
    json: bool = False
    """Print the summary as JSON, one object a line."""


def run(options: Options) -> int | None:
    from chokepoint.cli.progress import bar, compile_engine
    from chokepoint.game import write_records
    from chokepoint.study import (
        AgentFault,
        Evaluation,
        check_row_format,
        file_points,
        sampled_points,
        summarise,
        summary_text,
        write_rows,
    )

    check_row_format(options.format)
    modes = parse_modes(options.modes, options.rule)
    compile_engine()
    if options.boards is not None:
        points = file_points(modes, options.boards)
    else:
        sizes = [parse_size(text) for text in options.size.split(",")]
        points = sampled_points(modes, sizes, parse_ps(options.p), options.games, options.seed)
    matches = [(agent, point) for point in points for agent in parse_names(options.agents)]
    evaluation = Evaluation(matches, options.out, options.seed, options.par_seconds)
    try:
        with bar("playing", evaluation.left()) as progress:
            rows = evaluation.run(options.jobs, options.backend, progress)
    except AgentFault as fault:
        print(f"chokepoint: {fault}", file=sys.stderr)
        return 1
    summary = summarise(rows)
    write_rows(rows, options.out, options.format)
    write_rows(summary, options.out, "csv", "summary")
    if options.records is not None:
        write_records(options.records, evaluation.records())
    if options.json:
        print(summary.to_json(orient="records", lines=True), end="")
    else:
        print(summary_text(summary))
    return None


def parse_names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise InputError("no agent is named; give at least one, several with commas between")
    return list(dict.fromkeys(names))


def parse_modes(text: str, rule: Sequence[str] = ()) -> list[Mode]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise InputError("no mode is named; give at least one, several with commas between")
    if rule and len(names) > 1:
        raise InputError(f"--rule goes with one mode; {len(names)} are named")
    return [parse_mode(name, rule) for name in dict.fromkeys(names)]


def parse_ps(text: str) -> list[float]:
    """0.8, or 0.6,0.7,0.8, or 0.6:1.0:0.05 with both ends."""
    grid = ":" in text
    try:
        numbers = [float(part) for part in text.split(":" if grid else ",")]
    except ValueError:
        numbers = []
    if not numbers or (grid and len(numbers) != 3):
        raise InputError(f"p is {text!r}; give a density, several with commas, or from:to:step")
    if grid:
        low, high, step = numbers
        density_range((low, high))
        if not step > 0:
            raise InputError(f"the step of p is {step:g}; it must be above 0")
        count = int((high - low) / step + 1e-9) + 1
        numbers = [round(low + step * i, 10) for i in range(count)]
    for p in numbers:
        density_range(p)
    return list(dict.fromkeys(numbers))
