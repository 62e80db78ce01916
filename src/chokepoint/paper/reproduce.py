"""Run the whole reproduction: games, studies, claims, figures, report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import chokepoint
from chokepoint.agents import get_agent
from chokepoint.paper.claims import check_claims
from chokepoint.paper.experiments import PAPER_MODES, Experiments, run_studies
from chokepoint.paper.report import Findings, write_report
from chokepoint.study import Evaluation, Match, Progress, summarise, write_rows

Phase = Callable[[str, int], Any]  # (what, how much of it) -> a context that yields a Progress


@dataclass(frozen=True)
class Reproduction:
    """One run: what is played, the seed, and where everything goes."""

    experiments: Experiments
    out: Path
    seed: int = 1
    jobs: int = 0
    backend: str = "joblib"
    palette: str = "clear"

    def run(self, phase: Phase) -> Findings:
        """Do everything in order; games that were played before are not played again."""
        from chokepoint.paper.figures.gallery import draw_all

        began = time.perf_counter()
        for mode in PAPER_MODES:
            get_agent(mode)  # a missing agent shows at once
        plan, seed = self.experiments, self.seed
        rows = self.evaluate(plan.curve_matches(seed), phase, "playing")
        scaling = self.evaluate(plan.scaling_matches(seed), phase, "larger boards")
        pars = self.evaluate(plan.par_matches(seed), phase, "par")
        with phase("looking into games", 0):
            regrets, looks = run_studies(plan.regret_studies(seed), plan.q_studies(seed), self.jobs)
        found = Findings(
            experiments=plan,
            seed=seed,
            version=chokepoint.__version__,
            rows=rows,
            summary=summarise(rows),
            scaling=scaling,
            pars=pars,
            regrets=regrets,
            looks=looks,
            claims=check_claims(rows, looks),
        )
        for name in ("rows", "summary", "scaling", "pars", "regrets", "looks"):
            write_rows(getattr(found, name), self.out, "csv", name)
        write_rows(rows, self.out, "parquet")
        with phase("drawing", 0):
            draw_all(found, self.out / "figures", self.palette, self.jobs)
        write_report(found, self.out, time.perf_counter() - began)
        return found

    def evaluate(self, matches: list[Match], phase: Phase, what: str) -> pd.DataFrame:
        """Play these matches and return a row for each game."""
        folder = self.out / "results"
        evaluation = Evaluation(matches, folder, self.seed, self.experiments.par_seconds)
        with phase(what, evaluation.left()) as progress:
            tell: Progress = progress
            return evaluation.run(self.jobs, self.backend, tell)
