"""The fuzzer: damage files of every kind that we read, and see what comes of it.

python tests/hostile/fuzz.py                        # the long run, a line for each kind
python tests/hostile/fuzz.py boards-npz --cases 500 --seed 7

A reader may accept a damaged file or refuse it with an InputError of one sentence. Anything else is
a fault: the file is kept, and the exit code is 1. `formats.py` is the table of the kinds.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import shutil
import struct
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinchpoint.errors import InputError, PinchpointWarning

CASES = 10_000  # of each kind in the long run
LONGEST_MESSAGE = 600  # characters, with the path of the file in it
SLOWEST = 20.0  # seconds of one case, on a machine that does other things too
MOST_MEMORY = 700  # MB by which the process may grow over all cases of one kind
NUMBERS = (0, 1, 2, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63,
           2**64 - 1)  # fmt: skip
WORDS = (b"NaN", b"Infinity", b"1e999", b"-1", b"null", b"true", b"[]", b"{}", b'""', b"\x00",
         b"\xff\xfe", b"PK\x05\x06", b"\n", b"\r\n", b",", b'"', b"#o.x*", b"lattice",
         b"os:system", b"9" * 400)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64 - 1, 10**30, 10**400, -(2**63), -0.0, 0.5,
    1e308, "", "a", "x", "x" * 5000, "ü" * 30, "\x00", "\n", "\ud800", "\u202e", "－＝", "=1+1",
    "../..", "{{7*7}}", "'; DROP TABLE games; --", "0" * 32, "2026-02-30", "0001-01-01", "AAAAAA",
    "os:system", "a.b:c", [], {}, [[]], [None], {"a": 1}, {"": 0}, [0] * 50, [0] * 2000,
    [[0, 0]] * 500, ["#"], ["o" * 1001], {"kind": "random"},
)  # fmt: skip
DTYPES = ("|u1", "|O", "<f8", "<i8", ">i4", "<U9999999", "|V8", "<M8[s]", "|b1", "<c16",
          "[('a', '<i4')]")  # fmt: skip
SHAPES = ("()", "(0,)", "(2,)", "(10**9, 10**9)", "(3, 4, 6)", "(-1,)", "(2, 1001, 3)",
          "(99999999999,)", "'x'")  # fmt: skip


# -- damage ------------------------------------------------------------------------------------


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few of them changed, lost, doubled or put elsewhere."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(out) + 1)
        length = rng.choice((1, 2, 4, 8, 64, 512))
        match rng.randrange(8):
            case 0 if out:
                out[at % len(out)] ^= 1 << rng.randrange(8)
            case 1 if out:
                out[at % len(out)] = rng.randrange(256)
            case 2:
                del out[at : at + length]
            case 3:
                out[at:at] = out[at : at + length] * rng.choice((1, 2, 50))
            case 4:
                out[at:at] = rng.choice(WORDS)
            case 5:
                size, form = rng.choice(((1, "<B"), (2, "<H"), (4, "<I"), (8, "<Q")))
                out[at : at + size] = struct.pack(form, rng.choice(NUMBERS) % 256**size)
            case 6:
                out[at:at] = rng.randbytes(length)
            case _ if rng.random() < 0.3:
                del out[at:]
    return bytes(out)


def change(value: Any, rng: random.Random) -> Any:
    """Return a JSON value in which something is left out, renamed, replaced or put elsewhere."""
    value = deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder, key = rng.choice(list(places(value)) or [(None, None)])
        match rng.randrange(5):
            case 0 if holder is not None:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[str(rng.choice(VALUES))[:50]] = holder.pop(key)
            case 2 if holder is not None and isinstance(holder[key], list):
                holder[key] = (holder[key] * 3)[: rng.randrange(200)]
            case 3 if rng.random() < 0.1 or holder is None:
                value = deepcopy(rng.choice(VALUES))
            case _ if holder is not None:
                holder[key] = deepcopy(rng.choice(VALUES))
    return value


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (holder, key) of everything inside a JSON value."""
    inside: Iterable[Any] = ()
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    for key, item in inside:
        yield value, key
        yield from places(item)


