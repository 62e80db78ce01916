"""Compiled loops of the network solver: playing a plan, and annealing a separator.

A position is one component of `n` squares, renumbered 0 … n − 1 with compressed neighbour rows, and
`best`, the size that the game remembers. Nothing here knows about lattices.
"""

from typing import NamedTuple

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.graph import DFS_ORDER, DFS_ROWS, DFS_SEEN, articulation_search, pieces_without
from chokepoint.types import Bytes, Ints, Words

CRUMB = -1  # colour of a piece that is too small to matter again
LARGE = 2000  # squares of a board on which time matters more than the last chance
NEARBY = 64  # squares that are looked at before a whole piece is searched, on a small board
PRUNING = 5_000_000  # moves × squares up to which a plan is pruned


class Piece(NamedTuple):
    """The active component of a position."""

    indptr: Ints  # [n + 1]
    indices: Ints  # [2 E]
    best: int


class Scratch(NamedTuple):
    """Room for the kernels, which allocate nothing."""

    label: Bytes  # [n]  0 separator, 1 to 3 the groups
    tried: Words  # [4096]  fingerprints of separators that were played
    words: Words  # [n]  random word of a square: a set's fingerprint is their exclusive or
    clock: Ints  # [1]  the number of that search
    notes: Ints  # [DFS_ROWS, n]  of a depth-first search
    piece: Ints  # [n]  piece of a square in the game being played: 0 removed, `active` active
    stack: Ints  # [n]
    mark: Ints  # [n]
    order: Ints  # [n]  a plan: the separator in the order to try
    moves: Ints  # [n]  the moves that were really played
    trial: Ints  # [n]  the moves of a plan with one left out
    sizes: Ints  # [n]  of the pieces that a separator leaves
    chosen: Ints  # [n]  the separator itself, as a list
    stamp: Ints  # [n]  search that saw a square last
    place: Ints  # [n]  where a square stands in `chosen`, −1 if it does not


def new_scratch(n: int, seed: int) -> Scratch:
    """Scratch arrays for a component of n squares."""
    words = np.random.default_rng(seed).integers(1, 2**63, n, dtype=np.uint64)
    notes, ints = np.zeros((DFS_ROWS, n), dtype=np.int32), np.zeros((10, n), dtype=np.int32)
    label = np.ones(n, dtype=np.uint8)
    tried, clock = np.zeros(4096, dtype=np.uint64), np.zeros(1, dtype=np.int32)
    return Scratch(label, tried, words, clock, notes, *ints)


@kernel
def copy(source: Ints, target: Ints, length: int) -> None:
    for i in range(length):
        target[i] = source[i]


@kernel
def flood(p: Piece, start: int, old: int, new: int, piece: Ints, stack: Ints) -> int:
    """Repaint the squares of colour `old` joined to `start` with `new`; how many they are."""
    piece[start] = new
    stack[0] = start
    top = 1
    count = 0
    while top > 0:
        top -= 1
        count += 1
        square = stack[top]
        for i in range(p.indptr[square], p.indptr[square + 1]):
            other = p.indices[i]
            if piece[other] == old:
                piece[other] = new
                stack[top] = other
                top += 1
    return count


