"""Let agents play the same boards, and write a row for each game and a summary beside par.

pinchpoint evaluate --agents network random optimal --modes network flow --p 0.6:1:0.1
pinchpoint evaluate --agents degree corehd --modes shatter --networks network:gb-grid grid.graphml
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pinchpoint.cli.arguments import parse_list, parse_modes
from pinchpoint.cli.source import BoardsToCompare
from pinchpoint.errors import InputError
from pinchpoint.files import check_names, whole_files


@dataclass(frozen=True)
class Options(BoardsToCompare):
    agents: tuple[str, ...] = ("network", "flow", "noodle", "random", "optimal")
    """Who plays: network random corehd search:32, or your own as package.module:Name."""
    modes: tuple[str, ...] = ("network", "flow", "noodle")
    """What they play: network flow noodle shatter, or your own as package.module:Name."""
    rule: tuple[str, ...] = ()
    """Options of the mode, if there is only one: axis=both, K=3, inclusive=true."""
    size: tuple[str, ...] = ("20",)
    """Sizes of the boards, a side or height x width: 20, or 10 20 10x30."""
    p: tuple[str, ...] = ("0.6:1.0:0.05",)
    """Densities: 0.8, or 0.6 0.8, or from:to:step as in 0.6:1.0:0.05."""
    boards: Path | None = None
    """Boards to play in place of random ones: text, .npz, or the games of a file of records."""
    par_work: float = 1.0
    """Work of the solver for the par of one board: 1 is about a second. 0 leaves par out."""
    out: Path = Path("results")
    """Folder of the results; what it holds already is not played again."""
    format: str = "csv"
    """The format of the rows: csv, which `pinchpoint compare` reads, or parquet."""
    records: Path | None = None
    """Write all games to this file, as `pinchpoint replay` reads them."""
    jobs: int = 0
    """Processes; 0 is one for each core."""
    backend: str = "joblib"
    """joblib (this machine) or ray (the cluster of RAY_ADDRESS, or a local one)."""
    json: bool = False
    """Print the summary as JSON, one object a line."""


def run(options: Options) -> None:
    from pinchpoint.cli.progress import bar, compile_engine
    from pinchpoint.game.record import put_records
    from pinchpoint.study.evaluate import Evaluation
    from pinchpoint.study.rows import check_row_format, put_rows
    from pinchpoint.study.summary import summarise, summary_text

    check_row_format(options.format)
    paths = [options.out / f"rows.{options.format}", options.out / "summary.csv"]
    if options.records is not None:
        paths.append(options.records)
        folder = options.records.parent
        if not (folder.is_dir() or folder.resolve() == options.out.resolve()):
            raise InputError(f"cannot write {options.records}: there is no folder {folder}")
    check_names(paths)
    modes = parse_modes(options.modes, options.rule)
    compile_engine()
    found = options.gather(modes, parse_list(options.size, "size"), options.boards)
    agents = parse_list(options.agents, "agent")
    matches = [(agent, boards) for boards in found for agent in agents]
    evaluation = Evaluation(matches, options.out, options.seed, options.par_work)
    with bar("playing", evaluation.left()) as progress:
        rows = evaluation.run(options.jobs, options.backend, progress)
    summary = summarise(rows)
    with whole_files(paths) as files:
        put_rows(files[0], rows, options.format)
        put_rows(files[1], summary, "csv")
        for file in files[2:]:
            put_records(file, evaluation.records(), str(options.records))
    if options.json:
        print(summary.to_json(orient="records", lines=True), end="")
    else:
        print(summary_text(summary))
