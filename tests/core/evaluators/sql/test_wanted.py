"""What is kept of a gold's result, and how its rows must be ordered."""

from __future__ import annotations

import os
from pathlib import Path

from modex.core.evaluators.sql.wanted import _KEPT_VALUES, Wanted, _Kept, _size
from tests.rows import each_row


def holding(values: int, long: str = "") -> Wanted:
    """A result of one column with so many values, the first of them a text."""
    rows = ((long,), *((number,) for number in range(values - 1)))
    return Wanted(("a",), rows, 1)


def test_long_texts_count_for_what_they_take() -> None:
    assert _size(Wanted((), (), 3)) == 20
    assert _size(Wanted(("a", "b"), ((1, 2), (3, 4)), 2)) == 24
    assert _size(Wanted(("a",), (("x" * 149,),), 1)) == 23
    assert _size(Wanted(("a",), ((b"x" * 150,),), 1)) == 24


def test_the_results_used_last_are_kept() -> None:
    kept = _Kept()
    third = holding(_KEPT_VALUES // 3 - 20)
    for key in ("a", "b", "c"):
        kept.put(key, third)
    kept.put("c", third)
    assert kept.get("a") is third
    kept.put("d", third)
    assert [key for key in "abcd" if kept.get(key) is not None] == ["a", "c", "d"]
    kept.put("whole", holding(_KEPT_VALUES - 20))
    assert [key for key in ("a", "c", "d", "whole") if kept.get(key) is not None] == ["whole"]
    kept.put("too large", holding(_KEPT_VALUES - 19))
    assert kept.get("too large") is None


@each_row(
    ("query", "each", "runs"),
    [
        (None, False, None),
        (None, True, (1, 1, 1)),
        ("SELECT a, b FROM t ORDER BY a", False, (2, 1)),
        ("SELECT a, b FROM t ORDER BY a", True, (1, 1, 1)),
        ("SELECT DISTINCT a, b FROM t ORDER BY c", False, (1, 1, 1)),
        ("SELECT a, b FROM t", False, None),
    ],
)
def test_rows_of_equal_sort_keys_may_swap(query: str | None, each: bool, runs: tuple[int, ...] | None) -> None:
    wanted = Wanted(("a", "b"), ((1, 2), (1, 3), (2, 1)), 2, query, each)
    assert wanted.runs(Path(os.devnull)) == runs
    assert wanted.ordered is (query is not None or each)
