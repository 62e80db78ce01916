"""The whole paper from what is in the box: games, studies, figures, claims, report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import chokepoint
from chokepoint.agents import get_agent
from chokepoint.game import Games, get_mode
from chokepoint.paper.claims import check_claims
from chokepoint.paper.report import Findings, write_report
from chokepoint.paper.experiments import LINES, MODES, Settings
from chokepoint.paper.studies import run_studies
from chokepoint.study import (
    Evaluation,
    Match,
    Point,
    Progress,
    sampled_points,
    summarise,
    write_rows,
)

Phase = Callable[[str, int], Any]  # (what, how much of it) -> a context that yields a Progress


@dataclass(frozen=True)
class Reproduction:
    """One run: settings, seed, and where everything goes."""

    settings: Settings
    out: Path
    seed: int = 1
    jobs: int = 0
    backend: str = "joblib"
    palette: str = "clear"

    def run(self, phase: Phase) -> Findings:
        """Everything, in order; games that were played before are not played again."""
        from chokepoint.paper.figures.gallery import draw_all

        began = time.perf_counter()
        for mode in MODES:
            get_agent(mode)  # a missing agent shows at once
        rows = self.evaluate(curve_matches(self.settings, self.seed), phase, "playing")
        scaling = self.evaluate(scaling_matches(self.settings, self.seed), phase, "larger boards")
        pars = self.evaluate(par_matches(self.settings, self.seed), phase, "par")
        with phase("looking into games", 0):
            regrets, looks = run_studies(
                self.settings.regret_studies(self.seed),
                self.settings.q_studies(self.seed),
                self.jobs,
            )
        summary = summarise(rows)
        found = Findings(
            settings=self.settings,
            seed=self.seed,
            version=chokepoint.__version__,
            rows=rows,
            summary=summary,
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
        folder = self.out / "results"
        evaluation = Evaluation(matches, folder, self.seed, self.settings.par_seconds)
        with phase(what, evaluation.left()) as progress:
            tell: Progress = progress
            return evaluation.run(self.jobs, self.backend, tell)


def curve_matches(settings: Settings, seed: int) -> list[Match]:
    """The paper's lines over p, all agents in all modes at one p, and search."""
    matches: list[Match] = []
    for mode in MODES:
        rule = get_mode(mode)
        points = sampled_points([rule], [settings.size], settings.ps, settings.games, seed)
        for point in points:
            agents = list(LINES[mode])
            if point.p == settings.middle:
                agents += [agent for agent in MODES if agent not in agents]
            matches += [(agent, point) for agent in agents]
            if mode in settings.search_modes:
                matches.append((settings.search, point.part(0, settings.search_games)))
    return matches


def scaling_matches(settings: Settings, seed: int) -> list[Match]:
    """Each mode's own agent, random moves and the solver on boards of several sizes."""
    matches: list[Match] = []
    for mode, sizes in settings.scaling.items():
        for size, games in sizes.items():
            [point] = sampled_points([get_mode(mode)], [size], [settings.middle], games, seed)
            matches += [(agent, point) for agent in ("random", mode, "optimal")]
    return matches


def par_matches(settings: Settings, seed: int) -> list[Match]:
    """The solver in all modes on the same boards: those that flow can be played on.

    Flow asks the most of a board. The few that are over when laid in another mode are left out.
    """
    matches: list[Match] = []
    for p in settings.ps:
        [point] = sampled_points([get_mode("flow")], [settings.size], [p], settings.games, seed)
        rules = [get_mode(mode) for mode in MODES]
        runs = np.all([~Games(point.boards, rule).done for rule in rules], axis=0)
        if runs.any():
            boards, numbers = point.boards[runs], point.numbers[runs]
            matches += [("optimal", Point(rule, boards, numbers, p)) for rule in rules]
    return matches
