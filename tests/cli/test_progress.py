"""Signs of life: after a while, for a person, and never in a pipe."""

import io
import sys
import threading
import time

import pytest

from pinchpoint.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)


@pytest.mark.parametrize("kind", ["spinner", "bar"])
@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("slow", [True, False])
def test_shown_only_to_who_waits(kind, watched, slow, monkeypatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.01 if slow else 600.0)
    stream = Terminal() if watched else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    sign = "2/4" if kind == "bar" else "thinking"
    with progress.spinner("thinking") if kind == "spinner" else progress.bar("thinking", 4) as work:
        if kind == "bar":
            work(2)
        if slow:  # a busy machine may take its time
            until = time.monotonic() + (60.0 if watched else 0.2)
            while sign not in stream.getvalue() and time.monotonic() < until:
                time.sleep(0.02)
    assert (sign in stream.getvalue()) == ("thinking" in stream.getvalue()) == (watched and slow)


@pytest.mark.parametrize("watched", [True, False])
def test_a_bar_follows_the_clock(watched, impatient, monkeypatch) -> None:
    stream = Terminal() if watched else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    before = set(threading.enumerate())
    with progress.timed_bar("thinking", 2, 1000.0) as advance:
        advance(1)  # the first is done before its time is up
        until = time.monotonic() + (60.0 if watched else 0.3)
        while "1/2, 1000 s left" not in stream.getvalue() and time.monotonic() < until:
            time.sleep(0.02)
    assert ("1/2, 1000 s left" in stream.getvalue()) == watched
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_an_error_inside_is_passed_on(impatient, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())

    def work() -> None:
        with progress.spinner("thinking"):
            time.sleep(0.2)
            raise ZeroDivisionError

    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError):
        work()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()  # nothing goes on turning


def test_lines_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.bar_or_lines("playing", 3) as advance:
        advance(2)
    with progress.bar_or_lines("drawing", 0):
        pass
    said = capsys.readouterr().err
    assert said == "playing: 3 to do\nplaying: 2 of 3 done\ndrawing …\n"
