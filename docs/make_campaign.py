"""Choose the 40 boards of the campaign and write them to the web game's campaign.json.

    python docs/make_campaign.py              # about ten minutes on one core
    python docs/make_campaign.py --check      # solve the boards of the file again

Every slot of the campaign has one idea, a size, and what its board must fulfil. Boards are drawn
one seed after the other; the first that fulfils everything is taken. Par is proven by the solver.
The difficulty of a board is the share of first moves that keep par within reach, and what rules of
thumb need.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from pinchpoint import Games, get_agent, play_out, sample_boards
from pinchpoint.game.boards import text_rows
from pinchpoint.solvers.dispatch import solve

OUT = Path(__file__).parents[1] / "src" / "pinchpoint" / "web" / "campaign.json"
RULES_OF_THUMB = ("degree", "greedy", "articulation", "straight")
SECONDS = 10.0  # for the solver, for each position
TRIES = 2000  # boards drawn for one slot


@dataclass(frozen=True)
class Options:
    seed: int = 1
    """Where the drawing of boards begins."""
    check: bool = False
    """Only solve the boards of the file again, and compare."""


@dataclass
class Candidate:
    """A board, and what is known about it."""

    mode: str
    opened: np.ndarray  # [h, w]
    par: int
    plan: list[int]

    @property
    def width(self) -> int:
        return int(self.opened.shape[1])

    def games(self) -> Games:
        return Games(self.opened, self.mode)

    def after_plan(self) -> Games:
        games = self.games()
        for square in self.plan:
            games.play(square)
        return games

    def thumbs(self) -> dict[str, int]:
        """Return the moves that each rule of thumb needs."""
        needed = {}
        for name in RULES_OF_THUMB:
            games = self.games()
            play_out(get_agent(name), games)
            needed[name] = int(games.move_counts[0])
        return needed

    def good_first_moves(self) -> tuple[int, int]:
        """Return how many first moves keep par within reach, and how many moves there are."""
        legal = np.flatnonzero(self.games().legal[0])
        good = 0
        for square in legal:
            games = self.games()
            games.play(int(square))
            good += bool(games.done[0]) or solve(games, time_limit=SECONDS)[0].value < self.par
        return good, len(legal)


# -- what a board can be asked to be ---------------------------------------------------------------


def loops(games: Games) -> int:
    """Return the number of independent loops of the open squares: edges - squares + pieces."""
    board = games.boards[0]
    opened = (board == 1) | (board == 2)
    edges = (opened[1:] & opened[:-1]).sum() + (opened[:, 1:] & opened[:, :-1]).sum()
    pieces = len(set(games.labels[0][games.labels[0] >= 0].tolist()))
    return int(edges - opened.sum() + pieces)


def apart(squares: list[int], width: int) -> int:
    """Return the smallest distance between two of these squares, in steps of a king."""
    places = [divmod(square, width) for square in squares]
    gaps = [
        max(abs(a[0] - b[0]), abs(a[1] - b[1])) for i, a in enumerate(places) for b in places[:i]
    ]
    return min(gaps, default=99)


def one_piece(c: Candidate) -> bool:
    """All open squares hang together: nothing distracts."""
    return len(set(c.games().labels[0][c.games().labels[0] >= 0].tolist())) == 1


def far_apart(c: Candidate) -> bool:
    """The squares of the plan are in different places."""
    return apart(c.plan, c.width) >= 3


def diagonal(c: Candidate) -> bool:
    """The plan goes over a corner, and no straight cut is as good."""
    places = [divmod(s, c.width) for s in c.plan]
    corner = any(
        abs(a[0] - b[0]) == 1 and abs(a[1] - b[1]) == 1
        for i, a in enumerate(places)
        for b in places[:i]
    )
    return corner and c.thumbs()["straight"] > c.par


def equal_halves(c: Candidate) -> bool:
    """The game ends with two largest pieces of the same size, neither of them small."""
    games = c.after_plan()
    labels = games.labels[0]
    sizes = sorted(np.bincount(labels[labels >= 0]).tolist(), reverse=True)
    return len(sizes) > 1 and sizes[0] == sizes[1] and sizes[0] * 3 >= int((labels >= 0).sum())


def decoy(c: Candidate) -> bool:
    """Every rule of thumb falls for something."""
    return min(c.thumbs().values()) > c.par


def narrow(c: Candidate) -> bool:
    """Few first moves are right; in noodle more of them always are."""
    good, moves = c.good_first_moves()
    return good * (4 if c.mode == "noodle" else 12) <= moves


def one_loop(c: Candidate) -> bool:
    return loops(c.games()) == 1


def shared(c: Candidate) -> bool:
    """One square opens several loops at once."""
    return loops(c.games()) >= c.par + 1


def many_shared(c: Candidate) -> bool:
    return loops(c.games()) >= 2 * c.par


def separate_loops(c: Candidate) -> bool:
    """No attack opens two loops."""
    return loops(c.games()) == c.par


# -- the slots ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slot:
    title: str
    idea: str
    mode: str
    size: int
    p: float
    par: int
    must: tuple[Callable[[Candidate], bool], ...] = ()


SIDES = "Squares join by their sides, never by their corners."
SLOTS = [
    Slot("The bridge",
         "One square holds two parts together.",
         "network", 5, 0.6, 1, (one_piece, equal_halves)),
    Slot("The pipe",
         "Water needs a way from top to bottom.",
         "flow", 5, 0.65, 1, (one_piece,)),
    Slot("The ring",
         "A loop is open as soon as one of its squares is gone.",
         "noodle", 5, 0.6, 1, (one_loop,)),
    Slot("A second bridge",
         "Two narrow places, one after the other.",
         "network", 6, 0.7, 2, (far_apart,)),
    Slot("Two pipes",
         "Both ways have to be closed.",
         "flow", 6, 0.7, 2, (far_apart,)),
    Slot("Shared square",
         "One square can belong to two loops.",
         "noodle", 5, 0.7, 1, (shared,)),
    Slot("Over the corner",
         SIDES + " So a cut may go over corners.",
         "flow", 6, 0.75, 2, (diagonal,)),
    Slot("Corner cut",
         SIDES,
         "network", 6, 0.75, 2, (diagonal,)),
    Slot("Equal halves",
         "Two largest pieces of the same size end the game.",
         "network", 6, 0.75, 2, (equal_halves, one_piece)),
    Slot("Two rings",
         "Each loop needs an attack of its own.",
         "noodle", 6, 0.65, 2, (separate_loops,)),
    Slot("The dam",
         "Three squares in a slanting row.",
         "flow", 7, 0.8, 3, (diagonal,)),
    Slot("Three bridges",
         "Find all the narrow places before the first attack.",
         "network", 7, 0.7, 3, (far_apart,)),
    Slot("Knot",
         "Look for squares with many neighbours.",
         "noodle", 6, 0.75, 2, (many_shared,)),
    Slot("False bridge",
         "The most obvious square is not the best one.",
         "network", 7, 0.75, 2, (decoy,)),
    Slot("False dam",
         "The narrowest row is not the best place.",
         "flow", 8, 0.8, 3, (decoy,)),
    Slot("False knot",
         "The square with the most neighbours is not the best one.",
         "noodle", 7, 0.7, 3, (decoy,)),
    Slot("Keyhole",
         "Hardly any first move is right.",
         "network", 7, 0.8, 3, (narrow,)),
    Slot("Needle's eye",
         "Hardly any first move is right.",
         "flow", 8, 0.8, 3, (narrow,)),
    Slot("One thread",
         "Hardly any first move is right.",
         "noodle", 7, 0.7, 3, (narrow,)),
    Slot("Balance",
         "Halve the board exactly.",
         "network", 8, 0.75, 3, (equal_halves, one_piece)),
    Slot("Staircase",
         "A cut from side to side, step by step.",
         "flow", 9, 0.85, 5, (diagonal,)),
    Slot("Chain",
         "Loops that hang together.",
         "noodle", 7, 0.75, 4, (shared,)),
    Slot("Peninsula",
         "Large, and joined by little.",
         "network", 8, 0.8, 3, (diagonal,)),
    Slot("Three pipes",
         "Three ways, far from each other.",
         "flow", 9, 0.7, 3, (far_apart,)),
    Slot("Lace",
         "Many loops, few attacks.",
         "noodle", 8, 0.7, 4, (many_shared,)),
    Slot("Mirage",
         "Every rule of thumb fails here.",
         "network", 8, 0.8, 4, (decoy,)),
    Slot("Undertow",
         "Every rule of thumb fails here.",
         "flow", 9, 0.85, 5, (decoy,)),
    Slot("Tangle",
         "Every rule of thumb fails here.",
         "noodle", 8, 0.7, 5, (decoy,)),
    Slot("Scales",
         "Halve the board exactly.",
         "network", 9, 0.8, 4, (equal_halves,)),
    Slot("Long dam",
         "A long way round may be the short one.",
         "flow", 10, 0.85, 6, (diagonal,)),
    Slot("Weave",
         "Count the loops that an attack opens.",
         "noodle", 8, 0.75, 6, (many_shared,)),
    Slot("Fortress",
         "Thick walls, one weak side.",
         "network", 9, 0.85, 5, (diagonal,)),
    Slot("Delta",
         "Water finds every gap.",
         "flow", 11, 0.8, 5, (decoy,)),
    Slot("Cobweb",
         "Hardly any first move is right.",
         "noodle", 8, 0.75, 6, (narrow,)),
    Slot("Archipelago",
         "Many pieces, one of them too large.",
         "network", 10, 0.7, 4, (decoy,)),
    Slot("Torrent",
         "Wide and deep.",
         "flow", 12, 0.85, 7, (decoy,)),
    Slot("Labyrinth",
         "Loops everywhere.",
         "noodle", 9, 0.7, 7, (decoy,)),
    Slot("Continent",
         "The whole board in one piece.",
         "network", 10, 0.8, 5, (decoy,)),
    Slot("Great wall",
         "The longest cut of all.",
         "flow", 12, 0.9, 9, (diagonal,)),
    Slot("The choke point",
         "Everything you have learnt.",
         "network", 11, 0.8, 6, (decoy, equal_halves)),
]  # fmt: skip


def candidates(slot: Slot, seed: int) -> Iterator[tuple[int, Candidate]]:
    """Yield boards with that par, proven, and their seeds."""
    for number in range(seed, seed + TRIES):
        opened = sample_boards(slot.mode, slot.size, slot.p, 1, number).squares[0]
        games = Games(opened, slot.mode)
        found = solve(games, time_limit=SECONDS)[0]
        if found.value == found.bound == slot.par:
            yield number, Candidate(slot.mode, opened, slot.par, list(found.moves))


def fill(slot: Slot, seed: int) -> dict[str, Any]:
    for number, candidate in candidates(slot, seed):
        if all(condition(candidate) for condition in slot.must):
            good, moves = candidate.good_first_moves()
            return {
                "title": slot.title,
                "idea": slot.idea,
                "mode": slot.mode,
                "rows": text_rows(candidate.opened),
                "par": slot.par,
                "good_first_moves": good,
                "first_moves": moves,
                "rules_of_thumb": candidate.thumbs(),
                "p": slot.p,
                "seed": number,
            }
    raise SystemExit(f"no board for {slot.title!r} among {TRIES}; change what it must fulfil")


def check() -> int:
    """Solve every board of the file again; return the number of those that differ."""
    wrong = 0
    for number, entry in enumerate(json.loads(OUT.read_text()), 1):
        opened = np.array([[c != "#" for c in row] for row in entry["rows"]])
        found = solve(Games(opened, entry["mode"]), time_limit=SECONDS)[0]
        if not found.value == found.bound == entry["par"]:
            wrong += 1
            print(f"{number} {entry['title']}: par {entry['par']}, solver {found.value}")
    return wrong


def main(options: Options) -> None:
    if options.check:
        wrong = check()
        print("every par is proven again" if not wrong else f"{wrong} boards differ")
        raise SystemExit(bool(wrong))
    entries = []
    for number, slot in enumerate(SLOTS, 1):
        entries.append(fill(slot, options.seed + 10_000 * number))
        last = entries[-1]
        share = f"{last['good_first_moves']}/{last['first_moves']}"
        print(
            f"{number}/{len(SLOTS)} {slot.title}: {slot.mode} {slot.size} × {slot.size}, "
            f"par {slot.par}, good first moves {share}, "
            f"rules of thumb {min(last['rules_of_thumb'].values())}",
            file=sys.stderr,
            flush=True,
        )
    text = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    OUT.write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main(tyro.cli(Options, description=__doc__))
