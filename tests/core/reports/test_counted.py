"""Saying how far long reading is."""

from __future__ import annotations

from modex.core.reports.counted import counted
from tests.rows import each_row


@each_row("number", [0, 1, 499, 500, 501, 1300])
def test_everything_is_passed_on_and_counted_now_and_then(number: int) -> None:
    told: list[int] = []
    assert list(counted(range(number), told.append)) == list(range(number))
    assert sum(told) == number
    assert len(told) == -(-number // 500)
