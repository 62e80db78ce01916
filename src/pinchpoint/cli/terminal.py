"""The game in the terminal: coloured squares, a cursor, and keys to attack and take back."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.game.boards import Boards
from pinchpoint.game.engine import Games
from pinchpoint.game.palette import Palette, get_palette
from pinchpoint.game.record import Record, game_record

HELP = "arrows move · space attacks · u take back · r play again · n next board · q quit"
MARKS = ("  ", "  ", "· ", "× ")  # on the coloured squares, for each state
LETTERS = ("# ", "o ", "x ", "* ")  # where there are no colours
BASIC = (0, 3, 6, 5)  # black, yellow, cyan and magenta, where there are few colours
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Table:
    """A person's game: the board, the cursor, and what each key does. It needs no terminal."""

    def __init__(self, boards: Iterator[Boards]) -> None:
        self.boards = boards  # one by one
        self.records: list[Record] = []  # the finished games
        self.open = True
        self.next_board()

    def next_board(self) -> None:
        self.board = next(self.boards)
        self.games = Games(self.board)
        height, width = self.board.topology.lattice_shape()
        self.row, self.col = height // 2, width // 2
        self.message = ""

    def press(self, key: str) -> None:
        """Do what the key stands for; unknown keys do nothing."""
        self.message = ""
        if key in ARROWS:
            self._move(*ARROWS[key])
        elif key in KEYS:
            KEYS[key](self)

    def attack(self) -> None:
        try:
            self.games.play((self.row, self.col))
        except InputError as error:
            self.message = str(error)

    def go_on(self) -> None:
        self._keep()
        self.next_board()

    def leave(self) -> None:
        self._keep()
        self.open = False

    def headline(self) -> str:
        moves, active = int(self.games.move_counts[0]), int(self.games.active_counts[0])
        if not active:
            return f"{self.games.mode.name}: over after {moves} moves"
        return f"{self.games.mode.name}: {moves} moves, {active} squares active"

    def _move(self, down: int, right: int) -> None:
        height, width = self.games.topology.lattice_shape()
        self.row = min(max(self.row + down, 0), height - 1)
        self.col = min(max(self.col + right, 0), width - 1)

    def _keep(self) -> None:
        if self.games.done[0]:
            self.records.append(game_record(self.board, self.games.history(), agent="human"))


KEYS: dict[str, Callable[[Table], object]] = {
    "space": Table.attack,
    "u": lambda table: table.games.undo(),
    "r": lambda table: table.games.redo(),
    "n": Table.go_on,
    "q": Table.leave,
}


def play_in_terminal(boards: Iterator[Boards], palette: str = "clear") -> list[Record]:
    """Let a person play until they quit, and return the finished games."""
    colours = get_palette(palette)
    try:
        import curses
    except ImportError:
        raise InputError(
            "this system has no curses; name an agent, or play in the browser"
        ) from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("to play yourself you need a terminal; otherwise name an agent")
    os.environ.setdefault("ESCDELAY", "25")
    table = Table(boards)
    try:
        curses.wrapper(lambda screen: _loop(screen, table, colours))
    except curses.error as error:
        raise InputError(f"this terminal cannot show the game: {error}") from None
    return table.records


def _loop(screen: Any, table: Table, colours: Palette) -> None:
    import curses

    names = {
        curses.KEY_UP: "up",
        curses.KEY_DOWN: "down",
        curses.KEY_LEFT: "left",
        curses.KEY_RIGHT: "right",
        ord(" "): "space",
        ord("\n"): "space",
    }
    _prepare_colours(colours)
    while table.open:
        _draw(screen, table)
        key = screen.getch()
        if key == -1 and not sys.stdin.isatty():
            break  # the terminal is gone: there will never be another key
        table.press(names.get(key, chr(key) if 0 <= key < 128 else ""))


def _prepare_colours(colours: Palette) -> None:
    """Set the colours: pair s + 1 is that of a square in state s."""
    import curses

    curses.curs_set(0)
    if not curses.has_colors():
        return
    many = curses.COLORS >= 256
    backs = [_of_256(c) for c in colours.states()] if many else list(BASIC)
    for state, back in enumerate(backs):
        light_ink = state in (0, 3)
        curses.init_pair(state + 1, 15 if light_ink and many else 7 if light_ink else 0, back)


def _of_256(colour: str) -> int:
    """Return the nearest of 256 fixed colours: a 6 × 6 × 6 cube from number 16 on, then greys."""
    levels = (0, 95, 135, 175, 215, 255)
    table = list(itertools.product(levels, repeat=3)) + [(8 + 10 * i,) * 3 for i in range(24)]
    wanted = bytes.fromhex(colour[1:])
    distances = [sum((a - b) ** 2 for a, b in zip(c, wanted, strict=True)) for c in table]
    return 16 + distances.index(min(distances))


def _draw(screen: Any, table: Table) -> None:
    """Draw a headline, the part of the board around the cursor, a message and the help."""
    import curses

    screen.erase()
    lines, columns = screen.getmaxyx()
    board = table.games.boards[0]
    rows = _window(table.row, board.shape[0], max(1, lines - 4))
    cols = _window(table.col, board.shape[1], max(1, columns // 2))
    _write(screen, 0, 0, table.headline(), curses.A_BOLD)
    for y, row in enumerate(rows, 1):
        for x, col in enumerate(cols):
            state = int(board[row, col])
            text = MARKS[state] if curses.has_colors() else LETTERS[state]
            style = curses.color_pair(state + 1) if curses.has_colors() else 0
            if (row, col) == (table.row, table.col):
                text, style = "[]", style | curses.A_BOLD
            _write(screen, y, 2 * x, text, style)
    where = f"({table.row}, {table.col})  "
    _write(screen, len(rows) + 1, 0, where + table.message, 0)
    _write(screen, len(rows) + 2, 0, HELP, curses.A_DIM)
    screen.refresh()


def _window(at: int, length: int, room: int) -> range:
    """Return the rows or columns to show: all of them, or those around the cursor."""
    start = min(max(at - room // 2, 0), max(length - room, 0))
    return range(start, min(start + room, length))


def _write(screen: Any, y: int, x: int, text: str, style: int) -> None:
    import curses

    lines, columns = screen.getmaxyx()
    if y >= lines or x >= columns:
        return
    with suppress(curses.error):  # writing the last corner of the screen raises an error
        screen.addstr(y, x, text[: columns - x], style)
