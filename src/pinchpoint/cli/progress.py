"""Progress on standard error, for work that takes long: in a terminal or a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn
    from rich.status import Status

PATIENCE = 2.0  # seconds before anything is shown
TICK = 0.25  # seconds between two looks at the clock
EVERY = 30.0  # seconds between two lines where there is no terminal


@contextmanager
def spinner(text: str) -> Iterator[None]:
    """Show a spinner if the work inside takes longer than two seconds."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with _after_patience(Console(stderr=True).status(text)):
        yield


@contextmanager
def bar(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar if the work inside takes longer than two seconds; yield what advances it."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.progress import MofNCompleteColumn, TimeRemainingColumn

    progress = _progress(MofNCompleteColumn(), TimeRemainingColumn())
    task = progress.add_task(text, total=total)
    with _after_patience(progress):
        yield lambda count: progress.advance(task, count)


@contextmanager
def timed_bar(text: str, count: int, seconds: float) -> Iterator[Callable[[int], None]]:
    """Show a bar that follows the clock, for `count` things to do in so many seconds each.

    Yield what to call when one of them is done, which may be before its time is up.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import TextColumn

    progress = _progress(TextColumn("{task.fields[left]}"))
    task = progress.add_task(text, total=count * seconds, left="")
    finished, done, began = threading.Event(), 0, time.monotonic()

    def follow_clock() -> None:
        while not finished.is_set():
            gone = done * seconds + min(time.monotonic() - began, seconds)
            left = f"{done}/{count}, {max(count * seconds - gone, 0):.0f} s left at most"
            progress.update(task, completed=gone, left=left)
            finished.wait(TICK)

    def advance(more: int) -> None:
        nonlocal done, began
        done, began = done + more, time.monotonic()

    clock = threading.Thread(target=follow_clock, daemon=True)
    clock.start()
    try:
        with _after_patience(progress):
            yield advance
    finally:
        finished.set()
        clock.join()


@contextmanager
def bar_or_lines(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar; where there is no terminal, say in a line now and then how far the work is."""
    if sys.stderr.isatty():
        with bar(text, total) as advance:
            yield advance
        return
    done, said = 0, time.monotonic()

    def advance_lines(count: int) -> None:
        nonlocal done, said
        done += count
        if time.monotonic() - said >= EVERY:
            said = time.monotonic()
            print(f"{text}: {done} of {total} done", file=sys.stderr, flush=True)

    print(f"{text}: {total} to do" if total else f"{text} …", file=sys.stderr, flush=True)
    yield advance_lines


def compile_engine() -> None:
    """Compile the kernels, or load them from the cache, with a spinner if that takes long.

    Commands call this before they play, so that the first run does not seem to hang.
    """
    from pinchpoint.game.engine import Games
    from pinchpoint.game.sampling import sample_boards

    with spinner("Compiling the engine (only before the first run) …"):
        games = Games(sample_boards("flow", 2, p=1.0))
        games.play(games.random_squares(seed=0))
        games.play_randomly(seed=0)


def _progress(*columns: ProgressColumn) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), *columns)
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def _after_patience(display: Progress | Status) -> Iterator[None]:
    """Start a rich display after two seconds, and stop it if it was started."""
    lock, state = threading.Lock(), {"finished": False, "shown": False}

    def show() -> None:
        with lock:
            if not state["finished"]:
                state["shown"] = True
                display.start()

    timer = threading.Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            state["finished"] = True
            if state["shown"]:
                display.stop()
