"""The compiled loops under the engine: laying boards, attacking a square, random play.

A move costs what it changes. The attacked square leaves its component; on a planar grid, the 8
squares around it and the holes they belong to tell at once what parts it held together. If there
are several, two of them at a time are searched in turn until the smaller one runs dry: that one is
cut off. On other graphs the search starts from every neighbour, and two sides that meet go on as
one.
"""

from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import inlined, kernel
from pinchpoint.game.judge import is_active, remember, remove_node
from pinchpoint.game.modes.base import CONTACTS, EDGES, FACES, SIZE, Rule
from pinchpoint.game.state import (
    ACTIVE,
    ALIVE,
    ATTACKED,
    COUNT,
    IDS,
    INACTIVE,
    MEMORY,
    Game,
    Graph,
    Scratch,
    State,
    game_of,
)
from pinchpoint.graph.planar import find_parts, lay_holes
from pinchpoint.rng import GAMMA, below, mix, random_square, stream
from pinchpoint.types import Bools, Bytes, Ints, Longs, Rows, Squares

# Active, and found by the one or the other side of a search: each sets a bit of its own.
SEEN, SEEN_TOO = ACTIVE + 4, ACTIVE + 8


class Side(NamedTuple):
    """A search: the nodes it has found lie in the queue, one way or the other from `first`."""

    first: int
    head: int  # the next node to look around from
    tail: int  # where the next node found will go
    step: int  # 1 from the front of the queue, -1 from the back
    ends: int  # twice the edges inside, when all is found
    colour: int  # what the nodes found are painted with


@inlined
def begin(status: Bytes, queue: Ints, start: int, step: int, colour: int) -> Side:
    """Begin a search from one node, queued from the front or from the back."""
    first = 0 if step > 0 else len(queue) - 1
    queue[first] = start
    status[start] = colour
    return Side(first, first, first + step, step, 0, colour)


@inlined
def expand(status: Bytes, graph: Graph, queue: Ints, side: Side, before: int) -> tuple[Side, int]:
    """Look around from one node of a side: queue its neighbours that have the colour `before`.

    Return also all bits of the colours around, which tell whether the other side was met. There are
    no branches, because they could not be predicted.
    """
    v, tail, ends, bits = queue[side.head], side.tail, side.ends, 0
    for k in range(graph.indptr[v], graph.indptr[v + 1]):
        u = graph.indices[k]
        colour = status[u]
        queue[tail] = u
        status[u] = side.colour if colour == before else colour
        tail += side.step if colour == before else 0
        ends += colour & 3 == ACTIVE
        bits |= colour
    return Side(side.first, side.head + side.step, tail, side.step, ends, side.colour), bits


@inlined
def size(side: Side) -> int:
    """Return how many nodes a side has found."""
    return (side.tail - side.first) * side.step


@inlined
def beaten(side: Side, other: Side) -> bool:
    """Return whether a side has run dry and is not larger than the other is by now."""
    return side.head == side.tail and size(side) <= size(other)


@inlined
def flood(status: Bytes, graph: Graph, queue: Ints, start: int, colour: int) -> Side:
    """Repaint a piece of one colour."""
    before = status[start]
    side = begin(status, queue, start, 1, colour)
    while side.head != side.tail:
        side, _ = expand(status, graph, queue, side, before)
    return side


@inlined
def repaint(game: Game, graph: Graph, queue: Ints, start: int, colour: int) -> None:
    """Repaint the whole component that contains the node `start`."""
    side = flood(game.status, graph, queue, start, colour)
    game.counters[ALIVE] += size(side) if colour == ACTIVE else -size(side)


@inlined
def add_component(game: Game, graph: Graph, queue: Ints, side: Side) -> int:
    """Give the nodes found an id of their own, and count them."""
    new = int(game.counters[IDS])
    game.counters[IDS] += 1
    piece, faces = game.pieces[new], 0
    piece[CONTACTS:] = 0
    for i in range(side.first, side.tail, side.step):
        v = queue[i]
        game.label[v] = new
        faces += graph.nodes.faces[v]
        for t in range(CONTACTS, len(piece)):
            piece[t] += graph.nodes.terminals[v] >> (t - CONTACTS) & 1
    piece[SIZE], piece[EDGES], piece[FACES] = size(side), side.ends // 2, faces - side.ends
    if len(graph.nodes.weights) > 0:
        piece[SIZE] = 0
        for i in range(side.first, side.tail, side.step):
            piece[SIZE] += graph.nodes.weights[queue[i]]
    return new


@inlined
def release(status: Bytes, queue: Ints, side: Side, colour: int) -> None:
    """Paint the nodes found with their colour for good."""
    for i in range(side.first, side.tail, side.step):
        status[queue[i]] = colour


