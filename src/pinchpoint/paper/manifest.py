"""The record of a reproduction: what it was made from, and a hash of every table that came out.

Two runs can be compared by their records. A table is hashed as CSV without its times and with
numbers rounded to six significant figures: sums of floats may differ beyond that between machines.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd

from pinchpoint.errors import InputError, printable
from pinchpoint.files import read_json, sha256_of, write_text
from pinchpoint.learning.weights import shipped
from pinchpoint.paper.report import Findings

NAME = "manifest.json"
FORMAT = 1
LIBRARIES = ("numpy", "scipy", "numba", "torch", "pandas")
MADE_FROM = ("version", "scale", "seed", "settings", "weights", "libraries")


def write_manifest(found: Findings, out: Path, seconds: float) -> None:
    """Write the record beside the tables."""
    record = manifest(found) | {"seconds": round(seconds, 1)}
    write_text(out / NAME, json.dumps(record, indent=1) + "\n")


def manifest(found: Findings) -> dict[str, Any]:
    """Return the record of what was found."""
    agents = [agent for team in found.teams for agent in team.agents.values()]
    files = {name: path for name, path in shipped().items() if name in agents}
    settings = json.loads(json.dumps(asdict(found.experiments)))  # as it will be read back
    return {
        "format": FORMAT,
        "version": found.version,
        "scale": found.experiments.name,
        "seed": found.seed,
        "settings": settings,
        "weights": {name: sha256_of(path) for name, path in sorted(files.items())},
        "libraries": {"python": platform.python_version()}
        | {name: metadata.version(name) for name in LIBRARIES},
        "tables": {name: table_hash(table) for name, table in found.tables.items()},
    }


def table_hash(rows: pd.DataFrame) -> str:
    """Return a hash of a table, times apart."""
    timeless = rows.drop(columns="seconds", errors="ignore")
    text = timeless.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a record; `path` is the file, or the folder of a reproduction."""
    file = path / NAME if path.is_dir() else path
    record = read_json(file, "the manifest of a reproduction")
    if not (isinstance(record, dict) and isinstance(record.get("tables"), dict)):
        raise InputError(f"{file} is not the manifest of a reproduction")
    if record.get("format") != FORMAT:
        raise InputError(f"{file} has format {record.get('format')}; this version reads {FORMAT}")
    return record


def side_by_side(ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each table: how its hash begins in both runs, and whether it is the same."""
    for name in dict.fromkeys([*ours["tables"], *theirs["tables"]]):
        a, b = (str(record["tables"].get(name, "none")) for record in (ours, theirs))
        same = "same" if a == b else "differs"
        yield printable(f"{_short(name):9} {a[:12]:12} {b[:12]:12} {same}")


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each thing that one run was made from and the other was not."""
    for name in MADE_FROM:
        a, b = ours.get(name), theirs.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            for key in dict.fromkeys([*a, *b]):
                if a.get(key) != b.get(key):
                    here, there = _short(a.get(key)), _short(b.get(key))
                    yield f"{name}, {_short(key)}: {here} here, {there} there"
        elif a != b:
            yield f"{name}: {_short(a)} here, {_short(b)} there"


def _short(value: Any) -> str:
    text = "none" if value is None else value if isinstance(value, str) else json.dumps(value)
    return printable(text[:12] + "…" if len(text) > 40 else text)
