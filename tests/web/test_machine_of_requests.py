"""Any sequence of requests leaves the server's state equal to the engine's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from playing import new_game, random_board, step

from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards

CLIENT: list[Any] = []  # the state machine is made by hypothesis, which knows no fixtures


class Requests(RuleBasedStateMachine):
    @initialize(
        mode=st.sampled_from(["network", "flow", "noodle", "shatter"]),
        seed=st.integers(0, 50),
        p=st.sampled_from([0.7, 0.9, 1.0]),
    )
    def begin(self, mode: str, seed: int, p: float) -> None:
        self.client = CLIENT[0]
        self.game = new_game(self.client, random_board(mode, 5, p, seed))
        self.boards = sample_boards(mode, 5, p, 1, seed)
        self.engine = Games(self.boards, mode)
        self.last: tuple[str, Any] | None = None
        self.undos = 0

    def send(self, path: str, body: Any) -> int:
        answer = self.client.post(f"/api/games/{self.game['id']}/{path}", json=body)
        if answer.status_code == 200:
            self.game = answer.json()
        return int(answer.status_code)

    @rule(pick=st.integers(0, 10**6))
    def legal_move(self, pick: int) -> None:
        squares = np.flatnonzero(self.engine.legal[0])
        if not len(squares):
            return
        square = int(squares[pick % len(squares)])
        body = {"turn": self.game["turn"], "ply": self.game["ply"], "square": square}
        assert self.send("moves", body) == 200
        self.last = ("moves", body)
        self.engine.play(square)

    @rule(square=st.integers(0, 30), off=st.integers(-2, 2), late=st.integers(-2, 2))
    def any_move(self, square: int, off: int, late: int) -> None:
        body = {"turn": self.game["turn"] + late, "ply": self.game["ply"] + off, "square": square}
        legal = square < 25 and bool(self.engine.legal[0, square]) and off == late == 0
        before = self.game["turn"]
        status = self.send("moves", body)
        if legal:
            assert status == 200
            self.engine.play(square)
        else:  # refused, or known already
            assert self.game["turn"] == before
            assert status in (200, 409, 422)

    @rule(kind=st.sampled_from(["undo", "redo", "restart"]))
    def back_and_forth(self, kind: str) -> None:
        able = not self.game["done"] and (kind == "restart" or self.game[f"can_{kind}"])
        answer = step(self.client, self.game, kind)
        assert answer.status_code == (200 if able else 409)
        if not able:
            return
        self.last = (kind, {"turn": self.game["turn"]})
        self.game = answer.json()
        self.undos += kind != "redo"
        if kind == "redo":
            self.engine.redo()
        for _ in range({"undo": 1, "redo": 0, "restart": int(self.engine.move_counts[0])}[kind]):
            self.engine.undo()

    @rule()
    def repeat(self) -> None:
        if self.last is not None:
            assert self.send(*self.last) == 200

    @invariant()
    def same_as_the_engine(self) -> None:
        if not hasattr(self, "game"):
            return
        stored = self.client.get(f"/api/games/{self.game['id']}").json()
        assert stored == self.game
        assert stored["status"] == "".join(str(int(s)) for s in self.engine.status[0])
        assert stored["moves"] == self.engine.history(0)
        assert stored["done"] == bool(self.engine.done[0])
        assert stored["undos"] == self.undos


@pytest.mark.parametrize("examples", [12, pytest.param(300, marks=pytest.mark.full)])
def test_any_sequence_of_requests(client: Any, examples: int) -> None:
    check(client, settings(max_examples=examples, stateful_step_count=25, deadline=None))


def check(client: Any, chosen: settings) -> None:
    CLIENT[:] = [client]
    run_state_machine_as_test(Requests, settings=chosen)
    CLIENT.clear()


def test_the_check_notices_a_lost_move(client: Any, context: Any, monkeypatch: Any) -> None:
    """The test above can fail: it detects a server that forgets a move."""
    true_store = context.games._store_event

    def forgetful(game: Any, new: Any, line: Any, done: bool) -> Any:
        after = true_store(game, new, line, done)
        return game if new.kind == "move" and line.ply == 3 else after

    monkeypatch.setattr(context.games, "_store_event", forgetful)
    only = {"deadline": None, "phases": [Phase.generate], "database": None}
    chosen = settings(max_examples=20, stateful_step_count=30, **only)
    with pytest.raises((AssertionError, ExceptionGroup)):
        check(client, chosen)
    CLIENT.clear()
