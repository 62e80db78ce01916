"""Validation: how a network plays boards that training never sees, and what is written about it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from chokepoint.game import Games, Mode, plan_lengths, sample_boards
from chokepoint.learning.nets import QNet
from chokepoint.learning.selfplay import greedy_plans

VALIDATION_SEED = 710_001  # boards that training never sees: its own come from the run's seed
VALIDATION_P = (0.6, 0.7, 0.8, 0.9)
QUICK_PAR = ("flow",)  # modes whose solver is exact and takes no time

Curve = dict[str, float]  # by p


@dataclass
class Validation:
    """The same boards each time, so many for each p."""

    mode: Mode
    games: int
    _pars: dict[int, Curve] = field(default_factory=dict)  # by size, once they are asked for

    def moves(self, net: QNet, size: int, device: torch.device) -> Curve:
        """Mean moves of the greedy policy."""
        return {
            f"{p:.1f}": float(plan_lengths(greedy_plans(net, self._boards(size, p), device)).mean())
            for p in VALIDATION_P
        }

    def par(self, size: int) -> Curve:
        """Mean par, where the solver is exact and answers at once."""
        if self.mode.name in QUICK_PAR and size not in self._pars:
            from chokepoint.solvers import solve

            self._pars[size] = {
                f"{p:.1f}": float(np.mean([each.value for each in solve(self._boards(size, p))]))
                for p in VALIDATION_P
            }
        return self._pars.get(size, {})

    def _boards(self, size: int, p: float) -> Games:
        return Games(sample_boards(self.mode, size, p, self.games, VALIDATION_SEED), self.mode)


def write_log(out: Path, row: dict[str, Any]) -> None:
    """Add a row to the run's log.jsonl, and to TensorBoard where that is installed."""
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(row) + "\n")
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return
    with SummaryWriter(out / "tensorboard") as writer:
        for name, value in row.items():
            curves = value if isinstance(value, dict) else {"": value}
            for p, number in curves.items():
                writer.add_scalar(f"{name}/{p}" if p else name, number, row["step"])
