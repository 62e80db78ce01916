"""Reproduce the paper: play its games, draw its figures, check its claims, write a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinchpoint.cli.arguments import parse_densities
from pinchpoint.errors import InputError

if TYPE_CHECKING:
    from pinchpoint.paper.experiments import Experiments


@dataclass(frozen=True)
class Options:
    quick: bool = False
    """50 games a point, in a few minutes (the default)."""
    full: bool = False
    """1,000 games a point as in the paper, in hours; stop and start it as you like."""
    out: Path = Path("reproduction")
    """Folder for report.md, report.html, figures and result rows."""
    games: int | None = None
    """Boards a point, in place of 50 or 1,000; few are few on larger boards and in studies too."""
    p: tuple[str, ...] = ()
    """Densities, such as 0.6:1:0.1; 0.8 must be among them."""
    par_work: float | None = None
    """Limit of the solver for each board, in place of 0.12 or 10; about seconds."""
    search_games: int | None = None
    """Boards a point that search plays, in place of 25 or 200; 0 leaves it out."""
    seed: int = 1
    """The same seed gives the same boards."""
    palette: str = "classic"
    """Colours of the boards: classic (as in the paper) or clear (for every eye)."""
    jobs: int = 0
    """Processes; 0 is one for each core."""
    compare: Path | None = None
    """The manifest.json of another reproduction to compare the one in --out with; plays nothing."""
    backend: str = "joblib"
    """joblib (this machine) or ray (the cluster of RAY_ADDRESS, or a local one)."""


def run(options: Options) -> int | None:
    from pinchpoint.cli.progress import bar_or_lines, compile_engine
    from pinchpoint.game.palette import get_palette
    from pinchpoint.paper.experiments import FULL, QUICK
    from pinchpoint.paper.report import verdict_lines
    from pinchpoint.paper.reproduce import Reproduction

    if options.quick and options.full:
        raise InputError("give --quick or --full, not both")
    if options.compare is not None:
        return compare(options.out, options.compare)
    get_palette(options.palette)
    plan = changed(FULL if options.full else QUICK, options)
    compile_engine()
    reproduction = Reproduction(
        plan,
        options.out,
        options.seed,
        options.jobs,
        options.backend,
        options.palette,
    )
    found = reproduction.run(bar_or_lines)
    print("  ".join([f"{team.name:17}" for team in found.teams] + ["claim"]))
    for claim, *verdicts in verdict_lines(found.tables["claims"]):
        print("  ".join([f"{verdict:17}" for verdict in verdicts] + [claim]))
    print(f"\nthe report is {options.out / 'report.html'} (and report.md)")
    return None


def changed(plan: Experiments, options: Options) -> Experiments:
    """Return the plan with what the options say in place of its own."""
    given: dict[str, Any] = {
        "games": options.games,
        "ps": tuple(parse_densities(options.p)) if options.p else None,
        "par_work": options.par_work,
        "search_games": options.search_games,
    }
    return replace(plan, **{name: value for name, value in given.items() if value is not None})


def compare(ours: Path, theirs: Path) -> int:
    """Print the hashes of two reproductions side by side; return 1 if a table differs."""
    from pinchpoint.paper.manifest import differences, read_manifest, side_by_side

    here, there = read_manifest(ours), read_manifest(theirs)
    for line in (*side_by_side(here, there), *differences(here, there)):
        print(line)
    if here["tables"] != there["tables"]:
        return 1
    print(f"all {len(here['tables'])} tables are the same, times apart")
    return 0
