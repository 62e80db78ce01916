"""The command line: parse, call one function, print.

Every command is a module with a frozen dataclass `Options`, which is its command line, and a
function `run(options)`. `main` finds the command, parses its options, runs it, and turns mistakes
into one line and an exit code.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pinchpoint
from pinchpoint.errors import FoundWrong, InputError, PinchpointWarning

# One line of help for each. Only the module of the command that is called gets imported.
COMMANDS = {
    "agents": "list the agents and how well they play",
    "bench": "measure the speed of the engine on this machine",
    "boards": "sample boards, or print a named set of them",
    "compare": "compare two agents on the same boards",
    "dismantle": "order the nodes whose loss breaks a network",
    "evaluate": "let agents play the same boards, beside par",
    "games": "export what people played on the web, or sum it up",
    "play": "let an agent play, or play in the terminal",
    "render": "draw a game or a board as PNG, SVG or GIF",
    "replay": "check game records move by move",
    "reproduce": "compute the paper's figures and claims",
    "serve": "play in the browser",
    "solve": "find par of boards: the fewest moves, or bounds",
    "train": "train an agent by self-play",
    "version": "print the version of Pinchpoint",
}

WRONG, USAGE, INTERRUPTED, TERMINATED = 1, 2, 130, 143  # exit codes


class Terminated(KeyboardInterrupt):
    """SIGTERM, which unlike Ctrl-C would else end the program where it stands."""


@contextmanager
def sigterm_raises() -> Iterator[None]:
    """Let SIGTERM end the command like Ctrl-C: workers are stopped, half-written files removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0 (done), 1 (checked and found wrong) or 2 (bad input).

    Ctrl-C is 130 and SIGTERM 143, as in a shell.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help"):
        print(overview())
        return 0 if arguments else USAGE
    if name == "--version":
        name = "version"
    if name not in COMMANDS:
        return fail(f"there is no command {name!r}; choose from {', '.join(COMMANDS)}")
    warnings.showwarning = show_warning
    try:
        with sigterm_raises():
            return run_command(name, arguments[1:])
    except InputError as error:
        return fail(str(error))
    except ModuleNotFoundError as error:
        return fail(missing_extra(name, error))
    except FoundWrong as error:
        return fail(str(error), WRONG)
    except Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        return fail("there is not enough memory for this; ask for smaller or fewer boards")
    except BrokenPipeError:  # the reader has seen enough: `pinchpoint boards | head`
        silence_output()
        return 0
    except OSError as error:
        silence_output()
        return fail(f"cannot go on: {error}")


# Libraries that the bare package does without -> the extra that installs them.
EXTRAS = {
    "gymnasium": "env",
    **dict.fromkeys(("torch", "safetensors", "tensorboard"), "train"),
    **dict.fromkeys(("matplotlib", "pandas", "pyarrow", "joblib", "PIL", "markdown_it"), "figures"),
    "ray": "ray",
    **dict.fromkeys(
        ("fastapi", "starlette", "uvicorn", "sqlalchemy", "alembic", "cachetools", "psycopg"), "web"
    ),
}


def missing_extra(command: str, error: ModuleNotFoundError) -> str:
    """Return the sentence for a library that is not installed; raise the error if it is none."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        raise error
    return f"{command} needs {library}: pip install 'pinchpoint[{EXTRAS[library]}]'"


def show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning of ours as one line, and leave out those of libraries."""
    if issubclass(category, PinchpointWarning):
        print(f"pinchpoint: {message}", file=sys.stderr)


def silence_output() -> None:
    """Discard further output, because Python would complain again when it flushes it at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Parse the arguments with the command's own `Options` and run it."""
    import tyro  # here, so that `pinchpoint --help` answers at once

    module = importlib.import_module(f"pinchpoint.cli.{name}")
    defaults = getattr(module, "default_options", None)
    try:
        extra = {"default": defaults(arguments)} if defaults else {}
        options = tyro.cli(
            module.Options,
            **extra,
            args=list(arguments),
            prog=f"pinchpoint {name}",
            description=module.__doc__,
            config=(tyro.conf.FlagCreatePairsOff,),  # --json, and no --no-json
        )
    except SystemExit as stop:  # after --help, or a usage error that tyro has printed
        return stop.code if isinstance(stop.code, int) else USAGE
    code: int | None = module.run(options)
    sys.stdout.flush()  # a full disk or a closed pipe shows here, not after the exit code is set
    return code or 0


def overview() -> str:
    """Return the list of all commands."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {about}" for name, about in COMMANDS.items()]
    return "\n".join(
        [
            f"Pinchpoint {pinchpoint.__version__}: percolation-like games, solved and learned.",
            "",
            "usage: pinchpoint COMMAND [options]",
            "       pinchpoint COMMAND --help",
            "",
            *lines,
        ]
    )


def fail(message: str, code: int = USAGE) -> int:
    """Print what went wrong, a user's mistake unless told otherwise, and return the exit code."""
    print(f"pinchpoint: {message}", file=sys.stderr)
    return code
