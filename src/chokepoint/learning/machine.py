"""The machine that training runs on: its processes, its device, and how it says stop."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist

from chokepoint.errors import InputError


def process_group(device: str) -> tuple[int, int]:
    """(rank, number of processes); torchrun tells by the environment."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world == 1:
        return 0, 1
    if not dist.is_initialized():
        dist.init_process_group("nccl" if choose_device(device).type == "cuda" else "gloo")
    return dist.get_rank(), world


def choose_device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"there is no device {name!r}; choose cpu, cuda or auto") from None
    if device.type == "cuda":
        if not torch.cuda.is_available():
            raise InputError("this machine has no GPU that torch can use; choose cpu or auto")
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return device


@contextmanager
def told_to_stop() -> Iterator[Callable[[], bool]]:
    """A question that turns true at Ctrl-C or SIGTERM; a second Ctrl-C ends at once."""
    told: list[int] = []

    def handle(number: int, frame: Any) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(told)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
