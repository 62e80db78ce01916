"""Find a good game of network: anneal a separator, then play it out.

A position is one component of n nodes, renumbered 0 … n − 1, and `best`, the size that the game
remembers. A separator is a set of nodes to remove, together with the three groups that it keeps
apart. Pieces none of which is larger than half of what is left can always be packed into three
groups of at most half each, so three groups are enough to describe any good end of the game, small
pieces that are trimmed off included.

A step of the annealing hands a node of the separator to a group and takes that node's neighbours in
other groups into the separator, so the groups never touch. The energy is the number of nodes
removed, plus a price for what a group has too much. Promising separators are played to the end, and
the moves that turn out not to be needed are dropped.
"""

from typing import NamedTuple

import numpy as np

from pinchpoint.compiled import kernel
from pinchpoint.graph.algorithms import (
    DFS_ORDER,
    DFS_ROWS,
    DFS_SEEN,
    LARGEST,
    SECOND,
    articulation_search,
    flood,
)
from pinchpoint.types import Bytes, Ints, Longs, Words

CRUMB = -1  # colour of a piece that is too small to matter again
LARGE = 2000  # nodes of a component on which time matters more than the last chance
HUGE = 50_000  # nodes of a component for which there is time for one start only
NEARBY = 64  # nodes that are looked at before a whole piece is searched, in a small component
PRUNING = 5_000_000  # moves × nodes up to which unneeded moves are dropped


# -- playing a plan on one component -----------------------------------------------------------


class ActivePiece(NamedTuple):
    """The active component of a position."""

    indptr: Ints  # [n + 1]
    indices: Ints  # [2 E]
    best: int


class Scratch(NamedTuple):
    """Room for the kernels, which allocate nothing."""

    label: Bytes  # [n]  0 separator, 1 to 3 the groups
    groups: Ints  # [4]  nodes in each group
    random: Words  # [1]  state of the random numbers
    tried: Words  # [4096]  fingerprints of separators that were played
    words: Words  # [n]  random word of a node: a set's fingerprint is their exclusive or
    clock: Ints  # [1]  number of the last search, see `stamp`
    work: Longs  # [1]  nodes that were visited, for the budget
    stop: Bytes  # [1]  1 when there is no time left: annealing stops, and no game is finished
    notes: Ints  # [DFS_ROWS, n]  of a depth-first search
    piece: Ints  # [n]  piece of a node in the game being played: 0 removed, `active` active
    stack: Ints  # [n]
    mark: Ints  # [n]
    order: Ints  # [n]  a plan: the separator in the order to try
    moves: Ints  # [n]  the moves that were really played
    trial: Ints  # [n]  the moves of a plan with one left out
    sizes: Ints  # [n]  of the pieces that a separator leaves
    chosen: Ints  # [n]  the separator itself, as a list
    stamp: Ints  # [n]  search that saw a node last
    place: Ints  # [n]  where a node stands in `chosen`, −1 if it does not


def new_scratch(n: int, seed: int, stop: Bytes | None = None) -> Scratch:
    """Make the scratch arrays for a component of n nodes, with the flag of an alarm if given."""
    words = np.random.default_rng(seed).integers(1, 2**63, n, dtype=np.uint64)
    notes, ints = np.zeros((DFS_ROWS, n), dtype=np.int32), np.zeros((10, n), dtype=np.int32)
    label, groups = np.ones(n, dtype=np.uint8), np.zeros(4, dtype=np.int32)
    random = np.array([seed], dtype=np.uint64)
    tried, clock = np.zeros(4096, dtype=np.uint64), np.zeros(1, dtype=np.int32)
    work = np.zeros(1, dtype=np.int64)
    stop = np.zeros(1, dtype=np.uint8) if stop is None else stop
    return Scratch(label, groups, random, tried, words, clock, work, stop, notes, *ints)


@kernel
def copy_moves(source: Ints, target: Ints, length: int) -> None:
    for i in range(length):
        target[i] = source[i]


