"""The paper from rows: its experiments, claims, figures and report.

`Reproduction(QUICK, folder).run(phase)` plays what the paper plays, looks into games, checks the
paper's claims, draws its figures and writes a report. matplotlib and pandas are imported when one
of the names below is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chokepoint.paper.claims import Claim, check_claims
    from chokepoint.paper.experiments import FULL, QUICK, TEAMS, Experiments, Team
    from chokepoint.paper.figures import learning_curve
    from chokepoint.paper.report import (
        MATRIX_HEADER,
        Findings,
        matrix_lines,
        verdict_header,
        verdict_lines,
    )
    from chokepoint.paper.reproduce import Reproduction

__all__ = [
    "FULL",
    "MATRIX_HEADER",
    "QUICK",
    "TEAMS",
    "Claim",
    "Experiments",
    "Findings",
    "Reproduction",
    "Team",
    "check_claims",
    "learning_curve",
    "matrix_lines",
    "verdict_header",
    "verdict_lines",
]

_HOMES = {
    "claims": ("Claim", "check_claims"),
    "experiments": ("FULL", "QUICK", "TEAMS", "Experiments", "Team"),
    "figures": ("learning_curve",),
    "report": ("MATRIX_HEADER", "Findings", "matrix_lines", "verdict_header", "verdict_lines"),
    "reproduce": ("Reproduction",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"chokepoint.paper.{module}"), name)
    raise AttributeError(f"module 'chokepoint.paper' has no attribute {name!r}")
