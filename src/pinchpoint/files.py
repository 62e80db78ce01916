"""Files: written whole or not at all, and read within bounds.

Whoever reads a file that somebody else may have made reads it here. What is too large, damaged or
no file at all is one sentence (InputError), found out before much time or memory is spent on it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import select
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from pinchpoint.errors import InputError

MAX_TEXT = 2**28  # bytes of a file of text
MAX_JSON = 2**26  # bytes of one JSON text, such as a line of a file of records
MAX_BRACKETS = 2**22  # lists and objects in one JSON text: each takes many times its two bytes
PATIENCE = 60.0  # seconds to wait for a pipe that says nothing
CHUNK = 2**20


@contextmanager
def in_one_sentence(doing: str, path: str | Path) -> Iterator[None]:
    """Turn errors of the system into an InputError such as "cannot read FILE: no such file"."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: there is a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot {doing} {path}: {reason}") from None


# -- writing ---------------------------------------------------------------------------------


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name when all of it is written; on an error nothing is left."""
    path = Path(path)
    partial = _partial(path)
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
            with suppress(OSError):  # what went wrong before is what to tell
                partial.unlink()


@contextmanager
def whole_files(paths: Sequence[str | Path]) -> Iterator[list[BinaryIO]]:
    """Open files that take their names together, when all of them are written; or none does."""
    check_names(paths)
    with ExitStack() as stack:
        files = [stack.enter_context(whole_file(path)) for path in paths]
        yield files
        for path, file in zip(paths, files, strict=True):
            with in_one_sentence("write", path):
                file.flush()  # a full disk shows before the first takes its name


def check_names(paths: Sequence[str | Path]) -> None:
    """Raise InputError if two of these are one file, or one of them cannot be written.

    A folder that does not exist is one that will be made.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        placed = _partial(path) != path  # in its folder, and not written to a pipe
        if placed and os.path.isdir(path.parent) and not os.access(path.parent, os.W_OK):
            raise InputError(f"cannot write {path}: {path.parent} is not yours to write in")
        if path.resolve() in seen:
            raise InputError(f"two files would be written to {path}; give them different names")
        seen.add(path.resolve())


@contextmanager
def new_folder(path: str | Path) -> Iterator[None]:
    """Make a folder to write in; after an error, an empty one that was made is removed again."""
    made = [folder for folder in (Path(path), *Path(path).parents) if not folder.exists()]
    with in_one_sentence("write to", path):
        Path(path).mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise


def _partial(path: Path) -> Path:
    """Return where to write a file before it takes its name."""
    with in_one_sentence("write", path):
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        if path.exists() and not path.is_file():
            return path  # a pipe or /dev/stdout: nothing to put in its place
        return path.with_name(f"{path.name}.{os.getpid()}.part")


def write_text(path: str | Path, text: str) -> None:
    """Write a file of text, whole or not at all."""
    with whole_file(path) as file:
        file.write(text.encode())


def append_text(path: str | Path, text: str) -> None:
    """Add text to a file, all of it or, where the disk is full, nothing."""
    with in_one_sentence("write", path), Path(path).open("ab", buffering=0) as file:
        before = file.seek(0, os.SEEK_END)
        try:
            data = memoryview(text.encode())
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


# -- reading ---------------------------------------------------------------------------------


def check_regular(path: str | Path) -> None:
    """Raise InputError unless this is a file on a disk, which is to be read here and there."""
    with in_one_sentence("read", path):
        mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise InputError(f"cannot read {path}: it is {kind}, not a file")


def is_regular(path: str | Path) -> bool:
    """Return whether this is a file on a disk."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read_bytes(path: str | Path, limit: int = MAX_TEXT) -> bytes:
    """Read a file or a pipe of `limit` bytes at most."""
    return b"".join(_chunks(path, limit))


def read_text(path: str | Path, what: str, limit: int = MAX_TEXT) -> str:
    """Read a file of text in UTF-8; `what` says in an error what it should hold."""
    try:
        return read_bytes(path, limit).decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file; {what}") from None


def read_lines(path: str | Path, limit: int = MAX_JSON) -> Iterator[bytes]:
    """Yield the lines of a file of any length; a line has `limit` bytes at most."""
    rest = b""
    for chunk in _chunks(path, None):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > limit:
            raise InputError(f"{path} has a line of more than {limit:,} bytes")
    if rest:
        yield rest


def sha256_of(path: str | Path) -> str:
    """Return the SHA-256 of a file on a disk, however large it is."""
    check_regular(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: str | Path, what: str, limit: int = MAX_JSON) -> Any:
    """Read a file of JSON; `what` says in an error what it should hold."""
    try:
        return parse_json(read_bytes(path, limit))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not {what}: {error}") from None


def parse_json(text: str | bytes) -> Any:
    """Parse JSON, in which every number is finite; raise ValueError on anything else.

    Python's own parser lets NaN, Infinity and 1e999 in.
    """
    try:
        words = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        raise ValueError("it is not in UTF-8") from None
    if len(words) > MAX_JSON or words.count("[") + words.count("{") > MAX_BRACKETS:
        raise ValueError("it is too large")
    try:
        return json.loads(words, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:20]} is out of range")
    return number


def _chunks(path: str | Path, limit: int | None) -> Iterator[bytes]:
    """Yield what a file or a pipe holds; raise InputError when it is more than `limit` bytes."""
    total = 0
    with in_one_sentence("read", path):
        # Without waiting: a pipe that nobody writes to would else be waited for in open().
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(number, "rb", buffering=0) as file:
            regular = stat.S_ISREG(os.fstat(number).st_mode)
            while True:
                if not regular and not _something_comes(number):
                    raise InputError(f"cannot read {path}: nothing came in {PATIENCE:.0f} s")
                chunk = file.read(CHUNK)
                if chunk is None:  # somebody else has read it
                    continue
                if not chunk:
                    return
                total += len(chunk)
                if limit is not None and total > limit:
                    raise InputError(f"{path} is too large; {limit:,} bytes are allowed")
                yield chunk


def _something_comes(number: int) -> bool:
    """Wait until a pipe or a device has something to read, or has come to its end."""
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return bool(poll.poll(PATIENCE * 1000))
