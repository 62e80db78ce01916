"""The experience buffer: boards packed to 2 bits a square, the oldest forgotten first."""

from __future__ import annotations

from typing import Any

import numpy as np

from pinchpoint.compiled import outer_kernel
from pinchpoint.types import Array, Bools, Bytes

Experiences = dict[str, Array]  # columns of equal length
Columns = dict[str, tuple[tuple[int, ...], Any]]  # name -> shape of an entry, dtype


@outer_kernel
def pack(status: Bytes) -> Bytes:  # [B, N] -> [B, ceil(N / 4)]
    """Return status boards at 2 bits a square."""
    packed = np.empty((len(status), (status.shape[1] + 3) // 4), dtype=np.uint8)
    for i in range(len(status)):
        for k in range(packed.shape[1]):
            byte = 0
            for j in range(min(4, status.shape[1] - 4 * k)):
                byte |= (status[i, 4 * k + j] & 3) << (2 * j)
            packed[i, k] = byte
    return packed


@outer_kernel
def unpack(packed: Bytes, n: int) -> Bytes:  # [B, ceil(N / 4)] -> [B, N]
    """Return what was packed."""
    status = np.empty((len(packed), n), dtype=np.uint8)
    for i in range(len(status)):
        for s in range(n):
            status[i, s] = packed[i, s >> 2] >> (2 * (s & 3)) & 3
    return status


class Replay:
    """A ring of experiences, each a row in several arrays ("columns") of one capacity."""

    def __init__(self, capacity: int, columns: Columns) -> None:
        """`columns` maps a name to the shape of one entry and its dtype."""
        self.capacity = capacity
        self.columns: Experiences = {
            name: np.zeros((capacity, *shape), dtype=dtype)
            for name, (shape, dtype) in columns.items()
        }
        self.added = 0  # ever

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(self, **entries: Array) -> None:
        """Append entries, one array for each column; the oldest make room."""
        count = len(next(iter(entries.values())))
        if set(entries) != set(self.columns) or any(len(e) != count for e in entries.values()):
            raise ValueError(f"entries must fill the columns {sorted(self.columns)} alike")
        for first in range(0, count, self.capacity):
            part = min(self.capacity, count - first)
            places = (self.added + np.arange(part)) % self.capacity
            for name, column in self.columns.items():
                column[places] = entries[name][first : first + part]
            self.added += part

    def sample(self, count: int, rng: np.random.Generator) -> Experiences:
        """Return entries drawn uniformly, with repetition."""
        places = rng.integers(len(self), size=count)
        return {name: column[places] for name, column in self.columns.items()}


def pack_bits(mask: Bools) -> Bytes:  # [B, N] -> [B, ceil(N / 8)]
    return np.packbits(mask, axis=1)


def unpack_bits(packed: Bytes, n: int) -> Bools:
    return np.unpackbits(packed, axis=1, count=n).astype(np.bool_)