@kernel
def holds(p: ActivePiece, node: int, active: int, s: Scratch) -> bool:
    """Whether the active neighbours of a removed node are joined by a short way round."""
    nearby = max(NEARBY, len(s.piece) // 128)
    s.clock[0] += 2
    target, seen = s.clock[0], s.clock[0] + 1
    left, start = 0, -1
    for i in range(p.indptr[node], p.indptr[node + 1]):
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
def drop_crumbs(p: ActivePiece, node: int, active: int, s: Scratch) -> tuple[int, int]:
    """Repaint pieces of fewer than `NEARBY` nodes beside a removed node.

    Return how many nodes they have together, and the size of the largest. Most moves split off a
    few nodes at most, so there is no reason to search all the rest.
    """
    crumbs, largest = 0, 0
    for i in range(p.indptr[node], p.indptr[node + 1]):
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
    p: ActivePiece, node: int, active: int, size: int, best: int, s: Scratch
) -> tuple[int, int, int]:
    """Remove a node of the active piece; return the largest piece's colour and size, and `best`."""
    s.piece[node] = 0
    if size > 5 * NEARBY:  # then at least one piece is left that is no crumb
        crumbs, largest_crumb = drop_crumbs(p, node, active, s)
        size, best = size - crumbs, max(best, largest_crumb)
    if holds(p, node, active, s):
        return active, size - 1, best
    colour, largest, start = active, 0, node
    for i in range(p.indptr[node], p.indptr[node + 1]):
        other = p.indices[i]
        if s.piece[other] != active:
            continue
        colour += 1
        size = flood(p.indptr, p.indices, other, active, colour, s.piece, s.stack)
        s.work[0] += size
        best = max(best, min(size, largest))
        if size > largest:
            largest, start = size, other
    if s.piece[start] != colour:  # the active colour must be the highest, or colours would clash
        colour += 1
        flood(p.indptr, p.indices, start, s.piece[start], colour, s.piece, s.stack)
    return colour, largest, best


@kernel
def best_trim(p: ActivePiece, active: int, best: int, s: Scratch) -> int:
    """Return the active node whose removal brings the end of the game nearest."""
    n = p.indptr.shape[0] - 1
    root = 0
    while s.piece[root] != active:
        root += 1
    s.notes[DFS_SEEN] = 0
    size = articulation_search(p.indptr, p.indices, s.piece, active, root, s.notes)
    s.work[0] += 4 * size  # a depth-first search takes longer than a flood
    pick, nearest = -1, n + 1
    for node in s.notes[DFS_ORDER, :size]:
        largest, other = s.notes[LARGEST, node], s.notes[SECOND, node]
        lead = largest - max(other, best)
        if lead < nearest:
            pick, nearest = node, lead
    return pick


@kernel
def play_plan(
    p: ActivePiece, plan: Ints, length: int, limit: int, out: Ints, trim: bool, s: Scratch
) -> int:
    """Play a plan without the moves that have become illegal; return their number, −1 if not over.

    With `trim`, a game that the plan does not finish goes on greedily. More than `limit` moves
    count as not over.
    """
    n = p.indptr.shape[0] - 1
    s.piece[:] = 1
    s.work[0] += n
    active, largest, best = 1, n, p.best
    count = 0
    for i in range(length):
        if s.piece[plan[i]] != active:
            continue
        if count >= limit or s.stop[0]:
            return -1
        out[count] = plan[i]
        count += 1
        active, largest, best = attack(p, plan[i], active, largest, best, s)
        if largest <= best:
            return count
    while trim and largest > best and count < limit and not s.stop[0]:
        node = best_trim(p, active, best, s)
        out[count] = node
        count += 1
        active, largest, best = attack(p, node, active, largest, best, s)
    return count if largest <= best else -1


@kernel
def one_move(p: ActivePiece, s: Scratch) -> bool:
    """Whether a single move ends the game."""
    s.piece[:] = 1
    node = best_trim(p, 1, p.best, s)
    _, largest, best = attack(p, node, 1, s.piece.shape[0], p.best, s)
    return bool(largest <= best)


@kernel
def drop_moves(p: ActivePiece, length: int, s: Scratch) -> int:
    """Drop moves of `s.moves` that are not needed, last ones first; return the new length."""
    skip = length - 1
    while skip >= 0 and not s.stop[0]:
        kept = 0
        for i in range(length):
            if i != skip:
                s.order[kept] = s.moves[i]
                kept += 1
        count = play_plan(p, s.order, kept, kept, s.trial, False, s)
        if count >= 0:
            length = count
            copy_moves(s.trial, s.moves, length)
            skip = length
        skip -= 1
    return length


