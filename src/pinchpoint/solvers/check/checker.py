"""Check a solution without the engine and without the solvers.

`rules.py` asks the mode in plain Python, and the moves are played by its answers one by one.
`bounds.py` verifies the lower bound as far as the certificate allows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.solvers.check.bounds import reprove_bound, verify
from pinchpoint.solvers.check.proofs import BoundClaim, FalseClaim
from pinchpoint.solvers.check.rules import Position
from pinchpoint.solvers.solution import Solution

ROUNDING = 1e-12  # share of the value by which sums of costs may differ
VERIFIED, NOT_VERIFIED, WRONG = "verified", "not verified", "wrong"


@dataclass(frozen=True)
class Verdict:
    """What was found out about a solution."""

    ok: bool  # the moves are a legal game to its end, and no claim was found to be false
    reason: str  # one sentence
    verified: float = 0  # lower bound that was verified here; the solver may have proven more
    bound: str = NOT_VERIFIED  # what became of the bound that the solution claims

    def record(self) -> dict[str, Any]:
        """Return the verdict as JSON can hold it."""
        return asdict(self)

    def __bool__(self) -> bool:
        return self.ok


def check_solution(solution: Solution, games: Games, row: int = 0, reprove: float = 0.0) -> Verdict:
    """Check a solution of one position; only squares, memory and rule are taken from `games`.

    A bound that its certificate does not show is the solver's word. With `reprove` seconds the
    checker tries to prove it anew by other means.
    """
    if not 0 <= row < len(games):
        raise InputError(f"there is no game {row}; games are 0 to {len(games) - 1}")
    opened = (games.status[row] == 1) | (games.status[row] == 2)
    memory = int(games.memory[row])
    if not games.mode.remembers:  # it follows from the board
        memory = int(games.judge.first_memory(games.laid[[row]])[0])
    start = Position(games.topology, games.mode, opened, memory)
    position, active = start.settled()
    if not np.array_equal(active, games.active[row]):
        return Verdict(False, "the active squares of the position are not those of the rules")
    claim = BoundClaim(games.topology, games.mode, active, position.memory, solution)
    for number, square in enumerate(solution.moves, 1):
        if not 0 <= square < games.topology.n or not active[square]:
            return Verdict(False, f"move {number} attacks square {square}, which is not active")
        position, active = position.without(square)
    paid = games.topology.whole_costs.number(claim.paid)
    whole = isinstance(paid, int) and paid < 2**53
    if abs(paid - solution.value) > (0 if whole else ROUNDING * paid):
        return Verdict(False, f"the moves cost {paid}, the solution says {solution.value}")
    if active.any():
        return Verdict(False, f"after the {len(solution.moves)} moves the game is not over")
    try:
        verified = verify(claim)
    except FalseClaim as error:
        return Verdict(False, str(error), bound=WRONG)
    shown = games.topology.whole_costs.number
    if reprove > 0 and verified < claim.bound:
        proof = reprove_bound(claim, start, reprove)
        if proof.optimum is not None and proof.optimum < claim.bound:
            what = "moves are" if games.topology.unit_costs else "is"
            reason = f"{shown(proof.optimum)} {what} enough, the bound says {solution.bound}"
            return Verdict(False, reason, bound=WRONG)
        verified = max(verified, min(proof.bound, claim.paid))
    bound = VERIFIED if verified >= claim.bound else NOT_VERIFIED
    return Verdict(True, _sentence(claim, verified), shown(verified), bound)


def _sentence(claim: BoundClaim, verified: int) -> str:
    count, fewer = len(claim.solution.moves), "needs fewer"
    game = f"the {count} moves are" if count != 1 else "the one move is"
    game += " a legal game to its end"
    if not claim.topology.unit_costs:
        game += f" that costs {claim.solution.value}"
        fewer = "costs less"
    if verified >= claim.paid:
        return f"{game}, and no play {fewer}"
    known = claim.topology.whole_costs.number(verified)
    if verified >= claim.bound:
        return f"{game}, and no play {fewer} than {known}"
    return (
        f"{game}; the bound {claim.solution.bound} was not verified and is the solver's word, "
        f"that no play {fewer} than {known} was"
    )