@inlined
def cut_off(game: Game, graph: Graph, rule: Rule, queue: Ints, side: Side, old: int) -> None:
    """Make all that a side has found a component of its own; inactive if the rule says so."""
    counters = game.counters
    piece = game.pieces[add_component(game, graph, queue, side)]
    for column in range(len(piece)):
        game.pieces[old, column] -= piece[column]
    counters[MEMORY] = remember(piece, rule, counters[MEMORY])  # never the largest part
    if is_active(piece, rule, counters[MEMORY]):
        release(game.status, queue, side, ACTIVE)
    else:
        release(game.status, queue, side, INACTIVE)
        counters[ALIVE] -= size(side)


@inlined
def take_over(status: Bytes, queue: Ints, side: Side, rival: Side) -> Side:
    """Let a side go on with all that its rival has found too."""
    tail, found = side.tail, rival.tail
    while found != rival.first:  # the last ones first: they are not overwritten then
        found -= rival.step
        queue[tail] = queue[found]
        status[queue[tail]] = side.colour
        tail += side.step
    return Side(side.first, side.head, tail, side.step, side.ends, side.colour)


@inlined
def judge_others(game: Game, graph: Graph, rule: Rule, queue: Ints, old: int) -> None:
    """Judge the active components other than `old` by a memory that has changed."""
    for s in range(len(game.status)):
        if game.status[s] == ACTIVE and game.label[s] != old:
            piece = game.pieces[game.label[s]]
            if not is_active(piece, rule, game.counters[MEMORY]):
                repaint(game, graph, queue, s, INACTIVE)


@kernel
def split(game: Game, graph: Graph, rule: Rule, scratch: Scratch, parts: int, old: int) -> int:
    """Cut off all parts but the largest, which keeps the id `old`; return a node of that one."""
    status, queue, start = game.status, scratch.queue, scratch.start
    before = game.counters[MEMORY]
    side = begin(status, queue, start[0], 1, SEEN)
    for i in range(1, parts):
        if status[start[i]] != ACTIVE or game.label[start[i]] != old:
            continue  # on a graph: found by a search already
        rival = begin(status, queue, start[i], -side.step, SEEN + SEEN_TOO - side.colour)
        met = False
        while not (met or beaten(side, rival) or beaten(rival, side)):
            if side.head != side.tail:
                side, bits = expand(status, graph, queue, side, ACTIVE)
                met = bits & rival.colour > ACTIVE
            if rival.head != rival.tail and not met:
                rival, bits = expand(status, graph, queue, rival, ACTIVE)
                met = bits & side.colour > ACTIVE
        if met:
            side = take_over(status, queue, side, rival)
        elif beaten(rival, side):
            cut_off(game, graph, rule, queue, rival, old)
        else:
            cut_off(game, graph, rule, queue, side, old)
            side = rival
    release(status, queue, side, ACTIVE)
    rest = int(queue[side.first])
    if game.counters[MEMORY] != before and game.counters[ALIVE] > game.pieces[old, SIZE]:
        judge_others(game, graph, rule, queue, old)
    return rest


@inlined
def active_neighbours(status: Bytes, graph: Graph, start: Ints, s: int) -> int:
    """Write the active neighbours of s: on a graph, each may be in a part of its own now."""
    count = 0
    for k in range(graph.indptr[s], graph.indptr[s + 1]):
        if status[graph.indices[k]] == ACTIVE:
            start[count] = graph.indices[k]
            count += 1
    return count


@inlined
def attack(game: Game, graph: Graph, rule: Rule, scratch: Scratch, s: int) -> None:
    """Make a move: take out the square, part what it held together, judge the rest."""
    status, counters, start = game.status, game.counters, scratch.start
    old = game.label[s]
    piece = game.pieces[old]
    status[s] = ATTACKED
    game.label[s] = -1
    game.moves[counters[COUNT]] = s
    counters[COUNT] += 1
    game.moves[counters[COUNT]] = -1  # nothing to redo after a new move
    counters[ALIVE] -= 1
    if len(graph.ring) > 0:
        ring, root, joined = graph.ring, scratch.root, scratch.joined
        parts, inside = find_parts(
            status, ACTIVE, game.hole, ring, graph.sides, start, root, joined, s
        )
    else:
        parts = inside = active_neighbours(status, graph, start, s)
    remove_node(piece, graph.nodes, s, inside)
    if parts > 0:
        rest = split(game, graph, rule, scratch, parts, old) if parts > 1 else start[0]
        if not is_active(piece, rule, counters[MEMORY]):
            repaint(game, graph, scratch.queue, rest, INACTIVE)


