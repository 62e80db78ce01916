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

from pinchpoint.errors import PinchpointWarning
from pinchpoint.files import read_json, sha256_of, whole_file

KEEP = 2  # the newest, and the one before in case the newest is damaged
FORMAT = 2


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
        file.write(json.dumps({**about, "checksum": _checksum(about)}).encode())
    for old in _steps(folder, rank)[:-KEEP]:
        for suffix in (".json", ".safetensors"):
            (folder / f"checkpoint-{rank}-{old:09d}{suffix}").unlink(missing_ok=True)


def load_checkpoint(folder: Path, rank: int = 0) -> tuple[int, dict[str, Tensor], Any] | None:
    """The newest checkpoint that is whole: (step, tensors, numbers), or None if there is none."""
    for step in reversed(_steps(folder, rank)):
        stem = folder / f"checkpoint-{rank}-{step:09d}"
        try:
            numbers = _read(stem, step)
            return step, load_file(stem.with_suffix(".safetensors")), numbers
        except (OSError, ValueError, SafetensorError) as error:
            warnings.warn(
                f"{stem.name} is damaged ({error}); using the one before",
                PinchpointWarning,
                stacklevel=2,
            )
    return None


def _steps(folder: Path, rank: int) -> list[int]:
    pattern = re.compile(rf"checkpoint-{rank}-(\d+)\.json")
    found = (pattern.fullmatch(path.name) for path in folder.glob("checkpoint-*.json"))
    return sorted(int(match[1]) for match in found if match)


def _read(stem: Path, step: int) -> dict[str, Any]:
    """Return the numbers of a checkpoint; raise ValueError if it is not as it was written."""
    about = read_json(stem.with_suffix(".json"), "the JSON of a checkpoint")
    if not isinstance(about, dict) or not isinstance(about.get("numbers"), dict):
        raise ValueError("it has no numbers")
    if about.get("format") == 1:  # whose JSON has no checksum of its own
        about = {**about, "checksum": _checksum(about)}
    if about.pop("checksum", None) != _checksum(about) or about.get("step") != step:
        raise ValueError("the checksum of its JSON does not match")
    if about.get("sha256") != sha256_of(stem.with_suffix(".safetensors")):
        raise ValueError("the checksum of its tensors does not match")
    numbers: dict[str, Any] = about["numbers"]
    return numbers


def _checksum(about: dict[str, Any]) -> str:
    """Return the checksum of everything that the JSON file of a checkpoint says."""
    # Sorted by the text of the keys: JSON makes texts of the numbers among them.
    return hashlib.sha256(
        json.dumps(json.loads(json.dumps(about)), sort_keys=True).encode()
    ).hexdigest()