@kernel
def finish(p: ActivePiece, size: int, limit: int, s: Scratch, result: Ints) -> int:
    """Play the separator `s.chosen[:size]` to the end; return the new `limit`.

    That is one less than the moves, if they are no more than `limit`, or else what it was.
    The piece that is to be the remembered one must be cut off while the rest is larger, so its
    boundary goes first. The three largest pieces are tried, the moves land in `result`.
    """
    n = p.indptr.shape[0] - 1
    s.place[:] = 1
    for i in range(size):
        s.place[s.chosen[i]] = 0
    colour = 1
    for node in range(n):
        if s.place[node] == 1:
            colour += 1
            s.sizes[colour - 2] = flood(p.indptr, p.indices, node, 1, colour, s.place, s.stack)
    largest = 0
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
            node = s.chosen[i]
            touches = False
            for j in range(p.indptr[node], p.indptr[node + 1]):
                touches = touches or s.place[p.indices[j]] == first + 2
            if touches:
                s.order[head] = node
                head += 1
            else:
                tail -= 1
                s.order[tail] = node
        count = play_plan(p, s.order, size, limit, s.moves, True, s)
        if count >= 0:
            if count * n <= PRUNING:
                count = drop_moves(p, count, s)
            copy_moves(s.moves, result, count)
            limit = count - 1
    s.place[:] = -1
    for i in range(size):
        s.place[s.chosen[i]] = i
    return limit


# -- annealing ------------------------------------------------------------------------------------


@kernel
def next_random(state: Words) -> float:
    """Return a random number in [0, 1) by xorshift: the same on every machine."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return float(x >> np.uint64(11)) / 9007199254740992.0


@kernel
def insert(node: int, size: int, s: Scratch) -> int:
    """Take a node into the separator; return the new size."""
    s.label[node] = 0
    s.chosen[size] = node
    s.place[node] = size
    return size + 1


@kernel
def discard(node: int, label: int, size: int, s: Scratch) -> int:
    """Hand a node of the separator to a group; return the new size."""
    last = int(s.chosen[size - 1])
    s.chosen[s.place[node]] = last
    s.place[last] = s.place[node]
    s.place[node] = -1
    s.label[node] = label
    return size - 1


@kernel
def excess(p: ActivePiece, size: int, s: Scratch) -> int:
    """Count the nodes that groups have beyond half of what is left (or beyond `best`)."""
    room = max(p.best, (p.indptr.shape[0] - 1 - size) // 2)
    total = 0
    for label in range(1, 4):
        total += max(0, int(s.groups[label]) - room)
    return total


@kernel
def is_new(size: int, s: Scratch) -> bool:
    """Tell whether this separator has not been played lately, and remember it."""
    word = np.uint64(size)  # its fingerprint, whatever order its nodes are in
    for i in range(size):
        word ^= s.words[s.chosen[i]]
    slot = word & np.uint64(4095)
    if s.tried[slot] == word:
        return False
    s.tried[slot] = word
    return True


@kernel
def repaint_marked(moved: int, old: int, new: int, s: Scratch) -> None:
    """Hand the marked nodes, so many, from one group to another."""
    for i in range(s.mark.shape[0]):
        if s.mark[i] == 4:
            s.label[i] = new
    s.groups[old] -= moved
    s.groups[new] += moved


@kernel
def farthest(p: ActivePiece, start: int, s: Scratch) -> int:
    """Return the node that a breadth-first search from `start` reaches last."""
    s.mark[:] = 0
    s.mark[start] = 1
    s.stack[0] = start
    head, tail = 0, 1
    while head < tail:
        node = s.stack[head]
        head += 1
        for i in range(p.indptr[node], p.indptr[node + 1]):
            if s.mark[p.indices[i]] == 0:
                s.mark[p.indices[i]] = 1
                s.stack[tail] = p.indices[i]
                tail += 1
    return int(s.stack[tail - 1])


@kernel
def halve(p: ActivePiece, start: int, s: Scratch) -> int:
    """Begin with the half of the nodes nearest to `start`; return the size of the separator."""
    n = p.indptr.shape[0] - 1
    s.label[:] = 2
    s.place[:] = -1
    s.label[start] = 0
    s.stack[0] = start
    head, tail = 0, 1
    while head < n - tail:
        node = s.stack[head]
        s.label[node] = 1
        head += 1
        for i in range(p.indptr[node], p.indptr[node + 1]):
            if s.label[p.indices[i]] == 2:
                s.label[p.indices[i]] = 0
                s.stack[tail] = p.indices[i]
                tail += 1
    size = 0
    for i in range(head, tail):  # the nodes that were next: they lie between the halves
        size = insert(s.stack[i], size, s)
    s.groups[0], s.groups[1], s.groups[2], s.groups[3] = 0, head, n - tail, 0
    return size


@kernel
def anneal(
    p: ActivePiece,
    steps: int,
    hot: float,
    cold: float,
    price: float,
    limit: int,
    s: Scratch,
    result: Ints,  # [n]  the best moves so far, `limit` + 1 of them
) -> int:
    """Anneal from a random half; return the best game's moves, `limit` + 1 if none is better."""
    n = p.indptr.shape[0] - 1
    start = int(next_random(s.random) * n)
    if n > HUGE:  # halves that hang together: trimming what does not takes long there
        start = farthest(p, start, s)
    size = halve(p, start, s)
    over = excess(p, size, s)
    if is_new(size, s):
        limit = finish(p, size, limit, s, result)  # finds a game, be it a long one
    regroup = 0.02 * min(1.0, 500.0 / n)  # a step that takes time in proportion to n
    # Playing a separator takes as long: on larger boards there are steps between two.
    patience = n // 2 if n > LARGE else n // 20 if n > 500 else 0
    rested = 0
    ratio = (cold / hot) ** (1.0 / steps)
    temperature = hot
    for step in range(steps):
        if s.stop[0]:
            break
        temperature *= ratio
        price_now = price * (0.2 + step / steps)
        chance = next_random(s.random)
        if size == 0 or chance < 0.01:
            node = int(next_random(s.random) * n)
            if s.label[node] == 0 or (
                size > 0 and next_random(s.random) > np.exp(-1.0 / temperature)
            ):
                continue
            s.groups[s.label[node]] -= 1
            size = insert(node, size, s)
            over = excess(p, size, s)
            continue
        node = s.chosen[int(next_random(s.random) * size)]
        label = 1 + int(next_random(s.random) * 3)
        if chance < 0.01 + regroup:
            over = move_piece(p, node, label, size, over, price_now, temperature, s)
            continue
        given, size, over = hand_over(p, node, label, size, over, price_now, temperature, s)
        good = given and size + (over > 0) <= limit and over <= 2 * limit
        if good and step >= rested and is_new(size, s):
            rested = step + patience
            limit = finish(p, size, limit, s, result)
    if patience > 0 and size + (over > 0) <= limit and is_new(size, s):
        limit = finish(p, size, limit, s, result)
    return limit + 1


