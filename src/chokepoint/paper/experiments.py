"""What the reproduction plays: the paper's setting, quick or in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chokepoint.paper.studies import Study

MODES = ("network", "flow", "noodle")
# Who plays which mode over all densities: the lines of the paper's figures.
LINES = {
    "network": ("random", "flow", "network", "noodle"),
    "flow": ("random", "flow", "network"),
    "noodle": ("random", "noodle", "network"),
}


@dataclass(frozen=True)
class Settings:
    name: str
    games: int  # boards of each mode and density
    ps: tuple[float, ...]
    par_seconds: float  # limit of the solver, a board
    search: str  # the agent that searches
    search_games: int
    search_modes: tuple[str, ...]
    scaling: Mapping[str, Mapping[int, int]]  # mode -> side of the board -> games
    study_games: int  # boards that are solved again after every move
    size: int = 20
    middle: float = 0.8  # the density of distributions and of the matrix
    examples: int = 5  # games of each mode in the supplement
    supplement: Mapping[str, float] = field(
        default_factory=lambda: {"network": 0.7, "flow": 0.8, "noodle": 0.6}
    )
    supplement_size: int = 10

    def regret_studies(self, seed: int) -> list[Study]:
        """Flow is solved at once on any board; the other two on smaller ones."""
        where = {"network": (8, 0.7), "flow": (self.size, 0.8), "noodle": (10, 0.6)}
        return [
            Study(agent, mode, min(size, self.size), p, self.study_games, seed, 0.1)
            for mode, (size, p) in where.items()
            for agent in ("random", mode)
        ]

    def q_studies(self, seed: int) -> list[Study]:
        """Each agent in its own mode, where every optimal move can be known."""
        where = {"network": (7, 0.7), "flow": (self.size, 0.8), "noodle": (10, 0.6)}
        known = {"network": 40, "flow": 10_000, "noodle": 40}
        studies = [
            Study(mode, mode, min(size, self.size), p, self.study_games, seed, 0.25, known[mode])
            for mode, (size, p) in where.items()
        ]
        return [*studies, Study("network", "network", self.size, 0.7, self.study_games, seed, 0.0)]


def steps(low: int, high: int, by: int) -> tuple[float, ...]:
    return tuple(percent / 100 for percent in range(low, high + 1, by))


QUICK = Settings(
    name="quick",
    games=50,
    ps=steps(60, 100, 10),
    par_seconds=0.15,
    search="search:8",
    search_games=50,
    search_modes=("network", "flow"),
    scaling={
        "network": {10: 20, 20: 20, 40: 6, 80: 2},
        "flow": {10: 20, 20: 20, 40: 6, 80: 2},
        "noodle": {10: 20, 20: 10, 40: 2},
    },
    study_games=20,
)
FULL = Settings(
    name="full",
    games=1000,
    ps=steps(60, 100, 5),
    par_seconds=10.0,
    search="search:32",
    search_games=200,
    search_modes=MODES,
    scaling={mode: {10: 200, 20: 200, 40: 50, 80: 10} for mode in MODES},
    study_games=100,
)
