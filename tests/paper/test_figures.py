"""Figures: drawn from known data, and their marks in the right places."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle
from stand_ins import Rater

import pinchpoint
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.graph.lattices import lattice
from pinchpoint.paper.claims import TESTED
from pinchpoint.paper.figures.dismantling import dismantling_curves, worst_nodes
from pinchpoint.paper.figures.distributions import distribution_figure, matrix_figure, task_figure
from pinchpoint.paper.figures.gameplay import (
    barrier,
    components,
    moments,
    network_marks,
    noodle_marks,
    q_figure,
    sample_game,
)
from pinchpoint.paper.figures.lines import (
    learning_curve,
    paper_steps_figure,
    regret_figure,
    stages,
    steps_figure,
)
from pinchpoint.paper.figures.style import STYLES, new_figure, our_style, save, style_of
from pinchpoint.paper.figures.verdicts import verdict_figure
from pinchpoint.study.summary import summarise

BOARD = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 0], [1, 0, 1, 1]], dtype=np.uint8)


def rows_of_steps():
    """Two agents in two modes at two densities: steps 10·p + what the agent adds."""
    return pd.DataFrame(
        {
            "agent": agent,
            "mode": mode,
            "options": "{}",
            "size": "6x6",
            "p": p,
            "board": board,
            "steps": int(10 * p) + extra + board % 2,
            "par": int(10 * p),
            "proven": True,
            "seconds": 0.1,
        }
        for mode in ("network", "flow")
        for p in (0.6, 0.8)
        for agent, extra in (("random", 9), ("network", 1))
        for board in range(6)
    ).astype({"par": "Int64", "proven": "boolean"})


def finished(mode, agent=None):
    games = Games(BOARD, mode)
    rater = agent or Rater()
    while not games.done[0]:
        games.play(rater.act(games))
    return moments(BOARD, get_mode(mode), games.history(0), rater)


def test_moments_are_the_game():
    game = finished("flow")
    assert (game[0].status > 0).sum() == BOARD.sum()
    assert game[-1].square is None
    assert not (game[-1].status == 1).any()
    for before, after in itertools.pairwise(game):
        assert before.status.flat[before.square] == 1
        assert after.status.flat[before.square] == 3
        assert before.q.flat[before.square] == before.q[np.isfinite(before.q)].max()


def test_the_wall_parts_top_from_bottom():
    status = finished("flow")[-1].status
    wall = barrier(status)
    assert wall[0][1] == 0
    assert wall[-1][1] == 3
    assert all(status[square] in (0, 3) for square in wall)
    steps = itertools.pairwise(wall)
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in steps)


def test_as_many_ticks_as_faces():
    game = finished("noodle")
    ax = new_figure(2).subplots()
    note = noodle_marks(ax, game, "clear")
    pieces = Games(BOARD, "noodle")
    for moment in game[:-1]:
        pieces.play(moment.square)
    faces = sum(piece.faces for piece in pieces.components())
    assert len(ax.lines) == faces
    assert note.startswith(f"{faces} faces")


def test_dots_show_what_was_active_before_the_last_move():
    game = finished("network")
    ax = new_figure(2).subplots()
    network_marks(ax, game, "clear")
    was_active = (game[-2].status == 1).sum() - 1
    assert len(ax.collections[0].get_offsets()) == was_active
    pieces = [len(piece) for piece in components(game[-1].status)]
    assert sum(pieces) == (game[-1].status == 2).sum()


def test_the_chosen_square_is_framed():
    game = finished("flow")
    figure = q_figure(game, "clear", "a game")
    frames = [p for ax in figure.axes for p in ax.patches if isinstance(p, Rectangle)]
    frames = [p for p in frames if p.get_width() == 1 and not p.get_fill()]
    expected = [divmod(moment.square, 4) for moment in game[:-1]]
    assert [(p.get_y() + 0.5, p.get_x() + 0.5) for p in frames] == expected


def test_a_long_game_is_shown_in_few_pictures():
    board = np.ones((8, 8), dtype=np.uint8)
    game = moments(board, get_mode("network"), [], None)
    assert len(sample_game(game, "classic").axes) == 1
    games = Games(board, "noodle")
    rater = Rater()
    while not games.done[0]:
        games.play(rater.act(games))
    long = moments(board, get_mode("noodle"), games.history(0), rater)
    assert len(long) > 10
    figure = q_figure(long, "clear", "long")
    assert len(figure.axes) == 3 * 6 + 1
    assert figure.axes[-1].get_title() == f"end, {len(long) - 1} moves"  # after the last move


def test_lines_hold_the_summary():
    summary = summarise(rows_of_steps())
    figure = steps_figure(summary, ("network", "flow"), ("random", "network", "absent"))
    steps, ratio = figure.axes[0], figure.axes[2]
    drawn = {container.get_label(): container[0].get_ydata() for container in steps.containers}
    assert list(drawn) == ["random moves", "network agent"]
    assert drawn["random moves"] == pytest.approx([15.5, 17.5])
    [par] = [line for line in steps.lines if line.get_label() == "best known"]
    assert list(par.get_ydata()) == [6, 8]
    assert ratio.containers[0][0].get_ydata() == pytest.approx([15.5 / 6, 17.5 / 8])


def test_the_matrix_shows_every_number_and_a_dash_for_none():
    rows = rows_of_steps().query("p == 0.8 and not (agent == 'network' and mode == 'flow')")
    figure = matrix_figure(summarise(rows), ("random", "network", "nobody"), ("network", "flow"))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown == ["17.5", "17.5", "9.5", "–"]
    assert next(text.get_text() for text in figure.axes[1].texts) == "2.19"


def test_the_papers_panels_on_task_and_off_task():
    rows = rows_of_steps().query("p == 0.8")
    flow = rows.assign(agent=rows["agent"].replace({"random": "flow"}))
    with our_style():
        figure = task_figure(flow, "network", "flow")
    labels = [[text.get_text() for text in ax.get_legend().get_texts()] for ax in figure.axes]
    assert labels == [
        ["network agent, playing network", "flow agent, playing flow"],
        ["network agent, playing flow", "flow agent, playing network"],
    ]
    assert [ax.get_title("left") for ax in figure.axes] == ["(a)  on task", "(b)  off task"]
    summary = summarise(rows_of_steps())
    plain = paper_steps_figure(summary, ("network", "flow"), ("random", "network"))
    assert len(plain.axes) == 2
    drawn = plain.axes[0].containers[0]
    assert drawn[0].get_ydata() == pytest.approx([15.5, 17.5])


def test_a_claim_is_drawn_on_the_axis_of_its_threshold():
    bounds = {"above": 0.5, "below": np.inf, "team": "stronger", "reading": TESTED}
    numbers = {"value": 2.0, "low": 1.0, "high": 3.0}
    none = dict.fromkeys(numbers, np.nan)
    lines = [("A claim.", "network", numbers), ("A claim.", "flow", none), ("B.", "flow", none)]
    figure = verdict_figure(
        pd.DataFrame({"claim": says, "part": part} | bounds | found for says, part, found in lines)
    )
    ax, empty = figure.axes[:2]
    assert ax.containers[0][0].get_xdata() == [2]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["network"]
    span: Any
    [span] = ax.patches
    assert span.get_x() == 0.5  # green from the threshold on
    assert empty.texts[0].get_text() == "no data"


def test_tails_end_at_the_worst_game():
    rows = rows_of_steps().query("p == 0.8")
    figure = distribution_figure(rows, ("network",), ("random", "network"))
    curve = figure.axes[1].lines[0]
    assert curve.get_xdata().max() == 18
    assert curve.get_ydata().min() == pytest.approx(1 / 6)


def test_regret_leaves_out_moves_that_few_games_reach():
    regrets = pd.DataFrame(
        {"agent": "random", "mode": "flow", "size": "6x6", "p": 0.8, "move": m, "regret": m % 2}
        for m in (1, 2, 3)
        for _ in range(8 if m < 3 else 4)
    )
    [container] = regret_figure(regrets).axes[0].containers
    assert list(container[0].get_xdata()) == [1, 2]
    assert list(container[0].get_ydata()) == [1, 0]


def test_a_learning_curve_is_cut_where_the_boards_grow(tmp_path):
    history = [
        {
            "size": 6 if i < 3 else 10,
            "seconds": 60.0 * i,
            "validation": {"0.6": 9 - i, "0.8": 20 - i},
        }
        for i in range(6)
    ]
    assert [len(stage) for stage in stages(history)] == [3, 3]
    learning_curve(history, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 5000
    learning_curve([], tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()


def test_the_same_figure_is_the_same_file_and_leaves_no_settings_behind(tmp_path):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    for name in ("a", "b"):
        with our_style():
            save(sample_game(finished("flow"), "clear"), tmp_path / name, "game")
    for ending in ("png", "pdf"):
        first, second = (tmp_path / name / f"game.{ending}" for name in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()
        assert first.stat().st_size > 1000
    assert dict(mpl.rcParams) == before


def test_the_same_dismantling_is_the_same_picture(tmp_path):
    found = pinchpoint.dismantle(lattice(5, 5), ["degree", "ci:2"])
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        dismantling_curves(found, tmp_path / name)
        worst_nodes(found[0], 3, tmp_path / name / "worst.png")
    for name in ("curve.png", "curve.svg", "worst.png", "worst.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_styles():
    assert style_of("search:8").label == "search, width 8"
    assert style_of("corehd").label == "corehd"
    assert style_of("corehd") == style_of("corehd")
    colours = [known.colour for name, known in STYLES.items() if name != "optimal"]
    assert len(set(colours)) == len(colours)
