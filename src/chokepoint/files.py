"""Writing files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from chokepoint.errors import InputError


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name when all of it is written; on an error nothing is left."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    if path.exists() and not path.is_file():
        partial = path  # a pipe or /dev/stdout: nothing to put in its place
    else:
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            yield file
            if partial != path:  # on the disk before it takes its name, whatever happens then
                file.flush()
                os.fsync(file.fileno())
        if partial != path:
            partial.replace(path)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if partial != path:
            partial.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a file of text, whole or not at all."""
    with whole_file(path) as file:
        file.write(text.encode())
