"""The experience buffer: packing, wrap-around, size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchpoint.game.modes.table import get_mode
from pinchpoint.learning.learners.bellman import BellmanLearner
from pinchpoint.learning.nets import PaperNet
from pinchpoint.learning.presets import PAPER
from pinchpoint.learning.replay import Replay, pack, pack_bits, unpack, unpack_bits


@given(st.integers(1, 70), st.integers(0, 5), st.integers(0, 2**32))
def test_packing_keeps_every_square(n: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    status = rng.integers(0, 4, (count, n)).astype(np.uint8)
    assert np.array_equal(unpack(pack(status), n), status)
    assert pack(status).nbytes == count * -(-n // 4)
    mask = rng.random((count, n)) < 0.5
    assert np.array_equal(unpack_bits(pack_bits(mask), n), mask)


@given(st.integers(1, 12), st.lists(st.integers(0, 30), max_size=8))
def test_the_ring_holds_the_latest(capacity: int, sizes: list[int]) -> None:
    ring, model, number = Replay(capacity, {"x": ((), np.int64), "y": ((2,), np.uint8)}), [], 0
    for size in sizes:
        x = np.arange(number, number + size)
        ring.add(x=x, y=np.stack([x, x + 1], 1).astype(np.uint8))
        model += x.tolist()
        number += size
    assert len(ring) == min(capacity, number)
    assert sorted(ring.columns["x"][: len(ring)].tolist()) == model[-capacity:]
    assert np.array_equal(ring.columns["y"][: len(ring), 0], ring.columns["x"][: len(ring)] % 256)


def test_samples_are_uniform_and_keep_rows_together() -> None:
    ring = Replay(10, {"x": ((), np.int64), "y": ((), np.int64)})
    ring.add(x=np.arange(25), y=-np.arange(25))
    sample = ring.sample(20_000, np.random.default_rng(0))
    assert np.array_equal(sample["x"], -sample["y"])
    counts = np.bincount(sample["x"], minlength=25)
    assert counts[:15].sum() == 0
    assert np.all(np.abs(counts[15:] - 2000) < 5 * np.sqrt(2000))


def test_entries_must_fill_the_columns() -> None:
    ring = Replay(10, {"x": ((), np.int64), "y": ((), np.int64)})
    with pytest.raises(ValueError, match="alike"):
        ring.add(x=np.arange(3))


def test_a_million_experiences_fit_in_250_megabytes() -> None:
    assert PAPER.replay == 1_000_000
    net = PaperNet("states", 4, 1)
    learner = BellmanLearner(PAPER, get_mode("network"), net, net)
    columns = Replay(1000, learner.columns(20)).columns.values()
    assert sum(column.nbytes for column in columns) * 1000 <= 250e6
