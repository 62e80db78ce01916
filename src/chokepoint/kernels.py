"""The compiled loops under the engine: laying boards, attacking a square, random play.

A move costs what it changes. The attacked square leaves its component; on a lattice, the 8 squares
around it and the holes they belong to tell at once whether anything was split. If so, a search
starts from each part, all parts in turn, until all but one have run dry: those are cut off and
repainted. On a graph the search starts from every neighbour, and also ends where all have met.

Arrays of a `State` have a row for each game; arrays by component have a place for each possible
component id. Ids are never reused within a game: each keeps at least one square of its own to the
end, so there are at most N of them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chokepoint.compiled import inlined, kernel
from chokepoint.modes.base import FLOW, NETWORK
from chokepoint.topology import Bytes, Ints

BLOCKED, ACTIVE, INACTIVE, ATTACKED = range(4)


class State(NamedTuple):
    status: Bytes  # [B, N]  BLOCKED, ACTIVE, INACTIVE or ATTACKED
    label: Ints  # [B, N]  component id of an open square, -1 elsewhere
    hole: Ints  # [B, N + 1]  union-find of blocked squares on a lattice; N is all off the board
    size: Ints  # [B, N]  by component: squares
    edges: Ints  # [B, N]  by component: pairs of neighbours inside
    faces: Ints  # [B, N]  by component: Σ (faces of a node − its neighbours inside)
    contacts: Ints  # [B, N, T]  by component: squares in each terminal set
    ids: Ints  # [B]  component ids given out so far
    best: Ints  # [B]  network mode's largest second piece so far; other modes' memory
    alive: Ints  # [B]  active squares
    count: Ints  # [B]  moves played
    moves: Ints  # [B, N]  the squares attacked, in order; beyond count, what redo would play


class Graph(NamedTuple):
    indptr: Ints  # [N + 1]
    indices: Ints  # [2 E]
    faces: Ints  # [N]
    terminals: Bytes  # [N]  bit t is set if the node is in terminal set t
    height: int  # 0 on a general graph
    width: int
    sides: Bytes  # [256]  see `local_sides`
    steps: Ints  # [8]  from a square to the places around it, clockwise from the one above


class Scratch(NamedTuple):
    mark: npt.NDArray[np.int64]  # [N]  clock value of the search that saw a node, plus its side
    link: Ints  # [N]  next node in a queue or on a stack
    clock: npt.NDArray[np.int64]  # [1]
    start: Ints  # [D]  first node of each side; D is the largest degree
    head: Ints  # [D]  queue of each side
    tail: Ints  # [D]
    parent: Ints  # [D]  the side it has met and merged with, itself if none, -1 if cut off


def local_sides() -> Bytes:
    """For each pattern of open squares in the ring, one bit of each locally joined side.

    Ring squares are numbered clockwise from the one above: 0, 2, 4, 6 are neighbours of the
    centre, odd ones the corners. A side is a run of open ring squares with a neighbour in it.
    """
    table = np.zeros(256, dtype=np.uint8)
    for pattern in range(256):
        seen: set[int] = set()
        for start in (0, 2, 4, 6):
            if not pattern >> start & 1 or start in seen:
                continue
            table[pattern] |= 1 << start
            for step in (1, 7):  # clockwise, then anticlockwise
                at = start
                while pattern >> at & 1:
                    seen.add(at)
                    at = (at + step) % 8
                    if at == start:
                        break
    return table


@inlined
def ring_pattern(status, s, height, width):
    """Bits of the active squares around s, clockwise from the one above."""
    row, col = s // width, s % width
    up, down, left, right = row > 0, row < height - 1, col > 0, col < width - 1
    pattern = 0
    if up:
        if status[s - width] == ACTIVE:
            pattern |= 1
        if right and status[s - width + 1] == ACTIVE:
            pattern |= 2
        if left and status[s - width - 1] == ACTIVE:
            pattern |= 128
    if right and status[s + 1] == ACTIVE:
        pattern |= 4
    if left and status[s - 1] == ACTIVE:
        pattern |= 64
    if down:
        if status[s + width] == ACTIVE:
            pattern |= 16
        if right and status[s + width + 1] == ACTIVE:
            pattern |= 8
        if left and status[s + width - 1] == ACTIVE:
            pattern |= 32
    return pattern


@inlined
def hole_of(hole, v):
    """The node that stands for the hole of v; shortens the way there."""
    while hole[v] != v:
        hole[v] = hole[hole[v]]
        v = hole[v]
    return v


@inlined
def ring_hole(hole, graph, s, place):
    """The hole at a place of the ring around s where no active square is."""
    row, col = s // graph.width, s % graph.width
    row += 1 if 3 <= place <= 5 else -1 if place != 2 and place != 6 else 0
    col += 1 if 1 <= place <= 3 else -1 if place >= 5 else 0
    if row < 0 or row >= graph.height or col < 0 or col >= graph.width:
        return hole_of(hole, graph.height * graph.width)
    return hole_of(hole, row * graph.width + col)


@kernel
def lattice_sides(state, graph, scratch, b, s):
    """Merge s with the holes around it; write a node of each part that it held together.

    Around s, sides (runs of active squares) alternate with gaps, and in each gap there is a hole.
    Who leaves s along the near edge of a gap and follows the hole comes back at the next gap of the
    same hole: the side after the one gap and the side before the other are joined out there. By
    planarity nothing else joins sides once s is gone.
    """
    status, hole = state.status[b], state.hole[b]
    start, root, parent = scratch.start, scratch.head, scratch.parent
    pattern = ring_pattern(status, s, graph.height, graph.width)
    if pattern == 255:
        return 1  # a new hole of one square
    sides = graph.sides[pattern]
    if sides == 0:
        hole[s] = ring_hole(hole, graph, s, 0)
        return 0
    count = 0
    for place in range(0, 8, 2):
        if sides >> place & 1:
            start[count] = s + graph.steps[place]
            gap = place
            while pattern >> gap & 1:
                gap = (gap + 1) & 7
            root[count] = ring_hole(hole, graph, s, gap)
            parent[count] = count
            count += 1
    hole[s] = root[0]
    if count == 1:
        return 1
    for i in range(count):
        j = (i + 1) % count
        while root[j] != root[i]:
            j = (j + 1) % count
        one, two = (i + 1) % count, j
        while parent[one] != one:
            one = parent[one]
        while parent[two] != two:
            two = parent[two]
        parent[max(one, two)] = min(one, two)
    for i in range(1, count):
        hole[hole_of(hole, root[i])] = hole_of(hole, s)
    parts = 0
    for i in range(count):
        if parent[i] == i:
            start[parts] = start[i]
            parts += 1
    return parts


@kernel
def graph_sides(state, graph, scratch, b, s):
    """Write the active neighbours of s, each of which may be in a part of its own now."""
    count = 0
    for k in range(graph.indptr[s], graph.indptr[s + 1]):
        if state.status[b, graph.indices[k]] == ACTIVE:
            scratch.start[count] = graph.indices[k]
            count += 1
    return count


@kernel
def cut_off(state, graph, scratch, b, start, old):
    """Give the piece that contains `start` an id of its own, and take its counts from `old`."""
    status, label, link = state.status[b], state.label[b], scratch.link
    new = state.ids[b]
    state.ids[b] += 1
    size = edges = faces = 0
    label[start] = new
    link[start] = -1
    top = start
    while top >= 0:
        v = top
        top = link[v]
        inside = 0
        for k in range(graph.indptr[v], graph.indptr[v + 1]):
            u = graph.indices[k]
            if status[u] == ACTIVE:
                inside += 1
                if label[u] != new:
                    label[u] = new
                    link[u] = top
                    top = u
        size += 1
        edges += inside
        faces += graph.faces[v] - inside
        for t in range(state.contacts.shape[2]):
            if graph.terminals[v] >> t & 1:
                state.contacts[b, new, t] += 1
    state.size[b, new], state.edges[b, new], state.faces[b, new] = size, edges // 2, faces
    if old >= 0:
        state.size[b, old] -= size
        state.edges[b, old] -= edges // 2
        state.faces[b, old] -= faces
        for t in range(state.contacts.shape[2]):
            state.contacts[b, old, t] -= state.contacts[b, new, t]
    return new


@kernel
def part(state, graph, scratch, b, sides, old):
    """Search from all sides in turn; cut off those that run dry before they meet another."""
    status, mark, link = state.status[b], scratch.mark, scratch.link
    start, head, tail, parent = scratch.start, scratch.head, scratch.tail, scratch.parent
    base = scratch.clock[0]
    scratch.clock[0] += sides
    for i in range(sides):
        mark[start[i]] = base + i
        head[i] = tail[i] = start[i]
        link[start[i]] = -1
        parent[i] = i
    apart = sides
    while apart > 1:
        for i in range(sides):
            if parent[i] != i:
                continue
            v = head[i]
            if v < 0:
                cut_off(state, graph, scratch, b, start[i], old)
                parent[i] = -1
                apart -= 1
                if apart == 1:
                    break
                continue
            head[i] = link[v]
            for k in range(graph.indptr[v], graph.indptr[v + 1]):
                u = graph.indices[k]
                if status[u] != ACTIVE:
                    continue
                j = mark[u] - base
                if j < 0:  # not seen in this search
                    mark[u] = base + i
                    link[u] = -1
                    if head[i] < 0:
                        head[i] = u
                    else:
                        link[tail[i]] = u
                    tail[i] = u
                    continue
                while parent[j] != j:
                    j = parent[j]
                if j != i:  # two sides have met: from now on they search as one
                    parent[j] = i
                    apart -= 1
                    if head[j] >= 0:
                        if head[i] < 0:
                            head[i] = head[j]
                        else:
                            link[tail[i]] = head[j]
                        tail[i] = tail[j]
            if apart == 1:
                break


@kernel
def remove(state, graph, scratch, b, s):
    """Take the square s out of its component, and part what it held together."""
    status = state.status[b]
    old = state.label[b, s]
    status[s] = ATTACKED
    state.label[b, s] = -1
    state.moves[b, state.count[b]] = s
    state.count[b] += 1
    state.alive[b] -= 1
    inside = 0
    for k in range(graph.indptr[s], graph.indptr[s + 1]):
        if status[graph.indices[k]] == ACTIVE:
            inside += 1
    state.size[b, old] -= 1
    state.edges[b, old] -= inside
    state.faces[b, old] -= graph.faces[s] - 2 * inside
    for t in range(state.contacts.shape[2]):
        if graph.terminals[s] >> t & 1:
            state.contacts[b, old, t] -= 1
    if graph.width > 0:
        sides = lattice_sides(state, graph, scratch, b, s)
    else:
        sides = graph_sides(state, graph, scratch, b, s)
    if sides > 1:
        part(state, graph, scratch, b, sides, old)


@inlined
def is_active(state, rule, b, c):
    """Whether a built-in rule holds component c active."""
    if rule.kind == NETWORK:
        return state.size[b, c] > state.best[b]
    if rule.kind == FLOW:
        for t in range(0, state.contacts.shape[2], 2):
            if state.contacts[b, c, t] > 0 and state.contacts[b, c, t + 1] > 0:
                return True
        return False
    ratio = state.faces[b, c] / state.size[b, c]  # NOODLE
    return ratio < rule.ratio or (ratio == rule.ratio and not rule.inclusive)


@kernel
def paint(state, graph, scratch, b, start, colour):
    """Repaint the whole component that contains the node `start`."""
    status, link = state.status[b], scratch.link
    before = status[start]
    status[start] = colour
    link[start] = -1
    top = start
    painted = 1
    while top >= 0:
        v = top
        top = link[v]
        for k in range(graph.indptr[v], graph.indptr[v + 1]):
            u = graph.indices[k]
            if status[u] == before:
                status[u] = colour
                painted += 1
                link[u] = top
                top = u
    state.alive[b] += painted if colour == ACTIVE else -painted


@kernel
def attack(state, graph, rule, scratch, b, s):
    """A move in a built-in mode: remove the square, then judge the pieces it touched."""
    before, old = state.ids[b], state.label[b, s]
    remove(state, graph, scratch, b, s)
    if rule.kind == NETWORK and state.ids[b] > before:
        # The touched component was larger than all others, so only its pieces can raise `best`.
        largest, second = state.size[b, old], 0
        for c in range(before, state.ids[b]):
            size = state.size[b, c]
            largest, second = max(largest, size), max(second, min(largest, size))
        state.best[b] = max(state.best[b], second)
    for k in range(graph.indptr[s], graph.indptr[s + 1]):
        u = graph.indices[k]
        if state.status[b, u] == ACTIVE and not is_active(state, rule, b, state.label[b, u]):
            paint(state, graph, scratch, b, u, INACTIVE)


@kernel
def lay_holes(state, graph, b):
    """Join blocked squares that touch by sides or corners, and those at the rim to the outside."""
    status, hole = state.status[b], state.hole[b]
    height, width = graph.height, graph.width
    outside = height * width
    for v in range(outside + 1):
        hole[v] = v
    for row in range(height):
        for col in range(width):
            s = row * width + col
            if status[s] == ACTIVE:
                continue
            if row == 0 or col == 0 or row == height - 1 or col == width - 1:
                hole[hole_of(hole, s)] = hole_of(hole, outside)
            if col > 0 and status[s - 1] != ACTIVE:
                hole[hole_of(hole, s - 1)] = hole_of(hole, s)
            if row > 0:
                for v in range(s - width - (col > 0), s - width + 1 + (col < width - 1)):
                    if status[v] != ACTIVE:
                        hole[hole_of(hole, v)] = hole_of(hole, s)


@kernel
def lay_components(state, graph, scratch, b):
    """Find the components of a fresh board; all open squares are still ACTIVE."""
    state.contacts[b] = 0
    state.label[b] = -1
    state.ids[b] = state.best[b] = state.count[b] = state.alive[b] = 0
    if graph.width > 0:
        lay_holes(state, graph, b)
    for s in range(state.status.shape[1]):
        if state.status[b, s] == ACTIVE:
            state.alive[b] += 1
            if state.label[b, s] < 0:
                cut_off(state, graph, scratch, b, s, -1)


@kernel
def lay(state, graph, rule, scratch, rows):
    """Lay the boards of these rows in a built-in mode."""
    for b in rows:
        lay_components(state, graph, scratch, b)
        if rule.kind == NETWORK:
            largest = second = 0
            for c in range(state.ids[b]):
                size = state.size[b, c]
                largest, second = max(largest, size), max(second, min(largest, size))
            state.best[b] = second
        for s in range(state.status.shape[1]):
            if state.status[b, s] == ACTIVE and not is_active(state, rule, b, state.label[b, s]):
                paint(state, graph, scratch, b, s, INACTIVE)


@kernel
def first_illegal(state, squares):
    """The first row whose move is not on an active square, or -1."""
    for b in range(len(squares)):
        s = squares[b]
        if s == -1:
            continue
        if s < -1 or s >= state.status.shape[1] or state.status[b, s] != ACTIVE:
            return b
    return -1


@kernel
def play(state, graph, rule, scratch, squares):
    """One legal move in each game, -1 for none."""
    for b in range(len(squares)):
        if squares[b] >= 0:
            attack(state, graph, rule, scratch, b, squares[b])


@kernel
def replay(state, graph, rule, scratch, row, moves):
    """Play these legal moves in one game."""
    for s in moves:
        attack(state, graph, rule, scratch, row, s)


@inlined
def mix(x):
    """SplitMix64's finaliser: every bit of the result depends on every bit of x."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inlined
