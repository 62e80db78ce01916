"""Many heaps in one forest, against sorted lists."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pinchpoint.order.pairing_heaps import NONE, lowered, new_forest, with_node, without_top

STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "lower", "take"]), st.integers(0, 2), st.integers(0, 19)),
    max_size=80,
)


@settings(max_examples=200, deadline=None)
@given(steps=STEPS)
def test_the_lowest_key_is_on_top(steps: list[tuple[str, int, int]]) -> None:
    forest, tops = new_forest(20), [NONE] * 3
    held: list[dict[int, int]] = [{}, {}, {}]  # key of each node
    for kind, heap, number in steps:
        keys = held[heap]
        if kind == "add" and not any(number in other for other in held):
            keys[number] = (7 * number + len(keys)) % 10
            tops[heap] = with_node(forest, tops[heap], number, keys[number])
        elif kind == "lower" and number in keys:
            keys[number] -= number % 4
            tops[heap] = lowered(forest, tops[heap], number, keys[number])
        elif kind == "take" and keys:
            del keys[tops[heap]]
            tops[heap] = without_top(forest, tops[heap])
        expected = min(keys, key=lambda v: (keys[v], v)) if keys else NONE
        assert tops[heap] == expected