@kernel
def lay(
    state: State, graph: Graph, rule: Rule, scratch: Scratch, rows: Rows, memory: Longs
) -> None:
    """Lay the boards of these rows, whose open squares are all ACTIVE so far."""
    queue = scratch.queue
    for i in range(len(rows)):
        game = game_of(state, rows[i])
        status, counters = game.status, game.counters
        game.label[:] = -1
        counters[:] = 0
        counters[MEMORY] = memory[i]
        if len(graph.ring) > 0:
            lay_holes(status, ACTIVE, game.hole, graph.ring)
        largest = 0
        for s in range(len(status)):
            if status[s] == ACTIVE:
                side = flood(status, graph, queue, s, SEEN)
                new = add_component(game, graph, queue, side)
                counters[ALIVE] += size(side)
                if size(side) > game.pieces[largest, SIZE]:
                    largest = new
        for c in range(counters[IDS]):
            if c != largest:
                counters[MEMORY] = remember(game.pieces[c], rule, counters[MEMORY])
        for s in range(len(status)):
            if status[s] == SEEN:
                judged = is_active(game.pieces[game.label[s]], rule, counters[MEMORY])
                status[s] = ACTIVE if judged else INACTIVE
                counters[ALIVE] -= not judged


@kernel
def paint(state: State, graph: Graph, scratch: Scratch, b: int, start: int, colour: int) -> None:
    """Repaint the whole component of game b that contains the node `start`."""
    repaint(game_of(state, b), graph, scratch.queue, start, colour)


@inlined
def is_legal(state: State, b: int, s: int) -> bool:
    """Return whether a square may be attacked."""
    protected = state.protected.shape[1] > 0 and state.protected[b, s] != 0
    return bool(state.status[b, s] == ACTIVE and not protected)


@kernel
def first_illegal(state: State, rows: Rows, squares: Squares) -> int:
    """Return the place of the first move that may not be made in its row, or -1."""
    for i in range(len(squares)):
        s = squares[i]
        if s != -1 and not (0 <= s < state.status.shape[1] and is_legal(state, rows[i], s)):
            return i
    return -1


@kernel
def play(
    state: State, graph: Graph, rule: Rule, scratch: Scratch, rows: Rows, squares: Squares
) -> int:
    """Make one move after another, each in its row, -1 for none; return -1.

    If a move is illegal now, make none of them and return its place.
    """
    bad = first_illegal(state, rows, squares)
    if bad < 0:
        for i in range(len(squares)):
            if squares[i] >= 0:
                attack(game_of(state, rows[i]), graph, rule, scratch, squares[i])
    return bad


@kernel
def follow(
    state: State, graph: Graph, rule: Rule, scratch: Scratch, plans: Squares, made: Bools
) -> None:
    """Play whole plans, -1 for no move, but not on squares that are inactive by then."""
    for b in range(len(plans)):
        game = game_of(state, b)
        for k in range(plans.shape[1]):
            s = plans[b, k]
            made[b, k] = s >= 0 and is_legal(state, b, s)
            if made[b, k]:
                attack(game, graph, rule, scratch, s)


@inlined
def random_legal(game: Game, seed: int, number: int) -> int:
    """Return a random square that may be attacked, from the stream of this move; -1 if none may."""
    alive, count = game.counters[ALIVE], game.counters[COUNT]
    if alive == 0:
        return -1
    if len(game.protected) > 0:
        return random_unprotected(game.status, game.protected, stream(seed, number, count))
    return random_square(game.status, ACTIVE, alive, stream(seed, number, count))


@kernel
def random_unprotected(status: Bytes, protected: Bytes, x: np.uint64) -> int:
    """Return a random square that is active and not protected, or -1."""
    x += GAMMA
    for _ in range(max(64, len(status) // 16)):  # guess: quick unless few squares are left
        s = below(mix(x), len(status))
        if status[s] == ACTIVE and protected[s] == 0:
            return s
        x += GAMMA
    legal = 0
    for s in range(len(status)):
        legal += status[s] == ACTIVE and protected[s] == 0
    left = below(mix(x), legal)
    for s in range(len(status)):
        if status[s] == ACTIVE and protected[s] == 0:
            if left == 0:
                return s
            left -= 1
    return -1


@kernel
def random_squares(state: State, seed: int, numbers: Longs, out: Squares) -> None:
    """Write a random legal square for each game, -1 where it is over; the same for any batch."""
    for b in range(len(out)):
        out[b] = random_legal(game_of(state, b), seed, numbers[b])


@kernel
def play_randomly(
    state: State, graph: Graph, rule: Rule, scratch: Scratch, seed: int, numbers: Longs
) -> None:
    """Play every game to its end with the moves that `random_squares` would choose."""
    for b in range(len(numbers)):
        game = game_of(state, b)
        s = random_legal(game, seed, numbers[b])
        while s >= 0:
            attack(game, graph, rule, scratch, s)
            s = random_legal(game, seed, numbers[b])
