"""Tokens are added up kind by kind."""

from __future__ import annotations

from modex.core.foundation.usage import Usage


def test_nothing_is_counted_where_nothing_is_said() -> None:
    assert Usage().as_dict() == {"prompt": 0, "completion": 0, "reasoning": 0, "cached": 0}


def test_two_calls_count_together_kind_by_kind() -> None:
    both = Usage(10, 20, 3, 4) + Usage(100, 200, 30, 40)
    assert both.as_dict() == {"prompt": 110, "completion": 220, "reasoning": 33, "cached": 44}