@kernel
def move_piece(
    p: ActivePiece,
    node: int,
    label: int,
    size: int,
    over: int,
    price: float,
    temperature: float,
    s: Scratch,
) -> int:
    """Try to hand a whole piece beside a node to another group; return the new excess."""
    first = p.indptr[node]
    other = p.indices[first + int(next_random(s.random) * (p.indptr[node + 1] - first))]
    old = s.label[other]
    if old == 0 or old == label:
        return over
    for i in range(s.mark.shape[0]):
        s.mark[i] = s.label[i]
    moved = flood(p.indptr, p.indices, other, old, 4, s.mark, s.stack)
    s.work[0] += s.mark.shape[0]
    repaint_marked(moved, old, label, s)
    now = excess(p, size, s)
    if next_random(s.random) < np.exp((over - now) * price / temperature):
        return now
    repaint_marked(moved, label, old, s)
    return over


@kernel
def hand_over(
    p: ActivePiece,
    node: int,
    label: int,
    size: int,
    over: int,
    price: float,
    temperature: float,
    s: Scratch,
) -> tuple[bool, int, int]:
    """Try to hand a node of the separator to a group; its neighbours in others take its place.

    Return whether that was done, the new size of the separator and the new excess.
    """
    pulled = 0
    s.groups[label] += 1
    for i in range(p.indptr[node], p.indptr[node + 1]):
        old = s.label[p.indices[i]]
        if old != 0 and old != label:
            s.groups[old] -= 1
            pulled += 1
    now = excess(p, size + pulled - 1, s)
    change = pulled - 1 + price * (now - over)
    if change > 0 and next_random(s.random) >= np.exp(-change / temperature):
        s.groups[label] -= 1
        for i in range(p.indptr[node], p.indptr[node + 1]):
            old = s.label[p.indices[i]]
            if old != 0 and old != label:
                s.groups[old] += 1
        return False, size, over
    for i in range(p.indptr[node], p.indptr[node + 1]):
        old = s.label[p.indices[i]]
        if old != 0 and old != label:
            size = insert(p.indices[i], size, s)
    return True, discard(node, label, size, s), now
