"""Simulated annealing of a separator: squares to remove, and the three groups it keeps apart.

Pieces none of which is larger than half of what is left can always be packed into three groups of
at most half each. So three groups are enough to describe any good end of the game, small pieces
that are trimmed off included. A step hands a square of the separator to a group and takes that
square's neighbours in other groups into the separator: the groups never touch. The energy is the
number of squares removed, plus a price for what a group has too much.
"""

import numpy as np

from chokepoint.compiled import kernel
from chokepoint.solvers.network.kernels import LARGE, Piece, Scratch, finish, flood
from chokepoint.types import Ints, Words

HUGE = 50_000  # squares of a board for which one start is all there is time for


@kernel
def draw(state: Words) -> float:
    """A random number in [0, 1) from a generator of our own: the same on every machine."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return float(x >> np.uint64(11)) / 9007199254740992.0


@kernel
def insert(square: int, size: int, s: Scratch) -> int:
    """Take a square into the separator; the new size."""
    s.label[square] = 0
    s.chosen[size] = square
    s.place[square] = size
    return size + 1


@kernel
def discard(square: int, label: int, size: int, s: Scratch) -> int:
    """Hand a square of the separator to a group; the new size."""
    last = int(s.chosen[size - 1])
    s.chosen[s.place[square]] = last
    s.place[last] = s.place[square]
    s.place[square] = -1
    s.label[square] = label
    return size - 1


@kernel
def excess(groups: Ints, size: int, n: int, best: int) -> int:
    """Squares that the groups have beyond half of what is left (or beyond `best`)."""
    room = max(best, (n - size) // 2)
    total = 0
    for label in range(1, 4):
        total += max(0, int(groups[label]) - room)
    return total


@kernel
def fingerprint(size: int, s: Scratch) -> np.uint64:
    word = np.uint64(size)
    for i in range(size):
        word ^= s.words[s.chosen[i]]
    return word


@kernel
def is_new(size: int, s: Scratch) -> bool:
    """Whether this separator has not been played lately; remembers it."""
    word = fingerprint(size, s)
    slot = word & np.uint64(4095)
    if s.tried[slot] == word:
        return False
    s.tried[slot] = word
    return True


@kernel
def repaint(p: Piece, square: int, groups: Ints, label: int, s: Scratch) -> int:
    """Give the whole piece of a square to another group; the number of squares moved."""
    old = s.label[square]
    for i in range(s.mark.shape[0]):
        s.mark[i] = s.label[i]
    moved = flood(p, square, old, 4, s.mark, s.stack)
    for i in range(s.mark.shape[0]):
        if s.mark[i] == 4:
            s.label[i] = label
    groups[old] -= moved
    groups[label] += moved
    return moved


@kernel
def farthest(p: Piece, start: int, s: Scratch) -> int:
    """The square that a breadth-first search from `start` reaches last."""
    s.mark[:] = 0
    s.mark[start] = 1
    s.stack[0] = start
    head, tail = 0, 1
    while head < tail:
        square = s.stack[head]
        head += 1
        for i in range(p.indptr[square], p.indptr[square + 1]):
            if s.mark[p.indices[i]] == 0:
                s.mark[p.indices[i]] = 1
                s.stack[tail] = p.indices[i]
                tail += 1
    return int(s.stack[tail - 1])


@kernel
def halve(p: Piece, start: int, groups: Ints, s: Scratch) -> int:
    """Begin with the squares nearest to `start`, half of them; the size of the separator."""
    n = p.indptr.shape[0] - 1
    s.label[:] = 2
    s.place[:] = -1
    s.label[start] = 0
    s.stack[0] = start
    head, tail = 0, 1
    while head < n - tail:
        square = s.stack[head]
        s.label[square] = 1
        head += 1
        for i in range(p.indptr[square], p.indptr[square + 1]):
            if s.label[p.indices[i]] == 2:
                s.label[p.indices[i]] = 0
                s.stack[tail] = p.indices[i]
                tail += 1
    size = 0
    for i in range(head, tail):  # the squares that were next: they lie between the halves
        size = insert(s.stack[i], size, s)
    groups[0], groups[1], groups[2], groups[3] = 0, head, n - tail, 0
    return size


@kernel
def anneal(
    p: Piece,
    steps: int,
    hot: float,
    cold: float,
    price: float,
    limit: int,
    groups: Ints,  # [4]  squares in each group
    random: Words,  # [1]
    s: Scratch,
    result: Ints,  # [n]  the best moves so far, `limit` + 1 of them
) -> int:
    """Anneal from a random half; the value of the best game, `limit` + 1 if none is better."""
    n = p.indptr.shape[0] - 1
    start = int(draw(random) * n)
    if n > HUGE:  # halves that hang together: trimming what does not takes long there
        start = farthest(p, start, s)
    size = halve(p, start, groups, s)
    over = excess(groups, size, n, p.best)
    if is_new(size, s):  # with room enough this always finds a game, be it a long one
        value = finish(p, size, limit, s, result)
        if value >= 0:
            limit = value - 1
    regroup = 0.02 * min(1.0, 500.0 / n)  # a step that takes time in proportion to n
    # Playing a separator takes as long: on larger boards there are steps between two.
    patience = n // 2 if n > LARGE else n // 20 if n > 500 else 0
    rested = 0
    ratio = (cold / hot) ** (1.0 / steps)
    temperature = hot
    for step in range(steps):
        temperature *= ratio
        price_now = price * (0.2 + step / steps)
        chance = draw(random)
        if size == 0 or chance < 0.01:
            square = int(draw(random) * n)
            if s.label[square] == 0 or (size > 0 and draw(random) > np.exp(-1.0 / temperature)):
                continue
            groups[s.label[square]] -= 1
            size = insert(square, size, s)
            over = excess(groups, size, n, p.best)
            continue
        square = s.chosen[int(draw(random) * size)]
        label = 1 + int(draw(random) * 3)
        if chance < 0.01 + regroup:
            first = p.indptr[square]
            other = p.indices[first + int(draw(random) * (p.indptr[square + 1] - first))]
            old = s.label[other]
            if old == 0 or old == label:
                continue
            repaint(p, other, groups, label, s)
            now = excess(groups, size, n, p.best)
            if draw(random) < np.exp((over - now) * price_now / temperature):
                over = now
            else:
                repaint_back(groups, old, label, s)
            continue
        pulled = 0
        groups[label] += 1
        for i in range(p.indptr[square], p.indptr[square + 1]):
            old = s.label[p.indices[i]]
            if old != 0 and old != label:
                groups[old] -= 1
                pulled += 1
        now = excess(groups, size + pulled - 1, n, p.best)
        change = pulled - 1 + price_now * (now - over)
        if change > 0 and draw(random) >= np.exp(-change / temperature):
            groups[label] -= 1
            for i in range(p.indptr[square], p.indptr[square + 1]):
                old = s.label[p.indices[i]]
                if old != 0 and old != label:
                    groups[old] += 1
            continue
        for i in range(p.indptr[square], p.indptr[square + 1]):
            old = s.label[p.indices[i]]
            if old != 0 and old != label:
                size = insert(p.indices[i], size, s)
        size = discard(square, label, size, s)
        over = now
        good = size + (over > 0) <= limit and over <= 2 * limit
        if good and step >= rested and is_new(size, s):
            rested = step + patience
            value = finish(p, size, limit, s, result)
            if value >= 0:
                limit = value - 1
    if patience > 0 and size + (over > 0) <= limit and is_new(size, s):
        value = finish(p, size, limit, s, result)
        if value >= 0:
            limit = value - 1
    return limit + 1


@kernel
def repaint_back(groups: Ints, old: int, label: int, s: Scratch) -> None:
    """Undo the last `repaint`, whose piece is still marked."""
    moved = 0
    for i in range(s.mark.shape[0]):
        if s.mark[i] == 4:
            s.label[i] = old
            moved += 1
    groups[old] += moved
    groups[label] -= moved
