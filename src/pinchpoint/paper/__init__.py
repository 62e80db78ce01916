"""The paper from rows: its experiments, claims, figures and report.

`Reproduction(QUICK, folder).run(phase)` plays what the paper plays, looks into games, checks the
paper's claims, draws its figures and writes a report. matplotlib and pandas are imported when one
of the names below is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinchpoint.lazy import lazy_attribute

if TYPE_CHECKING:
    from pinchpoint.paper.claims import Claim, check_claims
    from pinchpoint.paper.experiments import (
        FULL,
        PAPER_MODES,
        QUICK,
        TEAMS,
        Experiments,
        Team,
        own_mode,
    )
    from pinchpoint.paper.figures import dismantling_curves, learning_curve, worst_nodes
    from pinchpoint.paper.manifest import differences, read_manifest, side_by_side
    from pinchpoint.paper.report import (
        MATRIX_HEADER,
        Q_HEADER,
        Findings,
        matrix_lines,
        q_error_lines,
        verdict_header,
        verdict_lines,
    )
    from pinchpoint.paper.reproduce import Reproduction

__all__ = [
    "FULL",
    "MATRIX_HEADER",
    "PAPER_MODES",
    "QUICK",
    "Q_HEADER",
    "TEAMS",
    "Claim",
    "Experiments",
    "Findings",
    "Reproduction",
    "Team",
    "check_claims",
    "differences",
    "dismantling_curves",
    "learning_curve",
    "matrix_lines",
    "own_mode",
    "q_error_lines",
    "read_manifest",
    "side_by_side",
    "verdict_header",
    "verdict_lines",
    "worst_nodes",
]

_HOMES = {
    "Claim": "claims",
    "check_claims": "claims",
    "FULL": "experiments",
    "QUICK": "experiments",
    "TEAMS": "experiments",
    "Experiments": "experiments",
    "PAPER_MODES": "experiments",
    "Team": "experiments",
    "own_mode": "experiments",
    "dismantling_curves": "figures",
    "learning_curve": "figures",
    "worst_nodes": "figures",
    "differences": "manifest",
    "read_manifest": "manifest",
    "side_by_side": "manifest",
    "MATRIX_HEADER": "report",
    "Findings": "report",
    "Q_HEADER": "report",
    "matrix_lines": "report",
    "q_error_lines": "report",
    "verdict_header": "report",
    "verdict_lines": "report",
    "Reproduction": "reproduce",
}


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)