def stream(seed, name, step):
    """The start of an independent random stream for (seed, name, step)."""
    gamma = np.uint64(0x9E3779B97F4A7C15)
    x = mix(np.uint64(seed) + gamma)
    x = mix(x + gamma * (np.uint64(name) + np.uint64(1)))
    return mix(x + gamma * (np.uint64(step) + np.uint64(1)))


@inlined
def random_square(status, alive, x):
    """A uniformly random active square, from the random stream that starts at x."""
    n = np.uint64(len(status))
    gamma = np.uint64(0x9E3779B97F4A7C15)
    half = np.uint64(32)
    for _ in range(64):  # guess: quick unless few squares are active
        x += gamma
        s = np.int64(((mix(x) >> half) * n) >> half)
        if status[s] == ACTIVE:
            return s
    x += gamma
    left = np.int64(((mix(x) >> half) * np.uint64(alive)) >> half)
    for s in range(len(status)):
        if status[s] == ACTIVE:
            if left == 0:
                return s
            left -= 1
    return -1


@kernel
def random_squares(state, seed, names, out):
    """A random legal square for each game, -1 where it is over; the same for any batch."""
    for b in range(len(out)):
        out[b] = -1
        if state.alive[b] > 0:
            x = stream(seed, names[b], state.count[b])
            out[b] = random_square(state.status[b], state.alive[b], x)


@kernel
def play_randomly(state, graph, rule, scratch, seed, names):
    """Play every game to its end with the moves that `random_squares` would choose."""
    for b in range(len(names)):
        while state.alive[b] > 0:
            x = stream(seed, names[b], state.count[b])
            s = random_square(state.status[b], state.alive[b], x)
            attack(state, graph, rule, scratch, b, s)


@kernel
def draw_boards(boards, seed, names, attempt, low, high, densities):
    """Random boards: each square open with the board's own p, drawn from [low, high]."""
    gamma = np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(names)):
        x = stream(seed, names[i], attempt)
        x += gamma
        p = low + (high - low) * ((mix(x) >> np.uint64(11)) * 2.0**-53)
        densities[i] = p
        for s in range(boards.shape[1]):
            x += gamma
            boards[i, s] = (mix(x) >> np.uint64(11)) * 2.0**-53 < p
