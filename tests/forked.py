"""Commands in processes of their own that need not import torch and the package anew.

They are forked from a process that has imported both and done nothing else. Tests that are about
how a command starts, or what it imports, run `python -m pinchpoint.cli` instead.
"""

import multiprocessing
import os
import sys
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from pinchpoint.cli.main import main

CONTEXT = multiprocessing.get_context("forkserver")
# What `pinchpoint train` imports; torch._dynamo comes with the first optimizer.
CONTEXT.set_forkserver_preload(
    ["pinchpoint.cli.train", "pinchpoint.learning.train", "torch._dynamo"]
)


def started(words: list[str], folder: Path) -> ForkServerProcess:
    """Start a command; what it prints goes to the files stdout and stderr of the folder."""
    process = CONTEXT.Process(target=run, args=(words, folder), daemon=True)
    process.start()
    return process


def run(words: list[str], folder: Path) -> None:
    """Run a command as its own process would, in the child."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), number)
    sys.exit(main(words))
