"""Tasks for the tests of the worker pool."""

import os
import time
from pathlib import Path
from typing import Any

from pinchpoint.errors import InputError


def add(a: int, b: int) -> int:
    return a + b


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def die() -> None:
    os._exit(3)


def refuse() -> None:
    raise InputError("not like that")


def fail() -> None:
    raise ZeroDivisionError("secret")


def note(path: str, word: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{word}\n")


def hold(size: int) -> int:
    return len(bytearray(size))


def get_ready(task: str, arguments: dict[str, Any]) -> None:
    if task == "note":
        note(arguments["path"], "ready")


TASKS = {
    "add": add,
    "sleep": sleep,
    "die": die,
    "refuse": refuse,
    "fail": fail,
    "pid": os.getpid,
    "note": note,
    "hold": hold,
}
