"""Compare two agents on the same boards: who needs fewer moves, and how sure that is.

pinchpoint compare network corehd --p 0.7 0.8
pinchpoint compare network random --mode flow --results results
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import tyro

from pinchpoint.cli.arguments import parse_mode
from pinchpoint.cli.source import BoardsToCompare
from pinchpoint.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Options(BoardsToCompare):
    first: Annotated[str, tyro.conf.Positional]
    """An agent."""
    second: Annotated[str, tyro.conf.Positional]
    """The agent to compare it with."""
    mode: str = "network"
    """The mode that both play."""
    rule: tuple[str, ...] = ()
    """Options of the mode: axis=both, K=3, inclusive=true."""
    size: str = "20"
    """A side, or height x width."""
    results: Path | None = None
    """Compare what `pinchpoint evaluate` wrote in this folder, and play nothing."""
    jobs: int = 0
    """Processes; 0 is one for each core."""
    json: bool = False
    """Print one JSON object in place of the sentence."""


def run(options: Options) -> None:
    from pinchpoint.study.summary import compare

    if options.first == options.second:
        raise InputError(f"{options.first} is compared with itself; name two different agents")
    rows = played_rows(options) if options.results is None else kept_rows(options)
    found = compare(rows, options.first, options.second)
    if options.json:
        print(json.dumps(asdict(found) | {"sentence": found.sentence()}))
    else:
        print(f"{options.mode}: {found.sentence()}")


def played_rows(options: Options) -> pd.DataFrame:
    from pinchpoint.cli.progress import bar, compile_engine
    from pinchpoint.study.evaluate import AgentFault, Evaluation

    compile_engine()
    found = options.gather([parse_mode(options.mode, options.rule)], [options.size])
    matches = [(agent, boards) for boards in found for agent in (options.first, options.second)]
    with TemporaryDirectory() as out:
        evaluation = Evaluation(matches, Path(out), options.seed, par_work=0)
        try:
            with bar("playing", evaluation.left()) as progress:
                return evaluation.run(options.jobs, progress=progress)
        except AgentFault as fault:  # the folder with the game is deleted
            raise AgentFault(fault.message, fault.record) from None


def kept_rows(options: Options) -> pd.DataFrame:
    from pinchpoint.study.rows import read_rows

    assert options.results is not None
    if options.networks or options.cost is not None or options.undirected:
        raise InputError("--results holds games that were played; leave out options of networks")
    rows = read_rows(options.results).query("mode == @options.mode")
    if not len(rows):
        raise InputError(f"{options.results} holds no games of mode {options.mode}")
    return rows
