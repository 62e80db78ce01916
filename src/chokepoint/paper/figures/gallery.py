"""List the figures of the reproduction, with the games and rows that go into each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from chokepoint.agents import get_agent
from chokepoint.game import Games, Mode, get_mode, sample_boards
from chokepoint.paper.experiments import LINES, PAPER_MODES
from chokepoint.paper.figures.distributions import distribution_figure, matrix_figure
from chokepoint.paper.figures.gameplay import Moment, moments, q_figure, sample_game, three_games
from chokepoint.paper.figures.lines import (
    learning_figure,
    par_figure,
    regret_figure,
    scaling_figure,
    steps_figure,
)
from chokepoint.paper.figures.style import our_style, save
from chokepoint.paper.report import Findings
from chokepoint.study import play_boards, run_all

GALLERY_SEED = 2022  # of the boards in the pictures of games
SEARCHED = 30  # boards among which a picture of a game chooses


@dataclass(frozen=True)
class Drawing:
    """One figure to draw; plain values only, as it travels to other processes."""

    name: str
    make: Callable[..., Figure]
    arguments: tuple[Any, ...]


def draw_all(found: Findings, folder: Path, palette: str, jobs: int = 0) -> None:
    """Draw and save every figure."""
    tasks = [(drawing, folder) for drawing in [*data_figures(found), *game_figures(found, palette)]]
    for _ in run_all(_draw, tasks, jobs):
        pass


def _draw(task: tuple[Drawing, Path]) -> None:
    drawing, folder = task
    with our_style():
        save(drawing.make(*drawing.arguments), folder, drawing.name)


def data_figures(found: Findings) -> list[Drawing]:
    """Return the figures of numbers: the paper's 3, 4 and 7, and ours."""
    plan, summary, rows = found.experiments, found.summary, found.rows
    search = [plan.search]
    middle = rows[rows["p"] == plan.middle]
    at_middle = summary[summary["p"] == plan.middle]
    drawings = [
        Drawing(
            "steps-flow", steps_figure, (summary, ("network", "flow"), [*LINES["flow"], *search])
        ),
        Drawing(
            "steps-noodle",
            steps_figure,
            (summary, ("network", "noodle"), [*LINES["noodle"], *search]),
        ),
        Drawing("distributions", distribution_figure, (middle, PAPER_MODES, PAPER_MODES)),
        Drawing(
            "matrix", matrix_figure, (at_middle, ["random", *PAPER_MODES, *search], PAPER_MODES)
        ),
        Drawing("par", par_figure, (found.pars,)),
        Drawing("regret", regret_figure, (found.regrets,)),
        Drawing("scaling", scaling_figure, (found.scaling,)),
    ]
    curves = training_curves()
    return [*drawings, Drawing("learning", learning_figure, (curves,))] if curves else drawings


def training_curves() -> dict[str, Sequence[Any]]:
    """Return the validation of the shipped agents through their training, from their cards."""
    cards = {mode: getattr(get_agent(mode), "card", None) for mode in PAPER_MODES}
    return {mode: card.curve for mode, card in cards.items() if card is not None and card.curve}


# -- pictures of games -----------------------------------------------------------------------


def game_figures(found: Findings, palette: str) -> list[Drawing]:
    """Return the paper's figures 1, 2 and 5 and its supplement."""
    plan = found.experiments
    network = get_mode("network")
    drawings = [
        Drawing("sample-game", sample_game, (chosen_game(network, "network", 10, 0.75), palette)),
        Drawing("three-games", three_games, (solved_games(), palette)),
    ]
    side = plan.size
    for mode, p, size in (("network", 0.75, side), ("flow", 0.8, side), ("noodle", 0.6, 10)):
        game = chosen_game(get_mode(mode), mode, min(size, side), p, q_values=True)
        title = f"{mode} agent playing {mode}, {min(size, side)} × {min(size, side)}, p = {p:g}"
        drawings.append(Drawing(f"q-{mode}", q_figure, (game, palette, title)))
    return [*drawings, *supplement(found, palette)]


def supplement(found: Findings, palette: str) -> list[Drawing]:
    """Return example games of each mode, as in the paper's supplement."""
    plan = found.experiments
    size, drawings = plan.supplement_size, []
    for mode, p in plan.supplement.items():
        agent: Any = get_agent(mode)
        boards = sample_boards(mode, size, p, plan.examples, GALLERY_SEED)
        histories = play_boards(agent, Games(boards, mode)).histories()
        for number, (board, moves) in enumerate(zip(boards, histories, strict=True), 1):
            game = moments(board, get_mode(mode), moves, agent)
            title = f"{mode} agent, {size} × {size}, p = {p:g}, game {number}: {len(moves)} moves"
            drawings.append(Drawing(f"game-{mode}-{number}", q_figure, (game, palette, title)))
    return drawings


def chosen_game(
    mode: Mode, agent_name: str, size: int, p: float, q_values: bool = False
) -> list[Moment]:
    """Return the first game of a fixed sequence with 6 or 7 moves, or the one nearest to that."""
    agent: Any = get_agent(agent_name)
    boards = sample_boards(mode, size, p, SEARCHED, GALLERY_SEED)
    histories = play_boards(agent, Games(boards, mode)).histories()
    excess = [max(6 - len(moves), len(moves) - 7, 0) for moves in histories]
    best = int(np.argmin(excess))
    return moments(boards[best], mode, histories[best], agent if q_values else None)


def solved_games() -> list[tuple[Mode, list[Moment]]]:
    """Return a small game of each mode, played by the solver, with pieces cut off on the way."""
    games = []
    for name, p in (("network", 0.85), ("flow", 0.85), ("noodle", 0.75)):
        mode = get_mode(name)
        boards = sample_boards(mode, 7, p, SEARCHED, GALLERY_SEED)
        histories = play_boards(get_agent("optimal:1s"), Games(boards[:10], mode)).histories()
        told = [moments(b, mode, m) for b, m in zip(boards, histories, strict=False)]
        games.append((mode, max(told, key=interest)))
    return games


def interest(game: Sequence[Moment]) -> tuple[int, int]:
    """Rank a game by the squares cut off one move before its end, then by its moves."""
    return int((game[-2].status == 2).sum()), len(game)
