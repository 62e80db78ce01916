"""The rules once more, in plain Python and the most obvious way: slow, and sharing no code.

The board is a set of open nodes on a table of neighbours. After every move all components are
found anew and judged anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

BLOCKED, ACTIVE, INACTIVE, ATTACKED = range(4)

Neighbours = list[list[int]]
Pieces = list[list[int]]  # components, each a list of its nodes
Judge = Callable[["SlowGame", Pieces], list[bool]]  # which of the components are active


def lattice_neighbours(
    height: int, width: int, kind: str = "square", periodic: str = "none"
) -> Neighbours:
    neighbours: Neighbours = []
    for row in range(height):
        for col in range(width):
            places = [(row, col - 1), (row, col + 1)]
            if kind in ("square", "triangular"):
                places += [(row - 1, col), (row + 1, col)]
            if kind == "triangular":
                places += [(row + 1, col - 1), (row - 1, col + 1)]
            if kind == "hexagonal":
                places += [(row + 1, col) if (row + col) % 2 == 0 else (row - 1, col)]
            if periodic in ("rows", "both"):
                places = [(r % height, c) for r, c in places]
            if periodic in ("columns", "both"):
                places = [(r, c % width) for r, c in places]
            neighbours.append(
                sorted(r * width + c for r, c in places if 0 <= r < height and 0 <= c < width)
            )
    return neighbours


SIDES_OF_A_NODE = {"square": 4, "triangular": 6, "hexagonal": 3}


def edge_neighbours(n: int, edges: Iterable[tuple[int, int]]) -> Neighbours:
    joined: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        joined[a].add(b)
        joined[b].add(a)
    return [sorted(nodes) for nodes in joined]


class SlowGame:
    def __init__(self, neighbours: Neighbours, opened: Iterable[int], judge: Judge) -> None:
        self.neighbours = neighbours
        self.open = set(opened)
        self.laid = set(opened)
        self.judge = judge
        self.moves: list[int] = []
        self.best = 0
        self.settle()

    def settle(self) -> None:
        self.pieces = self.components()
        self.active: set[int] = set()
        for piece, is_active in zip(self.pieces, self.judge(self, self.pieces), strict=True):
            if is_active:
                self.active.update(piece)

    def components(self) -> Pieces:
        left = set(self.open)
        pieces = []
        while left:
            piece = [left.pop()]
            for node in piece:
                for other in self.neighbours[node]:
                    if other in left:
                        left.remove(other)
                        piece.append(other)
            pieces.append(piece)
        return pieces

    def play(self, node: int) -> None:
        assert node in self.active
        self.open.remove(node)
        self.moves.append(node)
        self.settle()

    def undo(self) -> None:
        again = SlowGame(self.neighbours, self.laid, self.judge)
        for node in self.moves[:-1]:
            again.play(node)
        self.__dict__ = again.__dict__

    @property
    def done(self) -> bool:
        return not self.active

    def status(self) -> list[int]:
        return [
            BLOCKED
            if node not in self.laid
            else ATTACKED
            if node not in self.open
            else ACTIVE
            if node in self.active
            else INACTIVE
            for node in range(len(self.neighbours))
        ]


def network(game: SlowGame, pieces: Pieces) -> list[bool]:
    sizes = sorted(len(piece) for piece in pieces)
    if len(sizes) >= 2:
        game.best = max(game.best, sizes[-2])
    return [len(piece) > game.best for piece in pieces]


def flow(pairs: list[tuple[Iterable[int], Iterable[int]]]) -> Judge:
    """Active: a node in each set of one of the pairs of terminals."""

    def judge(game: SlowGame, pieces: Pieces) -> list[bool]:
        return [
            any(set(piece) & set(first) and set(piece) & set(last) for first, last in pairs)
            for piece in pieces
        ]

    return judge


def sides(height: int, width: int, axis: str) -> list[tuple[list[int], list[int]]]:
    top = list(range(width))
    bottom = [(height - 1) * width + col for col in range(width)]
    left = [row * width for row in range(height)]
    right = [row * width + width - 1 for row in range(height)]
    vertical, horizontal = (top, bottom), (left, right)
    return {"vertical": [vertical], "horizontal": [horizontal], "both": [vertical, horizontal]}[
        axis
    ]


def noodle(node_faces: list[int], K: float = 2.0, inclusive: bool = False) -> Judge:
    """Inactive: more than K faces a square (or K exactly, if inclusive)."""

    def judge(game: SlowGame, pieces: Pieces) -> list[bool]:
        active = []
        for piece in pieces:
            inside = set(piece)
            faces = sum(
                node_faces[node] - sum(other in inside for other in game.neighbours[node])
                for node in piece
            )
            ratio = faces / len(piece)
            active.append(not (ratio > K or (inclusive and ratio == K)))
        return active

    return judge


def shatter(size: int | None, share: float | None) -> Judge:
    """Active: more than W nodes, W given or a share (in hundredths) of the nodes laid open."""

    def judge(game: SlowGame, pieces: Pieces) -> list[bool]:
        limit = size or max(1, round(100 * share) * len(game.laid) // 100)
        game.best = limit
        return [len(piece) > limit for piece in pieces]

    return judge


def half_span(height: int, width: int) -> Judge:
    """The worked example of a user's own mode: active while the box spans half of the board."""

    def judge(game: SlowGame, pieces: Pieces) -> list[bool]:
        active = []
        for piece in pieces:
            rows = {node // width for node in piece}
            cols = {node % width for node in piece}
            tall, broad = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
            active.append(2 * tall >= height or 2 * broad >= width)
        return active

    return judge
