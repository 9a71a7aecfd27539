"""The number of tests that a plan shows is that of the tests that the run takes."""

from __future__ import annotations

from typing import Any

from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.strata import Strata, take_shares
from modex.tui.planning.narrowing import narrowed
from modex.tui.reading.suite import Leaf
from tests.rows import each_row

TESTS = [
    TestCase("suite", "d", 1, f"t{n}", "?", 1, "two_pass", Location("a.json"), metadata={"kind": "ab"[n % 3 == 0]})
    for n in range(18)
]
LEAVES = [Leaf(test, "d") for test in TESTS]


@each_row(
    ("values", "size"),
    [
        ({"limit": 6}, 6),
        ({"sample": 6}, 6),
        ({"sample": 9, "limit": 6, "seed": 3}, 6),
        ({"sample": 6, "limit": 9}, 6),
        ({"limit": 40}, 18),
    ],
)
def test_a_column_shares_out_what_a_plan_takes(values: dict[str, Any], size: int) -> None:
    found = narrowed(LEAVES, [], range(18), {**values, "stratify": "kind"})
    expected = take_shares(lambda: TESTS, size, values.get("seed", 0), Strata("kind").of)
    assert [LEAVES[number].test for number in found] == list(expected)
    assert sum(TESTS[number].metadata["kind"] == "b" for number in found) == size // 3


def test_a_column_without_a_size_changes_nothing() -> None:
    assert narrowed(LEAVES, [], [3, 4], {"stratify": "kind"}) == [3, 4]
    assert narrowed(LEAVES, [], range(18), {"limit": 4}) == [0, 1, 2, 3]
