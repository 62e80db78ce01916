"""Damage files of every kind that we read, and see what comes of it.

python tests/hostile/fuzz_files.py                        # the long run, a line for each kind
python tests/hostile/fuzz_files.py boards-npz --cases 500 --seed 7

A reader may accept a damaged file or refuse it with an InputError of one sentence. Anything else is
a fault: the file is kept, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from file_formats import FORMATS, Format

from pinchpoint.errors import InputError, PinchpointWarning

CASES = 10_000  # of each kind in the long run
LONGEST_MESSAGE = 600  # characters, with the path of the file in it
SLOWEST = 20.0  # seconds of one case, on a machine that does other things too
MOST_MEMORY = 700  # MB by which the process may grow over all cases of one kind


@dataclass
class Report:
    """What came of the damaged files of one kind."""

    cases: int = 0
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0  # seconds
    memory: float = 0.0  # MB that the process has grown by, at most
    faults: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        return (
            f"{name:20} {self.cases:6} cases  {self.accepted:6} accepted  "
            f"{self.refused:6} refused  slowest {self.slowest:6.2f} s  "
            f"memory +{self.memory:4.0f} MB  {len(self.faults)} faults"
        )


def fuzz(kind: Format, cases: int, seed: int, folder: Path) -> Report:
    """Use so many damaged files; the same seed gives the same damage."""
    good = folder / "good"
    good.mkdir(parents=True)
    kind.prepare(good)
    files = contents(good)
    case = Path(shutil.copytree(good, folder / "case"))
    kind.use(case)  # a good file is accepted, and everything is loaded
    whole = files[Path(kind.damaged)]
    report, before = Report(), peak_memory()
    for number in range(cases):
        restore(case, files)
        rng = random.Random(f"{kind.name} {seed} {number}")
        (case / kind.damaged).write_bytes(kind.mutate(whole, rng))
        began = time.perf_counter()
        fault = try_case(kind, case, report)
        seconds = time.perf_counter() - began
        report.cases += 1
        report.slowest = max(report.slowest, seconds)
        if seconds > SLOWEST:
            fault = f"it took {seconds:.1f} s"
        if fault:
            kept = Path(tempfile.gettempdir()) / f"fault-{kind.name}-{number}"
            shutil.copytree(case, kept, dirs_exist_ok=True)
            report.faults.append(f"{kind.name}, case {number} ({kept}): {fault}")
    report.memory = peak_memory() - before
    if report.memory > MOST_MEMORY:
        report.faults.append(f"{kind.name}: the process grew by {report.memory:.0f} MB")
    return report


def try_case(kind: Format, case: Path, report: Report) -> str:
    """Use one damaged file; return what is wrong with the outcome, or nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinchpointWarning)
            kind.use(case)
        report.accepted += 1
    except InputError as error:
        report.refused += 1
        message = str(error)
        if not message.isprintable() or len(message) > LONGEST_MESSAGE + len(str(case)):
            return f"no sentence: {message[:1000]!r}"
    except Exception:
        return traceback.format_exc()
    return ""


def contents(folder: Path) -> dict[Path, bytes]:
    """Return what the files of a folder hold."""
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def restore(case: Path, files: dict[Path, bytes]) -> None:
    """Make the files of a case good again; most are, and a new copy of all would take longer."""
    found = contents(case)
    for path in found.keys() - files.keys():
        (case / path).unlink(missing_ok=True)
    for path, content in files.items():
        if found.get(path) != content:
            (case / path).write_bytes(content)


def peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MB


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", default=list(FORMATS), help=", ".join(FORMATS))
    parser.add_argument("--cases", type=int, default=CASES, help="damaged files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for name in options.kinds:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            report = fuzz(FORMATS[name], options.cases, options.seed, Path(folder))
        print(report.line(name), f" in {time.perf_counter() - began:.0f} s", flush=True)
        for fault in report.faults[:3]:
            print(fault, file=sys.stderr)
        wrong += len(report.faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
