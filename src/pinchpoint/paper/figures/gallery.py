"""List the figures of the reproduction, with the games and rows that go into each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from pinchpoint.agents.registry import get_agent
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Mode
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.sampling import sample_boards
from pinchpoint.paper.experiments import PAPER_MODES, Team
from pinchpoint.paper.figures.distributions import distribution_figure, matrix_figure, task_figure
from pinchpoint.paper.figures.gameplay import (
    Moment,
    moments,
    q_figure,
    sample_game,
    three_games,
)
from pinchpoint.paper.figures.lines import (
    learning_figure,
    paper_steps_figure,
    par_figure,
    regret_figure,
    scaling_figure,
    steps_figure,
)
from pinchpoint.paper.figures.style import our_style, save
from pinchpoint.paper.figures.verdicts import verdict_figure
from pinchpoint.paper.report import Findings
from pinchpoint.study.evaluate import play_boards
from pinchpoint.study.parallel import run_all

GALLERY_SEED = 2022  # of the boards in the pictures of games
SEARCHED = 30  # boards among which a picture of a game chooses


Drawings = dict[str, partial[Figure]]  # by name; partials, as they travel to other processes


def draw_all(found: Findings, folder: Path, palette: str, jobs: int = 0) -> None:
    """Draw and save every figure."""
    drawings = data_figures(found) | game_figures(found, palette)
    for _ in run_all(_draw, [(name, draw, folder) for name, draw in drawings.items()], jobs):
        pass


def _draw(task: tuple[str, partial[Figure], Path]) -> None:
    name, draw, folder = task
    with our_style():
        save(draw(), folder, name)


def data_figures(found: Findings) -> Drawings:
    """Return the figures of numbers: the paper's 3, 4 and 7 for each team, and ours."""
    plan, tables = found.experiments, found.tables
    rows, summary = tables["rows"], tables["summary"]
    middle = rows[rows["p"] == plan.middle]
    at_middle = summary[summary["p"] == plan.middle]
    drawings = {"claims": partial(verdict_figure, tables["claims"])}
    for team in found.teams:
        for name, other in (("figure-3", "flow"), ("figure-7", "noodle")):
            modes = ("network", other)
            if team.of(modes):
                lines = ["random", *team.of((other, "network"))]
                drawings[f"{name}-{team.key}"] = partial(paper_steps_figure, summary, modes, lines)
        if len(pair := team.of(("network", "flow"))) == 2:
            drawings[f"figure-4-{team.key}"] = partial(task_figure, middle, *pair)
    everyone = [agent for team in found.teams for agent in team.of(PAPER_MODES)]
    for other in ("flow", "noodle"):
        agents = [agent for team in found.teams for agent in team.of((other, "network"))]
        lines = ["random", *agents, plan.search]
        drawings[f"steps-{other}"] = partial(steps_figure, summary, ("network", other), lines)
    with_others = ["random", *everyone, plan.search]
    drawings |= {
        "distributions": partial(distribution_figure, middle, PAPER_MODES, everyone),
        "matrix": partial(matrix_figure, at_middle, with_others, PAPER_MODES),
        "par": partial(par_figure, tables["pars"]),
        "regret": partial(regret_figure, tables["regrets"]),
        "scaling": partial(scaling_figure, tables["scaling"]),
    }
    if curves := training_curves(everyone):
        drawings["learning"] = partial(learning_figure, curves)
    return drawings


def training_curves(agents: Sequence[str]) -> dict[str, Sequence[Any]]:
    """Return the validation of agents through their training, from their cards."""
    cards = {agent: getattr(get_agent(agent), "card", None) for agent in agents}
    return {agent: card.curve for agent, card in cards.items() if card is not None and card.curve}


# -- pictures of games -----------------------------------------------------------------------


def game_figures(found: Findings, palette: str) -> Drawings:
    """Return the paper's figures 1, 2, 5 and 6 and its supplement."""
    side = found.experiments.size
    drawings = {"figure-2": partial(three_games, solved_games(), palette)}
    for team in found.teams:
        for name, mode, p in (("figure-1", "network", 0.75), ("figure-6", "noodle", 0.6)):
            for agent in team.of([mode]):
                game = chosen_game(get_mode(mode), agent, 10, p)
                drawings[f"{name}-{team.key}"] = partial(sample_game, game, palette)
        for agent in team.of(["network"]):
            game = chosen_game(get_mode("network"), agent, side, 0.75, q_values=True)
            title = f"{agent} agent playing network, {side} × {side}, p = 0.75"
            drawings[f"figure-5-{team.key}"] = partial(q_figure, game, palette, title)
        drawings |= supplement(found, team, palette)
    return drawings


def supplement(found: Findings, team: Team, palette: str) -> Drawings:
    """Return example games of each mode, numbered as in the paper's supplement."""
    plan, drawings = found.experiments, {}
    size = plan.supplement_size
    for place, (mode, p) in enumerate(plan.supplement.items()):
        for name in team.of([mode]):
            agent: Any = get_agent(name)
            boards = sample_boards(mode, size, p, plan.examples, GALLERY_SEED)
            histories = [game.moves for game in play_boards(agent, Games(boards))]
            for i, (board, moves) in enumerate(zip(boards.squares, histories, strict=True), 1):
                game = moments(board, get_mode(mode), moves, agent)
                title = f"{name} agent playing {mode}, {size} × {size}, p = {p:g}, game {i}"
                number = place * plan.examples + i
                drawings[f"figure-S{number}-{team.key}"] = partial(q_figure, game, palette, title)
    return drawings


def chosen_game(
    mode: Mode, agent_name: str, size: int, p: float, q_values: bool = False
) -> list[Moment]:
    """Return the first game of a fixed sequence with 6 or 7 moves, or the one nearest to that."""
    agent: Any = get_agent(agent_name)
    boards = sample_boards(mode, size, p, SEARCHED, GALLERY_SEED)
    histories = [game.moves for game in play_boards(agent, Games(boards))]
    excess = [max(6 - len(moves), len(moves) - 7, 0) for moves in histories]
    best = int(np.argmin(excess))
    return moments(boards.squares[best], mode, histories[best], agent if q_values else None)


def solved_games() -> list[tuple[Mode, list[Moment]]]:
    """Return a small game of each mode, played by the solver, with pieces cut off on the way."""
    games = []
    for name, p in (("network", 0.85), ("flow", 0.85), ("noodle", 0.75)):
        mode = get_mode(name)
        boards = sample_boards(mode, 7, p, SEARCHED, GALLERY_SEED)
        played = play_boards(get_agent("optimal:1"), Games(boards[:10]))
        seen = [moments(b, mode, g.moves) for b, g in zip(boards.squares, played, strict=False)]
        games.append((mode, max(seen, key=interest)))
    return games


def interest(game: Sequence[Moment]) -> tuple[int, int]:
    """Rank a game by the squares cut off one move before its end, then by its moves."""
    return int((game[-2].status == 2).sum()), len(game)
