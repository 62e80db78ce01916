"""Run the whole reproduction: games, studies, claims, figures, report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import pinchpoint
from pinchpoint.paper.claims import check_claims
from pinchpoint.paper.experiments import Experiments, shipped_teams
from pinchpoint.paper.manifest import write_manifest
from pinchpoint.paper.probes import run_probes
from pinchpoint.paper.report import Findings, write_report
from pinchpoint.study.evaluate import Evaluation, Match, Progress
from pinchpoint.study.rows import write_rows
from pinchpoint.study.summary import summarise
from pinchpoint.study.true_q import q_error_row

Phase = Callable[[str, int], Any]  # (what, how much of it) -> a context that yields a Progress


@dataclass(frozen=True)
class Reproduction:
    """One run: what is played, the seed, and where everything goes."""

    experiments: Experiments
    out: Path
    seed: int = 1
    jobs: int = 0
    backend: str = "joblib"
    palette: str = "classic"  # the colours of the paper

    def run(self, phase: Phase) -> Findings:
        """Do everything in order; games that were played before are not played again."""
        from pinchpoint.paper.figures.gallery import draw_all

        began = time.perf_counter()
        plan, seed, teams = self.experiments, self.seed, shipped_teams()
        rows = self.evaluate(plan.curve_matches(seed, teams), phase, "playing")
        scaling = self.evaluate(plan.scaling_matches(seed, teams), phase, "larger boards")
        pars = self.evaluate(plan.par_matches(seed), phase, "par")
        tables = {"rows": rows, "summary": summarise(rows), "scaling": scaling, "pars": pars}
        with phase("looking into games", 0):
            tables |= run_probes(plan, seed, teams, self.jobs)
        errors = [q_error_row(agent, mode) for team in teams for mode, agent in team.agents.items()]
        tables["q_errors"] = pd.DataFrame(errors)
        tables["claims"] = check_claims(tables, teams)
        found = Findings(plan, seed, pinchpoint.__version__, teams, tables)
        for name, table in tables.items():
            write_rows(table, self.out, "csv", name)
        write_rows(rows, self.out, "parquet")
        with phase("drawing", 0):
            draw_all(found, self.out / "figures", self.palette, self.jobs)
        write_report(found, self.out)
        write_manifest(found, self.out, time.perf_counter() - began)
        return found

    def evaluate(self, matches: list[Match], phase: Phase, what: str) -> pd.DataFrame:
        """Play these matches and return a row for each game."""
        folder = self.out / "results"
        evaluation = Evaluation(matches, folder, self.seed, self.experiments.par_work)
        with phase(what, evaluation.left()) as progress:
            tell: Progress = progress
            return evaluation.run(self.jobs, self.backend, tell)
