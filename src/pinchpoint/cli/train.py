"""Train an agent by self-play; stop it with Ctrl-C and go on later with --resume.

The exit code is 0 when all updates are made, 130 after Ctrl-C and 143 after SIGTERM.

pinchpoint train --mode flow --out runs/flow                   # our preset
pinchpoint train --mode flow --out runs/flow --resume          # go on where it was stopped
pinchpoint train --mode flow --out runs/q --preset q           # Q-learning from raw boards
pinchpoint train --mode flow --out runs/paper --preset paper   # Algorithm 1, the paper's table
pinchpoint train --out runs/graph --preset graph               # one agent for any graph
pinchpoint train --learner bellman --help                      # the settings of that learner
torchrun --nproc-per-node 2 -m pinchpoint.cli train --mode flow --out runs/both
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from pinchpoint.cli.arguments import get_preset, parse_first, parse_mode
from pinchpoint.errors import InputError
from pinchpoint.game.modes.table import known_mode
from pinchpoint.learning.config import NETWORK_ALIASES, TrainConfig
from pinchpoint.learning.learners.table import with_learner
from pinchpoint.learning.presets import PRESETS

if TYPE_CHECKING:
    from pinchpoint.learning.train import Run


@dataclass(frozen=True)
class Options:
    out: Path
    """Folder of the run: checkpoints, log.jsonl, the learning curve and the trained agent."""
    preset: str = "fast"
    """Where the settings start from: fast (polished games), q (Q-learning, raw boards), graph (any
    graph) or paper; by default fast, or that of the learner that is named."""
    resume: bool = False
    """Go on with the run in the folder; its settings are the defaults then."""
    init: Path | None = None
    """Begin with the weights of this agent (.safetensors) in place of random ones."""
    config: tyro.conf.OmitArgPrefixes[TrainConfig] = PRESETS["fast"]


@dataclass(frozen=True)
class Start:
    """The options that decide the defaults of all others."""

    out: Path | None = None
    preset: str | None = None
    resume: bool = False
    mode: str | None = None
    learner: str | None = None
    network: str | None = None
    sees: str | None = None


def default_options(arguments: Sequence[str]) -> Options:
    """Return the defaults: those of the preset, or of the run that is to be resumed.

    They have the settings of the learner that is named, which are therefore the options.
    """
    start = parse_first(Start, arguments)
    if start.network in NETWORK_ALIASES and start.sees is not None:
        network, sees = NETWORK_ALIASES[start.network]
        raise InputError(
            f"network {start.network} is --network {network} --sees {sees}; leave out the other "
            "--sees"
        )
    of_learner = {config.learner: name for name, config in PRESETS.items()}
    preset = start.preset or of_learner.get(start.learner or "", "fast")
    config = get_preset(PRESETS, preset)
    if start.resume and start.out:
        from pinchpoint.learning.train import saved_config

        config = saved_config(start.out, start.learner)
        # A file does not name code: what is the user's own is typed.
        if start.mode is None:
            known_mode(config.mode, {})
        if start.network is None and ":" in config.network:
            raise InputError(
                f"the network {config.network!r} is not one of ours, and a file alone does not "
                "load code; if you trust it, say so: --network package.module:Name"
            )
    if start.learner is not None and start.learner != config.learner:
        config = with_learner(config, start.learner)
    return Options(out=start.out or tyro.MISSING, preset=preset, config=config)


def run(options: Options) -> int | None:
    from pinchpoint.learning.train import TrainingFailed, train_agent

    mode = parse_mode(options.config.mode, options.config.rule)
    try:
        with _progress(options.config.total_updates) as show:
            done = train_agent(
                options.config, mode, options.out, options.resume, options.init, show
            )
    except TrainingFailed as failure:
        print(f"pinchpoint: {failure}", file=sys.stderr)
        return 1
    if done.rank == 0:
        _draw_curve(options.out, done)
        agent = options.out / "agent.safetensors"
        print(f"{done.step} updates, {done.boards} boards; the agent is {agent}")
    if done.stopped_by is None:
        return None
    if done.rank == 0:
        print(f"stopped before the end; go on with --out {options.out} --resume", file=sys.stderr)
    return 128 + done.stopped_by


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Run], None]]:
    """A bar with rate and estimate for a terminal, a line for each validation otherwise."""

    def line(run: Run) -> None:
        if run.history and run.history[-1]["step"] == run.step:
            print(_summary(run), flush=True)

    if not sys.stderr.isatty():
        yield line
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("starting", total=total)

        def advance(run: Run) -> None:
            line(run)
            rate = run.step / max(run.seconds, 1e-9)
            progress.update(
                task, completed=run.step, description=f"{_board(run.size(), run)}, {rate:.1f}/s"
            )

        yield advance


def _summary(run: Run) -> str:
    row = run.history[-1]
    sign = "" if on_graphs(run) else "p="
    means = "  ".join(f"{sign}{name} {mean:.2f}" for name, mean in row["validation"].items())
    chance = f"  ε {row['epsilon']:.2f}" if "epsilon" in row else ""
    minutes = row["seconds"] / 60
    return (
        f"{minutes:6.1f} min  update {row['step']}  {_board(row['size'], run)}  "
        f"boards {row['boards']}  loss {row['loss']:.3f}{chance}  moves {means}"
    )


def _board(size: int, run: Run) -> str:
    return f"{size} nodes" if on_graphs(run) else f"{size} × {size}"


def on_graphs(run: Run) -> bool:
    """Tell whether a run learns on graphs, not on square boards."""
    return run.net.sees == "graph"


def _draw_curve(out: Path, run: Run) -> None:
    """A picture of the learning curve, where matplotlib is installed."""
    try:
        from pinchpoint.paper.figures.lines import learning_curve
    except ImportError:
        return
    learning_curve(run.history, out / "learning-curve.png")
