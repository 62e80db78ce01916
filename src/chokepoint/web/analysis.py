"""After the game: every move against the optimum, and how others would have played the board."""

from __future__ import annotations

from fastapi.concurrency import run_in_threadpool

from chokepoint.errors import InputError
from chokepoint.web.advisers import Adviser, advisers, find_adviser
from chokepoint.web.context import Context, film, par_view
from chokepoint.web.gamelog import Game
from chokepoint.web.layout import position_key
from chokepoint.web.solving import Par
from chokepoint.web.views import AnalysisView, Film, MoveAnalysis

AT_ONCE = 4  # positions of one game that are worked out at a time: others have games too


async def analyse(context: Context, game: Game, agent: str | None) -> AnalysisView:
    """What is known so far; what is missing is being worked out when this returns."""
    found = await run_in_threadpool(_without_agent, context, game)
    adviser = _choose(game, agent)
    if adviser is not None:
        try:
            line = await context.desk.line(game.layout, (), adviser)
            found.agent = await run_in_threadpool(film, context, game.layout, (), line)
            found.agent_name = adviser.name
        except InputError:  # an agent that cannot play this board is left out
            pass
    return found


def _choose(game: Game, name: str | None) -> Adviser | None:
    if name is not None:
        return find_adviser(game.layout.mode, name)
    others = [a for a in advisers(game.layout.mode) if a.kind != "solver"]
    return others[0] if others else None


def _without_agent(context: Context, game: Game) -> AnalysisView:
    layout, moves = game.layout, game.line.moves
    pars, pending = to_go(context, game)
    shown = par_view(context, layout)
    start = pars[0]
    optimum: Film | None = None
    if start is not None and start.moves:
        optimum = film(context, layout, (), list(start.moves))
    return AnalysisView(
        pending=pending or shown.pending,
        par=shown,
        you=film(context, layout, (), list(moves)),
        moves=[judge(moves[k], pars[k], pars[k + 1]) for k in range(len(moves))],
        optimum=optimum,
        agent=None,
        agent_name=None,
    )


def to_go(context: Context, game: Game) -> tuple[list[Par | None], bool]:
    """Par before each move and at the end, and whether some of it is being worked out."""
    layout, moves = game.layout, game.line.moves
    pars: list[Par | None] = []
    asked = 0
    for k in range(len(moves) + 1):
        if asked < AT_ONCE:
            par, pending = context.solutions.ask(layout, moves[:k], patience=1)
            asked += pending
        else:
            key = position_key(context.log.positions.at(layout, moves[:k]))
            par = context.solutions.find(key)
        pars.append(par)
    # The player's own play shows what can be done; and no move gains more than one.
    for k in reversed(range(len(moves))):
        here, after = pars[k], pars[k + 1]
        if here is not None and after is not None and after.value + 1 < here.value:
            plan = (moves[k], *after.moves)
            pars[k] = Par(after.value + 1, here.bound, plan, here.seconds)
    for k in range(len(moves)):
        here, after = pars[k], pars[k + 1]
        if here is not None and after is not None and here.bound - 1 > after.bound:
            pars[k + 1] = Par(after.value, here.bound - 1, after.moves, after.seconds)
    return pars, asked > 0


def judge(square: int, before: Par | None, after: Par | None) -> MoveAnalysis:
    """What one move cost: moves to go after it, and the move itself, against those before it."""
    cost = None if before is None or after is None else 1 + after.value - before.value
    certain = before is not None and after is not None and before.proven and after.proven
    better = before.moves[0] if cost and before is not None and before.moves else None
    return MoveAnalysis(
        square=square,
        to_go=None if before is None else before.value,
        after=None if after is None else after.value,
        cost=cost,
        certain=certain,
        better=better,
    )