def changed_text(value: Any, rng: random.Random) -> bytes:
    """Return the text of a changed JSON value, now and then damaged itself."""
    text = json.dumps(change(value, rng)).encode()
    match rng.randrange(12):
        case 0:
            return mutate_bytes(text, rng)
        case 1:  # numbers that are none
            return text.replace(rng.choice((b"0", b"1", b"2")), rng.choice(WORDS[:4]), 1)
        case 2:
            return b"[" * rng.choice((10, 100_000)) + text
    return text


def mutate_json(data: bytes, rng: random.Random) -> bytes:
    """Return a damaged JSON file."""
    return changed_text(json.loads(data), rng) if rng.random() < 0.7 else mutate_bytes(data, rng)


def mutate_lines(data: bytes, rng: random.Random) -> bytes:
    """Return a file of JSON lines with some of them damaged."""
    if rng.random() < 0.3:
        return mutate_bytes(data, rng)
    lines = data.splitlines()
    at = rng.randrange(len(lines))
    lines[at] = changed_text(json.loads(lines[at]), rng)
    rng.shuffle(lines)
    return b"\n".join(lines[: rng.randrange(1, len(lines) + 1)]) + b"\n" * rng.randrange(2)


def mutate_archive(data: bytes, rng: random.Random) -> bytes:
    """Return an archive with damaged bytes, or a good one with damaged entries."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA))
    ) as archive:
        for name, content in entries.items():
            if rng.random() < 0.7:
                content = mutate_array(content, rng)
            if rng.random() < 0.1:
                name = rng.choice(("boards", "../boards.npy", "x" * 300 + ".npy", "boards.npy"))
            if rng.random() < 0.9:
                archive.writestr(name, content)
    return out.getvalue() if rng.random() < 0.8 else mutate_bytes(out.getvalue(), rng)


def mutate_array(content: bytes, rng: random.Random) -> bytes:
    """Return the bytes of an array, most often with another header."""
    if rng.random() < 0.4:
        return mutate_bytes(content, rng)
    length = struct.unpack("<H", content[8:10])[0]
    dtype, shape = rng.choice(DTYPES), rng.choice(SHAPES)
    kind = dtype if dtype.startswith("[") else repr(dtype)
    header = (
        f"{{'descr': {kind}, 'fortran_order': {rng.choice((True, False, 7))}, 'shape': {shape}, }}"
    )
    packed = header.encode().ljust(length - 1)[: 2**16 - 2] + b"\n"
    return content[:8] + struct.pack("<H", len(packed)) + packed + content[10 + length :]


def mutate_tensors(data: bytes, rng: random.Random) -> bytes:
    """Return a file of safetensors with another header, other values or damaged bytes."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    length = struct.unpack("<Q", data[:8])[0]
    header, values = data[8 : 8 + length], data[8 + length :]
    if rng.random() < 0.5:
        header = changed_text(json.loads(header), rng)
    else:
        at = 4 * rng.randrange(len(values) // 4)
        wild = struct.pack("<f", rng.choice((float("nan"), float("inf"), -float("inf"), 1e38)))
        values = values[:at] + wild + values[at + 4 :]
    return struct.pack("<Q", len(header)) + header + values


def mutate_packed(data: bytes, rng: random.Random) -> bytes:
    """Return a compressed file with damaged bytes, or a good one with damaged contents."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    packed = gzip.compress(mutate_bytes(gzip.decompress(data), rng), mtime=0)
    return packed if rng.random() < 0.8 else mutate_bytes(packed, rng)


# -- the run -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Format:
    """One kind of file, in a folder that may hold others beside it."""

    name: str
    damaged: str  # the file that is damaged
    prepare: Callable[[Path], None]  # writes a good file and whatever stands beside it
    mutate: Callable[[bytes, random.Random], bytes]
    use: Callable[[Path], object]  # takes the folder


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
    from formats import FORMATS  # here: they import this module

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