@kernel
def holds(p: Piece, square: int, active: int, s: Scratch) -> bool:
    """Whether the active neighbours of a removed square are joined by a short way round."""
    nearby = max(NEARBY, len(s.piece) // 128)
    s.clock[0] += 2
    target, seen = s.clock[0], s.clock[0] + 1
    left, start = 0, -1
    for i in range(p.indptr[square], p.indptr[square + 1]):
        if s.piece[p.indices[i]] == active:
            s.stamp[p.indices[i]] = target
            start = p.indices[i]
            left += 1
    if left <= 1:
        return left == 1
    s.stamp[start] = seen
    s.stack[0] = start
    head, tail, left = 0, 1, left - 1
    while head < tail and tail < nearby:
        now = s.stack[head]
        head += 1
        for i in range(p.indptr[now], p.indptr[now + 1]):
            other = p.indices[i]
            if s.piece[other] != active or s.stamp[other] == seen or tail == nearby:
                continue
            if s.stamp[other] == target:
                left -= 1
                if left == 0:
                    return True
            s.stamp[other] = seen
            s.stack[tail] = other
            tail += 1
    return False


@kernel
def drop_crumbs(p: Piece, square: int, active: int, s: Scratch) -> tuple[int, int]:
    """Repaint pieces of under `NEARBY` squares beside a removed one: (their squares, the largest).

    Most moves split off a few squares at most: no reason to search all the rest.
    """
    crumbs, largest = 0, 0
    for i in range(p.indptr[square], p.indptr[square + 1]):
        if s.piece[p.indices[i]] != active:
            continue
        s.clock[0] += 2
        seen = s.clock[0]
        s.stack[0] = p.indices[i]
        s.stamp[p.indices[i]] = seen
        head, tail = 0, 1
        while head < tail < NEARBY:
            now = s.stack[head]
            head += 1
            for j in range(p.indptr[now], p.indptr[now + 1]):
                other = p.indices[j]
                if s.piece[other] == active and s.stamp[other] != seen and tail < NEARBY:
                    s.stamp[other] = seen
                    s.stack[tail] = other
                    tail += 1
        if tail < NEARBY:
            for j in range(tail):
                s.piece[s.stack[j]] = CRUMB
            crumbs, largest = crumbs + tail, max(largest, tail)
    return crumbs, largest


@kernel
def attack(
    p: Piece, square: int, active: int, size: int, best: int, s: Scratch
) -> tuple[int, int, int]:
    """Remove a square of the active piece: (colour of the largest piece left, its size, best)."""
    s.piece[square] = 0
    if size > 5 * NEARBY:  # then at least one piece is left that is no crumb
        crumbs, largest_crumb = drop_crumbs(p, square, active, s)
        size, best = size - crumbs, max(best, largest_crumb)
    if holds(p, square, active, s):
        return active, size - 1, best
    colour, largest, start = active, 0, square
    for i in range(p.indptr[square], p.indptr[square + 1]):
        other = p.indices[i]
        if s.piece[other] != active:
            continue
        colour += 1
        size = flood(p, other, active, colour, s.piece, s.stack)
        best = max(best, min(size, largest))
        if size > largest:
            largest, start = size, other
    if s.piece[start] != colour:  # the active colour must be the highest, or colours would clash
        colour += 1
        flood(p, start, s.piece[start], colour, s.piece, s.stack)
    return colour, largest, best


@kernel
def best_trim(p: Piece, active: int, best: int, s: Scratch) -> int:
    """The active square whose removal brings the end of the game nearest."""
    n = p.indptr.shape[0] - 1
    root = 0
    while s.piece[root] != active:
        root += 1
    s.notes[DFS_SEEN] = 0
    size = articulation_search(p.indptr, p.indices, s.piece, active, root, s.notes)
    pick, nearest = -1, n + 1
    for square in s.notes[DFS_ORDER, :size]:
        largest, other = pieces_without(square, size, s.notes)
        lead = largest - max(other, best)
        if lead < nearest:
            pick, nearest = square, lead
    return pick


@kernel
def play(p: Piece, plan: Ints, length: int, limit: int, out: Ints, trim: bool, s: Scratch) -> int:
    """Play a plan, leaving out moves that have become illegal: moves played, −1 if not over.

    With `trim`, a game that the plan does not finish goes on greedily. More than `limit` moves
    count as not over.
    """
    n = p.indptr.shape[0] - 1
    s.piece[:] = 1
    active, largest, best = 1, n, p.best
    count = 0
    for i in range(length):
        if s.piece[plan[i]] != active:
            continue
        if count >= limit:
            return -1
        out[count] = plan[i]
        count += 1
        active, largest, best = attack(p, plan[i], active, largest, best, s)
        if largest <= best:
            return count
    while trim and largest > best and count < limit:
        square = best_trim(p, active, best, s)
        out[count] = square
        count += 1
        active, largest, best = attack(p, square, active, largest, best, s)
    return count if largest <= best else -1


@kernel
def one_move(p: Piece, s: Scratch) -> bool:
    """Whether a single move ends the game."""
    s.piece[:] = 1
    square = best_trim(p, 1, p.best, s)
    _, largest, best = attack(p, square, 1, s.piece.shape[0], p.best, s)
    return bool(largest <= best)


@kernel
def prune(p: Piece, length: int, s: Scratch) -> int:
    """Drop moves of `s.moves` that are not needed, last ones first: the new length."""
    skip = length - 1
    while skip >= 0:
        kept = 0
        for i in range(length):
            if i != skip:
                s.order[kept] = s.moves[i]
                kept += 1
        count = play(p, s.order, kept, kept, s.trial, False, s)
        if count >= 0:
            length = count
            copy(s.trial, s.moves, length)
            skip = length
        skip -= 1
    return length


@kernel
def finish(p: Piece, size: int, limit: int, s: Scratch, result: Ints) -> int:
    """Play the separator `s.chosen[:size]` to the end in at most `limit` moves: moves, −1 if worse.

    The piece that is to be the remembered one must be cut off while the rest is larger, so its
    boundary goes first. The three largest pieces are tried, the moves land in `result`.
    """
    n = p.indptr.shape[0] - 1
    s.place[:] = 1
    for i in range(size):
        s.place[s.chosen[i]] = 0
    colour = 1
    for square in range(n):
        if s.place[square] == 1:
            colour += 1
            s.sizes[colour - 2] = flood(p, square, 1, colour, s.place, s.stack)
    found, largest = -1, 0
    for _ in range(min(3, colour - 1)):
        first = 0
        for c in range(colour - 1):
            if s.sizes[c] > s.sizes[first]:
                first = c
        largest = max(largest, s.sizes[first])
        if n > LARGE and 2 * s.sizes[first] < largest:
            break  # the rest would have to be trimmed to that: many moves, each as long as a search
        s.sizes[first] = -1
        head, tail = 0, size
        for i in range(size):
            square = s.chosen[i]
            touches = False
            for j in range(p.indptr[square], p.indptr[square + 1]):
                touches = touches or s.place[p.indices[j]] == first + 2
            if touches:
                s.order[head] = square
                head += 1
            else:
                tail -= 1
                s.order[tail] = square
        count = play(p, s.order, size, limit, s.moves, True, s)
        if count >= 0:
            if count * n <= PRUNING:
                count = prune(p, count, s)
            copy(s.moves, result, count)
            limit, found = count - 1, count
    s.place[:] = -1
    for i in range(size):
        s.place[s.chosen[i]] = i
    return found
