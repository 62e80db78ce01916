"""Checkpoints of a training run: tensors and numbers, written whole or not at all, no pickle."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from chokepoint.errors import ChokepointWarning
from chokepoint.files import whole_file

KEEP = 2  # the newest, and the one before in case the newest is damaged
FORMAT = 1


def save_checkpoint(
    folder: Path, step: int, tensors: dict[str, Tensor], numbers: dict[str, Any], rank: int = 0
) -> None:
    """Write the state after `step` updates; only then forget the oldest."""
    stem = f"checkpoint-{rank}-{step:09d}"
    blob = save({name: tensor.contiguous() for name, tensor in tensors.items()})
    with whole_file(folder / f"{stem}.safetensors") as file:
        file.write(blob)
    # The JSON file comes last: a checkpoint counts from the moment it is there.
    digest = hashlib.sha256(blob).hexdigest()
    about = {"format": FORMAT, "step": step, "sha256": digest, "numbers": numbers}
    with whole_file(folder / f"{stem}.json") as file:
        file.write(json.dumps(about).encode())
    for old in _steps(folder, rank)[:-KEEP]:
        for suffix in (".json", ".safetensors"):
            (folder / f"checkpoint-{rank}-{old:09d}{suffix}").unlink(missing_ok=True)


def load_checkpoint(folder: Path, rank: int = 0) -> tuple[int, dict[str, Tensor], Any] | None:
    """The newest checkpoint that is whole: (step, tensors, numbers), or None if there is none."""
    for step in reversed(_steps(folder, rank)):
        stem = folder / f"checkpoint-{rank}-{step:09d}"
        try:
            about = json.loads(stem.with_suffix(".json").read_text(encoding="utf-8"))
            if about["sha256"] != _sha256(stem.with_suffix(".safetensors")):
                raise ValueError("the checksum does not match")
            return step, load_file(stem.with_suffix(".safetensors")), about["numbers"]
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            warnings.warn(
                f"{stem.name} is damaged ({error}); using the one before",
                ChokepointWarning,
                stacklevel=2,
            )
    return None


def _steps(folder: Path, rank: int) -> list[int]:
    pattern = re.compile(rf"checkpoint-{rank}-(\d+)\.json")
    found = (pattern.fullmatch(path.name) for path in folder.glob("checkpoint-*.json"))
    return sorted(int(match[1]) for match in found if match)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
