"""The cache of compiled kernels: a folder for each version of the sources, old ones forgotten."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pinchpoint import compiled

PROGRAM = """
import pinchpoint.rng
from pinchpoint.compiled import config
print(config.CACHE_DIR)
"""


def cache_dir(home: Path) -> Path:
    """Return the cache that a fresh process uses."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(home)}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    return Path(answer.stdout.strip())


def test_old_code_is_forgotten_and_recent_code_is_kept(tmp_path: Path) -> None:
    kernels = tmp_path / "pinchpoint" / "kernels"
    for name, days in (("old", 40), ("recent", 20)):
        (kernels / name).mkdir(parents=True)
        then = time.time() - days * 24 * 3600
        os.utime(kernels / name, (then, then))
    used = cache_dir(tmp_path)
    assert used.parent == kernels
    assert {path.name for path in kernels.iterdir()} == {"recent", used.name}
    assert cache_dir(tmp_path) == used  # the same sources, the same folder


def test_other_sources_have_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiled._sources_hash()
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"# changed" if path.name == "planar.py" else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
    assert compiled._sources_hash() != before


@compiled.kernel
def _fill_with_squares(out: npt.NDArray[np.int64]) -> None:
    for i in range(len(out)):
        out[i] = i * i


@compiled.outer_kernel
def _squares(count: int) -> npt.NDArray[np.int64]:
    out = np.empty(count, np.int64)
    _fill_with_squares(out)
    return out


def test_an_outer_kernel_makes_the_arrays_that_a_kernel_fills() -> None:
    assert _squares(4).tolist() == [0, 1, 4, 9]
